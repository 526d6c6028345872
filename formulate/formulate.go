// Package formulate is what all formulations have in common. A formulation turns
// labelled data into a mathematical program whose solutions are decision trees,
// trees into starts for it, and solutions back into trees: see [Formulation].
//
// Each family of problems has a package of its own, with options whose Build gives
// the formulation:
//
//	formulate/oct         OCT: univariate splits, proved optimal (Bertsimas & Dunn 2017)
//	formulate/hyperplane  OCT-H: the same with hyperplane splits
//	formulate/linear      RLP, FM, LFM: one linear split (Bennett, Bredensteiner)
//	formulate/gto         GTO: all splits of a given structure (Bennett & Blue 1996)
//
// What they share is below formulate/internal: the data as merged rows and ranks, the
// leaves of big-M models, building a model of a known size, reading its points.
package formulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// MaxDepth is the greatest depth of trees that is formulated: 2^16 leaves.
const MaxDepth = 16

// Formulation is a model of a tree-building problem together with the two ways
// between trees and points of the model.
//
// For every tree t that the model admits, with norm(t) the equivalent tree the
// model can express (see the formulation's own comment): Start(t) satisfies
// Model, the model's objective there is Objective(norm(t)) <= Objective(t), and
// Decode(Start(t)) predicts as norm(t) on the training rows.
type Formulation interface {
	// Model returns the program. It is built once and shared.
	Model() *mio.Model
	// Start returns a feasible point of Model that stands for norm(t). A tree
	// outside the model is an error that wraps ErrNoStart and names the node.
	Start(ctx context.Context, t *tree.Tree) ([]float64, error)
	// Decode returns the tree that a feasible point of Model stands for, in
	// the data's units, never worse than the point by Objective. A point whose
	// routing contradicts its own splits is an error that wraps ErrDecode.
	Decode(values []float64) (*tree.Tree, error)
	// Objective returns the objective of a tree on the training data, computed
	// from the tree alone.
	Objective(t *tree.Tree) float64
}

var (
	// ErrNoStart is wrapped by Start for a tree outside the model.
	ErrNoStart = errors.New("the tree is outside the model")
	// ErrDecode is wrapped by Decode for a point that is not a tree.
	ErrDecode = errors.New("the solution is not a tree")
	// ErrSingleLeaf is wrapped by Build where the single leaf is optimal
	// whatever the options, so that there is nothing to formulate.
	ErrSingleLeaf = errors.New("the single leaf is optimal")
	// ErrNeedsLP is wrapped by Build where the options ask for something that only
	// a linear program over the data can give, and there is no mio.SolveFunc.
	ErrNeedsLP = errors.New("a solver of linear programs is needed")
)

// NoStartError says which node of a tree is outside the model; it wraps
// ErrNoStart. Nodes are those of the tree without its vacuous splits
// (tree.Collapse).
type NoStartError struct {
	Node   int
	Reason string
}

func (e *NoStartError) Error() string {
	return fmt.Sprintf("formulate: %v: node %d: %s", ErrNoStart, e.Node, e.Reason)
}

func (e *NoStartError) Unwrap() error { return ErrNoStart }

// Encoding names how a problem is written as a program.
type Encoding string

// The encodings that several packages of problems have; what only one has is named
// there. Each package lists its own.
const (
	// BigM is the paper's problem: of OCT, problem (24) with the corrected
	// left-branch row.
	BigM Encoding = "bigm"
	// MIO chooses by binaries, and bounds what was not chosen by a big-M. The
	// default of FM, LFM and GTO.
	MIO Encoding = "mio"
	// Indicator is BigM or MIO with indicator rows instead of a big-M, for
	// solvers that have them.
	Indicator Encoding = "indicator"
	// Bilinear is the paper's own problem: a product in the objective instead
	// of integrality, for solvers of nonconvex quadratic programs.
	Bilinear Encoding = "bilinear"
)

// EncodingNeeds says what a solver must take to solve an encoding of a form.
// Continuous linear programs are understood.
type EncodingNeeds struct {
	Form      string // as on the command line
	Encoding  Encoding
	Discrete  bool // binary columns
	Quadratic bool // nonconvex quadratic terms in the objective
	Indicator bool // indicator rows
	SOS       bool // SOS1 sets
}

// Size is the size of a model, known in closed form before it is built.
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
