package problem

import (
	"context"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/tree"
)

// What follows are optional interfaces: what some methods have beside those of
// [Method], [Problem], [Algorithm] and [Tuned]. Package fit and the command ask for
// them by assertion. Others stand where they belong: [Bounded], [OfTrees] and
// [Searcher] in method.go, [Hinter] beside the choice of options, [Respecified] beside
// [Spec], [Exact] with the exact search.

// Shaped is a method whose trees have a shape: all that embed [Shape].
type Shaped interface {
	Method
	// Grows is the shape of the trees that it makes.
	Grows() Shape
}

// Valued is a method that minimises a value which trees of free shape have: the problems of
// [OfTrees], and algorithms with a value of their own.
type Valued interface {
	Method
	// Value returns the value of trees on d.
	Value(d *Data) func(*tree.Tree) float64
}

// Searched is an algorithm with an exact search, by which it answers unless it is told to
// grow a tree only, by the engine heuristic.
type Searched interface {
	Algorithm
	Search(ctx context.Context, d *Data, o SearchOptions) (*Found, error)
}

// Maximised is a method that maximises the reward less the price of the splits: what it
// minimises inside is reported as that.
type Maximised interface {
	Shaped
	// Reported returns what is reported of a value that was minimised on d; it falls as
	// that rises.
	Reported(d *Data) func(value float64) float64
}

// Earning is a method for data with rewards of actions in place of classes.
type Earning interface {
	Method
	Earns()
}

// StartShared is a problem whose starts have another part of the time than usual.
type StartShared interface {
	Problem
	// StartShare says which: one over it.
	StartShare() int
}

// Sized is a problem that knows the size of its program before it is built.
type Sized interface {
	Problem
	Size(ctx context.Context, d *Data) (formulate.Size, error)
}

// LPStarted is a problem whose starts are helped by linear programs, while its model is
// the same without.
type LPStarted interface {
	Problem
	LPStarts()
}

// LPFree is an algorithm of linear programs that can solve them itself where there is no
// solver.
type LPFree interface {
	Algorithm
	// LPFree says whether these options need no solver.
	LPFree() bool
}

// SelfProved is a problem whose search has the optimum of the program and multipliers
// that prove it, so that a cross-check would say nothing new.
type SelfProved interface {
	Searcher
	SelfProved()
}

// Worded is a method that has its own words for some values of its objective.
type Worded interface {
	Method
	// Words are those for this value of a tree that uses so many features, "" for the
	// usual ones.
	Words(objective float64, features int) string
}

// ByParts is a problem that programs of parts of it may prove.
type ByParts interface {
	Problem
	// Parts bounds the objective and looks for better trees until the bound meets the
	// best, nothing is left to try, or ctx ends; nil where the options ask for the
	// whole program alone.
	Parts(ctx context.Context, d *Data, o PartsOptions) (*parts.Result, error)
}

// PartsOptions are what ByParts works with.
type PartsOptions struct {
	Solve    parts.Solve
	LP       mio.SolveFunc
	Start    *tree.Tree // the best that is known; nil for none
	Seed     uint64
	Workers  int
	Progress func(parts.Event)
	Warn     func(string) // nil for nobody

	// NoStart says that no start was wanted, so that a proof that lives on them is not.
	NoStart bool
	// Whole says that something is asked of the solver that only one solve has: a gap, a
	// limit of nodes or iterations, a log.
	Whole bool
}

// Besides is a problem for which a heuristic goes on beside the solver where time ends
// the fit, and looks for better trees than what a solver calls optimal.
type Besides interface {
	Problem
	// Beside is that heuristic; alone says that the options ask for the whole program
	// alone, so that it may refute an answer, but not give one.
	Beside() (a Algorithm, alone bool)
}

// Surrounded is a problem with options of what a fit does beside the program.
type Surrounded interface {
	Problem
	// Beyond refuses those in use, for who writes the program alone: an *[OptionError].
	Beyond() error
}

// Margined is a problem whose answers say which rows keep the margin, with or without a
// program.
type Margined interface {
	Problem
	// KeptBy says which: hyperplane.All or hyperplane.Right.
	KeptBy() string
}

// Started is an algorithm that may begin with a tree: [Task.Begin].
type Started interface {
	Algorithm
	// BeginsWith is the problem whose starts suit it.
	BeginsWith() Problem
}
