package hyperplane

import (
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// noise is the weight in a split that counts as a solver's rounding error.
const noise = 1e-9

// splits are the hyperplanes of soct and served: a_jt in [-1, 1], ahat_jt in [0, 1], b'_t in [beta,
// mu - beta] and, if features are penalised or counted, s_jt binary, where j is a non-constant
// feature and t in T_B. An unused split has a = 0. Its b' may send rows to either side, so it may
// be above splits that are used.
type splits struct {
	*tight
	a, ahat, s, b mio.Col // first variable of each block
}

// priced reports whether the model has s_jt.
func (e *splits) priced() bool { return e.alpha > 0 || e.maxSplits > 0 }

func (e *splits) columns(b *mio.Builder) {
	block := func(first *mio.Col, name string, cost, lower float64, typ mio.VarType) {
		*first = mio.Col(b.NumCols())
		for t := 1; t <= e.branches(); t++ {
			for _, j := range e.g.Active {
				b.AddCol(cost, lower, 1, typ, name, j+1, t)
			}
		}
	}
	block(&e.a, "a", 0, -1, mio.Continuous)
	block(&e.ahat, "ahat", 0, 0, mio.Continuous)
	if e.priced() {
		block(&e.s, "s", e.alpha, 0, mio.Binary)
	}
	e.b = mio.Col(b.NumCols())
	for t := 1; t <= e.branches(); t++ {
		b.AddCol(0, e.beta, e.mu-e.beta, mio.Continuous, "b", t)
	}
}

// rows adds, for each t in T_B,
//
//	sum_j ahat_jt <= 1;  ahat_jt >= a_jt;  ahat_jt >= -a_jt    all j
//	ahat_jt <= s_jt                                            all j, if priced
//
// and sum_t sum_j s_jt <= C.
func (e *splits) rows(b *mio.Builder) {
	two := func(lower, upper float64, name string, jx, t int, c mio.Col, w float64) {
		r := b.AddRow(lower, upper, name, e.g.Active[jx]+1, t)
		b.Add(r, e.colAhat(jx, t), 1)
		b.Add(r, c, w)
	}
	for t := 1; t <= e.branches(); t++ {
		norm := b.AddRow(-mio.Inf, 1, "norm", t)
		for jx := range e.g.Active {
			b.Add(norm, e.colAhat(jx, t), 1)
			two(0, mio.Inf, "abs_up", jx, t, e.colA(jx, t), -1)
			two(0, mio.Inf, "abs_low", jx, t, e.colA(jx, t), 1)
			if e.priced() {
				two(-mio.Inf, 0, "used", jx, t, e.colS(jx, t), -1)
			}
		}
	}
	if e.maxSplits > 0 {
		cols := make([]mio.Col, e.branches()*e.p())
		for k := range cols {
			cols[k] = e.s + mio.Col(k)
		}
		build.AtMost(b, float64(e.maxSplits), cols, "max_splits")
	}
}

// side adds the constraint that keeps unit u on the left or the right of node m if it goes there,
//
//	a_m.x'_u <= b'_m - mu + M_u (1 - goes)    left
//	a_m.x'_u >= b'_m - M_u (1 - goes)         right
//
// and returns it with the coefficient of the variables that add up to goes.
func (e *splits) side(b *mio.Builder, u, m int, left bool) (r mio.Row, goes float64) {
	bigM := e.bigM(u)
	if left {
		r, goes = b.AddRow(-mio.Inf, bigM-e.mu, "left", u+1, m), bigM
	} else {
		r, goes = b.AddRow(-bigM, mio.Inf, "right", u+1, m), -bigM
	}
	for jx := range e.p() {
		if x := e.at(u, jx); x != 0 {
			b.Add(r, e.colA(jx, m), x)
		}
	}
	b.Add(r, e.colB(m), -1)
	return r, goes
}

// size returns the size of variables and constraints, including side for all units and both sides
// of all nodes, except for the variables that add up to goes.
func (e *splits) size() formulate.Size {
	p, units, nonzero := int64(e.p()), int64(len(e.units)), int64(0)
	for u := range e.units {
		for jx := range e.p() {
			if e.at(u, jx) != 0 {
				nonzero++
			}
		}
	}
	node := formulate.Size{Cols: 2*p + 1, Rows: 1 + 2*p + 2*units, Nonzeros: 5*p + 2*(nonzero+units)}
	if e.priced() {
		node.Add(formulate.Size{Cols: p, Binaries: p, Rows: p, Nonzeros: 2 * p})
	}
	s := node.Times(e.branches())
	if e.maxSplits > 0 {
		s.Add(formulate.Size{Rows: 1, Nonzeros: p * int64(e.branches())})
	}
	return s
}

// start sets the variables of h's planes, one per node.
func (e *splits) start(v []float64, h *heapTree) {
	for t := 1; t <= e.branches(); t++ {
		pl := h.planes[t]
		v[e.colB(t)] = e.shifted(pl)
		for jx, a := range pl.a {
			if a == 0 {
				continue
			}
			v[e.colA(jx, t)], v[e.colAhat(jx, t)] = a, math.Abs(a)
			if e.priced() {
				v[e.colS(jx, t)] = 1
			}
		}
	}
}

// decode returns the planes of a point, with a_j = 0 where s_j = 0.
func (e *splits) decode(v []float64) ([]*plane, error) {
	planes := make([]*plane, e.leaves())
	for t := 1; t <= e.branches(); t++ {
		a := make([]float64, e.p())
		for jx, j := range e.g.Active {
			used := true
			if e.priced() {
				var err error
				if used, err = point.Binary(v[e.colS(jx, t)], "s", j+1, t); err != nil {
					return nil, err
				}
			}
			if w := v[e.colA(jx, t)]; used && math.Abs(w) > noise {
				a[jx] = w
			}
		}
		planes[t] = e.original(a, v[e.colB(t)])
	}
	return planes, nil
}

func (e *splits) colA(jx, t int) mio.Col    { return e.a + mio.Col((t-1)*e.p()+jx) }
func (e *splits) colAhat(jx, t int) mio.Col { return e.ahat + mio.Col((t-1)*e.p()+jx) }
func (e *splits) colS(jx, t int) mio.Col    { return e.s + mio.Col((t-1)*e.p()+jx) }
func (e *splits) colB(t int) mio.Col        { return e.b + mio.Col(t-1) }

// labels are the labels of the leaves of soct and served: c_kt in [0, 1], binary unless IntegralLabels
// is switched off, where k is a class and t in T_L. A leaf without rows has a label as well. With
// label order and two classes there are no variables: leaf t has label t mod 2.
//
// Claim: the labels need not be binary. Proof: if the rows of a leaf are fixed, the number of
// correct ones is linear in c_t. By label order, c_2u and c_2u+1 are distributions of which the
// right one is everywhere greater by at least one class, that is, mixtures of ordered pairs of
// labels, so that the best pair is as good.
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

// rows adds sum_k c_kt = 1, all t in T_L, and by label order, for the last branch nodes u,
//
//	sum_{q <= k} c_q,2u+1 <= sum_{q < k} c_q,2u    all k
//
// Then c_k,2u + c_k,2u+1 <= sum_{q <= k} c_q,2u <= 1, so this needs no constraint.
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

// decode returns the labels of a point, -1 for a leaf with a mixture of labels.
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
