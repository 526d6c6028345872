package alternating

import (
	"cmp"
	"math"
	"slices"
)

// node is a split to be chosen, with the rest of the tree as it is: what each of its
// rows costs on either side.
type node struct {
	*searcher
	rows        []int32
	left, right []float64 // (rows) costs
	worst       []float64 // (rows) cost within the margin
	room        int       // most features of the split
	best        plane
	cost        float64 // of best, with the price of its features

	order []valued // scratch of threshold
	used  []int    // scratch: features of a direction
}

// valued is a row of the node, q, with its value in a direction.
type valued struct {
	v float64
	q int32
}

// newNode is the problem of node t, whose rows cost so much on either side; its best
// plane is the present one.
func (e *searcher) newNode(s *state, t int, rows []int32, left, right []float64) *node {
	d := &node{searcher: e, rows: rows, left: left, right: right, worst: make([]float64, len(rows)), room: e.p, best: s.plane[t]}
	own := d.best.features()
	if e.o.MaxSplits > 0 {
		d.room = min(e.p, e.o.MaxSplits-s.features()+own)
	}
	for q, i := range rows {
		if d.worst[q] = e.w[i]; !e.o.Right {
			d.worst[q] = min(left[q], right[q]) + e.within*e.w[i]
		}
		switch v := d.best.value(e.row(i)); {
		case e.thin(&d.best, v):
			d.cost += d.worst[q]
		case v < 0:
			d.cost += left[q]
		default:
			d.cost += right[q]
		}
	}
	d.cost += e.price * float64(own)
	if own > d.room {
		d.cost = math.Inf(1)
	}
	return d
}

// keep takes a plane where it is better than the best.
func (d *node) keep(s plane, cost float64) {
	if math.IsInf(d.cost, 1) || cost < d.cost-leastGain*(1+d.cost) {
		d.best, d.cost = s, cost
	}
}

// constant offers to send all rows to one side.
func (d *node) constant() {
	left, right := 0.0, 0.0
	for q := range d.rows {
		left += d.left[q]
		right += d.right[q]
	}
	d.keep(plane{b: 1}, left)
	d.keep(plane{}, right)
}

// offer looks for the best threshold of a direction (sum |a| = 1), which it copies.
func (d *node) offer(a []float64) {
	d.used = d.used[:0]
	for j, c := range a {
		if c != 0 {
			d.used = append(d.used, j)
		}
	}
	if len(d.used) > d.room {
		return
	}
	b, cost := d.threshold(a)
	if cost += d.price * float64(len(d.used)); cost < d.cost {
		d.keep(plane{slices.Clone(a), b}, cost)
	}
}

// threshold is the best one for a direction, in the middle of its interval, and its
// cost: a row of value v goes right below v - half and left above v + half.
func (d *node) threshold(a []float64) (best, cost float64) {
	d.order = d.order[:0]
	now := 0.0
	for q, i := range d.rows {
		x, v := d.row(i), 0.0
		for _, j := range d.used {
			v += a[j] * x[j]
		}
		d.order = append(d.order, valued{v, int32(q)})
		now += d.right[q]
	}
	d.spend(len(d.rows) * (len(d.used) + 12))
	slices.SortFunc(d.order, func(x, y valued) int { return cmp.Compare(x.v, y.v) })
	cost = math.Inf(1)
	into, n := 0, len(d.order) // into the margin, and out of it on the left
	for out := 0; out < n; {
		at := d.order[out].v + d.half
		if into < n && d.order[into].v-d.half < at {
			q := d.order[into].q
			at = d.order[into].v - d.half
			now += d.worst[q] - d.right[q]
			into++
		} else {
			q := d.order[out].q
			now += d.left[q] - d.worst[q]
			out++
		}
		next := math.Inf(1)
		if into < n {
			next = d.order[into].v - d.half
		}
		if out < n {
			next = min(next, d.order[out].v+d.half)
		}
		if next > at && out < n && now < cost {
			best, cost = at+(next-at)/2, now
		}
	}
	return best, cost
}

// univariate offers every feature alone.
func (d *node) univariate() {
	a := make([]float64, d.p)
	for j := range a {
		if d.Ended() {
			return
		}
		a[j] = 1
		d.offer(a)
		a[j] = 0
	}
}
