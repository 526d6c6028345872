// Package formulate defines what all formulations have in common. A formulation turns labelled data
// into a mathematical program whose solutions are decision trees, trees into warm starts for it,
// and solutions back into trees: see [Formulation].
//
// Each family of problems has its own package, whose options have a Build method that returns the
// formulation:
//
//	formulate/oct         OCT: univariate splits, proved optimal (Bertsimas & Dunn 2017)
//	formulate/hyperplane  OCT-H: the same with hyperplane splits
//	formulate/linear      RLP, FM, LFM: one linear split (Bennett, Bredensteiner)
//	formulate/ort         ORT: regression trees, squared, absolute or quantile loss (Bertsimas, Dunn & Paschalidis 2017)
//	formulate/gto         GTO: all splits of a given structure (Bennett & Blue 1996)
//
// Shared code is in formulate/internal: the data as merged rows and ranks, the leaves of big-M
// models, building a model of a known size, reading its points.
package formulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// MaxDepth is the maximum depth of trees in a formulation: 2^16 leaves.
const MaxDepth = 16

// Formulation is a model of a tree-building problem with the conversions between trees and points
// of the model.
//
// For every tree t that the model admits, let norm(t) be the equivalent tree that the model can
// express (see the comment of each formulation). Then Start(t) satisfies Model, the model's
// objective there is Objective(norm(t)) <= Objective(t), and Decode(Start(t)) has the predictions
// of norm(t) on the training rows.
type Formulation interface {
	// Model returns the model. It is built once and shared.
	Model() *mio.Model
	// Start returns the feasible point of Model for norm(t). For a tree outside the model it
	// returns an error that wraps ErrNoStart and names the node.
	Start(ctx context.Context, t *tree.Tree) ([]float64, error)
	// Decode returns the tree of a feasible point of Model, in the data's units, never worse than
	// the point by Objective. For a point whose routing contradicts its own splits it returns an
	// error that wraps ErrDecode.
	Decode(values []float64) (*tree.Tree, error)
	// Objective returns the objective of a tree on the training data, computed from the tree alone.
	Objective(t *tree.Tree) float64
}

var (
	// ErrNoStart is wrapped by Start for a tree outside the model.
	ErrNoStart = errors.New("the tree is outside the model")
	// ErrDecode is wrapped by Decode for a point that is not a tree.
	ErrDecode = errors.New("the solution is not a tree")
	// ErrSingleLeaf is wrapped by Build if the single leaf is optimal for all options, so that
	// there is nothing to formulate.
	ErrSingleLeaf = errors.New("the single leaf is optimal")
	// ErrNeedsLP is wrapped by Build if the options require the solution of a linear program over
	// the data, but there is no mio.SolveFunc.
	ErrNeedsLP = errors.New("a solver for linear programs is required")
)

// NoStartError names the node at which a tree is outside the model; it wraps ErrNoStart. Nodes are
// those of the tree without its vacuous splits (tree.Collapse).
type NoStartError struct {
	Node   int
	Reason string
}

func (e *NoStartError) Error() string {
	return fmt.Sprintf("formulate: %v: node %d: %s", ErrNoStart, e.Node, e.Reason)
}

func (e *NoStartError) Unwrap() error { return ErrNoStart }

// Encoding is the name of a way to formulate a problem.
type Encoding string

// Encodings shared by several packages of problems; each package names its own encodings and lists
// all that it has.
const (
	// BigM is the paper's formulation: for OCT, problem (24) with the corrected left-branch
	// constraint.
	BigM Encoding = "bigm"
	// MIO uses binary choices and a big-M for everything that is not chosen. It is the default of
	// FM, LFM and GTO.
	MIO Encoding = "mio"
	// Indicator is BigM or MIO with indicator constraints instead of a big-M, for solvers that
	// support them.
	Indicator Encoding = "indicator"
	// Bilinear is the paper's own problem: a product in the objective instead of integrality, for
	// solvers of nonconvex quadratic programs.
	Bilinear Encoding = "bilinear"
)

// EncodingNeeds lists what a solver must support for an encoding of a form, besides continuous
// linear programs.
type EncodingNeeds struct {
	Form      string // as on the command line
	Encoding  Encoding
	Discrete  bool // binary variables
	Quadratic bool // nonconvex quadratic terms
	Convex    bool // convex quadratic terms of the objective, of some losses
	QuadRows  bool // some of them in constraints
	Indicator bool // indicator constraints
	SOS       bool // SOS1 sets

	// Integral says that every start of a tree is integral, so that continuous variables may be
	// declared integer: by the contract of Formulation some optimum of the model is the start of a
	// tree. Of binoct only for weights that are whole numbers.
	Integral bool
}

// Size is the size of a model, known in closed form before the model is built.
type Size struct {
	Rows     int64 `json:"rows"`
	Cols     int64 `json:"columns"`
	Binaries int64 `json:"binaries"`
	Nonzeros int64 `json:"nonzeros"`
}

// Add adds o to s.
func (s *Size) Add(o Size) {
	s.Rows += o.Rows
	s.Cols += o.Cols
	s.Binaries += o.Binaries
	s.Nonzeros += o.Nonzeros
}

// Times returns s n times.
func (s Size) Times(n int) Size {
	m := int64(n)
	return Size{m * s.Rows, m * s.Cols, m * s.Binaries, m * s.Nonzeros}
}
