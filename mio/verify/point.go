package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

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
