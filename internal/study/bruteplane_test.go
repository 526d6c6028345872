package study

import (
	"math"
	"math/bits"
)

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
