package oct

import (
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
)

// frame is what the levels of the threshold encoding share: the full tree of depth
// D in heap order, with the branch nodes 1..2M-1, the last M of them on the last
// level, and the leaves 2M..4M-1; what is routed through it; and the columns d_t,
// which say whether branch node t splits.
type frame struct {
	g     *grid.Grid
	depth int
	alpha float64     // cost of d_t
	units grid.Groups // what is routed: points, or rows one by one
	d     mio.Col     // the first of the block
}

// last is M: the number of last-level nodes, and the first of them.
func (f *frame) last() int { return 1 << (f.depth - 1) }

// leaves is 2M.
func (f *frame) leaves() int { return 1 << f.depth }

func (f *frame) colD(t int) mio.Col { return f.d + mio.Col(t-1) }

func (f *frame) addD(b *mio.Builder) {
	f.d = mio.Col(b.NumCols())
	for t := 1; t < f.leaves(); t++ {
		b.AddCol(f.alpha, 0, 1, mio.Continuous, "d", t)
	}
}

// ranks are the ranks of the rows of unit u.
func (f *frame) ranks(u int) []int32 { return f.g.Ranks(f.units.First(u)) }

// under returns the nodes lo..hi-1 of a level below node m, first being the first
// node of the level.
func under(m, first int) (lo, hi int) {
	lo, hi = m, m+1
	for lo < first {
		lo, hi = 2*lo, 2*hi
	}
	return lo, hi
}
