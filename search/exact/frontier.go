package exact

import "math"

// frontier is the search at one node: the spans still open, and the bound proved for the closed
// ones.
type frontier struct {
	nd     *node
	ways   []arm
	open   []span
	closed float64 // smallest bound of everything closed
	ub     float64 // value below which a tree is sought
	t      interval
}

// newFrontier opens all features of nd. low bounds every tree with a split there; whole is f0 of
// all rows with one level less.
func newFrontier(p *problem, stats *Stats, c *child, ub, low, whole float64, open []span) *frontier {
	fr := &frontier{
		nd: c.node, ways: arms(c.depth, c.budget), open: open[:0], closed: math.Inf(1), ub: ub,
		t: interval{p: p, nd: c.node, stats: stats, excluded: math.Inf(1)},
	}
	for i := range fr.ways {
		for f := range p.p {
			n := c.node.count[f]
			sp := span{
				feature: int32(f), arm: int8(i),
				a: point{r: whole}, b: point{pos: n, w: c.weight, l: whole},
				lo: 1, hi: n - 1, bound: low,
			}
			if c.top {
				fr.t.limit(&sp)
			}
			fr.push(sp)
		}
	}
	return fr
}

func (fr *frontier) thr() float64 { return fr.t.p.thr(fr.ub) }

// push adds a span unless its bounds close it.
func (fr *frontier) push(sp span) {
	switch thr := fr.thr(); {
	case sp.lo > sp.hi: // no cuts
	case fr.t.trim(&sp, thr):
		fr.open = append(fr.open, sp)
	default:
		fr.closed = min(fr.closed, max(sp.bound, thr))
	}
}

// pop removes the open span with the smallest bound, the first of equal ones.
func (fr *frontier) pop() (span, bool) {
	for len(fr.open) > 0 {
		best := 0
		for i := range fr.open {
			if fr.open[i].bound < fr.open[best].bound {
				best = i
			}
		}
		sp := fr.open[best]
		last := len(fr.open) - 1
		fr.open[best] = fr.open[last]
		fr.open = fr.open[:last]
		thr := fr.thr()
		if fr.t.trim(&sp, thr) {
			return sp, true
		}
		fr.closed = min(fr.closed, max(sp.bound, thr))
	}
	return span{}, false
}

// bound returns the proven bound on trees with a split at this node.
func (fr *frontier) bound() float64 {
	b := min(fr.closed, fr.t.excluded)
	for i := range fr.open {
		b = min(b, fr.open[i].bound)
	}
	return b
}

// middle returns the cut of sp nearest to its middle.
func (fr *frontier) middle(sp *span) int32 {
	f := int(sp.feature)
	mid := sp.lo + (sp.hi-sp.lo)/2
	up := fr.nd.nextCut(f, mid)
	down := fr.nd.previousCut(f, mid)
	if up > sp.hi || down >= sp.lo && mid-down < up-mid {
		return down
	}
	return up
}

// cut is a cut of a span with the result of the search below it.
type cut struct {
	span        span
	pos         int32
	way         arm
	weight      float64 // of the left side
	left, right answer
}

// targets returns the values at which the search of the sides of a cut may stop (see the package
// comment).
func (c *cut) targets(p *problem, ub float64) (left, right float64) {
	if p.rules.NoTarget || p.rules.NoMonotone { // targets serve to close spans by the monotone rule
		return math.Inf(1), math.Inf(1)
	}
	return ub - p.lambda - c.span.b.r, ub - p.lambda - c.span.a.l
}

// evaluate solves both sides of c up to their targets.
func (w *worker) evaluate(nd *node, depth int, c *cut, ub float64) {
	if w.p.pure {
		w.evaluateBinary(nd, depth, c, ub)
		return
	}
	w.stats.Cuts++
	w.stats.Work += int64(nd.n) * int64(w.p.p)
	l, r := w.child(depth, 0, c.way.left), w.child(depth, 1, c.way.right)
	w.split.split(&l, &r, nd, int(c.span.feature), c.pos)
	c.weight = l.weight
	left, right := c.targets(w.p, ub)
	c.left = w.solve(l, left)
	c.right = w.solve(r, right)
}

// evaluateBinary is evaluate for the only cut of a binary feature. Its sides bound nothing else, so
// each is solved only as far as the bound on the other leaves open, the heavier one first.
func (w *worker) evaluateBinary(nd *node, depth int, c *cut, ub float64) {
	w.stats.Cuts++
	w.stats.Work += int64(nd.n) * int64(w.p.p)
	l, r := w.child(depth, 0, c.way.left), w.child(depth, 1, c.way.right)
	w.split.split(&l, &r, nd, int(c.span.feature), c.pos)
	c.weight = l.weight
	t := interval{p: w.p, nd: nd}
	left, right := t.sides(&c.span)
	if w.p.rules.NoTarget {
		ub = math.Inf(1)
	}
	first, second := &c.left, &c.right
	known := right
	if r.weight > l.weight {
		l, r, first, second, known = r, l, second, first, left
	}
	ub -= w.p.lambda
	*first = w.solve(l, ub-known)
	if first.lb >= w.p.thr(ub-known) {
		*second = answer{lb: known, value: math.Inf(1)}
		return
	}
	*second = w.solve(r, ub-first.lb)
}

// evaluateSide is evaluate for one side.
func (w *worker) evaluateSide(nd *node, depth int, c *cut, side int, ub float64) {
	w.stats.Work += int64(nd.n) * int64(w.p.p)
	left, right := c.targets(w.p, ub)
	if side == 0 {
		w.stats.Cuts++
		h := w.child(depth, 0, c.way.left)
		w.split.one(&h, 0, nd, int(c.span.feature), c.pos)
		c.weight = h.weight
		c.left = w.solve(h, left)
		return
	}
	h := w.child(depth, 1, c.way.right)
	w.split.one(&h, 1, nd, int(c.span.feature), c.pos)
	c.right = w.solve(h, right)
}

// take records the results of a cut: a better tree, and bounds for neighbouring cuts.
func (fr *frontier) take(c *cut, depth int, a *answer) {
	lambda := fr.t.p.lambda
	if v := lambda + c.left.value + c.right.value; v < fr.thr() {
		fr.ub = v
		left, right := c.left, c.right
		*a = answer{lb: a.lb, value: v, depth: int8(depth), feature: c.span.feature, pos: c.pos, left: &left, right: &right}
	}
	fr.divide(c)
}

// divide divides the span of an evaluated cut.
func (fr *frontier) divide(c *cut) {
	at := point{pos: c.pos, w: c.weight, l: c.left.lb, r: c.right.lb}
	fr.closed = min(fr.closed, max(c.span.bound, fr.t.p.lambda+at.l+at.r))
	left, right := c.span, c.span
	left.b, left.hi = at, c.pos-1
	right.a, right.lo = at, c.pos+1
	fr.push(left)
	fr.push(right)
}

// search is solve for three or more levels.
func (w *worker) search(c *child, ub float64, a *answer) {
	w.stats.Nodes++
	whole := w.solveWhole(c, ub, a)
	lv := &w.levels[c.depth]
	fr := newFrontier(w.p, &w.stats, c, min(ub, a.value), w.leastSplit(c), whole, lv.open)
	for !w.stop() {
		sp, ok := fr.pop()
		if !ok {
			break
		}
		e := cut{span: sp, pos: fr.middle(&sp), way: fr.ways[sp.arm]}
		w.evaluate(c.node, c.depth, &e, fr.ub)
		fr.take(&e, c.depth, a)
		w.compare(fr, &e)
	}
	a.lb = w.p.whole(min(a.lb, fr.bound()))
	lv.open = fr.open[:0]
}

// solveWhole solves c with one level less. The result bounds every subset of its rows and may be a
// better tree.
func (w *worker) solveWhole(c *child, ub float64, a *answer) float64 {
	if w.p.rules.NoWhole {
		return 0
	}
	b := w.solve(w.lower(c), math.Inf(1))
	a.improve(b, w.p.thr(ub))
	return b.lb
}

// improve takes the tree of b if its value is below thr. The bound of b does not carry over,
// because b has fewer levels.
func (a *answer) improve(b answer, thr float64) {
	if b.value < thr && !b.leaf {
		lb := a.lb
		*a = b
		a.lb = lb
	}
}

// lower returns c with one level less.
func (w *worker) lower(c *child) child {
	depth := c.depth - 1
	h := child{header: c.header, node: c.node, depth: depth, budget: min(c.budget, full(depth))}
	if depth > 2 {
		return h
	}
	lv := &w.levels[c.depth]
	if lv.whole == nil {
		lv.whole = newPairNode(w.p)
	}
	h.header, h.pair, h.node = &lv.whole.header, lv.whole, nil
	w.split.whole(&h, c.node)
	return h
}

// point is an evaluated cut of one feature: the rows and the weight before it, and proven bounds on
// f0 of its left and right side.
type point struct {
	pos  int32
	w    float64
	l, r float64
}

// span is the open part of a feature between two points.
type span struct {
	feature int32
	arm     int8 // index into the ways to share the budget of splits
	a, b    point
	lo, hi  int32   // cuts not yet excluded: those in [lo, hi]
	bound   float64 // on f0 of trees with such a cut at the root
}

// interval holds what trim needs of the rules and the node.
type interval struct {
	p        *problem
	nd       ordered
	stats    *Stats
	blur     float64 // maximum by which weights up to points may be too small
	excluded float64 // bound on the cuts that trim removed from spans that it left open
}

// trim excludes cuts of sp that cannot have a value below thr and reports whether any remain; then
// sp.bound bounds the remaining cuts and t.excluded the excluded ones. For a cut i between the
// points a and b, with weight w(i) before it,
//
//	L(i) >= L(a)                      (monotone: the left side of i contains that of a)
//	L(i) >= L(b) - (w(b) - w(i))      (similar: it lacks that much weight of the left side of b)
//	R(i) >= R(b),   R(i) >= R(a) - (w(i) - w(a))
//
// and its value is at least lambda + L(i) + R(i).
func (t *interval) trim(sp *span, thr float64) bool {
	if t.p.pure {
		return t.trimCut(sp, thr)
	}
	rules := &t.p.rules
	al, ar, bl, br := sp.a.l, sp.a.r, sp.b.l, sp.b.r
	if rules.NoMonotone {
		al, br = 0, 0
	}
	lambda, width := t.p.lambda, sp.b.w-sp.a.w+t.blur
	bound := lambda + al + br
	if !rules.NoSimilar {
		bound = max(bound, lambda+bl+ar-width)
	}
	sp.bound = max(sp.bound, bound)
	if sp.bound >= thr {
		t.stats.Spans++
		return false
	}
	lo, hi := sp.lo, sp.hi
	if !rules.NoSimilar {
		// near a: al + ar - (w(i) - w(a)); near b likewise
		if gain := lambda + al + sp.a.r - thr; gain >= 0 {
			sp.lo = max(sp.lo, t.beyond(sp, gain))
		}
		if gain := lambda + sp.b.l + br - thr; gain >= 0 {
			sp.hi = min(sp.hi, t.before(sp, gain))
		}
	}
	if sp.lo > lo || sp.hi < hi {
		t.stats.Shortened++
		t.excluded = min(t.excluded, thr)
	}
	if sp.lo > sp.hi {
		return false
	}
	sp.lo = t.nd.nextCut(int(sp.feature), sp.lo)
	if sp.lo > sp.hi {
		return false
	}
	sp.hi = t.nd.previousCut(int(sp.feature), sp.hi)
	return sp.lo <= sp.hi
}

// trimCut is trim for a binary feature, whose span has one cut.
func (t *interval) trimCut(sp *span, thr float64) bool {
	left, right := t.sides(sp)
	sp.bound = max(sp.bound, t.p.lambda+left+right)
	if sp.bound >= thr {
		t.stats.Spans++
		return false
	}
	return true
}

// sides bounds both sides of the only cut of a span.
func (t *interval) sides(sp *span) (left, right float64) {
	w := t.nd.zerosOf(int(sp.feature))
	if !t.p.rules.NoMonotone {
		left, right = sp.a.l, sp.b.r
	}
	if !t.p.rules.NoSimilar {
		left, right = max(left, sp.b.l-(sp.b.w-w)), max(right, sp.a.r-(w-sp.a.w))
	}
	return left, right
}

// beyond returns the first position with more than gain of weight between a and it.
func (t *interval) beyond(sp *span, gain float64) int32 {
	pos, w := sp.a.pos, 0.0
	count, mode := t.nd.places(int(sp.feature))
	if t.p.unit && (mode < pos || pos+int32(min(gain, float64(count))) < mode) {
		return pos + int32(min(gain, float64(count))) + 1
	}
	for ; pos <= sp.hi && w <= gain; pos++ {
		w += t.weight(int(sp.feature), pos, mode, count)
	}
	if w <= gain {
		return sp.hi + 1
	}
	return pos
}

// before returns the last position with more than gain of weight between it and b.
func (t *interval) before(sp *span, gain float64) int32 {
	pos, w := sp.b.pos, 0.0
	count, mode := t.nd.places(int(sp.feature))
	if t.p.unit && (mode >= pos || pos-1-int32(min(gain, float64(count))) > mode) {
		return pos - int32(min(gain, float64(count))) - 1
	}
	for pos >= sp.lo && pos > 0 && w <= gain {
		pos--
		w += t.weight(int(sp.feature), pos, mode, count)
	}
	if w <= gain {
		return sp.lo - 1
	}
	return pos
}

// weight returns the weight of the rows at a place.
func (t *interval) weight(f int, pos, mode, count int32) float64 {
	if pos != mode {
		return t.p.weight[t.nd.row(f, pos)]
	}
	if t.p.unit {
		return float64(t.nd.head().n) - float64(count-1)
	}
	rest := t.nd.head().weight
	for i := range count {
		if i != mode {
			rest -= t.p.weight[t.nd.row(f, i)]
		}
	}
	return rest
}

// leafWeight is weight as leaves count it.
func (t *interval) leafWeight(f int, pos, mode, count int32) float64 {
	switch {
	case t.p.leaf == nil:
		return t.weight(f, pos, mode, count)
	case pos != mode:
		return t.p.leaf[t.nd.row(f, pos)]
	}
	rest := t.nd.head().leafWeight
	for i := range count {
		if i != mode {
			rest -= t.p.leaf[t.nd.row(f, i)]
		}
	}
	return rest
}

// limit keeps only cuts of sp, a span of all cuts of a feature, with the minimum leaf weight on
// both sides.
func (t *interval) limit(sp *span) {
	if t.p.minLeaf <= 0 {
		return
	}
	f := int(sp.feature)
	count, mode := t.nd.places(f)
	if t.p.pure {
		if zeros := t.nd.zerosOf(f); min(zeros, t.nd.head().weight-zeros) < t.p.minLeaf {
			sp.hi = 0
		}
		return
	}
	sp.lo, sp.hi = 0, count
	for w := 0.0; sp.lo < count && w < t.p.minLeaf; sp.lo++ {
		w += t.leafWeight(f, sp.lo, mode, count)
	}
	for w := 0.0; sp.hi > 0 && w < t.p.minLeaf; {
		sp.hi--
		w += t.leafWeight(f, sp.hi, mode, count)
	}
}

// compare bounds the sides of the open cuts of a node by those of at, an evaluated cut of another
// feature; see "Alike" in the package comment. It works only if all features are binary: each then
// has one cut, and the counts of pairs give the overlap of the sides.
func (w *worker) compare(fr *frontier, at *cut) {
	rules := &w.p.rules
	if !w.p.pure || rules.NoSimilar || rules.NoMonotone || max(at.left.lb, at.right.lb) <= 0 {
		return
	}
	counts := w.counter.loadWhole(fr.nd)
	for i := range fr.open {
		sp := &fr.open[i]
		way := fr.ways[sp.arm]
		both := w.counter.quarters(counts, fr.nd, int(at.span.feature), int(sp.feature))
		if way.left <= at.way.left { // the excess of the left side of at lies right of the open cut
			sp.a.l = max(sp.a.l, at.left.lb-both[0][1])
		}
		if way.left <= at.way.right {
			sp.a.l = max(sp.a.l, at.right.lb-both[1][1])
		}
		if way.right <= at.way.left {
			sp.b.r = max(sp.b.r, at.left.lb-both[0][0])
		}
		if way.right <= at.way.right {
			sp.b.r = max(sp.b.r, at.right.lb-both[1][0])
		}
		left, right := fr.t.sides(sp)
		sp.bound = max(sp.bound, w.p.lambda+left+right)
	}
}

// quarters returns the weight of the rows of nd by the values of features f and g.
func (c *counter) quarters(n *pairCounts, nd *node, f, g int) (w [2][2]float64) {
	var one, other, both int32
	for class := range c.p.k {
		ones := nd.bits.ones[class*c.p.bits.features():]
		one += ones[f]
		other += ones[g]
		both += c.pair(n, class, f, g)
	}
	w[1][1], w[1][0], w[0][1] = float64(both), float64(one-both), float64(other-both)
	w[0][0] = nd.weight - w[1][1] - w[1][0] - w[0][1]
	return w
}
