package exact

import "math"

// pairSearch is the search at a depth-two node.
type pairSearch struct {
	w     *worker
	nd    *pairNode
	t     interval
	ways  []arm
	thr   float64 // below it a value is better
	least float64 // bound of all that was closed
	a     *answer

	bounds bool // the lanes say bounds alone: see decide

	open, next []span // of this round, and of the next one
	slots      [slots]slot
}

// slot is a span under evaluation and the cuts of it that are.
type slot struct {
	span  span
	at    [slotLanes]int32
	count int
}

// solvePair searches a depth-two node. All features are open at first; a round
// evaluates up to four cuts of each open span, of eight spans in one sweep, and
// keeps open what the bounds do not close.
func (w *worker) solvePair(c *child, ub float64, a *answer) {
	w.stats.Pairs++
	s := &w.pairs
	s.begin(w, c, ub, a)
	for len(s.open) > 0 && !w.stopped {
		rest := s.open
		for len(rest) > 0 && !w.stop() {
			rest = rest[s.fill(rest):]
			s.evaluate()
		}
		for _, sp := range rest { // not looked at
			s.least = min(s.least, sp.bound)
		}
		s.open, s.next = s.next, s.open[:0]
	}
	for _, sp := range s.open {
		s.least = min(s.least, sp.bound)
	}
	a.lb = w.p.whole(min(a.lb, s.least, s.t.excluded))
}

// begin opens all features.
func (s *pairSearch) begin(w *worker, c *child, ub float64, a *answer) {
	p, nd := w.p, c.pair
	s.w, s.nd, s.t, s.a = w, nd, interval{p: p, nd: nd, stats: &w.stats, excluded: math.Inf(1)}, a
	s.bounds, s.t.blur = p.bounds(nd), nd.blur
	s.ways, s.thr, s.least = w.arms(2, c.budget), p.thr(ub), math.Inf(1)
	s.open, s.next = s.open[:0], s.next[:0]
	low := w.leastSplit(c)
	if p.bits != nil {
		s.binaryRoots(c, low)
	}
	for i := range s.ways {
		for f := p.binary; f < p.p; f++ {
			n := nd.count[f]
			sp := span{feature: int32(f), arm: int8(i), b: point{pos: n, w: nd.weight}, lo: 1, hi: n - 1, bound: low}
			if c.top {
				s.t.limit(&sp)
			}
			s.next = s.push(s.next, sp)
		}
	}
	s.open, s.next = s.next, s.open
}

// push adds a span unless the bounds close it.
func (s *pairSearch) push(open []span, sp span) []span {
	switch {
	case sp.lo > sp.hi: // no cuts
	case s.t.trim(&sp, s.thr):
		return append(open, sp)
	default:
		s.least = min(s.least, max(sp.bound, s.thr))
	}
	return open
}

// fill puts spans into the slots of the batch until all are taken, and returns
// how many it used up.
func (s *pairSearch) fill(spans []span) int {
	b := s.w.batch
	b.used = 0
	for i, sp := range spans {
		if b.full(s.nd) {
			return i
		}
		if !s.t.trim(&sp, s.thr) { // the incumbent is better now
			s.least = min(s.least, max(sp.bound, s.thr))
			continue
		}
		q := &s.slots[b.used]
		q.span, q.count = sp, chooseCuts(s.nd, &sp, &q.at)
		b.add(s.nd, int(sp.feature), q.at[:q.count])
	}
	return len(spans)
}

// evaluate sweeps the batch and takes its results.
func (s *pairSearch) evaluate() {
	w, b := s.w, s.w.batch
	if b.used == 0 {
		return
	}
	w.stats.Batches++
	w.stats.Work += int64(s.nd.n) * int64(w.p.p+b.used)
	b.evaluate(s.nd, 0)
	if s.bounds {
		s.decide()
	}
	for i := range b.used {
		q := &s.slots[i]
		w.stats.Cuts += int64(q.count)
		part := q.span
		for c := range q.count {
			at := s.take(&q.span, q.at[c], i*slotLanes+c)
			left := part
			left.b, left.hi = at, min(part.hi, at.pos-1)
			s.next = s.push(s.next, left)
			part.a, part.lo = at, max(part.lo, at.pos+1)
		}
		s.next = s.push(s.next, part)
	}
}

// decide has the scalar routine evaluate the cuts that what the lanes say leaves open,
// the least bound first, and keeps those that are better than the incumbent.
func (s *pairSearch) decide() {
	b := s.w.batch
	var decided [laneCount]bool
	for {
		best, least := -1, s.thr
		for i := range b.used {
			for c := range s.slots[i].count {
				l := i*slotLanes + c
				if v := s.valueOf(&s.slots[i].span, l); v < least && !decided[l] {
					best, least = l, v
				}
			}
		}
		if best < 0 {
			return
		}
		decided[best] = true
		q, c := &s.slots[best/slotLanes], best%slotLanes
		b.left[best], b.right[best] = s.w.exactSides(s.nd, int(q.span.feature), q.at[c])
		s.keep(&q.span, q.at[c], best)
	}
}

// exactSides is what the parts of a cut cost.
func (w *worker) exactSides(nd *pairNode, f int, pos int32) (left, right side) {
	if w.p.gain == nil {
		return w.scalar.exact(nd, f, pos)
	}
	parts := w.costs.parts(w.costs.sides(nd, f, pos, 0))
	return parts[0], parts[1]
}

// valueOf is f0 of the cut of lane l, or a bound on it.
func (s *pairSearch) valueOf(sp *span, l int) float64 {
	b, way, lambda := s.w.batch, s.ways[sp.arm], s.w.p.lambda
	return lambda + sideValue(b.left[l], way.left, lambda) + sideValue(b.right[l], way.right, lambda)
}

// take returns what lane l says of the cut at pos, and keeps the cut where it
// is better than the incumbent.
func (s *pairSearch) take(sp *span, pos int32, l int) point {
	b, p, way := s.w.batch, s.w.p, s.ways[sp.arm]
	at := point{
		pos: pos, w: b.leftWeight(l),
		l: sideValue(b.left[l], way.left, p.lambda), r: sideValue(b.right[l], way.right, p.lambda),
	}
	s.least = min(s.least, p.lambda+at.l+at.r)
	if !s.bounds {
		s.keep(sp, pos, l)
	}
	return at
}

// keep keeps the cut at pos, lane l, where it is better than the incumbent.
func (s *pairSearch) keep(sp *span, pos int32, l int) {
	w, p, way := s.w, s.w.p, s.ways[sp.arm]
	lv, rv := sideValue(w.batch.left[l], way.left, p.lambda), sideValue(w.batch.right[l], way.right, p.lambda)
	if p.minLeaf > 0 && p.lambda+lv+rv < s.thr {
		lv, rv = w.exactPair(s.nd, int(sp.feature), pos, way)
	}
	if v := p.lambda + lv + rv; v < s.thr {
		s.thr = p.thr(v)
		*s.a = answer{lb: s.a.lb, value: v, depth: 2, feature: sp.feature, pos: pos, lsplits: way.left, rsplits: way.right, lvalue: lv, rvalue: rv}
	}
}

// sideValue is f0 of a part with a budget of splits.
func sideValue(s side, budget int32, lambda float64) float64 {
	if budget == 0 {
		return s.leaf
	}
	return min(s.leaf, s.stump+lambda)
}

// chooseCuts puts up to four cuts, evenly spread over the rows of sp, into at.
func chooseCuts(nd *pairNode, sp *span, at *[slotLanes]int32) int {
	count := 0
	f := int(sp.feature)
	width := sp.hi - sp.lo
	for i := range int32(slotLanes) {
		pos := nd.nextCut(f, sp.lo+width*(2*i+1)/(2*slotLanes))
		if pos > sp.hi {
			pos = nd.previousCut(f, pos-1)
		}
		if count == 0 || pos > at[count-1] {
			at[count] = pos
			count++
		}
	}
	return count
}

// exactPair is the value of a cut with regard to the least leaf.
func (w *worker) exactPair(nd *pairNode, f int, pos int32, way arm) (left, right float64) {
	p := w.p
	if p.cost != nil {
		return w.costs.exact(nd, f, pos, way)
	}
	ls, rs := w.scalar.sides(nd, f, pos, p.minLeaf)
	cl := w.scalar.part
	l := side{leaf: p.leafOf(cl[0]), stump: ls.errors}
	r := side{leaf: p.leafOf(cl[1]), stump: rs.errors}
	return sideValue(l, way.left, p.lambda), sideValue(r, way.right, p.lambda)
}

// leafOf is the value of a leaf with these weights per class; +Inf where it is
// too light.
func (p *problem) leafOf(class []float64) float64 {
	weight := 0.0
	for _, w := range class {
		weight += w
	}
	if weight < p.minLeaf {
		return math.Inf(1)
	}
	return weight - maxOf(class)
}
