package fit

import (
	"errors"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// Errors that Run wraps, for callers that map them to exit codes.
var (
	// ErrInput: the options or the data do not allow the fit.
	ErrInput = errors.New("invalid input")
	// ErrCheck: the independent check refutes what the solver said. The
	// result comes with it.
	ErrCheck = errors.New("check failed")
	// ErrInfeasible: proved that no tree satisfies the options.
	ErrInfeasible = errors.New("no tree satisfies the options")
	// ErrSolver: the solver failed. The result, which comes with it, has the
	// best tree known until then.
	ErrSolver = errors.New("the solver failed; the tree is the best one known until then")
	// ErrNoTree: no tree was found, and none is ruled out. A limit or an interrupt came first,
	// or the engine cannot decide; the error and Result.Limit or Result.Unproved say which.
	ErrNoTree = errors.New("no tree was found")
)

// Options says what to fit and how. The zero value is OCT of depth
// [problem.SearchDepth] by exact search, without limits.
type Options struct {
	// Method is the problem or the algorithm, with its options; nil is OCT.
	Method problem.Method

	// Engine says how a problem is solved; "" is auto: the exact search where there is
	// one, else a solver from the best start, else, where no solver is there, the best
	// heuristic, and the result says so. What only a program has (an encoding, a
	// solver, a node limit, a gap, the start none, a cross-check) makes it mio.
	Engine problem.Engine

	// Solver is a registered name, which makes the engine mio. Where none is named it
	// is the first that is there of highs, highs-exe and cbc. A named one that is not
	// available is an error.
	Solver string
	Path   string          // of Solver's executable; "" looks on PATH
	Solve  solvers.Options // limits, threads, seed; Start and Progress are set by Run

	// Start is "auto" (default): the best of the heuristics that suit the problem;
	// "none"; or the name of one of them. Starters are those with other options than
	// their defaults, by their names.
	Start    string
	Starters []problem.Algorithm

	// StartTree, where not nil, is the start, called StartName in the result.
	// It speaks of the features of the data that is fitted.
	StartTree *tree.Tree
	StartName string

	// WorkLimit ends the native searches after so much work, the same on every
	// machine: the exact search (exact.Options.WorkLimit), local-search
	// (localsearch.Options.Work) and, per solve, oct-tuned and oct-h-tuned. 0 means
	// none, of the tuned methods their defaults.
	WorkLimit int64

	// CrossCheck has the exact native search solve the same problem after the solver
	// (oct only) and compares objectives and bounds; a disagreement is ErrCheck. Of a
	// time limit it gets a tenth of what the solver would have, and all that this leaves.
	CrossCheck bool

	Test     *dataset.Dataset // scored too; nil for none
	Positive string           // class whose rates reports of groups compare, where the method names none; "" for the choice of [constraint.FairnessOf]
	Notify   func(Event)      // nil for none; called on Run's goroutine
}

// Event is news of a running fit: a stage that was reached, a warning, or the
// solver's progress.
type Event struct {
	Stage    string
	Hint     string // of a stage that may take long: why, and what can be done
	Warning  string
	Progress *solvers.Event
}
