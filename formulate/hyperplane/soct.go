package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
)

// soct formulates the published problem with the paths of rows as flows: Boutilier, Michini & Zhou,
// Shattering inequalities for learning optimal decision trees (2022), and Optimal multivariate
// decision trees (2023), S-OCT. On the splits of type splits and the labels of type labels,
//
//	min  (1/Lhat) sum_i omega_i (1 - sum_{t in T_L} z_it) + alpha sum_t sum_j s_jt
//	w_u,2t + w_u,2t+1 = w_ut                        all u, t in T_B, w_u1 = 1
//	a_t.x'_u <= b'_t - mu + M_u (1 - w_u,2t)        all u, t in T_B
//	a_t.x'_u >= b'_t - M_u (1 - w_u,2t+1)           all u, t in T_B
//	z_it <= w_u(i)t;  z_it <= c_y(i)t               all i, t in T_L
//
// w_ut is 1 if the rows of unit u enter t: in [0, 1], and binary at all leaves except the first,
// which makes all of them integral. z_it in [0, 1] is 1 if row i is correct in leaf t. If labels
// are constants, z_it is w_u(i)t at the leaves of label y_i and 0 at the others, and is omitted.
// One big-M constraint for a side of a node serves all leaves below it.
//
// If some row is lighter than N_min, l_t is 1 if leaf t has rows:
//
//	w_ut <= l_t                          all u, t in T_L
//	sum_u omega_u w_ut >= N_min l_t      t in T_L
//
// l_t is independent of the labels, so a leaf without rows has a label as well. If no row is
// lighter, every leaf with a row is heavy enough, and there are no l_t.
type soct struct {
	splits
	labels labels
	w, z   mio.Col
	l      mio.Col
	cols   int
}

func newSOCT(f *frame, o Options) *soct {
	t := newTight(f, o, nil)
	return &soct{splits: splits{tight: t}, labels: labels{tight: t}}
}

func (e *soct) build(b *mio.Builder) {
	b.AddOffset(e.g.Total / e.g.Lhat)
	e.columns(b)
	e.splits.rows(b)
	e.flowRows(b)
	for t := 1; t <= e.branches(); t++ {
		e.sideRows(b, t)
	}
	e.rightRows(b)
	e.labels.rows(b)
	e.leastRows(b)
}

// counted reports whether the model has l_t.
func (e *soct) counted() bool { return !e.g.FreeLeaves() }

func (e *soct) columns(b *mio.Builder) {
	e.splits.columns(b)
	e.flowColumns(b)
	e.rightColumns(b)
	e.labels.columns(b)
	e.l = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves() && e.counted(); t++ {
		b.AddBinary(0, "l", t)
	}
	e.cols = b.NumCols()
}

// flowColumns adds w_ut, all u and all t except the root. If labels are constants, their cost is
// the weight of the rows that are correct there.
func (e *soct) flowColumns(b *mio.Builder) {
	e.w = mio.Col(b.NumCols())
	for t := 2; t < 2*e.leaves(); t++ {
		typ := mio.Continuous
		if t > e.leaves() {
			typ = mio.Binary
		}
		for u := range e.units {
			upper := 1.0
			if e.keptOut(u, t) {
				upper = 0
			}
			b.AddCol(e.flowCost(u, t), 0, upper, typ, "w", u+1, t)
		}
	}
}

// flowCost returns the cost of w_ut.
func (e *soct) flowCost(u, t int) float64 {
	right := 0.0
	for _, i := range e.units[u] {
		if e.fixed && t >= e.leaves() && e.labels.may(e.g.Y[i], t) {
			right += e.g.W[i]
		}
	}
	if right == 0 {
		return 0
	}
	return -right / e.g.Lhat
}

// rightColumns adds z_it, all i, t in T_L.
func (e *soct) rightColumns(b *mio.Builder) {
	e.z = mio.Col(b.NumCols())
	for t := e.leaves(); t < 2*e.leaves() && !e.fixed; t++ {
		for i, w := range e.g.W {
			b.AddCol(-w/e.g.Lhat, 0, 1, mio.Continuous, "z", i+1, t)
		}
	}
}

// flowRows adds w_u,2t + w_u,2t+1 = w_ut, all u, t in T_B, with w_u1 = 1.
func (e *soct) flowRows(b *mio.Builder) {
	for t := 1; t <= e.branches(); t++ {
		for u := range e.units {
			enters := 0.0
			if t == 1 {
				enters = 1
			}
			r := b.AddRow(enters, enters, "flow", u+1, t)
			b.Add(r, e.colW(u, 2*t), 1)
			b.Add(r, e.colW(u, 2*t+1), 1)
			if t > 1 {
				b.Add(r, e.colW(u, t), -1)
			}
		}
	}
}

// sideRows adds at branch node t, for all u,
//
//	a_t.x'_u <= b'_t - mu + M_u (1 - w_u,2t)
//	a_t.x'_u >= b'_t - M_u (1 - w_u,2t+1)
func (e *soct) sideRows(b *mio.Builder, t int) {
	for u := range e.units {
		r, goes := e.side(b, u, t, true)
		b.Add(r, e.colW(u, 2*t), goes)
		r, goes = e.side(b, u, t, false)
		b.Add(r, e.colW(u, 2*t+1), goes)
	}
}

// rightRows adds z_it <= w_u(i)t and z_it <= c_y(i)t, all i, t in T_L.
func (e *soct) rightRows(b *mio.Builder) {
	if e.fixed {
		return
	}
	for t := e.leaves(); t < 2*e.leaves(); t++ {
		for i, y := range e.g.Y {
			r := b.AddRow(-mio.Inf, 0, "right_leaf", i+1, t)
			b.Add(r, e.colZ(i, t), 1)
			b.Add(r, e.colW(e.unitOf(i), t), -1)
			r = b.AddRow(-mio.Inf, 0, "right_label", i+1, t)
			b.Add(r, e.colZ(i, t), 1)
			b.Add(r, e.labels.col(int(y), t), -1)
		}
	}
}

// leastRows adds w_ut <= l_t, all u, t in T_L, and sum_u omega_u w_ut >= N_min l_t, t in T_L (7).
func (e *soct) leastRows(b *mio.Builder) {
	for t := e.leaves(); t < 2*e.leaves() && e.counted(); t++ {
		least := b.AddRow(0, mio.Inf, "least", t)
		b.Add(least, e.colL(t), -e.g.MinLeaf)
		for u := range e.units {
			b.Add(least, e.colW(u, t), e.unitWeight(u))
			r := b.AddRow(-mio.Inf, 0, "enters", u+1, t)
			b.Add(r, e.colW(u, t), 1)
			b.Add(r, e.colL(t), -1)
		}
	}
}

// size returns the closed form. With n merged rows in U units, K classes, B branch nodes and T
// leaves there are, in addition to splits and labels,
//
//	columns  2 B U (w), (T - 1) U of them binary, + T n (z) [+ T (l)]
//	rows     B U (flow) + 2 B U (sides) + 2 T n (right) [+ T (U + 1) (least)]
//
// without z and its constraints if labels are constants.
func (e *soct) size() formulate.Size {
	units, n := int64(len(e.units)), int64(e.g.N)
	s := e.splits.size() // including the constraints of sides
	s.Add(e.labels.size())
	s.Add(formulate.Size{Cols: 2 * units, Rows: units, Nonzeros: 5 * units}.Times(e.branches()))
	s.Nonzeros -= units // w_u1 = 1
	s.Binaries += units * int64(e.leaves()-1)
	if !e.fixed {
		s.Add(formulate.Size{Cols: n, Rows: 2 * n, Nonzeros: 4 * n}.Times(e.leaves()))
	}
	if e.counted() {
		s.Add(formulate.Size{Cols: 1, Binaries: 1, Rows: 1 + units, Nonzeros: 1 + 3*units}.Times(e.leaves()))
	}
	return s
}

func (e *soct) start(h *heapTree) []float64 {
	e.canonical(h)
	v := make([]float64, e.cols)
	e.splits.start(v, h)
	e.labels.start(v, h)
	for u, rows := range e.units {
		leaf := h.at[rows[0]]
		for t := leaf; t > 1; t /= 2 {
			v[e.colW(u, t)] = 1
		}
		if e.counted() {
			v[e.colL(leaf)] = 1
		}
		for _, i := range rows {
			if !e.fixed && h.label[leaf] == e.g.Y[i] {
				v[e.colZ(int(i), leaf)] = 1
			}
		}
	}
	return v
}

func (e *soct) decode(v []float64) (*solution, error) {
	planes, err := e.splits.decode(v)
	if err != nil {
		return nil, err
	}
	holds := func(i, t int) bool {
		w, err := point.Binary(v[e.colW(e.unitOf(i), t)], "w", i+1, t)
		return err == nil && w
	}
	return &solution{planes: planes, label: e.labels.decode(v), rows: e.all(), holds: holds}, nil
}

// members: rows of equal features share a leaf.
func (e *soct) members() members {
	m := members{frame: e.frame, units: e.g.Points, in: e.colW, size: e.colAhat, only: func(t int) int { return t & 1 }}
	if !e.fixed {
		m.label = e.labels.col
	}
	return m
}

// unitOf returns the unit of row i: the model has all rows.
func (e *soct) unitOf(i int) int { return int(e.g.Points.Of[i]) }

func (e *soct) colW(u, t int) mio.Col { return e.w + mio.Col((t-2)*len(e.units)+u) }
func (e *soct) colZ(i, t int) mio.Col { return e.z + mio.Col((t-e.leaves())*e.g.N+i) }
func (e *soct) colL(t int) mio.Col    { return e.l + mio.Col(t-e.leaves()) }
