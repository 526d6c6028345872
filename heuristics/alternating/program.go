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
		d.work += int64(h.n * (h.p + (h.steps-steps)*(1+len(h.basic))))
		d.stats.Programs++
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

// sparser leaves out the features that weigh least, half of those in use at a time.
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
		for _, j := range used[:len(used)/2] {
			h.banned[j] = true
		}
		h.reset()
		d.directions(h, sparse)
	}
}
