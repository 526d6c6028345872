package alternating

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate/hyperplane"
)

// How often the program of a node is solved again with the rows weighed anew, and with
// features left out.
const (
	reweighted = 5
	sparse     = 3
)

// smallWeight of a feature, of a sum of 1, is the rounding of 0.
const smallWeight = 1e-7

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
		norm := 0.0
		for _, u := range h.u[:h.p] {
			norm += math.Abs(u)
		}
		if norm == 0 || d.Ended() {
			return
		}
		for j, u := range h.u[:h.p] {
			if a[j] = u / norm; math.Abs(a[j]) < smallWeight {
				a[j] = 0
			}
		}
		hyperplane.Normalise(a)
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

// neighbours offers planes of the features of the best so far and one more, the one that
// would lessen the sum fastest, and of all of them but one.
func (d *node) neighbours(h *hinges) {
	used := d.best.a
	n := d.best.features()
	if n == 0 || n > nearby {
		return
	}
	var own []int
	for j, a := range used {
		h.banned[j] = a == 0
		if a != 0 {
			own = append(own, j)
		}
	}
	if n > 2 {
		for _, j := range own {
			h.banned[j] = true
			h.reset()
			d.directions(h, sparse)
			h.banned[j] = false
		}
	}
	if n == h.p || n >= d.room || d.Ended() {
		return
	}
	h.reset()
	d.directions(h, sparse)
	for _, j := range d.promising(h, used) {
		h.banned[j] = false
		h.reset()
		d.directions(h, sparse)
		h.banned[j] = true
	}
}

// promising are the features not in use along which the program's function falls most.
func (d *node) promising(h *hinges, used []float64) []int {
	h.gradient()
	var others []int
	for j, a := range used {
		if a == 0 {
			others = append(others, j)
		}
	}
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(math.Abs(h.grad[b]), math.Abs(h.grad[a])) })
	return others[:min(len(others), nearby)]
}

// spendProgram counts the work of a program that took so many steps.
func (e *searcher) spendProgram(h *hinges, steps int) {
	e.work += int64(h.n * (h.p + steps*(1+len(h.basic))))
	e.stats.Programs++
}
