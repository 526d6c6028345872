package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/mio"
)

func (f *Formulation) build(b *mio.Builder) {
	f.columns(b)
	f.leaf.LabelRows(b)
	f.sideRows(b)
	f.leaf.MembershipRows(b)
	for t := 1; t <= f.leaf.Branches(); t++ {
		f.planeRows(b, t)
	}
	f.maxSplitsRow(b)
}

func (f *Formulation) columns(b *mio.Builder) {
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
	block(&f.s, "s", f.opts.Alpha, 0, mio.Binary)
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

// sideRows, for all i, t in T_L and ancestors m of t:
//
//	a_m.x_i + mu <= b_m + (2 + mu)(1 - z_it)   where t is left of m
//	a_m.x_i      >= b_m - 2 (1 - z_it)         where t is right of m
//
// or, as indicator rows, the same without z where z_it = 1.
func (f *Formulation) sideRows(b *mio.Builder) {
	f.leaf.EachAncestor(func(t, m int, left bool) {
		name, lower, upper, bigM := "right", 0.0, mio.Inf, -2.0
		if left {
			name, lower, upper, bigM = "left", -mio.Inf, -f.opts.Mu, 2+f.opts.Mu
		}
		for i := range f.g.N {
			var r mio.Row
			if f.opts.Encoding == formulate.Indicator {
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

// planeRows of branch node t: sum_j ahat_j <= d;  ahat_j >= a_j;  ahat_j >= -a_j;
// -s_j <= a_j <= s_j;  s_j <= d;  sum_j s_j >= d;  -d <= b <= d;  d <= d_p(t).
func (f *Formulation) planeRows(b *mio.Builder, t int) {
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

// maxSplitsRow: sum_t sum_j s_jt <= C.
func (f *Formulation) maxSplitsRow(b *mio.Builder) {
	if f.opts.MaxSplits == 0 {
		return
	}
	cols := make([]mio.Col, f.leaf.Branches()*f.p())
	for k := range cols {
		cols[k] = f.s + mio.Col(k)
	}
	build.AtMost(b, float64(f.opts.MaxSplits), cols, "max_splits")
}

// size is the closed form of the Formulation comment, nonzeros included.
func (f *Formulation) size() formulate.Size {
	n, p, br, lv, d := int64(f.g.N), int64(f.p()), int64(f.leaf.Branches()), int64(f.leaf.Leaves()), int64(f.opts.Depth)
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
	if f.opts.Encoding == formulate.Indicator {
		s.Nonzeros -= d * lv * n
	}
	if f.opts.MaxSplits > 0 {
		s.Rows++
		s.Nonzeros += br * p
	}
	return s
}
