package gto

import (
	"github.com/octgen/octgen/mio"

	"github.com/octgen/octgen/formulate"
)

func (f *Formulation) build(b *mio.Builder) {
	f.columns(b)
	f.decisionRows(b)
	f.squareRows(b)
	f.choiceRows(b)
	f.productRows(b)
	switch {
	case f.opts.Objective == ProductError && f.opts.Encoding == formulate.Bilinear:
		f.productCost(b)
	case f.opts.Encoding == formulate.Bilinear:
		f.choiceCost(b)
	case f.opts.Objective == MinimumError:
		f.errorCost(b)
	}
}

// columns adds w and gamma of all decisions, then the columns of each row.
func (f *Formulation) columns(b *mio.Builder) {
	box := f.opts.Box
	f.cols.w = mio.Col(b.NumCols())
	for d := range f.layout.decisions {
		for _, j := range f.g.active {
			b.AddCol(0, -box, box, mio.Continuous, "w", j+1, d+1)
		}
	}
	f.cols.gamma = mio.Col(b.NumCols())
	for d := range f.layout.decisions {
		b.AddCol(0, -box, box, mio.Continuous, "gamma", d+1)
	}
	for _, c := range []*[]mio.Col{&f.cols.y, &f.cols.q, &f.cols.e, &f.cols.t, &f.cols.v} {
		*c = make([]mio.Col, f.g.n)
		for i := range *c {
			(*c)[i] = -1
		}
	}
	for i := range f.g.n {
		f.errorColumns(b, i)
		f.choiceColumns(b, i)
		f.productColumns(b, i)
	}
}

// errorColumns adds y_l and y_g of row i, 0 <= y <= M_i, and for p = 2, where
// leaf errors are needed, t_ik >= 0.
func (f *Formulation) errorColumns(b *mio.Builder, i int) {
	if !f.hasY() {
		return
	}
	f.cols.y[i] = mio.Col(b.NumCols())
	for _, s := range f.class(i).slots {
		name := "yl"
		if s.slot&1 == 1 {
			name = "yg"
		}
		b.AddCol(0, 0, f.bigM(i), mio.Continuous, name, i+1, s.slot/2+1)
	}
	if !f.hasT() {
		return
	}
	f.cols.t[i] = mio.Col(b.NumCols())
	for _, k := range f.class(i).leaves {
		upper := float64(len(f.layout.leaves[k].path)) * f.bigM(i) * f.bigM(i)
		b.AddCol(0, 0, upper, mio.Continuous, "t", i+1, f.leafNumber(k))
	}
}

// choiceColumns adds q_ik, the choice of a leaf, where row i has more than one,
// and e_i for the count error.
func (f *Formulation) choiceColumns(b *mio.Builder, i int) {
	if !f.chooses() {
		return
	}
	if f.class(i).choice() {
		f.cols.q[i] = mio.Col(b.NumCols())
		kind := mio.Continuous // the objective is linear in q: a vertex of the simplex is best
		if f.gated() {
			kind = mio.Binary
		}
		for _, k := range f.class(i).leaves {
			b.AddCol(0, 0, 1, kind, "q", i+1, f.leafNumber(k))
		}
	}
	if f.opts.Objective == CountError {
		f.cols.e[i] = b.AddBinary(f.g.ds.Weight[i], "e", i+1)
	}
}

// productColumns adds, for the multilinear encoding, v_im for m = 2..|theta|: the
// product of the first m leaf errors of row i; the last is its point error.
func (f *Formulation) productColumns(b *mio.Builder, i int) {
	if f.opts.Encoding != Multilinear {
		return
	}
	last := f.class(i).products()
	for m := range last {
		v := b.AddCol(0, 0, mio.Inf, mio.Continuous, "v", i+1, m+2)
		if m == 0 {
			f.cols.v[i] = v
		}
		if m == last-1 {
			b.AddCost(v, f.g.ds.Weight[i])
		}
	}
}

// decisionRows: the inequalities of (11), (16), (18), (20) for the sides that
// row i needs. Without a choice of leaf they are the paper's,
//
//	left_i_d    (y_l^d)_i - x_i.w^d + gamma^d >= 1          d in L^k for some k in theta_{y_i}
//	right_i_d   (y_g^d)_i + x_i.w^d - gamma^d >= 1          d in G^k for some k in theta_{y_i}
//
// In the encoding mio they hold where the leaf chosen is beyond that side, with
// Q the sum of q_ik over these leaves, by M_i (1 - Q) on the right less:
//
//	left_i_d    (y_l^d)_i - x_i.w^d + gamma^d - M_i Q >= 1 - M_i
//
// M_i = 1 + max over the box of |x_i.w - gamma| = 1 + Box (1 + sum_j |x_ij|), for
// then the row asks for no more than y >= 0. Where the side is on the way to all
// of the class's leaves, Q is 1 and the row has no M. So (y_l^d)_i, (y_g^d)_i are 0
// off the chosen path, and their sum is the row's minimum error e_i. Against one
// row e_i >= LeafErr_ik - M_ik (1 - q_ik) per leaf, M_ik = |path| M_i, that is
// fewer rows and columns and at least as tight a relaxation:
//
//	sum_s y_s >= sum_{s in path of k} (violation_s - M_i (1 - Q_s))_+ >= LeafErr_ik - |path| M_i (1 - q_ik)
//
// (12 problems of 14 to 20 normal points in two dimensions, HiGHS: 0.6 of the
// time, geometric mean, and 0.8 of the nodes.)
//
// The count error has no y: a row of data that keeps no leaf's inequalities has
// no leaf chosen but e_i = 1, and Q is 1 - e_i where the side is on the way to
// all leaves. In the encoding indicator there is one row per chosen leaf beyond
// the side, left_i_d_k, in force where q_ik = 1 (or e_i = 0).
func (f *Formulation) decisionRows(b *mio.Builder) {
	for i := range f.g.n {
		for at, s := range f.class(i).slots {
			f.decisionRow(b, i, at, s)
		}
	}
}

func (f *Formulation) decisionRow(b *mio.Builder, i, pos int, s side) {
	c := f.class(i)
	always := s.all || !f.gated()
	switch {
	case always && f.hasY():
		f.sideRow(b, i, pos, s, 1)
	case always && f.opts.Encoding == formulate.MIO: // count: Q = 1 - e_i
		r := f.sideRow(b, i, pos, s, 1)
		b.Add(r, f.cols.e[i], f.bigM(i))
	case always:
		b.AddIndicator(f.sideRow(b, i, pos, s, 1), f.cols.e[i], false)
	case f.opts.Encoding == formulate.MIO:
		r := f.sideRow(b, i, pos, s, 1-f.bigM(i))
		for _, k := range s.leaves {
			b.Add(r, at(f.cols.q[i], k), -f.bigM(i))
		}
	default:
		for _, k := range s.leaves {
			r := f.sideRow(b, i, pos, s, 1, f.leafNumber(c.leaves[k]))
			b.AddIndicator(r, at(f.cols.q[i], k), true)
		}
	}
}

// sideRow adds  y -+ (x_i.w - gamma) >= lower  for one side of a decision.
func (f *Formulation) sideRow(b *mio.Builder, i, pos int, s side, lower float64, leaf ...int) mio.Row {
	d, name, sign := s.slot/2, "left", -1.0
	if s.slot&1 == 1 {
		name, sign = "right", 1
	}
	index := [3]int{i + 1, d + 1}
	r := b.AddRow(lower, mio.Inf, name, index[:2+copy(index[2:], leaf)]...)
	if f.hasY() {
		b.Add(r, at(f.cols.y[i], pos), 1)
	}
	for jx, x := range f.g.row(i) {
		if x != 0 {
			b.Add(r, f.colW(jx, d), sign*x)
		}
	}
	b.Add(r, f.colGamma(d), -sign)
	return r
}

// squareRows: t_ik >= sum_{d in G^k} (y_g^d)_i^2 + sum_{d in L^k} (y_l^d)_i^2, all i,
// k in theta_{y_i}: Definition 3.1 with p = 2, a convex row.
func (f *Formulation) squareRows(b *mio.Builder) {
	if !f.hasT() {
		return
	}
	for i := range f.g.n {
		c := f.class(i)
		for q, k := range c.leaves {
			r := b.AddRow(-mio.Inf, 0, "square", i+1, f.leafNumber(k))
			b.Add(r, at(f.cols.t[i], q), -1)
			for _, s := range f.layout.leaves[k].path {
				y := at(f.cols.y[i], c.slotOf(s))
				b.AddQuad(r, y, y, 1)
			}
		}
	}
}

// choiceRows: sum_{k in theta_{y_i}} q_ik = 1, or with the count error
// sum_k q_ik + e_i = 1, all i of classes with more than one leaf.
func (f *Formulation) choiceRows(b *mio.Builder) {
	for i := range f.g.n {
		if f.cols.q[i] < 0 {
			continue
		}
		r := b.AddRow(1, 1, "choice", i+1)
		for q := range f.class(i).leaves {
			b.Add(r, at(f.cols.q[i], q), 1)
		}
		if f.cols.e[i] >= 0 {
			b.Add(r, f.cols.e[i], 1)
		}
	}
}

// leafError returns the columns whose sum is LeafErr_ik for leaf q of the class
// of row i: the y of its path, or t_ik for p = 2.
func (f *Formulation) leafError(i, q int) []mio.Col {
	if f.hasT() {
		return []mio.Col{at(f.cols.t[i], q)}
	}
	c := f.class(i)
	path := f.layout.leaves[c.leaves[q]].path
	cols := make([]mio.Col, len(path))
	for n, s := range path {
		cols[n] = at(f.cols.y[i], c.slotOf(s))
	}
	return cols
}

// productRows: v_im >= v_i,m-1 LeafErr_ik, m = 2..|theta|, k the m-th leaf of
// theta_{y_i} and v_i1 the first one's error, all i: the product of (20).
func (f *Formulation) productRows(b *mio.Builder) {
	if f.opts.Encoding != Multilinear {
		return
	}
	for i := range f.g.n {
		before := f.leafError(i, 0)
		if !f.class(i).choice() {
			f.addCosts(b, before, f.g.ds.Weight[i])
		}
		for m := range f.class(i).products() {
			v := at(f.cols.v[i], m)
			r := b.AddRow(0, mio.Inf, "product", i+1, m+2)
			b.Add(r, v, 1)
			for _, one := range before {
				for _, other := range f.leafError(i, m+1) {
					b.AddQuad(r, one, other, -1)
				}
			}
			before = []mio.Col{v}
		}
	}
}

// productCost: sum_i omega_i LeafErr_ik LeafErr_ik' for the one or two leaves k,
// k' of theta_{y_i} (20).
func (f *Formulation) productCost(b *mio.Builder) {
	for i := range f.g.n {
		first, w := f.leafError(i, 0), f.g.ds.Weight[i]
		if !f.class(i).choice() {
			f.addCosts(b, first, w)
			continue
		}
		for _, one := range first {
			for _, other := range f.leafError(i, 1) {
				b.AddQuadCost(one, other, w)
			}
		}
	}
}

// choiceCost: sum_i omega_i sum_k q_ik LeafErr_ik (18), exact since the least of
// the leaf errors is their least mean. A y on the way to all leaves has
// sum_k q_ik = 1 for a factor.
func (f *Formulation) choiceCost(b *mio.Builder) {
	for i := range f.g.n {
		c, w := f.class(i), f.g.ds.Weight[i]
		switch {
		case !c.choice():
			f.addCosts(b, f.leafError(i, 0), w)
		case f.hasT():
			for q := range c.leaves {
				b.AddQuadCost(at(f.cols.q[i], q), at(f.cols.t[i], q), w)
			}
		default:
			for pos, s := range c.slots {
				y := at(f.cols.y[i], pos)
				if s.all {
					b.AddCost(y, w)
					continue
				}
				for _, q := range s.leaves {
					b.AddQuadCost(at(f.cols.q[i], q), y, w)
				}
			}
		}
	}
}

// errorCost: sum_i omega_i sum of row i's (y_l^d)_i^p and (y_g^d)_i^p (18), which are
// 0 off the chosen path; for p = 2 a convex quadratic objective.
func (f *Formulation) errorCost(b *mio.Builder) {
	for i := range f.g.n {
		for pos := range f.class(i).slots {
			y := at(f.cols.y[i], pos)
			if f.opts.Norm == 2 {
				b.AddQuadCost(y, y, f.g.ds.Weight[i])
			} else {
				b.AddCost(y, f.g.ds.Weight[i])
			}
		}
	}
}

func (f *Formulation) addCosts(b *mio.Builder, cols []mio.Col, cost float64) {
	for _, c := range cols {
		b.AddCost(c, cost)
	}
}
