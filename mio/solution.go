package mio

import (
	"context"
	"errors"
	"math"
	"time"
)

// Status says what is known of a model after a solve. The zero value is
// Unknown.
type Status uint8

const (
	Unknown               Status = iota
	Optimal                      // an incumbent, proved optimal
	Feasible                     // an incumbent without proof
	NoSolution                   // stopped without an incumbent
	Infeasible                   // proved to have no feasible point
	Unbounded                    // proved unbounded
	InfeasibleOrUnbounded        // proved to be one of the two
	NumericalError               // the solver gave up
)

var statusNames = [...]string{"unknown", "optimal", "feasible", "no solution", "infeasible", "unbounded", "infeasible or unbounded", "numerical error"}

// String returns the status in lower case, as in reports and JSON.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "invalid status"
}

// HasSolution reports whether a solution with this status has Values.
func (s Status) HasSolution() bool { return s == Optimal || s == Feasible }

// Limit says what ended a solve early. The zero value is NoLimit.
type Limit uint8

const (
	NoLimit Limit = iota
	LimitTime
	LimitNodes
	LimitIterations
	LimitMemory
	LimitInterrupt
	LimitCutoff
	LimitGap // the incumbent is within the gap asked for
)

var limitNames = [...]string{"", "time", "nodes", "iterations", "memory", "interrupt", "cutoff", "gap"}

// String returns the limit in lower case, "" for NoLimit.
func (l Limit) String() string {
	if int(l) < len(limitNames) {
		return limitNames[l]
	}
	return "invalid limit"
}

// Solution is what a solver says of a model. A limit is a status, never an
// error, and never costs the incumbent.
type Solution struct {
	Status    Status
	Limit     Limit         // what stopped the solve, if anything did
	Values    []float64     // the incumbent, one value per column; nil without one; owned by the caller
	Objective float64       // of Values; NaN without an incumbent
	Bound     float64       // best proven bound on the objective; -Inf (minimizing) or +Inf when none is known
	Gap       float64       // [Gap] of Objective and Bound; +Inf without an incumbent
	Nodes     int64         // branch-and-bound nodes
	Iter      int64         // simplex and interior-point iterations
	Runtime   time.Duration // wall time inside the solver
	Solver    string        // name and version
	Raw       string        // the solver's own words for how it ended
	Note      string        // which of the solver's claims is refuted, and by what; "" where none is
	Model     string        // the model's name in a solution file; "" where it has none
	StartUsed bool          // the solver confirmed that it took the start
	Claimed   bool          // the solver calls Objective optimal, without a gap, whatever Status and Bound make of that
}

// Gap returns |objective - bound| / max(|objective|, 1e-10), the relative gap
// of a solution; +Inf where either is not finite.
func Gap(objective, bound float64) float64 {
	if !finite(objective) || !finite(bound) {
		return math.Inf(1)
	}
	return math.Abs(objective-bound) / math.Max(math.Abs(objective), 1e-10)
}

// SolveFunc solves a model with default options: what code that needs a few
// linear programs takes instead of a solver.
type SolveFunc func(ctx context.Context, m *Model) (*Solution, error)

// LimitOf says what ended ctx: LimitTime where it was a deadline, LimitInterrupt where
// it was cancelled; NoLimit where it has not ended.
func LimitOf(ctx context.Context) Limit {
	switch {
	case ctx.Err() == nil:
		return NoLimit
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return LimitTime
	}
	return LimitInterrupt
}
