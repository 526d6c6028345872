package oct

import (
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// heapTree is a univariate tree laid over the full tree of depth D in heap order: branch nodes
// 1..2^D-1, leaves 2^D..2^(D+1)-1. A branch node without a split sends every row right. Entry 0 of
// the slices is unused.
type heapTree struct {
	depth     int
	feature   []int   // (2^D) split feature, -1 for none
	threshold []int   // (2^D) rank of the threshold: rows below it go left
	label     []int32 // (2^(D+1)) class of leaf t; -1 if the leaf is unused
}

func newHeapTree(depth int) *heapTree {
	h := &heapTree{depth: depth, feature: make([]int, 1<<depth), threshold: make([]int, 1<<depth), label: make([]int32, 2<<depth)}
	for t := range h.feature {
		h.feature[t] = -1
	}
	for t := range h.label {
		h.label[t] = -1
	}
	return h
}

func (h *heapTree) leaves() int { return 1 << h.depth }

// goesLeft reports whether a row with the given ranks goes left at branch node t.
func (h *heapTree) goesLeft(t int, ranks []int32) bool {
	j := h.feature[t]
	return j >= 0 && int(ranks[j]) < h.threshold[t]
}

// find returns the node with index at least from (a power of two: the first node of a level) that a
// row with the given ranks reaches.
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

// toTree converts h to a tree in the data's units.
func (h *heapTree) toTree(g *grid.Grid) *tree.Tree {
	t := g.Bare()
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
		s := tree.Univariate(j, g.Threshold(j, h.threshold[at]))
		l := add(2 * at)
		r := add(2*at + 1)
		t.Nodes[id].Split, t.Nodes[id].Left, t.Nodes[id].Right = s, l, r
		return id
	}
	add(1)
	return t
}

// frame is shared by the levels of the threshold encoding. It holds the full tree of depth D in
// heap order, with the branch nodes 1..2M-1, the last M of them on the last level, and the leaves
// 2M..4M-1. It also holds the units routed through the tree, and the variables d_t, which are 1 if
// branch node t splits.
type frame struct {
	g     *grid.Grid
	depth int
	alpha float64     // cost of d_t
	units grid.Groups // routed units: points, or single rows
	d     mio.Col     // the first of the block
}

// last returns M: the number of last-level nodes, and the first of them.
func (f *frame) last() int { return 1 << (f.depth - 1) }

// leaves returns 2M.
func (f *frame) leaves() int { return 1 << f.depth }

func (f *frame) colD(t int) mio.Col { return f.d + mio.Col(t-1) }

func (f *frame) addD(b *mio.Builder) {
	f.d = mio.Col(b.NumCols())
	for t := 1; t < f.leaves(); t++ {
		b.AddCol(f.alpha, 0, 1, mio.Continuous, "d", t)
	}
}

// ranks returns the ranks of the rows of unit u.
func (f *frame) ranks(u int) []int32 { return f.g.Ranks(f.units.First(u)) }

// under returns the nodes lo..hi-1 of a level below node m, where first is the first node of the
// level.
func under(m, first int) (lo, hi int) {
	lo, hi = m, m+1
	for lo < first {
		lo, hi = 2*lo, 2*hi
	}
	return lo, hi
}
