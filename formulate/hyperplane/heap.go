package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
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
}

// frame is what the encodings share: the data, the full tree of depth D in heap order
// and the limits on it.
type frame struct {
	*Data
	depth, maxSplits int
	alpha            float64
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
