package oct

import (
	"cmp"
	"context"
	"slices"

	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Start returns the point of the model for norm(t).
func (f *Formulation) Start(_ context.Context, t *tree.Tree) ([]float64, error) {
	h, err := f.norm(t)
	if err != nil {
		return nil, err
	}
	return f.enc.start(h), nil
}

// Decode returns the tree of a feasible point of the model. Splits with an empty side collapse.
func (f *Formulation) Decode(values []float64) (*tree.Tree, error) {
	if err := point.Length(values, f.model.NumCols()); err != nil {
		return nil, err
	}
	h, err := f.enc.decode(values)
	if err != nil {
		return nil, err
	}
	if f.enc.norm().reoptimises {
		reoptimise(f.g, h, f.opts.Alpha, f.opts.MaxSplits)
	}
	t := h.toTree(f.g).Collapse(f.g.DS).Recentred(f.g.DS)
	t = f.on.Kept(t)
	t.Annotate(f.g.Src) // in the data's weight
	return t, nil
}

// Violated returns constraints that all points of the model satisfy and these values violate by
// more than tolerance; nil for encodings without lazy constraints. See [formulate.Separated].
func (f *Formulation) Violated(values []float64, tolerance float64) []mio.Linear {
	enc := f.enc
	if c, ok := enc.(*constrained); ok {
		enc = c.encoding
	}
	if e, ok := enc.(*cut); ok {
		return e.violated(values, tolerance)
	}
	return nil
}

// norm lays t over the full tree as described at Formulation, or returns an error for the node of t
// that is outside the model.
func (f *Formulation) norm(t *tree.Tree) (*heapTree, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil && !s.IsUnivariate() {
			return nil, point.NoStart(i, "its split is not univariate")
		}
	}
	c := t.Collapse(f.g.DS)
	norm := f.enc.norm()
	if norm.relabels {
		c.Relabel(f.g.DS)
	}
	if norm.merges {
		c = c.MergeLeaves(0)
	}
	c.Annotate(f.g.DS)
	if err := f.checkConstraints(c); err != nil {
		return nil, err
	}
	if n := c.Splits(); f.opts.MaxSplits > 0 && n > f.opts.MaxSplits {
		return nil, point.NoStart(0, "the tree has %d splits, the maximum is %d", n, f.opts.MaxSplits)
	}
	h := newHeapTree(f.opts.Depth)
	if err := f.place(h, c, 0, 1); err != nil {
		return nil, err
	}
	if norm.reoptimises {
		reoptimise(f.g, h, f.opts.Alpha, f.opts.MaxSplits)
	}
	return h, nil
}

// place places the subtree of c at node i at heap node t.
func (f *Formulation) place(h *heapTree, c *tree.Tree, i, t int) error {
	n := &c.Nodes[i]
	if n.Leaf() {
		if err := f.g.CheckLeaf(i, n); err != nil {
			return err
		}
		h.label[h.rightmost(t)] = int32(n.Class)
		return nil
	}
	if t >= h.leaves() {
		return point.NoStart(i, "the split is at depth %d, the maximum is %d levels", h.depth+1, h.depth)
	}
	j := n.Split.Terms[0].Feature
	h.feature[t], h.threshold[t] = j, f.g.ThresholdRank(j, n.Split.Threshold)
	if err := f.place(h, c, n.Left, 2*t); err != nil {
		return err
	}
	return f.place(h, c, n.Right, 2*t+1)
}

// reoptimise replaces the last-level splits and the labels of h by optimal ones given the routing
// of the upper levels. Each node gets its best split if the gain in error weight, divided by Lhat,
// exceeds alpha. If max_splits allows fewer splits, the nodes with the largest gain get one. A node
// below an unsplit parent remains unsplit, as d_t <= d_p(t) requires.
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

// refit is the best split for a set of rows with two labelled leaves.
type refit struct {
	gain        float64 // error weight of the leaf minus that of the split; 0 for no split
	feature     int
	threshold   int
	left, right int32
	leaf        int32 // best label without a split
}

// scan finds refits; it reuses its memory between calls.
type scan struct {
	g     *grid.Grid
	sweep *tree.Sweeper
	rows  tree.Subset
	total []float64
}

func newScan(g *grid.Grid) *scan {
	return &scan{g: g, sweep: tree.NewSweeper(g.Pre, tree.Misclassification, 0), total: make([]float64, g.K)}
}

// best returns the refit for the rows i with at[i] == id.
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
	if l == r || gain <= 1e-12*weight { // rounding is not a gain
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
