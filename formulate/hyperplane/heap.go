package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// encoding is one way to write OCT-H as a program.
type encoding interface {
	build(b *mio.Builder)
	size() formulate.Size
	start(h *heapTree) []float64
	// decode reads a point; what the path of a row is, only when asked.
	decode(values []float64) (*solution, error)
}

// heapTree is a tree of hyperplanes over the full tree in heap order, with the rows in
// its leaves.
type heapTree struct {
	planes []*plane // (T) nil where a branch node does not split
	label  []int32  // (2T) of the leaves
	at     []int    // (n) leaf of each merged row; with margin right 0 for rows that are not right
}

// solution is what a point says of a tree.
type solution struct {
	planes []*plane                 // (T) nil where a branch node does not split
	label  []int32                  // (2T) of the leaves; -1 where the point has none
	rows   []int                    // those that have a leaf
	holds  func(row, leaf int) bool // whether the leaf is that of the row

	labelled bool // every leaf with rows has a label: the commonest class is none
}

// fixed are the splits that stay, over the full tree in heap order: at node t a split of
// some of the features, which sends given rows each way. Its weights and threshold are the
// program's, which has them keep the margin.
type fixed struct {
	features [][]bool // (T, active features) that the split at a branch node may use; nil where none stays
	levels   int      // of splits that stay
	at       []int    // (n) the node below them that a merged row reaches
}

// frame is what the encodings share: the data, the full tree of depth D in heap order
// and the limits on it.
type frame struct {
	*Data
	depth, maxSplits int
	alpha            float64
	stays            *fixed // splits that stay; nil for none
}

// levelsFixed is the number of levels with splits that stay.
func (f *frame) levelsFixed() int {
	if f.stays == nil {
		return 0
	}
	return f.stays.levels
}

// branches is the number of branch nodes, leaves that of leaves, last the first node
// of the last level.
func (f *frame) branches() int { return 1<<f.depth - 1 }
func (f *frame) leaves() int   { return 1 << f.depth }
func (f *frame) last() int     { return 1 << (f.depth - 1) }

// all are all merged rows.
func (f *frame) all() []int {
	rows := make([]int, f.g.N)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// newHeap is a heap without splits and rows.
func (f *frame) newHeap() *heapTree {
	return &heapTree{planes: make([]*plane, f.leaves()), label: make([]int32, 2*f.leaves()), at: make([]int, f.g.N)}
}

// setLeaf lays leaf i of c at node n, reached by the given rows, as the rightmost leaf
// below.
func (f *frame) setLeaf(h *heapTree, c *tree.Tree, i, n int, rows []int) {
	for n < f.leaves() {
		n = 2*n + 1
	}
	h.label[n] = int32(c.Nodes[i].Class)
	for _, r := range rows {
		h.at[r] = n
	}
}

// tooDeep refuses split i of a tree at heap node n, if that is a leaf.
func (f *frame) tooDeep(i, n int) error {
	if n < f.leaves() {
		return nil
	}
	return point.NoStart(i, "the split is at depth %d, at most %d levels are allowed", f.depth+1, f.depth)
}
