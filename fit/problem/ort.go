package problem

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/search/regression"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/score"
)

// ORT is the regression tree of the least squared error (Bertsimas, Dunn & Paschalidis 2017; Dunn 2018): with SSE the sum of
// w_i (y_i - answer)^2 and SST that of a single leaf
//
//	minimise  SSE / SST + alpha * splits
//
// Data with a quantile have its loss in place of squared errors, here and in SST: for the median half the absolute errors.
//
// Optimal means to within 1e-9 of SST, the rounding of the sums.
type ORT struct {
	Shape
}

// lossTolerance is what values of the search and of its tree may differ by, as parts of the loss of a single leaf.
const lossTolerance = 1e-9

// Info describes the method.
func (m *ORT) Info() Info {
	return Info{
		Name: "ort", Doc: "regression tree with the least squared error, by exact search (Dunn 2018)", Measure: "squared error",
		Proof: true, Numbers: true, Univariate: true, Grows: true, Hint: univariateHint,
		Engines: []Engine{Search, Heuristic}, Depth: &m.Depth, Shape: &m.Shape,
	}
}

// Validate refuses limits that the search does not have.
func (m *ORT) Validate() error {
	if m.MaxSplits > 0 {
		return &OptionError{Option: "max-splits", Err: errors.New("is not a limit of ort, which has a depth and a price of splits (--alpha)")}
	}
	return nil
}

// On binds the method to data.
func (m *ORT) On(_ context.Context, d *Data, depth int) (*Problem, error) {
	o := *m
	o.SetDepth(depth)
	p := AlgorithmOf(&o, d, o.Shape, func(ctx context.Context, _ Task) (*Grown, error) { return o.grow(ctx, d) })
	p.Value = o.value(d)
	p.Search = func(ctx context.Context, s SearchOptions) (*Found, error) { return o.search(ctx, d, s) }
	return p, nil
}

// value is the objective of a tree, whose answers are learned from the data if it has none.
func (m *ORT) value(d *Data) func(*tree.Tree) float64 {
	return func(t *tree.Tree) float64 {
		if !t.IsRegression() {
			t = t.Clone()
			t.Annotate(d.Dataset)
		}
		return score.NumbersOf(t, d.Dataset).Objective(m.Alpha, t.Splits())
	}
}

// problem is what the search is given.
func (m *ORT) problem(d *Data) regression.Problem {
	return regression.Problem{X: d.X, P: d.P(), Y: d.Target, W: d.Weight, Quantile: d.Quantile, Depth: m.Greatest(), Penalty: m.Alpha, MinLeaf: m.MinLeaf}
}

// search is the exact search.
func (m *ORT) search(ctx context.Context, d *Data, o SearchOptions) (*Found, error) {
	if err := d.SingleLeaf(); err != nil {
		return nil, err
	}
	began := time.Now()
	q := m.problem(d)
	if o.Progress != nil {
		q.Progress = func(value, bound float64, nodes int64) {
			o.Progress(exact.Progress{Objective: value, Bound: bound, Seconds: time.Since(began).Seconds(), Stats: exact.Stats{Nodes: nodes}})
		}
	}
	res := regression.Solve(ctx, q)
	t := planted(d, res.Tree)
	f := &Found{
		Name: "ort search", Tree: t, Status: res.Status, Limit: res.Limit, Objective: m.value(d)(t), Bound: res.Bound,
		Nodes: res.Stats.Nodes + res.Stats.Kernels, Seconds: time.Since(began).Seconds(), Start: "cart", StartObjective: res.Start,
	}
	if off := math.Abs(res.Value - f.Objective); off > lossTolerance {
		f.Status, f.Bound = mio.Feasible, min(res.Bound, f.Objective)-off
		f.Unproved = fmt.Sprintf("sums of these numbers cannot resolve amounts below %.2g of the loss of a single leaf", off)
	}
	if f.Bound = min(f.Bound, f.Objective); f.Status == mio.Optimal {
		f.Bound = f.Objective // they differ by rounding
	}
	return f, nil
}

// planted is a tree of the search as one of the data.
func planted(d *Data, n *regression.Node) *tree.Tree {
	t := tree.NewLeaf(d.Dataset, 0)
	var grow func(at int, n *regression.Node)
	grow = func(at int, n *regression.Node) {
		if n.Left == nil {
			return
		}
		l, r := t.Grow(at, tree.Univariate(n.Feature, n.Threshold), 0, 0)
		grow(l, n.Left)
		grow(r, n.Right)
	}
	grow(0, n)
	t.Annotate(d.Dataset)
	return t
}

// grow is the engine heuristic: the best split at each node, as in CART.
func (m *ORT) grow(ctx context.Context, d *Data) (*Grown, error) {
	t := planted(d, regression.Greedy(ctx, m.problem(d)))
	return &Grown{Name: "cart", Tree: t, Limit: mio.LimitOf(ctx), Outcome: new(Outcome), Objective: m.value(d)}, nil
}
