package problem

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/search/sparse"
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
	if s.Depth == NoDepth {
		return searchAnyDepth(ctx, d, s, c, o)
	}
	return searchDepth(ctx, d, s, c, fixed, o)
}

// searchDepth searches the trees of a depth.
func searchDepth(ctx context.Context, d *Data, s Shape, c Cache, fixed *tree.Tree, o SearchOptions) (*Found, error) {
	opts := exact.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits,
		Workers: searchWorkers(o.Workers), WorkLimit: o.Work, CacheMemory: c.Memory(), Progress: o.Progress, CART: d.GrowCART, Fixed: fixed, Seed: o.Seed,
	}
	warnOfMemory(d.Dataset, &opts, o.Warn)
	rows, inSource := d.Dataset, func(t *tree.Tree) *tree.Tree { return t }
	// in sums of merged rows large costs hide what answers differ by
	if d.Kind() == dataset.Errors && !d.TooFarApart() && !exact.Large(d.Dataset, &opts) {
		l, err := d.Training(ctx)
		if err != nil {
			return nil, err
		}
		rows, opts.MinLeaf, opts.Presort, inSource = l.Rows, l.Unit.LeastLeaf(s.MinLeaf), l.Presort, l.InSource
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
		Name: "treesearch", Raw: res.Blurred, Unproved: res.Blurred, Tree: inSource(res.Tree), Status: res.Status, Limit: res.Limit,
		Objective: res.Objective, Bound: res.Bound, Nodes: res.Stats.Nodes + res.Stats.Pairs + res.Stats.Stumps, Work: res.Stats.Work,
		Seconds: res.Runtime.Seconds(), Stats: &res.Stats, Start: start, StartObjective: res.Start,
	}, nil
}

// warnOfMemory says if a search needs more memory than is free.
func warnOfMemory(ds *dataset.Dataset, o *exact.Options, warn func(string)) {
	const mostPerCell = 400 // bytes, of any search
	free := exact.FreeMemory()
	if warn == nil || free == 0 || int64(ds.N())*int64(ds.P())*mostPerCell < free {
		return
	}
	if need := exact.Memory(ds, o); need > free {
		warn(fmt.Sprintf("the search needs about %.1f GB of memory, and %.1f GB are free", float64(need)/1e9, float64(free)/1e9))
	}
}

// searchAnyDepth searches all univariate trees with a price per split or a limit on their splits.
// With both, the tree without the limit is optimal if it keeps the limit. Else trees of at most C
// splits have at most C levels, so that the search of a depth finds the best one.
func searchAnyDepth(ctx context.Context, d *Data, s Shape, c Cache, o SearchOptions) (*Found, error) {
	if s.Alpha == 0 {
		return searchSplits(ctx, d, s, c, o, 0)
	}
	within, done := ctx, func() {}
	opts := sparse.Options{Alpha: s.Alpha, MinLeaf: s.MinLeaf, WorkLimit: o.Work, Memory: max(0, c.Memory())}
	if s.MaxSplits > 0 {
		opts.WorkLimit /= 2
		if deadline, ok := ctx.Deadline(); ok {
			within, done = context.WithDeadline(ctx, time.Now().Add(time.Until(deadline)/2))
		}
	}
	defer done()
	start := "greedy"
	if o.Start != nil {
		start, opts.Start = o.Start.Name, o.Start.Tree
	}
	if o.Progress != nil {
		opts.Progress = func(p sparse.Progress) {
			o.Progress(exact.Progress{Objective: p.Objective, Bound: p.Bound, Seconds: p.Seconds, Stats: *statsOf(&p.Stats)})
		}
	}
	res, err := sparse.Solve(within, d.Dataset, opts)
	if err != nil {
		return nil, err
	}
	if splits := mostSplits(d, s, res.Objective); res.Blurred != "" && splits <= exact.MaxDepth {
		s.Depth = Depth(max(1, splits)) // weights too far apart for this search are not for that of a depth
		o.Start = &Grown{Name: start, Tree: res.Tree}
		return searchDepth(ctx, d, s, c, nil, o)
	}
	if s.MaxSplits > 0 && res.Tree.Splits() > s.MaxSplits {
		return searchSplits(ctx, d, s, c, o, res.Bound)
	}
	return &Found{
		Name: "treesearch", Raw: res.Blurred, Unproved: res.Blurred, Tree: res.Tree, Status: res.Status, Limit: res.Limit,
		Objective: res.Objective, Bound: res.Bound, Nodes: res.Stats.Nodes, Work: res.Stats.Work,
		Seconds: res.Runtime.Seconds(), Stats: statsOf(&res.Stats), Start: start, StartObjective: res.Start,
	}, nil
}

// mostSplits is a limit on the splits of a tree with at most this objective: the price pays for no more,
// and each leaf has a point.
func mostSplits(d *Data, s Shape, objective float64) int {
	_, points := d.Points()
	splits := len(points) - 1
	if s.MaxSplits > 0 {
		splits = min(splits, s.MaxSplits)
	}
	return int(min(float64(splits), objective/s.Alpha*(1+1e-9)))
}

// statsOf are the counters of a search of any depth.
func statsOf(s *sparse.Stats) *exact.Stats {
	return &exact.Stats{Nodes: s.Nodes, Cuts: s.Cuts, Work: s.Work, CacheHits: s.Hits, CacheSize: s.Sets}
}

// searchSplits searches the trees of at most s.MaxSplits splits, whose value is at least bound.
func searchSplits(ctx context.Context, d *Data, s Shape, c Cache, o SearchOptions, bound float64) (*Found, error) {
	s.Depth = Depth(min(s.MaxSplits, exact.MaxDepth))
	f, err := searchDepth(ctx, d, s, c, nil, o)
	if err != nil || s.MaxSplits <= exact.MaxDepth {
		if err == nil {
			f.Bound = max(f.Bound, min(bound, f.Objective))
		}
		return f, err
	}
	if f.Bound = min(bound, f.Objective); f.Status == mio.Optimal && f.Bound < f.Objective {
		f.Status = mio.Feasible
		f.Unproved = fmt.Sprintf("the tree is optimal among those of depth %d; trees of %d splits may be deeper", exact.MaxDepth, s.MaxSplits)
		f.Raw = f.Unproved
	}
	return f, nil
}
