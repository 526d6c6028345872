package oct

import (
	"cmp"
	"slices"

	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/tree"
)

// reoptimise replaces the last-level splits and the labels of h by best ones
// given the routing of the upper levels: each node's best split where its gain
// in error weight, divided by Lhat, exceeds alpha; where max_splits leaves room
// for fewer, those of largest gain. A node below an unsplit parent stays
// unsplit, as d_t <= d_p(t) asks.
func reoptimise(g *grid.Grid, h *heapTree, alpha float64, maxSplits int) {
	first := h.leaves() / 2
	at := make([]int32, g.N)
	for i := range g.N {
		at[i] = int32(h.find(g.Ranks(i), first) - first)
	}
	best := make([]refit, first)
	search := newScan(g)
	for q := range first {
		best[q] = search.best(at, int32(q))
		if t := first + q; t > 1 && h.feature[t/2] < 0 {
			best[q].gain = 0
		}
	}
	order := make([]int, first)
	for q := range order {
		order[q] = q
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(best[b].gain, best[a].gain) })
	room := first
	if maxSplits > 0 {
		room = maxSplits - h.splits(first)
	}
	for k, q := range order {
		t, s := first+q, best[q]
		if k < room && s.gain > 0 && s.gain/g.Lhat > alpha {
			h.feature[t], h.threshold[t] = s.feature, s.threshold
			h.label[2*t], h.label[2*t+1] = s.left, s.right
		} else {
			h.feature[t] = -1
			h.label[2*t], h.label[2*t+1] = -1, s.leaf
		}
	}
}

// refit is the best split of a set of rows with two labelled leaves.
type refit struct {
	gain        float64 // error weight of the leaf less that of the split; 0 for no split
	feature     int
	threshold   int
	left, right int32
	leaf        int32 // best label without a split
}

// scan finds refits; it keeps its memory between calls.
type scan struct {
	g     *grid.Grid
	sweep *tree.Sweeper
	rows  tree.Subset
	total []float64
}

func newScan(g *grid.Grid) *scan {
	return &scan{g: g, sweep: tree.NewSweeper(g.Pre, tree.Misclassification, 0), total: make([]float64, g.K)}
}

// best returns the refit of the rows i with at[i] == id.
func (s *scan) best(at []int32, id int32) refit {
	s.g.Pre.All().Filter(&s.rows, at, id)
	s.sweep.ClassWeights(s.total, s.rows)
	leaf := argmax(s.total)
	b := refit{feature: -1, leaf: int32(leaf)}
	split, ok := s.sweep.Best(s.rows)
	if !ok {
		return b
	}
	l, r := s.sweep.Labels(s.rows, split)
	weight := 0.0
	for _, w := range s.total {
		weight += w
	}
	gain := weight - s.total[leaf] - split.Loss
	if l == r || gain <= 1e-12*weight { // rounding is no gain
		return b
	}
	b.gain, b.feature, b.threshold = gain, split.Feature, s.g.ThresholdRank(split.Feature, split.Threshold)
	b.left, b.right = int32(l), int32(r)
	return b
}

func argmax(v []float64) int {
	b := 0
	for i := range v {
		if v[i] > v[b] {
			b = i
		}
	}
	return b
}
