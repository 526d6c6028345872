package oct

import (
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/tree"
)

// heapTree is a univariate tree laid over the full tree of depth D in heap
// order: branch nodes 1..2^D-1, leaves 2^D..2^(D+1)-1. A branch node without a
// split sends every row right. Entry 0 of the slices is unused.
type heapTree struct {
	depth     int
	feature   []int   // (2^D) split feature, -1 for none
	threshold []int   // (2^D) its rank: those below it go left
	label     []int32 // (2^(D+1)) class of leaf t; -1 where the leaf is not in use
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

// goesLeft says whether a row of the given ranks goes left at branch node t.
func (h *heapTree) goesLeft(t int, ranks []int32) bool {
	j := h.feature[t]
	return j >= 0 && int(ranks[j]) < h.threshold[t]
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

// toTree turns h into a tree in the data's units.
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
