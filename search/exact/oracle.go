package exact

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Oracle answers what the best trees of parts of the rows are worth, after a search, for proofs. Answers are exact where
// weights, costs and the price are whole numbers below 2^52. It serves one goroutine.
type Oracle struct {
	p     *problem
	w     *worker
	of    []int // (n) the problem's row of each row of the data
	root  *node
	node  *node
	whole *pairNode
	marks []uint8 // (n of the problem)
	size  float64 // of a unit
	heavy bool    // leaves have a minimum weight

	forced []float64 // (n of the problem) of costs, what each row costs at least, which the problem leaves out
}

// oracleSets is the number of sets of rows that an oracle remembers.
const oracleSets = 1 << 20

// NewOracle lays out ds for trees of at most depth levels, whose splits cost price each in the unit of the weights or costs and
// whose leaves weigh minLeaf or more.
func NewOracle(ctx context.Context, ds *dataset.Dataset, depth int, price, minLeaf float64) (*Oracle, error) {
	o := Options{Depth: min(depth, MaxDepth), Alpha: price / tree.ErrorScale(ds), MinLeaf: minLeaf, NoAnneal: true}
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	q := &Oracle{heavy: minLeaf > 0}
	if ds.Cost != nil {
		group, first := ds.Points()
		sums := make([][]float64, len(first))
		for i, g := range group {
			q.of = append(q.of, int(g))
			if sums[g] == nil {
				sums[g] = make([]float64, ds.K())
			}
			for k, v := range ds.CostsOf(i) {
				sums[g][k] += v
			}
		}
		for _, s := range sums {
			q.forced = append(q.forced, slices.Min(s))
		}
	} else {
		ds, q.of = ds.Merge()
		o.Presort = tree.NewPresort(ds)
	}
	inUnits, unit := ds.InUnits(dataset.MostUnits)
	o.MinLeaf = unit.LeastLeaf(o.MinLeaf)
	if o.Presort != nil && inUnits != ds {
		o.Presort = o.Presort.WithWeights(inUnits.Weight)
	}
	l := layOut(ctx, inUnits, unit, &o)
	q.size, q.p = l.unit.Size, newProblem(l, &o)
	q.p.lambda = min(price/q.size, 2*q.p.total) // exactly
	s := newSearch(ctx, q.p, &o, time.Time{})
	q.w, q.root, q.node = s.workers[0], s.root, newNode(q.p)
	q.w.known = newCache(DefaultCacheMemory/2, oracleSets)
	q.whole, q.marks = newPairNode(q.p), make([]uint8, q.p.n)
	return q, nil
}

// Least returns the value of the best tree for the rows, of at most depth levels and so many splits, or most if none has a
// smaller one.
func (q *Oracle) Least(rows []int32, depth int, splits, most int64) int64 {
	c := q.child(rows, depth, int(min(splits, int64(full(min(depth, 30))))))
	above := 0.0
	for g, in := range q.marks {
		if in != 0 && q.forced != nil {
			above += q.forced[g]
		}
	}
	ub := (float64(most) - above) / q.size
	if q.p.step > 0 {
		ub = math.Ceil(ub)
	} else {
		ub -= 0.5 / q.size
	}
	a := q.w.solve(c, ub)
	if math.IsInf(a.value, 1) {
		return most
	}
	return min(most, int64(math.Round(a.value*q.size+above)))
}

// Ended reports whether the context has ended, so that the answers are none.
func (q *Oracle) Ended() bool { return q.w.stopped }

// child is the node of the rows.
func (q *Oracle) child(rows []int32, depth, splits int) child {
	p, s, root := q.p, q.w.split, q.root
	clear(q.marks)
	for _, i := range rows {
		q.marks[q.of[i]] = 1
	}
	c := child{header: &q.node.header, node: q.node, depth: depthFor(depth, splits), budget: splits, top: q.heavy}
	if p.pure {
		h := c.header
		*h = header{rows: h.rows, class: h.class}
		clear(h.class)
		for r, in := range q.marks {
			if in != 0 {
				h.rows[h.n] = uint32(r)
				h.n++
				h.add(p, uint32(r))
				h.unavoidable += p.unavoidable[r]
				h.hash[0] += p.hash[r][0]
				h.hash[1] += p.hash[r][1]
			}
		}
		h.weight = sum(h.class)
		s.bits.fill(c.node)
	} else {
		copy(s.left, q.marks)
		s.begin(&c, root, 1)
		for g := range p.p {
			l, mode, _, _ := s.divide(root, g)
			s.put(&c, g, l, mode)
		}
		s.addBits(&c, root, part{})
	}
	if c.depth > 2 {
		return c
	}
	low := child{header: &q.whole.header, pair: q.whole, depth: c.depth, budget: c.budget, top: c.top}
	s.whole(&low, q.node)
	return low
}
