package oct

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// memberChains is a last level of chains for leaves that have a weight to reach:
// z_ut says that unit u is in leaf t, l_t that leaf t is in use.
type memberChains struct {
	labelled
	z, l mio.Col // first columns of the blocks
}

func (e *memberChains) colZ(u, t int) mio.Col { return e.z + mio.Col((t-e.leaves())*e.units.Len()+u) }
func (e *memberChains) colL(t int) mio.Col    { return e.l + mio.Col(t-e.leaves()) }

func (e *memberChains) columns(b *mio.Builder) {
	e.labelled.columns(b)
	e.z = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for u := range e.units.Len() {
			b.AddCol(0, 0, 1, mio.Continuous, "z", u+1, t)
		}
	}
	e.l = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		b.AddCol(0, 0, 1, mio.Continuous, "l", t)
	}
}

// rows: as those of freeChains, with z_ut routed and sum_k c_kt = l_t.
func (e *memberChains) rows(b *mio.Builder) {
	e.w.routingRows(b, e.below)
	e.w.chainRows(b)
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		b.Add(e.labelRow(b, t, 0), e.colL(t), -1)
		e.rightRows(b, t)
	}
	e.siblingRows(b)
	e.memberRows(b)
	e.weightRows(b)
}

// below adds to row r the sum of z_ut over the leaves below node m.
func (e *memberChains) below(b *mio.Builder, r mio.Row, u, m int) {
	lo, hi := under(m, e.leaves())
	for t := lo; t < hi; t++ {
		b.Add(r, e.colZ(u, t), 1)
	}
}

// memberRows: sum_t z_ut = 1.
func (e *memberChains) memberRows(b *mio.Builder) {
	for u := range e.units.Len() {
		r := b.AddRow(1, 1, "member", u+1)
		for t := e.leaves(); t < 2*e.leaves(); t++ {
			b.Add(r, e.colZ(u, t), 1)
		}
	}
}

// weightRows: sum_i omega_i z_it >= N_min l_t (7), z_ut <= l_t, and e_it <= z_it.
func (e *memberChains) weightRows(b *mio.Builder) {
	weight := make([]float64, e.units.Len())
	for i, w := range e.g.W {
		weight[e.units.Of[i]] += w
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		least := b.AddRow(0, mio.Inf, "least", t)
		b.Add(least, e.colL(t), -e.g.MinLeaf)
		for u := range e.units.Len() {
			b.Add(least, e.colZ(u, t), weight[u])
			r := b.AddRow(-mio.Inf, 0, "used", u+1, t)
			b.Add(r, e.colZ(u, t), 1)
			b.Add(r, e.colL(t), -1)
		}
		for i := range e.g.N {
			r := b.AddRow(-mio.Inf, 0, "counted", i+1, t)
			b.Add(r, e.e.col(i, t), 1)
			b.Add(r, e.colZ(int(e.units.Of[i]), t), -1)
		}
	}
}

func (e *memberChains) size() formulate.Size {
	n, u := int64(e.g.N), int64(e.units.Len())
	s := e.labelled.size()
	s.Add(formulate.Size{
		Cols:     u + 1,
		Rows:     1 + u + n,
		Nonzeros: 1 + int64(e.depth)*u + u + (1 + u) + 2*u + 2*n, // label, below, member, least, used, counted
	}.Times(e.leaves()))
	s.Rows += u // member
	return s
}

func (e *memberChains) start(x []float64, h *heapTree) {
	for t := e.last(); t < e.leaves(); t++ {
		if j := h.feature[t]; j >= 0 {
			e.w.split(x, t, j, h.threshold[t])
		}
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		if k := h.label[t]; k >= 0 {
			x[e.c.col(int(k), t)], x[e.colL(t)] = 1, 1
		}
	}
	for i, y := range e.g.Y {
		t := h.find(e.g.Ranks(i), e.leaves())
		x[e.colZ(int(e.units.Of[i]), t)] = 1
		if h.label[t] == y {
			x[e.e.col(i, t)] = 1
		}
	}
}

// decode reads splits and labels, which must be integral, and holds z against them.
func (e *memberChains) decode(x []float64, h *heapTree) error {
	if err := e.w.decode(x, h); err != nil {
		return err
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for k := range e.g.K {
			on, err := point.Binary(x[e.c.col(k, t)], "c", k+1, t)
			if err != nil {
				return err
			}
			if on {
				h.label[t] = int32(k)
			}
		}
	}
	for i := range e.g.N {
		leaf := h.find(e.g.Ranks(i), e.leaves())
		if z := x[e.colZ(int(e.units.Of[i]), leaf)]; z < 1-verify.Integrality {
			return point.Bad("row %d is not in leaf %d, where the splits of the solution send it (z is %v)", i+1, leaf, z)
		}
	}
	return nil
}

func (e *memberChains) file(f *fileSize) {
	n, units, leaves := int64(e.g.N), int64(e.units.Len()), int64(e.leaves())
	row, leaf := digits(e.g.N), digits(2*e.leaves())
	f.columns(n*leaves, 2*n*leaves, true, 3+row+leaf)                                  // label, member
	f.columns(units*leaves, units*leaves*int64(e.depth+3)+n*leaves, false, 3+row+leaf) // z
	f.take(n*leaves, 2*n*leaves, 13+row+leaf)                                          // right_label
	f.take(n*leaves, 2*n*leaves, 9+row+leaf)                                           // counted
	f.take(units*leaves, 2*units*leaves, 6+row+leaf)                                   // used
	f.take(leaves, units*leaves, 6+leaf)                                               // least
	f.take(units, units*leaves, 7+row)                                                 // member
}
