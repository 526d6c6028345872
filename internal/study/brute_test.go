package study

import (
	"math"
	"math/bits"
	"slices"
)

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

// brutePlane tries every tree of hyperplanes: every division of a set of rows in two
// that some plane makes with the margin mu.
type brutePlane struct {
	*instance
	x01   [][]float64 // features scaled to [0, 1]
	best  map[[2]int][]float64
	needs map[[2]int]int // (left, right): the fewest features of a plane that divides them so
	near  bool           // a margin was nearly mu
}

// impossible is the number of features where no plane will do.
const impossible = math.MaxInt

func newBrutePlane(in *instance) *brutePlane {
	return &brutePlane{instance: in, x01: in.minMax(), best: make(map[[2]int][]float64), needs: make(map[[2]int]int)}
}

// planeOptimum is the least objective of trees of hyperplanes, errors over the errors
// of the best single leaf plus alpha per feature of each split.
func (in *instance) planeOptimum() float64 {
	b := newBrutePlane(in)
	return in.cheapest(b.errors(1<<in.n()-1, in.depth))
}

// marginsAreClear says whether no division that some tree could make has nearly the
// margin mu.
func (in *instance) marginsAreClear() bool {
	b := newBrutePlane(in)
	b.errors(1<<in.n()-1, in.depth)
	return !b.near
}

// minMax returns the features scaled to [0, 1]; those that are constant become 0.
func (in *instance) minMax() [][]float64 {
	low, high := in.extent()
	scaled := make([][]float64, in.n())
	for i, row := range in.x {
		scaled[i] = make([]float64, in.p())
		for j, v := range row {
			if low[j] < high[j] {
				scaled[i][j] = (v - low[j]) / (high[j] - low[j])
			}
		}
	}
	return scaled
}

func (in *instance) extent() (low, high []float64) {
	low, high = make([]float64, in.p()), make([]float64, in.p())
	for j := range low {
		low[j], high[j] = math.Inf(1), math.Inf(-1)
		for i := range in.x {
			low[j], high[j] = min(low[j], in.x[i][j]), max(high[j], in.x[i][j])
		}
	}
	return low, high
}

// errors returns the least error weight of a tree on the rows whose splits have
// exactly s features in all.
func (b *brutePlane) errors(rows, depth int) []float64 {
	key := [2]int{rows, depth}
	if best, ok := b.best[key]; ok {
		return best
	}
	best := make([]float64, b.p()*(1<<depth-1)+1)
	for s := range best {
		best[s] = math.Inf(1)
	}
	best[0] = b.leafErrors(rows)
	for left := (rows - 1) & rows; left > 0 && depth > 0; left = (left - 1) & rows {
		used := b.features(left, rows&^left)
		if used == impossible {
			continue
		}
		l, r := b.errors(left, depth-1), b.errors(rows&^left, depth-1)
		for i := range l {
			for j := range r {
				best[i+j+used] = min(best[i+j+used], l[i]+r[j])
			}
		}
	}
	b.best[key] = best
	return best
}

// features is the fewest features of a plane that has the rows of left on one side
// and those of right on the other, with the margin.
func (b *brutePlane) features(left, right int) int {
	key := [2]int{min(left, right), max(left, right)} // -a turns the sides
	if n, ok := b.needs[key]; ok {
		return n
	}
	fewest := impossible
	for set := 1; set < 1<<b.p(); set++ {
		if n := bits.OnesCount(uint(set)); n < fewest && b.parts(left, right, set) {
			fewest = n
		}
	}
	b.needs[key] = fewest
	return fewest
}

// parts says whether a plane on the features of the set has the margin mu between
// the rows.
func (b *brutePlane) parts(left, right, set int) bool {
	margin := b.margin(left, right, set)
	if math.Abs(margin-b.mu) < 2e-5 {
		b.near = true
	}
	return margin >= b.mu
}

// margin is the largest m with a.x + m <= b for the rows of left, a.x >= b for those
// of right, and |a|_1 <= 1. Columns: a+ and a- of each feature, b+, b-, m.
func (b *brutePlane) margin(left, right, set int) float64 {
	var features []int
	for j := range b.p() {
		if set>>j&1 == 1 {
			features = append(features, j)
		}
	}
	f := len(features)
	var rows [][]float64
	for i := range b.n() {
		row := make([]float64, 2*f+3)
		sign := 1.0
		switch {
		case left>>i&1 == 1:
			row[2*f+2] = 1
		case right>>i&1 == 1:
			sign = -1
		default:
			continue
		}
		for c, j := range features {
			row[2*c], row[2*c+1] = sign*b.x01[i][j], -sign*b.x01[i][j]
		}
		row[2*f], row[2*f+1] = -sign, sign
		rows = append(rows, row)
	}
	size := make([]float64, 2*f+3)
	for c := range 2 * f {
		size[c] = 1
	}
	rows = append(rows, size)
	rhs, cost := make([]float64, len(rows)), make([]float64, 2*f+3)
	rhs[len(rhs)-1], cost[2*f+2] = 1, 1
	return maximize(cost, rows, rhs)
}

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

// maximize returns the largest c.x with A x <= b and x >= 0, for b >= 0, where x = 0
// is feasible: the simplex method on a dense tableau, with Bland's rule, which does
// not cycle. It returns +Inf where there is no largest.
func maximize(c []float64, a [][]float64, b []float64) float64 {
	const tiny = 1e-11
	m, n := len(a), len(c)
	t := make([][]float64, m+1) // the rows, then the objective; columns: x, slacks, right-hand side
	for i := range t {
		t[i] = make([]float64, n+m+1)
		if i < m {
			copy(t[i], a[i])
			t[i][n+i] = 1
			t[i][n+m] = b[i]
		}
	}
	for j, v := range c {
		t[m][j] = -v
	}
	basic := make([]int, m)
	for i := range basic {
		basic[i] = n + i
	}
	for {
		enter := -1
		for j := range n + m {
			if t[m][j] < -tiny {
				enter = j
				break
			}
		}
		if enter < 0 {
			return t[m][n+m]
		}
		leave, least := -1, math.Inf(1)
		for i := range m {
			if t[i][enter] <= tiny {
				continue
			}
			ratio := t[i][n+m] / t[i][enter]
			if ratio < least-tiny || ratio < least+tiny && leave >= 0 && basic[i] < basic[leave] {
				leave, least = i, min(ratio, least)
			}
		}
		if leave < 0 {
			return math.Inf(1)
		}
		pivot(t, leave, enter)
		basic[leave] = enter
	}
}

func pivot(t [][]float64, leave, enter int) {
	p := t[leave][enter]
	for j := range t[leave] {
		t[leave][j] /= p
	}
	for i := range t {
		f := t[i][enter]
		if i == leave || f == 0 {
			continue
		}
		for j, v := range t[leave] {
			t[i][j] -= f * v
		}
		t[i][enter] = 0
	}
}
