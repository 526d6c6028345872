package oct

import "github.com/octgen/octgen/formulate/internal/grid"

// allCuts returns the cuts of every feature. (p)
func allCuts(g *grid.Grid) [][]int32 {
	cuts := make([][]int32, g.P)
	for _, j := range g.Active {
		cuts[j] = cutsOf(g, j)
	}
	return cuts
}

// cutsOf returns the cuts of feature j.
func cutsOf(g *grid.Grid, j int) []int32 {
	cuts := make([]int32, g.Cuts(j))
	for i := range cuts {
		cuts[i] = int32(i + 1)
	}
	return cuts
}

// thinCuts returns the cuts between values that are not all of one and the same
// class. (p)
func thinCuts(g *grid.Grid) [][]int32 {
	cuts := make([][]int32, g.P)
	for _, j := range g.Active {
		class := classOfValues(g, j)
		for c := 1; c <= g.Cuts(j); c++ {
			if class[c-1] < 0 || class[c-1] != class[c] {
				cuts[j] = append(cuts[j], int32(c))
			}
		}
	}
	return cuts
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

// firstAbove returns the index of the first of the ascending cuts that is
// greater than rank: the first that sends a value of this rank left.
func firstAbove(cuts []int32, rank int) int {
	lo, hi := 0, len(cuts)
	for lo < hi {
		if mid := (lo + hi) / 2; int(cuts[mid]) > rank {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
