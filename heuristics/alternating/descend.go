package alternating

import (
	"cmp"
	"slices"
)

// mostClasses is how many of the commonest classes of a node of the last level are
// tried, in pairs, as the labels of its leaves.
const mostClasses = 3

// mostPasses over all nodes end a descent that still gains.
const mostPasses = 20

// reoptimise chooses the plane of node t anew, with the rest of the tree as it is, and
// at the last level the labels of its leaves. It reports whether the tree became better.
func (e *searcher) reoptimise(s *state, t int) bool {
	rows := e.reaching(s, t)
	if len(rows) == 0 {
		return false
	}
	if 2*t >= s.leaves() {
		return e.reoptimiseLast(s, t, rows)
	}
	left, right := make([]float64, len(rows)), make([]float64, len(rows))
	for q, i := range rows {
		left[q], right[q] = e.cost(s, 2*t, i), e.cost(s, 2*t+1, i)
	}
	e.spend(2 * len(rows) * e.p * e.o.Depth)
	d := e.newNode(s, t, rows, left, right)
	before := d.cost
	d.solve()
	s.plane[t] = d.best
	return d.cost < before
}

// reoptimiseLast tries the present labels and the pairs of the commonest classes.
func (e *searcher) reoptimiseLast(s *state, t int, rows []int32) bool {
	l, r := s.label[2*t], s.label[2*t+1]
	best := e.newNode(s, t, rows, e.wrongAs(rows, l), e.wrongAs(rows, r))
	before := best.cost
	classes := e.commonest(rows)
	for a := range classes {
		for b := a + 1; b < len(classes); b++ {
			d := e.newNode(s, t, rows, e.wrongAs(rows, classes[a]), e.wrongAs(rows, classes[b]))
			if d.solve(); d.cost < best.cost-leastGain*(1+best.cost) {
				best, l, r = d, classes[a], classes[b]
			}
			if e.over() {
				break
			}
		}
	}
	s.plane[t], s.label[2*t], s.label[2*t+1] = best.best, l, r
	return best.cost < before
}

// wrongAs is the weight of each row that is wrong in a leaf of class k, 0 of others.
func (e *searcher) wrongAs(rows []int32, k int32) []float64 {
	c := make([]float64, len(rows))
	for q, i := range rows {
		if e.y[i] != k {
			c[q] = e.w[i]
		}
	}
	return c
}

// commonest are the classes that weigh most among the rows, one of them twice where
// there is no other.
func (e *searcher) commonest(rows []int32) []int32 {
	weight := e.classWeights(rows)
	var classes []int32
	for c, w := range weight {
		if w > 0 {
			classes = append(classes, int32(c))
		}
	}
	slices.SortStableFunc(classes, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
	if len(classes) == 1 {
		return append(classes, classes[0])
	}
	return classes[:min(len(classes), mostClasses)]
}

// settle re-optimises node after node, from the last level to the first, until none
// becomes better.
func (e *searcher) settle(s *state) {
	for range mostPasses {
		changed := false
		for t := s.leaves() - 1; t >= 1; t-- {
			if e.over() {
				return
			}
			if e.reoptimise(s, t) {
				changed = true
			}
		}
		e.note(s)
		if e.done() || !changed {
			return
		}
	}
}

// phases are the costs of a row within a margin, beside that of a wrong row, and the
// stakes of rows that cost the same on both sides, while a tree descends: at first a
// split can pass over rows, at last it may not.
var phases = [...]struct{ within, idle float64 }{{1.5, 0.1}, {10, 1}, {1000, 1}}

// descend goes to a local optimum, with rows within margins at first.
func (e *searcher) descend(s *state) {
	for _, phase := range phases {
		e.within, e.idle = phase.within, phase.idle
		e.settle(s)
		if e.o.Right || e.done() || e.worth(s).broken == 0 {
			return
		}
	}
}
