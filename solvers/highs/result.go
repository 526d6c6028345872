//go:build cgo && !nohighs

package highs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// verdict translates HiGHS's model status.
type verdict struct {
	words  string // HiGHS's own
	status mio.Status
	limit  mio.Limit
}

// verdicts are indexed by kHighsModelStatus*. With status Unknown, whether
// there is an incumbent makes the difference.
var verdicts = [...]verdict{
	0:  {"Not Set", mio.NumericalError, mio.NoLimit},
	1:  {"Load error", mio.NumericalError, mio.NoLimit},
	2:  {"Model error", mio.NumericalError, mio.NoLimit},
	3:  {"Presolve error", mio.NumericalError, mio.NoLimit},
	4:  {"Solve error", mio.NumericalError, mio.NoLimit},
	5:  {"Postsolve error", mio.NumericalError, mio.NoLimit},
	6:  {"Empty", mio.Unknown, mio.NoLimit},
	7:  {"Optimal", mio.Optimal, mio.NoLimit},
	8:  {"Infeasible", mio.Infeasible, mio.NoLimit},
	9:  {"Primal infeasible or unbounded", mio.InfeasibleOrUnbounded, mio.NoLimit},
	10: {"Unbounded", mio.Unbounded, mio.NoLimit},
	11: {"Bound on objective reached", mio.Unknown, mio.LimitCutoff},
	12: {"Target for objective reached", mio.Unknown, mio.LimitCutoff},
	13: {"Time limit reached", mio.Unknown, mio.LimitTime},
	14: {"Iteration limit reached", mio.Unknown, mio.LimitIterations},
	15: {"Unknown", mio.Unknown, mio.NoLimit},
	16: {"Solution limit reached", mio.Unknown, mio.LimitNodes},
	17: {"Interrupted by user", mio.Unknown, mio.LimitInterrupt},
	18: {"Memory limit reached", mio.Unknown, mio.LimitMemory},
}

// failure returns an error if HiGHS did not get as far as to solve.
func (out *outcome) failure() error {
	const modelError = 2 // and the statuses before it
	if a := out.answer; a == nil || a.runStatus >= 0 || a.modelStatus > modelError {
		return nil
	}
	why := "it gives no reason"
	if len(out.problems) > 0 {
		why = strings.Join(out.problems, "; ")
	}
	return fmt.Errorf("highs: HiGHS failed: %s", why)
}

// report is a solution in the making.
type report struct {
	mio.Solution
	maximize bool
	notes    []string // for Raw
}

func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// newReport takes over what HiGHS says, as it says it.
func newReport(out *outcome) *report {
	r := &report{maximize: out.maximize}
	r.Solver = solverName()
	r.Runtime = out.runtime
	r.Bound = out.snapshot.Bound
	r.Nodes, r.Iter = out.snapshot.Nodes, out.snapshot.Iter
	a := out.answer
	if a == nil {
		r.Limit = out.limit
		r.Values = slices.Clone(out.values)
		r.note("asked to stop; left behind after the grace period")
		return r
	}
	v := verdict{fmt.Sprintf("model status %d", a.modelStatus), mio.Unknown, mio.NoLimit}
	if a.modelStatus >= 0 && a.modelStatus < len(verdicts) {
		v = verdicts[a.modelStatus]
	}
	r.Status, r.Limit = v.status, v.limit
	r.note("%s", v.words)
	if v.limit == mio.LimitInterrupt {
		switch {
		case out.limit != mio.NoLimit:
			r.Limit = out.limit
		case a.iterReached:
			r.Limit = mio.LimitIterations
			r.note("by the iteration limit")
		}
	}
	if v.status == mio.NumericalError && len(out.problems) > 0 {
		r.note("%s", strings.Join(out.problems, "; "))
	}
	if v.status == mio.Unknown || v.status == mio.Optimal {
		r.Values = a.values
		if r.Values == nil {
			r.Values = slices.Clone(out.values)
		}
	}
	switch {
	case v.status == mio.Infeasible:
		r.Bound = -r.unbounded()
	case a.mip && math.Abs(a.mipBound) < 1e300 && r.better(r.Bound, a.mipBound):
		r.Bound = a.mipBound
	}
	r.Nodes, r.Iter = max(r.Nodes, a.nodes), max(r.Iter, a.iter)
	return r
}

// better reports whether objective a is strictly better than b.
func (r *report) better(a, b float64) bool {
	if r.maximize {
		return a > b
	}
	return a < b
}

// unbounded is the objective of an unbounded model, and the bound of one of
// which nothing is known.
func (r *report) unbounded() float64 {
	if r.maximize {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// finish fills in what follows from status, values and objective.
func (r *report) finish() *mio.Solution {
	if r.Status == mio.Unknown && r.Limit != mio.NoLimit {
		r.Status = mio.NoSolution
	}
	if r.Values == nil {
		r.Objective = math.NaN()
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	r.Raw = strings.Join(r.notes, "; ")
	return &r.Solution
}

// conclude makes the solution of a model from what HiGHS said and from the
// start, trusting neither HiGHS's values nor its objective.
func conclude(m *mio.Model, opt *solvers.Options, out *outcome) (*mio.Solution, error) {
	if err := out.failure(); err != nil {
		return nil, err
	}
	r := newReport(out)
	r.dropUnlessNumbers(m)
	a := verify.Answer{Status: r.Status, Limit: r.Limit, Values: r.Values, Objective: math.NaN(), Bound: r.Bound, Notes: r.notes}
	if opt.Start != nil {
		a.StartUsed = startUsed(m.Objective(opt.Start), out)
	}
	s, err := verify.Settle(m, opt.Ask(), a)
	if err != nil && opt.Start != nil {
		a.Notes = append(a.Notes, err.Error())
		a.Values, a.Bound = nil, r.unbounded()
		if a.Status == mio.Optimal {
			a.Status = mio.NumericalError
		}
		s, err = verify.Settle(m, opt.Ask(), a)
	}
	if err != nil {
		return nil, fmt.Errorf("highs: HiGHS's answer is wrong: %w", err)
	}
	s.Solver, s.Runtime, s.Nodes, s.Iter = r.Solver, r.Runtime, r.Nodes, r.Iter
	return s, nil
}

// dropUnlessNumbers drops a point that is not one of numbers, which makes the
// status a numerical error.
func (r *report) dropUnlessNumbers(m *mio.Model) {
	for j, v := range r.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			r.Status, r.Bound, r.Values = mio.NumericalError, r.unbounded(), nil
			r.note("HiGHS gives column %s the value %v", m.ColName(j), v)
			return
		}
	}
}

// startUsed says whether HiGHS confirmed that it took the start of this
// objective: by its log, or by its first incumbent.
func startUsed(objective float64, out *outcome) bool {
	return strings.Contains(out.startLog, "is feasible") ||
		math.Abs(out.first-objective) <= 1e-9*math.Max(1, math.Abs(objective))
}
