package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
)

// served is the formulation in which only the correct rows keep the margin: a relaxation, specific
// to octgen, of the problem of Bertsimas & Dunn (2017, section 4). On the splits of type splits and
// the labels of type labels,
//
//	min  (1/Lhat) sum_i omega_i (1 - sum_{t in T_L} z_it) + alpha sum_t sum_j s_jt
//	sum_{i in u} sum_t z_it <= 1                                  all u
//	a_m.x'_u <= b'_m - mu + M_u (1 - sum_{i in u} sum_t z_it)     all u, m in T_B, t under 2m
//	a_m.x'_u >= b'_m - M_u (1 - sum_{i in u} sum_t z_it)          all u, m in T_B, t under 2m + 1
//	z_it <= c_y(i)t                                               all i, t in T_L
//
// z_it in {0, 1} is 1 if row i is correct in leaf t, where i is one of the rows of the model, all
// or Options.Rows.
//
// Claim: at most one row of a unit is correct. Proof: rows of a unit have different classes, one
// leaf has only one class, and two leaves are the margin apart. So one big-M constraint serves a
// whole unit, and the linear relaxation contains the bound from equal rows with different classes.
// If labels are constants, there are only z_it for leaves whose label is y_i.
//
// Misclassified rows have no assigned leaf, so there is no minimum leaf weight.
type served struct {
	splits
	labels labels
	rows   []int   // rows of the model
	place  []int32 // (n) position of a row among them
	cutoff float64
	z      mio.Col
	cols   int
}

func newServed(f *frame, o Options) *served {
	t := newTight(f, o, o.Rows)
	e := &served{splits: splits{tight: t}, labels: labels{tight: t}, cutoff: o.Cutoff, place: make([]int32, f.g.N)}
	e.rows = f.all()
	if o.Rows != nil {
		e.rows = e.rows[:0]
		for _, i := range o.Rows {
			e.rows = append(e.rows, int(i))
		}
	}
	for k, i := range e.rows {
		e.place[i] = int32(k)
	}
	return e
}

func (e *served) build(b *mio.Builder) {
	b.AddOffset(e.total() / e.g.Lhat)
	e.columns(b)
	e.splits.rows(b)
	e.onceRows(b)
	for m := 1; m <= e.branches(); m++ {
		e.sideRows(b, m)
	}
	e.rightRows(b)
	e.labels.rows(b)
	e.cutoffRow(b)
}

// total returns the weight of the rows of the model.
func (e *served) total() float64 {
	if len(e.rows) == e.g.N {
		return e.g.Total
	}
	w := 0.0
	for _, i := range e.rows {
		w += e.g.W[i]
	}
	return w
}

// step returns the distance between the leaves in which a row may be correct: 2 with constant
// labels.
func (e *served) step() int {
	if e.fixed {
		return 2
	}
	return 1
}

// first returns the first leaf from t on in which row i may be correct.
func (e *served) first(i, t int) int {
	if e.labels.may(e.g.Y[i], t) {
		return t
	}
	return t + 1
}

// columns adds z_it, all i, t in T_L for which t may have the label y_i.
func (e *served) columns(b *mio.Builder) {
	e.splits.columns(b)
	e.z = mio.Col(b.NumCols())
	for _, i := range e.rows {
		for t := e.first(i, e.leaves()); t < 2*e.leaves(); t += e.step() {
			b.AddBinary(-e.g.W[i]/e.g.Lhat, "z", i+1, t)
		}
	}
	for _, i := range e.units[e.one] {
		for t := e.first(int(i), e.leaves()); t < 2*e.leaves(); t += e.step() {
			if e.keptOut(e.one, t) {
				b.SetColBounds(e.colZ(int(i), t), 0, 0)
			}
		}
	}
	e.labels.columns(b)
	e.cols = b.NumCols()
}

// add adds w z_it to constraint r, all i in u and leaves t in [from, to).
func (e *served) add(b *mio.Builder, r mio.Row, u, from, to int, w float64) {
	for _, i := range e.units[u] {
		for t := e.first(int(i), from); t < to; t += e.step() {
			b.Add(r, e.colZ(int(i), t), w)
		}
	}
}

// onceRows adds sum_{i in u} sum_{t in T_L} z_it <= 1, all u.
func (e *served) onceRows(b *mio.Builder) {
	for u := range e.units {
		e.add(b, b.AddRow(-mio.Inf, 1, "once", u+1), u, e.leaves(), 2*e.leaves(), 1)
	}
}

// sideRows adds at branch node m, for all u, with the sums over i in u and the leaves t under 2m
// and under 2m + 1,
//
//	a_m.x'_u <= b'_m - mu + M_u (1 - sum_i sum_t z_it)
//	a_m.x'_u >= b'_m - M_u (1 - sum_i sum_t z_it)
func (e *served) sideRows(b *mio.Builder, m int) {
	from, to := m, m+1
	for from < e.leaves() {
		from, to = 2*from, 2*to
	}
	middle := (from + to) / 2
	for u := range e.units {
		r, goes := e.side(b, u, m, true)
		e.add(b, r, u, from, middle, goes)
		r, goes = e.side(b, u, m, false)
		e.add(b, r, u, middle, to, goes)
	}
}

// rightRows adds z_it <= c_y(i)t, all i, t in T_L.
func (e *served) rightRows(b *mio.Builder) {
	if e.fixed {
		return
	}
	for _, i := range e.rows {
		for t := e.leaves(); t < 2*e.leaves(); t++ {
			r := b.AddRow(-mio.Inf, 0, "right_label", i+1, t)
			b.Add(r, e.colZ(i, t), 1)
			b.Add(r, e.labels.col(int(e.g.Y[i]), t), -1)
		}
	}
}

// cutoffRow requires an objective of at most Options.Cutoff, in units of weight: sum_i omega_i
// sum_t z_it - alpha Lhat sum_t sum_j s_jt >= W - Lhat cutoff, where W is the weight of the rows of
// the model.
func (e *served) cutoffRow(b *mio.Builder) {
	if e.cutoff == 0 {
		return
	}
	r := b.AddRow(e.total()-e.g.Lhat*e.cutoff, mio.Inf, "cutoff")
	for _, i := range e.rows {
		for t := e.first(i, e.leaves()); t < 2*e.leaves(); t += e.step() {
			b.Add(r, e.colZ(i, t), e.g.W[i])
		}
	}
	for k := range e.branches() * e.p() {
		if e.alpha > 0 {
			b.Add(r, e.s+mio.Col(k), -e.alpha*e.g.Lhat)
		}
	}
}

// size returns the closed form. With n rows in U units, K classes, B branch nodes, T leaves and Z =
// n T z_it, half of that if labels are constants, there are, in addition to splits and labels,
//
//	columns  Z, all binary
//	rows     U (once) + 2 B U (sides) + Z (right) [+ 1 (cutoff)]
//
// without the constraints of right if labels are constants. Each z_it is in one constraint of sides
// at each of D nodes.
func (e *served) size() formulate.Size {
	units, z := int64(len(e.units)), int64(len(e.rows))*int64(e.leaves()/e.step())
	s := e.splits.size() // including the constraints of sides
	s.Add(e.labels.size())
	s.Add(formulate.Size{Cols: z, Binaries: z, Rows: units, Nonzeros: z + int64(e.depth)*z})
	if !e.fixed {
		s.Add(formulate.Size{Rows: z, Nonzeros: 2 * z})
	}
	if e.cutoff > 0 {
		s.Add(formulate.Size{Rows: 1, Nonzeros: z})
		if e.alpha > 0 {
			s.Nonzeros += int64(e.branches() * e.p())
		}
	}
	return s
}

func (e *served) start(h *heapTree) []float64 {
	e.canonical(h)
	v := make([]float64, e.cols)
	e.splits.start(v, h)
	e.labels.start(v, h)
	for _, i := range e.rows {
		if t := h.at[i]; t != 0 {
			v[e.colZ(i, t)] = 1
		}
	}
	return v
}

// decode returns a solution whose rows are the correct ones.
func (e *served) decode(v []float64) (*solution, error) {
	planes, err := e.splits.decode(v)
	if err != nil {
		return nil, err
	}
	s := &solution{planes: planes, label: e.labels.decode(v)}
	leaf := make(map[int]int, len(e.rows))
	for _, i := range e.rows {
		for t := e.first(i, e.leaves()); t < 2*e.leaves(); t += e.step() {
			right, err := point.Binary(v[e.colZ(i, t)], "z", i+1, t)
			if err != nil {
				return nil, err
			}
			if right {
				s.rows, leaf[i] = append(s.rows, i), t
			}
		}
	}
	s.holds = func(i, t int) bool { return leaf[i] == t }
	return s, nil
}

func (e *served) colZ(i, t int) mio.Col {
	per := e.leaves() / e.step()
	return e.z + mio.Col(int(e.place[i])*per+(t-e.leaves())/e.step())
}
