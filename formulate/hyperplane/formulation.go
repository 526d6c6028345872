// Package hyperplane formulates OCT-H, the optimal classification tree with hyperplane
// splits. See [Formulation] for the mathematics.
//
// An encoding is a type of its own on the full tree in heap order: published
// (published.go), soct (soct.go) and served (served.go); what the last two share is in
// tight.go and splits.go. Trees are placed and read in points.go for all of them.
package hyperplane

import (
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/point"
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
// exchanged as they ask for, planes negated (tight.go), and by label order sibling
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

// encoding is one way to write OCT-H as a program.
type encoding interface {
	build(b *mio.Builder)
	size() formulate.Size
	start(h *heapTree) []float64
	// decode reads a point; what the path of a row is, only when asked.
	decode(values []float64) (*solution, error)
}

// heapTree is a tree of hyperplanes over the full tree in heap order, with the rows in
// its leaves.
type heapTree struct {
	planes []*plane // (T) nil where a branch node does not split
	label  []int32  // (2T) of the leaves
	at     []int    // (n) leaf of each merged row; with margin right 0 for rows that are not right
}

// solution is what a point says of a tree.
type solution struct {
	planes []*plane                 // (T) nil where a branch node does not split
	label  []int32                  // (2T) of the leaves; -1 where the point has none
	rows   []int                    // those that have a leaf
	holds  func(row, leaf int) bool // whether the leaf is that of the row

	labelled bool // every leaf with rows has a label: the commonest class is none
}

// fixed are the splits that stay, over the full tree in heap order: at node t a split of
// some of the features, which sends given rows each way. Its weights and threshold are the
// program's, which has them keep the margin.
type fixed struct {
	features [][]bool // (T, active features) that the split at a branch node may use; nil where none stays
	levels   int      // of splits that stay
	at       []int    // (n) the node below them that a merged row reaches
}

// frame is what the encodings share: the data, the full tree of depth D in heap order
// and the limits on it.
type frame struct {
	*Data
	depth, maxSplits int
	alpha            float64
	stays            *fixed // splits that stay; nil for none
}

// levelsFixed is the number of levels with splits that stay.
func (f *frame) levelsFixed() int {
	if f.stays == nil {
		return 0
	}
	return f.stays.levels
}

// branches is the number of branch nodes, leaves that of leaves, last the first node
// of the last level.
func (f *frame) branches() int { return 1<<f.depth - 1 }
func (f *frame) leaves() int   { return 1 << f.depth }
func (f *frame) last() int     { return 1 << (f.depth - 1) }

// all are all merged rows.
func (f *frame) all() []int {
	rows := make([]int, f.g.N)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// newHeap is a heap without splits and rows.
func (f *frame) newHeap() *heapTree {
	return &heapTree{planes: make([]*plane, f.leaves()), label: make([]int32, 2*f.leaves()), at: make([]int, f.g.N)}
}

// setLeaf lays leaf i of c at node n, reached by the given rows, as the rightmost leaf
// below.
func (f *frame) setLeaf(h *heapTree, c *tree.Tree, i, n int, rows []int) {
	for n < f.leaves() {
		n = 2*n + 1
	}
	h.label[n] = int32(c.Nodes[i].Class)
	for _, r := range rows {
		h.at[r] = n
	}
}

// tooDeep refuses split i of a tree at heap node n, if that is a leaf.
func (f *frame) tooDeep(i, n int) error {
	if n < f.leaves() {
		return nil
	}
	return point.NoStart(i, "the split is at depth %d, at most %d levels are allowed", f.depth+1, f.depth)
}
