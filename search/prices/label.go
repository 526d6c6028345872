package prices

import (
	"math"

	"github.com/octgen/octgen/mio/verify"
)

// labeller finds the cheapest classes of a shape's leaves that satisfy all rows, by branch and
// bound over the leaves in order. Two lower bounds hold for the rest of a partial choice. One is
// the sum of the minimum costs of the other leaves. The other is the same bound on priced costs:
// the priced cost of the choice and of the cheapest rest, minus the prices times the limits.
type labeller struct {
	p      *problem
	prices []float64 // (rows) >= 0
	paid   float64   // sum of prices times limits
	noise  float64   // rounding of priced costs

	ordered [][2]int32 // pairs of leaves whose first must not have a higher class

	leaves     int
	s          *sums
	restCost   []float64 // (leaves+1) minimum cost of all leaves from here on
	restPriced []float64
	restG      []float64 // (leaves+1, rows) minimum sums
	priced     []float64 // (leaves, k)
	g          []float64 // (leaves+1, rows) sums of the choice so far
	labels     []int
	best       []int
	bestCost   float64
	margin     float64
	most       int // maximum number of steps of a search
	left       int // remaining steps
}

// mostLabelSteps is the number of steps after which the search for labels returns the best labels
// so far. With eight leaves of three classes it never reaches it. No proof of optimality relies on
// it.
const mostLabelSteps = 1 << 16

func newLabeller(p *problem) *labeller {
	return &labeller{p: p, prices: make([]float64, len(p.rows)), most: mostLabelSteps}
}

// setPrices sets the prices of the dims.
func (b *labeller) setPrices(u []float64) {
	clear(b.prices)
	b.paid = 0
	size := b.p.dearest()
	for d, m := range b.p.dims {
		r := m.up
		if u[d] < 0 {
			r = m.down
		}
		b.prices[r] = math.Abs(u[d])
		b.paid += b.prices[r] * b.p.rows[r].h
		size += b.prices[r] * (b.p.rows[r].size + math.Abs(b.p.rows[r].h))
	}
	b.noise = verify.SumError(b.p.n, size)
}

// same is the relative difference below which values count as equal: more than the effect of the
// order of summation.
const same = 1e-12

// solve returns the best labels with cost below limit by more than margin, nil if there are none.
// The labels belong to b.
func (b *labeller) solve(s *sums, limit, margin float64) ([]int, float64) {
	p, rows := b.p, len(b.p.rows)
	b.s, b.leaves, b.bestCost, b.margin, b.left = s, len(s.mass), limit, margin, b.most
	b.best = b.best[:0]
	b.grow()
	for l := b.leaves - 1; l >= 0; l-- {
		cost, priced := math.Inf(1), math.Inf(1)
		for k := range p.k {
			if !b.mayBe(l, k) {
				b.priced[l*p.k+k] = math.Inf(1)
				continue
			}
			v := s.cost[l*p.k+k]
			cost = min(cost, v)
			for r := range rows {
				if p.rows[r].class == k {
					v += b.prices[r] * s.g[l*rows+r]
				}
			}
			b.priced[l*p.k+k] = v
			priced = min(priced, v)
		}
		b.restCost[l] = b.restCost[l+1] + cost
		b.restPriced[l] = b.restPriced[l+1] + priced
		for r := range rows {
			least := s.g[l*rows+r]
			if p.k > 1 {
				least = min(least, 0)
			}
			b.restG[l*rows+r] = b.restG[(l+1)*rows+r] + least
		}
	}
	clear(b.g[:rows])
	b.choose(0, 0, -b.paid)
	if len(b.best) == 0 {
		return nil, math.Inf(1)
	}
	return b.best, b.bestCost
}

// mayBe reports whether leaf l may have class k, regardless of the other leaves.
func (b *labeller) mayBe(l, k int) bool {
	return b.p.class == nil || b.p.allowed(b.s.class[l*b.p.k:(l+1)*b.p.k], k)
}

// inOrder reports whether leaf l may have class k, given the leaves before it.
func (b *labeller) inOrder(l, k int) bool {
	b.labels[l] = k
	for _, o := range b.ordered {
		low, high := int(o[0]), int(o[1])
		if max(low, high) == l && b.p.rank[b.labels[low]] > b.p.rank[b.labels[high]] {
			return false
		}
	}
	return true
}

// order sets the pairs of leaves whose classes the shape's splits order.
func (b *labeller) order(t *shape) {
	b.ordered = b.ordered[:0]
	if b.p.signs == nil {
		return
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.feature < 0 || b.p.signs[n.feature] == 0 {
			continue
		}
		low, high := t.below(n.left), t.below(n.right)
		if b.p.signs[n.feature] < 0 {
			low, high = high, low
		}
		for _, l := range low {
			for _, h := range high {
				b.ordered = append(b.ordered, [2]int32{l, h})
			}
		}
	}
}

// below returns the leaves below a node.
func (t *shape) below(at int32) []int32 {
	n := &t.nodes[at]
	if n.feature < 0 {
		return []int32{n.leaf}
	}
	return append(t.below(n.left), t.below(n.right)...)
}

func (b *labeller) grow() {
	rows := len(b.p.rows)
	if len(b.restCost) > b.leaves {
		b.restCost[b.leaves], b.restPriced[b.leaves] = 0, 0
		clear(b.restG[b.leaves*rows : (b.leaves+1)*rows])
		return
	}
	b.restCost, b.restPriced = make([]float64, b.leaves+1), make([]float64, b.leaves+1)
	b.restG, b.g = make([]float64, (b.leaves+1)*rows), make([]float64, (b.leaves+1)*rows)
	b.priced = make([]float64, b.leaves*b.p.k)
	b.labels, b.best = make([]int, b.leaves), make([]int, 0, b.leaves)
}

func (b *labeller) choose(l int, cost, priced float64) {
	p, rows := b.p, len(b.p.rows)
	limit := b.bestCost*(1-same) - b.margin
	if b.left--; b.left < 0 || cost+b.restCost[l] >= limit {
		return
	}
	if !verify.Negligible(b.noise, b.bestCost) {
		limit += b.noise
	}
	if priced+b.restPriced[l] >= limit {
		return
	}
	g := b.g[l*rows : (l+1)*rows]
	for r := range rows {
		if g[r]+b.restG[l*rows+r] > p.rows[r].h+p.rows[r].noise { // the last test accounts for rounding
			return
		}
	}
	if l == b.leaves {
		for r := range rows {
			if g[r] > p.rows[r].h {
				return
			}
		}
		b.best, b.bestCost = append(b.best[:0], b.labels[:b.leaves]...), cost
		return
	}
	next := b.g[(l+1)*rows : (l+2)*rows]
	first := 0
	for k := range p.k { // cheapest first
		if b.priced[l*p.k+k] < b.priced[l*p.k+first] {
			first = k
		}
	}
	for i := range p.k {
		k := (first + i) % p.k
		if !b.mayBe(l, k) || !b.inOrder(l, k) {
			continue
		}
		copy(next, g)
		for r := range rows {
			if p.rows[r].class == k {
				next[r] += b.s.g[l*rows+r]
			}
		}
		b.labels[l] = k
		b.choose(l+1, cost+b.s.cost[l*p.k+k], priced+b.priced[l*p.k+k])
	}
}
