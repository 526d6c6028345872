package localsearch

import (
	"math"
	"slices"
)

// planeLine searches the planes between two for the one of least cost. A row has
// the value (1-t) from + t to at t in [0, 1]: it is on the left where that is at
// most -half, on the right where it is at least half, and within the margin
// between; each has its price. So the cost is piecewise constant in t, and one
// sort of at most two events per row finds its minimum.
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

// linePoint is a place on the line; no row changes within width around it.
type linePoint struct{ t, cost, width float64 }

// leastWidth is the least width of an interval of t that counts.
const leastWidth = 1e-6

// price of row i at the value v.
func (l *planeLine) price(i int, v float64) float64 {
	switch {
	case v <= -l.half:
		return l.left[i]
	case v >= l.half:
		return l.right[i]
	}
	return l.within[i]
}

// search returns the cost at t = 0 and t = 1, and the best point strictly
// between, the middle of the widest of the best intervals.
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

// fewEvents is where comparison sorting is as fast as radix passes.
const fewEvents = 200

// sort orders the events by t, equal ones as they came.
func (l *planeLine) sort() {
	if len(l.events) <= fewEvents {
		slices.Sort(l.events) // as they came: ascending
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

// step is the change of the cost at an event: the row meets the left (0) or the
// right (1) side of the margin, upwards or downwards.
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

// improve takes the middle of the interval from a to b where it is better.
func (p *linePoint) improve(a, b, cost float64) {
	if width := b - a; width > leastWidth && (cost < p.cost-1e-9*math.Abs(p.cost) || cost <= p.cost && width > p.width) {
		*p = linePoint{(a + b) / 2, cost, width}
	}
}
