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
	"fmt"
	"io"
	"math"
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

	// NonconvexObjective is ConvexQuadratic, and nonconvex terms in the objective
	// of a model whose rows are linear.
	NonconvexObjective bool

	// OnlyDiscrete is for models whose columns are all discrete.
	OnlyDiscrete bool

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

// An OptionError names an option that has a wrong value or that the solver
// cannot honour.
type OptionError struct {
	Solver string // name of the solver
	Option string // the field of Options, or the name of a raw option
	Reason string // what is wrong and what would be right
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("solver %s: option %s: %s", e.Solver, e.Option, e.Reason)
}

// An UnavailableError says why a solver cannot be used.
type UnavailableError struct {
	Solver string
	Reason string
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("solver %s is not available: %s", e.Solver, e.Reason)
}

// A LicenceError says that a solver has no licence, or none for a model of this size.
type LicenceError struct {
	Solver string // name of the solver
	Words  string // the solver's own
}

func (e *LicenceError) Error() string {
	return fmt.Sprintf("solver %s: its licence does not allow this solve; it says: %s", e.Solver, e.Words)
}

// Validate checks what every solve may assume of its input: values in their
// ranges, no option set that s is not capable of, and a start that is complete
// and feasible. Its errors are of type *[OptionError], except for a model that
// s cannot take.
func Validate(s Solver, m *mio.Model, opt *Options) error {
	if err := validateRanges(s.Name(), opt); err != nil {
		return err
	}
	caps := s.Capabilities()
	if !caps.Discrete && m.NumDiscrete() > 0 {
		return fmt.Errorf("solver %s: the model has %d discrete columns; this solver takes continuous ones only", s.Name(), m.NumDiscrete())
	}
	if continuous := m.NumCols() - m.NumDiscrete(); caps.OnlyDiscrete && continuous > 0 {
		return fmt.Errorf("solver %s: the model has %d continuous columns; this solver takes discrete ones only, and its answers to others would be wrong", s.Name(), continuous)
	}
	for _, part := range []struct {
		name      string
		has, able bool
	}{
		{"quadratic terms", len(m.QuadCost())+len(m.QuadRows()) > 0, caps.Quadratic || caps.ConvexQuadratic || caps.NonconvexObjective},
		{"indicator rows", len(m.Indicators()) > 0, caps.Indicator},
		{"SOS sets", len(m.SOS()) > 0, caps.SOS},
	} {
		if part.has && !part.able {
			return fmt.Errorf("solver %s: the model has %s, which this solver does not take", s.Name(), part.name)
		}
	}
	for _, o := range []struct {
		name      string
		set, able bool
	}{
		{"TimeLimit", opt.TimeLimit != 0, caps.TimeLimit},
		{"NodeLimit", opt.NodeLimit != 0, caps.NodeLimit},
		{"IterLimit", opt.IterLimit != 0, caps.IterLimit},
		{"RelGap", opt.RelGap != 0, caps.Gaps},
		{"AbsGap", opt.AbsGap != 0, caps.Gaps},
		{"Threads", opt.Threads != 0, caps.Threads},
		{"Seed", opt.Seed != 0, caps.Seed},
		{"Start", opt.Start != nil, caps.Start},
		{"Cutoff", opt.Cutoff != nil, caps.Cutoff},
		{"Progress", opt.Progress != nil, caps.Progress},
		{"Log", opt.Log != nil, caps.Log},
		{"Raw", len(opt.Raw) != 0, caps.Raw},
	} {
		if o.set && !o.able {
			return &OptionError{s.Name(), o.name, "this solver cannot honour it"}
		}
	}
	return validateStart(s.Name(), m, opt.Start)
}

func validateRanges(solver string, opt *Options) error {
	for _, o := range []struct {
		name string
		bad  bool
		want string
	}{
		{"TimeLimit", opt.TimeLimit < 0, "must not be negative"},
		{"NodeLimit", opt.NodeLimit < 0, "must not be negative"},
		{"IterLimit", opt.IterLimit < 0, "must not be negative"},
		{"RelGap", !(opt.RelGap >= 0) || math.IsInf(opt.RelGap, 1), "must be finite and not negative"},
		{"AbsGap", !(opt.AbsGap >= 0) || math.IsInf(opt.AbsGap, 1), "must be finite and not negative"},
		{"Threads", opt.Threads < 0 || opt.Threads > MostThreads, fmt.Sprintf("must be between 0 and %d", MostThreads)},
		{"Seed", opt.Seed < 0 || opt.Seed > math.MaxInt32, "must be between 0 and 2^31-1"},
		{"Cutoff", opt.Cutoff != nil && (math.IsNaN(*opt.Cutoff) || math.IsInf(*opt.Cutoff, 0)), "must be finite"},
		{"Grace", opt.Grace < 0, "must not be negative"},
	} {
		if o.bad {
			return &OptionError{solver, o.name, o.want}
		}
	}
	return nil
}

func validateStart(solver string, m *mio.Model, start []float64) error {
	if start == nil {
		return nil
	}
	if len(start) != m.NumCols() {
		return &OptionError{solver, "Start", fmt.Sprintf("has %d values; the model has %d columns", len(start), m.NumCols())}
	}
	for j, v := range start {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &OptionError{solver, "Start", fmt.Sprintf("the value of column %s is %v; a start must be complete and finite", m.ColName(j), v)}
		}
	}
	if r := mio.Check(m, start, verify.Feasibility); !r.Feasible {
		w := r.Max()
		return &OptionError{solver, "Start", fmt.Sprintf("is infeasible: %s of %s is violated by %.3g", w.Kind, w.Name, w.Amount)}
	}
	return nil
}

// Checked returns s behind [Validate] and [Solver.Available]; the registry
// applies it to all its solvers.
func Checked(s Solver) Solver {
	if c, ok := s.(checked); ok {
		return c
	}
	return checked{s}
}

type checked struct{ Solver }

func (c checked) Solve(ctx context.Context, m *mio.Model, opt Options) (*mio.Solution, error) {
	if err := c.Available(); err != nil {
		return nil, err
	}
	if err := Validate(c.Solver, m, &opt); err != nil {
		return nil, err
	}
	if opt.Grace == 0 {
		opt.Grace = DefaultGrace
	}
	return c.Solver.Solve(ctx, m, opt)
}
