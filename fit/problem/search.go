package problem

import (
	"cmp"
	"context"
	"runtime"

	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// mostWorkers is the number of tasks in a round of the exact search: more workers would
// have memory and no work.
const mostWorkers = 16

// searchWorkers returns the number of workers of an exact search for a number of threads,
// 0 for all processors. The result is the same for any number.
func searchWorkers(threads int) int {
	return min(cmp.Or(threads, runtime.GOMAXPROCS(0)), mostWorkers)
}

// searchTrees searches all univariate trees of a shape, or those with the upper splits of
// fixed, nil for none.
func searchTrees(ctx context.Context, d *Data, s Shape, c Cache, fixed *tree.Tree, o SearchOptions) (*Found, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	opts := exact.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: l.Unit.LeastLeaf(s.MinLeaf), MaxSplits: s.MaxSplits, Presort: l.Presort,
		Workers: searchWorkers(o.Workers), WorkLimit: o.Work, CacheMemory: c.Memory(), Progress: o.Progress, CART: d.GrowCART, Fixed: fixed,
	}
	rows := l.Rows
	if rows.Cost != nil { // in sums of merged rows large costs hide what answers differ by
		rows, opts.MinLeaf, opts.Presort = l.Source, s.MinLeaf, nil
	}
	start := "cart" // which the search asks for itself
	if o.Start != nil {
		start, opts.Start = o.Start.Name, o.Start.Tree
	}
	res, err := exact.Solve(ctx, rows, opts)
	if err != nil {
		return nil, err
	}
	return &Found{
		Name: "treesearch", Raw: res.Blurred, Unproved: res.Blurred, Tree: l.InSource(res.Tree), Status: res.Status, Limit: res.Limit,
		Objective: res.Objective, Bound: res.Bound, Nodes: res.Stats.Nodes + res.Stats.Pairs + res.Stats.Stumps, Work: res.Stats.Work,
		Seconds: res.Runtime.Seconds(), Stats: &res.Stats, Start: start, StartObjective: res.Start,
	}, nil
}
