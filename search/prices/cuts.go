package prices

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// rootCuts returns the cuts of the root below whose trees may be of interest.
func (f *frontier) rootCuts(root *part) (cuts []rootCut) {
	p := f.p
	if cuts, ok := f.listCuts(root, p.depth, f.below); ok {
		return cuts
	}
	f.cuts(root, func() float64 { return f.below }, func(feature int, rank int32) float64 {
		c := rootCut{feature: feature, rank: rank}
		if p.depth > 1 {
			c.l, c.r = f.sideCosts(root, p.depth, feature, rank, f.below)
		}
		v := c.l + c.r + p.price
		if v < f.below {
			cuts = append(cuts, c)
		}
		return v
	})
	return cuts
}

// listCuts lists the cuts of a part with trees of d levels below limit by the exact search. ok is false if the
// part is too small for that, or does not suit it. (The search drops features that order the rows alike, which
// signs may tell apart.)
func (f *frontier) listCuts(nd *part, d int, limit float64) (cuts []rootCut, ok bool) {
	p, s := f.p, f.s
	if d < 2 || p.signs != nil || nd.n*len(nd.order) < cmp.Or(s.o.leastCells, leastCells) || limit == math.Inf(1) {
		return nil, false
	}
	rows := make([]int, nd.n)
	for i, q := range nd.order[0] {
		rows[i] = int(q)
	}
	slices.Sort(rows)
	ds, least := f.partOf(rows)
	fixed := 0.0
	for _, v := range least {
		fixed += v
	}
	scale := tree.ErrorScale(ds)
	o := exact.Options{
		Depth: d, Alpha: min(p.price/scale, math.MaxFloat64), MinLeaf: p.minLeaf, Workers: s.o.Workers,
		Presort: p.pre.Part(rows, ds.Y, ds.Weight), Rough: true, WorkLimit: max(1, f.last-s.work), CacheMemory: -1,
	}
	if nd.n == p.n {
		o.MaxSplits, o.CacheMemory = p.splits, 0
	}
	if s.o.WorkLimit > 0 {
		o.WorkLimit = max(1, min(o.WorkLimit, s.o.WorkLimit-s.work))
	}
	found, work, ended, err := exact.Cuts(s.ctx, ds, o, limit-fixed+f.noise)
	s.work += work
	if err != nil || ended {
		f.stop()
		return nil, f.failed
	}
	for _, c := range found {
		left, ranks := 0.0, o.Presort.Ranks(c.Feature) // what every tree pays on the left side
		for i, v := range least {
			if ranks[i] <= c.Rank {
				left += v
			}
		}
		value := o.Presort.Values(c.Feature)[c.Rank]
		rank, _ := slices.BinarySearch(p.pre.Values(c.Feature), value)
		cuts = append(cuts, rootCut{c.Feature, int32(rank), c.Left + left - f.noise, c.Right + fixed - left - f.noise})
	}
	return cuts, true
}

// leastCells is the number of cells of a part from which on the exact search lists its cuts.
const leastCells = 1 << 12

// partOf returns some points with their priced costs less the minimum of each, and these minima.
func (f *frontier) partOf(rows []int) (ds *dataset.Dataset, minima []float64) {
	p := f.p
	ds = p.points.Subset(rows)
	ds.Cost, minima = make([]float64, len(rows)*p.k), make([]float64, len(rows))
	for i, q := range rows {
		ds.Weight[i] = p.mass[q]
		costs := f.priced[q*p.k : (q+1)*p.k]
		minima[i] = least(costs)
		for k, v := range costs {
			ds.Cost[i*p.k+k] = v - minima[i]
		}
	}
	return ds, minima
}
