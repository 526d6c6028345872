package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/mio"
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

// Ask is what of the options of a solve bears on its answer.
type Ask struct {
	RelGap, AbsGap float64   // gaps at which it may end
	Start          []float64 // a feasible point; nil for none
}

// left is by how much an incumbent of this objective may miss the optimum where
// the solver calls it optimal.
func (k *Ask) left(objective float64) float64 {
	return math.Max(k.AbsGap, k.RelGap*math.Abs(objective))
}

// Settle makes the solution of m from an optimizer's answer and from the start,
// trusting neither the optimizer's values nor its objective: discrete columns are
// rounded and all columns clipped to their bounds where the point stays feasible,
// the objective is recomputed, a start that is better replaces the point, and a
// bound that the point disproves is dropped. What the optimizer calls optimal is
// that where the bound leaves no gap, else feasible; Claimed keeps its word. A
// point beyond Tolerated, one that is not of numbers, or one whose objective is not
// the one stated, is an error; the start does not excuse it. Runtime, Solver, Nodes
// and Iter are left to the caller.
func Settle(m *mio.Model, ask Ask, a Answer) (*mio.Solution, error) {
	r := &report{maximize: m.Sense() == mio.Maximize, ask: ask, notes: a.Notes}
	r.Status, r.Limit, r.Bound, r.StartUsed = a.Status, a.Limit, a.Bound, a.StartUsed
	if math.IsNaN(r.Bound) || math.IsInf(r.Bound, 0) {
		r.Bound = r.unbounded()
	}
	if r.Status == mio.Infeasible {
		r.Bound = -r.unbounded()
	}
	if a.Values != nil {
		if err := checkStated(m, &a); err != nil {
			return nil, err
		}
		values, note, err := polish(m, a.Values)
		if err != nil {
			return nil, err
		}
		if note != "" {
			r.note("%s", note)
		}
		r.Values, r.Objective = values, m.Objective(values)
		r.Claimed = a.Status == mio.Optimal && ask.left(r.Objective) == 0
	}
	if ask.Start != nil {
		r.useStart(m, ask.Start)
	}
	if r.Values != nil {
		r.judge(m.NumDiscrete() > 0 || len(m.SOS()) > 0)
	}
	return r.finish(), nil
}

// SettleEmpty answers for a model without columns, which optimizers treat each
// in its own way.
func SettleEmpty(m *mio.Model) *mio.Solution {
	s := &mio.Solution{Status: mio.Optimal, Values: []float64{}, Objective: m.Offset(), Bound: m.Offset(), Raw: "no columns"}
	if r := mio.Check(m, s.Values, Feasibility); !r.Feasible {
		s.Status, s.Values = mio.Infeasible, nil
		s.Objective, s.Bound, s.Gap = math.NaN(), math.Inf(1), math.Inf(1)
		if m.Sense() == mio.Maximize {
			s.Bound = math.Inf(-1)
		}
	}
	return s
}

// report is a solution in the making.
type report struct {
	mio.Solution
	ask      Ask
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

// useStart makes sure that the solution is not worse than the start.
func (r *report) useStart(m *mio.Model, start []float64) {
	objective := m.Objective(start)
	if r.Values != nil && !r.better(objective, r.Objective) {
		return
	}
	switch r.Status {
	case mio.Optimal:
		if r.Values == nil || math.Abs(objective-r.Objective) > r.ask.left(r.Objective)+Agreement*math.Max(1, math.Abs(objective)) {
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
	if r.Status == mio.Optimal && (!mip || math.IsInf(r.Bound, 0)) {
		r.Bound = r.Objective // an optimum is its own bound, but for the gap asked for
		if left := r.ask.left(r.Objective); mip && r.maximize {
			r.Bound += left
		} else if mip {
			r.Bound -= left
		}
	}
	switch {
	case Near(r.Bound, r.Objective) && r.better(r.Objective, r.Bound):
		r.Bound = r.Objective // as far as tolerances allow
	case r.better(r.Objective, r.Bound):
		r.note("the bound %.12g is disproved by the incumbent %.12g", r.Bound, r.Objective)
		r.Note = fmt.Sprintf("its bound %.6g is refuted by the incumbent, %.6g", r.Bound, r.Objective)
		r.Status, r.Bound = mio.Feasible, r.unbounded()
	case r.Status != mio.Optimal:
	case Near(r.Bound, r.Objective):
		if math.Abs(r.Bound-r.Objective) <= Rounding*math.Max(1, math.Abs(r.Objective)) {
			r.Bound = r.Objective
		}
	case r.ask.left(r.Objective) > 0:
		// Optimizers call an incumbent within the gap asked for optimal; it is not a proof.
		r.Status, r.Limit = mio.Feasible, mio.LimitGap
		return
	default:
		r.note("with the bound %.12g", r.Bound)
		r.Note = openGap(r.Objective, r.Bound)
		r.Status = mio.Feasible
	}
	if r.Status == mio.Optimal {
		r.Limit = mio.NoLimit
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
	if r.Values == nil {
		r.Objective = math.NaN()
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	r.Raw = strings.Join(r.notes, "; ")
	return &r.Solution
}
