package vertex

import (
	"math"

	"github.com/octgen/octgen/internal/pulse"
)

// perturbedPlane solves RLP-P for the classes 0 (left) and 1 (right), as rlpPlane solves
// RLP. The price of |w_j| is that of two more margins: a row M e_j, M large, without a
// part in gamma, that costs Eps/M on either side has
//
//	Eps/M ((M w_j + 1)_+ + (1 - M w_j)_+) = Eps |w_j| + Eps/M   where |w_j| >= 1/M
//
// and at most Eps/M more elsewhere.
func perturbedPlane(p *pulse.Pulse, m *marginRows, o RLPOptions) (marginPlane, descentEnd) {
	n := m.n + m.p
	x, sides := make([]float64, n*m.p), make([]uint8, n)
	copy(x, m.x)
	for i, y := range m.ds.Y {
		sides[i] = 1 << y
	}
	for j := range m.p {
		x[(m.n+j)*m.p+j], sides[m.n+j] = priceScale, 3
	}
	trivial := marginPlane{w: make([]float64, m.p)}
	a := newArrangement(p, x, n, m.p, sides, o.Seed, nil)
	if p.Ended() {
		return trivial, descentEnd{value: 2 * (1 - o.Eps), stopped: true}
	}
	for i := m.n; i < n; i++ {
		a.rows[i*a.q+a.q-1] = 0
	}
	a.place(make([]float64, a.q))
	d := newHingeDescent(a)
	w := m.ds.ClassWeights()
	for i, y := range m.ds.Y {
		d.cost[y][i] = (1 - o.Eps) * m.ds.Weight[i] / w[y]
	}
	for j := range m.p {
		d.cost[0][m.n+j], d.cost[1][m.n+j] = o.Eps/priceScale, o.Eps/priceScale
	}
	limit := o.MaxSteps
	if limit == 0 {
		limit = math.MaxInt
	}
	end := d.minimize(limit)
	h := d.plane(m.p)
	for j, v := range h.w {
		if math.Abs(v) < 10/priceScale {
			h.w[j] = 0
		}
	}
	end.value, end.bound = perturbedError(m, h, o.Eps), 0
	return h, end
}

// priceScale is M.
const priceScale = 1e6

// perturbedError is the RLP-P error of a plane.
func perturbedError(m *marginRows, h marginPlane, eps float64) float64 {
	w, v := m.ds.ClassWeights(), 0.0
	for i, y := range m.ds.Y {
		v += (1 - eps) * m.ds.Weight[i] / w[y] * max(0, 1-float64(2*y-1)*h.activity(m.row(i)))
	}
	for _, weight := range h.w {
		v += eps * math.Abs(weight)
	}
	return v
}
