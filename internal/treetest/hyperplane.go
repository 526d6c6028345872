package treetest

import (
	"math"
	"math/big"
	"math/bits"
)

// Hyperplanes is the oracle of trees of hyperplanes: it tries every way to divide a set of rows in
// two, on every set of features, that a hyperplane with a margin allows. Sets of rows, at most 12,
// and of features, one or two, are bit masks.
type Hyperplanes struct {
	X       [][]float64 // (n, p) scaled to [0, 1]
	Y       []int       // (n) classes
	Weight  []float64   // (n)
	Mu      float64     // minimum margin: max_left a.x + Mu <= min_right a.x for some sum_j |a_j| = 1
	MinLeaf float64     // of Least only

	ways  map[[3]int]bool
	least map[[2]int][]float64
	right map[[2]int]float64
}

// Rows lists the rows of a mask.
func (h *Hyperplanes) Rows(mask int) (rows []int) {
	for ; mask != 0; mask &= mask - 1 {
		rows = append(rows, bits.TrailingZeros(uint(mask)))
	}
	return rows
}

// margin is min_right a.x - max_left a.x.
func (h *Hyperplanes) margin(left, right []int, a []float64) float64 {
	below, above := math.Inf(-1), math.Inf(1)
	value := func(i int) (v float64) {
		for j, w := range a {
			v += w * h.X[i][j]
		}
		return v
	}
	for _, i := range left {
		below = max(below, value(i))
	}
	for _, i := range right {
		above = min(above, value(i))
	}
	return above - below
}

// widest returns the maximum margin between two sets of rows over a on the given features with
// sum |a| = 1: for given signs, it is concave in |a_1|.
func (h *Hyperplanes) widest(left, right []int, features int) float64 {
	p := len(h.X[0])
	most := math.Inf(-1)
	for signs := range 4 {
		s, r := float64(1-signs&1*2), float64(1-signs&2)
		at := func(u float64) float64 { return h.margin(left, right, []float64{s * u, r * (1 - u)}[:p]) }
		low, high := 0.0, 1.0
		switch features {
		case 1:
			low = 1
		case 2:
			high = 0
		}
		for range 80 {
			a, b := low+(high-low)/3, high-(high-low)/3
			if at(a) < at(b) {
				low = a
			} else {
				high = b
			}
		}
		most = max(most, at((low+high)/2))
	}
	return most
}

// exactly reports in rational arithmetic whether a hyperplane on the given features has the margin. For given signs, each pair of rows bounds u = |a_1|.
func (h *Hyperplanes) exactly(left, right []int, features int) bool {
	for signs := range 4 {
		s, r := new(big.Rat).SetInt64(int64(1-signs&1*2)), new(big.Rat).SetInt64(int64(1-signs&2))
		low, high := new(big.Rat), new(big.Rat).SetInt64(1)
		switch features {
		case 1:
			low.SetInt64(1)
		case 2:
			high.SetInt64(0)
		}
		for _, i := range left {
			for _, k := range right {
				h.bound(i, k, s, r, low, high)
			}
		}
		if low.Cmp(high) <= 0 {
			return true
		}
	}
	return false
}

// bound narrows u to where s u d_1 + r (1 - u) d_2 >= Mu, for the difference d of two rows.
func (h *Hyperplanes) bound(i, k int, s, r, low, high *big.Rat) {
	d := []*big.Rat{new(big.Rat), new(big.Rat)}
	for j := range h.X[i] {
		d[j].Sub(new(big.Rat).SetFloat64(h.X[k][j]), new(big.Rat).SetFloat64(h.X[i][j]))
	}
	fixed := new(big.Rat).Mul(r, d[1])
	slope := new(big.Rat).Sub(new(big.Rat).Mul(s, d[0]), fixed)
	need := new(big.Rat).Sub(new(big.Rat).SetFloat64(h.Mu), fixed)
	switch {
	case slope.Sign() == 0 && need.Sign() > 0:
		low.SetInt64(2) // beyond high
	case slope.Sign() > 0:
		if need.Quo(need, slope); need.Cmp(low) > 0 {
			low.Set(need)
		}
	case slope.Sign() < 0:
		if need.Quo(need, slope); need.Cmp(high) < 0 {
			high.Set(need)
		}
	}
}

// Divides reports whether a hyperplane on just the given features sends the rows left to the one
// side and the rows right to the other, with the margin. Where rounding leaves in doubt whether the margin is Mu, it computes exactly.
func (h *Hyperplanes) Divides(left, right, features int) bool {
	key := [3]int{left, right, features}
	if ok, known := h.ways[key]; known {
		return ok
	}
	if h.ways == nil {
		h.ways = map[[3]int]bool{}
	}
	most := h.widest(h.Rows(left), h.Rows(right), features)
	is := most >= h.Mu
	if math.Abs(most-h.Mu) < 1e-7 {
		is = h.exactly(h.Rows(left), h.Rows(right), features)
	}
	h.ways[key] = is
	return is
}

// splits calls do for every split of the rows of a mask, with its number of features.
func (h *Hyperplanes) splits(mask int, do func(left, right, features, used int)) {
	for left := (mask - 1) & mask; left > 0; left = (left - 1) & mask {
		for features := 1; features < 1<<len(h.X[0]); features++ {
			do(left, mask&^left, features, bits.OnesCount(uint(features)))
		}
	}
}

// Least returns the minimum error weight of a tree whose hyperplanes keep the margin for all rows,
// by the number of features over all its splits; +Inf if there is no such tree.
func (h *Hyperplanes) Least(mask, depth int) []float64 {
	key := [2]int{mask, depth}
	if best, ok := h.least[key]; ok {
		return best
	}
	if h.least == nil {
		h.least = map[[2]int][]float64{}
	}
	best := make([]float64, len(h.X[0])*(1<<depth-1)+1)
	for s := range best {
		best[s] = math.Inf(1)
	}
	class, weight := map[int]float64{}, 0.0
	for _, i := range h.Rows(mask) {
		class[h.Y[i]] += h.Weight[i]
		weight += h.Weight[i]
	}
	if mask != 0 && weight >= h.MinLeaf {
		for _, w := range class {
			best[0] = min(best[0], weight-w)
		}
		if depth > 0 {
			h.splits(mask, func(left, right, features, used int) {
				if !h.Divides(left, right, features) {
					return
				}
				for a, la := range h.Least(left, depth-1) {
					for b, rb := range h.Least(right, depth-1) {
						best[a+b+used] = min(best[a+b+used], la+rb)
					}
				}
			})
		}
	}
	h.least[key] = best
	return best
}

// Right returns the minimum number of features over all splits of a tree that classifies all rows
// of mask correctly with the margin, whatever it does with the others; +Inf if there is none.
func (h *Hyperplanes) Right(mask, depth int) float64 {
	key := [2]int{mask, depth}
	if best, ok := h.right[key]; ok {
		return best
	}
	if h.right == nil {
		h.right = map[[2]int]float64{}
	}
	best, rows := 0.0, h.Rows(mask)
	for _, i := range rows {
		if h.Y[i] != h.Y[rows[0]] {
			best = math.Inf(1)
		}
	}
	if best > 0 && depth > 0 {
		h.splits(mask, func(left, right, features, used int) {
			below := float64(used)
			if below < best {
				below += h.Right(left, depth-1)
			}
			if below < best {
				below += h.Right(right, depth-1)
			}
			if below < best && h.Divides(left, right, features) {
				best = below
			}
		})
	}
	h.right[key] = best
	return best
}

// Served returns the minimum of error weight / baseline + alpha features over trees that keep the
// margin for the rows that they classify correctly, of the rows of a mask, with at most so many
// features over all splits (0: no limit).
func (h *Hyperplanes) Served(rows, depth int, baseline, alpha float64, most int) float64 {
	best := math.Inf(1)
	for mask := rows; ; mask = (mask - 1) & rows {
		v := 0.0
		for _, i := range h.Rows(rows &^ mask) {
			v += h.Weight[i] / baseline
		}
		if v < best {
			if s := h.Right(mask, depth); !math.IsInf(s, 1) && (most == 0 || s <= float64(most)) {
				best = min(best, v+alpha*s)
			}
		}
		if mask == 0 {
			return best
		}
	}
}

// All returns the minimum of the same objective over trees that keep the margin for all rows; +Inf
// if there is none.
func (h *Hyperplanes) All(rows, depth int, baseline, alpha float64, most int) float64 {
	best := math.Inf(1)
	for s, e := range h.Least(rows, depth) {
		if most == 0 || s <= most {
			best = min(best, e/baseline+alpha*float64(s))
		}
	}
	return best
}
