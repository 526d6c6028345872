package localsearch

import (
	"math"
	"math/rand/v2"
	"slices"
)

// hyperplane is a split on scaled features: rows with a.x < b go left.
type hyperplane struct {
	a []float64 // (active) sum |a| = 1
	b float64
}

func (p *hyperplane) set(q *hyperplane) {
	p.a = append(p.a[:0], q.a...)
	p.b = q.b
}

// features returns the number of nonzeros of a.
func (p *hyperplane) features() int {
	n := 0
	for _, a := range p.a {
		if a != 0 {
			n++
		}
	}
	return n
}

// hyperplanes is the state shared by the moves of hyperplane trees for OCT-H, on features scaled to
// [0, 1]. Every split keeps the margin: with sum_j |a_j| = 1, no row at its node has |a.x - b| <
// mu/2. The loss is the error weight plus the penalty for the features plus forbidden for each unit
// of weight within a margin.
//
// A node is re-optimised given the subtrees below it, or given the labels of its two leaves: all
// that matters of a row is its price on the left, on the right and within the margin. The split
// starts as the current one, as the best univariate one, or as the best one on few features. It
// moves in its threshold, and along lines like OC1's perturbations (Murthy et al. 1993, section
// 2.1). A line leads from the plane without feature j to the plane of feature j alone, through a
// random pivot on that feature: its ends drop a feature, or return to a univariate split. Each line
// is searched exactly (planeLine). At first, rows within the margin have a small price, so that a
// split can pass over them; at the end, the price is prohibitive.
type hyperplanes struct {
	*state[hyperplane]
	active    []int32   // non-constant features
	low, span []float64 // (active) of the scaling
	column    [][]float64
	half      float64 // half of the margin
	forbidden float64 // price of weight within a margin

	undo  workTree[hyperplane] // scratch
	line  planeLine
	climb planeClimb
}

// planeClimb moves one plane along lines, for fixed prices of the rows at its node.
type planeClimb struct {
	rows  []int32
	value []float64 // (n) at plane
	other []float64 // (n) at trial
	plane hyperplane
	trial hyperplane
	cost  float64 // of plane, including the penalty for its features
	room  int     // maximum number of features
}

// roomForMargin is the factor by which the margin exceeds mu, to allow for the rounding of later
// checks.
const roomForMargin = 1 + 1e-6

// newHyperplanes scales the features; it returns nil if the context ends.
func newHyperplanes(p *problem, b *budget, rng *rand.Rand, mu float64) *hyperplanes {
	total := 0.0
	for _, w := range p.w {
		total += w
	}
	h := &hyperplanes{
		state: newState[hyperplane](p, b, rng), half: mu / 2 * roomForMargin,
		forbidden: 10 * (total + p.price*float64(p.p)*float64(int(2)<<min(p.depth, 20))) / slices.Min(p.w),
	}
	h.splitting = h
	for j := range p.p {
		v := p.pre.Values(j)
		if len(v) < 2 {
			continue
		}
		if b.ended() {
			return nil
		}
		low, span := v[0], v[len(v)-1]-v[0]
		column := make([]float64, p.n)
		for i := range column {
			column[i] = (p.ds.At(i, j) - low) / span
		}
		h.active, h.low, h.span, h.column = append(h.active, int32(j)), append(h.low, low), append(h.span, span), append(h.column, column)
	}
	return h
}

// value returns the value of row i at a plane, minus its threshold.
func (h *hyperplanes) value(p *hyperplane, i int32) float64 {
	v := -p.b
	for jx, a := range p.a {
		if a != 0 {
			v += a * h.column[jx][i]
		}
	}
	return v
}

// terms returns the number of features of a split.
func (h *hyperplanes) terms(p *hyperplane) int { return p.features() }

// route moves the rows that go left to the front and returns their number.
func (h *hyperplanes) route(p *hyperplane, rows []int32) int {
	left := 0
	for q, r := range rows {
		if h.value(p, r) < 0 {
			rows[q], rows[left] = rows[left], r
			left++
		}
	}
	return left
}

// cost returns the cost of row i in the subtree of node at: its weight if it is misclassified, and
// more if it is within a margin on its path.
func (h *hyperplanes) cost(at int32, i int32) float64 {
	within := 0.0
	for {
		n := &h.cur.nodes[at]
		if n.leaf() {
			if n.class != h.y[i] {
				within += h.w[i]
			}
			return within
		}
		v := h.value(&n.split, i)
		if v > -h.half && v < h.half {
			within += h.w[i] * h.forbidden
		}
		if v < 0 {
			at = n.left
		} else {
			at = n.right
		}
	}
}

// lossAt returns the loss of the subtree of node i for the rows that reach it.
func (h *hyperplanes) lossAt(i int32, rows []int32) float64 {
	loss := h.price * float64(h.termsBelow(i))
	for _, r := range rows {
		loss += h.cost(i, r)
	}
	return loss
}

// mostFeatures returns the maximum number of features of the split of node i.
func (h *hyperplanes) mostFeatures(i int32) int {
	if h.most == 0 {
		return len(h.active)
	}
	return h.room(i)
}

// softMargins are the prices of weight within the margin, in units of weight, that a climb uses
// before the prohibitive one.
var softMargins = []float64{0.3, 2}

// priceSubtrees sets the prices to those of the subtrees below.
func (h *hyperplanes) priceSubtrees(rows []int32, left, right int32) {
	h.line.resize(len(rows))
	for q, i := range rows {
		h.line.left[q], h.line.right[q] = h.cost(left, i), h.cost(right, i)
	}
}

// priceLabels sets the prices to those of two leaves.
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

// priceMargin sets the price of rows within the margin.
func (h *hyperplanes) priceMargin(rows []int32, margin float64) {
	l := &h.line
	for q, i := range rows {
		l.within[q] = max(l.left[q], l.right[q]) + margin*h.w[i]
	}
}

// evaluate computes the values of the rows at p and returns its cost.
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

// reach moves the plane to the best one found from it with the current prices of the rows: first
// with small prices of the margin, then with the prohibitive one.
func (h *hyperplanes) reach(tries int) {
	c := &h.climb
	for _, m := range softMargins {
		h.priceMargin(c.rows, m)
		h.moves(tries / 2)
	}
	h.priceMargin(c.rows, h.forbidden)
	h.moves(tries)
}

// moves tries tries lines from the plane.
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

// shift moves only b.
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

// toward searches the line from the plane without feature jx, which turns about the pivot, to the
// plane sign * (x_jx - pivot). For one of the signs, the plane itself is on the line.
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

// search is planeLine.search with work counted.
func (h *hyperplanes) search() (first, last float64, best linePoint) {
	h.budget.spend(8 * len(h.climb.rows))
	return h.line.search()
}

// take accepts the trial if it is better, and sometimes if it is equal.
func (h *hyperplanes) take() {
	c := &h.climb
	cost := h.evaluate(&c.trial, c.other)
	if cost < c.cost-h.tolerance || cost <= c.cost+h.tolerance && h.rng.IntN(2) == 0 {
		c.plane, c.trial = c.trial, c.plane
		c.value, c.other = c.other, c.value
		c.cost = cost
	}
}

// startUnivariate sets the plane to the best univariate one for the lowest price of the margin, on
// about the given fraction of the features.
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

// planeLine searches the planes between two for the one with minimum cost. A row has the value
// (1-t) from + t to at t in [0, 1]. It is on the left if that is at most -half, on the right if it
// is at least half, and within the margin in between. Each of the three has its price. So the cost
// is piecewise constant in t, and one sort of at most two events per row finds its minimum.
type planeLine struct {
	half     float64
	from, to []float64 // (n)
	left     []float64 // (n) price of the row on the left
	right    []float64
	within   []float64
	events   []uint64 // t as float32 above, twice the row and the margin's side below
	other    []uint64
	count    [3][1 << lineDigit]int32
}

func (l *planeLine) resize(n int) {
	for _, v := range []*[]float64{&l.from, &l.to, &l.left, &l.right, &l.within} {
		*v = slices.Grow((*v)[:0], n)[:n]
	}
}

// linePoint is a point on the line; no row changes within width around it.
type linePoint struct{ t, cost, width float64 }

// leastWidth is the minimum width of an interval of t.
const leastWidth = 1e-6

// price returns the price of row i at the value v.
func (l *planeLine) price(i int, v float64) float64 {
	switch {
	case v <= -l.half:
		return l.left[i]
	case v >= l.half:
		return l.right[i]
	}
	return l.within[i]
}

// search returns the cost at t = 0 and t = 1, and the best point strictly in between, the middle of
// the widest of the best intervals.
func (l *planeLine) search() (first, last float64, best linePoint) {
	l.events = l.events[:0]
	cost := 0.0
	for i, p := range l.from {
		price := l.price(i, p)
		first += price
		last += l.price(i, l.to[i])
		d := l.to[i] - p
		if p == -l.half && d > 0 || p == l.half && d < 0 {
			price = l.within[i] // at once
		}
		cost += price
		if d == 0 {
			continue
		}
		l.event(i, 0, (-l.half-p)/d)
		l.event(i, 1, (l.half-p)/d)
	}
	l.sort()
	best = linePoint{cost: math.Inf(1)}
	at := 0.0
	for _, e := range l.events {
		t := float64(math.Float32frombits(uint32(e >> 32)))
		best.improve(at, t, cost)
		at = t
		cost += l.step(e)
	}
	best.improve(at, 1, cost)
	return first, last, best
}

// lineDigit is the number of bits of a radix digit: three make the bits of a
// float32 in (0, 1).
const lineDigit = 10

// fewEvents is the number of events up to which comparison sorting is as fast as radix passes.
const fewEvents = 200

// sort orders the events by t; it is stable.
func (l *planeLine) sort() {
	if len(l.events) <= fewEvents {
		slices.Sort(l.events) // stable, since the low bits ascend
		return
	}
	l.count = [3][1 << lineDigit]int32{}
	const mask = 1<<lineDigit - 1
	for _, e := range l.events {
		t := uint32(e >> 32)
		l.count[0][t&mask]++
		l.count[1][t>>lineDigit&mask]++
		l.count[2][t>>(2*lineDigit)&mask]++
	}
	l.other = slices.Grow(l.other[:0], len(l.events))[:len(l.events)]
	for d := range l.count {
		next := &l.count[d]
		at := int32(0)
		for v, c := range next {
			next[v] = at
			at += c
		}
		shift := 32 + d*lineDigit
		for _, e := range l.events {
			v := e >> shift & mask
			l.other[next[v]] = e
			next[v]++
		}
		l.events, l.other = l.other, l.events
	}
}

func (l *planeLine) event(i, side int, t float64) {
	if t > 0 && t < 1 {
		l.events = append(l.events, uint64(math.Float32bits(float32(t)))<<32|uint64(i)<<1|uint64(side))
	}
}

// step returns the change of the cost at an event: the row meets the left (0) or the right (1) side
// of the margin, upwards or downwards.
func (l *planeLine) step(e uint64) float64 {
	i := uint32(e) >> 1
	outside := l.left[i]
	if e&1 == 1 {
		outside = l.right[i]
	}
	if entering := (l.to[i] > l.from[i]) == (e&1 == 0); entering {
		return l.within[i] - outside
	}
	return outside - l.within[i]
}

// improve takes the middle of the interval from a to b if it is better.
func (p *linePoint) improve(a, b, cost float64) {
	if width := b - a; width > leastWidth && (cost < p.cost-1e-9*math.Abs(p.cost) || cost <= p.cost && width > p.width) {
		*p = linePoint{(a + b) / 2, cost, width}
	}
}
