package exact

import (
	"context"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/large"
	"github.com/octgen/octgen/tree"
)

// Large reports whether Solve leaves trees of ds to package large, which needs less time and memory for
// many rows with few distinct values. Such data need no Presort.
func Large(ds *dataset.Dataset, o *Options) bool {
	_, depth := o.budget()
	switch {
	case depth < 2 || depth > 3 || o.MaxSplits > 0 && o.MaxSplits < full(depth):
		return false
	case ds.Cost != nil || o.Fixed != nil || o.scalar || o.Rules != Rules{}:
		return false
	case !tree.EnoughWeight(minOf(ds.Weight), o.MinLeaf):
		return false
	}
	return large.Suits(ds, depth)
}

// solveLarge is solveInUnits for data that Large accepts; nil if their weights do not suit.
func solveLarge(ctx context.Context, ds *dataset.Dataset, unit dataset.Unit, o Options, begin time.Time) (*Result, error) {
	p := &problem{rows: ds, n: ds.N(), k: ds.K(), depth: o.Depth, weight: ds.Weight, total: unit.Total, integral: unit.Whole, baseline: tree.ErrorScale(ds)}
	if !unit.Whole {
		return nil, nil
	}
	d := large.New(ds)
	if d == nil {
		return nil, nil
	}
	p.lambda = min(o.Alpha*p.baseline, 2*p.total)
	p.setTolerance(o.Depth)
	start := o.Start
	if splits, _ := o.budget(); start == nil || !o.admits(start.Collapse(ds), ds, splits) {
		start = bestLeaf(ds).tree
	} else {
		start = start.Collapse(ds)
	}
	r := &Result{Start: start.Objective(ds, o.Alpha), Tree: start}
	value := p.value(start, ds)
	lo := large.Options{
		Depth: o.Depth, Lambda: p.lambda, Step: p.step, Tol: p.tol, Workers: o.Workers, WorkLimit: o.WorkLimit,
		Done: func() bool { return ctx.Err() != nil },
	}
	if o.Progress != nil {
		lo.Progress = func(v, bound float64, work int64) {
			v = min(v, value)
			o.Progress(Progress{Objective: p.objective(v), Bound: p.objective(min(v, bound)), Seconds: time.Since(begin).Seconds(), Stats: Stats{Work: work}})
		}
	}
	found := large.Solve(d, lo, value)
	err := r.improve(p, &value, found.Value, func() (*tree.Tree, error) { return treeOf(d, found.Splits, ds), nil })
	if err != nil {
		return nil, err
	}
	r.Stats.Work, r.Stats.Cuts, r.Stats.Pairs = found.Work, found.Cuts, found.Sets
	if found.Ended {
		if r.Limit = mio.LimitOf(ctx); r.Limit == mio.NoLimit {
			r.Limit = mio.LimitIterations
		}
	}
	if err := r.finish(p, ds, &o, answer{lb: p.whole(found.Bound)}, value); err != nil {
		return nil, err
	}
	r.Runtime = time.Since(begin)
	return r, nil
}

// treeOf builds a tree of its splits.
func treeOf(d *large.Data, splits []large.Split, ds *dataset.Dataset) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	nodes := map[int]int{1: 0}
	for _, s := range splits {
		low, high := d.Cut(s.Feature, s.Rank)
		nodes[2*s.At], nodes[2*s.At+1] = t.Grow(nodes[s.At], tree.Univariate(s.Feature, tree.Midpoint(low, high)), 0, 0)
	}
	t.Relabel(ds)
	return t
}
