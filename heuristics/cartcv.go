package heuristics

import (
	"slices"

	"github.com/octgen/octgen/dataset"
)

// errorsAt returns, for each of the ascending alphas, the error weight of
// Subtree(alpha) on the given rows: one walk down the tree per row.
func (p *PrunePath) errorsAt(alphas []float64, ds *dataset.Dataset, rows []int) []float64 {
	change := make([]float64, len(alphas)+1)
	first := func(alpha float64) int {
		at, _ := slices.BinarySearch(alphas, alpha)
		return at
	}
	for _, i := range rows {
		x := ds.Row(i)
		// A node answers for the alphas from its own cut on, below its parent's.
		for at, end := 0, len(alphas); ; {
			n := &p.tree.Nodes[at]
			from := 0
			if !n.Leaf() {
				from = min(first(p.cut[at]), end)
			}
			if n.Class != ds.Y[i] {
				change[from] += ds.Weight[i]
				change[end] -= ds.Weight[i]
			}
			if from == 0 {
				break
			}
			end = from
			if n.Split.Left(x) {
				at = n.Left
			} else {
				at = n.Right
			}
		}
	}
	sum := 0.0
	for a := range alphas {
		sum += change[a]
		change[a] = sum
	}
	return change[:len(alphas)]
}
