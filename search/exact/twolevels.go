package exact

import "math"

// pairSearch is the search at a depth-two node.
type pairSearch struct {
	w     *worker
	nd    *pairNode
	t     interval
	ways  []arm
	thr   float64 // a value below it is better
	least float64 // smallest bound of everything closed
	a     *answer

	bounds bool // the lanes give only bounds: see decide

	list func(f int, pos int32, left, right float64) // if not nil, called for all cuts below thr, which stays

	open, next []span // of this round, and of the next one
	slots      [slots]slot
}

// slot is a span under evaluation and its evaluated cuts.
type slot struct {
	span  span
	at    [slotLanes]int32
	count int
}

// solvePair searches a depth-two node. All features are open at first. A round evaluates up to four
// cuts of each open span, eight spans per sweep, and keeps open what the bounds do not close.
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
		for _, sp := range rest { // not evaluated
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

// push adds a span unless its bounds close it.
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

// fill puts spans into the slots of the batch until all are taken, and returns the number of spans
// used.
func (s *pairSearch) fill(spans []span) int {
	b := s.w.batch
	b.used = 0
	for i, sp := range spans {
		if b.full(s.nd) {
			return i
		}
		if !s.t.trim(&sp, s.thr) { // the incumbent has improved
			s.least = min(s.least, max(sp.bound, s.thr))
			continue
		}
		q := &s.slots[b.used]
		q.span, q.count = sp, chooseCuts(s.nd, &sp, &q.at)
		b.add(s.nd, int(sp.feature), q.at[:q.count])
	}
	return len(spans)
}

// evaluate sweeps the batch and processes the results.
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

// decide has the scalar routine evaluate the cuts that the lanes leave open, smallest bound first,
// and keeps those that beat the incumbent.
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

// exactSides returns the values of the sides of a cut.
func (w *worker) exactSides(nd *pairNode, f int, pos int32) (left, right side) {
	if w.p.gain == nil {
		return w.scalar.exact(nd, f, pos)
	}
	parts := w.costs.parts(w.costs.sides(nd, f, pos, 0))
	return parts[0], parts[1]
}

// valueOf returns f0 of the cut of lane l, or a lower bound.
func (s *pairSearch) valueOf(sp *span, l int) float64 {
	b, way, lambda := s.w.batch, s.ways[sp.arm], s.w.p.lambda
	return lambda + sideValue(b.left[l], way.left, lambda) + sideValue(b.right[l], way.right, lambda)
}

// take returns the results of lane l for the cut at pos, and keeps the cut if it beats the
// incumbent.
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

// keep keeps the cut at pos, lane l, if it beats the incumbent.
func (s *pairSearch) keep(sp *span, pos int32, l int) {
	w, p, way := s.w, s.w.p, s.ways[sp.arm]
	lv, rv := sideValue(w.batch.left[l], way.left, p.lambda), sideValue(w.batch.right[l], way.right, p.lambda)
	if s.list != nil {
		if p.lambda+lv+rv < s.thr {
			s.list(int(sp.feature), pos, lv, rv)
		}
		return
	}
	if p.minLeaf > 0 && p.lambda+lv+rv < s.thr {
		lv, rv = w.exactPair(s.nd, int(sp.feature), pos, way)
	}
	if v := p.lambda + lv + rv; v < s.thr {
		s.thr = p.thr(v)
		*s.a = answer{lb: s.a.lb, value: v, depth: 2, feature: sp.feature, pos: pos, lsplits: way.left, rsplits: way.right, lvalue: lv, rvalue: rv}
	}
}

// chooseCuts writes up to four cuts, evenly spread over the rows of sp, to at.
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

// exactPair returns the values of the sides of a cut under the minimum leaf weight.
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

// leafOf returns the value of a leaf with these weights per class; +Inf if it is too light.
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

// costPair is the search at a depth-two node if predictions have costs.
type costPair struct {
	w     *worker
	nd    *pairNode
	t     interval
	ways  []arm
	thr   float64 // a value below it is better
	least float64 // smallest bound of everything closed
	a     *answer

	open, next []span // of this round, and of the next one
}

// solveCostPair is solvePair for costs of three or more classes on machines without lanes: a round
// evaluates the cut in the middle of each open span.
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

// close closes spans that were not evaluated.
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

// push adds a span unless its bounds close it.
func (s *costPair) push(sp span) {
	switch {
	case sp.lo > sp.hi: // no cuts
	case s.t.trim(&sp, s.thr):
		s.next = append(s.next, sp)
	default:
		s.least = min(s.least, max(sp.bound, s.thr))
	}
}

// evaluate evaluates the cut in the middle of sp and divides sp there.
func (s *costPair) evaluate(sp span) {
	if !s.t.trim(&sp, s.thr) { // the incumbent has improved
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

// take returns the result of the sides for the cut at pos, and keeps the cut if it beats the
// incumbent.
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

// solveBinaryPair searches a node of two levels if all features are binary: all of its trees at
// once, by the counts of pairs.
func (w *worker) solveBinaryPair(c *child, ub float64, a *answer) {
	p, counter := w.p, w.counter
	w.stats.Pairs++
	w.stats.Work += int64(c.n) * int64(p.p)
	counts := counter.load(c.pair)
	counter.evaluate(counts, c.class)
	thr, least := p.thr(ub), math.Inf(1)
	for _, way := range w.arms(2, c.budget) {
		for f := range p.p {
			left, right := counter.sides(c.header, f)
			if left.weight == 0 || right.weight == 0 || c.top && min(left.weight, right.weight) < p.minLeaf {
				continue
			}
			w.stats.Cuts++
			l, r := sideValue(left.side, way.left, p.lambda), sideValue(right.side, way.right, p.lambda)
			least = min(least, p.lambda+l+r)
			if p.lambda+l+r >= thr {
				continue
			}
			if p.minLeaf > 0 {
				l, r = w.exactBinary(c, counts, f, way)
			}
			if v := p.lambda + l + r; v < thr {
				thr = p.thr(v)
				*a = answer{lb: a.lb, value: v, depth: 2, feature: int32(f), pos: 1, lsplits: way.left, rsplits: way.right, lvalue: l, rvalue: r}
			}
		}
	}
	a.lb = p.whole(min(a.lb, least))
}

// binarySide is a side of a binary feature.
type binarySide struct {
	side
	weight float64
}

// sides returns the values of the sides of feature f; evaluate must have found their best stumps.
func (c *counter) sides(h *header, f int) (left, right binarySide) {
	most, other := 0.0, 0.0
	for class, w := range h.class {
		v := c.ones(class, f)
		right.weight += v
		most, other = max(most, v), max(other, w-v)
	}
	left.weight = h.weight - right.weight
	left.leaf, right.leaf = left.weight-other, right.weight-most
	left.stump, right.stump = left.weight-float64(c.right[0][f]), right.weight-float64(c.right[1][f])
	return left, right
}

// exactBinary returns the values of the sides of feature f under the minimum leaf weight.
func (w *worker) exactBinary(c *child, counts *pairCounts, f int, way arm) (left, right float64) {
	p := w.p
	l, r := make([]float64, p.k), make([]float64, p.k)
	for class := range p.k {
		r[class] = w.counter.ones(class, f)
		l[class] = c.class[class] - r[class]
	}
	parts := [2]side{{leaf: p.leafOf(l), stump: math.Inf(1)}, {leaf: p.leafOf(r), stump: math.Inf(1)}}
	zero, one := make([]float64, p.k), make([]float64, p.k)
	for g := range p.p {
		for at, of := range [2][]float64{l, r} {
			for class := range p.k {
				n := float64(w.counter.pair(counts, class, f, g))
				if at == 0 {
					n = w.counter.ones(class, g) - n
				}
				one[class], zero[class] = n, of[class]-n
			}
			parts[at].stump = min(parts[at].stump, p.leafOf(zero)+p.leafOf(one))
		}
	}
	return sideValue(parts[0], way.left, p.lambda), sideValue(parts[1], way.right, p.lambda)
}

// solveBinaryStump is solveStump if all features are binary.
func (w *worker) solveBinaryStump(c *child, ub float64, a *answer) {
	p := w.p
	w.stats.Stumps++
	w.stats.Work += int64(c.n) * int64(p.p)
	ones := w.counter.onesOf(c.pair)
	thr, least := p.thr(ub), math.Inf(1)
	zero, one := make([]float64, p.k), make([]float64, p.k)
	for f := range p.p {
		for class := range p.k {
			one[class] = float64(ones[class*p.bits.features()+f])
			zero[class] = c.class[class] - one[class]
		}
		left, right := errorsOf(zero), errorsOf(one)
		if sum(zero) == 0 || sum(one) == 0 {
			continue
		}
		least = min(least, p.lambda+left+right)
		if v := p.lambda + left + right; v < thr && min(sum(zero), sum(one)) >= p.minLeaf {
			thr = p.thr(v)
			*a = answer{lb: a.lb, value: v, depth: 1, feature: int32(f), pos: 1, lvalue: left, rvalue: right}
		}
	}
	a.lb = p.whole(min(a.lb, least))
}

// Binary features alongside others. Under a binary root, counts give the stumps on binary features,
// and lanes, one per root, give those on the others. Under any other root, lanes give both.

// binaryRoots evaluates all trees of the node with a binary feature at the root; low bounds them.
func (s *pairSearch) binaryRoots(c *child, low float64) {
	w, b := s.w, s.w.batch
	counter := w.counter
	counter.evaluate(counter.load(c.pair), c.class)
	roots := slotLanes * s.nd.lanes.slots()
	for first := 0; first < w.p.binary; first += roots {
		if w.stop() {
			s.least = min(s.least, low)
			return
		}
		last := min(w.p.binary, first+roots)
		b.used = 0
		for quad := first; quad < last; quad += slotLanes {
			b.addBinary(s.nd, counter, quad)
		}
		w.stats.Batches++
		w.stats.Work += int64(s.nd.n) * int64(w.p.p-w.p.binary+b.used)
		b.evaluate(s.nd, w.p.binary)
		for f := first; f < last; f++ {
			s.takeBinary(c, f, f-first)
		}
	}
}

// takeBinary takes the results of lane l and of the counts for feature f at the root.
func (s *pairSearch) takeBinary(c *child, f, l int) {
	left, right := s.w.counter.sides(c.header, f)
	if left.weight == 0 || right.weight == 0 || c.top && min(left.weight, right.weight) < s.w.p.minLeaf {
		return
	}
	s.w.stats.Cuts++
	b := s.w.batch
	b.left[l].stump, b.right[l].stump = min(b.left[l].stump, left.stump), min(b.right[l].stump, right.stump)
	for arm := range s.ways {
		s.take(&span{feature: int32(f), arm: int8(arm)}, b.cuts[l].pos, l)
	}
}

// keepLeft masks the lanes of those of four features that are zero in a row, given as bits.
var keepLeft = func() (masks [1 << slotLanes]uint64) {
	for bits := range masks {
		for lane := range slotLanes {
			if bits>>lane&1 == 0 {
				masks[bits] |= 0xffff << (16 * lane)
			}
		}
	}
	return masks
}()

// keepWide is keepLeft for wide lanes.
var keepWide = func() (masks [1 << slotLanes][2]uint64) {
	for bits := range masks {
		for lane := range slotLanes {
			if bits>>lane&1 == 0 {
				masks[bits][lane/2] |= 0xffff_ffff << (32 * (lane % 2))
			}
		}
	}
	return masks
}()

// addBinary puts the cuts of four binary features into the next slot, from first on, a multiple of
// four.
func (b *batch) addBinary(nd *pairNode, counter *counter, first int) {
	p, slot := b.p, b.used
	b.used++
	b.laid = true
	word, shift := first/64, first%64
	for _, r := range nd.rows[:nd.n] {
		bits := p.bits.rows[int(r)*p.bits.width+word] >> shift & (1<<slotLanes - 1)
		switch nd.lanes {
		case narrowLanes:
			b.lanes[int(r)*slots+slot] = p.spread[r] & keepLeft[bits]
		case wideLanes:
			v, keep := uint64(uint32(p.wide[r]))*0x0000_0001_0000_0001, &keepWide[bits]
			b.lanes[int(r)*slots+2*slot], b.lanes[int(r)*slots+2*slot+1] = v&keep[0], v&keep[1]
		}
	}
	for lane := range slotLanes {
		l, f := slot*slotLanes+lane, min(first+lane, p.binary-1)
		b.cuts[l] = stump{feature: int32(f), pos: max(1, nd.mode[f])} // the mode's place is the first or the last
		for class, w := range nd.class {
			b.cl[l*p.k+class] = w
			if first+lane < p.binary {
				b.cl[l*p.k+class] -= counter.ones(class, f)
			}
		}
	}
}
