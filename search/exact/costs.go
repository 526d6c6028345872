package exact

import (
	"context"
	"math"
	"math/bits"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// labelCosts is what a search of data with costs knows beside its rows: those of equal
// features are one, whose costs are the sums, less the least of each. See the package
// comment.
type labelCosts struct {
	points *dataset.Dataset // the rows with the weights by which leaves count them, and the costs of the data
	offset float64          // the least costs of the rows that were added up
}

// layOutCosts makes one row of those of equal features. given is the presort of ds, or
// nil.
func layOutCosts(ctx context.Context, ds *dataset.Dataset, given *tree.Presort) laidOut {
	excess, unit := ds.ExcessInUnits(dataset.MostUnits)
	points, first := addUpPoints(ds, excess)
	c, n, k := &labelCosts{points: points}, points.N(), points.K()
	l := laidOut{unit: unit, costs: c}

	rows := *points // its costs are the excess, in units
	rows.Y, rows.Weight, rows.Cost = make([]int, n), make([]float64, n), excess[:n*k]
	l.rows, l.unit.Total = &rows, 0
	for i := range n {
		class, least := rows.CheapestClass(i)
		costs := rows.CostsOf(i)
		for label := range costs {
			costs[label] -= least
			rows.Weight[i] = max(rows.Weight[i], costs[label])
		}
		rows.Y[i] = class
		c.offset += least
		l.unit.Total += rows.Weight[i]
	}
	if given != nil {
		l.pre = given.OfRows(first, rows.Y, rows.Weight)
	} else {
		l.pre, _ = tree.NewPresortContext(ctx, &rows)
	}
	return l
}

// addUpPoints returns the points of ds with their weights and costs, and the first row of
// each. What is beside the costs, (n, K), is added up in its place, too.
func addUpPoints(ds *dataset.Dataset, beside []float64) (*dataset.Dataset, []int) {
	index, first := ds.Points()
	points, k := ds.Subset(first), ds.K()
	points.Cost = make([]float64, len(first)*k)
	clear(points.Weight)
	clear(points.Count)
	sums := make([]float64, len(first)*k)
	for i, q := range index {
		points.Weight[q] += ds.Weight[i]
		points.Count[q] += ds.Count[i]
		for c, v := range ds.CostsOf(i) {
			points.Cost[int(q)*k+c] += v
		}
		for c, v := range beside[i*k : (i+1)*k] {
			sums[int(q)*k+c] += v
		}
	}
	copy(beside, sums)
	return points, first
}

// setCosts takes the costs over, and the objective's scale.
func (p *problem) setCosts(c *labelCosts) {
	p.cost, p.offset = p.rows.Cost, c.offset
	single := make([]float64, p.k)
	for at, v := range p.cost {
		single[at%p.k] += v
	}
	if p.baseline = minOf(single) + c.offset; p.baseline <= 0 {
		p.baseline = 1
	}
	if p.k <= 2 {
		return
	}
	p.gain = make([]float64, len(p.cost))
	for at, v := range p.cost {
		p.gain[at] = p.weight[at/p.k] - v
	}
}

// add takes a row over.
func (h *header) add(p *problem, r uint32) {
	if p.gain == nil {
		h.class[p.class[r]] += p.weight[r]
	} else {
		for c, v := range p.gain[int(r)*p.k : int(r+1)*p.k] {
			h.class[c] += v
		}
		h.weight += p.weight[r]
	}
	if p.leaf != nil {
		h.leafWeight += p.leaf[r]
	}
}

// mostSets is up to how many classes the rule of classes is used with costs: there it is
// of sets of classes.
const mostSets = 6

// leastClasses bounds trees with s splits: their s+1 leaves answer the classes of a set of
// s+1, and each row costs at least its cheapest answer in the set.
func (w *worker) leastClasses(c *child) float64 {
	p := w.p
	low := math.Inf(1)
	for s := 1; s <= min(c.budget, p.k-1); s++ {
		low = min(low, p.lambda*float64(s)+w.leastOfSets(c, s+1))
	}
	return low
}

// leastOfSets is the least cost of answering from a set of so many classes.
func (w *worker) leastOfSets(c *child, size int) float64 {
	p := w.p
	if size >= p.k {
		return 0
	}
	least := math.Inf(1)
	for set := range uint(1) << p.k {
		if bits.OnesCount(set) != size {
			continue
		}
		cost := 0.0
		for _, r := range c.rows[:c.n] {
			v := math.Inf(1)
			for class, x := range p.cost[int(r)*p.k : int(r+1)*p.k] {
				if set>>class&1 != 0 && x < v {
					v = x
				}
			}
			if cost += v; cost >= least {
				break
			}
		}
		least = min(least, cost)
	}
	return least
}
