package alternating

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/hinge"
)

// node is a split to optimise, with the rest of the tree fixed: the cost of each of its rows on
// either side.
type node struct {
	*searcher
	rows        []int32
	left, right []float64 // (rows) costs
	worst       []float64 // (rows) cost within the margin
	room        int       // maximum number of features of the split
	best        plane
	cost        float64 // of best, including the penalty for its features

	order []valued // scratch of threshold
	used  []int    // scratch: features of a direction
}

// valued is a row q of the node with its value in a direction.
type valued struct {
	v float64
	q int32
}

// newNode returns the problem of node t, with the costs of its rows on either side; its best plane
// is the current one.
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

// keep keeps a plane if it is better than the best.
func (d *node) keep(s plane, cost float64) {
	if math.IsInf(d.cost, 1) || cost < d.cost-leastGain*(1+d.cost) {
		d.best, d.cost = s, cost
	}
}

// constant offers a split that sends all rows to one side.
func (d *node) constant() {
	left, right := 0.0, 0.0
	for q := range d.rows {
		left += d.left[q]
		right += d.right[q]
	}
	d.keep(plane{b: 1}, left)
	d.keep(plane{}, right)
}

// offer finds the best threshold for a direction (sum |a| = 1), which it copies.
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

// threshold returns the best threshold for a direction, in the middle of its interval, and its
// cost: a row of value v goes right if the threshold is below v - half, and left if it is above v +
// half.
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
	into, n := 0, len(d.order) // rows that entered the margin, and rows that left it to the left
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

// univariate offers every single feature.
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

// Numbers of times that the program of a node is solved again with new row weights, and with fewer
// features.
const (
	reweighted = 5
	sparse     = 3
)

// solve searches for the best plane of the node.
func (d *node) solve() {
	now := d.best
	d.constant()
	if now.a != nil {
		d.offer(now.a)
	}
	d.univariate()
	h := d.program(&now)
	d.directions(h, reweighted)
	if d.price > 0 || d.room < d.p {
		d.sparser(h)
		d.neighbours(h)
	}
}

// program returns the program of the rows. Rows with equal costs on both sides stay on their side
// of the current plane.
//
// In units of half a margin h, u = a/h and b = b'/h, so that with reach 1/h it is the split of
// OCT-H (Bertsimas & Dunn 2017, section 4): the hinge of a row is its violation of the margin.
func (d *node) program(now *plane) *hinge.Program {
	x := make([][]float64, len(d.rows))
	for q, i := range d.rows {
		x[q] = d.row(i)
	}
	h := hinge.New(d.Pulse, x, d.p)
	h.Reach = 1 / d.half
	for q, i := range d.rows {
		h.Sign[q] = 1
		if l, r := d.left[q], d.right[q]; l < r || l == r && now.value(x[q]) < 0 {
			h.Sign[q] = -1
		}
		h.Margin[q], h.Noise[q] = 1, d.noise[i]
	}
	return h
}

const (
	smallWeight = 1e-7 // of a feature, for a sum of 1: rounding of 0
	jitter      = 1e-7 // of the margins
)

// minimize solves the program of a split and sets the direction u / sum |u|, without rounding
// noise. It returns sum |u|; 0 if there is no direction.
func (e *searcher) minimize(h *hinge.Program, a []float64) (norm float64) {
	steps := h.Steps
	h.Minimize(jitter, math.MaxInt)
	e.work += int64(h.N * (h.P + (h.Steps-steps)*(1+h.Tight())))
	e.stats.Programs++
	for _, u := range h.U[:h.P] {
		norm += math.Abs(u)
	}
	if norm == 0 {
		return 0
	}
	for j, u := range h.U[:h.P] {
		if a[j] = u / norm; math.Abs(a[j]) < smallWeight {
			a[j] = 0
		}
	}
	hyperplane.Normalise(a)
	return norm
}

// stake returns the cost of a row on the wrong side.
func (d *node) stake(q int) float64 {
	if s := math.Abs(d.left[q] - d.right[q]); s > 0 {
		return s
	}
	if d.o.Right {
		return 0 // it may go to either side
	}
	return d.idle * d.w[d.rows[q]]
}

// directions offers the plane of the program, and those obtained by reducing the weight of rows
// with large violations, sum |a| = 1.
func (d *node) directions(h *hinge.Program, rounds int) {
	for q := range h.Weight {
		h.Weight[q] = d.stake(q)
	}
	a := make([]float64, h.P)
	for range rounds {
		norm := d.minimize(h, a)
		if norm == 0 || d.Ended() {
			return
		}
		d.offer(a)
		for q := range h.Weight {
			lack := max(0, 1-h.Act[q]*h.Reach/norm) // in half margins
			h.Weight[q] = d.stake(q) / (lack/2 + 0.05)
		}
	}
}

// oneByOne is the maximum number of features that are dropped one at a time.
const oneByOne = 8

// sparser drops the features with the smallest weights: half of those in use while there are many,
// one at a time when there are few.
func (d *node) sparser(h *hinge.Program) {
	for {
		var used []int
		for j, u := range h.U[:h.P] {
			if u != 0 {
				used = append(used, j)
			}
		}
		if len(used) < 2 || d.Ended() {
			return
		}
		slices.SortStableFunc(used, func(a, b int) int { return cmp.Compare(math.Abs(h.U[a]), math.Abs(h.U[b])) })
		leave := 1
		if len(used) > oneByOne {
			leave = min(len(used)/2, len(used)-oneByOne)
		}
		for _, j := range used[:leave] {
			h.Banned[j] = true
		}
		h.Reset()
		d.directions(h, sparse)
	}
}

// nearby is the maximum number of features of a plane whose neighbours are tried, and the number of
// other features tried with it.
const nearby = 8

// neighbours offers planes with the features of the best plane minus one, and plus one.
func (d *node) neighbours(h *hinge.Program) {
	n := d.best.features()
	if n == 0 || n > nearby {
		return
	}
	var used, others []int
	for j, a := range d.best.a {
		if h.Banned[j] = a == 0; a == 0 {
			others = append(others, j)
		} else {
			used = append(used, j)
		}
	}
	if n > 2 { // single features were tried already
		d.exchange(h, used)
	}
	if n < min(h.P, d.room) && !d.Ended() {
		h.Reset()
		d.directions(h, sparse)
		d.exchange(h, promising(h, others))
	}
}

// exchange offers planes in which one of the given features is banned if it was not, or vice versa.
func (d *node) exchange(h *hinge.Program, features []int) {
	for _, j := range features {
		h.Banned[j] = !h.Banned[j]
		h.Reset()
		d.directions(h, sparse)
		h.Banned[j] = !h.Banned[j]
	}
}

// promising returns the unused features along which the program's objective falls most.
func promising(h *hinge.Program, others []int) []int {
	h.Sum()
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(math.Abs(h.Grad[b]), math.Abs(h.Grad[a])) })
	return others[:min(len(others), nearby)]
}
