// Package oct formulates OCT, the optimal classification tree with univariate splits.
// See [Formulation] for the mathematics.
//
// An encoding is a type of its own on the same heap of nodes: threshold (threshold.go)
// with one of the last levels of stumps.go and chainlevels.go, and bigM (bigm.go). Placing
// and re-optimising trees is written once (start.go).
package oct

import (
	"math"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Formulation is the optimal classification tree with univariate splits (OCT):
// Bertsimas & Dunn, Optimal classification trees, Machine Learning 106 (2017),
// problem (24). With T_B the branch nodes 1..2^D-1 and T_L the leaves 2^D..2^(D+1)-1 of
// the full tree in heap order, omega_i the weight of row i, W their sum, and
// Lhat the baseline error, it minimises
//
//	(1/Lhat) sum_{t in T_L} L_t + alpha sum_{t in T_B} d_t
//
// over univariate trees of depth at most D whose nonempty leaves weigh at least
// N_min, with at most C splits: L_t is the misclassified weight at leaf t, d_t
// says that node t splits. With costs of answers (dataset.Dataset.Cost) the first sum is
// what predictions cost above the cheapest answer of each row, and Lhat the least such sum
// of a single leaf; those encodings have it in which every row has its prediction.
//
// norm(t), the tree a start stands for, is t without splits that leave a side
// empty of training rows. In the threshold encoding sibling leaves of equal
// label are also merged and, where N_min <= min omega_i, the splits of the last
// level (depth D-1) are re-optimised exactly given the routing by the upper
// ones, as Decode does. In bigm-published leaves get their heaviest class.
type Formulation struct {
	opts  Options
	facts Facts // of the encoding
	g     *grid.Grid
	on    *constraint.On // the constraints on the grid's rows
	model *mio.Model
	enc   encoding
}

// Model returns the program.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults filled in.
func (f *Formulation) Options() Options { return f.opts }

// Tightenings lists those of the encoding threshold that are in force.
func (f *Formulation) Tightenings() []string { return f.enc.tightenings() }

// Lhat returns the baseline error W - max_k W_k; with costs, what the best single leaf costs.
func (f *Formulation) Lhat() float64 { return f.g.Baseline() }

// Bound returns a lower bound on the objective of every tree: the errors, or costs, that
// rows with equal features and different classes force on any of them. -Inf for
// bigm-published, whose optimum can be below that of any tree.
func (f *Formulation) Bound() float64 {
	if f.facts.BelowTrees {
		return math.Inf(-1)
	}
	return f.g.Bound()
}

// Lattice returns the set of values that the objective can have; nil where the
// weights, or costs, have no common unit, for bigm-published, and where columns have prices.
func (f *Formulation) Lattice() *verify.Lattice {
	if f.facts.BelowTrees || f.on.FeatureCost != nil {
		return nil
	}
	most := 1<<f.opts.Depth - 1
	if f.opts.MaxSplits > 0 {
		most = min(most, f.opts.MaxSplits)
	}
	return f.g.Lattice(f.opts.Alpha, most)
}

// Precision says how well solvers can tell the objectives of trees apart.
func (f *Formulation) Precision() verify.Precision {
	p := f.g.Precision(f.opts.Alpha, f.facts.Sums || len(f.on.Rows) > 0)
	if p.Loose != "" {
		p.Loose += "; the engine search and method treesearch have no such tolerances"
	}
	return p
}

// Objective returns (1/Lhat) error weight, or cost, + alpha splits of t on the training
// data.
func (f *Formulation) Objective(t *tree.Tree) float64 {
	return f.g.Objective(t, f.opts.Alpha, t.Splits()) + f.on.Price(t)
}

// Scale says how features are mapped to [0, 1] in the big-M encodings.
type Scale string

const (
	// RankScale maps a value to its rank among the feature's distinct values,
	// divided by their number less one. The trees are the same, since
	// univariate splits are invariant under monotone maps, and the least gap
	// between values is far above solver tolerances. The default.
	RankScale Scale = "rank"
	// MinMaxScale is the paper's linear scaling.
	MinMaxScale Scale = "minmax"
)

// Options are the parameters of OCT. The zero value, with Depth set, is the
// threshold encoding with all tightenings, alpha 0 and no limits.
type Options struct {
	Depth     int     // D >= 1, levels of branch nodes
	Alpha     float64 // price of a split in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, least training weight of a nonempty leaf, >= 0
	MaxSplits int     // C, most splits; 0 means no limit
	Encoding  formulate.Encoding
	Scale     Scale // big-M encodings only
	Tighten   Tightenings
	// Constraints are what trees must keep on the data, nil for nothing.
	Constraints *constraint.Set

	OmitNames bool // leave columns and rows unnamed, for in-process solving

	// Training is the data that Build is given, laid out already; not written to. Nil:
	// Build lays it out.
	Training *tree.Training

	// Warn, where not nil, is told before building what Inspect warns of.
	Warn func(string)
}

// predicts reports whether the program has the prediction of every row: constraints, and
// costs of answers, are of them.
func (o Options) predicts(g *grid.Grid) bool { return !o.Constraints.Empty() || g.Cost != nil }

// Tightenings switches off parts of the threshold encoding; the zero value has
// all that are exact for the options and data at hand. The comments in
// threshold.go and stumps.go say when each is exact and why.
type Tightenings struct {
	NoContinuousLast bool `json:"no_continuous_last,omitempty"` // keep last-level w binary
	NoThinLast       bool `json:"no_thin_last,omitempty"`       // keep all last-level thresholds
	NoSiblingLabels  bool `json:"no_sibling_labels,omitempty"`  // let sibling leaves share a label
	NoGroupPoints    bool `json:"no_group_points,omitempty"`    // route rows with equal features one by one
	NoLabelPairs     bool `json:"no_label_pairs,omitempty"`     // separate label variables at the last level
	NoBlocks         bool `json:"no_blocks,omitempty"`          // chains instead of blocks of thresholds, with label pairs
}

// encoding is one way to write OCT as a program.
type encoding interface {
	build(b *mio.Builder)
	size() formulate.Size
	start(h *heapTree) []float64
	// decode reads the branch nodes of a point, and the labels where they
	// matter; it reports fractional splits and contradictory routing.
	decode(values []float64) (*heapTree, error)
	// tightenings lists those of the encoding threshold that are in force.
	tightenings() []string
	// norm says what norm(t) is.
	norm() norm
	// describe fills in what only the encoding knows, of a model whose size and rows are
	// there.
	describe(in *Inspection)
}

// norm is what an encoding makes of a tree before it is placed.
type norm struct {
	merges      bool // sibling leaves of equal label are one
	reoptimises bool // the last level becomes the best one, in Decode too
	relabels    bool // leaves get their heaviest class
}

// kind is an encoding as the formulation knows it.
type kind struct {
	name formulate.Encoding
	Facts
	// lay lays it out for data; the options are valid and filled in.
	lay func(g *grid.Grid, o Options) (encoding, error)
}

// Facts are what is true of an encoding, whatever the data.
type Facts struct {
	Scaled      bool   // on features scaled to [0, 1]: Options.Scale is for it
	Tightened   bool   // Options.Tighten is for it
	Sums        bool   // has rows of the weights of all rows, which weights far apart make imprecise
	Indicators  bool   // has indicator rows
	Constrained bool   // every row can have its prediction: trees may have constraints, answers costs
	FreeLeaves  bool   // cannot keep a least leaf above the weight of the lightest row, nor a purity of leaves
	BelowTrees  bool   // its optimum can be below that of any tree, and so proves nothing of trees
	Warning     string // worth saying before it is built; "" for nothing
}

// Inspection is what can be said of an OCT model before it is built.
type Inspection struct {
	Encoding    formulate.Encoding `json:"encoding"`
	Size        formulate.Size     `json:"size"`
	Memory      int64              `json:"memory_bytes"` // bytes of the built model, without names
	MPSBytes    int64              `json:"mps_bytes"`    // rough size of the MPS file, free format, without gzip
	Tightenings []string           `json:"tightenings,omitempty"`

	Rows              int     `json:"rows"`               // training rows
	MergedRows        int     `json:"merged_rows"`        // after merging equal (x, y)
	Points            int     `json:"points"`             // different x
	Features          int     `json:"features"`           // after encoding
	Varying           int     `json:"varying_features"`   // those with at least two values
	Thresholds        int     `json:"thresholds"`         // candidates over all features
	Baseline          float64 `json:"baseline"`           // Lhat, error weight or cost of the single leaf
	UnavoidableWeight float64 `json:"unavoidable_weight"` // error weight or cost that no tree can avoid
	UnavoidableErrors float64 `json:"unavoidable_errors"` // the same in rows

	// Of the big-M encodings; zero for threshold, which has neither.
	EpsMin float64 `json:"epsilon_min,omitempty"` // least gap between scaled values
	EpsMax float64 `json:"epsilon_max,omitempty"` // largest one
	MMin   float64 `json:"big_m_min,omitempty"`   // range of the big-M constants
	MMax   float64 `json:"big_m_max,omitempty"`

	Proof    string   `json:"proof"`              // whether a proof of optimality is realistic, and why
	Warnings []string `json:"warnings,omitempty"` // worth saying before building
}

// work is what a proof takes, in units in which encodings were measured: it grows with
// upper-level binaries times rows.
func (in *Inspection) work() float64 { return float64(in.Size.Binaries) * float64(in.MergedRows) }
