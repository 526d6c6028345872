package oct

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/build"
	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Ranged is the model of the trees of two levels whose root splits at a threshold of a range, for
// some rows, with a value of at most most:
//
//	min  sum_m sum_s cost_ms u_ms + sum_{i in A} omega_i (1 - e_i2 - e_i3) + price
//
// Rows below the range reach node 2, those above node 3; the errors of a leaf or stump s on them
// are its cost. The rows A in between go where the root sends them. It is the encoding threshold
// for a root within the range, with the costs of sure rows as at depth 1.
//
//	w_v  = 1 iff the root's threshold is beyond value v, for the values v of A
//	u_ms = 1 iff node m, 2 or 3, is the candidate s (division.go)
//	e_im : row i of A is counted as correct at node m
//
// With w integral, the problem separates into two problems over one simplex each, so that only w is
// binary.
type Ranged struct {
	d       *Division
	r       Range
	most    float64
	values  []int   // those of A, ascending
	at      []int   // (A) position of a row's value among them
	between []int32 // A
	nodes   [2]node // 2 and 3
	list    [2][]candidate
	model   *mio.Model
}

// Program returns the model of the trees whose root splits rows in range r, with a value of at most
// most.
func (d *Division) Program(ctx context.Context, rows []int32, r Range, most float64) (*Ranged, error) {
	left, right, between := d.Sides(rows, r)
	p := &Ranged{d: d, r: r, most: most, between: between}
	if len(between) > 0 {
		p.values = d.present(between, r.Feature)
	}
	place := make(map[int]int, len(p.values))
	for k, v := range p.values {
		place[v] = k
	}
	for _, i := range between {
		p.at = append(p.at, place[d.rank(i, r.Feature)])
	}
	for m, sure := range [][]int32{left, right} {
		p.nodes[m] = node{d: d, sure: sure, perhaps: between}
		p.list[m] = p.nodes[m].candidates()
	}
	var err error
	p.model, err = build.Model(ctx, p.size(), "oct range", true, p.build)
	return p, err
}

// Model returns the model. Its objective is in units of weight.
func (p *Ranged) Model() *mio.Model { return p.model }

func (p *Ranged) colW(v int) mio.Col { return mio.Col(v) }

func (p *Ranged) colU(m, s int) mio.Col { return mio.Col(len(p.values) + m*len(p.list[0]) + s) }

func (p *Ranged) colE(m, q int) mio.Col {
	return p.colU(2, 0) + mio.Col(len(p.list[1])-len(p.list[0])+m*len(p.between)+q)
}

func (p *Ranged) build(b *mio.Builder) {
	p.columns(b)
	p.chainRows(b)
	p.choiceRows(b)
	p.routingRows(b)
	p.countedRows(b)
	p.cutoffRow(b)
}

// columns adds w, u and e, and the costs.
func (p *Ranged) columns(b *mio.Builder) {
	b.AddOffset(p.d.price)
	for _, v := range p.values {
		b.AddBinary(0, "w", v)
	}
	for m := range p.list {
		for s := range p.list[m] {
			b.AddCol(p.list[m][s].cost, 0, 1, mio.Continuous, "u", 2+m, s+1)
		}
	}
	for _, i := range p.between {
		b.AddOffset(p.d.g.W[i])
	}
	for m := range p.list {
		for _, i := range p.between {
			b.AddCol(-p.d.g.W[i], 0, 1, mio.Continuous, "e", int(i)+1, 2+m)
		}
	}
}

// chainRows adds w_v' <= w_v for consecutive values.
func (p *Ranged) chainRows(b *mio.Builder) {
	for v := 1; v < len(p.values); v++ {
		r := b.AddRow(-mio.Inf, 0, "chain", p.values[v])
		b.Add(r, p.colW(v), 1)
		b.Add(r, p.colW(v-1), -1)
	}
}

// choiceRows adds sum_s u_ms = 1.
func (p *Ranged) choiceRows(b *mio.Builder) {
	for m := range p.list {
		r := b.AddRow(1, 1, "stump", 2+m)
		for s := range p.list[m] {
			b.Add(r, p.colU(m, s), 1)
		}
	}
}

// routingRows adds e_i2 <= w_v(i), e_i3 <= 1 - w_v(i), i in A.
func (p *Ranged) routingRows(b *mio.Builder) {
	for q, i := range p.between {
		r := b.AddRow(-mio.Inf, 0, "left", int(i)+1)
		b.Add(r, p.colE(0, q), 1)
		b.Add(r, p.colW(p.at[q]), -1)
		r = b.AddRow(-mio.Inf, 1, "right", int(i)+1)
		b.Add(r, p.colE(1, q), 1)
		b.Add(r, p.colW(p.at[q]), 1)
	}
}

// countedRows adds e_im <= sum_s [s classifies i correctly] u_ms, i in A.
func (p *Ranged) countedRows(b *mio.Builder) {
	for m := range p.list {
		for q, i := range p.between {
			r := b.AddRow(-mio.Inf, 0, "counted", int(i)+1, 2+m)
			b.Add(r, p.colE(m, q), 1)
			for s := range p.list[m] {
				if p.list[m][s].about(q) {
					b.Add(r, p.colU(m, s), -1)
				}
			}
		}
	}
}

// cutoffRow requires that the objective, without its constant, is at most p.most.
func (p *Ranged) cutoffRow(b *mio.Builder) {
	most := p.most - p.d.price
	for _, i := range p.between {
		most -= p.d.g.W[i]
	}
	r := b.AddRow(-mio.Inf, most, "cutoff")
	for m := range p.list {
		for s := range p.list[m] {
			b.Add(r, p.colU(m, s), p.list[m][s].cost)
		}
		for q, i := range p.between {
			b.Add(r, p.colE(m, q), -p.d.g.W[i])
		}
	}
}

// size returns the closed form. With a rows between of v values, s candidates of the two nodes, z
// of them with cost 0, which are not in the cutoff, and c pairs of a candidate and a row between
// that it classifies correctly:
//
//	columns  v + s + 2a
//	rows     max(0, v - 1) + 2 + 2a + 2a + 1
//	nonzeros 2 max(0, v - 1) + s + 4a + 2a + c + (s - z) + 2a
func (p *Ranged) size() formulate.Size {
	v, a, s := int64(len(p.values)), int64(len(p.between)), int64(len(p.list[0])+len(p.list[1]))
	chain := max(0, v-1)
	z := formulate.Size{Cols: v + s + 2*a, Binaries: v, Rows: chain + 3 + 4*a, Nonzeros: 2*chain + s + 8*a}
	for m := range p.list {
		for k := range p.list[m] {
			one := &p.list[m][k]
			if one.cost != 0 {
				z.Nonzeros++
			}
			for q := range p.between {
				if one.about(q) {
					z.Nonzeros++
				}
			}
		}
	}
	return z
}

// Decode returns the tree of a solution and its value: the root's threshold, and the best
// candidates below it.
func (p *Ranged) Decode(x []float64) (t *tree.Tree, value float64, err error) {
	if len(x) != p.model.NumCols() {
		return nil, 0, point.Bad("%d values for %d variables", len(x), p.model.NumCols())
	}
	c := p.r.From
	for v, rank := range p.values {
		on, err := point.Binary(x[p.colW(v)], "w", rank)
		if err != nil {
			return nil, 0, err
		}
		if on {
			if c = p.r.To; v+1 < len(p.values) {
				c = p.values[v+1]
			}
		}
	}
	value = p.d.price
	var below [2]*tree.Tree
	for m := range p.list {
		best, least := -1, math.Inf(1)
		for s := range p.list[m] {
			if errors := p.errors(m, s, c); errors < least {
				best, least = s, errors
			}
		}
		if best < 0 {
			return nil, 0, fmt.Errorf("formulate: %w: node %d has no candidate", formulate.ErrDecode, 2+m)
		}
		below[m] = p.d.tree(&p.list[m][best])
		value += least
	}
	return p.d.Join(p.r.Feature, c, below[0], below[1]), value, nil
}

// Least returns the minimum value of the trees of the range, by trying all thresholds with their
// best candidates: it checks results of solvers.
func (p *Ranged) Least() float64 {
	left, right := p.leastBelow(0, false), p.leastBelow(1, true)
	least := math.Inf(1)
	for v := range left {
		least = min(least, left[v]+right[len(p.values)-v])
	}
	return p.d.price + least
}

// leastBelow returns, by v in 0..V, the minimum cost of node m's candidates if the rows of the v
// lowest values reach it, or of the v highest.
func (p *Ranged) leastBelow(m int, highest bool) []float64 {
	of := make([][]int, len(p.values)) // rows between, by position of their value
	for q, v := range p.at {
		of[v] = append(of[v], q)
	}
	if highest {
		slices.Reverse(of)
	}
	least := make([]float64, len(p.values)+1)
	for v := range least {
		least[v] = math.Inf(1)
	}
	for s := range p.list[m] {
		one := &p.list[m][s]
		cost := one.cost
		least[0] = min(least[0], cost)
		for v, rows := range of {
			for _, q := range rows {
				if !one.about(q) {
					cost += p.d.g.W[p.between[q]]
				}
			}
			least[v+1] = min(least[v+1], cost)
		}
	}
	return least
}

// errors returns the cost of candidate s of node m if the root splits at rank c.
func (p *Ranged) errors(m, s, c int) float64 {
	one := &p.list[m][s]
	cost := one.cost
	for q, i := range p.between {
		if left := p.values[p.at[q]] < c; left == (m == 0) && !one.about(q) {
			cost += p.d.g.W[i]
		}
	}
	return cost
}

// tree returns a candidate as a tree.
func (d *Division) tree(a *candidate) *tree.Tree {
	if a.j < 0 {
		return d.leaf(int(a.l))
	}
	return d.Join(a.j, a.c, d.leaf(int(a.k)), d.leaf(int(a.l)))
}
