package parts

import (
	"context"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Limits are what a proof asks of one solve. The zero value asks for a proof of
// optimality; the time is the context's.
type Limits struct {
	AbsGap float64 // end where the gap, in units of the objective, is at most this
	First  bool    // a first feasible point is enough

	// Plain and Certain say that something is proved by there being no point, about which
	// the presolve of solvers is wrong at times. Plain: the solver is to do without it.
	// Certain: where it finds that there is none before it has begun to search, it is to
	// look again without. A solver that has no such choice need not heed them.
	Plain, Certain bool
}

// Solve solves a model within the limits until ctx ends. A limit that the solver has
// not may be left out: it saves work only. A nil solution is an error.
type Solve func(ctx context.Context, m *mio.Model, l Limits) (*mio.Solution, error)

// Options say of which problem bounds are wanted, and what the caller knows and can do.
type Options struct {
	// Form is the problem: depth, alpha, the most splits, mu. Its encoding, margin and
	// least leaf are not used: see the package's comment. Names in Form.Without leave
	// out a way to a bound.
	Form hyperplane.Options

	// Solve solves the programs of the parts. Nil: only the data's own bound is had.
	Solve Solve

	// Incumbent is the best tree known; nil for none but the single leaf.
	Incumbent *tree.Tree

	// Value is the objective of an admitted tree: the bounds hold for trees whose rows
	// keep the margin. With margin right a row without it counts as wrong; with margin
	// all Admits refuses a tree with such a row. Nil: of the problem as Form has it.
	Value  func(*tree.Tree) float64
	Admits func(*tree.Tree) bool

	// Improve returns a tree as good or better; nil leaves trees as they are.
	Improve func(context.Context, *tree.Tree) *tree.Tree

	// Progress is told of each better bound or tree; nil for nobody.
	Progress func(Event)

	// Seed decides about the order of work, and so about the tree where several are
	// best; never about a proved value.
	Seed uint64
}

// Event is what is known at a moment.
type Event struct {
	By               verify.Prover
	Objective, Bound float64
	Tree             *tree.Tree // where it is new, else nil
	Round, Rows      int
}

// Result is what is known at the end, however it came.
type Result struct {
	// Status is Optimal where the bound meets the objective of Tree, else Feasible. That
	// comes without a limit where the bound is the optimum of margin right, and no tree
	// that is admitted was found to have it.
	Status mio.Status
	Limit  mio.Limit // what ended the proof early

	Bound     float64       // no tree of margin right, and so none of margin all, has a lower objective
	By        verify.Prover // of Bound
	Tree      *tree.Tree    // the best that was admitted
	Objective float64       // of Tree

	Rounds int   // solves of a relaxation
	Nodes  int64 // that solvers counted; of By ranges
	Rows   int   // of By rows: merged rows in the last program; of chunks: blocks; of subsystems: those found; of ranges: programs
}
