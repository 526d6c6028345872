package hyperplane

import (
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/formulate/internal/leaves"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
)

// published is the paper's formulation, with big-M or with indicator constraints:
//
//	min  (1/Lhat) sum_{t in T_L} L_t + alpha sum_{t in T_B} sum_j s_jt
//	sum_j ahat_jt <= d_t;   ahat_jt >= a_jt;   ahat_jt >= -a_jt
//	-s_jt <= a_jt <= s_jt;  s_jt <= d_t;  sum_j s_jt >= d_t;  -d_t <= b_t <= d_t
//	d_t <= d_p(t)
//	a_m.x_i + mu <= b_m + (2 + mu)(1 - z_it)    all i, t in T_L, m in A_L(t)
//	a_m.x_i >= b_m - 2 (1 - z_it)               all i, t in T_L, m in A_R(t)
//
// with the leaf, class and loss constraints of OCT; s, z, l, c, d binary, a, b in [-1, 1], ahat >=
// 0.
//
// With n merged rows, p non-constant features, B branch nodes and T leaves, it has B (3p + 2) + T
// (n + 3 + 2K) variables, B (p + 1) + T (n + 1 + K) of them binary, and B (5p + 4) + B - 1 + D T n
// constraints in addition to those of the leaves.
type published struct {
	*frame
	indicators bool

	a, ahat, s, d, b mio.Col // first variable of each block
	leaf             leaves.Block
}

func newPublished(f *frame, indicators bool) *published {
	return &published{frame: f, indicators: indicators, leaf: leaves.New(f.g, f.depth)}
}

func (f *published) build(b *mio.Builder) {
	f.columns(b)
	f.leaf.LabelRows(b)
	f.sideRows(b)
	f.leaf.MembershipRows(b)
	for t := 1; t <= f.leaf.Branches(); t++ {
		f.planeRows(b, t)
	}
	f.maxSplitsRow(b)
}

func (f *published) columns(b *mio.Builder) {
	block := func(first *mio.Col, name string, cost, lower float64, typ mio.VarType) {
		*first = mio.Col(b.NumCols())
		for t := 1; t <= f.leaf.Branches(); t++ {
			for _, j := range f.g.Active {
				b.AddCol(cost, lower, 1, typ, name, j+1, t)
			}
		}
	}
	block(&f.a, "a", 0, -1, mio.Continuous)
	block(&f.ahat, "ahat", 0, 0, mio.Continuous)
	block(&f.s, "s", f.alpha, 0, mio.Binary)
	f.d = mio.Col(b.NumCols())
	for t := 1; t <= f.leaf.Branches(); t++ {
		b.AddBinary(0, "d", t)
	}
	f.b = mio.Col(b.NumCols())
	for t := 1; t <= f.leaf.Branches(); t++ {
		b.AddCol(0, -1, 1, mio.Continuous, "b", t)
	}
	f.leaf.Columns(b)
}

// sideRows adds, for all i, t in T_L and ancestors m of t,
//
//	a_m.x_i + mu <= b_m + (2 + mu)(1 - z_it)   if t is left of m
//	a_m.x_i      >= b_m - 2 (1 - z_it)         if t is right of m
//
// or, as indicator constraints, the same without z, in force if z_it = 1.
func (f *published) sideRows(b *mio.Builder) {
	f.leaf.EachAncestor(func(t, m int, left bool) {
		name, lower, upper, bigM := "right", 0.0, mio.Inf, -2.0
		if left {
			name, lower, upper, bigM = "left", -mio.Inf, -f.mu, 2+f.mu
		}
		for i := range f.g.N {
			var r mio.Row
			if f.indicators {
				r = b.AddRow(lower, upper, name, i+1, t, m)
				b.AddIndicator(r, f.leaf.ColZ(i, t), true)
			} else {
				r = b.AddRow(lower+bigM, upper+bigM, name, i+1, t, m)
				b.Add(r, f.leaf.ColZ(i, t), bigM)
			}
			for jx, x := range f.row(i) {
				if x != 0 {
					b.Add(r, f.colA(jx, m), x)
				}
			}
			b.Add(r, f.colB(m), -1)
		}
	})
}

// planeRows adds, at branch node t, sum_j ahat_j <= d;  ahat_j >= a_j;  ahat_j >= -a_j;  -s_j <=
// a_j <= s_j;  s_j <= d;  sum_j s_j >= d;  -d <= b <= d;  d <= d_p(t).
func (f *published) planeRows(b *mio.Builder, t int) {
	two := func(lower, upper float64, name string, jx int, c mio.Col, v float64, d mio.Col, w float64) {
		r := b.AddRow(lower, upper, name, f.g.Active[jx]+1, t)
		b.Add(r, c, v)
		b.Add(r, d, w)
	}
	norm := b.AddRow(-mio.Inf, 0, "norm", t)
	some := b.AddRow(0, mio.Inf, "some", t)
	for jx := range f.g.Active {
		a, ahat, s := f.colA(jx, t), f.colAhat(jx, t), f.colS(jx, t)
		b.Add(norm, ahat, 1)
		b.Add(some, s, 1)
		two(0, mio.Inf, "abs_up", jx, ahat, 1, a, -1)
		two(0, mio.Inf, "abs_low", jx, ahat, 1, a, 1)
		two(-mio.Inf, 0, "used_up", jx, a, 1, s, -1)
		two(0, mio.Inf, "used_low", jx, a, 1, s, 1)
		two(-mio.Inf, 0, "feature", jx, s, 1, f.colD(t), -1)
	}
	b.Add(norm, f.colD(t), -1)
	b.Add(some, f.colD(t), -1)
	r := b.AddRow(-mio.Inf, 0, "bound_up", t)
	b.Add(r, f.colB(t), 1)
	b.Add(r, f.colD(t), -1)
	r = b.AddRow(0, mio.Inf, "bound_low", t)
	b.Add(r, f.colB(t), 1)
	b.Add(r, f.colD(t), 1)
	if t > 1 {
		r = b.AddRow(-mio.Inf, 0, "parent", t)
		b.Add(r, f.colD(t), 1)
		b.Add(r, f.colD(t/2), -1)
	}
}

// maxSplitsRow adds sum_t sum_j s_jt <= C.
func (f *published) maxSplitsRow(b *mio.Builder) {
	if f.maxSplits == 0 {
		return
	}
	cols := make([]mio.Col, f.leaf.Branches()*f.p())
	for k := range cols {
		cols[k] = f.s + mio.Col(k)
	}
	build.AtMost(b, float64(f.maxSplits), cols, "max_splits")
}

// size returns the closed form of the published comment, including nonzeros.
func (f *published) size() formulate.Size {
	n, p, br, lv, d := int64(f.g.N), int64(f.p()), int64(f.leaf.Branches()), int64(f.leaf.Leaves()), int64(f.depth)
	s := f.leaf.Size()
	s.Add(formulate.Size{Cols: 3*p + 2, Binaries: p + 1, Rows: 5*p + 4, Nonzeros: 12*p + 6}.Times(int(br)))
	s.Rows += br - 1 + d*lv*n
	nonzero := int64(0)
	for _, x := range f.x {
		if x != 0 {
			nonzero++
		}
	}
	s.Nonzeros += 2*(br-1) + d*lv*(nonzero+2*n)
	if f.indicators {
		s.Nonzeros -= d * lv * n
	}
	if f.maxSplits > 0 {
		s.Rows++
		s.Nonzeros += br * p
	}
	return s
}

func (f *published) start(h *heapTree) []float64 {
	v := make([]float64, f.leaf.End())
	for n, pl := range h.planes {
		if pl == nil {
			continue
		}
		v[f.colD(n)], v[f.colB(n)] = 1, pl.b
		for jx, a := range pl.a {
			if a != 0 {
				v[f.colA(jx, n)], v[f.colAhat(jx, n)], v[f.colS(jx, n)] = a, math.Abs(a), 1
			}
		}
	}
	f.leaf.Start(v, h.at, h.label)
	return v
}

func (f *published) decode(values []float64) (*solution, error) {
	planes := make([]*plane, f.leaf.Leaves())
	for n := 1; n <= f.leaf.Branches(); n++ {
		on, err := point.Binary(values[f.colD(n)], "d", n)
		if err != nil {
			return nil, err
		}
		if !on {
			continue
		}
		planes[n] = &plane{a: make([]float64, f.p()), b: values[f.colB(n)]}
		for jx, j := range f.g.Active {
			used, err := point.Binary(values[f.colS(jx, n)], "s", j+1, n)
			if err != nil {
				return nil, err
			}
			if used {
				planes[n].a[jx] = values[f.colA(jx, n)]
			}
		}
	}
	label := make([]int32, 2*f.leaf.Leaves())
	if err := f.leaf.Labels(values, label); err != nil {
		return nil, err
	}
	holds := func(i, t int) bool {
		z, err := point.Binary(values[f.leaf.ColZ(i, t)], "z", i+1, t)
		return err == nil && z
	}
	return &solution{planes: planes, label: label, rows: f.all(), holds: holds}, nil
}

// members: every row has its own leaf.
func (f *published) members() members {
	return members{frame: f.frame, units: grid.Singles(f.g.N), in: f.leaf.ColZ, label: f.leaf.ColC, size: f.colAhat}
}

func (f *published) colA(jx, t int) mio.Col    { return f.a + mio.Col((t-1)*f.p()+jx) }
func (f *published) colAhat(jx, t int) mio.Col { return f.ahat + mio.Col((t-1)*f.p()+jx) }
func (f *published) colS(jx, t int) mio.Col    { return f.s + mio.Col((t-1)*f.p()+jx) }
func (f *published) colD(t int) mio.Col        { return f.d + mio.Col(t-1) }
func (f *published) colB(t int) mio.Col        { return f.b + mio.Col(t-1) }
