package verify

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
)

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
