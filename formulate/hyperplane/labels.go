package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// labels are the labels of the leaves of soct and served: c_kt in [0, 1], binary unless
// switched off; k over the classes, t in T_L. A leaf without rows has a label too. With
// label order and two classes there are none: leaf t has label t mod 2.
//
// They need not be binary. Where the rows of a leaf are fixed, the number of right ones
// is linear in c_t; and by label order c_2u and c_2u+1 are distributions of which the
// right one is greater by at least one class throughout, that is mixtures of pairs of
// labels in order, so that the best pair is as good.
type labels struct {
	*tight
	c mio.Col
}

func (e *labels) columns(b *mio.Builder) {
	e.c = mio.Col(b.NumCols())
	if e.fixed {
		return
	}
	typ := mio.Continuous
	if e.integral {
		typ = mio.Binary
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for k := range e.g.K {
			b.AddCol(0, 0, 1, typ, "c", k+1, t)
		}
	}
}

// rows: sum_k c_kt = 1, all t in T_L, and by label order, of the last branch nodes u,
//
//	sum_{q <= k} c_q,2u+1 <= sum_{q < k} c_q,2u    all k
//
// Then c_k,2u + c_k,2u+1 <= sum_{q <= k} c_q,2u <= 1, and needs no row.
func (e *labels) rows(b *mio.Builder) {
	if e.fixed {
		return
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		r := b.AddRow(1, 1, "label", t)
		for k := range e.g.K {
			b.Add(r, e.col(k, t), 1)
		}
	}
	if !e.ordered {
		return
	}
	for u := e.last(); u < e.leaves(); u++ {
		for k := range e.g.K {
			r := b.AddRow(-mio.Inf, 0, "order", k+1, u)
			for q := range k + 1 {
				b.Add(r, e.col(q, 2*u+1), 1)
				if q < k {
					b.Add(r, e.col(q, 2*u), -1)
				}
			}
		}
	}
}

func (e *labels) size() formulate.Size {
	if e.fixed {
		return formulate.Size{}
	}
	k := int64(e.g.K)
	s := formulate.Size{Cols: k, Rows: 1, Nonzeros: k}.Times(e.leaves())
	if e.integral {
		s.Binaries = s.Cols
	}
	if e.ordered {
		s.Add(formulate.Size{Rows: k, Nonzeros: k * k}.Times(e.last()))
	}
	return s
}

func (e *labels) start(v []float64, h *heapTree) {
	for t := e.leaves(); t < 2*e.leaves() && !e.fixed; t++ {
		v[e.col(int(h.label[t]), t)] = 1
	}
}

// decode returns the labels of a point, -1 for a leaf where it has a mixture of them.
func (e *labels) decode(v []float64) []int32 {
	label := make([]int32, 2*e.leaves())
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		label[t] = int32(t & 1)
		if e.fixed {
			continue
		}
		label[t] = -1
		for k := range e.g.K {
			if v[e.col(k, t)] >= 1-verify.Integrality {
				label[t] = int32(k)
			}
		}
	}
	return label
}

// may reports whether leaf t may have label k.
func (e *labels) may(k int32, t int) bool { return !e.fixed || t&1 == int(k) }

func (e *labels) col(k, t int) mio.Col { return e.c + mio.Col((t-e.leaves())*e.g.K+k) }
