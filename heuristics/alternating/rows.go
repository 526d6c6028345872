package alternating

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// rows is the merged training data on features scaled to [0, 1].
type rows struct {
	ds         *dataset.Dataset
	n, p, k    int       // rows, non-constant features, classes
	active     []int     // (p) the non-constant features
	low, width []float64 // (p) x' = (x - low)/width
	x          []float64 // (n, p) by row
	y          []int32
	w          []float64
	half       float64 // half of the margin, with room for the rounding of later checks
}

// roomForMargin is the factor by which the margin exceeds mu, to allow for the rounding of later
// checks.
const roomForMargin = 1 + 2e-6

func newRows(ds *dataset.Dataset, pre *tree.Presort, mu float64, some []int32) *rows {
	if some != nil {
		index := make([]int, len(some))
		for q, i := range some {
			index[q] = int(i)
		}
		ds = ds.Subset(index)
	}
	r := &rows{ds: ds, n: ds.N(), k: ds.K(), w: ds.Weight, y: make([]int32, ds.N()), half: mu / 2 * roomForMargin}
	for i, y := range ds.Y {
		r.y[i] = int32(y)
	}
	for j := range ds.P() {
		v := pre.Values(j)
		if width := v[len(v)-1] - v[0]; width > 0 && !math.IsInf(width, 0) {
			r.active, r.low, r.width = append(r.active, j), append(r.low, v[0]), append(r.width, width)
		}
	}
	r.p = len(r.active)
	r.x = make([]float64, r.n*r.p)
	for i := range r.n {
		row := r.row(int32(i))
		for jx, j := range r.active {
			row[jx] = (ds.At(i, j) - r.low[jx]) / r.width[jx]
		}
	}
	return r
}

func (r *rows) row(i int32) []float64 { return r.x[int(i)*r.p : (int(i)+1)*r.p : (int(i)+1)*r.p] }

// plane is a split: rows with a.x < b go left; those with |a.x - b| < half are within its margin.
// If a is nil, all rows go right.
type plane struct {
	a []float64 // (p) sum |a| = 1
	b float64
}

// value returns the value of a row: below 0 it goes left.
func (s *plane) value(x []float64) float64 {
	v := -s.b
	x = x[:len(s.a)]
	for j, a := range s.a {
		v += a * x[j]
	}
	return v
}

// features returns the number of nonzeros of a.
func (s *plane) features() int {
	n := 0
	for _, a := range s.a {
		if a != 0 {
			n++
		}
	}
	return n
}

// planeOf scales a split; without a non-constant feature it sends all rows right.
func (r *rows) planeOf(split *tree.Split) plane {
	s := plane{a: make([]float64, r.p), b: split.Threshold}
	norm := 0.0
	for _, term := range split.Terms {
		jx, varies := slices.BinarySearch(r.active, term.Feature)
		if !varies {
			s.b -= term.Weight * r.ds.At(0, term.Feature)
			continue
		}
		s.a[jx] = term.Weight * r.width[jx]
		s.b -= term.Weight * r.low[jx]
		norm += math.Abs(s.a[jx])
	}
	if !(norm > 0) || math.IsInf(norm, 0) || math.IsNaN(s.b) || math.IsInf(s.b, 0) {
		return plane{}
	}
	for jx := range s.a {
		s.a[jx] /= norm
	}
	s.b /= norm
	return s
}

// split converts a plane to the data's units. Its threshold is unchanged (rows within the margin
// may change sides by rounding) or, with middle, halfway between the rows on its sides. ok is false
// if rounding leaves no gap between the sides. exchanged reports that the sides are exchanged, so
// that a univariate split is x_j < b.
func (r *rows) split(s *plane, left, right []int32, middle bool) (split *tree.Split, exchanged, ok bool) {
	split = &tree.Split{Threshold: s.b}
	for jx, a := range s.a {
		if a != 0 {
			split.Terms = append(split.Terms, tree.Term{Feature: r.active[jx], Weight: a / r.width[jx]})
			split.Threshold += a * r.low[jx] / r.width[jx]
		}
	}
	if len(split.Terms) == 1 {
		w := split.Terms[0].Weight
		exchanged = w < 0
		split.Terms[0].Weight, split.Threshold = 1, split.Threshold/w
	}
	if !middle {
		return split, exchanged, !math.IsInf(split.Threshold, 0)
	}
	if exchanged {
		left, right = right, left
	}
	return split, exchanged, split.Centre(r.ds, left, right)
}
