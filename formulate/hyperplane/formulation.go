// Package hyperplane formulates OCT-H, the optimal classification tree with hyperplane splits. See
// [Formulation] for the mathematics.
//
// Each encoding is a type on the full tree in heap order: published (published.go), soct (soct.go)
// and served (served.go). Code shared by the last two is in tight.go and splits.go; points.go
// converts trees for all of them.
package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Formulation is the optimal classification tree with hyperplane splits (OCT-H): Bertsimas & Dunn,
// Optimal classification trees, Machine Learning 106 (2017), section 4. On features scaled to [0,
// 1], with the branch nodes T_B and the leaves T_L of the full tree of depth D, it minimises
//
//	(1/Lhat) error weight + alpha sum_{t in T_B} sum_j s_jt
//
// over trees of splits a_t.x <= b_t - mu (left), a_t.x >= b_t (right) with sum_j |a_jt| <= 1, where
// s_jt is 1 if a_jt may be nonzero; an unused split sends all rows to one side. An OCT optimum need
// not be feasible here, since its splits may have a margin below mu. There are two problems, which
// differ in the rows that must keep the margin:
//
//   - margin all, the paper's problem: every row, at every split on its path. Encodings soct,
//     bigm and indicator.
//   - margin right: the rows that count as correct, at every split on their path. All other rows
//     count as errors, wherever they are, even if the tree predicts them correctly with a smaller
//     margin. Encoding served. Its optimum is at most that of margin all, and so a lower bound;
//     every tree of margin all is a tree of margin right. Leaves have no minimum weight.
//
// norm(t) is t without splits that leave a side empty of training rows, with its hyperplanes
// rescaled to sum_j |a_j| <= 1 and, if their margin is below mu, re-centred on the same features.
// For the encodings soct and served, subtrees are swapped and hyperplanes negated as these require
// (tight.go), and label order merges sibling leaves of one label.
//
// With margin right, the correct rows of norm(t) are those that t classifies correctly with the
// margin, or more. At each split, from the root, the threshold may move to where the largest weight
// of rows that t classifies correctly keeps the margin; the hyperplane is re-centred if that keeps
// all of it. A split without such rows on one side is dropped.
//
// Decode returns data units, with thresholds halfway between the training rows on the two sides;
// with margin right, between the correct ones. Its tree is never worse than the point, and with
// margin right its number of errors on the training rows is no larger either.
type Formulation struct {
	*frame
	opts  Options
	on    *constraint.On // constraints on the merged rows
	model *mio.Model
	enc   encoding
}

// Model returns the model.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults.
func (f *Formulation) Options() Options { return f.opts }

// Tightenings lists the active tightenings of the model.
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

// Lattice returns the set of values that the objective can have; nil if the weights have no common
// unit.
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

// Precision returns how well solvers can distinguish the objectives of trees.
func (f *Formulation) Precision() verify.Precision {
	sums := FactsOf(f.opts.Encoding).Sums || !f.g.FreeLeaves() || f.opts.Cutoff > 0 || len(f.on.Rows) > 0
	return f.g.Precision(f.alpha, sums)
}

// Objective returns (1/Lhat) error weight + alpha times the number of features in all splits of t,
// on the training rows of the model. With margin right, the errors are the rows that are not
// correct with the margin: see [Data.Route].
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

// seen returns the rows of the model.
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

// encoding is one way to formulate OCT-H.
type encoding interface {
	build(b *mio.Builder)
	size() formulate.Size
	start(h *heapTree) []float64
	// decode reads a point; it computes the paths of rows lazily.
	decode(values []float64) (*solution, error)
}

// heapTree is a hyperplane tree over the full tree in heap order, with the rows in its leaves.
type heapTree struct {
	planes []*plane // (T) nil if a branch node does not split
	label  []int32  // (2T) of the leaves
	at     []int    // (n) leaf of each merged row; with margin right 0 for rows that are not correct
}

// solution is the tree of a point.
type solution struct {
	planes []*plane                 // (T) nil if a branch node does not split
	label  []int32                  // (2T) of the leaves; -1 if the point has none
	rows   []int                    // rows that have a leaf
	holds  func(row, leaf int) bool // whether the row is in the leaf

	labelled bool // every leaf with rows has a label; the most frequent class does not replace a missing one
}

// fixed holds the fixed splits over the full tree in heap order: at node t, a split on some of the
// features that sends given rows to each side. The model chooses its weights and threshold, which
// must keep the margin.
type fixed struct {
	features [][]bool // (T, active features) that the split at a branch node may use; nil without a fixed split
	levels   int      // of fixed splits
	at       []int    // (n) the node below the fixed splits that a merged row reaches
}

// frame is shared by the encodings: the data, the full tree of depth D in heap order and its
// limits.
type frame struct {
	*Data
	depth, maxSplits int
	alpha            float64
	stays            *fixed // fixed splits; nil for none
}

// levelsFixed returns the number of levels with fixed splits.
func (f *frame) levelsFixed() int {
	if f.stays == nil {
		return 0
	}
	return f.stays.levels
}

// branches returns the number of branch nodes, leaves the number of leaves, last the first node of
// the last level.
func (f *frame) branches() int { return 1<<f.depth - 1 }
func (f *frame) leaves() int   { return 1 << f.depth }
func (f *frame) last() int     { return 1 << (f.depth - 1) }

// all returns all merged rows.
func (f *frame) all() []int {
	rows := make([]int, f.g.N)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// newHeap returns a heap without splits and rows.
func (f *frame) newHeap() *heapTree {
	return &heapTree{planes: make([]*plane, f.leaves()), label: make([]int32, 2*f.leaves()), at: make([]int, f.g.N)}
}

// setLeaf places leaf i of c, reached by the given rows, at node n as the rightmost leaf below.
func (f *frame) setLeaf(h *heapTree, c *tree.Tree, i, n int, rows []int) {
	for n < f.leaves() {
		n = 2*n + 1
	}
	h.label[n] = int32(c.Nodes[i].Class)
	for _, r := range rows {
		h.at[r] = n
	}
}

// tooDeep returns an error for split i of a tree at heap node n if n is a leaf.
func (f *frame) tooDeep(i, n int) error {
	if n < f.leaves() {
		return nil
	}
	return point.NoStart(i, "the split is at depth %d, the maximum is %d levels", f.depth+1, f.depth)
}
