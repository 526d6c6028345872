package alternating

import "math"

// perNorm is the price of sum |u_j| when a margin is made widest, in units of all weight:
// so little that no row gives up a part of its margin for it.
const perNorm = 1e-7

// widen gives the best tree planes of the widest margins, on the features that they have,
// with all rows on their sides: of trees that are as good, those whose rows are farthest
// apart. Features that the widest margin does not need are no longer used.
func (e *searcher) widen() {
	if e.o.Right || e.best == nil || e.Ended() {
		return
	}
	s := new(state)
	s.copyOf(e.best)
	for t := 1; t < s.leaves(); t++ {
		if pl := &s.plane[t]; pl.a != nil {
			if wide, ok := e.widest(pl, e.through(s, t)); ok {
				*pl = wide
			}
		}
	}
	if v := e.worth(s); v.broken > 0 || e.bestWorth.better(v) {
		return
	}
	if t, ok := e.tree(s); ok {
		e.best, e.bestWorth, e.bestTree = s, e.worth(s), t
	}
}

// widest is the plane of the widest margin that parts the rows as now does: the least
// sum |u_j| under s_i (u.x_i - b) >= 1.
func (e *searcher) widest(now *plane, rows []int32) (wide plane, ok bool) {
	same := make([]float64, len(rows)) // costs on both sides: all rows stay where they are
	h := (&node{searcher: e, rows: rows, left: same, right: same}).program(now)
	total, left := 0.0, 0
	for q, i := range rows {
		h.weight[q] = e.w[i]
		total += e.w[i]
		if h.sign[q] < 0 {
			left++
		}
	}
	if left == 0 || left == len(rows) {
		return plane{}, false
	}
	h.price = perNorm * total
	for j, a := range now.a {
		h.banned[j] = a == 0
	}
	h.minimize()
	e.spendProgram(h, h.steps)
	wide = plane{a: make([]float64, h.p)}
	if h.direction(wide.a) == 0 || e.Ended() {
		return plane{}, false
	}
	below, above := math.Inf(-1), math.Inf(1)
	for q, i := range rows {
		if v := wide.value(e.row(i)); h.sign[q] < 0 {
			below = max(below, v)
		} else {
			above = min(above, v)
		}
	}
	wide.b = below + (above-below)/2
	return wide, above-below >= 2*e.half
}
