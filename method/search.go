package method

import (
	"context"
	"runtime"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/treesearch"
)

// searchTrees searches all univariate trees of a shape, or those with the upper splits of
// fixed, nil for none.
func searchTrees(ctx context.Context, d *Data, s Shape, c Cache, fixed *tree.Tree, o SearchOptions) (*Found, error) {
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	opts := treesearch.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: l.Unit.LeastLeaf(s.MinLeaf), MaxSplits: s.MaxSplits, Presort: l.Presort,
		Workers: o.Workers, WorkLimit: o.Work, CacheMemory: c.Memory(), Progress: o.Progress, CART: d.GrowCART, Fixed: fixed,
	}
	if opts.Workers == 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	start := "cart" // which the search asks for itself
	if o.Start != nil {
		start, opts.Start = o.Start.Name, o.Start.Tree
	}
	res, err := treesearch.Solve(ctx, l.Rows, opts)
	if err != nil {
		return nil, err
	}
	raw := ""
	if res.Status != mio.Optimal && res.Limit == mio.NoLimit {
		raw = "the weights or alpha lie too far apart for sums to hold the least of them"
	}
	return &Found{
		Name: "treesearch", Raw: raw, Tree: l.InSource(res.Tree), Status: res.Status, Limit: res.Limit,
		Objective: res.Objective, Bound: res.Bound, Nodes: res.Stats.Nodes + res.Stats.Pairs + res.Stats.Stumps, Work: res.Stats.Work,
		Seconds: res.Runtime.Seconds(), Stats: &res.Stats, Start: start, StartObjective: res.Start,
	}, nil
}
