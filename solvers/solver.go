// Package solvers defines what octgen asks of an optimizer: the [Solver]
// interface, the options of a solve, a registry of adapters by name, and the
// validation that stands between callers and adapters.
//
// Adapters live in packages below this one and register themselves when they
// are imported:
//
//	import _ "github.com/octgen/octgen/solvers/highs"
//
//	s, err := solvers.Lookup("highs")
//	sol, err := s.Solve(ctx, model, solvers.Options{TimeLimit: time.Minute})
//
// Whatever Lookup returns validates its input with [Validate] before the
// adapter sees it, so that adapters need not.
package solvers

import (
	"context"
	"io"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// Solver is an optimizer of mixed-integer linear programs. All methods are
// safe for concurrent use.
type Solver interface {
	// Name is the name it is registered under, such as "highs".
	Name() string

	// Version is the optimizer's own version, "" when it is not available.
	Version() string

	// Available returns nil when Solve can work on this machine, else an
	// *[UnavailableError] that says why not.
	Available() error

	// Capabilities says which models and options the solver takes.
	Capabilities() Capabilities

	// Solve optimizes the model. It returns an error only when there is
	// nothing to say of the model: wrong input, a missing solver, a crash, or
	// an answer that the independent check refutes. Infeasibility, a limit or
	// an interrupt is the status of a solution.
	//
	// The solution is never worse than Options.Start. Its Values satisfy the
	// model within [mio.Check]'s tolerance 1e-6, discrete columns being
	// integers exactly wherever that keeps the point feasible.
	//
	// When ctx ends, the solver is asked to stop, and Solve returns within
	// Options.Grace, with the best incumbent and bound seen by then and limit
	// [mio.LimitInterrupt].
	Solve(ctx context.Context, m *mio.Model, opt Options) (*mio.Solution, error)
}

// DefaultGrace is the Options.Grace of a zero value.
const DefaultGrace = 2 * time.Second

// MostThreads is the largest number of threads that may be asked for. Each thread has
// memory of its own.
const MostThreads = 1024

// Options are the settings of one solve. The zero value asks for a proof of
// optimality, however long it takes.
type Options struct {
	// TimeLimit is the wall time allowed; 0 means no limit.
	TimeLimit time.Duration

	// NodeLimit and IterLimit bound the work in branch-and-bound nodes and in
	// simplex or interior-point iterations; 0 means no limit. A solve that
	// ends on them is reproducible. Solvers look at them now and then, and so
	// may do somewhat more work than that.
	NodeLimit int64
	IterLimit int64

	// RelGap and AbsGap are the gaps at which a solve ends (mio.LimitGap; the
	// status is Feasible unless the proof is complete),
	// as in [mio.Gap] and in units of the objective. Zero means 0, not the
	// solver's default.
	RelGap float64
	AbsGap float64

	// Threads is the number of threads, at most MostThreads; 0 leaves it to the solver.
	Threads int

	// Seed is the seed of the solver's random choices.
	Seed int

	// Start is a feasible point to start from, with one finite value per
	// column; nil for none. Partial starts are not supported. It is an error
	// if [mio.Check] finds it infeasible at tolerance 1e-6. The slice is read
	// only.
	Start []float64

	// Cutoff asks for solutions better than this objective only; nil for none.
	Cutoff *float64

	// Grace is how long Solve waits for the solver to stop after the context
	// ends; 0 means [DefaultGrace].
	Grace time.Duration

	// Progress receives the solver's progress. It is called on the goroutine
	// that called Solve, and never after Solve has returned.
	Progress func(Event)

	// Log receives the solver's own log, as it comes. It is written to on the
	// goroutine that called Solve; after a failed write no more is written,
	// and the solve goes on.
	Log io.Writer

	// Raw are options in the solver's own terms, by name. An unknown name, a
	// value that does not parse, or a name that a field above stands for is an
	// error.
	Raw map[string]string
}

// Ask is what of the options bears on what is believed of the answer.
func (o *Options) Ask() verify.Ask {
	return verify.Ask{RelGap: o.RelGap, AbsGap: o.AbsGap, Start: o.Start}
}

// Event is a moment of a running solve. In the events of one solve Objective
// and Bound only get better, Nodes, Iter and Elapsed only grow.
type Event struct {
	Objective float64       // of the incumbent; NaN without one
	Bound     float64       // best proven bound; infinite when none is known
	Gap       float64       // mio.Gap of the two
	Nodes     int64         // branch-and-bound nodes so far
	Iter      int64         // iterations so far
	Elapsed   time.Duration // since Solve was called

	// Values is the incumbent if it is new with this event and the solver
	// tells it, else nil. The receiver may keep it, and must not write to it.
	Values []float64
}

// Capabilities says what a solver can do with a model and with [Options].
type Capabilities struct {
	Discrete  bool // integer and binary columns
	Quadratic bool // quadratic terms in the objective and in rows, nonconvex ones too

	// ConvexQuadratic is Quadratic for convex models only; the solver itself
	// refuses others.
	ConvexQuadratic bool

	Indicator bool // indicator rows
	SOS       bool // special ordered sets
	TimeLimit bool
	NodeLimit bool
	IterLimit bool
	Gaps      bool // RelGap and AbsGap other than 0
	Threads   bool
	Seed      bool
	Start     bool
	Cutoff    bool
	Progress  bool
	Log       bool
	Raw       bool
}

// Func returns s with fixed options as the function that code which needs a
// few linear programs takes.
func Func(s Solver, opt Options) mio.SolveFunc {
	return func(ctx context.Context, m *mio.Model) (*mio.Solution, error) {
		return s.Solve(ctx, m, opt)
	}
}
