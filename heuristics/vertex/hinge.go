package vertex

import (
	"math"
	"slices"

	"github.com/octgen/octgen/internal/pulse"
)

// hingeDescent minimises, over the vertices of an arrangement,
//
//	sum_i cost[0][i] (a_i.z + 1)_+ + cost[1][i] (1 - a_i.z)_+
//
// with costs >= 0: RLP, and the linear subproblem of Frank-Wolfe, which separates
// into one of these per decision. The function is convex and piecewise linear and
// bounded below, so that an optimum is at a vertex and a vertex without a
// descending edge is one.
//
// A step takes the edge of steepest descent per unit of z, past all planes until
// the function rises: O(n q) for slopes and pivot, O(n) expected for the line
// search, a weighted selection. Planes that are not yet vertices' (artificial
// basis positions) are edges like any other.
type hingeDescent struct {
	*arrangement
	cost  [2][]float64 // (n); 0 where there is no plane
	pull  []float64    // (n) slope of row i's term in its activity, tight sides left out
	slope []float64    // (q) of the function along the edges, tight planes left out
	kinks []kink
	total float64 // of the costs
}

// kink is where the function bends along an edge.
type kink struct {
	t, rise float64
	v       int32
}

func newHingeDescent(a *arrangement) *hingeDescent {
	d := &hingeDescent{arrangement: a, pull: make([]float64, a.n), slope: make([]float64, a.q)}
	d.cost[0], d.cost[1] = make([]float64, a.n), make([]float64, a.n)
	return d
}

// descentEnd says how a descent ended. What is stopped by the context is at a point
// that need be no vertex.
type descentEnd struct {
	value, bound float64 // at exact margins; bound on the least value, by duality
	steps        int
	stopped      bool // by context or the limit of steps
}

// minimize descends from the present basis to an optimum with perturbed margins,
// and puts in the exact ones. The multipliers of a perturbed optimum prove a bound
// for the exact problem too, in which they have the same constraints; where it is
// not the value at the exact vertex, less perturbation follows.
func (d *hingeDescent) minimize(maxSteps int) descentEnd {
	d.total = 0
	for side := range 2 {
		for _, c := range d.cost[side] {
			d.total += c
		}
	}
	end := descentEnd{bound: 0}
	for _, eps := range [...]float64{perturbation, 1e-8, 1e-10} {
		d.perturb(eps)
		d.resettle()
		steps, optimal, stopped := d.descend(maxSteps - end.steps)
		end.steps += steps
		if !d.Ended() {
			d.fillBasis()
		}
		if d.Ended() {
			end.value, end.stopped = d.value(), true
			break
		}
		if optimal {
			end.bound = max(end.bound, d.bound())
		}
		d.perturb(0)
		if !d.settlePoint() {
			d.place(slices.Clone(d.z))
		}
		end.value, end.stopped = d.value(), stopped
		if stopped || end.value-end.bound <= 1e-10*(1+end.value) {
			break
		}
	}
	end.bound = min(end.bound, end.value)
	return end
}

// descend takes steps until no edge descends, or there are so many that rounding
// must be to blame, or the context or maxSteps stops it.
func (d *hingeDescent) descend(maxSteps int) (steps int, optimal, stopped bool) {
	enough := 10_000 + 100*(d.n+d.q)
	for ; steps < enough; steps++ {
		if d.Spend(d.n * d.q) {
			return steps, false, true
		}
		k, forward, slope := d.steepest()
		if k < 0 {
			return steps, true, false
		}
		if steps >= maxSteps {
			return steps, false, true
		}
		m := d.lowest(k, forward, slope)
		if m.v == artificial { // rounding: the slope was none
			return steps, true, false
		}
		d.pivot(k, m)
	}
	return steps, false, false
}

// resettle is settle, or a new start at the present point with the artificial basis,
// which is where it is without a plane in the basis.
func (d *hingeDescent) resettle() {
	tight := slices.ContainsFunc(d.basis, func(v int32) bool { return v != artificial })
	if !tight || !d.settle() {
		d.place(slices.Clone(d.z))
	}
}

// slopes fills in pull and slope.
func (d *hingeDescent) slopes() {
	left, right := d.margin[0], d.margin[1]
	cl, cg := d.cost[0], d.cost[1]
	for i, v := range d.act {
		p := 0.0
		if v > -left[i] {
			p = cl[i]
		}
		if v < right[i] {
			p -= cg[i]
		}
		d.pull[i] = p
	}
	for k := range d.q {
		d.slope[k] = dot(d.pull, d.table[k*d.n:(k+1)*d.n])
	}
}

// kinkOf returns the slope that the tight plane of edge k adds forward and
// backward.
func (d *hingeDescent) kinkOf(k int) (forward, backward float64) {
	v := d.basis[k]
	switch {
	case v == artificial:
		return 0, 0
	case v&1 == 0:
		return d.cost[0][v>>1], 0
	}
	return 0, d.cost[1][v>>1]
}

// steepest returns the edge of steepest descent and the slope along it; -1 where
// none descends.
func (d *hingeDescent) steepest() (edge int, forward bool, slope float64) {
	d.slopes()
	edge = -1
	least := 0.0
	for k := range d.q {
		length := norm2(d.inverse[k*d.q : (k+1)*d.q])
		up, down := d.kinkOf(k)
		tolerance := -1e-13 * d.total * (1 + length)
		for way, s := range [2]float64{d.slope[k] + up, -d.slope[k] + down} {
			if s < tolerance && s/length < least {
				edge, forward, slope, least = k, way == 0, s, s/length
			}
		}
	}
	return edge, forward, slope
}

// lowest returns the plane along edge k where the function, which falls with the
// given slope at first, is least.
func (d *hingeDescent) lowest(k int, forward bool, slope float64) meeting {
	sign := 1.0
	if !forward {
		sign = -1
	}
	d.kinks = d.kinks[:0]
	left, right := d.margin[0], d.margin[1]
	cl, cg := d.cost[0], d.cost[1]
	for i, r := range d.table[k*d.n : (k+1)*d.n] {
		size := math.Abs(r)
		if size < leastRate {
			continue
		}
		inv := sign / r
		if t := (-left[i] - d.act[i]) * inv; t > 0 && cl[i] > 0 {
			d.kinks = append(d.kinks, kink{t, cl[i] * size, int32(2 * i)})
		}
		if t := (right[i] - d.act[i]) * inv; t > 0 && cg[i] > 0 {
			d.kinks = append(d.kinks, kink{t, cg[i] * size, int32(2*i + 1)})
		}
	}
	at := selectKink(d.kinks, -slope)
	if at < 0 {
		return meeting{v: artificial}
	}
	return meeting{sign * d.kinks[at].t, d.kinks[at].v}
}

// selectKink returns the index, after reordering, of the first kink by t at which
// the sum of rises up to it reaches need; the last one where none does, -1 for no
// kinks. O(len) expected for the orders that occur.
func selectKink(kinks []kink, need float64) int {
	low, high := 0, len(kinks)-1
	for low < high {
		pivot := medianOfThree(kinks[low].t, kinks[(low+high)/2].t, kinks[high].t)
		i, j := low, high
		rise := 0.0 // of the kinks before i
		for i <= j {
			for kinks[i].t < pivot {
				rise += kinks[i].rise
				i++
			}
			for kinks[j].t > pivot {
				j--
			}
			if i <= j {
				kinks[i], kinks[j] = kinks[j], kinks[i]
				rise += kinks[i].rise
				i++
				j--
			}
		}
		// low..j are <= pivot, i..high >= pivot, what is between them is pivot.
		upToJ := rise
		for k := j + 1; k < i; k++ {
			upToJ -= kinks[k].rise
		}
		switch {
		case j >= low && upToJ >= need:
			high = j
		case rise >= need:
			return i - 1
		default:
			need -= rise
			low = i
		}
	}
	return min(low, len(kinks)-1)
}

func medianOfThree(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}

// fillBasis gives every artificial position a plane without leaving the optimum:
// the function is constant along its edge until a plane is met.
func (d *hingeDescent) fillBasis() {
	for k, v := range d.basis {
		if v != artificial {
			continue
		}
		if d.Spend(d.n * d.q) {
			return
		}
		up, down := d.meetings(k)
		if up.v == artificial || down.v != artificial && -down.t < up.t {
			up = down
		}
		if up.v != artificial {
			d.pivot(k, up)
		}
	}
}

// value is the function at margins 1.
func (d *hingeDescent) value() float64 {
	s := 0.0
	for i, v := range d.act {
		if c := d.cost[0][i]; c > 0 {
			s += c * max(v+1, 0)
		}
		if c := d.cost[1][i]; c > 0 {
			s += c * max(1-v, 0)
		}
	}
	return s
}

// bound is the dual objective of the present basis, which is optimal for the
// present margins, at margins 1: the multiplier of a violated side is its cost, of a satisfied one 0, and of a tight one what
// makes the gradient vanish, clipped to [0, cost]; it is their sum, since
// min over z of sum lambda_l (a.z + 1) + lambda_g (1 - a.z) is that where the
// gradient vanishes.
func (d *hingeDescent) bound() float64 {
	d.slopes()
	s := 0.0
	for i, v := range d.act {
		if v > -d.margin[0][i] {
			s += d.cost[0][i]
		}
		if v < d.margin[1][i] {
			s += d.cost[1][i]
		}
	}
	for k, v := range d.basis {
		switch {
		case v == artificial:
		case v&1 == 0:
			s += min(max(-d.slope[k], 0), d.cost[0][v>>1])
		default:
			s += min(max(d.slope[k], 0), d.cost[1][v>>1])
		}
	}
	return s
}

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
