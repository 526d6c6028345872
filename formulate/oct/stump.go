package oct

import "github.com/octgen/octgen/formulate/internal/grid"

// stump is a feature with two labels, and the thresholds that it may use. Its columns
// are numbered within a node: the choices u, then those that its ranges add.
type stump struct {
	j          int
	k, l       int32   // labels left and right
	thresholds []int32 // ascending, not empty
	at         int
	extra      int
}

func (s *stump) col(v int) int  { return s.at + v }
func (s *stump) colU(b int) int { return s.at + len(s.thresholds) + b }

// stumpThresholds returns the thresholds of feature j for the labels k, l. Thinned:
// walking the values that have a row of k or l, a threshold is kept directly above a
// value with k if the next such value has l.
func stumpThresholds(g *grid.Grid, j int, has []int32, k, l int, thin bool) []int32 {
	if !thin {
		return thresholdsOf(g, j)
	}
	var thresholds []int32
	before := false // the last such value has a row of k
	for v := 0; v*g.K < len(has); v++ {
		hk, hl := has[v*g.K+k] > 0, has[v*g.K+l] > 0
		if hl && before {
			thresholds = append(thresholds, int32(v))
		}
		if hk || hl {
			before = hk
		}
	}
	return thresholds
}
