// Package formulate turns labelled data into mathematical programs whose
// solutions are decision trees, trees into starts for those programs, and
// solutions back into trees. One formulation has one family of files: oct*.go
// is the optimal classification tree of Bertsimas & Dunn (2017).
package formulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

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

func noStart(node int, format string, args ...any) error {
	return &NoStartError{node, fmt.Sprintf(format, args...)}
}

func badPoint(format string, args ...any) error {
	return fmt.Errorf("formulate: %w: %s", ErrDecode, fmt.Sprintf(format, args...))
}

// integrality is how far a discrete column may be from an integer in a point
// that is decoded: looser than any solver's tolerance, far from ambiguous.
const integrality = 1e-4

// asBinary reads a binary column.
func asBinary(v float64, name string, idx ...int) (bool, error) {
	switch {
	case math.Abs(v) <= integrality:
		return false, nil
	case math.Abs(v-1) <= integrality:
		return true, nil
	}
	for _, i := range idx {
		name += "_" + strconv.Itoa(i)
	}
	return false, badPoint("column %s is %v, expected 0 or 1", name, v)
}
