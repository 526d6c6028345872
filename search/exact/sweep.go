package exact

import "unsafe"

// evaluate fills left and right for the cuts that were added, with stumps on the
// features from first on.
func (b *batch) evaluate(nd *pairNode, first int) {
	switch {
	case nd.lanes == noLanes:
		b.evaluateScalar(nd)
	case b.p.gain != nil:
		b.evaluateCosts(nd)
	case b.p.k == 2:
		b.evaluate2(nd, first)
	default:
		b.evaluateK(nd, first)
	}
}

func (b *batch) evaluateScalar(nd *pairNode) {
	for l := range b.used * slotLanes {
		if l%slotLanes > 0 && b.cuts[l] == b.cuts[l-1] {
			b.left[l], b.right[l] = b.left[l-1], b.right[l-1]
			continue
		}
		b.leaves(nd, l)
		left, right := b.scalar.sides(nd, int(b.cuts[l].feature), b.cuts[l].pos, 0)
		b.left[l].stump, b.right[l].stump = min(b.left[l].leaf, left.errors), min(b.right[l].leaf, right.errors)
	}
}

// leaves sets what leaves cost and returns the weights of both parts.
func (b *batch) leaves(nd *pairNode, l int) (weight, right float64) {
	cl := b.cl[l*b.p.k : (l+1)*b.p.k]
	most, mostRight := 0.0, 0.0
	for c, w := range cl {
		weight += w
		most = max(most, w)
		v := nd.floor[c] - w
		right += v
		mostRight = max(mostRight, v)
	}
	b.left[l].leaf, b.right[l].leaf = weight-most, right-mostRight
	return weight, right
}

func (b *batch) evaluate2(nd *pairNode, first int) {
	b.lay(nd)
	used, kind, g := b.used*slotLanes, nd.lanes, b.p.grainOf(nd)
	b.acc = laneAccumulator{}
	for l := range used {
		b.acc.total.set(kind, l, (b.cl[2*l+1]-b.cl[2*l])/g)
	}
	forward, backward := forward2, backward2
	if kind == wideLanes {
		forward, backward = forwardWide2, backwardWide2
	}
	for f := first; f < b.p.p; f++ {
		seq := nd.order(f)
		low, high := split(seq, nd.mode[f])
		if low > 0 {
			forward(&b.acc, &b.lanes[0], &seq[0], low)
		}
		if n := len(seq) - high; n > 0 {
			backward(&b.acc, &b.lanes[0], &seq[len(seq)-1], n)
		}
	}
	for l := range used {
		b.leaves(nd, l)
		c0, c1 := b.cl[2*l], b.cl[2*l+1]
		b.left[l].stump = min(c0+g*b.acc.leftMin.at(kind, l), c1-g*b.acc.leftMax.at(kind, l))
		d0, d1 := nd.floor[0]-c0, nd.floor[1]-c1
		b.right[l].stump = min(d0+g*b.acc.rightMin.at(kind, l), d1-g*b.acc.rightMax.at(kind, l))
	}
}

// grainOf is the weight that one of nd's lanes stands for.
func (p *problem) grainOf(nd *pairNode) float64 {
	if nd.lanes == wideLanes {
		return p.grain
	}
	return 1
}

func (b *batch) evaluateK(nd *pairNode, first int) {
	b.lay(nd)
	used, k, kind, g := b.used*slotLanes, b.p.k, nd.lanes, b.p.grainOf(nd)
	b.best = [2]laneRow{}
	for l := range used {
		for c, w := range b.cl[l*k : (l+1)*k] {
			b.totals[c].set(kind, l, w/g)
			b.totals[k+c].set(kind, l, (nd.floor[c]-w)/g)
		}
	}
	for f := first; f < b.p.p; f++ {
		seq := nd.order(f)
		low, high := split(seq, nd.mode[f])
		b.sweepK(kind, seq, low, high)
	}
	for l := range used {
		left, right := b.leaves(nd, l)
		b.left[l].stump = left - g*b.best[0].at(kind, l)
		b.right[l].stump = right - g*b.best[1].at(kind, l)
	}
}

// split returns the places before the mode's, and the first one after it.
func split(seq []entry, mode int32) (low, high int) {
	if mode < 0 {
		return len(seq), len(seq)
	}
	return int(mode), int(mode) + 1
}

// sweepK finds the best stumps on one feature: the places before low are the
// head, those from high on the tail, with the mode between.
func (b *batch) sweepK(kind laneKind, seq []entry, low, high int) {
	const (
		next, previous   = 8, -8
		after, before    = 0, -8
		wordsPerBoundary = 4 * laneBytes / 16
	)
	if low == 0 && high == len(seq) {
		return
	}
	k := b.p.k
	clear(b.counts)
	word := func(r *laneRow) *uint64 { return &r[0] }
	lanes, wide := &b.lanes[0], (*int32)(unsafe.Pointer(nil))
	store, combine, complement := storeK, combineK, complementK
	if kind == wideLanes {
		store, combine, complement, wide = storeWideK, combineWideK, complementWideK, &b.p.wide[0]
	}
	headLeft, headRight := word(&b.counts[0]), word(&b.counts[k])
	tailLeft, tailRight := word(&b.counts[2*k]), word(&b.counts[3*k])
	heads, tails := 0, 0
	if low > 0 {
		heads = store(headLeft, headRight, lanes, wide, &seq[0], next, after, low, &b.stored[0])
	}
	if n := len(seq) - high; n > 0 {
		tails = store(tailLeft, tailRight, lanes, wide, &seq[len(seq)-1], previous, before, n, &b.stored[heads*wordsPerBoundary])
	}
	largest, best := word(&b.largestK[0]), word(&b.best[0])
	if tails > 0 {
		complement(tailLeft, word(&b.totals[0]), word(&b.largestK[0]), k)
		complement(tailRight, word(&b.totals[k]), word(&b.largestK[1]), k)
		combine(tailLeft, tailRight, lanes, wide, &seq[high], next, after, len(seq)-high-1, &b.stored[(heads+tails)*wordsPerBoundary], largest, best)
	}
	if heads > 0 {
		complement(headLeft, word(&b.totals[0]), word(&b.largestK[0]), k)
		complement(headRight, word(&b.totals[k]), word(&b.largestK[1]), k)
		combine(headLeft, headRight, lanes, wide, &seq[low-1], previous, before, low-1, &b.stored[heads*wordsPerBoundary], largest, best)
	}
}
