package alternating

import (
	"cmp"
	"math"
	"slices"
)

// How often the program of a node is solved again with the rows weighed anew, and with
// features left out.
const (
	reweighted = 5
	sparse     = 3
)

// solve looks for the best plane of the node.
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

// program is that of the rows, of which those that cost the same on both sides stay
// where the present plane has them.
func (d *node) program(now *plane) *hinges {
	h := newHinges(d.Pulse, len(d.rows), d.p)
	h.reach = 1 / d.half
	for q, i := range d.rows {
		x := d.row(i)
		for j, v := range x {
			h.x[j*h.n+q] = v
		}
		h.sign[q] = 1
		if l, r := d.left[q], d.right[q]; l < r || l == r && now.value(x) < 0 {
			h.sign[q] = -1
		}
		h.margin[q] = 1 + jitter*d.noise[i]
	}
	return h
}

// stake is what it costs where a row is on the wrong side.
func (d *node) stake(q int) float64 {
	if s := math.Abs(d.left[q] - d.right[q]); s > 0 {
		return s
	}
	if d.o.Right {
		return 0 // it needs no side
	}
	return d.idle * d.w[d.rows[q]]
}

// directions offers the plane of the program, and those that follow from it where rows
// count the less the more they lack of the margin, sum |a| = 1.
func (d *node) directions(h *hinges, rounds int) {
	for q := range h.weight {
		h.weight[q] = d.stake(q)
	}
	a := make([]float64, h.p)
	for range rounds {
		steps := h.steps
		h.minimize()
		d.spendProgram(h, h.steps-steps)
		norm := h.direction(a)
		if norm == 0 || d.Ended() {
			return
		}
		d.offer(a)
		for q := range h.weight {
			lack := max(0, 1-h.act[q]*h.reach/norm) // in half margins
			h.weight[q] = d.stake(q) / (lack/2 + 0.05)
		}
	}
}

// oneByOne is how many features, at most, are left out one after the other.
const oneByOne = 8

// sparser leaves out the features that weigh least: half of those in use at a time where
// they are many, one where they are few.
func (d *node) sparser(h *hinges) {
	for {
		var used []int
		for j, u := range h.u[:h.p] {
			if u != 0 {
				used = append(used, j)
			}
		}
		if len(used) < 2 || d.Ended() {
			return
		}
		slices.SortStableFunc(used, func(a, b int) int { return cmp.Compare(math.Abs(h.u[a]), math.Abs(h.u[b])) })
		leave := 1
		if len(used) > oneByOne {
			leave = min(len(used)/2, len(used)-oneByOne)
		}
		for _, j := range used[:leave] {
			h.banned[j] = true
		}
		h.reset()
		d.directions(h, sparse)
	}
}

// nearby is how many features, at most, a plane may use for its neighbours to be tried,
// and how many others are tried beside them.
const nearby = 8

// neighbours offers planes of the features of the best so far without one of them, and
// with one more.
func (d *node) neighbours(h *hinges) {
	n := d.best.features()
	if n == 0 || n > nearby {
		return
	}
	var used, others []int
	for j, a := range d.best.a {
		if h.banned[j] = a == 0; a == 0 {
			others = append(others, j)
		} else {
			used = append(used, j)
		}
	}
	if n > 2 { // single features have been tried
		d.exchange(h, used)
	}
	if n < min(h.p, d.room) && !d.Ended() {
		h.reset()
		d.directions(h, sparse)
		d.exchange(h, promising(h, others))
	}
}

// exchange offers planes with each of the features banned that is not, or the other way
// round.
func (d *node) exchange(h *hinges, features []int) {
	for _, j := range features {
		h.banned[j] = !h.banned[j]
		h.reset()
		d.directions(h, sparse)
		h.banned[j] = !h.banned[j]
	}
}

// promising are those of the features not in use along which the program's function falls
// most.
func promising(h *hinges, others []int) []int {
	h.gradient()
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(math.Abs(h.grad[b]), math.Abs(h.grad[a])) })
	return others[:min(len(others), nearby)]
}

// spendProgram counts the work of a program that took so many steps.
func (e *searcher) spendProgram(h *hinges, steps int) {
	e.work += int64(h.n * (h.p + steps*(1+len(h.basic))))
	e.stats.Programs++
}
