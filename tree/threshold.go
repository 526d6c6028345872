package tree

import (
	"math"

	"github.com/octgen/octgen/dataset"
)

// Midpoint returns the threshold between the neighbouring training values v
// and next, v < next: their midpoint, or next where the midpoint is not
// strictly above v in floating point. So v goes left of the threshold and next
// goes right, always. Values of any finite size are allowed.
func Midpoint(v, next float64) float64 {
	m := (v + next) / 2
	if math.IsInf(m, 0) { // the sum overflowed; halves of such values are exact
		m = v/2 + next/2
	}
	if !(m > v) {
		return next
	}
	return m
}

// EnoughWeight reports whether the weight w satisfies a minimum leaf weight
// nmin. Sums of fractional weights are rounded, so a shortfall of 1e-9 of nmin
// is forgiven; everything that compares a weight with N_min does it here.
func EnoughWeight(w, nmin float64) bool { return w >= LeastWeight(nmin) }

// LeastWeight is the least weight that EnoughWeight accepts.
func LeastWeight(nmin float64) float64 { return nmin - dataset.LeafTolerance*nmin }

// Centre puts the threshold half way between the rows of ds, by their numbers, that are
// to go left and those that are to go right. It reports whether there is room between
// them; where there is none the threshold parts them no more.
func (s *Split) Centre(ds *dataset.Dataset, left, right []int32) bool {
	below, above := math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, s.sum(ds.Row(int(i))))
	}
	for _, i := range right {
		above = min(above, s.sum(ds.Row(int(i))))
	}
	s.Threshold = Midpoint(below, above)
	return below < above
}
