package regression

import (
	"container/heap"
	"math"
	"slices"
)

// span is the cuts first..last of feature g, with the envelopes of rows left of the first and right of the last.
type span struct {
	key         float64
	g           int
	first, last int
	left, right *envelope
}

// spans is a heap of spans, the least bound first.
type spans []span

func (q spans) Len() int           { return len(q) }
func (q spans) Less(i, j int) bool { return q[i].key < q[j].key }
func (q spans) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *spans) Push(x any)        { *q = append(*q, x.(span)) } //nolint:forcetypeassert // of this heap
func (q *spans) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// push adds what is open of a span.
func (s *solver) push(open *spans, a *set, sp span, best float64) {
	var any bool
	if sp.first, sp.last, any = s.trim(a, sp.first, sp.last, best); any {
		sp.key = s.penalty + a.left[sp.first] + a.right[sp.last]
		heap.Push(open, sp)
	}
}

// solve returns the least loss of a tree within the limits of a, if it is below best, with its tree; else best and nil. low is a bound
// on all trees, without the least leaf weight.
func (s *solver) solve(a *set, best float64) (value, low float64, t *Node) {
	leaf := a.leaf()
	if a.depth == 0 || leaf <= max(s.penalty, s.tolerance) {
		if leaf < best {
			return leaf, leaf, leafNode
		}
		return best, leaf, nil
	}
	switch a.depth {
	case 1:
		return s.stump(a, best)
	case 2:
		value, low, t = s.twoLevels(a, best)
	default:
		value, low, t = s.levels(a, best)
	}
	if s.minLeaf == 0 && !s.stopped {
		low = max(low, value) // a value that no tree beats, or the budget
	}
	return value, low, t
}

// levels is the search above the kernel.
func (s *solver) levels(a *set, best float64) (value, low float64, t *Node) {
	s.stats.Nodes++
	s.work()
	s.spend(a.m * a.p)
	if leaf := a.leaf(); leaf < best {
		best, t = leaf, leafNode
	}
	var open spans
	push := func(sp span) { s.push(&open, a, sp, best) }
	for g := range a.p {
		first, last := a.cuts(g)
		push(span{g: g, first: first, last: last})
	}
	for len(open) > 0 && !s.stopped {
		sp := heap.Pop(&open).(span) //nolint:forcetypeassert // of this heap
		was := sp.key
		var any bool
		if sp.first, sp.last, any = s.trim(a, sp.first, sp.last, best); !any {
			continue
		}
		if sp.key = s.penalty + a.left[sp.first] + a.right[sp.last]; sp.key > was && len(open) > 0 && sp.key > open[0].key {
			heap.Push(&open, sp)
			continue
		}
		if a == s.root && !s.problem.columned() {
			s.report(best, min(best, sp.key))
		}
		m := (sp.first + sp.last) / 2
		found, tree, shut, near := s.both(a, sp, m, best)
		if tree != nil && found < best {
			best, t = found, tree
		}
		if !shut[1] {
			push(span{g: sp.g, first: sp.first, last: m - 1, left: sp.left, right: near[1]})
		}
		if !shut[0] {
			push(span{g: sp.g, first: m + 1, last: sp.last, left: near[0], right: sp.right})
		}
	}
	return best, s.low(a), t
}

// both solves the sides of cut m of a span, the smaller one first, except when one cut is left. Their budgets are what the best
// value leaves beside the bound at the other end of the span: a side that reaches its budget closes all cuts from m to
// that end, and the second side is not solved. found is the value of the cut's best tree, tree nil for none below best.
func (s *solver) both(a *set, sp span, m int, best float64) (found float64, tree *Node, shut [2]bool, near [2]*envelope) {
	near = [2]*envelope{sp.left, sp.right}
	side := 0
	if (2*int(a.pos[m]) > a.m) != (sp.first == sp.last) {
		side = 1
	}
	var values [2]float64
	var trees [2]*Node
	for range 2 {
		budget := best - s.penalty - a.right[sp.last]
		if side == 1 {
			budget = best - s.penalty - a.left[sp.first]
		}
		value, low, t, out := s.child(a, sp.g, m, side, a.side(), budget, near[side])
		values[side], trees[side] = value, t
		if side == 0 {
			a.raiseLeft(sp.g, m, low)
		} else {
			a.raiseRight(sp.g, m, low)
		}
		if out != nil {
			near[side] = out
		}
		if shut[side] = s.closed(low, budget); shut[side] || s.stopped && t == nil {
			break
		}
		side = 1 - side
	}
	if trees[0] == nil || trees[1] == nil {
		return math.Inf(1), nil, shut, near
	}
	if a.shared() && trees[0].Splits()+trees[1].Splits() >= a.splits {
		found, tree = s.share(a, sp.g, m, best, [2]float64{a.left[m], a.right[m]})
		return found, tree, shut, near
	}
	return s.penalty + values[0] + values[1], s.node(a, cut{sp.g, m}, trees[0], trees[1]), shut, near
}

// share solves the sides of a cut for each way to share the splits that are left. least are bounds on the sides, however many
// splits they have.
func (s *solver) share(a *set, g, b int, best float64, least [2]float64) (found float64, tree *Node) {
	found = math.Inf(1)
	for most := a.side().splits; most >= a.splits-1-a.side().splits; most-- {
		left, _, l, _ := s.child(a, g, b, 0, a.with(most), best-s.penalty-least[1], nil)
		if l == nil {
			break // fewer splits leave no less
		}
		right, _, r, _ := s.child(a, g, b, 1, a.with(a.splits-1-most), best-s.penalty-left, nil)
		if r == nil {
			continue
		}
		if v := s.penalty + left + right; v < best {
			best, found, tree = v, v, s.node(a, cut{g, b}, l, r)
		}
	}
	return found, tree
}

// entry is a row set that was solved before.
type entry struct {
	hash [2]uint64
	limits
	rows  []uint64
	value float64
	low   float64
	tree  *Node
	exact bool // value is the optimum, of tree
}

// mostCached is the size of the cache, in bytes.
const mostCached = 1 << 30

// child solves one side of a cut. near is the envelope of a subset of its rows; out is the envelope that it leaves.
func (s *solver) child(a *set, f, b, side int, l limits, best float64, near *envelope) (value, low float64, t *Node, out *envelope) {
	w, sum, q := a.upTo[b].w, a.upTo[b].s, a.square[b]
	if side == 1 {
		w, sum, q = a.w-w, a.s-sum, a.q-q
	}
	fits := w >= s.minLeaf
	leaf := max(0, q-sum*sum/w)
	c := s.frame(l.depth)
	if s.quantile != nil {
		s.take(a, f, b, side, c)
		leaf = c.leaf()
	}
	if leaf <= max(s.penalty, s.tolerance) {
		if !fits {
			return best, leaf, nil, nil
		}
		return leaf, leaf, leafNode, nil
	}
	if s.quantile == nil {
		if s.penalty > 0 {
			l.depth = int(min(float64(l.depth), leaf/s.penalty)) // a tree of depth d has d splits or more
			l = limited(l.depth, l.splits)
		}
		c = s.frame(l.depth)
		s.take(a, f, b, side, c)
	}
	c.limits = l
	rows := make([]uint64, (s.n+63)/64)
	for _, r := range c.id {
		rows[r>>6] |= 1 << (r & 63)
	}
	key := c.hash[0] + 0x9e3779b97f4a7c15*uint64(l.depth) + 0xd1b54a32d192ed03*uint64(l.splits)
	hit := s.cache[key]
	if hit != nil && (hit.hash != c.hash || hit.limits != l || !slices.Equal(hit.rows, rows)) {
		hit = nil
	}
	if hit != nil && (hit.exact || s.closed(hit.low, best)) {
		s.stats.Hits++
		if !hit.exact {
			return best, hit.low, nil, nil
		}
		return hit.value, hit.low, hit.tree, nil
	}
	if s.penalty > 0 && s.quantile == nil {
		if v := s.chainBound(c); s.closed(v, best) {
			return best, v, nil, nil
		}
	}
	s.compress(a, c)
	c.inherit(near)
	if !fits { // no leaf can hold the rows: only the bound counts
		return best, s.low(c), nil, nil
	}
	value, low, t = s.solve(c, best)
	if l.depth > 1 {
		out = s.keep(&c.envelope)
	}
	exact := t != nil && !s.stopped
	switch {
	case hit != nil:
		hit.low = max(hit.low, low)
		if exact {
			hit.value, hit.tree, hit.exact = value, t, true
		}
	case s.cached < mostCached && !s.stopped:
		s.cached += 8*len(rows) + 120
		s.cache[key] = &entry{hash: c.hash, limits: l, rows: rows, value: value, low: low, tree: t, exact: exact}
	}
	return value, low, t, out
}

// keep returns the bounds of a set, whose memory the next set of its depth uses.
func (s *solver) keep(e *envelope) *envelope {
	k := &envelope{limits: e.limits, feat: e.feat, off: e.off, val: e.val, left: e.left, right: e.right}
	e.feat, e.off, e.val, e.left, e.right = nil, nil, nil, nil, nil
	return k
}
