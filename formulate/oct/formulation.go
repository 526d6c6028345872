// Package oct formulates OCT, the optimal classification tree with univariate splits.
// See [Formulation] for the mathematics.
//
// An encoding is a type of its own on the same heap of nodes: threshold (threshold.go)
// with one of the last levels of stumplevels.go, labelled.go and members.go, and bigM
// (bigm.go). Placing and re-optimising trees is written once (start.go).
package oct

import (
	"math"

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
