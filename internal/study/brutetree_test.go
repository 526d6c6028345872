package study

import "math"

// forgiven is what may be missing of a least leaf, relatively: weights are rounded
// sums.
const forgiven = 1e-9

func enough(weight, least float64) bool { return weight >= least-forgiven*least }

// bruteTree tries every univariate tree. Sets of rows are bit masks.
type bruteTree struct {
	*instance
	known map[[2]int][]float64
}

// treeOptimum is the least objective of univariate trees, errors over the errors of
// the best single leaf plus alpha per split; +Inf where no leaf is heavy enough.
func (in *instance) treeOptimum() float64 {
	b := bruteTree{in, make(map[[2]int][]float64)}
	return in.cheapest(b.errors(1<<in.n()-1, in.depth))
}

// cheapest is the least objective, given the least error weight for each complexity.
func (in *instance) cheapest(errors []float64) float64 {
	unit := in.baseline()
	if unit == 0 {
		unit = 1
	}
	best := math.Inf(1)
	for s, e := range errors {
		if in.maxSplits == 0 || s <= in.maxSplits {
			best = min(best, e/unit+in.alpha*float64(s))
		}
	}
	return best
}

// errors returns the least error weight of a tree on the rows with exactly s splits,
// for s = 0 .. 2^depth - 1; +Inf where there is none.
func (b *bruteTree) errors(rows, depth int) []float64 {
	key := [2]int{rows, depth}
	if best, ok := b.known[key]; ok {
		return best
	}
	best := make([]float64, 1<<depth)
	for s := range best {
		best[s] = math.Inf(1)
	}
	best[0] = b.leafErrors(rows)
	for _, left := range b.cuts(rows, depth) {
		l, r := b.errors(left, depth-1), b.errors(rows&^left, depth-1)
		for i := range l {
			for j := range r {
				best[i+j+1] = min(best[i+j+1], l[i]+r[j])
			}
		}
	}
	b.known[key] = best
	return best
}

// leafErrors is the error weight of the rows as one leaf, +Inf where they are too
// light for one.
func (in *instance) leafErrors(rows int) float64 {
	class, weight := make([]float64, in.k), 0.0
	for i := range in.n() {
		if rows>>i&1 == 1 {
			class[in.y[i]] += in.w[i]
			weight += in.w[i]
		}
	}
	if rows == 0 || !enough(weight, in.minLeaf) {
		return math.Inf(1)
	}
	least := math.Inf(1)
	for k := range class {
		wrong := 0.0
		for other, w := range class {
			if other != k {
				wrong += w
			}
		}
		least = min(least, wrong)
	}
	return least
}

// cuts returns every set of rows that a split below one of their values sends left.
func (b *bruteTree) cuts(rows, depth int) []int {
	if depth == 0 {
		return nil
	}
	var lefts []int
	for j := range b.p() {
		for at := range b.n() {
			if rows>>at&1 == 0 {
				continue
			}
			left := 0
			for i := range b.n() {
				if rows>>i&1 == 1 && b.x[i][j] < b.x[at][j] {
					left |= 1 << i
				}
			}
			if left != 0 {
				lefts = append(lefts, left)
			}
		}
	}
	return lefts
}
