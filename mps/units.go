package mps

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
)

const (
	mostUnits  = 10_000 // multiples of the least cost that are tried as the common unit
	wholeError = 1e-9   // relative, of costs as multiples of their unit
	worstError = 1e-6   // of a cost in units: what rounding leaves of 10^9 of them
	noise      = 1e-12  // what sums that cancel may leave of costs, relative to the largest

	// finest is the cost below which an objective is written in whole units: solvers
	// compare objectives within some 1e-6, whatever their gaps are set to.
	finest = 1e-4
)

// WholeUnits returns m with its costs multiplied by a factor that makes them whole numbers, and the
// factor, which belongs into [Map].Scale of the file. It returns m and 0 where that is of no use: the
// least cost is not below 1e-4, the objective is not linear, or the costs have no common unit.
func WholeUnits(m *mio.Model) (*mio.Model, float64) {
	if len(m.QuadCost()) > 0 {
		return m, 0
	}
	least := math.Inf(1)
	for _, c := range m.Costs() {
		if c != 0 {
			least = min(least, math.Abs(c))
		}
	}
	if least >= finest {
		return m, 0
	}
	factor, err := wholeFactor(m.Costs())
	if err != nil || factor <= 1 {
		return m, 0
	}
	cost := make([]float64, m.NumCols())
	for j, c := range m.Costs() {
		cost[j] = math.Round(c * factor)
	}
	return m.WithCost(m.Sense(), factor*m.Offset(), cost), factor
}

// wholeFactor is the least factor found that makes all costs whole numbers.
func wholeFactor(costs []float64) (float64, error) {
	most, least := 0.0, math.Inf(1)
	for _, c := range costs {
		most = max(most, math.Abs(c))
	}
	for _, c := range costs {
		if c := math.Abs(c); c > noise*most {
			least = min(least, c)
		}
	}
	if math.IsInf(least, 1) {
		return 1, nil
	}
	for k := 1.0; k <= mostUnits; k++ {
		if isWhole(costs, k/least) {
			return k / least, nil
		}
	}
	return 0, fmt.Errorf("the format holds whole numbers, and the costs of the objective have no common unit: choose an alpha that is a simple fraction of a row, such as 0, or weights that are whole numbers")
}

// isWhole reports whether the costs times the factor are whole numbers.
func isWhole(costs []float64, factor float64) bool {
	sum := 0.0
	for _, c := range costs {
		v := c * factor
		if sum += math.Abs(v); sum > maxWhole || math.Abs(v-math.Round(v)) > min(wholeError*math.Max(1, math.Abs(v)), worstError) {
			return false
		}
	}
	return true
}
