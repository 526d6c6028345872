package oct

import (
	"github.com/octgen/octgen/formulate/internal/grid"
)

// A pair are two rows of different classes. At most one of them is correct unless a split separates them, so that with
// sep_t = 1 if branch node t splits at a threshold between their values of its feature
//
//	correct_a + correct_b <= 1 + sum_t sep_t    pairs (a, b)
//
// Claim: no tree is cut off. Proof: if no split separates them they end in one leaf, which is correct for one class.
//
// It is an equivalent-point inequality of Keegan et al., Accelerated Benders decomposition for optimal classification
// trees (2025), for rows that are not quite equal. The fewer thresholds lie between two rows the less it can be weakened
// by fractions of splits, so that only nearest rows are paired.

// mostPartners is the maximum number of nearest rows that a row is paired with.
const mostPartners = 3

// nearestPairs returns pairs of rows a < b, each once: every row with the rows of other classes that the fewest
// candidate thresholds separate from it, at most three of them, in the order of rows.
func nearestPairs(g *grid.Grid) [][2]int {
	var pairs [][2]int
	seen := map[[2]int]bool{}
	for i := range g.N {
		for _, k := range nearest(g, i) {
			p := [2]int{min(i, k), max(i, k)}
			if !seen[p] {
				seen[p] = true
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// nearest returns the first of the rows of other classes nearest to row i.
func nearest(g *grid.Grid, i int) []int {
	var rows []int
	best := -1
	own := g.Ranks(i)
	for k := range g.N {
		if g.Y[k] == g.Y[i] {
			continue
		}
		between := 0
		for j, r := range g.Ranks(k) {
			between += int(max(r-own[j], own[j]-r))
			if best >= 0 && between > best {
				break
			}
		}
		switch {
		case best < 0 || between < best:
			rows, best = append(rows[:0], k), between
		case between == best && len(rows) < mostPartners:
			rows = append(rows, k)
		}
	}
	return rows
}

// eachBetween calls do for the features whose thresholds of ranks from+1..to separate rows a and b; low is the row of
// the lower value, which they send left.
func eachBetween(g *grid.Grid, a, b int, do func(j, low, high int, from, to int32)) {
	for _, j := range g.Active {
		x, y := g.Ranks(a)[j], g.Ranks(b)[j]
		if x < y {
			do(j, a, b, x, y)
		}
		if y < x {
			do(j, b, a, y, x)
		}
	}
}
