// Package gto formulates global tree optimization: the tree of hyperplane splits of
// a given structure, with given classes of its leaves, that errs least by one of
// three measures ([Objective]). See [Formulation] for the mathematics.
package gto

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Formulation is global tree optimization (GTO): Bennett & Blue, Optimal decision
// trees, R.P.I. Math Report 214 (1996). The structure is fixed: decisions d = 1..D,
// leaves k = D+1..2D+1 with their classes; theta_c are the leaves of class c, G^k
// and L^k the decisions at which the path to leaf k goes right and left. With
//
//	(y_l^d)_i = (x_i.w^d - gamma^d + 1)_+      (y_g^d)_i = (-x_i.w^d + gamma^d + 1)_+     (12)
//	LeafErr_ik = sum_{d in G^k} (y_g^d)_i^p + sum_{d in L^k} (y_l^d)_i^p                  (13), (14)
//
// it minimises over all w, gamma in the box
//
//	count    sum_i omega_i [min_{k in theta_{y_i}} LeafErr_ik > 0]                        (15), (16)
//	minimum  sum_i omega_i  min_{k in theta_{y_i}} LeafErr_ik                             (17), (18)
//	product  sum_i omega_i prod_{k in theta_{y_i}} LeafErr_ik                             (19), (20)
//
// for any number of classes; omega_i is the weight of row i, rows with equal
// features and class being merged. A row needs only the y of decisions and
// sides on the paths to leaves of its own class; the others are left out.
//
// Signs. In the paper x.w - gamma < 0 goes left, > 0 right, and a row is kept on
// its side by a margin of 1: x.w - gamma <= -1 or >= 1. The tree of a solution
// has the split w.x < gamma, the same but for rows on the plane, which go right
// in the tree, left in the paper, and are errors in all objectives.
//
// Units. Build standardises the features (mean 0, deviation 1) and leaves
// constant ones out; x.w - gamma is the same in both units, so that Decode
// returns data units and Objective needs only the tree. Decode keeps the scale
// of (w, gamma): multiplied by s > 1 it predicts the same with other errors.
//
// Box. |w_j|, |gamma| <= Box makes the bounds M of all encodings finite, but may
// cut off the optimum: an optimum is one within the box, unless BoxExact says
// that no tree outside is better. BoxBinding says whether a point touches it.
//
// norm(t), the tree a start stands for, is t laid over the structure, where
// sides may be swapped (with w and gamma negated) and decisions that t lacks
// send all rows one way (w = 0); where that fails, t without splits that leave a
// side empty of training rows, or also with sibling leaves of one class merged.
// Then thresholds are centred and decisions scaled until the least needed
// correct margin is 1, where that is better, and for minimum and product error
// scaled further towards less error; never beyond the box. A tree that lies in
// the box has Objective(norm(t)) <= Objective(t) for the count error; for the
// minimum error unless splits had to go, and with them leaves that are nearest
// to some row; for the product error where t has the structure itself, since
// other leaves are other factors.
type Formulation struct {
	opts   Options
	g      *data
	layout *layout
	cols   columns
	model  *mio.Model
}

// Model returns the program.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *Formulation) Options() Options { return f.opts }

func (f *Formulation) colW(jx, d int) mio.Col { return f.cols.w + mio.Col(d*f.g.p+jx) }
func (f *Formulation) colGamma(d int) mio.Col { return f.cols.gamma + mio.Col(d) }
func (f *Formulation) class(i int) *class     { return &f.layout.classes[f.g.ds.Y[i]] }
func (f *Formulation) bigM(i int) float64     { return 1 + f.opts.Box*f.g.reach[i] }
func (f *Formulation) leafNumber(k int) int   { return f.layout.decisions + 1 + k }

// hasY says that the model has decision errors y, chooses that its rows choose a
// leaf, gated that they do so by binaries, hasT that leaf errors are columns.
func (f *Formulation) hasY() bool    { return f.opts.Objective != CountError }
func (f *Formulation) chooses() bool { return f.opts.Objective != ProductError }
func (f *Formulation) gated() bool {
	return f.opts.Encoding == formulate.MIO || f.opts.Encoding == formulate.Indicator
}
func (f *Formulation) hasT() bool { return f.opts.Norm == 2 && f.hasY() && !f.gated() }

// Needs returns what a solver must take to solve the model, or a little more: a
// class with one leaf needs neither binary columns nor products.
func (f *Formulation) Needs() formulate.EncodingNeeds {
	needs, _ := encodingNeeds(f.opts.Objective, f.opts.Encoding)
	needs.Quadratic = needs.Quadratic || f.opts.Norm == 2 && f.hasY()
	return needs
}

// ObjectiveUnit is the training weight that an objective of 1 stands for: the
// errors of the model, like those of Objective and Bound, are in units of weight.
func (f *Formulation) ObjectiveUnit() float64 { return f.g.unit }

// Objective returns the error of t on the training data, from t's own leaves, in
// units of weight. A tree without a leaf of a class that the data has has infinite
// minimum and product errors.
func (f *Formulation) Objective(t *tree.Tree) float64 { return f.opts.errorOf(t, f.g.ds) }

// value is the objective of planes, one per decision of the structure, given
// their activities.
func (f *Formulation) value(act []float64) float64 {
	sum, d := 0.0, f.layout.decisions
	for i := range f.g.n {
		sum += f.g.ds.Weight[i] * f.layout.pointError(f.opts.Objective, f.g.ds.Y[i], act[i*d:(i+1)*d], f.opts.Norm)
	}
	return sum
}

// columns finds the columns of a model. Row i's columns of a kind are
// consecutive from the entry i on; -1 where a row has none.
type columns struct {
	w     mio.Col   // (D, p)
	gamma mio.Col   // (D)
	y     []mio.Col // (n) decision errors, in the order of class.slots
	q     []mio.Col // (n) choice among class.leaves
	e     []mio.Col // (n) the row is an error
	t     []mio.Col // (n) leaf errors for p = 2, in the order of class.leaves
	v     []mio.Col // (n) products of the first two, three, ... leaf errors
}

// at is the column of that position in a row's columns of a kind.
func at(first mio.Col, pos int) mio.Col { return first + mio.Col(pos) }
