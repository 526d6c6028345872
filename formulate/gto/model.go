package gto

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/mio"
)

// Build formulates GTO for ds. Errors: invalid options; a class of the data without a leaf; data of
// one class or without a non-constant feature (formulate.ErrSingleLeaf).
func (o Options) Build(ctx context.Context, ds *dataset.Dataset) (*Formulation, error) {
	f, err := o.prepare(ds)
	if err != nil {
		return nil, err
	}
	f.model, err = build.Model(ctx, f.size(), "gto", o.OmitNames, f.build)
	return f, err
}

// prepare validates the options and lays out the structure without building the model.
func (o Options) prepare(ds *dataset.Dataset) (*Formulation, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	g, err := newData(ds, o.Training)
	if err != nil {
		return nil, err
	}
	if o, err = o.withDefaults(ds.K()); err != nil {
		return nil, err
	}
	f := &Formulation{opts: o, g: g, layout: newLayout(o.Structure, ds.K())}
	for c, w := range g.ds.ClassWeights() {
		if w > 0 && len(f.layout.classes[c].leaves) == 0 {
			return nil, fmt.Errorf("formulate: the structure %s has no leaf of class %q of the data", o.Structure.Text(ds.Classes), ds.Classes[c])
		}
	}
	return f, f.chooseEncoding()
}

// chooseEncoding sets the default encoding and returns an error for one that does not fit the
// structure.
func (f *Formulation) chooseEncoding() error {
	most, class := 0, 0 // maximum number of leaves of a class of the data, and that class
	for c, w := range f.g.ds.ClassWeights() {
		if n := len(f.layout.classes[c].leaves); w > 0 && n > most {
			most, class = n, c
		}
	}
	products := f.opts.Objective == ProductError
	switch {
	case f.opts.Encoding == "" && products && most > 2:
		f.opts.Encoding = Multilinear
	case f.opts.Encoding == "":
		f.opts.Encoding = Needs(f.opts.Objective)[0].Encoding
	case f.opts.Encoding == formulate.Bilinear && products && most > 2:
		return fmt.Errorf("formulate: class %q has %d leaves; the %s encoding of the product error supports at most 2: use %q", f.g.ds.Classes[class], most, formulate.Bilinear, Multilinear)
	}
	return nil
}

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

// columns adds w and gamma of all decisions, then the variables of each row.
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

// errorColumns adds y_l and y_g of row i, 0 <= y <= M_i, and for p = 2, if leaf errors are needed,
// t_ik >= 0.
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

// choiceColumns adds q_ik, the choice of a leaf, if row i has several, and e_i for the count error.
func (f *Formulation) choiceColumns(b *mio.Builder, i int) {
	if !f.chooses() {
		return
	}
	if f.class(i).choice() {
		f.cols.q[i] = mio.Col(b.NumCols())
		kind := mio.Continuous // the objective is linear in q: a vertex of the simplex is optimal
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

// productColumns adds v_im for m = 2..|theta| in the multilinear encoding: the product of the first
// m leaf errors of row i; the last one is its point error.
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

// decisionRows adds the inequalities of (11), (16), (18), (20) for the sides that row i needs.
// Without a choice of leaf they are the paper's,
//
//	left_i_d    (y_l^d)_i - x_i.w^d + gamma^d >= 1          d in L^k for some k in theta_{y_i}
//	right_i_d   (y_g^d)_i + x_i.w^d - gamma^d >= 1          d in G^k for some k in theta_{y_i}
//
// In the encoding mio, they hold if the chosen leaf is beyond that side. With Q the sum of q_ik
// over the leaves beyond that side, the right-hand side is reduced by M_i (1 - Q):
//
//	left_i_d    (y_l^d)_i - x_i.w^d + gamma^d - M_i Q >= 1 - M_i
//
// M_i = 1 + max over the box of |x_i.w - gamma| = 1 + Box (1 + sum_j |x_ij|): the constraint then
// requires no more than y >= 0. If the side is on the paths to all of the class's leaves, Q is 1
// and the constraint has no M. So (y_l^d)_i, (y_g^d)_i are 0 off the chosen path, and their sum is
// the row's minimum error e_i.
//
// Claim: compared with the constraints e_i >= LeafErr_ik - M_ik (1 - q_ik), one per leaf, with M_ik
// = |path| M_i, this formulation has fewer constraints and variables and a relaxation at least as
// tight. Proof:
//
//	sum_s y_s >= sum_{s in path of k} (violation_s - M_i (1 - Q_s))_+ >= LeafErr_ik - |path| M_i (1 - q_ik)
//
// (Measured on 12 problems of 14 to 20 normal points in two dimensions with HiGHS: 0.6 of the time,
// geometric mean, and 0.8 of the nodes.)
//
// The count error has no y: a row of data that satisfies no leaf's inequalities has no chosen leaf
// but e_i = 1, and Q is 1 - e_i if the side is on the paths to all leaves. In the encoding
// indicator there is one constraint per leaf beyond the side, left_i_d_k, in force if q_ik = 1 (or
// e_i = 0).
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

// squareRows adds t_ik >= sum_{d in G^k} (y_g^d)_i^2 + sum_{d in L^k} (y_l^d)_i^2, all i, k in
// theta_{y_i}: Definition 3.1 with p = 2, a convex constraint.
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

// choiceRows adds sum_{k in theta_{y_i}} q_ik = 1, or with the count error sum_k q_ik + e_i = 1,
// for all i of classes with several leaves.
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

// leafError returns the variables whose sum is LeafErr_ik for leaf q of the class of row i: the y
// of its path, or t_ik for p = 2.
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

// productRows adds v_im >= v_i,m-1 LeafErr_ik, m = 2..|theta|, all i, where k is the m-th leaf of
// theta_{y_i} and v_i1 the error of the first: the product of (20).
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

// productCost adds sum_i omega_i LeafErr_ik LeafErr_ik' for the one or two leaves k, k' of
// theta_{y_i} (20).
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

// choiceCost adds sum_i omega_i sum_k q_ik LeafErr_ik (18). It is exact, since the minimum leaf
// error is the minimum of their convex combinations. A y on the paths to all leaves has the factor
// sum_k q_ik = 1.
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

// errorCost adds sum_i omega_i times the sum of row i's (y_l^d)_i^p and (y_g^d)_i^p (18), which are
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

// fullSize is the size of a GTO model including its nonlinear parts.
type fullSize struct {
	formulate.Size
	QuadCost, QuadRows, Indicators int64 // terms of the objective, terms of constraints, constraints
}

// size returns the closed form. For class c with n_c rows let theta be the number of leaves, s of
// the sides that its rows need, a of those on the paths to all its leaves, P the sum of the leaves'
// depths, R = P - a theta the number of (leaf, side) pairs of the other sides, and h of the
// decisions above the lowest common ancestor of its leaves; [..] is 1 if true. With x the number of
// nonzero standardised values of a row and the sums over all classes c and their rows,
//
//	columns    D (p + 1) + sum n_c (
//	           s [not count] + theta [theta > 1, not product] + [count]
//	           + theta [p = 2, not count, bilinear or multilinear] + (theta - 1) [multilinear])
//	binaries   sum n_c (theta [theta > 1] + [count])                   mio, indicator
//	rows       sum n_c (sides + [theta > 1, not product] + theta [t] + (theta - 1) [multilinear])
//	           sides = s, with indicator a + R
//	nonzeros   sum over rows of data of sides (x + 1 + [not count])
//	           + n_c (R [mio] + a [mio, count] + (theta + [count]) [choice row]
//	                  + theta [t] + (theta - 1) [multilinear])
//	quadratic  n_c s terms of the objective for minimum, p = 2, mio or indicator;
//	           n_c R [p = 1] or n_c theta [p = 2] for minimum, bilinear, theta > 1;
//	           P_1 P_2 - h (h - 1) / 2 [p = 1] or 1 [p = 2] for product and two
//	           leaves of depth P_1, P_2; P in rows for [t]
//	indicators n_c (R, and a with count)
func (f *Formulation) fullSize() fullSize {
	var s fullSize
	d := int64(f.layout.decisions)
	s.Cols = d * int64(f.g.p+1)
	for i := range f.g.n {
		x := int64(0)
		for _, v := range f.g.row(i) {
			if v != 0 {
				x++
			}
		}
		f.addSides(&s, f.class(i), x)
		f.addChoice(&s, f.class(i))
		f.addErrors(&s, f.class(i))
	}
	return s
}

func (f *Formulation) size() formulate.Size { return f.fullSize().Size }

// shape returns s, a, P and R of the comment on fullSize.
func (f *Formulation) shape(c *class) (sides, all, paths, rest int64) {
	sides = int64(len(c.slots))
	for _, s := range c.slots {
		paths += int64(len(s.leaves))
		if s.all {
			all++
		}
	}
	return sides, all, paths, paths - all*int64(len(c.leaves))
}

// addSides counts the decision constraints of a row with x nonzero values.
func (f *Formulation) addSides(s *fullSize, c *class, x int64) {
	sides, all, _, rest := f.shape(c)
	entries := x + 1
	if f.hasY() {
		s.Cols += sides
		entries++
	}
	rows := sides
	switch f.opts.Encoding {
	case formulate.Indicator:
		rows = all + rest
		s.Indicators += rest
		if !f.hasY() {
			s.Indicators += all
		}
	case formulate.MIO:
		s.Nonzeros += rest
		if !f.hasY() {
			s.Nonzeros += all
		}
	}
	s.Rows += rows
	s.Nonzeros += rows * entries
}

// addChoice counts q, e and the choice constraint.
func (f *Formulation) addChoice(s *fullSize, c *class) {
	if !f.chooses() {
		return
	}
	leaves, errors := int64(len(c.leaves)), int64(0)
	if !f.hasY() {
		errors = 1
	}
	cols := errors
	if c.choice() {
		cols += leaves
		s.Rows++
		s.Nonzeros += leaves + errors
	}
	s.Cols += cols
	if f.gated() {
		s.Binaries += cols
	}
}

// addErrors counts t, v, their constraints, and quadratic terms.
func (f *Formulation) addErrors(s *fullSize, c *class) {
	leaves, products := int64(len(c.leaves)), int64(c.products())
	sides, _, paths, rest := f.shape(c)
	if f.hasT() {
		s.Cols += leaves
		s.Rows += leaves
		s.Nonzeros += leaves
		s.QuadRows += paths
	}
	switch e := f.opts.Encoding; {
	case e == Multilinear:
		s.Cols += products
		s.Rows += products
		s.Nonzeros += products
		if products > 0 {
			s.QuadRows += f.pairTerms(c)
		}
		for m := 2; m < len(c.leaves); m++ {
			s.QuadRows += f.errorTerms(c, m)
		}
	case f.opts.Objective == ProductError && products > 0:
		s.QuadCost += f.pairTerms(c)
	case e == formulate.Bilinear && f.chooses() && products > 0 && f.hasT():
		s.QuadCost += leaves
	case e == formulate.Bilinear && f.chooses() && products > 0:
		s.QuadCost += rest
	case f.gated() && f.hasY() && f.opts.Norm == 2:
		s.QuadCost += sides
	}
}

// errorTerms returns the number of variables that sum to leaf m's error.
func (f *Formulation) errorTerms(c *class, m int) int64 {
	if f.hasT() {
		return 1
	}
	return int64(len(f.layout.leaves[c.leaves[m]].path))
}

// pairTerms returns the number of terms of the product of the first two leaf errors: for two sides
// on the paths to both leaves, the two mixed terms coincide.
func (f *Formulation) pairTerms(c *class) int64 {
	terms := f.errorTerms(c, 0) * f.errorTerms(c, 1)
	if f.hasT() {
		return terms
	}
	a, b := f.layout.leaves[c.leaves[0]].path, f.layout.leaves[c.leaves[1]].path
	h := int64(0)
	for int(h) < min(len(a), len(b)) && a[h] == b[h] {
		h++
	}
	return terms - h*(h-1)/2
}
