package gto

import (
	"github.com/octgen/octgen/formulate"
)

// fullSize is the size of a model of GTO with what is not linear.
type fullSize struct {
	formulate.Size
	QuadCost, QuadRows, Indicators int64 // terms of the objective, terms of rows, rows
}

// size is the closed form. Of class c with n_c rows let theta be the leaves, s the
// sides that its rows need, a those of them on the way to all its leaves, P the
// sum of the leaves' depths, R = P - a theta the (leaf, side) pairs of the other
// sides, and h the decisions above its leaves' lowest common ancestor; [..] is
// 1 where true. With x the number of nonzero standardised values of a row and
// the sums over all classes c and their rows,
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

// addSides counts the decision rows of a row with x nonzero values.
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

// addChoice counts q, e and the choice row.
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

// addErrors counts t, v, their rows, and quadratic terms.
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

// errorTerms is the number of columns that make leaf m's error.
func (f *Formulation) errorTerms(c *class, m int) int64 {
	if f.hasT() {
		return 1
	}
	return int64(len(f.layout.leaves[c.leaves[m]].path))
}

// pairTerms is the number of terms of the product of the first two leaf errors:
// of two sides on the way to both, one and the other is other and one.
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
