// Package hinge is the kernel of all methods that choose a hyperplane by a sum of hinges. It
// minimises
//
//	sum_i w_i (m_i - s_i (u.x_i - b))_+ + sum_j c_j |u_j| + l.(u, b)   subject to sum_j |u_j| <= reach
//
// over u and b. Robust linear programs and MSMT (heuristics/vertex) have this form without prices,
// RLP-P with one price, the programs of feature minimization with a price per feature, the
// subproblems of Frank-Wolfe with two hinges per row, and a split of alternating optimization with
// a reach. The multipliers of its hinges are the certificates of search/parts, which describes
// them.
//
// The objective is convex and piecewise linear. A vertex is given by the tight rows, which are at
// the kink of their hinge, the norm if that is tight, and as many positions of (u, b) that may be
// nonzero. A step leaves it along the edge of steepest descent, past all kinks until the objective
// rises; with a reach, at most to the point where a weight becomes 0 or the norm becomes tight.
// With k tight rows, a step costs O(n k + p k + k^2): the inverse of the k x k matrix is updated,
// not recomputed. Margins get some noise, so that no two hinges become tight at the same point by
// chance.
//
// Any set of tight rows is a vertex for all weights, margins and prices: each minimization
// continues from the last one.
package hinge

import (
	"math"

	"github.com/octgen/octgen/internal/pulse"
)

// Program is the problem at a vertex. Signs and rows are fixed; everything else may change between
// two minimizations, the reach only before the first.
type Program struct {
	*pulse.Pulse
	N, P   int
	Sign   []float64 // (n) s_i, 1 or -1
	Weight []float64 // (n) w_i >= 0
	Margin []float64 // (n) m_i
	Noise  []float64 // (n) of the margins, about 1
	Price  []float64 // (p) c_j >= 0
	Pull   []float64 // (p+1) l; nil for none
	Banned []bool    // (p) weights fixed at 0
	Reach  float64

	U     []float64 // (p+1) weights, then b
	Act   []float64 // (n) s_i (u.x_i - b)
	Grad  []float64 // (p+1) gradient of the violated hinges and of l
	Steps int

	row   [][]float64 // (n) x_i
	x     []float64   // (p, n) by column
	at    []float64   // (n) margins with noise
	state []rowState
	tight []int32     // rows, or norm
	basic []int32     // positions in U that are not held at 0; p is b
	way   []float64   // (p+1) sign of the basic weights; 0 for b and for held positions
	table [][]float64 // (basic, p+1 + tight) u_q + sum table[q][held] u_held = sum table[q][tight] act_tight
	spare [][]float64 // spare rows for the table

	tolerance float64   // slopes below it count as 0
	slope     []float64 // (p+1 + tight) of the objective, with the other held positions and tight rows fixed
	length    []float64 // (p+1 + tight) squared, of the edges, in U
	dir       []float64 // (p+1)
	rate      []float64 // (n)
	kinks     []kink
}

// norm is the tight row sum |u_j| = reach.
const norm = -1

// rowState is the side of its hinge on which a row is.
type rowState uint8

const (
	violated rowState = iota
	satisfied
	onHinge
)

// kink is a row that reaches its hinge at t, or (zero) a weight that becomes 0.
type kink struct {
	t, rise float64
	row     int32
}

const (
	leastRate = 1e-11 // minimum rate at which a row reaches its hinge
	ownRate   = 1e-7  // the same for a position that may enter: below, it depends on the basic ones
	reduced   = 1e-9  // fraction of all weight below which slopes count as 0
	singular  = 1e-12 // pivots below count as 0
	fresh     = 64    // steps between recomputations of inverse and activities
)

// New returns a program for rows of p features, which it keeps, at u = 0, b = 0, without a reach.
// The caller must set the signs, and the nonzero weights, margins, noise and prices.
func New(pulse *pulse.Pulse, rows [][]float64, p int) *Program {
	n := len(rows)
	pulse.Spend(3 * n * (p + 1))
	h := &Program{
		Pulse: pulse, N: n, P: p, Sign: make([]float64, n), Weight: make([]float64, n), Margin: make([]float64, n), Noise: make([]float64, n), at: make([]float64, n),
		Price: make([]float64, p), Banned: make([]bool, p), Reach: math.Inf(1),
		U: make([]float64, p+1), Act: make([]float64, n), Grad: make([]float64, p+1),
		row: rows, x: make([]float64, n*p), state: make([]rowState, n), way: make([]float64, p+1), dir: make([]float64, p+1), rate: make([]float64, n),
	}
	for i, row := range rows {
		for j, v := range row {
			h.x[j*n+i] = v
		}
	}
	return h
}

// Reset returns to u = 0, b = 0.
func (h *Program) Reset() {
	clear(h.U)
	clear(h.Act)
	clear(h.state)
	clear(h.way)
	h.spare = append(h.spare, h.table...)
	h.tight, h.basic, h.table = h.tight[:0], h.basic[:0], h.table[:0]
}

// Tight returns the number of tight rows.
func (h *Program) Tight() int { return len(h.tight) }

// Sum sets Grad at the current point: O(n p).
func (h *Program) Sum() {
	if clear(h.Grad); h.Pull != nil {
		copy(h.Grad, h.Pull)
	}
	for i, s := range h.state {
		switch {
		case s == onHinge:
		case h.Act[i] < h.at[i]:
			h.state[i] = violated
			h.addGradient(int32(i), 1)
		default:
			h.state[i] = satisfied
		}
	}
}

func (h *Program) addGradient(i int32, times float64) {
	w := times * h.Weight[i] * h.Sign[i]
	if w == 0 {
		return
	}
	addTo(h.Grad[:h.P], h.row[i], -w)
	h.Grad[h.P] += w
}

// times sets s_i (u.x_i - b) for all rows.
func (h *Program) times(act, u []float64) {
	for i := range act {
		act[i] = -u[h.P]
	}
	for j, v := range u[:h.P] {
		addTo(act, h.x[j*h.N:(j+1)*h.N], v)
	}
	for i, s := range h.Sign {
		act[i] *= s
	}
}

// Start restarts at weights without prices and b, without a reach.
func (h *Program) Start(w []float64, b float64) {
	h.Reset()
	copy(h.U, w)
	h.U[h.P] = b
	h.times(h.Act, h.U)
}

// settle moves to the point where the tight rows meet with the current margins; to u = 0, b = 0 if
// there is none to working precision. It is not for programs with a reach.
func (h *Program) settle() {
	if !h.refactor() {
		h.Reset()
		return
	}
	held := h.dir
	copy(held, h.U)
	for _, q := range h.basic {
		held[q] = 0
	}
	for c, q := range h.basic {
		v := 0.0
		for k, u := range held {
			v -= h.table[c][k] * u
		}
		for r, i := range h.tight {
			v += h.table[c][h.P+1+r] * h.at[i]
		}
		if h.U[q] = v; int(q) < h.P && v != 0 {
			h.way[q] = math.Copysign(1, v)
		}
	}
	h.times(h.Act, h.U)
}

// Value returns the objective at the current point, without noise.
func (h *Program) Value() float64 {
	v := 0.0
	for j, c := range h.Price {
		v += c * math.Abs(h.U[j])
	}
	for i, w := range h.Weight {
		if w > 0 {
			v += w * max(0, h.Margin[i]-h.Act[i])
		}
	}
	return v
}

// Multipliers sets, for each row, the rate at which the minimum rises with its margin: at an
// optimum, a solution of the dual program.
func (h *Program) Multipliers(lambda []float64) {
	for i, s := range h.state {
		if lambda[i] = 0; s == violated {
			lambda[i] = h.Weight[i]
		}
	}
	h.slopes()
	for r, i := range h.tight {
		if i != norm {
			lambda[i] = max(0, min(h.multiplier(r), h.Weight[i]))
		}
	}
}

// addTo computes y += c x.
func addTo(y, x []float64, c float64) {
	if c == 0 {
		return
	}
	x = x[:len(y)]
	for i := range y {
		y[i] += c * x[i]
	}
}

// grow returns s with n elements.
func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}
