package exact

import (
	"math"
	"math/bits"
	"slices"
)

// worker holds the memory of one goroutine's search.
type worker struct {
	p         *problem
	split     *splitter
	batch     *batch
	scalar    *scalar
	costs     *costSweep // nil except with costs of three or more classes, or a minimum leaf weight
	counter   *counter   // nil unless binary features are counted
	levels    []level    // by depth of the parent
	pairs     pairSearch
	costPairs costPair
	ways      map[[2]int][]arm // by depth and budget
	classes   []float64        // (K) scratch
	stats     Stats
	limit     int64 // of stats.Work
	done      func() bool
	stopped   bool

	known *cache  // of this task
	fixed *shared // of earlier rounds: read-only
}

// level holds the children of the current node at one depth.
type level struct {
	headers [2]header
	pairs   [2]*pairNode
	nodes   [2]*node
	whole   *pairNode
	open    []span
}

func newWorker(p *problem, depth int, done func() bool, fixed *shared) *worker {
	w := newApart[worker]()
	*w = worker{
		p: p, split: newSplitter(p), counter: newCounter(p), levels: apart[level](depth + 1),
		ways: map[[2]int][]arm{}, classes: apart[float64](p.k), limit: math.MaxInt64, done: done, fixed: fixed,
	}
	switch {
	case p.pure:
	case p.gain != nil:
		w.costs = newCostSweep(p)
		w.batch = newBatch(p, nil)
	default:
		w.scalar = newScalar(p)
		w.batch = newBatch(p, w.scalar)
		if p.leaf != nil {
			w.costs = newCostSweep(p)
		}
	}
	w.known = newCache(fixed.privateBytes(), privateSets)
	return w
}

// stop reports whether a limit was reached.
func (w *worker) stop() bool {
	w.stopped = w.stopped || w.stats.Work >= w.limit || w.done()
	return w.stopped
}

// child returns the memory for a child of a node of the given depth.
func (w *worker) child(depth, side int, budget int32) child {
	l := &w.levels[depth]
	c := child{depth: depthFor(depth-1, int(budget)), budget: int(budget)}
	switch {
	case c.depth == 0:
		if l.headers[side].class == nil {
			l.headers[side] = header{rows: make([]uint32, w.p.n), class: apart[float64](w.p.k)}
		}
		c.header = &l.headers[side]
	case c.depth <= 2:
		if l.pairs[side] == nil {
			l.pairs[side] = newPairNode(w.p)
		}
		c.pair = l.pairs[side]
		c.header = &c.pair.header
	default:
		if l.nodes[side] == nil {
			l.nodes[side] = newNode(w.p)
		}
		c.node = l.nodes[side]
		c.header = &c.node.header
	}
	return c
}

// arms returns the ways to share a budget at a depth.
func (w *worker) arms(depth, budget int) []arm {
	k := [2]int{depth, budget}
	if w.ways[k] == nil {
		w.ways[k] = arms(depth, budget)
	}
	return w.ways[k]
}

// solve finds the best tree for the rows of c with a value below ub, or proves that none exists.
func (w *worker) solve(c child, ub float64) answer {
	leaf := c.leaf()
	a := answer{lb: leaf, value: math.Inf(1)}
	if leaf < w.p.thr(ub) && w.p.enough(c.header) {
		a.value, a.leaf = leaf, true
		ub = leaf
	}
	if c.depth == 0 || c.n < 2 || w.p.p == 0 {
		return a
	}
	if low := w.leastSplit(&c); low >= w.p.thr(ub) {
		w.stats.Closed++
		a.lb = min(leaf, low)
		return a
	}
	if c.depth == 1 {
		w.solveStump(&c, ub, &a)
		return a
	}
	if w.recall(&c, ub, &a) {
		return a
	}
	switch {
	case c.depth > 2:
		w.search(&c, ub, &a)
	case w.p.pure:
		w.solveBinaryPair(&c, ub, &a)
	case w.p.gain != nil && w.p.wide == nil:
		w.solveCostPair(&c, ub, &a)
	default:
		w.solvePair(&c, ub, &a)
	}
	if a.value == math.Inf(1) {
		w.stats.Targets++
	}
	w.remember(&c, ub, &a)
	return a
}

// recall looks a node up in the cache.
func (w *worker) recall(c *child, ub float64, a *answer) bool {
	k := key{c.hash[0], c.hash[1]}
	if !w.answer(w.known.find(k, c.depth, c.budget), c, ub, a) && !w.answer(w.fixed.find(k, c.depth, c.budget), c, ub, a) {
		return false
	}
	w.stats.CacheHits++
	return true
}

// answer sets a from a memo and reports whether it decides the question. A memo holds either the
// minimum value, or a proof that no tree is below the value asked for then; nil holds nothing.
func (w *worker) answer(m *memo, c *child, ub float64, a *answer) bool {
	switch {
	case m == nil:
		return false
	case m.answer.value < w.p.thr(ub):
		*a = m.answer
	case m.asked < ub && m.answer.value == math.Inf(1):
		return false
	}
	a.lb = min(c.leaf(), m.answer.lb)
	return true
}

func (w *worker) remember(c *child, ub float64, a *answer) {
	if w.stopped {
		return
	}
	w.known.put(&memo{
		key: key{c.hash[0], c.hash[1]}, answer: *a, asked: ub,
		depth: int8(c.depth), budget: int32(c.budget), rows: int32(c.n),
	})
}

// leastSplit bounds the value of trees with a split on the rows of c: s splits give s+1 leaves,
// which misclassify all but the s+1 heaviest classes, and the errors that points force.
func (w *worker) leastSplit(c *child) float64 {
	p := w.p
	points := c.unavoidable
	if p.rules.NoPoints {
		points = 0
	}
	least := p.lambda + points
	if p.rules.NoClasses || p.k <= 2 {
		return least
	}
	if p.gain != nil {
		if p.k > mostSets {
			return least
		}
		return max(least, w.leastClasses(c))
	}
	copy(w.classes, c.class)
	slices.Sort(w.classes)
	rest := c.weight - w.classes[p.k-1]
	low := math.Inf(1)
	for s := 1; s <= c.budget; s++ {
		if s < p.k {
			rest -= w.classes[p.k-1-s]
		}
		low = min(low, p.lambda*float64(s)+max(points, rest))
		if rest <= points || s >= p.k {
			break
		}
	}
	return max(low, least)
}

func (w *worker) solveStump(c *child, ub float64, a *answer) {
	p := w.p
	w.stats.Stumps++
	w.stats.Work += int64(c.n) * int64(p.p)
	if p.pure {
		w.solveBinaryStump(c, ub, a)
		return
	}
	best := w.scalar.best
	if p.gain != nil {
		best = w.costs.best
	}
	s := best(c.pair, 0)
	a.lb = min(a.lb, p.lambda+s.errors)
	if p.minLeaf > 0 && p.lambda+s.errors < p.thr(ub) {
		if p.cost != nil {
			best = w.costs.best
		}
		s = best(c.pair, p.minLeaf)
	}
	if v := p.lambda + s.errors; v < p.thr(ub) {
		*a = answer{lb: a.lb, value: v, depth: 1, feature: s.feature, pos: s.pos, lvalue: s.left, rvalue: s.right}
	}
}

// mostSets is the maximum number of classes for which the rule Classes is used with costs, since it
// then enumerates sets of classes.
const mostSets = 6

// leastClasses bounds trees with s splits: their s+1 leaves predict classes from a set of size s+1,
// and each row costs at least its cheapest prediction in the set.
func (w *worker) leastClasses(c *child) float64 {
	p := w.p
	low := math.Inf(1)
	for s := 1; s <= min(c.budget, p.k-1); s++ {
		low = min(low, p.lambda*float64(s)+w.leastOfSets(c, s+1))
	}
	return low
}

// leastOfSets returns the minimum cost of predicting from a set of the given size.
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
