package exact

import "math"

// costPair is the search at a depth-two node where answers have costs.
type costPair struct {
	w     *worker
	nd    *pairNode
	t     interval
	ways  []arm
	thr   float64 // below it a value is better
	least float64 // bound of all that was closed
	a     *answer

	open, next []span // of this round, and of the next one
}

// solveCostPair is solvePair for costs of three classes or more where there are no lanes:
// a round evaluates the cut in the middle of each open span.
func (w *worker) solveCostPair(c *child, ub float64, a *answer) {
	w.stats.Pairs++
	s := &w.costPairs
	s.begin(w, c, ub, a)
	for len(s.open) > 0 && !w.stopped {
		for i, sp := range s.open {
			if w.stop() {
				s.close(s.open[i:])
				break
			}
			s.evaluate(sp)
		}
		s.open, s.next = s.next, s.open[:0]
	}
	s.close(s.open)
	a.lb = w.p.whole(min(a.lb, s.least, s.t.excluded))
}

// close gives up spans that were not looked at.
func (s *costPair) close(open []span) {
	for _, sp := range open {
		s.least = min(s.least, sp.bound)
	}
}

// begin opens all features.
func (s *costPair) begin(w *worker, c *child, ub float64, a *answer) {
	p, nd := w.p, c.pair
	s.w, s.nd, s.t, s.a = w, nd, interval{p: p, nd: nd, stats: &w.stats, excluded: math.Inf(1)}, a
	s.ways, s.thr, s.least = w.arms(2, c.budget), p.thr(ub), math.Inf(1)
	s.next = s.next[:0]
	low := w.leastSplit(c)
	for i := range s.ways {
		for f := range p.p {
			n := nd.count[f]
			sp := span{feature: int32(f), arm: int8(i), b: point{pos: n, w: nd.weight}, lo: 1, hi: n - 1, bound: low}
			if c.top {
				s.t.limit(&sp)
			}
			s.push(sp)
		}
	}
	s.open, s.next = s.next, s.open[:0]
}

// push adds a span unless the bounds close it.
func (s *costPair) push(sp span) {
	switch {
	case sp.lo > sp.hi: // no cuts
	case s.t.trim(&sp, s.thr):
		s.next = append(s.next, sp)
	default:
		s.least = min(s.least, max(sp.bound, s.thr))
	}
}

// evaluate looks at the cut in the middle of sp and divides sp there.
func (s *costPair) evaluate(sp span) {
	if !s.t.trim(&sp, s.thr) { // the incumbent is better now
		s.least = min(s.least, max(sp.bound, s.thr))
		return
	}
	w, f := s.w, int(sp.feature)
	pos := s.nd.nextCut(f, sp.lo+(sp.hi-sp.lo)/2)
	if pos > sp.hi {
		pos = s.nd.previousCut(f, pos-1)
	}
	w.stats.Cuts++
	w.stats.Batches++
	w.stats.Work += int64(s.nd.n) * int64(w.p.p)
	left, right := w.costs.sides(s.nd, f, pos, 0)
	at := s.take(&sp, pos, w.costs.parts(left, right))
	before, after := sp, sp
	before.b, before.hi = at, pos-1
	after.a, after.lo = at, pos+1
	s.push(before)
	s.push(after)
}

// take returns what the parts say of the cut at pos, and keeps the cut where it is better
// than the incumbent.
func (s *costPair) take(sp *span, pos int32, parts [2]side) point {
	w, p, way := s.w, s.w.p, s.ways[sp.arm]
	at := point{
		pos: pos, w: w.costs.leftWeight(),
		l: sideValue(parts[0], way.left, p.lambda), r: sideValue(parts[1], way.right, p.lambda),
	}
	s.least = min(s.least, p.lambda+at.l+at.r)
	lv, rv := at.l, at.r
	if p.minLeaf > 0 && p.lambda+lv+rv < s.thr {
		lv, rv = w.costs.exact(s.nd, int(sp.feature), pos, way)
	}
	if v := p.lambda + lv + rv; v < s.thr {
		s.thr = p.thr(v)
		*s.a = answer{lb: s.a.lb, value: v, depth: 2, feature: sp.feature, pos: pos, lsplits: way.left, rsplits: way.right, lvalue: lv, rvalue: rv}
	}
	return at
}
