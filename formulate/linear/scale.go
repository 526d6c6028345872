package linear

import (
	"math"
	"slices"
)

// scaleCurve is the objective of the planes (s w, s gamma) over the scale s > 0,
//
//	f(s) = sum_i c_i (1 - s m_i)_+ + slope s
//
// which is convex and piecewise linear: a plane's predictions do not depend on
// its scale, its error does.
type scaleCurve struct {
	margin, cost []float64
	slope        float64
}

func (d *twoSets) curve(pl separator, eps, slope float64) scaleCurve {
	c := scaleCurve{d.margins(pl), make([]float64, d.n), eps*pl.norm1() + slope}
	for i, share := range d.share {
		c.cost[i] = (1 - eps) * share
		if math.Abs(c.margin[i]) <= noise*d.size(pl, i) {
			c.margin[i] = 0
		}
	}
	return c
}

// size is the size of the terms that make up x_i.w - gamma.
func (d *twoSets) size(pl separator, i int) float64 {
	size := math.Abs(pl.gamma)
	for jx, x := range d.row(i) {
		size += math.Abs(x * pl.w[jx])
	}
	return size
}

// largestScale is the scale beyond which the rounding of x.w - gamma, which
// grows with it, is seen in the rows of a model.
func (d *twoSets) largestScale(pl separator) float64 {
	most := 0.0
	for i := range d.n {
		most = max(most, d.size(pl, i))
	}
	const largest = 1e6
	return max(1, largest/most)
}

func (c scaleCurve) at(s float64) float64 {
	f := c.slope * s
	for i, m := range c.margin {
		f += c.cost[i] * max(0, 1-s*m)
	}
	return f
}

// least returns the scale of least f within (0, most]; of a curve that never
// falls, 1 or most. It takes O(n log n).
func (c scaleCurve) least(most float64) float64 {
	type kink struct{ s, rise float64 }
	var kinks []kink
	slope := c.slope
	for i, m := range c.margin {
		slope -= c.cost[i] * m
		if m > 0 {
			kinks = append(kinks, kink{1 / m, c.cost[i] * m})
		}
	}
	if slope >= 0 {
		return min(1, most)
	}
	slices.SortFunc(kinks, func(a, b kink) int {
		switch {
		case a.s < b.s:
			return -1
		case a.s > b.s:
			return 1
		}
		return 0
	})
	s := min(1, most)
	for _, k := range kinks {
		s = k.s
		if slope += k.rise; slope >= 0 || s >= most {
			break
		}
	}
	return min(s, most)
}

// first returns the least scale in (0, best] with f <= level, given that
// f(best) <= level and best = least(...).
func (c scaleCurve) first(level, best float64) float64 {
	low, high := 0.0, best
	for range 200 {
		mid := (low + high) / 2
		if mid == low || mid == high {
			break
		}
		if c.at(mid) <= level {
			high = mid
		} else {
			low = mid
		}
	}
	if math.Abs(high-best) < 1e-12*best {
		return best
	}
	return high
}
