package solvers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/mio"
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

// Answer is what an optimizer says of a model, before anything of it is
// believed.
type Answer struct {
	Status    mio.Status // Unknown where only Limit and Values say how it ended
	Limit     mio.Limit
	Values    []float64 // nil for none; kept
	Objective float64   // that the optimizer states for Values; NaN where it states none
	Bound     float64   // NaN or infinite where it states none
	StartUsed bool      // the optimizer confirmed the start
	Notes     []string  // its own words, for Solution.Raw
}

// Settle makes the solution of m from an optimizer's answer and from the start,
// trusting neither the optimizer's values nor its objective: discrete columns
// are rounded and all columns clipped to their bounds where the point stays
// feasible, the objective is recomputed, a start that is better replaces the
// point, and a bound that the point disproves is dropped. A point that violates
// the model by more than 1e-6 and at most 1e-5 is kept with a note. One beyond
// that, one that is not of numbers, or one whose objective is not the one
// stated, is an error; [Options.Start] does not excuse it. Runtime, Solver, Nodes
// and Iter are left to the caller.
func Settle(m *mio.Model, opt *Options, a Answer) (*mio.Solution, error) {
	r := &report{maximize: m.Sense() == mio.Maximize, notes: a.Notes}
	r.Status, r.Limit, r.Bound, r.StartUsed = a.Status, a.Limit, a.Bound, a.StartUsed
	if math.IsNaN(r.Bound) || math.IsInf(r.Bound, 0) {
		r.Bound = r.unbounded()
	}
	if r.Status == mio.Infeasible {
		r.Bound = -r.unbounded()
	}
	if a.Values != nil {
		if err := checkStated(m, a); err != nil {
			return nil, err
		}
		values, err := r.polish(m, a.Values)
		if err != nil {
			return nil, err
		}
		r.Values, r.Objective = values, m.Objective(values)
	}
	if opt.Start != nil {
		r.useStart(m, opt.Start)
	}
	if r.Values != nil {
		r.judge(m.NumDiscrete() > 0 || len(m.SOS()) > 0)
	}
	s := r.finish()
	if s.Status == mio.Optimal && (opt.RelGap > 0 || opt.AbsGap > 0) && s.Gap > roundingNoise {
		// Optimizers call an incumbent within the gap asked for optimal; it is not a proof.
		s.Status, s.Limit = mio.Feasible, mio.LimitGap
	}
	return s, nil
}

// SettleEmpty answers for a model without columns, which optimizers treat each
// in its own way.
func SettleEmpty(m *mio.Model) *mio.Solution {
	s := &mio.Solution{Status: mio.Optimal, Values: []float64{}, Objective: m.Offset(), Bound: m.Offset(), Raw: "no columns"}
	if r := mio.Check(m, s.Values, FeasibilityTolerance); !r.Feasible {
		s.Status, s.Values = mio.Infeasible, nil
		s.Objective, s.Bound, s.Gap = math.NaN(), math.Inf(1), math.Inf(1)
		if m.Sense() == mio.Maximize {
			s.Bound = math.Inf(-1)
		}
	}
	return s
}

// checkStated compares the objective that the optimizer states with that of its
// values.
func checkStated(m *mio.Model, a Answer) error {
	for j, v := range a.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("column %s has the value %v", m.ColName(j), v)
		}
	}
	if math.IsNaN(a.Objective) {
		return nil
	}
	size := math.Abs(m.Offset()) + 1
	for j, c := range m.Costs() {
		size += math.Abs(c * a.Values[j])
	}
	if v := m.Objective(a.Values); !(math.Abs(v-a.Objective) <= 1e-6*size) {
		return fmt.Errorf("it states the objective %.12g, but its point has %.12g", a.Objective, v)
	}
	return nil
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

// polish returns the point with discrete columns rounded and all columns within
// their bounds where that is feasible, or as it is where that is.
func (r *report) polish(m *mio.Model, values []float64) ([]float64, error) {
	rounded := slices.Clone(values)
	for j, v := range rounded {
		if m.ColTypes()[j] != mio.Continuous {
			if n := math.Round(v); math.Abs(v-n) <= FeasibilityTolerance {
				v = n
			}
		}
		rounded[j] = min(max(v, m.ColLower()[j]), m.ColUpper()[j]) + 0 // no -0
	}
	check := mio.Check(m, rounded, FeasibilityTolerance)
	if check.Feasible {
		return rounded, nil
	}
	if asIs := mio.Check(m, values, FeasibilityTolerance); asIs.Max().Amount <= check.Max().Amount {
		rounded, check = values, asIs
	}
	switch w := check.Max(); {
	case check.Feasible:
		return rounded, nil
	case w.Amount <= badViolation:
		r.note("%s of %s is violated by %.3g", w.Kind, w.Name, w.Amount)
		return rounded, nil
	default:
		return nil, fmt.Errorf("its point is infeasible: %s of %s is violated by %.3g", w.Kind, w.Name, w.Amount)
	}
}

// useStart makes sure that the solution is not worse than the start.
func (r *report) useStart(m *mio.Model, start []float64) {
	objective := m.Objective(start)
	if r.Values != nil && !r.better(objective, r.Objective) {
		return
	}
	switch r.Status {
	case mio.Optimal:
		if r.Values == nil || math.Abs(objective-r.Objective) > crossTolerance*math.Max(1, math.Abs(objective)) {
			r.note("which the better start disproves")
			r.Note = fmt.Sprintf("its claim of an optimum is refuted by the start, %.6g", objective)
			if r.Values != nil {
				r.Note = fmt.Sprintf("its claim that %.6g is optimal is refuted by the start, %.6g", r.Objective, objective)
			}
			r.Status, r.Bound = mio.Feasible, r.unbounded()
		}
	case mio.Unbounded:
		return
	case mio.InfeasibleOrUnbounded: // the start is feasible
		r.Status = mio.Unbounded
		return
	case mio.Infeasible:
		r.note("which the start disproves")
		r.Note = fmt.Sprintf("its claim that the model is infeasible is refuted by the start, %.6g", objective)
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
	case r.Status == mio.Optimal && (!mip || math.IsInf(r.Bound, 0)):
		r.Bound = r.Objective
	case r.Status == mio.Optimal && math.Abs(r.Bound-r.Objective) <= roundingNoise*scale:
		r.Bound = r.Objective
	case !r.better(r.Objective, r.Bound):
		// The usual case: the bound leaves room for the objective.
	case math.Abs(r.Bound-r.Objective) <= crossTolerance*scale:
		r.Bound = r.Objective
	default:
		r.note("the bound %.12g is disproved by the incumbent %.12g", r.Bound, r.Objective)
		r.Note = fmt.Sprintf("its bound %.6g is refuted by the incumbent, %.6g", r.Bound, r.Objective)
		r.Status, r.Bound = mio.Feasible, r.unbounded()
	}
}

// finish fills in what follows from status, values and objective.
func (r *report) finish() *mio.Solution {
	if r.Status == mio.Unknown {
		r.Status = mio.NumericalError
		if r.Limit != mio.NoLimit {
			r.Status = mio.NoSolution
		}
	}
	if r.Status == mio.Optimal {
		r.Limit = mio.NoLimit
	}
	if r.Values == nil {
		r.Objective = math.NaN()
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	r.Raw = strings.Join(r.notes, "; ")
	return &r.Solution
}
