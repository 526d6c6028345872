package metric

import (
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree/constraint"
)

// Metric is a figure computed from a fit.
type Metric struct {
	Name     string // name in specs and tables
	Doc      string // meaning and unit
	Compared bool   // methods are compared by it
	More     bool   // larger is better
	Shown    Shown  // when tables for people show it by default
	Digits   int    // after the decimal point, for people; 0: two

	result   func(*fit.Result) float64
	recovery func(*generate.Recovery) float64 // used instead of result
}

// Shown determines whether a metric has a table for people; files contain all metrics.
type Shown int

// Values of Shown.
const (
	IfCited   Shown = iota // if a paper has figures for it
	IfAny                  // if there is a figure
	IfNonzero              // if a figure is above 0
)

// Of returns the figure of a fit without an error, NaN if it does not apply. recovery is nil for
// data without a known tree.
func (m *Metric) Of(r *fit.Result, recovery *generate.Recovery) float64 {
	switch {
	case m.recovery == nil:
		return m.result(r)
	case recovery == nil:
		return math.NaN()
	}
	return m.recovery(recovery)
}

// IsOf reports whether the metric has that name, or belongs to the family of that name.
func (m *Metric) IsOf(name string) bool {
	family, _, _ := strings.Cut(m.Name, ":")
	return name == m.Name || name == family
}

// trained returns a figure of the training scores.
func trained(of func(*fit.Scores) float64) func(*fit.Result) float64 {
	return func(r *fit.Result) float64 { return ofScores(r.Train, of) }
}

// tested returns a figure of the test scores.
func tested(of func(*fit.Scores) float64) func(*fit.Result) float64 {
	return func(r *fit.Result) float64 { return ofScores(r.Test, of) }
}

// ofScores returns a figure of scores, NaN without scores.
func ofScores(s *fit.Scores, of func(*fit.Scores) float64) float64 {
	if s == nil {
		return math.NaN()
	}
	return of(s)
}

// known returns a figure that may be missing in the results of older runs; NaN if it is.
func known(v *float64) float64 { return fit.ValueOr(v, math.NaN()) }

// Proved reports whether a fit of a model ended with a proof of optimality by the solver, the
// search or both. A claim of the solver does not count if the check refuted it.
func Proved(r *fit.Result) bool {
	return r != nil && r.Solver != nil && r.Status == mio.Optimal.String()
}

// percentIf returns 100 or 0, or NaN if the metric does not apply.
func percentIf(applies, yes bool) float64 {
	switch {
	case !applies:
		return math.NaN()
	case yes:
		return 100
	}
	return 0
}

// part is the training or the test set.
type part struct {
	prefix string // of names
	rows   string
	of     func(*fit.Result) *fit.Scores
}

var parts = []part{
	{"test_", "test rows", func(r *fit.Result) *fit.Scores { return r.Test }},
	{"train_", "training rows", func(r *fit.Result) *fit.Scores { return r.Train }},
}

// notions are the fairness metrics with the rates they compare.
var notions = []struct {
	constraint.Metric
	doc string
}{
	{constraint.StatisticalParity, "rates of being predicted the positive class"},
	{constraint.EqualOpportunity, "true-positive rates"},
	{constraint.PredictiveEquality, "false-positive rates"},
	{constraint.EqualizedOdds, "true-positive or false-positive rates, the larger"},
}

// compared is a group and a class whose rates are compared.
type compared struct{ column, positive string }

// fairness returns the metrics of data with groups: the maximum difference between two levels and,
// if results compare several columns or classes, one metric for each.
func fairness(results []*fit.Result) []Metric {
	all := comparedIn(results)
	if len(all) == 0 {
		return nil
	}
	metrics := fairnessMetrics()
	if len(all) == 1 {
		return metrics
	}
	for _, c := range all {
		for _, p := range parts {
			for _, n := range notions {
				m := fairnessMetric(p, n.Metric, n.doc, &c)
				m.Name += ":" + c.column + "=" + c.positive
				m.Shown = IfCited
				metrics = append(metrics, m)
			}
		}
	}
	return metrics
}

// fairnessMetrics returns the metrics over all groups.
func fairnessMetrics() []Metric {
	var metrics []Metric
	for _, p := range parts {
		for _, n := range notions {
			metrics = append(metrics, fairnessMetric(p, n.Metric, n.doc, nil))
		}
	}
	return metrics
}

// fairnessMetric returns a fairness metric between the levels of a column, nil for all.
func fairnessMetric(p part, notion constraint.Metric, doc string, of *compared) Metric {
	m := Metric{
		Name: p.prefix + strings.ReplaceAll(string(notion), "-", "_"), Compared: true,
		Doc:    "maximum difference between two groups in " + doc + ", on " + p.rows + ", percentage points",
		result: func(r *fit.Result) float64 { return difference(p.of(r), notion, of) },
	}
	if of != nil {
		m.Doc += "; of " + of.column + ", class " + of.positive
	}
	if p.prefix == "test_" {
		m.Shown = IfAny
	}
	return m
}

// comparedIn returns the groups of results, in their order.
func comparedIn(results []*fit.Result) []compared {
	var all []compared
	for _, r := range results {
		if r.Train == nil {
			continue
		}
		for _, f := range r.Train.Fairness {
			if c := (compared{f.Column, f.Positive}); !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// difference returns the maximum difference between two levels in percentage points, NaN for none.
func difference(s *fit.Scores, notion constraint.Metric, of *compared) float64 {
	greatest := math.NaN()
	if s == nil {
		return greatest
	}
	for _, f := range s.Fairness {
		if of != nil && *of != (compared{f.Column, f.Positive}) {
			continue
		}
		for _, m := range f.Metrics {
			if m.Metric == notion && m.Value != nil && !(100**m.Value <= greatest) {
				greatest = 100 * *m.Value
			}
		}
	}
	return greatest
}

// Families of values of constraints.
const (
	TrainConstraint      = "train_constraint"
	ValidationConstraint = "validation_constraint" // of tuned methods
	TestConstraint       = "test_constraint"
)

var families = []string{TrainConstraint, ValidationConstraint, TestConstraint}

// constraints returns the metrics of trees under constraints: whether these are satisfied, and the
// value of each limited quantity.
func constraints(results []*fit.Result) []Metric {
	if !slices.ContainsFunc(results, func(r *fit.Result) bool { return len(r.Constraints) > 0 }) {
		return nil
	}
	all := quantitiesIn(results)
	metrics := heldMetrics()
	for i := range all {
		q, shown := all[i], all[i].text
		if slices.ContainsFunc(all, func(o quantity) bool { return o.text == q.text && o.positive != q.positive }) {
			shown += " of " + q.positive
		}
		for _, m := range []Metric{
			{Name: TrainConstraint + ":" + shown, Doc: shown + " on training rows", result: func(r *fit.Result) float64 { return q.in(r, r.Train, trainValue) }},
			{Name: TestConstraint + ":" + shown, Doc: shown + " on test rows", result: func(r *fit.Result) float64 { return q.in(r, r.Test, testValue) }},
		} {
			m.Digits = 4
			metrics = append(metrics, m)
		}
		if slices.ContainsFunc(results, validated) {
			metrics = append(metrics, Metric{
				Name: ValidationConstraint + ":" + shown, Doc: shown + " on validation rows of tuned methods", Digits: 4,
				result: func(r *fit.Result) float64 { return q.in(r, nil, validationValue) },
			})
		}
	}
	return metrics
}

// heldMetrics returns whether constraints are satisfied.
func heldMetrics() []Metric {
	return []Metric{
		{Name: "infeasible", Doc: "fits proved infeasible, %", Shown: IfNonzero, result: func(r *fit.Result) float64 {
			return percentIf(len(r.Constraints) > 0, Infeasible(r))
		}},
		{Name: "train_held", Doc: "trees that satisfy all their constraints on the training set, %", result: func(r *fit.Result) float64 { return held(r, func(c *fit.Constraint) *bool { return &c.Held }) }},
		{Name: "test_held", Doc: "trees that satisfy all their constraints on the test set, %", More: true, result: func(r *fit.Result) float64 { return held(r, func(c *fit.Constraint) *bool { return c.TestHeld }) }},
	}
}

// held returns 100 or 0 if r has a tree and constraints.
func held(r *fit.Result, of func(*fit.Constraint) *bool) float64 {
	if len(r.Constraints) == 0 || r.Train == nil {
		return math.NaN()
	}
	all := true
	for i := range r.Constraints {
		h := of(&r.Constraints[i])
		if h == nil {
			return math.NaN()
		}
		all = all && *h
	}
	return percentIf(true, all)
}

// quantity is the quantity that a constraint limits, without the limit.
type quantity struct {
	text     string
	positive string // class whose rates it compares, "" for none
}

// quantitiesIn returns the quantities that the constraints of results limit, in their order. Rules
// on splits have no quantity.
func quantitiesIn(results []*fit.Result) []quantity {
	var all []quantity
	for _, r := range results {
		for i := range r.Constraints {
			if r.Constraints[i].Rule() {
				continue
			}
			q := quantity{text: constraint.Quantity(r.Constraints[i].Text)}
			if f := q.fairness(r.Train); f != nil {
				q.positive = f.Positive
			}
			if !slices.Contains(all, q) && (r.Train != nil || !slices.ContainsFunc(all, func(o quantity) bool { return o.text == q.text })) {
				all = append(all, q)
			}
		}
	}
	return slices.DeleteFunc(all, func(q quantity) bool { // of results without a tree, whose class is unknown
		return q.positive == "" && slices.ContainsFunc(all, func(o quantity) bool { return o.text == q.text && o.positive != "" })
	})
}

// fairness returns the report of scores that contains the quantity, nil for none.
func (q *quantity) fairness(s *fit.Scores) *constraint.Fairness {
	if s == nil {
		return nil
	}
	for i := range s.Fairness {
		f := &s.Fairness[i]
		if _, ok := f.Value(q.text); ok && (q.positive == "" || q.positive == f.Positive) {
			return f
		}
	}
	return nil
}

func trainValue(c *fit.Constraint) *float64 { return c.Train }
func testValue(c *fit.Constraint) *float64  { return c.Test }

func validationValue(c *fit.Constraint) *float64 { return c.Validation }

// validated reports whether a constraint of r has a value on the validation set.
func validated(r *fit.Result) bool {
	return slices.ContainsFunc(r.Constraints, func(c fit.Constraint) bool { return c.Validation != nil })
}

// in returns the value of the quantity for the tree of a result on the rows of s, NaN for none:
// from the result if it is one of its constraints, otherwise from the scores.
func (q *quantity) in(r *fit.Result, s *fit.Scores, own func(*fit.Constraint) *float64) float64 {
	if q.positive == "" || q.fairness(r.Train) != nil {
		for i := range r.Constraints {
			if c := &r.Constraints[i]; constraint.Quantity(c.Text) == q.text {
				return known(own(c))
			}
		}
	}
	if f := q.fairness(s); f != nil {
		v, _ := f.Value(q.text)
		return v
	}
	if s == nil {
		return math.NaN()
	}
	for _, k := range s.PerClass {
		if class, ok := constraint.ClassOf(q.text, "recall"); ok && class == k.Class {
			return known(k.Recall)
		}
		if class, ok := constraint.ClassOf(q.text, "precision"); ok && class == k.Class {
			return known(k.Precision)
		}
	}
	return math.NaN()
}

// Infeasible reports whether a fit ended with a proof that no tree satisfies its constraints.
func Infeasible(r *fit.Result) bool {
	return r != nil && r.Train == nil && r.Status == mio.Infeasible.String()
}

// WithoutTree reports whether a limit ended a fit before it found a tree that satisfies its
// constraints.
func WithoutTree(r *fit.Result) bool {
	return r != nil && r.Train == nil && len(r.Constraints) > 0 && r.Status == mio.NoSolution.String()
}

// Settled reports whether a fit ended with a proof of optimality or infeasibility.
func Settled(r *fit.Result) bool { return Proved(r) || Infeasible(r) }
