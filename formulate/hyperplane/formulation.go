// Package hyperplane formulates OCT-H, the optimal classification tree with hyperplane
// splits. See [Formulation] for the mathematics.
//
// An encoding is a type of its own on the full tree in heap order: published
// (published.go), soct (soct.go) and served (served.go); what the last two share is in
// tight.go, splits.go and labels.go. Trees are placed in start.go and read in decode.go
// for all of them.
package hyperplane

import (
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Formulation is the optimal classification tree with hyperplane splits (OCT-H):
// Bertsimas & Dunn, Optimal classification trees, Machine Learning 106 (2017),
// section 4. On features scaled to [0, 1], T_B being the branch nodes and T_L the
// leaves of the full tree of depth D, it minimises
//
//	(1/Lhat) error weight + alpha sum_{t in T_B} sum_j s_jt
//
// over trees of splits a_t.x <= b_t - mu (left), a_t.x >= b_t (right) with
// sum_j |a_jt| <= 1, s_jt saying whether a_jt may be nonzero; a split that is not used
// sends all rows one way. An OCT optimum need not be feasible here: its splits may be
// closer than mu. There are two problems, which differ in the rows that must be on one
// side or the other:
//
//   - margin all, the paper's: every row, at every split on its path. Encodings soct,
//     bigm and indicator.
//   - margin right: the rows that are counted right, at every split on their path. A row
//     that is not counted right is an error wherever it lies, also where the tree
//     predicts it rightly with less margin. Encoding served. Its optimum is at most
//     that of margin all, and bounds it; a tree of margin all is one of margin right.
//     Leaves have no least weight.
//
// norm(t) is t without splits that leave a side empty of training rows, its
// hyperplanes rescaled to sum_j |a_j| <= 1 and, where their margin is below mu,
// re-centred on the same features. For the encodings soct and served its subtrees are
// exchanged as they ask for, planes negated (canonical.go), and by label order sibling
// leaves of one label are one.
//
// With margin right norm(t) has the rows that keep the margin in t and are right there,
// or more of them: at each split, from the root, the threshold may move to where the
// most of the weight that t predicts rightly keeps the margin, and the plane is
// re-centred where that keeps all of it. A split that has no such rows on one side is
// left out.
//
// Decode returns data units, thresholds half way between the training rows on the two
// sides, with margin right between those that are right. Its tree is never worse than
// the point, and with margin right its errors on the training rows are no more either.
type Formulation struct {
	*frame
	opts  Options
	on    *constraint.On // the constraints on the merged rows
	model *mio.Model
	enc   encoding
}

// Model returns the program.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *Formulation) Options() Options { return f.opts }

// Tightenings lists the tightenings of the program that are in force.
func (f *Formulation) Tightenings() []string {
	if !FactsOf(f.opts.Encoding).Tightened {
		return nil
	}
	var in []string
	ordered := f.opts.with(LabelOrder) && f.levelsFixed() < f.depth
	for _, name := range Tightenings() {
		switch {
		case !f.opts.with(name) && !(name == IntegralLabels && !f.opts.Constraints.Empty()),
			name == LabelOrder && !ordered,
			name == OneRow && (f.stays != nil || ordered && f.opts.Depth == 1),
			name == IntegralLabels && ordered && f.g.K == 2:
		default:
			in = append(in, name)
		}
	}
	return in
}

// Lattice returns the set of values that the objective can have; nil where the
// weights have no common unit.
func (f *Formulation) Lattice() *verify.Lattice {
	if f.on.FeatureCost != nil {
		return nil
	}
	most := f.branches() * f.p()
	if f.maxSplits > 0 {
		most = min(most, f.maxSplits)
	}
	return f.g.Lattice(f.alpha, most)
}

// Precision says how well solvers can tell the objectives of trees apart.
func (f *Formulation) Precision() verify.Precision {
	sums := FactsOf(f.opts.Encoding).Sums || !f.g.FreeLeaves() || f.opts.Cutoff > 0 || len(f.on.Rows) > 0
	return f.g.Precision(f.alpha, sums)
}

// Objective returns (1/Lhat) error weight + alpha times the number of features
// in all splits of t, on the training data that the program sees. With margin right
// the errors are the rows that are not right with the margin: see [Data.Route].
func (f *Formulation) Objective(t *tree.Tree) float64 {
	if f.opts.Margin == All {
		return f.g.Objective(t, f.alpha, t.Terms()) + f.on.Price(t)
	}
	right, w := f.Route(t), 0.0
	for _, i := range f.seen() {
		if !right[i] {
			w += f.g.W[i]
		}
	}
	return tree.Objective(w, f.g.Lhat, f.alpha, t.Terms())
}

// seen are the rows that the program sees.
func (f *Formulation) seen() []int {
	if f.opts.Rows == nil {
		return f.all()
	}
	rows := make([]int, len(f.opts.Rows))
	for k, i := range f.opts.Rows {
		rows[k] = int(i)
	}
	return rows
}
