package regression

import (
	"container/heap"
	"math"
	"slices"
)

// Upper splits that stay, and leaves in order: at a split on a column of sign +1, no leaf on its left answers more than a leaf on its
// right, each leaf answering what it would without the order. These couple the sides of a split. They are searched for above
// the search without them, whose values are bounds, and whose tree is the best one if it keeps the order.

// window holds the answers that leaves may have.
type window struct{ low, high float64 }

// everything is the window of any answer.
var everything = window{math.Inf(-1), math.Inf(1)}

// sameAnswer is by how much answers may differ and count as equal, the largest number being of size 1.
const sameAnswer = 1e-12

func (w window) has(answer float64) bool {
	return answer >= w.low-sameAnswer && answer <= w.high+sameAnswer
}

// sign is that of a feature.
func (s *solver) sign(f int32) int8 {
	if s.problem.Monotone == nil {
		return 0
	}
	return s.problem.Monotone[f]
}

// inOrder reports whether the answers left of a split may be those from low to high, and right of it those of the other window.
func inOrder(sign int8, left, right window) bool {
	switch {
	case sign > 0:
		return left.high <= right.low+sameAnswer
	case sign < 0:
		return right.high <= left.low+sameAnswer
	}
	return true
}

// answers returns the window of the answers of t on these rows of the problem, and whether they are in order.
func (s *solver) answers(rows []int32, t *Node) (w window, ordered bool) {
	if t.Left == nil {
		v := s.answer(rows)
		return window{v, v}, true
	}
	f := t.Feature
	var sides [2][]int32
	for _, r := range rows {
		side := 0
		if s.values[f][s.rank[int(r)*s.p+f]] >= t.Threshold {
			side = 1
		}
		sides[side] = append(sides[side], r)
	}
	left, ok := s.answers(sides[0], t.Left)
	right, also := s.answers(sides[1], t.Right)
	w = window{min(left.low, right.low), max(left.high, right.high)}
	return w, ok && also && inOrder(s.sign(int32(f)), left, right)
}

// answer is that of a leaf with these rows.
func (s *solver) answer(rows []int32) float64 {
	var sum sums
	for _, r := range rows {
		sum.w, sum.s = sum.w+s.of[r].w, sum.s+s.of[r].s
	}
	if s.quantile == nil {
		return sum.s / sum.w
	}
	y := s.quantile.y
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b int32) int {
		switch {
		case y[a] < y[b]:
			return -1
		case y[a] > y[b]:
			return 1
		}
		return 0
	})
	below := 0.0
	for _, r := range rows {
		if below += s.of[r].w; below >= s.quantile.q*sum.w*(1-1e-12) {
			return y[r]
		}
	}
	return y[rows[len(rows)-1]]
}

// ordered is solve for a set that is no frame, with the constraints: leaves answer in the window, and the splits of fixed stay.
func (s *solver) ordered(a *set, in window, fixed *Node, best float64) (value, low float64, t *Node) {
	if fixed != nil && fixed.Left != nil {
		g, b := s.cutOf(a, fixed)
		return s.orderedCut(a, cut{g, b}, in, [2]*Node{fixed.Left, fixed.Right}, best)
	}
	value, low, t = s.free(a, best)
	if t == nil || s.keeps(a, t, in) {
		return value, low, t
	}
	t = nil
	if leaf := a.leaf(); leaf < best && in.has(s.answer(a.id)) {
		best, t = leaf, leafNode
	}
	switch a.depth {
	case 0:
		return best, low, t
	case 1:
		value, stump := s.orderedStump(a, in, best)
		if stump != nil {
			t = stump
		}
		return value, low, t
	case 2:
		value, two := s.orderedTwoLevels(a, in, best)
		if two != nil {
			t = two
		}
		return value, low, t
	}
	var open spans
	push := func(sp span) { s.push(&open, a, sp, best) }
	for g := range a.p {
		first, last := a.cuts(g)
		push(span{g: g, first: first, last: last})
	}
	for len(open) > 0 && !s.stopped {
		sp := heap.Pop(&open).(span) //nolint:forcetypeassert // of this heap
		m := (sp.first + sp.last) / 2
		s.work()
		found, free, shut, _ := s.both(a, sp, m, best)
		if free != nil && found < best {
			if found, _, tree := s.orderedCut(a, cut{sp.g, m}, in, [2]*Node{}, best); tree != nil {
				best, t = found, tree
			}
		}
		if !shut[1] {
			push(span{g: sp.g, first: sp.first, last: m - 1})
		}
		if !shut[0] {
			push(span{g: sp.g, first: m + 1, last: sp.last})
		}
	}
	return best, low, t
}

// orderedStump is the best split of a set whose leaves are in the window and in order, below best.
func (s *solver) orderedStump(a *set, in window, best float64) (value float64, t *Node) {
	at := cut{-1, -1}
	for g := range a.p {
		first, last := a.cuts(g)
		sign := s.sign(a.feat[g])
		left, right := s.leavesOf(a, g)
		for b := first; b <= last; b++ {
			l, r := left[b-first], right[b-first]
			if v := s.penalty + l.loss + r.loss; !(v < best) || a.upTo[b].w < s.minLeaf || a.w-a.upTo[b].w < s.minLeaf {
				continue
			}
			if in.has(l.answer) && in.has(r.answer) && inOrder(sign, window{l.answer, l.answer}, window{r.answer, r.answer}) {
				best, at = s.penalty+l.loss+r.loss, cut{g, b}
			}
		}
	}
	if at.g < 0 {
		return best, nil
	}
	return best, s.node(a, at, leafNode, leafNode)
}

// leafValue is the loss of a leaf, and its answer.
type leafValue struct{ loss, answer float64 }

// leavesOf are the leaves on both sides of each cut of feature g.
func (s *solver) leavesOf(a *set, g int) (left, right []leafValue) {
	first, last := a.cuts(g)
	n := max(0, last-first+1)
	s.leaves[0], s.leaves[1] = resized(s.leaves[0], n), resized(s.leaves[1], n)
	left, right = s.leaves[0], s.leaves[1]
	if s.quantile != nil {
		s.quantileLeaves(a, g, left, right)
		return left, right
	}
	s.spend(n)
	for b := first; b <= last; b++ {
		w, sum := a.upTo[b].w, a.upTo[b].s
		left[b-first] = leafValue{max(0, a.square[b]-sum*sum/w), a.mean + sum/w}
		right[b-first] = leafValue{max(0, a.q-a.square[b]-(a.s-sum)*(a.s-sum)/(a.w-w)), a.mean + (a.s-sum)/(a.w-w)}
	}
	return left, right
}

// orderedTwoLevels is the best tree of two levels below best: the cuts whose best sides without the constraints are below it, the
// best of them first.
func (s *solver) orderedTwoLevels(a *set, in window, best float64) (value float64, t *Node) {
	if a.found == nil || a.below < best {
		a.found, a.below = s.openCuts(a, best), best
	}
	for _, o := range a.found {
		if s.closed(o.value, best) || s.stopped {
			break
		}
		if v, _, tree := s.orderedCut(a, o.cut, in, [2]*Node{}, best); tree != nil {
			best, t = v, tree
		}
	}
	return best, t
}

// openCut is a cut with the value of its best sides without constraints.
type openCut struct {
	cut
	value float64
}

// openCuts are the cuts whose best sides of one level without constraints are below best, the best ones first.
func (s *solver) openCuts(a *set, best float64) []openCut {
	all := []openCut{}
	k := s.begun(a, best)
	k.seen = func(g, b int, v float64) {
		if v < best {
			all = append(all, openCut{cut{g, b}, v})
		}
	}
	for g := range a.p {
		first, last := a.cuts(g)
		k.refine(g, first, last, 0)
	}
	k.seen = nil
	slices.SortFunc(all, func(x, y openCut) int {
		switch {
		case x.value < y.value:
			return -1
		case x.value > y.value:
			return 1
		case x.g != y.g:
			return x.g - y.g
		}
		return x.b - y.b
	})
	return all
}

// free is solve, which a set remembers if it finds a tree.
func (s *solver) free(a *set, best float64) (value, low float64, t *Node) {
	if a.tree != nil {
		if s.closed(a.value, best) {
			return best, a.value, nil
		}
		return a.value, a.value, a.tree
	}
	value, low, t = s.solve(a, best)
	if t != nil && !s.stopped {
		a.tree, a.value = t, value
	}
	return value, low, t
}

// keeps reports whether the answers of t on a set are in the window and in order.
func (s *solver) keeps(a *set, t *Node, in window) bool {
	w, ok := s.answers(a.id, t)
	return ok && in.has(w.low) && in.has(w.high)
}

// orderedCut is the best tree with a cut, for each way to share the splits that are left.
func (s *solver) orderedCut(a *set, at cut, in window, fixed [2]*Node, best float64) (value, low float64, t *Node) {
	if at.g < 0 || a.depth == 0 {
		return best, 0, nil
	}
	if w := a.upTo[at.b].w; w < s.minLeaf || a.w-w < s.minLeaf {
		return best, 0, nil
	}
	most := a.side().splits
	least := most
	if a.shared() {
		least = a.splits - 1 - most
	}
	low = math.Inf(1)
	for k := most; k >= least; k-- {
		var sides [2]*set
		for side := range sides {
			c := &set{}
			if a.depth == 2 { // whose sides search no further
				c = &s.last[side]
				c.tree = nil
			}
			s.take(a, at.g, at.b, side, c)
			s.compress(a, c)
			sides[side] = c
		}
		sides[0].limits, sides[1].limits = a.with(k), a.with(k)
		if a.shared() {
			sides[1].limits = a.with(a.splits - 1 - k)
		}
		v, bound, l, r := s.orderedSides(sides, s.sign(a.feat[at.g]), in, fixed, best-s.penalty)
		low = min(low, s.penalty+bound)
		if l != nil {
			best, t = s.penalty+v, s.node(a, at, l, r)
		}
	}
	if t != nil {
		low = min(low, best)
	}
	return best, low, t
}

// orderedSides is the best pair of trees whose loss together is below best. With an order, let the lower side have answers up to
// a limit, at first any, and the other one answers from the largest of these; then the limit sinks below that. No better pair is
// passed over: the best lower side at a limit costs no more than any that keeps it.
func (s *solver) orderedSides(sides [2]*set, sign int8, in window, fixed [2]*Node, best float64) (value, low float64, left, right *Node) {
	x, y := 0, 1
	if sign < 0 {
		x, y = 1, 0
	}
	value = best
	limit, first := in, true
	for !s.stopped {
		v, bound, t := s.ordered(sides[x], limit, fixed[x], value)
		if first {
			low = bound
		}
		if t == nil {
			break
		}
		above := in
		if sign != 0 {
			w, _ := s.answers(sides[x].id, t)
			above.low = max(in.low, w.high)
			limit.high = w.high - 2*sameAnswer
		}
		v2, bound2, t2 := s.ordered(sides[y], above, fixed[y], value-v)
		if first {
			low += bound2
		}
		if first = false; t2 != nil {
			value = v + v2
			if left, right = t, t2; sign < 0 {
				left, right = t2, t
			}
		}
		if sign == 0 {
			break
		}
	}
	return value, low, left, right
}
