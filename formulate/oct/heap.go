package oct

import (
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// heapTree is a univariate tree laid over the full tree of depth D in heap
// order: branch nodes 1..2^D-1, leaves 2^D..2^(D+1)-1. A branch node without a
// split sends every row right. Entry 0 of the slices is unused.
type heapTree struct {
	depth   int
	feature []int   // (2^D) split feature, -1 for none
	cut     []int   // (2^D) ranks below it go left
	label   []int32 // (2^(D+1)) class of leaf t; -1 where the leaf is not in use
}

func newHeapTree(depth int) *heapTree {
	h := &heapTree{depth: depth, feature: make([]int, 1<<depth), cut: make([]int, 1<<depth), label: make([]int32, 2<<depth)}
	for t := range h.feature {
		h.feature[t] = -1
	}
	for t := range h.label {
		h.label[t] = -1
	}
	return h
}

func (h *heapTree) leaves() int { return 1 << h.depth }

// goesLeft says whether a row of the given ranks goes left at branch node t.
func (h *heapTree) goesLeft(t int, ranks []int32) bool {
	j := h.feature[t]
	return j >= 0 && int(ranks[j]) < h.cut[t]
}

// find returns the node with index at least from (a power of two: the first
// node of a level) that a row of the given ranks reaches.
func (h *heapTree) find(ranks []int32, from int) int {
	t := 1
	for t < from {
		t *= 2
		if !h.goesLeft(t/2, ranks) {
			t++
		}
	}
	return t
}

// splits counts the branch nodes below index end that split.
func (h *heapTree) splits(end int) int {
	n := 0
	for t := 1; t < end; t++ {
		if h.feature[t] >= 0 {
			n++
		}
	}
	return n
}

// rightmost returns the leaf reached from node t by going right only.
func (h *heapTree) rightmost(t int) int {
	for t < h.leaves() {
		t = 2*t + 1
	}
	return t
}

// norm lays t over the full tree as the Formulation comment describes, or says which
// node of t is outside the model.
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
	if f.opts.Encoding == formulate.Threshold && (f.reoptimises() || !f.opts.Tighten.NoSiblingLabels) {
		c = c.MergeLeaves(0)
	}
	c.Annotate(f.g.DS)
	if n := c.Splits(); f.opts.MaxSplits > 0 && n > f.opts.MaxSplits {
		return nil, point.NoStart(0, "the tree has %d splits, at most %d are allowed", n, f.opts.MaxSplits)
	}
	h := newHeapTree(f.opts.Depth)
	if err := f.place(h, c, 0, 1); err != nil {
		return nil, err
	}
	if f.reoptimises() {
		f.reoptimise(h)
	}
	return h, nil
}

// place lays the subtree of c at node i over the heap at node t.
func (f *Formulation) place(h *heapTree, c *tree.Tree, i, t int) error {
	n := &c.Nodes[i]
	if n.Leaf() {
		if w := sumOf(n.Weight); !tree.EnoughWeight(w, f.g.MinLeaf) {
			return point.NoStart(i, "the leaf has weight %v, at least %v is required", w*f.g.Unit.Size, f.opts.MinLeaf)
		}
		h.label[h.rightmost(t)] = int32(n.Class)
		return nil
	}
	if t >= h.leaves() {
		return point.NoStart(i, "the split is at depth %d, at most %d levels are allowed", h.depth+1, h.depth)
	}
	j := n.Split.Terms[0].Feature
	h.feature[t], h.cut[t] = j, f.g.CutOf(j, n.Split.Threshold)
	if err := f.place(h, c, n.Left, 2*t); err != nil {
		return err
	}
	return f.place(h, c, n.Right, 2*t+1)
}

func sumOf(w []float64) float64 {
	s := 0.0
	for _, v := range w {
		s += v
	}
	return s
}

// toTree turns h into a tree in the data's units.
func (f *Formulation) toTree(h *heapTree) *tree.Tree {
	t := *f.tmpl
	var add func(at int) int
	add = func(at int) int {
		id := len(t.Nodes)
		t.Nodes = append(t.Nodes, tree.Node{})
		for at < h.leaves() && h.feature[at] < 0 {
			at = 2*at + 1
		}
		if at >= h.leaves() {
			t.Nodes[id].Class = int(max(h.label[at], 0))
			return id
		}
		j := h.feature[at]
		s := tree.Univariate(j, f.g.Threshold(j, h.cut[at]))
		l := add(2 * at)
		r := add(2*at + 1)
		t.Nodes[id].Split, t.Nodes[id].Left, t.Nodes[id].Right = s, l, r
		return id
	}
	add(1)
	return &t
}

// reoptimises says whether the last level is re-optimised in norm and Decode:
// in the threshold encoding where no leaf can be too light.
func (f *Formulation) reoptimises() bool {
	return f.opts.Encoding == formulate.Threshold && f.g.FreeLeaves()
}

// reoptimise replaces the last-level splits and the labels of h by best ones
// given the routing of the upper levels: each node's best split where its gain
// in error weight, divided by Lhat, exceeds alpha; where max_splits leaves room
// for fewer, those of largest gain. A node below an unsplit parent stays
// unsplit, as d_t <= d_p(t) asks.
func (f *Formulation) reoptimise(h *heapTree) {
	g, first := f.g, h.leaves()/2
	at := make([]int32, g.N)
	for i := range g.N {
		at[i] = int32(h.find(g.Ranks(i), first) - first)
	}
	best := make([]stump, first)
	scan := newStumpScan(g)
	for q := range first {
		best[q] = scan.best(at, int32(q))
		if t := first + q; t > 1 && h.feature[t/2] < 0 {
			best[q].gain = 0
		}
	}
	order := make([]int, first)
	for q := range order {
		order[q] = q
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case best[a].gain > best[b].gain:
			return -1
		case best[a].gain < best[b].gain:
			return 1
		}
		return 0
	})
	room := first
	if f.opts.MaxSplits > 0 {
		room = f.opts.MaxSplits - h.splits(first)
	}
	for k, q := range order {
		t, s := first+q, best[q]
		if k < room && s.gain > 0 && s.gain/g.Lhat > f.opts.Alpha {
			h.feature[t], h.cut[t] = s.feature, s.cut
			h.label[2*t], h.label[2*t+1] = s.left, s.right
		} else {
			h.feature[t] = -1
			h.label[2*t], h.label[2*t+1] = -1, s.leaf
		}
	}
}

// stump is the best split of a set of rows with two labelled leaves.
type stump struct {
	gain        float64 // error weight of the leaf less that of the split; 0 for no split
	feature     int
	cut         int
	left, right int32
	leaf        int32 // best label without a split
}

// stumpScan finds best stumps; it keeps its memory between calls.
type stumpScan struct {
	g     *grid.Grid
	sweep *tree.Sweeper
	rows  tree.Subset
	total []float64
}

func newStumpScan(g *grid.Grid) *stumpScan {
	return &stumpScan{g: g, sweep: tree.NewSweeper(g.Pre, tree.Misclassification, 0), total: make([]float64, g.K)}
}

// best returns the stump of the rows i with at[i] == id.
func (s *stumpScan) best(at []int32, id int32) stump {
	s.g.Pre.All().Filter(&s.rows, at, id)
	s.sweep.ClassWeights(s.total, s.rows)
	leaf := argmax(s.total)
	b := stump{feature: -1, leaf: int32(leaf)}
	split, ok := s.sweep.Best(s.rows)
	if !ok {
		return b
	}
	l, r := s.sweep.Labels(s.rows, split)
	weight := sumOf(s.total)
	gain := weight - s.total[leaf] - split.Loss
	if l == r || gain <= 1e-12*weight { // rounding is no gain
		return b
	}
	b.gain, b.feature, b.cut = gain, split.Feature, s.g.CutOf(split.Feature, split.Threshold)
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

// recentre moves every threshold of t to the midpoint between the values that
// the training rows at its node have on the two sides. Training rows are
// predicted as before. t has no vacuous splits.
func (f *Formulation) recentre(t *tree.Tree) {
	below := make([]float64, len(t.Nodes))
	above := make([]float64, len(t.Nodes))
	for i := range t.Nodes {
		below[i], above[i] = math.Inf(-1), math.Inf(1)
	}
	for i := range f.g.N {
		x := f.g.DS.Row(i)
		for at := 0; t.Nodes[at].Split != nil; {
			n := &t.Nodes[at]
			if v := x[n.Split.Terms[0].Feature]; v < n.Split.Threshold {
				below[at], at = max(below[at], v), n.Left
			} else {
				above[at], at = min(above[at], v), n.Right
			}
		}
	}
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			s.Threshold = tree.Midpoint(below[i], above[i])
		}
	}
}
