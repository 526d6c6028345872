//go:build cgo && !nohighs

package highs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

const (
	// badViolation is the violation from which on a point is not returned.
	badViolation = 1e-5
	// roundingNoise is the relative difference below which the objective and
	// the bound of an optimal solution are one number computed in two ways.
	roundingNoise = 1e-9
	// crossTolerance is how far, relatively, a bound may lie beyond the
	// objective of a feasible point: as far as feasibility tolerances allow.
	crossTolerance = 1e-6
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
	values, err := r.polish(m, r.Values)
	if err != nil && opt.Start == nil {
		return nil, err
	}
	if err != nil {
		r.note("%v", err)
	}
	if r.Values != nil && values == nil && r.Status == mio.Optimal {
		r.Status, r.Bound = mio.NumericalError, r.unbounded()
	}
	r.Values = values
	if values != nil {
		r.Objective = m.Objective(values)
	}
	if opt.Start != nil {
		r.useStart(m, opt.Start, out)
	}
	if r.Values != nil {
		r.judge(m.NumDiscrete() > 0)
	}
	s := r.finish()
	if s.Status == mio.Optimal && (opt.RelGap > 0 || opt.AbsGap > 0) && s.Gap > 1e-9 {
		// HiGHS calls an incumbent within the gap asked for optimal; it is not a proof.
		s.Status, s.Limit = mio.Feasible, mio.LimitGap
	}
	return s, nil
}

// polish returns the point with discrete columns rounded and all columns
// within their bounds where that is feasible, or as it is where that is. It
// returns nil for a point that is not one of numbers, which makes the status a
// numerical error, and an error for one that violates the model badly.
func (r *report) polish(m *mio.Model, values []float64) ([]float64, error) {
	if values == nil {
		return nil, nil
	}
	for j, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			r.Status, r.Bound = mio.NumericalError, r.unbounded()
			r.note("HiGHS gives column %s the value %v", m.ColName(j), v)
			return nil, nil
		}
	}
	rounded := slices.Clone(values)
	for j, v := range rounded {
		if m.ColTypes()[j] != mio.Continuous {
			if n := math.Round(v); math.Abs(v-n) <= solvers.FeasibilityTolerance {
				v = n
			}
		}
		rounded[j] = min(max(v, m.ColLower()[j]), m.ColUpper()[j])
	}
	check := mio.Check(m, rounded, solvers.FeasibilityTolerance)
	if check.Feasible {
		return rounded, nil
	}
	if asIs := mio.Check(m, values, solvers.FeasibilityTolerance); asIs.Max().Amount <= check.Max().Amount {
		rounded, check = values, asIs
	}
	switch w := check.Max(); {
	case check.Feasible:
		return rounded, nil
	case w.Amount <= badViolation:
		r.note("%s of %s is violated by %.3g", w.Kind, w.Name, w.Amount)
		return rounded, nil
	default:
		return nil, fmt.Errorf("highs: HiGHS's point is infeasible: %s of %s is violated by %.3g", w.Kind, w.Name, w.Amount)
	}
}

// useStart confirms that HiGHS took the start, and makes sure that the
// solution is not worse.
func (r *report) useStart(m *mio.Model, start []float64, out *outcome) {
	objective := m.Objective(start)
	r.StartUsed = strings.Contains(out.startLog, "is feasible") ||
		math.Abs(out.first-objective) <= roundingNoise*math.Max(1, math.Abs(objective))
	if r.Values != nil && !r.better(objective, r.Objective) {
		return
	}
	switch r.Status {
	case mio.Unbounded:
		return
	case mio.InfeasibleOrUnbounded: // the start is feasible
		r.Status = mio.Unbounded
		return
	case mio.Infeasible:
		r.note("which the start disproves")
		r.Bound = r.unbounded()
		r.Status = mio.Feasible
	case mio.NumericalError:
		r.note("the start is the answer")
		r.Status = mio.Feasible
	}
	r.Values, r.Objective = slices.Clone(start), objective
}

// judge settles the status and the bound of a solution with values.
func (r *report) judge(mip bool) {
	if r.Status != mio.Optimal {
		r.Status = mio.Feasible
	}
	scale := math.Max(1, math.Abs(r.Objective))
	switch {
	case r.Status == mio.Optimal && !mip:
		r.Bound = r.Objective
	case r.Status == mio.Optimal && math.Abs(r.Bound-r.Objective) <= roundingNoise*scale:
		r.Bound = r.Objective
	case !r.better(r.Objective, r.Bound):
		// The usual case: the bound leaves room for the objective.
	case math.Abs(r.Bound-r.Objective) <= crossTolerance*scale:
		r.Bound = r.Objective
	default:
		r.note("the bound %.12g is disproved by the incumbent %.12g", r.Bound, r.Objective)
		r.Status, r.Bound = mio.Feasible, r.unbounded()
	}
}
