package policy

import (
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// sweeper finds the best split of a set of rows.
type sweeper struct {
	pre     *tree.Presort
	k       int
	excess  []float64 // (n, K) dataset.Excess
	weight  []float64 // (n)
	minLeaf float64
	pulse   *pulse.Pulse

	left, total []float64 // (K) scratch
}

func newSweeper(ds *dataset.Dataset, pre *tree.Presort, minLeaf float64, p *pulse.Pulse) *sweeper {
	k := ds.K()
	return &sweeper{
		pre: pre, k: k, excess: ds.Excess(), weight: ds.Weight, minLeaf: minLeaf, pulse: p,
		left: make([]float64, k), total: make([]float64, k),
	}
}

// found is a split of a set of rows: its first size rows in the order of the feature go
// left.
type found struct {
	feature, size int
	threshold     float64
	cost          float64
}

func (f *found) split() *tree.Split { return tree.Univariate(f.feature, f.threshold) }

// of is the row's excess costs.
func (s *sweeper) of(i int32) []float64 { return s.excess[int(i)*s.k : (int(i)+1)*s.k] }

// costs sums the excess costs of rows up.
func (s *sweeper) costs(rows []int32) []float64 {
	total := make([]float64, s.k)
	for _, i := range rows {
		for a, v := range s.of(i) {
			total[a] += v
		}
	}
	return total
}

// best returns the split after which one answer left and one right cost the least; of
// equal ones the first. false: none leaves both sides enough weight, or the context ended.
func (s *sweeper) best(rows tree.Subset) (best found, ok bool) {
	for j := range s.pre.P() {
		if j == 0 {
			copy(s.total, s.costs(rows.Order(0)))
		}
		clear(s.left)
		s.sweep(rows, j, &best, &ok, func(i int32) {
			for a, v := range s.of(i) {
				s.left[a] += v
			}
		}, func() float64 {
			l, r := math.Inf(1), math.Inf(1)
			for a, v := range s.left {
				l, r = min(l, v), min(r, s.total[a]-v)
			}
			return l + r
		})
	}
	return best, ok && !s.pulse.Ended()
}

// middle returns the split of feature j that parts the rows most evenly.
func (s *sweeper) middle(rows tree.Subset, j int) (best found, ok bool) {
	more := float64(rows.Size())
	s.sweep(rows, j, &best, &ok, func(int32) { more -= 2 }, func() float64 { return math.Abs(more) })
	return best, ok && !s.pulse.Ended()
}

// bestSides returns the split that costs the least where row i costs left[i] on the left
// and right[i] on the right.
func (s *sweeper) bestSides(rows tree.Subset, left, right []float64) (best found, ok bool) {
	for j := range s.pre.P() {
		cost := 0.0
		for _, i := range rows.Order(j) {
			cost += right[i]
		}
		s.sweep(rows, j, &best, &ok, func(i int32) { cost += left[i] - right[i] }, func() float64 { return cost })
	}
	return best, ok && !s.pulse.Ended()
}

// sweep takes the rows in the order of feature j to the left, one after the other, and
// keeps the cut of least cost.
func (s *sweeper) sweep(rows tree.Subset, j int, best *found, ok *bool, take func(i int32), cost func() float64) {
	order, rank := rows.Order(j), s.pre.Ranks(j)
	if s.pulse.Spend(s.k * len(order)) {
		return
	}
	all, weight := 0.0, 0.0
	for _, i := range order {
		all += s.weight[i]
	}
	for q, i := range order[:max(0, len(order)-1)] {
		take(i)
		weight += s.weight[i]
		next := order[q+1]
		if rank[i] == rank[next] || !tree.EnoughWeight(weight, s.minLeaf) || !tree.EnoughWeight(all-weight, s.minLeaf) {
			continue
		}
		if c := cost(); !*ok || c < best.cost {
			values := s.pre.Values(j)
			*best, *ok = found{j, q + 1, tree.Midpoint(values[rank[i]], values[rank[next]]), c}, true
		}
	}
}
