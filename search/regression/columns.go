package regression

import "slices"

// Limits and prices of columns, by branch and bound: without them the search is a bound, and its tree the best one if it uses
// no column but those that are paid for. Else one of its columns is paid for in one branch, and does without in the other.

// branch is what is decided of each column.
type branch struct {
	paid, out []bool
	low       float64 // bound on its trees, prices included
	tree      *Node   // the best one without prices, if it is known from the branch before, and its value
	value     float64
}

// columned reports whether columns have a limit or prices.
func (q *Problem) columned() bool { return q.MaxColumns > 0 || q.ColumnCost != nil }

// withColumns is the search under a limit on columns, or prices of them, below a value; low bounds all trees.
func (s *solver) withColumns(best float64) (value, low float64, t *Node) {
	q := s.problem
	n := slices.Max(q.Columns) + 1
	first := branch{paid: make([]bool, n), out: make([]bool, n)}
	for _, f := range q.Fixed.features(nil) {
		first.paid[q.Columns[f]] = true
	}
	open := []branch{first}
	value = best
	for len(open) > 0 {
		at := 0
		for i := range open {
			if open[i].low < open[at].low {
				at = i
			}
		}
		b := open[at]
		if s.stopped {
			return value, min(value, b.low), t
		}
		open = slices.Delete(open, at, at+1)
		if s.closed(b.low, value) || !s.affordable(&b) {
			continue
		}
		if b.tree == nil {
			price := s.price(b.paid)
			var bound float64
			b.value, bound, b.tree = s.search(b.out, value-price)
			if b.low = max(b.low, bound+price); s.stopped {
				open = append(open, b)
			} else if b.tree != nil {
				b.low = max(b.low, b.value+price)
			}
		}
		v, tree := b.value, b.tree
		if tree == nil {
			continue
		}
		used := make([]bool, n)
		for _, f := range tree.features(nil) {
			used[q.Columns[f]] = true
		}
		if own := v + s.price(used); s.allowed(used) && own < value {
			value, t = own, tree
		}
		free := -1
		for c := range used {
			if used[c] && !b.paid[c] && (free < 0 || s.cost(c) > s.cost(free)) {
				free = c
			}
		}
		if free < 0 || s.stopped { // the tree is the best of the branch
			continue
		}
		with, without := b, b
		with.paid, without.out = slices.Clone(b.paid), slices.Clone(b.out)
		with.paid[free], without.out[free] = true, true
		without.tree = nil
		with.low += s.cost(free)
		open = append(open, with, without)
	}
	return value, value, t
}

// affordable reports whether the columns of a branch are no more than the limit; at the limit all others are out.
func (s *solver) affordable(b *branch) bool {
	if !s.allowed(b.paid) {
		return false
	}
	if m := s.problem.MaxColumns; m > 0 && count(b.paid) == m {
		b.out = slices.Clone(b.paid)
		for c := range b.out {
			b.out[c] = !b.out[c]
		}
		b.tree = nil
	}
	return true
}

// allowed reports whether so many columns are within the limit.
func (s *solver) allowed(used []bool) bool {
	return s.problem.MaxColumns == 0 || count(used) <= s.problem.MaxColumns
}

func count(of []bool) (n int) {
	for _, is := range of {
		if is {
			n++
		}
	}
	return n
}

// cost is the price of a column in units of the scaled loss.
func (s *solver) cost(c int) float64 {
	if s.problem.ColumnCost == nil {
		return 0
	}
	return s.problem.ColumnCost[c] * s.total
}

func (s *solver) price(used []bool) (sum float64) {
	for c, is := range used {
		if is {
			sum += s.cost(c)
		}
	}
	return sum
}

// search is the search without some columns, nil for all of them, for a tree below a value.
func (s *solver) search(out []bool, best float64) (value, low float64, t *Node) {
	clear(s.cache)
	s.cached = 0
	return s.searchFrom(s.all(s.most(), out), best)
}

// searchFrom is the search on all rows.
func (s *solver) searchFrom(root *set, best float64) (value, low float64, t *Node) {
	s.root = root
	if s.problem.constrained() {
		return s.ordered(root, everything, s.problem.Fixed, best)
	}
	if value, low, t = s.solve(root, best); s.stopped && s.penalty > 0 && s.quantile == nil {
		low = max(low, min(value, s.chainBound(root)))
	}
	return value, low, t
}

// constrained reports whether splits stay, or leaves have an order.
func (q *Problem) constrained() bool { return q.Fixed != nil || q.Monotone != nil }

// features adds those of the splits.
func (n *Node) features(all []int) []int {
	if n == nil || n.Left == nil {
		return all
	}
	return n.Right.features(n.Left.features(append(all, n.Feature)))
}
