package oct

import "github.com/octgen/octgen/formulate/internal/grid"

// allThresholds returns the thresholds of every feature, by their ranks. (p)
func allThresholds(g *grid.Grid) [][]int32 {
	thresholds := make([][]int32, g.P)
	for _, j := range g.Active {
		thresholds[j] = thresholdsOf(g, j)
	}
	return thresholds
}

// thresholdsOf returns the thresholds of feature j.
func thresholdsOf(g *grid.Grid, j int) []int32 {
	thresholds := make([]int32, g.NumThresholds(j))
	for i := range thresholds {
		thresholds[i] = int32(i + 1)
	}
	return thresholds
}

// thinThresholds returns the thresholds between values that are not all of one and the
// same class. (p)
func thinThresholds(g *grid.Grid) [][]int32 {
	thresholds := make([][]int32, g.P)
	for _, j := range g.Active {
		class := classOfValues(g, j)
		for c := 1; c <= g.NumThresholds(j); c++ {
			if class[c-1] < 0 || class[c-1] != class[c] {
				thresholds[j] = append(thresholds[j], int32(c))
			}
		}
	}
	return thresholds
}

// classOfValues returns the one class of the rows of each distinct value of feature
// j, -1 for several.
func classOfValues(g *grid.Grid, j int) []int32 {
	const none, several = -2, -1
	class := make([]int32, len(g.Vals[j]))
	for v := range class {
		class[v] = none
	}
	for i, y := range g.Y {
		switch v := g.Rank[i*g.P+j]; class[v] {
		case none:
			class[v] = y
		case y:
		default:
			class[v] = several
		}
	}
	return class
}

// classesOfValues returns, for each distinct value v of feature j and class k,
// the number of merged rows: has[v*K+k].
func classesOfValues(g *grid.Grid, j int) []int32 {
	has := make([]int32, len(g.Vals[j])*g.K)
	for i, y := range g.Y {
		has[int(g.Rank[i*g.P+j])*g.K+int(y)]++
	}
	return has
}

// firstAbove returns the index of the first of the ascending thresholds that is
// greater than rank: the first that sends a value of this rank left.
func firstAbove(thresholds []int32, rank int) int {
	lo, hi := 0, len(thresholds)
	for lo < hi {
		if mid := (lo + hi) / 2; int(thresholds[mid]) > rank {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
