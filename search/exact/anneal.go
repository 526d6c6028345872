package exact

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// annealer looks for good trees of three or more levels: simulated annealing (Kirkpatrick, Gelatt &
// Vecchi 1983) over the splits above the last two levels, below which each tree is the best of two
// levels (worker.solve). A move changes one of these splits and solves the bottoms below it again. It
// proves nothing.
//
// Slots are numbered like a heap: 1 is the root, and 2v and 2v+1 are the children of v. Slots below
// bottom have splits; the others are bottoms.
type annealer struct {
	p      *problem
	w      *worker
	rng    *rand.Rand
	root   *node
	bottom int
	cur    []spot
	trial  []spot // of the slots that a move changes

	value float64 // of the current tree
	best  float64 // of the best tree: its splits are kept
	keep  []upper

	pairs [3]*pairNode // of two bottoms, and of a node that is one, nil at first
	class [2][]float64 // (K) scratch
	picks []pick       // scratch
	cycle cycle
}

// upper is a split above the bottoms. Rows whose rank of the feature is at most rank go left.
type upper struct {
	feature, rank int32
	flat          bool // no split: this node is a bottom
	grow          bool // its split is yet to be chosen
}

// spot is a slot of the current tree or of a trial.
type spot struct {
	upper
	node  *node // its rows; nil for a bottom
	value float64
}

// cycle is one descent of the temperature.
type cycle struct {
	from, span int64 // work at its begin, and of the whole cycle
	hot        float64
}

// newAnnealer returns an annealer that begins greedily.
func newAnnealer(p *problem, root *node, depth int, seed uint64, done func() bool, fixed *shared) *annealer {
	a := &annealer{
		p: p, w: newWorker(p, 2, done, fixed), rng: rand.New(rand.NewPCG(seed, 0x616e6e65616c)), // "anneal"
		root: root, bottom: 1 << (depth - 2), value: math.Inf(1), best: math.Inf(1),
	}
	a.cur, a.trial = make([]spot, 2*a.bottom), make([]spot, 2*a.bottom)
	a.pairs[0], a.pairs[1] = newPairNode(p), newPairNode(p)
	for i := range a.class {
		a.class[i] = make([]float64, p.k)
	}
	a.cur[1].node = root
	return a
}

// try replaces the subtree of slot v by that of the trial, if its value is below limit, and reports
// whether it did.
func (a *annealer) try(v int, limit float64) bool {
	value := a.solveUpper(v, a.cur[v].node, limit)
	if a.w.stopped || value == math.Inf(1) {
		return false
	}
	for u := range a.below(v) {
		a.cur[u].upper, a.cur[u].value = a.trial[u].upper, a.trial[u].value
		if u != v {
			a.cur[u].node, a.trial[u].node = a.trial[u].node, a.cur[u].node
		}
	}
	for u := v / 2; u > 0; u /= 2 {
		a.cur[u].value = a.p.lambda + a.cur[2*u].value + a.cur[2*u+1].value
	}
	a.value = a.cur[1].value
	if a.value < a.p.thr(a.best) {
		a.best = a.value
		a.keep = a.keep[:0]
		for u := range a.cur[:a.bottom] {
			a.keep = append(a.keep, a.cur[u].upper)
		}
	}
	return true
}

// below yields the slots of the subtree of v.
func (a *annealer) below(v int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for first, count := v, 1; first < len(a.cur); first, count = 2*first, 2*count {
			for u := first; u < first+count; u++ {
				if !yield(u) {
					return
				}
			}
		}
	}
}

// solveUpper returns the value of the trial's subtree of slot v on the rows nd, or +Inf if it is
// not below limit.
func (a *annealer) solveUpper(v int, nd *node, limit float64) float64 {
	t, p := &a.trial[v], a.p
	if t.grow {
		t.upper = a.greedy(nd)
	}
	f := int(t.feature)
	pos := int32(0)
	if !t.flat {
		pos = a.position(nd, t.upper)
	}
	if pos == 0 {
		t.flat = true
		t.value = a.solveWhole(nd, limit).value
		return t.value
	}
	var c [2]child
	if 2*v >= a.bottom {
		for side := range c {
			nd := a.pairs[side]
			c[side] = child{header: &nd.header, pair: nd, depth: 2, budget: 3}
		}
	} else {
		if !p.pure {
			a.w.split.mark(nd, f, pos)
		}
		for side := range c {
			u := 2*v + side
			a.trial[u].node = a.room(a.trial[u].node, nd, side)
			nd := a.trial[u].node
			c[side] = child{header: &nd.header, node: nd, depth: 3, budget: 7}
		}
	}
	a.w.stats.Work += int64(nd.n) * int64(p.p)
	a.w.split.split(&c[0], &c[1], nd, f, pos)
	first := 0
	if c[1].n < c[0].n {
		first = 1
	}
	sum := p.lambda
	for _, side := range [2]int{first, 1 - first} {
		u, value := 2*v+side, 0.0
		if rest := limit - sum; rest <= 0 {
			return math.Inf(1)
		} else if c[side].pair != nil {
			value = a.w.solve(c[side], rest).value
			a.trial[u].value = value
		} else {
			value = a.solveUpper(u, c[side].node, rest)
		}
		if sum += value; sum >= limit || a.w.stop() {
			return math.Inf(1)
		}
	}
	t.value = sum
	return sum
}

// solveWhole finds the best tree of two levels for nd with a value below limit.
func (a *annealer) solveWhole(nd *node, limit float64) answer {
	if a.pairs[2] == nil {
		a.pairs[2] = newPairNode(a.p)
	}
	whole := a.pairs[2]
	c := child{header: &whole.header, pair: whole, depth: 2, budget: 3}
	a.w.split.whole(&c, nd)
	a.w.stats.Work += int64(nd.n) * int64(a.p.p)
	return a.w.solve(c, limit)
}

// position returns the cut of nd that a split makes; 0 if all its rows go the same way.
func (a *annealer) position(nd *node, s upper) int32 {
	f := int(s.feature)
	if nd.zeros != nil {
		if w := nd.zerosOf(f); w <= 0 || w >= nd.weight {
			return 0
		}
		return 1
	}
	at := nd.order(f)
	pos := sort.Search(len(at), func(i int) bool { return at[i]>>32 > uint64(s.rank) })
	if pos == len(at) {
		return 0
	}
	return int32(pos)
}

// room returns a node with memory for the rows of nd on a side, as marked: nd0 if it is large enough.
func (a *annealer) room(nd0, nd *node, side int) *node {
	if a.p.pure {
		if nd0 == nil {
			nd0 = newNode(a.p)
		}
		return nd0
	}
	n := 0
	for _, r := range nd.rows[:nd.n] {
		n += int(a.w.split.left[r])
	}
	if side == 1 {
		n = nd.n - n
	}
	if nd0 != nil && len(nd0.rows) >= n {
		return nd0
	}
	n = min(n+n/4, a.p.n) // so that it is large enough more often
	if nd0 == nil {
		nd0 = newApart[node]()
		nd0.class = apart[float64](a.p.k)
		nd0.layout = newLayout(a.p)
		nd0.start = make([]int32, a.p.p)
	}
	nd0.rows = make([]uint32, n)
	places := 0
	for f := range nd0.start {
		nd0.start[f] = int32(places)
		places += min(n+1, a.p.width(f))
	}
	nd0.entries = make([]uint64, places)
	return nd0
}

// step tries one move at a temperature.
func (a *annealer) step(temperature float64) {
	levels := bits.Len(uint(a.bottom)) - 1
	level := bits.Len(uint(a.rng.IntN(a.bottom-1)+1)) - 1
	if a.rng.IntN(3) == 0 {
		level = a.rng.IntN(levels)
	}
	v := 1<<level + a.rng.IntN(1<<level)
	for u := v / 2; u > 0; u /= 2 {
		if a.cur[u].flat {
			return
		}
	}
	c := &a.cur[v]
	if c.node.n < 2 || c.value <= c.node.unavoidable {
		return
	}
	s := a.propose(v)
	if s == c.upper || s.flat && c.flat {
		return
	}
	grow := c.flat || level+1 < levels && a.rng.IntN(4) == 0
	for u := range a.below(v) {
		a.trial[u].upper = a.cur[u].upper
		a.trial[u].grow = a.trial[u].grow || grow
	}
	a.trial[v].upper = s
	a.try(v, a.p.above(c.value+temperature*a.rng.ExpFloat64()))
}

// run anneals until the worker stops, its work reaches until, or a tree has a value of at most floor,
// below which there is none. left, if not nil, estimates the remaining work; the last cycle takes all of it.
func (a *annealer) run(until int64, floor float64, left func() int64) {
	if a.keep == nil {
		first := slices.Repeat([]upper{{grow: true}}, a.bottom)
		if !a.become(first) { // a leaf has too few rows
			first[1] = upper{flat: true}
			a.become(first)
		}
	}
	for a.keep != nil && a.w.stats.Work < until && !a.w.stop() && a.best > floor+a.p.tol {
		a.step(a.temperature(left))
		a.w.stats.Work += stepWork
	}
}

const (
	firstCycle = 1 << 26 // work of the first cycle
	longest    = 1 << 34 // and of the longest one
	stepWork   = 100     // of a step apart from its rows, so that steps without rows end, too
	coldest    = 0.3     // last temperature of a cycle, in rows
	hottest    = 0.01    // its first temperature, times the value of the best tree
)

// temperature returns the temperature of the next step. Each cycle is twice as long as the one before
// and begins with the best tree.
func (a *annealer) temperature(left func() int64) float64 {
	c, row := &a.cycle, a.p.averageRow()
	at := float64(a.w.stats.Work-c.from) / float64(c.span)
	if at >= 1 || c.span == 0 {
		if a.best < a.value {
			a.become(a.keep)
		}
		*c = cycle{from: a.w.stats.Work, span: min(max(2*c.span, firstCycle), longest), hot: max(row, hottest*a.best)}
		if left != nil {
			if rest := left(); rest < 3*c.span { // no room for another one
				c.span = max(1, rest)
			}
		}
		at = 0
	}
	return c.hot * math.Pow(coldest*row/c.hot, at)
}

// adopt continues from t, a tree of the data, if it is better than the best tree.
func (a *annealer) adopt(t *tree.Tree, value float64) {
	if value >= a.p.thr(a.best) {
		return
	}
	splits := slices.Repeat([]upper{{grow: true}}, a.bottom)
	var walk func(v, i int)
	walk = func(v, i int) {
		n := &t.Nodes[i]
		if v >= a.bottom {
			return
		}
		if n.Leaf() {
			splits[v] = upper{flat: true}
			return
		}
		f := slices.Index(a.p.kept, n.Split.Terms[0].Feature)
		if f < 0 {
			return
		}
		rank := sort.Search(len(a.p.values(f)), func(i int) bool { return a.p.values(f)[i] > n.Split.Threshold })
		splits[v] = upper{feature: int32(f), rank: int32(rank) - 1}
		walk(2*v, n.Left)
		walk(2*v+1, n.Right)
	}
	walk(1, 0)
	if a.become(splits) {
		a.cycle.span = 0
	}
}

// become makes the tree with these (bottom) upper splits the current one; it reports false if that has
// a leaf of too few rows.
func (a *annealer) become(splits []upper) bool {
	for v := range splits {
		a.trial[v].upper = splits[v]
	}
	return a.try(1, math.Inf(1))
}

// tree builds the best tree.
func (a *annealer) tree(ds *dataset.Dataset) (*tree.Tree, error) {
	done := a.w.done
	defer func() { a.w.done = done }()
	b := newBuilder(a.w, ds)
	if err := a.build(b, 0, 1, a.root); err != nil {
		return nil, err
	}
	b.tree.Relabel(ds)
	return b.tree, nil
}

// build builds the subtree of slot v of the best tree, for the rows of nd, at index i.
func (a *annealer) build(b *builder, i, v int, nd *node) error {
	pos := int32(0)
	if v < a.bottom && !a.keep[v].flat {
		pos = a.position(nd, a.keep[v])
	}
	if pos > 0 {
		left, right, l, r := b.split(i, nd, int(a.keep[v].feature), pos)
		if err := a.build(b, left, 2*v, l); err != nil {
			return err
		}
		return a.build(b, right, 2*v+1, r)
	}
	found := a.solveWhole(nd, math.Inf(1))
	return b.grow(i, nd, &found)
}
