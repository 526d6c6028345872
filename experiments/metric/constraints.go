package metric

import (
	"math"
	"slices"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree/constraint"
)

// The families of what constraints come to.
const (
	TrainConstraint      = "train_constraint"
	ValidationConstraint = "validation_constraint" // of tuned methods
	TestConstraint       = "test_constraint"
)

var families = []string{TrainConstraint, ValidationConstraint, TestConstraint}

// constraints are the metrics of trees under constraints: whether these are held, and what
// each quantity that is limited comes to.
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

// heldMetrics say whether constraints are held.
func heldMetrics() []Metric {
	return []Metric{
		{Name: "infeasible", Doc: "fits whose constraints no tree keeps, by a proof, %", Shown: IfNonzero, result: func(r *fit.Result) float64 {
			return percentIf(len(r.Constraints) > 0, Infeasible(r))
		}},
		{Name: "train_held", Doc: "trees that keep all their constraints on training rows, %", result: func(r *fit.Result) float64 { return held(r, func(c *fit.Constraint) *bool { return &c.Held }) }},
		{Name: "test_held", Doc: "trees that keep all their constraints on test rows, too, %", More: true, result: func(r *fit.Result) float64 { return held(r, func(c *fit.Constraint) *bool { return c.TestHeld }) }},
	}
}

// held is 100 or 0 where r has a tree and constraints.
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

// quantity is what constraints limit, whatever the limit.
type quantity struct {
	text     string
	positive string // class whose rates it compares, "" for none
}

// quantitiesIn are those that the constraints of results limit, in their order: of rules of
// splits, which are kept or not, there is none.
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
	return slices.DeleteFunc(all, func(q quantity) bool { // of results without a tree, whose class is not known
		return q.positive == "" && slices.ContainsFunc(all, func(o quantity) bool { return o.text == q.text && o.positive != "" })
	})
}

// fairness is the report of scores that has the quantity, nil for none.
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

// validated says whether a constraint of r has a value on validation rows.
func validated(r *fit.Result) bool {
	return slices.ContainsFunc(r.Constraints, func(c fit.Constraint) bool { return c.Validation != nil })
}

// in is the quantity for the tree of a result on the rows of s, NaN for none: as the
// result has it of a constraint of its own, else as the scores tell.
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

// Infeasible says whether a fit ended with a proof that no tree keeps its constraints.
func Infeasible(r *fit.Result) bool {
	return r != nil && r.Train == nil && r.Status == mio.Infeasible.String()
}

// WithoutTree says whether a limit ended a fit before a tree was found that keeps its
// constraints.
func WithoutTree(r *fit.Result) bool {
	return r != nil && r.Train == nil && len(r.Constraints) > 0 && r.Status == mio.NoSolution.String()
}

// Settled says whether a fit ended with a proof: of its tree, or that there is none.
func Settled(r *fit.Result) bool { return Proved(r) || Infeasible(r) }
