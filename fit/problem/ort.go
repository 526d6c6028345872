package problem

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/ort"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// ORT is the regression tree of the least squared error (Bertsimas, Dunn & Paschalidis 2017; Dunn 2018): with SSE the sum of
// w_i (y_i - answer)^2 and SST that of a single leaf
//
//	minimise  SSE / SST + alpha * splits
//
// Data with a quantile have its loss in place of squared errors, here and in SST: for the median half the absolute errors. A leaf
// answers the mean or the quantile of its rows, under constraints, too.
//
// Optimal means to within 1e-9 of SST, the rounding of the sums.
type ORT struct {
	Shape
	Encoded
	constraint.Structural
	Fixing
	constraint.Univariate
}

// Info describes the method.
func (m *ORT) Info() Info {
	info := Info{
		Name: "ort", Doc: "regression tree with the least squared error, by exact search or mixed-integer optimization (Dunn 2018)", Measure: "squared error",
		Kind: Formulation, Proof: true, Numbers: true, OnlyNumbers: true, Univariate: true, Hint: ortHint,
		Engines: []Engine{Search, MIO, Heuristic}, Settings: []string{"solver", "start", "threads", "work-limit", "cross-check"}, Needs: ort.Needs(),
		Starts:  []Start{{"cart", true}, {"treesearch", true}, {"local-search", true}},
		OnlyMIO: m.onlyMIO(), OnlySearch: m.onlySearch(), NotWritten: m.notWritten(), Depth: &m.Depth, AnyDepth: true, Shape: &m.Shape,
	}
	info.describe(m.options(), &m.Fixing)
	info.Crossable = info.Constraints.Empty()
	return info
}

// ortHint says why options of classes are not there.
func ortHint(flag string) string {
	switch flag {
	case "recall", "precision", "share", "fair", "positive":
		return "predicts numbers, which have no such rates"
	case "leaf-penalty":
		return "has no errors to count: --alpha is in units of the loss of a single leaf"
	}
	return univariateHint(flag)
}

// Validate refuses what no data make right.
func (m *ORT) Validate() error {
	switch {
	case m.LeafPurity != 0:
		return wrong("leaf-purity", "is for classes; ort predicts numbers")
	case len(m.ClassOrder) > 0:
		return wrong("class-order", "is for classes; numbers have their own order")
	}
	if err := m.among("ort", ort.Needs()); err != nil {
		return err
	}
	if _, err := parse(m.options()); err != nil {
		return err
	}
	return m.priced(new(PerLeaf))
}

// options are the constraints in use.
func (m *ORT) options() constraint.Options {
	return m.Fixing.options(constraint.Rates{}, m.Structural, m.Univariate)
}

// onlySearch names the option in use that only the exact search has.
func (m *ORT) onlySearch() string {
	switch {
	case m.Depth == NoDepth:
		return "depth"
	case len(m.Monotone) > 0: // of leaves that answer their means, which no linear row says
		return "monotone"
	}
	return ""
}

// notWritten refuses a model of what only the search has.
func (m *ORT) notWritten() error {
	switch m.onlySearch() {
	case "depth":
		return wrong("depth", "none is for the engine search: a model needs a limit, such as --depth 3")
	case "monotone":
		return wrong("monotone", "is for the engine search: no model says that leaves answer the means of their rows")
	}
	return nil
}

// On binds the method to data.
func (m *ORT) On(ctx context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	on, err := bound(d.Dataset, &o.Fixing, &o.Levels, depth, true, o.options)
	if err != nil {
		return nil, err
	}
	l := o.limits((*tree.Tree).Splits)
	p := &Problem{
		Info: o.Info(), Method: &o, Data: d, Shape: o.Shape, Complexity: (*tree.Tree).Splits, Keep: on, Bound: unbounded, Value: numbersValue(d, o.Alpha, on),
		Admits: func(t *tree.Tree) bool {
			return univariateTree(t) && l.Broken(t, d.Dataset) == nil && (on == nil || on.Broken(t) == nil)
		},
		Build:  func(ctx context.Context, b BuildOptions) (*Model, error) { return o.build(ctx, d, on, b) },
		Size:   func(context.Context) (formulate.Size, error) { return o.formulation(on, false).Size(d.Dataset) },
		Search: func(ctx context.Context, s SearchOptions) (*Found, error) { return o.search(ctx, d, on, s) },
	}
	p.Relaxed = func(without int) (*Problem, error) {
		less := o
		c := o.options().Without(without)
		less.Structural, less.Univariate, less.Fixing = c.Structural, c.Univariate, fixing(&c)
		return less.On(ctx, d, depth)
	}
	return p, nil
}

// search is the exact search.
func (m *ORT) search(ctx context.Context, d *Data, on *constraint.On, o SearchOptions) (*Found, error) {
	if on != nil {
		if why := impossible(on.Fixed, d.Dataset, m.Shape); why != "" {
			return &Found{Name: "ort search", Status: mio.Infeasible, Raw: why, Objective: math.Inf(1), Bound: math.Inf(1), StartObjective: math.NaN()}, nil
		}
	}
	f, err := searchNumbers(ctx, d, m.Shape, on, o)
	if err != nil || f.Tree != nil || f.Status == mio.Infeasible {
		return f, err
	}
	if t := Fallback(d.Dataset, on); t != nil { // a limit came before the search had looked at any
		f.Tree, f.Objective, f.Status = t, numbersValue(d, m.Alpha, on)(t), mio.Feasible
	}
	return f, nil
}

// formulation are the options of the model.
func (m *ORT) formulation(on *constraint.On, omitNames bool) ort.Options {
	return ort.Options{Depth: m.Greatest(), Alpha: m.Alpha, MinLeaf: m.MinLeaf, MaxSplits: m.MaxSplits, Constraints: on, OmitNames: omitNames}
}

// build formulates the problem.
func (m *ORT) build(ctx context.Context, d *Data, on *constraint.On, o BuildOptions) (*Model, error) {
	began := time.Now()
	if err := m.notWritten(); err != nil {
		return nil, err
	}
	f, err := m.formulation(on, o.OmitNames).Build(ctx, d.Dataset)
	if err != nil {
		return nil, err
	}
	spec := specOf("ort", formulate.BigM, m.Greatest(), m.Alpha, m.MinLeaf, m.MaxSplits)
	if o := m.options(); on != nil {
		spec.Constraints = &o
	}
	spec.OmitNames = o.OmitNames
	p := newModel(f, spec, began)
	p.Bound, p.Bounded, p.LeafTree = 0, true, true
	p.Lines = []string{
		fmt.Sprintf("form ort, depth %d, alpha %v, min-leaf %v, max-splits %v", m.Greatest(), m.Alpha, m.MinLeaf, limitText(m.MaxSplits)),
		"encoding bigm", "loss " + lossText(d.Quantile),
	}
	p.Lines = append(p.Lines, constraintLines(m.Info().Constraints)...)
	return p, nil
}

// lossText is the loss of numbers in words.
func lossText(quantile float64) string {
	if quantile == 0 {
		return "squared errors"
	}
	return fmt.Sprintf("of the quantile %v", quantile)
}

// ortOf is the method of a model.
func ortOf(s Spec, _ []string) (Method, error) {
	m := &ORT{Shape: s.shape(), Encoded: Encoded{s.Encoding}}
	if o := s.Constraints; o != nil {
		m.Structural, m.Fixing, m.Univariate = o.Structural, fixing(o), o.Univariate
	}
	return m, nil
}
