package alternating

import (
	"math"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/pulse"
)

// hinges is the linear program of one split: over u and b,
//
//	min  sum_i w_i (1 - s_i (u.x_i - b))_+ + price sum_j |u_j|,   sum_j |u_j| <= reach
//
// where s_i = +1 sends row i right and -1 left. In units of half a margin h, u = a/h
// and b = b'/h, so that with reach = 1/h it is OCT-H's split (Bertsimas & Dunn 2017, section 4): the
// hinge is the part of the margin that a row lacks.
//
// The function is convex and piecewise linear. A vertex is given by rows whose hinge is
// tight, the norm where that is tight, and as many weights u_j (and b) that differ from
// 0; a step leaves it along the edge that falls most, past all hinges until the function
// rises, or to where a weight becomes 0 or the norm tight. A step costs O(n k + k^3 + p k)
// for k tight rows. Hinges are jittered, so that no two are tight at once by chance.
type hinges struct {
	*pulse.Pulse
	n, p   int
	x      []float64 // (p, n) by column
	sign   []float64 // (n) s_i
	weight []float64 // (n) w_i >= 0
	margin []float64 // (n) 1 + a jitter
	banned []bool    // (p) weights that stay 0
	price  float64
	reach  float64

	u     []float64 // (p+1) weights, then b
	act   []float64 // (n) s_i (u.x_i - b)
	state []rowState
	grad  []float64 // (p+1) of the violated hinges
	tight []int32   // rows
	basic []int32   // positions in u that are not held at 0; p is b
	way   []float64 // (p+1) sign of the basic weights; 0 of b
	norm  bool      // sum |u_j| = reach holds
	steps int

	tolerance float64 // of slopes: smaller ones are none

	kernel kernel
	dual   []float64 // of the tight rows, then of the norm
	dir    []float64 // (p+1)
	rate   []float64 // (n)
	kinks  []kink
}

// rowState says on which side of its hinge a row is.
type rowState uint8

const (
	violated rowState = iota
	satisfied
	onHinge
)

// kink is a row that meets its hinge after t.
type kink struct {
	t, rise float64
	row     int32
}

const (
	smallWeight = 1e-7  // of a feature, of a sum of 1: the rounding of 0
	jitter      = 1e-7  // of the hinges
	leastRate   = 1e-11 // at which a row meets its hinge
	reduced     = 1e-9  // of all weight: slopes below are none
)

// newHinges is for n rows and p features; what it needs of them is filled in.
func newHinges(pulse *pulse.Pulse, n, p int) *hinges {
	h := &hinges{
		Pulse: pulse, n: n, p: p, x: make([]float64, n*p), sign: make([]float64, n), weight: make([]float64, n), margin: make([]float64, n),
		banned: make([]bool, p), reach: math.Inf(1), u: make([]float64, p+1), act: make([]float64, n), state: make([]rowState, n),
		grad: make([]float64, p+1), way: make([]float64, p+1), dir: make([]float64, p+1), rate: make([]float64, n),
	}
	return h
}

// reset begins anew at u = 0, b = 0, where all hinges are violated.
func (h *hinges) reset() {
	clear(h.u)
	clear(h.act)
	for i := range h.state {
		h.state[i] = violated
	}
	h.tight, h.basic, h.norm = h.tight[:0], h.basic[:0], false
}

// column of u_j, j < p.
func (h *hinges) column(j int32) []float64 { return h.x[int(j)*h.n : int(j+1)*h.n] }

// entry of row i under position q of u.
func (h *hinges) entry(i, q int32) float64 {
	if int(q) == h.p {
		return -h.sign[i]
	}
	return h.sign[i] * h.x[int(q)*h.n+int(i)]
}

// gradient sums up the hinges that are violated at the present point: O(n p).
func (h *hinges) gradient() {
	clear(h.grad)
	for i, s := range h.state {
		switch {
		case s == onHinge:
		case h.act[i] < h.margin[i]:
			h.state[i] = violated
			h.addGradient(int32(i), 1)
		default:
			h.state[i] = satisfied
		}
	}
}

func (h *hinges) addGradient(i int32, times float64) {
	w := times * h.weight[i] * h.sign[i]
	if w == 0 {
		return
	}
	at := int(i)
	for j := range h.p {
		h.grad[j] -= w * h.x[at]
		at += h.n
	}
	h.grad[h.p] += w
}

// refresh computes the activities afresh.
func (h *hinges) refresh() {
	for i := range h.act {
		h.act[i] = -h.u[h.p]
	}
	for _, q := range h.basic {
		if int(q) < h.p {
			addTo(h.act, h.column(q), h.u[q])
		}
	}
	for i, s := range h.sign {
		h.act[i] *= s
	}
}

// direction fills in u / sum |u|, without what is rounding of 0, and returns the sum; 0
// where there is no direction.
func (h *hinges) direction(a []float64) (norm float64) {
	for _, u := range h.u[:h.p] {
		norm += math.Abs(u)
	}
	if norm == 0 {
		return 0
	}
	for j, u := range h.u[:h.p] {
		if a[j] = u / norm; math.Abs(a[j]) < smallWeight {
			a[j] = 0
		}
	}
	hyperplane.Normalise(a)
	return norm
}

// addTo does y += c x.
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

// kernel is a small square matrix factored as P M = L U.
type kernel struct {
	k    int
	m    []float64 // (k, k) by row; L below the diagonal, U on and above it
	perm []int
	rhs  []float64
	work []float64
}

// matrix is the matrix to fill in, by row.
func (f *kernel) matrix(k int) []float64 {
	f.k = k
	f.m = grow(f.m, k*k)
	return f.m
}

// factor is Gaussian elimination with row pivoting; false for a singular matrix.
func (f *kernel) factor() bool {
	k, m := f.k, f.m
	f.perm = f.perm[:0]
	for r := range k {
		f.perm = append(f.perm, r)
	}
	for c := range k {
		best := c
		for r := c + 1; r < k; r++ {
			if math.Abs(m[r*k+c]) > math.Abs(m[best*k+c]) {
				best = r
			}
		}
		if math.Abs(m[best*k+c]) < 1e-12 {
			return false
		}
		if best != c {
			f.perm[best], f.perm[c] = f.perm[c], f.perm[best]
			for j := range k {
				m[best*k+j], m[c*k+j] = m[c*k+j], m[best*k+j]
			}
		}
		inv := 1 / m[c*k+c]
		for r := c + 1; r < k; r++ {
			v := m[r*k+c]
			if v == 0 {
				continue
			}
			v *= inv
			m[r*k+c] = v
			addTo(m[r*k+c+1:(r+1)*k], m[c*k+c+1:(c+1)*k], -v)
		}
	}
	return true
}

// solve replaces v by M^-1 v.
func (f *kernel) solve(v []float64) {
	k, m := f.k, f.m
	f.work = grow(f.work, k)
	y := f.work
	for r := range k {
		s := v[f.perm[r]]
		for c, l := range m[r*k : r*k+r] {
			s -= l * y[c]
		}
		y[r] = s
	}
	for r := k - 1; r >= 0; r-- {
		s := y[r]
		for c := r + 1; c < k; c++ {
			s -= m[r*k+c] * v[c]
		}
		v[r] = s / m[r*k+r]
	}
}

// solveTransposed replaces v by M^-T v.
func (f *kernel) solveTransposed(v []float64) {
	k, m := f.k, f.m
	f.work = grow(f.work, k)
	y := f.work
	for c := range k {
		s := v[c]
		for r := range c {
			s -= m[r*k+c] * y[r]
		}
		y[c] = s / m[c*k+c]
	}
	for c := k - 1; c >= 0; c-- {
		for r := c + 1; r < k; r++ {
			y[c] -= m[r*k+c] * y[r]
		}
	}
	for r := range k {
		v[f.perm[r]] = y[r]
	}
}
