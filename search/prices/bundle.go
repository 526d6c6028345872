package prices

import (
	"math"
	"slices"
)

// master is the program of a proximal bundle method: the prices u that maximise
//
//	min_j (c_j + u.g_j) - sum_d paid_d(u_d) - sum_d (u_d - center_d)^2 / (2 reach)
//
// over u_d >= 0, or any u_d of a pair, within +-most. Its dual is over weights a_j >= 0 of
// the planes that add up to 1: with G = sum a_j g_j the best u_d is center_d + reach (G_d -
// h_up), or center_d + reach (G_d + h_down) where that is below 0, or 0 between them, and
// minus the dual's slope in a_j is c_j + u.g_j. Weight is moved from the plane of most to that of
// least c_j + u.g_j until they agree: the least of a convex function along each such line
// is where its slope, which grows, passes 0. No proof rests on how well that is done:
// every u gives a bound.
type master struct {
	p      *problem
	planes []plane
	center []float64
	reach  float64
	most   float64 // of a price, in units of the dim
}

const (
	masterSteps  = 400
	masterHalves = 50
)

// prices are the best u of dim sums g.
func (m *master) prices(g, u []float64) {
	for d := range m.p.dims {
		dim := &m.p.dims[d]
		reach := m.reach * dim.unit * dim.unit
		up := m.center[d] + reach*(g[d]-m.p.rows[dim.up].h)
		down := 0.0
		if dim.down >= 0 {
			down = m.center[d] + reach*(g[d]+m.p.rows[dim.down].h)
		}
		u[d] = max(up, 0) + min(down, 0)
		u[d] = max(-m.most*dim.unit, min(m.most*dim.unit, u[d]))
	}
}

// solve returns the prices and the value of the planes there, without the quadratic term.
func (m *master) solve() (u []float64, value float64) {
	n := len(m.planes)
	weight, g := make([]float64, n), make([]float64, len(m.p.dims))
	u = make([]float64, len(g))
	trial, try := make([]float64, len(g)), make([]float64, len(g))
	weight[0] = 1
	copy(g, m.planes[0].g)
	for range masterSteps {
		m.prices(g, u)
		low, high := -1, -1
		var lowest, highest float64
		for j := range m.planes {
			v := m.linear(j, u)
			if low < 0 || v < lowest {
				low, lowest = j, v
			}
			if weight[j] > 0 && (high < 0 || v > highest) {
				high, highest = j, v
			}
		}
		if low == high || highest-lowest <= 1e-9*m.p.total {
			break
		}
		a, b := 0.0, weight[high]
		for range masterHalves {
			mid := (a + b) / 2
			for d := range g {
				trial[d] = g[d] + mid*(m.planes[low].g[d]-m.planes[high].g[d])
			}
			m.prices(trial, try)
			if m.linear(low, try) < m.linear(high, try) {
				a = mid
			} else {
				b = mid
			}
		}
		if b >= weight[high]*(1-1e-12) {
			b = weight[high]
		}
		weight[low] += b
		weight[high] -= b
		clear(g)
		for j, w := range weight {
			for d := range g {
				g[d] += w * m.planes[j].g[d]
			}
		}
	}
	m.prices(g, u)
	value = math.Inf(1)
	for j := range m.planes {
		value = min(value, m.p.at(&m.planes[j], u))
	}
	return u, value
}

func (m *master) linear(j int, u []float64) float64 {
	v := m.planes[j].cost
	for d, g := range m.planes[j].g {
		v += u[d] * g
	}
	return v
}

const (
	mostEvaluations = 80   // of one ascent
	leastGain       = 1e-5 // part of the value by which an ascent has to go on
	serious         = 0.1  // part of the predicted gain with which the centre moves
	mostPlanes      = 60
)

// ascend maximises L, or with costs 0 the sum of broken limits, from the prices from. What
// it finds goes to took, which says whether to go on. It returns the best evaluation.
func (s *solver) ascend(from []float64, costs, most float64, took func(*evaluation) bool) (*evaluation, error) {
	best, err := s.evaluate(from, costs)
	if err != nil || !took(best) {
		return best, err
	}
	planes := []plane{best.plane}
	m := &master{p: s.p, center: best.u, most: most, reach: s.firstReach(best)}
	for range mostEvaluations {
		if s.stop() || best.ended || m.reach == 0 {
			break
		}
		m.planes, m.center = planes, best.u
		u, model := m.solve()
		gain := model - best.bound
		if gain <= leastGain*max(math.Abs(best.bound), 1e-3*s.p.total) {
			if wide := m.reach * 1e3; wide < s.widest() && gain > 0 { // a short reach sees little
				m.reach = wide
				continue
			}
			break
		}
		e, err := s.evaluate(u, costs)
		if err != nil {
			return best, err
		}
		planes = append(planes, e.plane)
		if len(planes) > mostPlanes {
			planes = slices.Delete(planes, 0, 1)
		}
		switch {
		case e.bound >= best.bound+serious*gain:
			if e.bound >= best.bound+gain/2 {
				m.reach *= 2
			}
			best = e
		default:
			m.reach *= 0.6
			if e.bound > best.bound {
				best = e
			}
		}
		if !took(e) {
			break
		}
	}
	return best, nil
}

// firstReach lets the first step change a price by a tenth of what an average row weighs.
func (s *solver) firstReach(e *evaluation) float64 {
	largest := 0.0
	for d := range s.p.dims {
		largest = max(largest, math.Abs(s.p.slope(&e.plane, d, e.u[d]))*s.p.dims[d].unit)
	}
	if largest == 0 {
		return 0
	}
	return 0.1 / largest
}

// widest is the reach beyond which more makes no difference.
func (s *solver) widest() float64 { return 1e6 / max(s.p.total, 1e-300) }
