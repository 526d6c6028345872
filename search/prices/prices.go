package prices

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// evaluation is L at some prices, from one search of all trees.
type evaluation struct {
	u     []float64 // (dims)
	bound float64   // proved lower bound on L(u)
	plane plane     // of the search's tree
	shape *shape    // of the same tree; nil for a leaf that needed no search
	ended bool      // a limit was reached
}

// plane is a tree as a function of prices: its cost, including the penalty for splits, and the sums
// of G of the dims' rows. For all prices, L(u) <= cost + u.g - paid(u).
type plane struct {
	cost float64
	g    []float64 // (dims)
}

// paid returns the price u of dim d times the limit on the side that is priced.
func (p *problem) paid(d *dim, u float64) float64 {
	if u >= 0 {
		return u * p.rows[d.up].h
	}
	return -u * p.rows[d.down].h
}

// at returns the plane's value at prices u.
func (p *problem) at(pl *plane, u []float64) float64 {
	v := pl.cost
	for d := range p.dims {
		v += u[d]*pl.g[d] - p.paid(&p.dims[d], u[d])
	}
	return v
}

// slope returns the direction in which at grows. For the price 0 of a pair, which may move either
// way, it returns the direction of growth, or 0.
func (p *problem) slope(pl *plane, d int, u float64) float64 {
	m := &p.dims[d]
	up := pl.g[d] - p.rows[m.up].h
	if u > 0 || u == 0 && up > 0 {
		return up
	}
	if m.down < 0 {
		return 0 // a price of 0 cannot decrease
	}
	if down := pl.g[d] + p.rows[m.down].h; u < 0 || down < 0 {
		return down
	}
	return 0
}

// priced returns the cost of every prediction at prices u. The original costs are multiplied by
// costs (1, or 0 if only the rows matter).
func (p *problem) priced(u []float64, costs float64) []float64 {
	c := make([]float64, len(p.cost))
	for i, v := range p.cost {
		c[i] = costs * v
	}
	for d, m := range p.dims {
		r := &p.rows[m.up]
		if u[d] == 0 {
			continue
		}
		for q, g := range r.g {
			c[q*p.k+r.class] += u[d] * g
		}
	}
	return c
}

// searchable returns a dataset on which a search minimises the costs c, the fixed cost, and the
// scale of its objective. The minimum costs of the points remain in the fixed cost, since every
// tree pays them.
func (p *problem) searchable(c []float64) (ds *dataset.Dataset, fixed, scale float64) {
	d := *p.points
	d.Weight, d.Cost = p.mass, make([]float64, len(c))
	for q := range p.n {
		costs := c[q*p.k : (q+1)*p.k]
		cheapest := least(costs)
		fixed += cheapest
		for k, v := range costs {
			d.Cost[q*p.k+k] = v - cheapest
		}
	}
	return &d, fixed, tree.ErrorScale(&d)
}

// evaluate searches all trees at prices u. If costs is 0, only the rows are priced; the bound is
// then on the minimum sum of violations.
func (s *solver) evaluate(u []float64, costs float64) (*evaluation, error) {
	p := s.p
	c := p.priced(u, costs)
	ds, fixed, scale := p.searchable(c)
	o := exact.Options{
		Depth: p.depth, Alpha: min(costs*p.price/scale, math.MaxFloat64), MinLeaf: p.minLeaf, MaxSplits: p.splits,
		Workers: s.o.Workers, Presort: p.pre, Start: s.last, Fixed: p.fixed, Rough: true, NoAnneal: true,
	}
	if s.o.WorkLimit > 0 {
		o.WorkLimit = max(1, s.o.WorkLimit-s.work)
	}
	r, err := exact.Solve(s.ctx, ds, o)
	if err != nil {
		return nil, err
	}
	s.work += r.Stats.Work
	s.evaluations++
	e := &evaluation{u: u, bound: r.Bound*scale + fixed, ended: r.Limit != mio.NoLimit}
	size := 0.0
	for _, v := range c {
		size += math.Abs(v)
	}
	for d := range p.dims {
		paid := p.paid(&p.dims[d], u[d])
		e.bound -= paid
		size += math.Abs(paid)
	}
	size += costs * p.price * float64(p.splits)
	e.bound -= 2 * verify.SumError(p.n, size) * float64(int(1)<<p.depth) // for each node, the amount below which the search takes values for equal
	s.last, e.shape = r.Tree, p.shapeOf(r.Tree)
	e.plane = p.planeOf(e.shape, c, costs)
	return e, nil
}

// planeOf returns the plane of a shape whose leaves predict the cheapest class at the costs c.
func (p *problem) planeOf(t *shape, c []float64, costs float64) plane {
	pl := plane{cost: costs * p.price * float64(t.splits()), g: make([]float64, len(p.dims))}
	s := p.sums(t)
	priced := make([]float64, len(t.leaves)*p.k)
	for q, l := range s.leaf {
		for k := range p.k {
			priced[int(l)*p.k+k] += c[q*p.k+k]
		}
	}
	for l := range t.leaves {
		best := 0
		for k := range p.k {
			if priced[l*p.k+k] < priced[l*p.k+best] {
				best = k
			}
		}
		pl.cost += costs * s.cost[l*p.k+best]
		for d, m := range p.dims {
			if p.rows[m.up].class == best {
				pl.g[d] += s.g[l*len(p.rows)+m.up]
			}
		}
	}
	return pl
}

func least(v []float64) float64 {
	m := math.Inf(1)
	for _, x := range v {
		m = min(m, x)
	}
	return m
}

// climb is ascend for one dim. L is concave and piecewise linear, and the next price is where the
// lines of the best trees on both sides meet. If L reaches that point, it is the maximum.
func (s *solver) climb(costs, most float64, took func(*evaluation) bool) (*evaluation, error) {
	p, unit := s.p, s.p.dims[0].unit
	best, err := s.evaluate([]float64{0}, costs)
	if err != nil || !took(best) {
		return best, err
	}
	slope := p.slope(&best.plane, 0, 0)
	if slope == 0 {
		return best, nil
	}
	sign := math.Copysign(1, slope)
	near, far := best, (*evaluation)(nil) // the maximum is between them
	at := firstPrice * unit
	for range mostEvaluations {
		if s.stop() || best.ended {
			break
		}
		if far != nil {
			// near.cost + u near.slope = far.cost + u far.slope
			a, b := sign*p.slope(&near.plane, 0, sign), sign*p.slope(&far.plane, 0, sign)
			if a-b <= 1e-12*math.Abs(a) {
				break
			}
			at = (far.plane.cost - near.plane.cost) / (a - b)
			lo, hi := sign*near.u[0], sign*far.u[0]
			if !(at > lo && at < hi) {
				break
			}
			if model := near.plane.cost + at*a; model-best.bound <= leastGain*0.01*math.Abs(best.bound) {
				break
			}
		} else if at > most*unit {
			break
		}
		e, err := s.evaluate([]float64{sign * at}, costs)
		if err != nil {
			return best, err
		}
		if e.bound > best.bound {
			best = e
		}
		if sign*p.slope(&e.plane, 0, sign) > 0 {
			near = e
		} else {
			far = e
		}
		if !took(e) || p.slope(&e.plane, 0, sign) == 0 {
			break
		}
		if far == nil {
			at *= 4
		}
	}
	return best, nil
}

// firstPrice is the first price tried, per unit of the dim.
const firstPrice = 0.125

// master is the master problem of a proximal bundle method: the prices u that maximise
//
//	min_j (c_j + u.g_j) - sum_d paid_d(u_d) - sum_d (u_d - center_d)^2 / (2 reach)
//
// over u_d >= 0, or any u_d of a pair, within +-most. The variables of its dual are weights a_j >=
// 0 of the planes that add up to 1. With G = sum a_j g_j, the best u_d is center_d + reach (G_d -
// h_up), or center_d + reach (G_d + h_down) if that is below 0, or 0 between them. The negative
// slope of the dual in a_j is c_j + u.g_j. Weight is moved from the plane with the largest to the
// one with the smallest c_j + u.g_j until they agree: the minimum of a convex function along each
// such line is where its increasing slope passes 0. No proof depends on the accuracy of the
// solution, since every u gives a bound.
type master struct {
	p      *problem
	planes []plane
	center []float64
	reach  float64
	most   float64 // maximum price, in units of the dim
}

const (
	masterSteps  = 400
	masterHalves = 50
)

// prices sets u to the best prices for the dim sums g.
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
	mostEvaluations = 80   // maximum in one ascent
	leastGain       = 1e-5 // minimum relative gain for an ascent to continue
	serious         = 0.1  // fraction of the predicted gain above which the centre moves
	mostPlanes      = 60
)

// ascend maximises L or, if costs is 0, the sum of violations, starting at the prices from. It
// passes each evaluation to took, which reports whether to continue. It returns the best
// evaluation.
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
			if wide := m.reach * 1e3; wide < s.widest() && gain > 0 { // a short reach sees too little
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

// firstReach returns a reach that lets the first step change a price by a tenth of the weight of an
// average row.
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

// widest returns the reach beyond which an increase makes no difference.
func (s *solver) widest() float64 { return 1e6 / max(s.p.total, 1e-300) }
