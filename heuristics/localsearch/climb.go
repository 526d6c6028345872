package localsearch

import (
	"math"
	"slices"
)

// softMargins are the prices of weight within the margin, in units of weight,
// that a climb goes through before the forbidding one.
var softMargins = []float64{0.3, 2}

// priceSubtrees makes the prices those of the subtrees below.
func (h *hyperplanes) priceSubtrees(rows []int32, left, right int32) {
	h.line.resize(len(rows))
	for q, i := range rows {
		h.line.left[q], h.line.right[q] = h.cost(left, i), h.cost(right, i)
	}
}

// priceLabels makes the prices those of two leaves.
func (h *hyperplanes) priceLabels(rows []int32, left, right int32) {
	h.line.resize(len(rows))
	for q, i := range rows {
		h.line.left[q], h.line.right[q] = h.w[i], h.w[i]
		switch h.y[i] {
		case left:
			h.line.left[q] = 0
		case right:
			h.line.right[q] = 0
		}
	}
}

// priceMargin sets the price within the margin.
func (h *hyperplanes) priceMargin(rows []int32, margin float64) {
	l := &h.line
	for q, i := range rows {
		l.within[q] = max(l.left[q], l.right[q]) + margin*h.w[i]
	}
}

// evaluate sets the values of rows at p and returns its cost.
func (h *hyperplanes) evaluate(p *hyperplane, value []float64) float64 {
	cost := h.price * float64(p.features())
	for q, i := range h.climb.rows {
		value[q] = h.value(p, i)
		cost += h.line.price(q, value[q])
	}
	return cost
}

func (h *hyperplanes) startClimb(rows []int32, room int) {
	c := &h.climb
	c.rows, c.room = rows, room
	c.value = slices.Grow(c.value[:0], len(rows))[:len(rows)]
	c.other = slices.Grow(c.other[:0], len(rows))[:len(rows)]
}

// reach makes the plane the best one that is found from it with the prices of
// the rows as they are: first with small prices of the margin, then with the
// forbidding one.
func (h *hyperplanes) reach(tries int) {
	c := &h.climb
	for _, m := range softMargins {
		h.priceMargin(c.rows, m)
		h.moves(tries / 2)
	}
	h.priceMargin(c.rows, h.forbidden)
	h.moves(tries)
}

// moves tries that many lines from the plane.
func (h *hyperplanes) moves(tries int) {
	c := &h.climb
	c.cost = h.evaluate(&c.plane, c.value)
	h.shift()
	for range tries {
		if h.budget.over() {
			return
		}
		jx := h.rng.IntN(len(h.active))
		if h.rng.IntN(8) == 0 {
			h.shift()
			continue
		}
		rest := 1 - math.Abs(c.plane.a[jx])
		if rest < 1e-9 {
			continue
		}
		i, k := c.rows[h.rng.IntN(len(c.rows))], c.rows[h.rng.IntN(len(c.rows))]
		pivot := (h.column[jx][i] + h.column[jx][k]) / 2
		h.toward(jx, pivot, rest, 1)
		h.toward(jx, pivot, 1-math.Abs(c.plane.a[jx]), -1)
	}
}

// shift moves b alone.
func (h *hyperplanes) shift() {
	c := &h.climb
	for q, v := range c.value {
		h.line.from[q], h.line.to[q] = v-1, v+1
	}
	_, _, best := h.search()
	if math.IsInf(best.cost, 1) {
		return
	}
	c.trial.set(&c.plane)
	c.trial.b += 1 - 2*best.t
	h.take()
}

// toward searches the line from the plane without feature jx, which turns about
// the pivot, to the plane sign * (x_jx - pivot). The plane itself is on it for
// one of the signs.
func (h *hyperplanes) toward(jx int, pivot, rest, sign float64) {
	if rest < 1e-9 {
		return
	}
	c, column := &h.climb, h.column[jx]
	a := c.plane.a[jx]
	for q, i := range c.rows {
		x := column[i] - pivot
		h.line.from[q] = (c.value[q] - a*x) / rest
		h.line.to[q] = sign * x
	}
	first, last, best := h.search()
	n := c.plane.features()
	with, without := n, n-1
	if a == 0 {
		with, without = n+1, n
	}
	t, cost := 0.0, first+h.price*float64(without)
	if with <= c.room && best.cost+h.price*float64(with) < cost-h.tolerance {
		t, cost = best.t, best.cost+h.price*float64(with)
	}
	if last+h.price < cost-h.tolerance {
		t, cost = 1, last+h.price
	}
	if cost > c.cost+h.tolerance || a == 0 && t == 0 {
		return
	}
	c.trial.set(&c.plane)
	for k := range c.trial.a {
		c.trial.a[k] *= (1 - t) / rest
	}
	c.trial.a[jx] = sign * t
	c.trial.b = (1-t)*(c.plane.b-a*pivot)/rest + t*sign*pivot
	h.take()
}

// search is planeLine.search, counted.
func (h *hyperplanes) search() (first, last float64, best linePoint) {
	h.budget.spend(8 * len(h.climb.rows))
	return h.line.search()
}

// take makes the trial the plane where it is no worse, and of equals now and
// then.
func (h *hyperplanes) take() {
	c := &h.climb
	cost := h.evaluate(&c.trial, c.other)
	if cost < c.cost-h.tolerance || cost <= c.cost+h.tolerance && h.rng.IntN(2) == 0 {
		c.plane, c.trial = c.trial, c.plane
		c.value, c.other = c.other, c.value
		c.cost = cost
	}
}

// startUnivariate makes the plane the best univariate one for the lowest price of the
// margin, on about the given share of the features.
func (h *hyperplanes) startUnivariate(share float64) {
	c := &h.climb
	h.priceMargin(c.rows, softMargins[0])
	best, at, sign, b := math.Inf(1), h.rng.IntN(len(h.column)), 1.0, 0.0
	for jx, column := range h.column {
		if share < 1 && h.rng.Float64() > share && jx != at {
			continue
		}
		if h.budget.ended() {
			break
		}
		for _, g := range [2]float64{1, -1} {
			for q, i := range c.rows { // sign*x - b for b from 1.1 to -1.1
				v := g * column[i]
				h.line.from[q], h.line.to[q] = v-1.1, v+1.1
			}
			if _, _, p := h.search(); p.cost < best-h.tolerance {
				best, at, sign, b = p.cost, jx, g, 1.1-2.2*p.t
			}
		}
	}
	c.plane.a = slices.Grow(c.plane.a[:0], len(h.active))[:len(h.active)]
	clear(c.plane.a)
	c.plane.a[at], c.plane.b = sign, b
}
