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

// Point is what is found of a point of a model.
type Point struct {
	mio.Report
	// Stated is the objective that was stated for the point, NaN where none was;
	// Matches says that it is the point's own.
	Stated  float64
	Matches bool
}

// CheckPoint holds a point of m (NumCols values) and the objective stated for it
// (NaN for none) against m; the objective may differ by Agreement times the magnitudes
// of its terms, whose digits cancel in a file. Rounding is what the digits of a solution file may add
// to a violation, 0 for a point in memory.
func CheckPoint(m *mio.Model, values []float64, stated, rounding float64) Point {
	p := Point{Report: mio.Check(m, values, Feasibility+rounding), Stated: stated, Matches: true}
	if !math.IsNaN(stated) {
		p.Matches = math.Abs(p.Objective-stated) <= Agreement*(1+objectiveSize(m, values))
	}
	return p
}

// Problem says what is wrong with the point, "" where nothing is; by is who made
// it.
func (p *Point) Problem(by string) string {
	switch {
	case !p.Feasible:
		return fmt.Sprintf("%s: %v", by, p.Err())
	case !p.Matches:
		return fmt.Sprintf("%s says that its solution has objective %v, but it has %v", by, p.Stated, p.Objective)
	}
	return ""
}

// polish returns the point with discrete columns rounded and all columns within
// their bounds where that is feasible, or as it is where that is. A note says what
// is violated by no more than Tolerated.
func polish(m *mio.Model, values []float64) (point []float64, note string, err error) {
	rounded := slices.Clone(values)
	for j, v := range rounded {
		if m.ColTypes()[j] != mio.Continuous {
			if n := math.Round(v); math.Abs(v-n) <= Feasibility {
				v = n
			}
		}
		rounded[j] = min(max(v, m.ColLower()[j]), m.ColUpper()[j]) + 0 // no -0
	}
	check := mio.Check(m, rounded, Feasibility)
	if check.Feasible {
		return rounded, "", nil
	}
	if asIs := mio.Check(m, values, Feasibility); asIs.Max().Amount <= check.Max().Amount {
		rounded, check = values, asIs
	}
	switch w := check.Max(); {
	case check.Feasible:
		return rounded, "", nil
	case w.Amount <= Tolerated:
		return rounded, fmt.Sprintf("%s of %s is violated by %.3g", w.Kind, w.Name, w.Amount), nil
	default:
		return nil, "", fmt.Errorf("its point is infeasible: %s of %s is violated by %.3g", w.Kind, w.Name, w.Amount)
	}
}

// checkStated refuses values that are no numbers, and an objective that is not
// that of the values.
func checkStated(m *mio.Model, a *Answer) error {
	for j, v := range a.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("column %s has the value %v", m.ColName(j), v)
		}
	}
	if math.IsNaN(a.Objective) {
		return nil
	}
	if v := m.Objective(a.Values); !(math.Abs(v-a.Objective) <= Agreement*(1+objectiveSize(m, a.Values))) {
		return fmt.Errorf("it states the objective %.12g, but its point has %.12g", a.Objective, v)
	}
	return nil
}

// Judgement is what holds of a solution, by none of the figures that it states
// itself.
type Judgement struct {
	Report     mio.Report      // of its values, at Tolerance + Rounding
	Violations []mio.Violation // beyond that, the worst first
	Tolerance  float64         // that was asked for
	Rounding   float64         // what the digits of the values may violate beyond it

	Stated             float64 // the objective that the solution states; NaN where it states none
	ObjectiveTolerance float64 // by which it may differ from Report.Objective
}

// CheckSolution holds the values of s, of which there is one per column, and the objective
// that it states against m. A row, bound or integrality may be violated by tol
// and, of values with few digits, by rounding more; the objective may differ by tol
// times the sum of its terms' magnitudes and 1, for this is what the solver's
// arithmetic loses.
func CheckSolution(m *mio.Model, s *mio.Solution, tol, rounding float64) *Judgement {
	return &Judgement{
		Report:     mio.Check(m, s.Values, tol+rounding),
		Violations: mio.Violations(m, s.Values, tol+rounding),
		Tolerance:  tol, Rounding: rounding,
		Stated: s.Objective, ObjectiveTolerance: tol * (1 + objectiveSize(m, s.Values)),
	}
}

// objectiveSize is the sum of the magnitudes of the objective's terms at x.
func objectiveSize(m *mio.Model, x []float64) float64 {
	size := math.Abs(m.Offset())
	if len(x) != m.NumCols() {
		return size
	}
	for j, c := range m.Costs() {
		size += math.Abs(c * x[j])
	}
	for _, t := range m.QuadCost() {
		size += math.Abs(t.Value * x[t.I] * x[t.J])
	}
	return size
}

// ObjectiveMatches reports whether the objective stated, if any, is that of the
// values.
func (j *Judgement) ObjectiveMatches() bool {
	return math.IsNaN(j.Stated) || math.Abs(j.Stated-j.Report.Objective) <= j.ObjectiveTolerance
}

// Err says what does not hold, nil where all does.
func (j *Judgement) Err() error {
	switch {
	case len(j.Violations) == 1:
		v := j.Violations[0]
		return fmt.Errorf("%s %s is violated by %.6g", v.Kind, v.Name, v.Amount)
	case len(j.Violations) > 1:
		v := j.Violations[0]
		return fmt.Errorf("%d violations, the worst of %s %s by %.6g", len(j.Violations), v.Kind, v.Name, v.Amount)
	case !j.ObjectiveMatches():
		return fmt.Errorf("the objective stated is %.12g, that of the point %.12g", j.Stated, j.Report.Objective)
	}
	return nil
}
