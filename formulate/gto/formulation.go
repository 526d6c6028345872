// Package gto formulates global tree optimization: the hyperplane tree with a given structure and
// given classes of its leaves that minimises one of three errors ([Objective]). See [Formulation]
// for the mathematics.
package gto

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Formulation is global tree optimization (GTO): Bennett & Blue, Optimal decision trees, R.P.I.
// Math Report 214 (1996). The structure is fixed: decisions d = 1..D, leaves k = D+1..2D+1 with
// their classes; theta_c are the leaves of class c, G^k and L^k the decisions at which the path to
// leaf k goes right and left. With
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
// for any number of classes. omega_i is the weight of row i; rows with equal features and class are
// merged. A row only needs the y of decisions and sides on the paths to leaves of its own class;
// the others are omitted.
//
// Signs. In the paper, x.w - gamma < 0 goes left and > 0 right, and a row keeps a margin of 1 on
// its side: x.w
//   - gamma <= -1 or >= 1. The tree of a solution has the split w.x < gamma, which differs only
//     for rows on the
//
// plane: these go right in the tree, left in the paper, and are errors in all objectives.
//
// Units. Build standardises the features (mean 0, deviation 1) and drops constant ones. x.w - gamma
// is the same in both units, so Decode returns data units and Objective only needs the tree. Decode
// keeps the scale of (w, gamma): multiplied by s > 1, a decision makes the same predictions with
// other errors.
//
// Box. |w_j|, |gamma| <= Box makes the bounds M of all encodings finite, but may cut off the
// optimum. An optimum is one within the box, unless BoxExact reports that no tree outside is
// better. BoxBinding reports whether a point touches the box.
//
// norm(t), the tree of a warm start, is t laid over the structure. Sides may be swapped (with w and
// gamma negated), and decisions missing in t send all rows to one side (w = 0). If that fails, it
// is t without splits that leave a side empty of training rows, or also with sibling leaves of one
// class merged. Then thresholds are centred and decisions scaled until the minimum needed correct
// margin is 1, if that is better, and for minimum and product error scaled further towards a
// smaller error; never beyond the box. A tree within the box has Objective(norm(t)) <= Objective(t)
// for the count error. For the minimum error this holds unless splits had to be removed, and with
// them the nearest leaves of some rows; for the product error it holds if t has the structure
// itself, since other leaves give other factors.
type Formulation struct {
	opts   Options
	g      *data
	layout *layout
	cols   columns
	model  *mio.Model
}

// Model returns the model.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults.
func (f *Formulation) Options() Options { return f.opts }

func (f *Formulation) colW(jx, d int) mio.Col { return f.cols.w + mio.Col(d*f.g.p+jx) }
func (f *Formulation) colGamma(d int) mio.Col { return f.cols.gamma + mio.Col(d) }
func (f *Formulation) class(i int) *class     { return &f.layout.classes[f.g.ds.Y[i]] }
func (f *Formulation) bigM(i int) float64     { return 1 + f.opts.Box*f.g.reach[i] }
func (f *Formulation) leafNumber(k int) int   { return f.layout.decisions + 1 + k }

// hasY reports whether the model has decision errors y, chooses whether its rows choose a leaf,
// gated whether they do so by binaries, hasT whether leaf errors are variables.
func (f *Formulation) hasY() bool    { return f.opts.Objective != CountError }
func (f *Formulation) chooses() bool { return f.opts.Objective != ProductError }
func (f *Formulation) gated() bool {
	return f.opts.Encoding == formulate.MIO || f.opts.Encoding == formulate.Indicator
}
func (f *Formulation) hasT() bool { return f.opts.Norm == 2 && f.hasY() && !f.gated() }

// Needs returns what a solver must support for the model, or slightly more: a class with one leaf
// needs neither binary variables nor products.
func (f *Formulation) Needs() formulate.EncodingNeeds {
	needs, _ := encodingNeeds(f.opts.Objective, f.opts.Encoding)
	needs.Quadratic = needs.Quadratic || f.opts.Norm == 2 && f.hasY()
	return needs
}

// ObjectiveUnit returns the training weight of one unit of the objective: the errors of the model,
// of Objective and of Bound are in units of weight.
func (f *Formulation) ObjectiveUnit() float64 { return f.g.unit }

// Objective returns the error of t on the training data, from t's own leaves, in units of weight. A
// tree without a leaf of some class of the data has infinite minimum and product errors.
func (f *Formulation) Objective(t *tree.Tree) float64 { return f.opts.errorOf(t, f.g.ds) }

// value returns the objective of planes, one per decision of the structure, given their activities.
func (f *Formulation) value(act []float64) float64 {
	sum, d := 0.0, f.layout.decisions
	for i := range f.g.n {
		sum += f.g.ds.Weight[i] * f.layout.pointError(f.opts.Objective, f.g.ds.Y[i], act[i*d:(i+1)*d], f.opts.Norm)
	}
	return sum
}

// columns locates the variables of a model. The variables of row i of one kind are consecutive from
// entry i on; -1 if a row has none.
type columns struct {
	w     mio.Col   // (D, p)
	gamma mio.Col   // (D)
	y     []mio.Col // (n) decision errors, in the order of class.slots
	q     []mio.Col // (n) choice among class.leaves
	e     []mio.Col // (n) the row is an error
	t     []mio.Col // (n) leaf errors for p = 2, in the order of class.leaves
	v     []mio.Col // (n) products of the first two, three, ... leaf errors
}

// at returns the variable at a position among a row's variables of one kind.
func at(first mio.Col, pos int) mio.Col { return first + mio.Col(pos) }
