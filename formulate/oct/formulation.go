// Package oct formulates OCT, the optimal classification tree with univariate splits. See
// [Formulation] for the mathematics.
//
// Each of the seven encodings is a type on the same heap of nodes: threshold (threshold.go, with one
// of the last levels of stumps.go and chainlevels.go), flow, cut and binoct in files of their names,
// and bigm, indicator and published in bigm.go. build.go lists them. start.go places and
// re-optimises trees for all of them.
package oct

import (
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/grid"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Formulation is the optimal classification tree with univariate splits (OCT): Bertsimas & Dunn,
// Optimal classification trees, Machine Learning 106 (2017), problem (24). Let T_B be the branch
// nodes 1..2^D-1 and T_L the leaves 2^D..2^(D+1)-1 of the full tree in heap order, omega_i the
// weight of row i, W their sum, and Lhat the baseline error. It minimises
//
//	(1/Lhat) sum_{t in T_L} L_t + alpha sum_{t in T_B} d_t
//
// over univariate trees of depth at most D whose nonempty leaves weigh at least N_min, with at most
// C splits. L_t is the misclassified weight at leaf t, and d_t is 1 if node t splits. With
// prediction costs (dataset.Dataset.Cost), the first sum is the cost of the predictions above the
// cheapest prediction of each row, and Lhat the minimum of this sum over single leaves; the
// encodings in which every row has its prediction support costs.
//
// norm(t), the tree of a warm start, is t without splits that leave a side empty of training rows.
// In the threshold encoding, sibling leaves with equal labels are also merged and, if N_min <= min
// omega_i, the splits of the last level (depth D-1) are re-optimised exactly given the routing by
// the upper splits, as in Decode. In bigm-published, leaves get their heaviest class.
type Formulation struct {
	opts  Options
	facts Facts // of the encoding
	g     *grid.Grid
	on    *constraint.On // constraints on the grid's rows
	model *mio.Model
	enc   encoding
}

// Model returns the model.
func (f *Formulation) Model() *mio.Model { return f.model }

// Options returns the options with their defaults.
func (f *Formulation) Options() Options { return f.opts }

// Tightenings lists the active tightenings of the encoding threshold.
func (f *Formulation) Tightenings() []string { return f.enc.tightenings() }

// Lhat returns the baseline error W - max_k W_k; with costs, the cost of the best single leaf.
func (f *Formulation) Lhat() float64 { return f.g.Baseline() }

// Bound returns a lower bound on the objective of every tree: the errors, or costs, forced by rows
// with equal features and different classes. It is -Inf for bigm-published, whose optimum can be
// below the objective of any tree.
func (f *Formulation) Bound() float64 {
	if f.facts.BelowTrees {
		return math.Inf(-1)
	}
	return f.g.Bound()
}

// Integral reports whether the start of every tree is integral: see formulate.EncodingNeeds.
func (f *Formulation) Integral() bool {
	fraction := func(w float64) bool { return w != math.Trunc(w) }
	return f.facts.Integral && !(f.facts.Sums && slices.ContainsFunc(f.g.W, fraction))
}

// Lattice returns the set of values that the objective can have; nil if the weights, or costs, have
// no common unit, for bigm-published, and if columns have prices.
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

// Precision returns how well solvers can distinguish the objectives of trees.
func (f *Formulation) Precision() verify.Precision {
	p := f.g.Precision(f.opts.Alpha, f.facts.Sums || len(f.on.Rows) > 0)
	if p.Loose != "" {
		p.Loose += "; the engine search and the method treesearch have no such tolerances"
	}
	return p
}

// Objective returns (1/Lhat) error weight, or cost, + alpha splits of t on the training data.
func (f *Formulation) Objective(t *tree.Tree) float64 {
	return f.g.Objective(t, f.opts.Alpha, t.Splits()) + f.on.Price(t)
}

// Scale is the way to map features to [0, 1] in the big-M encodings.
type Scale string

const (
	// RankScale maps a value to its rank among the feature's distinct values, divided by their
	// number minus one. The trees are the same, since univariate splits are invariant under
	// monotone maps, and the minimum gap between values is far above solver tolerances. It is the
	// default.
	RankScale Scale = "rank"
	// MinMaxScale is the paper's linear scaling.
	MinMaxScale Scale = "minmax"
)

// Options are the parameters of OCT. The zero value with Depth set is the threshold encoding with
// all tightenings, alpha 0 and no limits.
type Options struct {
	Depth     int     // D >= 1, levels of branch nodes
	Alpha     float64 // complexity parameter: penalty per split in units of the baseline error, >= 0
	MinLeaf   float64 // N_min, minimum training weight of a nonempty leaf, >= 0
	MaxSplits int     // C, maximum number of splits; 0 means no limit
	Encoding  formulate.Encoding
	Scale     Scale // big-M encodings only
	Tighten   Tightenings
	// Constraints are constraints on the trees over the data, nil for none.
	Constraints *constraint.Set

	// Below are lower bounds on the subtrees below the root, as two more rows of the encodings threshold and flow; nil
	// for none. Pairs adds a row for each pair of near rows of different classes: see pairs.go.
	Below *Below
	Pairs bool

	OmitNames bool // leave variables and constraints unnamed, for in-process solving

	// Training is the layout of the data passed to Build, which only reads it. nil: Build lays out
	// the data.
	Training *tree.Training

	// Warn, if not nil, receives the warnings of Inspect before the model is built.
	Warn func(string)
}

// Below are lower bounds on the objectives of the two subtrees below the root, for each of its splits: (1/Lhat)
// errors + alpha splits of any tree of D - 1 levels on the rows that go left, or right. Left[j][c] is that of
// feature j split at the threshold of rank c, below its c-th distinct value counted from 0; c = 0 is not used. (p)
// The caller keeps the slices.
type Below struct {
	Left, Right [][]float64
}

// predicts reports whether the model needs the prediction of every row, for constraints or
// prediction costs.
func (o Options) predicts(g *grid.Grid) bool { return !o.Constraints.Empty() || g.Cost != nil }

// Tightenings switches off parts of the threshold encoding; the zero value has all that are exact
// for the options and data. The comments in threshold.go and stumps.go prove when each is exact.
type Tightenings struct {
	NoContinuousLast bool `json:"no_continuous_last,omitempty"` // keep last-level w binary
	NoThinLast       bool `json:"no_thin_last,omitempty"`       // keep all last-level thresholds
	NoSiblingLabels  bool `json:"no_sibling_labels,omitempty"`  // let sibling leaves have the same label
	NoGroupPoints    bool `json:"no_group_points,omitempty"`    // route rows with equal features one by one
	NoLabelPairs     bool `json:"no_label_pairs,omitempty"`     // separate label variables at the last level
	NoBlocks         bool `json:"no_blocks,omitempty"`          // chains instead of blocks of thresholds, with label pairs
}

// encoding is one way to formulate OCT.
type encoding interface {
	build(b *mio.Builder)
	size() formulate.Size
	start(h *heapTree) []float64
	// decode reads the branch nodes of a point, and the labels if they matter; it returns an error
	// for fractional splits and contradictory routing.
	decode(values []float64) (*heapTree, error)
	// tightenings lists the active tightenings of the encoding threshold.
	tightenings() []string
	// norm defines norm(t).
	norm() norm
	// describe sets what only the encoding knows about a model whose size and rows are set.
	describe(in *Inspection)
}

// norm is the normalisation of a tree before it is placed.
type norm struct {
	merges      bool // sibling leaves with equal labels are merged
	reoptimises bool // the last level is optimised, in Decode as well
	relabels    bool // leaves get their heaviest class
}

// kind is an encoding with its properties.
type kind struct {
	name formulate.Encoding
	Facts
	// lay lays the encoding out for data; the options are valid and have their defaults.
	lay func(g *grid.Grid, o Options) (encoding, error)
}

// Facts are properties of an encoding for all data.
type Facts struct {
	Scaled      bool   // uses features scaled to [0, 1], with Options.Scale
	Tightened   bool   // uses Options.Tighten
	Stronger    bool   // has the rows of Options.Below and Pairs
	Sums        bool   // has constraints over the weights of all rows, which very different weights make imprecise
	Indicators  bool   // has indicator constraints
	Constrained bool   // every row can have its prediction: supports constraints and prediction costs
	FreeLeaves  bool   // supports no minimum leaf weight above that of the lightest row, and no leaf purity
	Integral    bool   // the start of every tree is integral; if Sums, for weights that are whole numbers
	BelowTrees  bool   // its optimum can be below the objective of any tree, and so proves nothing about trees
	Warning     string // to be shown before the model is built; "" for none
}

// Inspection describes an OCT model before it is built.
type Inspection struct {
	Encoding    formulate.Encoding `json:"encoding"`
	Size        formulate.Size     `json:"size"`
	Memory      int64              `json:"memory_bytes"` // bytes of the built model, without names
	MPSBytes    int64              `json:"mps_bytes"`    // rough size of the MPS file, free format, without gzip
	Tightenings []string           `json:"tightenings,omitempty"`

	Rows              int     `json:"rows"`               // training rows
	MergedRows        int     `json:"merged_rows"`        // after merging rows of equal features and class
	Points            int     `json:"points"`             // distinct feature vectors
	Features          int     `json:"features"`           // after encoding
	Varying           int     `json:"varying_features"`   // features with at least two values
	Thresholds        int     `json:"thresholds"`         // candidates over all features
	Baseline          float64 `json:"baseline"`           // Lhat, error weight or cost of the single leaf
	UnavoidableWeight float64 `json:"unavoidable_weight"` // error weight or cost that every tree has
	UnavoidableErrors float64 `json:"unavoidable_errors"` // the same as a number of rows

	// For the big-M encodings; zero for the others.
	EpsMin float64 `json:"epsilon_min,omitempty"` // minimum gap between scaled values
	EpsMax float64 `json:"epsilon_max,omitempty"` // maximum gap
	MMin   float64 `json:"big_m_min,omitempty"`   // range of the big-M constants
	MMax   float64 `json:"big_m_max,omitempty"`

	Proof    string   `json:"proof"`              // whether a proof of optimality is realistic, and why
	Warnings []string `json:"warnings,omitempty"` // to be shown before building
}

// work returns the effort of a proof in the unit of the measurements of encodings: upper-level
// binaries times rows.
func (in *Inspection) work() float64 { return float64(in.Size.Binaries) * float64(in.MergedRows) }
