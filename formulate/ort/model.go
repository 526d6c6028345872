package ort

import (
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/mio"
)

// Columns of branch node t, the jx-th feature that varies; of point u at leaf t.
func (f *Formulation) colA(jx, t int) mio.Col { return f.a + mio.Col((t-1)*len(f.d.active)+jx) }
func (f *Formulation) colD(t int) mio.Col     { return f.s + mio.Col(t-1) }
func (f *Formulation) colB(t int) mio.Col     { return f.b + mio.Col(t-1) }
func (f *Formulation) colZ(u, t int) mio.Col  { return f.z + mio.Col((t-f.leaves())*f.d.n+u) }
func (f *Formulation) colL(t int) mio.Col     { return f.l + mio.Col(t-f.leaves()) }
func (f *Formulation) colBeta(t int) mio.Col  { return f.beta + mio.Col(t-f.leaves()) }

// fill builds the model.
func (f *Formulation) fill(b *mio.Builder) {
	b.AddOffset(f.d.within / f.d.lhat)
	f.branchColumns(b)
	f.leafColumns(b)
	f.errorColumns(b)
	f.overRows(b)
	f.underRows(b)
	f.rightRows(b)
	f.leftRows(b)
	f.memberRows(b)
	f.usedRows(b)
	f.weightRows(b)
	f.splitRows(b)
	f.maxSplitsRow(b)
	f.usedColumns(b)
	f.fixSplits(b)
}

// branchColumns adds a_jt and d_t, binary (4), with the penalty alpha of d_t in the objective, and b_t in [0, 1], all t in T_B.
func (f *Formulation) branchColumns(b *mio.Builder) {
	f.a = mio.Col(b.NumCols())
	for t := 1; t <= f.branches(); t++ {
		for _, j := range f.d.active {
			c := b.AddBinary(0, "a", j+1, t)
			if on := f.opts.Constraints; on != nil && on.Forbidden != nil && on.Forbidden[j] {
				b.SetColBounds(c, 0, 0)
			}
		}
	}
	f.s = mio.Col(b.NumCols())
	for t := 1; t <= f.branches(); t++ {
		b.AddBinary(f.opts.Alpha, "d", t)
	}
	f.b = mio.Col(b.NumCols())
	for t := 1; t <= f.branches(); t++ {
		b.AddCol(0, 0, 1, mio.Continuous, "b", t)
	}
}

// leafColumns adds z_ut and l_t, binary, and beta_t in [0, 1], what the leaf answers, all t in T_L.
func (f *Formulation) leafColumns(b *mio.Builder) {
	f.z = mio.Col(b.NumCols())
	for t := f.leaves(); t < 2*f.leaves(); t++ {
		for u := range f.d.n {
			b.AddBinary(0, "z", u+1, t)
		}
	}
	f.l = mio.Col(b.NumCols())
	for t := f.leaves(); t < 2*f.leaves(); t++ {
		b.AddBinary(0, "l", t)
	}
	f.beta = mio.Col(b.NumCols())
	for t := f.leaves(); t < 2*f.leaves(); t++ {
		b.AddCol(0, 0, 1, mio.Continuous, "beta", t)
	}
}

// errorColumns adds the errors in [0, 1], with the objective (1/Lhat) sum_i omega_i loss. Squared loss has one e_i of each number,
// with omega_i e_i^2; a quantile q has the part e_i above the answer, with q omega_i e_i, and the part g_i below it,
// with (1 - q) omega_i g_i.
func (f *Formulation) errorColumns(b *mio.Builder) {
	d := f.d
	f.over = mio.Col(b.NumCols())
	f.under = f.over
	for i, w := range d.of {
		c := b.AddCol(w*d.q/d.lhat, 0, 1, mio.Continuous, "e", i+1)
		if d.q == 0 {
			b.AddQuadCost(c, c, w/d.lhat)
		}
	}
	if d.q == 0 {
		return
	}
	f.under = mio.Col(b.NumCols())
	for i, w := range d.of {
		b.AddCol(w*(1-d.q)/d.lhat, 0, 1, mio.Continuous, "g", i+1)
	}
}

// overRows adds e_i >= y_i - beta_t - M (1 - z_it) with M = y_i, since beta_t >= 0:
//
//	e_i + beta_t - y_i z_it >= 0    all numbers i, t in T_L
func (f *Formulation) overRows(b *mio.Builder) {
	f.each(func(u, i, t int) {
		r := b.AddRow(0, mio.Inf, "over", i+1, t)
		b.Add(r, f.over+mio.Col(i), 1)
		b.Add(r, f.colBeta(t), 1)
		if y := f.d.y[i]; y != 0 {
			b.Add(r, f.colZ(u, t), -y)
		}
	})
}

// underRows adds g_i >= beta_t - y_i - M (1 - z_it) with M = 1 - y_i, since beta_t <= 1; of squared loss e_i for g_i:
//
//	g_i - beta_t - (1 - y_i) z_it >= -1    all numbers i, t in T_L
func (f *Formulation) underRows(b *mio.Builder) {
	f.each(func(u, i, t int) {
		r := b.AddRow(-1, mio.Inf, "under", i+1, t)
		b.Add(r, f.under+mio.Col(i), 1)
		b.Add(r, f.colBeta(t), -1)
		if y := f.d.y[i]; y != 1 {
			b.Add(r, f.colZ(u, t), y-1)
		}
	})
}

// each calls add for each number i, of point u, and leaf t.
func (f *Formulation) each(add func(u, i, t int)) {
	for t := f.leaves(); t < 2*f.leaves(); t++ {
		for u := range f.d.n {
			for i := f.d.first[u]; i < f.d.first[u+1]; i++ {
				add(u, i, t)
			}
		}
	}
}

// eachAncestor calls add for every leaf t and each of its ancestors m of which it is on that side.
func (f *Formulation) eachAncestor(left bool, add func(t, m int)) {
	for t := f.leaves(); t < 2*f.leaves(); t++ {
		for at := t; at > 1; at /= 2 {
			if (at%2 == 0) == left {
				add(t, at/2)
			}
		}
	}
}

// rightRows adds a_m.x_u >= b_m - (1 - z_ut), all u, t in T_L, m in A_R(t) (14).
func (f *Formulation) rightRows(b *mio.Builder) {
	f.eachAncestor(false, func(t, m int) {
		for u := range f.d.n {
			r := b.AddRow(-1, mio.Inf, "right", u+1, t, m)
			for jx, j := range f.d.active {
				if x := f.d.x(u, j); x != 0 {
					b.Add(r, f.colA(jx, m), x)
				}
			}
			b.Add(r, f.colB(m), -1)
			b.Add(r, f.colZ(u, t), -1)
		}
	})
}

// leftRows adds a_m.(x_u + eps - eps_min) + eps_min <= b_m + (1 + eps_max)(1 - z_ut), all u, t in T_L, m in A_L(t): (13) as
// corrected in Dunn's thesis, so that no row goes left where there is no split.
func (f *Formulation) leftRows(b *mio.Builder) {
	least, most := f.d.gaps()
	f.eachAncestor(true, func(t, m int) {
		for u := range f.d.n {
			r := b.AddRow(-mio.Inf, 1+most-least, "left", u+1, t, m)
			for jx, j := range f.d.active {
				if v := f.d.x(u, j) + f.d.eps(j) - least; v != 0 {
					b.Add(r, f.colA(jx, m), v)
				}
			}
			b.Add(r, f.colB(m), -1)
			b.Add(r, f.colZ(u, t), 1+most)
		}
	})
}

// memberRows adds sum_{t in T_L} z_ut = 1, all u (8).
func (f *Formulation) memberRows(b *mio.Builder) {
	for u := range f.d.n {
		r := b.AddRow(1, 1, "member", u+1)
		for t := f.leaves(); t < 2*f.leaves(); t++ {
			b.Add(r, f.colZ(u, t), 1)
		}
	}
}

// usedRows adds z_ut <= l_t, all u, t in T_L (6).
func (f *Formulation) usedRows(b *mio.Builder) {
	for t := f.leaves(); t < 2*f.leaves(); t++ {
		for u := range f.d.n {
			r := b.AddRow(-mio.Inf, 0, "used", u+1, t)
			b.Add(r, f.colZ(u, t), 1)
			b.Add(r, f.colL(t), -1)
		}
	}
}

// weightRows adds sum_u omega_u z_ut >= N_min l_t, all t in T_L (7).
func (f *Formulation) weightRows(b *mio.Builder) {
	for t := f.leaves(); t < 2*f.leaves(); t++ {
		r := b.AddRow(0, mio.Inf, "least", t)
		for u, w := range f.d.weight {
			b.Add(r, f.colZ(u, t), w)
		}
		if f.d.minLeaf > 0 {
			b.Add(r, f.colL(t), -f.d.minLeaf)
		}
	}
}

// splitRows adds sum_j a_jt = d_t (2), b_t <= d_t (3), d_t <= d_p(t) for t not the root (5), all t in T_B.
func (f *Formulation) splitRows(b *mio.Builder) {
	for t := 1; t <= f.branches(); t++ {
		r := b.AddRow(0, 0, "split", t)
		for jx := range f.d.active {
			b.Add(r, f.colA(jx, t), 1)
		}
		b.Add(r, f.colD(t), -1)
		r = b.AddRow(-mio.Inf, 0, "bound", t)
		b.Add(r, f.colB(t), 1)
		b.Add(r, f.colD(t), -1)
		if t > 1 {
			r = b.AddRow(-mio.Inf, 0, "parent", t)
			b.Add(r, f.colD(t), 1)
			b.Add(r, f.colD(t/2), -1)
		}
	}
}

// maxSplitsRow adds sum_{t in T_B} d_t <= C.
func (f *Formulation) maxSplitsRow(b *mio.Builder) {
	if f.opts.MaxSplits == 0 {
		return
	}
	var all []mio.Col
	for t := 1; t <= f.branches(); t++ {
		all = append(all, f.colD(t))
	}
	build.AtMost(b, float64(f.opts.MaxSplits), all, "max_splits")
}

// columned reports whether columns have a limit or prices.
func (f *Formulation) columned() bool {
	on := f.opts.Constraints
	return on != nil && (on.MaxFeatures > 0 || on.FeatureCost != nil)
}

func (f *Formulation) colUsed(c int) mio.Col { return f.used + mio.Col(c) }

// usedColumns adds u_c, binary, 1 if a split uses column c, with its price in the objective: a_jt <= u_c, all t in T_B and features j
// of c that vary, and sum_c u_c <= F.
func (f *Formulation) usedColumns(b *mio.Builder) {
	if !f.columned() {
		return
	}
	on := f.opts.Constraints
	f.used = mio.Col(b.NumCols())
	var all []mio.Col
	for c := range on.Columns.Names {
		price := 0.0
		if on.FeatureCost != nil {
			price = on.FeatureCost[c]
		}
		all = append(all, b.AddBinary(price, "u", c+1))
	}
	for t := 1; t <= f.branches(); t++ {
		for jx, j := range f.d.active {
			r := b.AddRow(-mio.Inf, 0, "uses", j+1, t)
			b.Add(r, f.colA(jx, t), 1)
			b.Add(r, f.colUsed(on.Columns.Of[j]), -1)
		}
	}
	if on.MaxFeatures > 0 {
		build.AtMost(b, float64(on.MaxFeatures), all, "max_features")
	}
}

// fixSplits fixes a_jt = 1 and b_t of the splits that stay.
func (f *Formulation) fixSplits(b *mio.Builder) {
	on := f.opts.Constraints
	if on == nil || on.Fixed == nil {
		return
	}
	var fix func(i, t int)
	fix = func(i, t int) {
		n := &on.Fixed.Nodes[i]
		if n.Leaf() || t > f.branches() {
			return
		}
		j := n.Split.Terms[0].Feature
		jx, _ := slices.BinarySearch(f.d.active, j)
		rank, _ := slices.BinarySearch(f.d.values[j], n.Split.Threshold)
		b.SetColBounds(f.colA(jx, t), 1, 1)
		b.SetColBounds(f.colB(t), f.d.level(j, rank), f.d.level(j, rank))
		fix(n.Left, 2*t)
		fix(n.Right, 2*t+1)
	}
	fix(0, 1)
}

// size is the closed form of the comment at Formulation, with nonzeros.
func (f *Formulation) size() formulate.Size {
	d := f.d
	n, m, p := int64(d.n), int64(len(d.y)), int64(len(d.active))
	br, lv, depth := int64(f.branches()), int64(f.leaves()), int64(f.opts.Depth)
	errors := m
	if d.q > 0 {
		errors = 2 * m
	}
	s := formulate.Size{
		Cols: br*(p+2) + lv*(n+2) + errors, Binaries: br*(p+1) + lv*(n+1),
		Rows:     depth*lv*n + 2*br + br - 1 + n + lv*n + lv + 2*m*lv,
		Nonzeros: n*lv + 2*n*lv + n*lv + br*(p+1) + 2*br + 2*(br-1) + 6*m*lv,
	}
	for _, y := range d.y {
		if y == 0 || y == 1 {
			s.Nonzeros -= lv
		}
	}
	least, _ := d.gaps()
	zeros := int64(0) // among the coefficients of a
	for u := range d.n {
		for _, j := range d.active {
			if d.x(u, j) == 0 {
				zeros++
			}
			if d.x(u, j)+d.eps(j)-least == 0 {
				zeros++
			}
		}
	}
	s.Nonzeros += depth * lv / 2 * (2*n*(p+2) - zeros)
	if d.minLeaf > 0 {
		s.Nonzeros += lv
	}
	if f.opts.MaxSplits > 0 {
		s.Rows++
		s.Nonzeros += br
	}
	if f.columned() {
		c := int64(len(f.opts.Constraints.Columns.Names))
		s.Add(formulate.Size{Cols: c, Binaries: c, Rows: br * p, Nonzeros: 2 * br * p})
		if f.opts.Constraints.MaxFeatures > 0 {
			s.Rows++
			s.Nonzeros += c
		}
	}
	return s
}
