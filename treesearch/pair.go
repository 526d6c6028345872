package treesearch

import "math"

// solvePair searches a depth-two node. All features are open at first; each
// round evaluates up to four cuts of eight open spans in one sweep and closes
// what the bounds allow.
func (w *worker) solvePair(c *child, ub float64, a *answer) {
	w.stats.Pairs++
	p, nd := w.p, c.pair
	t := interval{p, nd, &w.stats}
	ways := arms(2, c.budget)
	thr := p.thr(ub)
	least := math.Inf(1) // of all that was closed
	low := w.leastSplit(c)

	open, next := w.spans[0][:0], w.spans[1][:0]
	for i := range ways {
		for f := range p.p {
			if nd.constant(f) {
				continue
			}
			sp := span{feature: int32(f), arm: int8(i), b: point{pos: nd.count[f], w: nd.weight}, lo: 1, hi: nd.count[f] - 1, bound: low}
			if c.top {
				t.limit(&sp)
			}
			if t.trim(&sp, thr) {
				open = append(open, sp)
			}
		}
	}
	var at [slots][slotLanes]int32
	for head := 0; head < len(open); {
		if w.stop() {
			for _, sp := range append(open[head:], next...) {
				least = min(least, sp.bound)
			}
			break
		}
		var taken [slots]span
		var count [slots]int
		w.batch.used = 0
		for ; head < len(open) && w.batch.used < slots; head++ {
			sp := open[head]
			if !t.trim(&sp, thr) {
				least = min(least, max(sp.bound, thr))
				continue
			}
			s := w.batch.used
			taken[s] = sp
			count[s] = chooseCuts(nd, &sp, &at[s])
			w.batch.add(nd, int(sp.feature), at[s][:count[s]])
		}
		if w.batch.used > 0 {
			w.stats.Batches++
			w.stats.Work += int64(nd.n) * int64(p.p+w.batch.used)
			w.batch.evaluate(nd)
		}
		for s := range w.batch.used {
			sp := taken[s]
			way := ways[sp.arm]
			before := sp.a
			for i := range count[s] + 1 {
				after := sp.b
				if i < count[s] {
					l := s*slotLanes + i
					after = point{pos: at[s][i], w: w.leftWeight(l)}
					after.l = sideValue(w.batch.left[l], way.left, p.lambda)
					after.r = sideValue(w.batch.right[l], way.right, p.lambda)
					v := p.lambda + after.l + after.r
					least = min(least, v)
					if v < thr {
						lv, rv := after.l, after.r
						if p.minLeaf > 0 {
							lv, rv = w.exactPair(nd, int(sp.feature), after.pos, way)
							v = p.lambda + lv + rv
						}
						if v < thr {
							thr = p.thr(v)
							*a = answer{lb: a.lb, value: v, depth: 2, feature: sp.feature, pos: after.pos, lsplits: way.left, rsplits: way.right, lvalue: lv, rvalue: rv}
						}
					}
				}
				part := span{feature: sp.feature, arm: sp.arm, a: before, b: after, lo: max(sp.lo, before.pos+1), hi: min(sp.hi, after.pos-1), bound: sp.bound}
				if part.lo <= part.hi {
					if t.trim(&part, thr) {
						next = append(next, part)
					} else {
						least = min(least, max(part.bound, thr))
					}
				}
				before = after
			}
		}
		if head == len(open) {
			open, next, head = next, open[:0], 0
		}
	}
	w.spans[0], w.spans[1] = open[:0], next[:0]
	a.lb = p.whole(min(a.lb, least))
}

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

func (w *worker) leftWeight(l int) float64 {
	sum := 0.0
	for _, v := range w.batch.cl[l*w.p.k : (l+1)*w.p.k] {
		sum += v
	}
	return sum
}

// exactPair is the value of a cut with regard to the least leaf.
func (w *worker) exactPair(nd *pairNode, f int, pos int32, way arm) (left, right float64) {
	p := w.p
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
