package localsearch

import "math"

// twoSides is a row's addend to the running sums of the two sides of a parent's
// split; that of the side where the row is not is 0. So one sweep over all rows
// finds the best split on both sides, without a branch per row.
type twoSides [2]float64

// classed is the same for the sums per class: slot is side*K + class.
type classed struct {
	weight     float64
	slot, side int32
}

// The sweeps below go through the entries of one feature in order and, where
// the next value is another one, try the threshold there on both sides. They
// return the last position accepted per side, -1 for none. They are the
// innermost loops of the search.

// sweepLeads is for two classes and free labels: l is the lead of class 0 on
// the left of the threshold and all that on the whole side. The side errs
// (W - |l| - |all-l|)/2: best is the largest |l| + |all-l| so far.
func sweepLeads(entries []int32, v []twoSides, all twoSides, best *twoSides) (q0, q1 int) {
	q0, q1 = -1, -1
	l0, l1 := 0.0, 0.0
	t0, t1 := all[0], all[1]
	b0, b1 := best[0], best[1]
	for q, e := range entries {
		d := &v[e>>1]
		l0 += d[0]
		l1 += d[1]
		if e&1 == 0 {
			continue
		}
		if s := math.Abs(l0) + math.Abs(t0-l0); s > b0 {
			b0, q0 = s, q
		}
		if s := math.Abs(l1) + math.Abs(t1-l1); s > b1 {
			b1, q1 = s, q
		}
	}
	best[0], best[1] = b0, b1
	return q0, q1
}

// sweepFixed is for fixed subtrees: v is the weight gained where the row goes to
// the left one. high and low are the largest and smallest prefix sums so far.
func sweepFixed(entries []int32, v []twoSides, high, low *twoSides) (qh, ql [2]int) {
	qh, ql = [2]int{-1, -1}, [2]int{-1, -1}
	l0, l1 := 0.0, 0.0
	h0, h1, m0, m1 := high[0], high[1], low[0], low[1]
	for q, e := range entries {
		d := &v[e>>1]
		l0 += d[0]
		l1 += d[1]
		if e&1 == 0 {
			continue
		}
		if l0 > h0 {
			h0, qh[0] = l0, q
		}
		if l0 < m0 {
			m0, ql[0] = l0, q
		}
		if l1 > h1 {
			h1, qh[1] = l1, q
		}
		if l1 < m1 {
			m1, ql[1] = l1, q
		}
	}
	high[0], high[1], low[0], low[1] = h0, h1, m0, m1
	return qh, ql
}

// sweepClasses is for any number of classes and free labels, with a floor on the
// weight of both parts of a side. total is the weight per side and class, left
// scratch of that size; a side is correct with the largest class on the left
// plus that on the right: best is the largest such sum so far. Of the right part
// it keeps an upper bound on its largest class, as that one only falls; it is
// renewed only where it would make the threshold the best.
func sweepClasses(entries []int32, v []classed, total, left []float64, weight, best *twoSides, floor float64) (q0, q1 int) {
	at := [2]int{-1, -1}
	clear(left)
	k := len(total) / 2
	var most, bound, sum twoSides
	for side := range bound {
		for _, w := range total[side*k : (side+1)*k] {
			bound[side] = max(bound[side], w)
		}
	}
	for q, e := range entries {
		d := &v[e>>1]
		l := left[d.slot] + d.weight
		left[d.slot] = l
		sum[d.side&1] += d.weight
		most[d.side&1] = max(most[d.side&1], l) // the left part only grows
		if e&1 == 0 {
			continue
		}
		for side := range most {
			if most[side]+bound[side] <= best[side] || sum[side] < floor || weight[side]-sum[side] < floor {
				continue
			}
			r := 0.0
			for c := side * k; c < (side+1)*k; c++ {
				r = max(r, total[c]-left[c])
			}
			bound[side] = r
			if most[side]+r > best[side] {
				best[side], at[side] = most[side]+r, q
			}
		}
	}
	return at[0], at[1]
}

// deficit is a sweep over fixed subtrees that minds the least leaf weight: it
// keeps the weight of every leaf below and the number of those that are too
// light but not empty.
type deficit struct {
	leftLeaf, rightLeaf []int32   // (n) slot of the leaf that the row reaches in each subtree
	start               []float64 // weight per slot where all rows go right
	weight              []float64
	floor               float64
}

func (d *deficit) light(w float64) int {
	if w > 0 && w < d.floor {
		return 1
	}
	return 0
}

// sweep returns the position of the largest prefix sum of gain above best at
// which no leaf is too light, and the sum.
func (d *deficit) sweep(entries []int32, gain, w []float64, best float64) (int, float64) {
	copy(d.weight, d.start)
	light, sum, at := 0, 0.0, -1
	for _, v := range d.weight {
		light += d.light(v)
	}
	move := func(slot int32, by float64) {
		light -= d.light(d.weight[slot])
		d.weight[slot] += by
		if math.Abs(d.weight[slot]) < 1e-12*math.Abs(by) {
			d.weight[slot] = 0 // what is left of rounding
		}
		light += d.light(d.weight[slot])
	}
	for q, e := range entries {
		i := e >> 1
		sum += gain[i]
		move(d.rightLeaf[i], -w[i])
		move(d.leftLeaf[i], w[i])
		if e&1 == 1 && light == 0 && sum > best {
			best, at = sum, q
		}
	}
	return at, best
}
