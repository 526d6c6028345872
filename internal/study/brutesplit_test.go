package study

import (
	"math"
	"math/bits"
	"slices"
)

// heaviest is the class of set A of the linear splits; all others are B.
func (in *instance) heaviest() int {
	c := in.classWeights()
	return slices.Index(c, slices.Max(c))
}

// spread is the standard deviation of each feature, divisor n, rows counted once.
func (in *instance) spread() []float64 {
	sd := make([]float64, in.p())
	for j := range sd {
		mean := 0.0
		for _, row := range in.x {
			mean += row[j] / float64(in.n())
		}
		for _, row := range in.x {
			sd[j] += (row[j] - mean) * (row[j] - mean) / float64(in.n())
		}
		sd[j] = math.Sqrt(sd[j])
	}
	return sd
}

// rlpOptimum is the least error of RLP, or RLP-P, on the given features, with weights
// of at most box in size on standardised features. It solves the dual program, where
// 0 is feasible:
//
//	max  sum_A alpha + sum_B beta - box sum_j (p_j + q_j)
//	     |sum_A alpha_i x_ij - sum_B beta_i x_ij - p_j + q_j| <= eps    all j
//	     sum_A alpha = sum_B beta
//	     0 <= alpha_i <= (1-eps) omega_i / m,  0 <= beta_i <= (1-eps) omega_i / k
func (in *instance) rlpOptimum(features []int, box float64) float64 {
	a, n := in.heaviest(), in.n()
	class := in.classWeights()
	sides := [2]float64{class[a], in.total() - class[a]}
	low, high := in.extent()
	sd := in.spread()
	var used []int
	for _, j := range features {
		if low[j] < high[j] {
			used = append(used, j)
		}
	}
	cols := n
	boxed := !math.IsInf(box, 1)
	if boxed {
		cols += 2 * len(used)
	}
	cost := make([]float64, cols)
	var rows [][]float64
	var rhs []float64
	add := func(row []float64, most float64) { rows, rhs = append(rows, row), append(rhs, most) }
	both := func(row []float64, most float64) {
		add(row, most)
		turned := make([]float64, cols)
		for c, v := range row {
			turned[c] = -v
		}
		add(turned, most)
	}
	balance := make([]float64, cols)
	for i, y := range in.y {
		cost[i] = 1
		row, weight := make([]float64, cols), sides[1]
		balance[i] = -1
		if y == a {
			weight, balance[i] = sides[0], 1
		}
		row[i] = 1
		add(row, (1-in.eps)*in.w[i]/weight)
	}
	both(balance, 0)
	for at, j := range used {
		row := make([]float64, cols)
		for i := range n {
			row[i] = balance[i] * (in.x[i][j] - low[j]) / sd[j]
		}
		if boxed {
			p, q := n+2*at, n+2*at+1
			row[p], row[q], cost[p], cost[q] = -1, 1, -box, -box
		}
		both(row, in.eps)
	}
	return maximize(cost, rows, rhs)
}

// fewestFeatures is the least number of features of a split whose error is at most
// delta, with weights within the box; +Inf where there is none.
func (in *instance) fewestFeatures(box float64) float64 {
	fewest := math.Inf(1)
	for set := 1; set < 1<<in.p(); set++ {
		n := float64(bits.OnesCount(uint(set)))
		if n < fewest && in.rlpOptimum(in.subset(set), box) <= in.delta {
			fewest = n
		}
	}
	return fewest
}

// deltaIsClear says whether no set of features has nearly delta as its least error.
func (in *instance) deltaIsClear() bool {
	if in.delta == 0 {
		return true
	}
	for set := 1; set < 1<<in.p(); set++ {
		for _, box := range []float64{math.Inf(1), fmBox} {
			if math.Abs(in.rlpOptimum(in.subset(set), box)-in.delta) < 1e-4 {
				return false
			}
		}
	}
	return true
}

func (in *instance) subset(set int) []int {
	var features []int
	for j := range in.p() {
		if set>>j&1 == 1 {
			features = append(features, j)
		}
	}
	return features
}

// splitError is RLP's or RLP-P's error of the split w.x >= b for set A, at its own
// scale, in the data's units. Of two classes of equal weight either is A: which sum is
// the larger is for rounding to say.
func (in *instance) splitError(w []float64, b float64) float64 {
	a, class := in.heaviest(), in.classWeights()
	least := in.splitErrorOf(a, w, b)
	for other, weight := range class {
		if in.k == 2 && other != a && weight >= class[a]*(1-forgiven) {
			least = min(least, in.splitErrorOf(other, w, b))
		}
	}
	return least
}

func (in *instance) splitErrorOf(a int, w []float64, b float64) float64 {
	class := in.classWeights()
	total := 0.0
	for i, row := range in.x {
		v := -b
		for j := range row {
			v += w[j] * row[j]
		}
		if in.y[i] == a {
			total += in.w[i] / class[a] * max(0, 1-v)
		} else {
			total += in.w[i] / (in.total() - class[a]) * max(0, 1+v)
		}
	}
	size := 0.0
	for j, sd := range in.spread() {
		size += math.Abs(w[j]) * sd
	}
	return (1-in.eps)*total + in.eps*size
}
