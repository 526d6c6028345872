package vertex

import "github.com/octgen/octgen/internal/pulse"

// pricedDescent minimises the error of RLP with a price on each weight,
//
//	min over w, gamma  e (sum_i s_i (1 - y_i (x_i.w - gamma))_+) + sum_j c_j |w_j|
//
// for the classes 0 (left, y = -1) and 1 (right, y = 1), s_i being row i's share of its
// class, again and again for other e and c >= 0, each time from the last vertex. The price
// of |w_j| is that of two more margins: a row M e_j, M large, without a part in gamma, that
// costs c_j/M on either side has
//
//	c_j/M ((M w_j + 1)_+ + (1 - M w_j)_+) = c_j |w_j| + c_j/M   where |w_j| >= 1/M
//
// and at most c_j/M more elsewhere.
type pricedDescent struct {
	*hingeDescent
	m     *marginRows
	share []float64 // (m.n) s
}

// priceScale is M.
const priceScale = 1e6

// newPriced lays out the planes; where the pulse has ended there is nothing to minimise.
func newPriced(p *pulse.Pulse, m *marginRows, seed uint64) *pricedDescent {
	n := m.n + m.p
	x, sides := make([]float64, n*m.p), make([]uint8, n)
	copy(x, m.x)
	for i, y := range m.ds.Y {
		sides[i] = 1 << y
	}
	for j := range m.p {
		x[(m.n+j)*m.p+j], sides[m.n+j] = priceScale, 3
	}
	a := newArrangement(p, x, n, m.p, sides, seed, nil)
	if p.Ended() {
		return &pricedDescent{newHingeDescent(a), m, nil}
	}
	for i := m.n; i < n; i++ {
		a.rows[i*a.q+a.q-1] = 0
	}
	a.place(make([]float64, a.q))
	d := &pricedDescent{newHingeDescent(a), m, make([]float64, m.n)}
	w := m.ds.ClassWeights()
	for i, y := range m.ds.Y {
		d.share[i] = m.ds.Weight[i] / w[y]
	}
	return d
}

// minimum is the plane that minimises. Weights that the prices keep at 0 are 1/M or less.
func (d *pricedDescent) minimum(e float64, price func(j int) float64, maxSteps int) (marginPlane, descentEnd) {
	if d.share == nil {
		return marginPlane{w: make([]float64, d.m.p)}, descentEnd{stopped: true}
	}
	n := d.m.n
	for i, y := range d.m.ds.Y {
		d.cost[y][i] = e * d.share[i]
	}
	for j := range d.m.p {
		c := price(j) / priceScale
		d.cost[0][n+j], d.cost[1][n+j] = c, c
	}
	end := d.minimize(maxSteps)
	return d.plane(d.m.p), end
}
