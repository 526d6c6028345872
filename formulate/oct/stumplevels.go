package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
)

// countedStumps is a last level of stumps below others, whose rows are counted by
// e_it. Its bins are the last-level nodes.
type countedStumps struct {
	stumps
	e counts
}

func (s *countedStumps) columns(b *mio.Builder) {
	s.stumps.columns(b)
	s.e.add(b)
}

// rows: the rows of the stumps and, for all rows i, e_it <= 1 where the stump of t
// is right about i, else 0.
func (s *countedStumps) rows(b *mio.Builder) {
	for t := s.last(); t < s.leaves(); t++ {
		s.stumpRows(b, t)
		for i := range s.g.N {
			r := b.AddRow(-mio.Inf, 0, "counted", i+1, t)
			b.Add(r, s.e.col(i, t), 1)
			s.right(t, i, func(c mio.Col, v float64) { b.Add(r, c, -v) })
		}
	}
}

func (s *countedStumps) below(b *mio.Builder, r mio.Row, u, m int) { s.e.below(b, r, u, m) }

func (s *countedStumps) size() formulate.Size {
	n := int64(s.g.N)
	z := s.nodeSize()
	z.Add(formulate.Size{Cols: n, Rows: n, Nonzeros: 2*n + s.rightTerms() + int64(s.depth-1)*n}) // e, c; below
	return z.Times(s.last())
}

func (s *countedStumps) start(x []float64, h *heapTree) {
	s.stumps.start(x, h)
	for i, y := range s.g.Y {
		if leaf := h.find(s.g.Ranks(i), s.leaves()); h.label[leaf] == y {
			x[s.e.col(i, leaf/2)] = 1
		}
	}
}

func (s *countedStumps) file(f *fileSize) {
	n, nodes := int64(s.g.N), int64(s.last())
	row, node := digits(s.g.N), digits(s.leaves())
	f.choice += 4 // two labels
	f.columns(n*nodes, n*nodes*int64(s.depth), true, 3+row+node)
	f.take(n*nodes, s.rightTerms()*nodes+n*nodes, 9+row+node) // counted
}

// rootStump is the one stump of depth 1: nothing routes, e_i1 is as large as its row
// lets it be, and so it is substituted by that row's right-hand side. What is left is
// a linear program whose costs are the errors of the stumps.
type rootStump struct{ stumps }

func (s *rootStump) rows(b *mio.Builder) {
	s.stumpRows(b, 1)
	for i, w := range s.g.W {
		s.right(1, i, func(c mio.Col, v float64) { b.AddCost(c, -v*w/s.g.Lhat) })
	}
}

// below adds nothing: no node is above.
func (s *rootStump) below(*mio.Builder, mio.Row, int, int) {}

func (s *rootStump) size() formulate.Size { return s.nodeSize() }

func (s *rootStump) file(f *fileSize) {
	f.choice += 4 // two labels
	f.priced()
}
