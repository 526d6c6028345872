package problem

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/search/regression"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Trees that predict numbers: what the searches and heuristics of package regression are given, and make.

// lossTolerance is what values of the search and of its tree may differ by, as parts of the loss of a single leaf.
const lossTolerance = 1e-9

// numbersValue is lossValue with the prices of the columns used.
func numbersValue(d *Data, alpha float64, on *constraint.On) func(*tree.Tree) float64 {
	price, value := columnPrices(on), lossValue(d, alpha)
	return func(t *tree.Tree) float64 { return value(t) + price(t) }
}

// ofNumbers is the problem of package regression on d: of trees of a shape, under constraints, nil for none.
func ofNumbers(d *Data, s Shape, on *constraint.On) regression.Problem {
	q := regression.Problem{
		X: d.X, P: d.P(), Y: d.Target, W: d.Weight, Quantile: d.Quantile,
		Depth: s.Greatest(), MaxSplits: s.MaxSplits, Penalty: s.Alpha, MinLeaf: s.MinLeaf,
	}
	if on == nil {
		return q
	}
	q.Forbidden, q.Monotone, q.Columns, q.MaxColumns, q.ColumnCost = on.Forbidden, on.Monotone, on.Columns.Of, on.MaxFeatures, on.FeatureCost
	if on.Fixed != nil && on.Fixed.Splits() > 0 {
		q.Fixed = uprooted(on.Fixed, 0)
	}
	return q
}

// uprooted is node i of a tree of the data as one of the search.
func uprooted(t *tree.Tree, i int) *regression.Node {
	n := &t.Nodes[i]
	if n.Leaf() {
		return &regression.Node{}
	}
	return &regression.Node{Feature: n.Split.Terms[0].Feature, Threshold: n.Split.Threshold, Left: uprooted(t, n.Left), Right: uprooted(t, n.Right)}
}

// planted is a tree of the search as one of the data, with fixed splits as they were given; nil for nil.
func planted(d *Data, n *regression.Node, on *constraint.On) *tree.Tree {
	if n == nil {
		return nil
	}
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
	if on != nil {
		t = on.Kept(t)
	}
	t.Annotate(d.Dataset)
	return t
}

// searchNumbers is the exact search for trees that predict numbers.
func searchNumbers(ctx context.Context, d *Data, s Shape, on *constraint.On, o SearchOptions) (*Found, error) {
	if err := d.SingleLeaf(); err != nil {
		return nil, err
	}
	began := time.Now()
	q := ofNumbers(d, s, on)
	q.WorkLimit = o.Work
	if o.Progress != nil {
		q.Progress = func(value, bound float64, nodes int64) {
			o.Progress(exact.Progress{Objective: value, Bound: bound, Seconds: time.Since(began).Seconds(), Stats: exact.Stats{Nodes: nodes}})
		}
	}
	if o.Start != nil && o.Start.Tree != nil && univariateTree(o.Start.Tree) {
		q.Begin = uprooted(o.Start.Tree.Collapse(d.Dataset), 0)
	}
	res := regression.Solve(ctx, q)
	f := &Found{
		Name: "ort search", Status: res.Status, Limit: res.Limit, Objective: math.Inf(1), Bound: res.Bound,
		Nodes: res.Stats.Nodes + res.Stats.Kernels, Work: res.Stats.Work, Seconds: time.Since(began).Seconds(), Start: "cart", StartObjective: res.Start,
	}
	if q.Begin != nil {
		f.Start = o.Start.Name
	}
	if f.Tree = planted(d, res.Tree, on); f.Tree == nil {
		return f, nil
	}
	f.Objective = numbersValue(d, s.Alpha, on)(f.Tree)
	if off := math.Abs(res.Value - f.Objective); off > lossTolerance {
		f.Status, f.Bound = mio.Feasible, min(res.Bound, f.Objective)-off
		f.Unproved = fmt.Sprintf("sums of these numbers cannot resolve amounts below %.2g of the loss of a single leaf", off)
	}
	if f.Bound = min(f.Bound, f.Objective); f.Status == mio.Optimal {
		f.Bound = f.Objective // they differ by rounding
	}
	return f, nil
}

// greedyNumbers is CART for numbers, as a method or a start: without constraints grown in full, then cut back to the best subtree.
func greedyNumbers(ctx context.Context, d *Data, s Shape, t Task) (*Grown, error) {
	on, grown := t.keep(), s
	if on == nil && s.Depth != NoDepth {
		grown.Alpha, grown.MaxSplits = 0, 0
	}
	g, err := grownNumbers(ctx, d, "cart", planted(d, regression.Greedy(ctx, ofNumbers(d, grown, on)), on))
	if err != nil || on != nil || s.Depth == NoDepth {
		return g, err
	}
	return bestSubtree(ctx, d, s, "cart", g.Tree, g.Tree.Splits(), g.Limit != mio.NoLimit), nil
}

// improvedNumbers goes on from CART's tree, or another, by local search.
func improvedNumbers(ctx context.Context, d *Data, s Shape, restarts int, t Task) (*Grown, error) {
	on := t.keep()
	o := regression.Moves{Restarts: restarts, Seed: t.Seed}
	if t.Begin != nil && univariateTree(t.Begin.Tree) {
		o.Begin = uprooted(t.Begin.Tree.Collapse(d.Dataset), 0)
	}
	return grownNumbers(ctx, d, "local-search", planted(d, regression.Improve(ctx, ofNumbers(d, s, on), o), on))
}

// grownNumbers is a tree that a heuristic made, or none.
func grownNumbers(ctx context.Context, d *Data, name string, t *tree.Tree) (*Grown, error) {
	switch {
	case t != nil:
		return &Grown{Name: name, Tree: t, Limit: mio.LimitOf(ctx), Outcome: new(Outcome)}, nil
	case d.SingleLeaf() != nil:
		return nil, d.SingleLeaf()
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%s: %w: it found no tree that keeps the splits that stay", name, formulate.ErrNoStart)
}

// keep are the constraints of the problem that the tree is to start, nil for none.
func (t *Task) keep() *constraint.On {
	if t.For == nil {
		return nil
	}
	return t.For.Keep
}

// ofClasses refuses an option in use that is of classes, for data of numbers.
func ofClasses(d *Data, options map[string]bool) error {
	if d.Kind() != dataset.Numbers {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if options[name] {
			return wrong(name, "is for classes, and the target has numbers")
		}
	}
	return nil
}
