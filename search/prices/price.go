package prices

import (
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// evaluation is L at some prices: what one search of all trees says.
type evaluation struct {
	u     []float64 // (dims)
	bound float64   // proved: L(u) is at least that
	plane plane     // of the search's tree
	shape *shape    // of the same tree; nil for a leaf that needed no search
	ended bool      // by a limit
}

// plane is a tree as a function of prices: its cost, that of its splits included, and the
// sums of G of the dims' rows. For all prices L(u) <= cost + u.g - paid(u).
type plane struct {
	cost float64
	g    []float64 // (dims)
}

// paid is what the limits take off at price u of dim d: the limit of the side that is paid.
func (p *problem) paid(d *dim, u float64) float64 {
	if u >= 0 {
		return u * p.rows[d.up].h
	}
	return -u * p.rows[d.down].h
}

// at is the plane's value at prices u.
func (p *problem) at(pl *plane, u []float64) float64 {
	v := pl.cost
	for d := range p.dims {
		v += u[d]*pl.g[d] - p.paid(&p.dims[d], u[d])
	}
	return v
}

// slope is the direction in which at grows: for a price of 0 of a pair, which may go
// either way, the way that grows, or 0.
func (p *problem) slope(pl *plane, d int, u float64) float64 {
	m := &p.dims[d]
	up := pl.g[d] - p.rows[m.up].h
	if u > 0 || u == 0 && up > 0 {
		return up
	}
	if m.down < 0 {
		return 0 // at 0 a price does not fall
	}
	if down := pl.g[d] + p.rows[m.down].h; u < 0 || down < 0 {
		return down
	}
	return 0
}

// priced is the cost of every answer at prices u, with the costs proper counted costs
// times (1, or 0 where only the rows matter).
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

// searchable is a dataset whose search is that of the costs c, and the scale of its
// objective: the least costs of the points are left in, since no tree can save them.
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

// evaluate searches all trees at prices u. Where costs is 0 only the rows are priced: the
// bound is on the least sum of broken limits then.
func (s *solver) evaluate(u []float64, costs float64) (*evaluation, error) {
	p := s.p
	c := p.priced(u, costs)
	ds, fixed, scale := p.searchable(c)
	o := exact.Options{
		Depth: p.depth, Alpha: min(costs*p.price/scale, math.MaxFloat64), MinLeaf: p.minLeaf, MaxSplits: p.splits,
		Workers: s.o.Workers, Presort: p.pre, Start: s.last, Fixed: p.fixed, Rough: true,
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
	e.bound -= 2 * verify.SumError(p.n, size) * float64(int(1)<<p.depth) // a part for each node: what the search takes for equal
	s.last, e.shape = r.Tree, p.shapeOf(r.Tree)
	e.plane = p.planeOf(e.shape, c, costs)
	return e, nil
}

// planeOf is the plane of a shape whose leaves answer what is cheapest at the costs c.
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
