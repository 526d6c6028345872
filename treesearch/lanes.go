package treesearch

import "unsafe"

// Lanes. The cost of the search is that of its depth-two nodes: for a cut of
// such a node, the best stump on each side, over all features. One sweep over a
// feature's order does that for 32 cuts at a time: a row carries 32 small
// numbers, lane l of which is the row's weight where cut l sends it left and 0
// where it does not, and adding rows up adds up 32 left sides at once. What
// goes right is what the whole node has less that.
//
// With two classes a lane holds the balance, class 1 positive and class 0
// negative. Where the left part holds C0 and C1, a stump with prefix balance a
// errs by C0 + a (labels 0, 1) or C1 - a (labels 1, 0), so the least and the
// largest a over all boundaries of all features are all that is needed. With
// more classes there is a count per class; a prefix answers its largest count
// rightly, which only grows along the sweep, and so does that of the suffix
// along the opposite one; the best stump is the best sum of the two.
//
// Rows of the feature's mode need not be visited: the sweeps go up to its place
// from both sides.
const (
	laneCount = 32
	laneBytes = 2 * laneCount
	slotLanes = 4 // lanes that one feature's cuts take at a time
	slots     = laneCount / slotLanes
)

// laneAccumulator is what forward2 and backward2 work on, per lane: the balance
// of the whole left part, and the extremes of the balances at boundaries on
// both sides. lanes_amd64.s knows this layout.
type laneAccumulator struct {
	total                                [laneCount]int16
	leftMin, leftMax, rightMin, rightMax [laneCount]int16
}

// laneRow is one number per lane.
type laneRow [laneCount]int16

// batch evaluates up to 32 cuts of a depth-two node.
type batch struct {
	p     *problem
	lanes []uint64 // (n, slots) in groups of four lanes
	acc   laneAccumulator
	used  int // slots

	scalar *scalar
	cuts   [laneCount]stump // feature and position

	left  [laneCount]side
	right [laneCount]side
	cl    []float64 // (laneCount, K) class weights of the left part

	// of more than two classes
	counts   []laneRow // (4, K) left and right counts of the head, then of the tail
	totals   []laneRow // (2, K)
	stored   []uint64  // largest counts at boundaries
	best     [2]laneRow
	largestK [2]laneRow
}

// side is what a part of a node costs.
type side struct {
	leaf  float64 // errors of one leaf
	stump float64 // least errors of a stump without regard to the least leaf; at most leaf
}

func newBatch(p *problem, s *scalar) *batch {
	b := &batch{p: p, scalar: s, cl: make([]float64, laneCount*p.k)}
	if !p.lanes {
		return b
	}
	b.lanes = aligned(p.n * slots)
	if p.k > 2 {
		b.counts = make([]laneRow, 4*p.k)
		b.totals = make([]laneRow, 2*p.k)
		b.stored = aligned(2 * (p.n + 2) * 16)
	}
	return b
}

// aligned returns n zero words that begin at a cache line.
func aligned(n int) []uint64 {
	v := make([]uint64, n+8)
	skip := -int(uintptr(unsafe.Pointer(&v[0]))/8) & 7
	return v[skip : skip+n : skip+n]
}

// spreadLanes fills p.spread: the weight of a row, negative in class 0 of two,
// in four lanes.
func (p *problem) spreadLanes() {
	if !p.lanes {
		return
	}
	p.spread = make([]uint64, p.n)
	for i := range p.spread {
		v := int16(p.weight[i])
		if p.k == 2 && p.class[i] == 0 {
			v = -v
		}
		p.spread[i] = uint64(uint16(v)) * 0x0001_0001_0001_0001
	}
}

// cutMasks[c] keeps the lanes of the cuts c, c+1, ... of a slot: those that send
// a row of block c, before cut c, to the left.
var cutMasks = [slotLanes + 1]uint64{^uint64(0), 0xffff_ffff_ffff_0000, 0xffff_ffff_0000_0000, 0xffff_0000_0000_0000, 0}

// add puts cuts of feature f into the next slot, one to four, ascending.
func (b *batch) add(nd *pairNode, f int, at []int32) {
	slot := b.used
	b.used++
	seq, mode := nd.order(f), int(nd.mode[f])
	if nd.packed {
		b.fill(nd, seq, mode, slot, at)
	}
	for c := range slotLanes {
		b.cuts[slot*slotLanes+c] = stump{feature: int32(f), pos: at[min(c, len(at)-1)]}
	}
	if nd.packed && b.p.k == 2 {
		for c := range slotLanes {
			l := slot*slotLanes + c
			e := seq[b.cuts[l].pos-1]
			t, weight := float64(e.t), float64(e.tag>>1)
			b.cl[2*l], b.cl[2*l+1] = (weight-t)/2, (weight+t)/2
		}
		return
	}
	b.addClasses(nd, seq, mode, slot)
}

// addClasses adds up the class weights of the left parts, for cuts before the
// mode from the first place on, for those after it from the last one back.
func (b *batch) addClasses(nd *pairNode, seq []entry, mode, slot int) {
	k := b.p.k
	of := func(c int) []float64 { l := slot*slotLanes + c; return b.cl[l*k : (l+1)*k] }
	from, c := 0, 0
	for ; c < slotLanes; c++ {
		to := int(b.cuts[slot*slotLanes+c].pos)
		if mode >= 0 && to > mode {
			break
		}
		cl := of(c)
		clear(cl)
		if c > 0 {
			copy(cl, of(c-1))
		}
		for _, e := range seq[from:to] {
			r := e.row()
			cl[b.p.class[r]] += b.p.weight[r]
		}
		from = to
	}
	to := len(seq)
	for d := slotLanes - 1; d >= c; d-- {
		from := int(b.cuts[slot*slotLanes+d].pos)
		cl := of(d)
		copy(cl, nd.class)
		if d < slotLanes-1 {
			copy(cl, of(d+1))
		}
		for _, e := range seq[from:to] {
			r := e.row()
			cl[b.p.class[r]] -= b.p.weight[r]
		}
		to = from
	}
}

// fill sets the lanes of a slot: block by block, the rows between two cuts.
func (b *batch) fill(nd *pairNode, seq []entry, mode, slot int, at []int32) {
	lanes, spread := b.lanes, b.p.spread
	if mode >= 0 {
		block := 0
		for block < slotLanes && int(at[min(block, len(at)-1)]) <= mode {
			block++
		}
		mask := cutMasks[block]
		for _, r := range nd.rows[:nd.n] {
			lanes[int(r)*slots+slot] = spread[r] & mask
		}
	}
	from := 0
	for block := range slotLanes + 1 {
		to := len(seq)
		if block < slotLanes {
			to = int(at[min(block, len(at)-1)])
		}
		part, mask := seq[from:to], cutMasks[block]
		if from <= mode && mode < to {
			fillBlock(lanes, spread, part[:mode-from], slot, mask)
			part = part[mode-from+1:]
		}
		fillBlock(lanes, spread, part, slot, mask)
		from = to
	}
}

func fillBlock(lanes, spread []uint64, part []entry, slot int, mask uint64) {
	for _, e := range part {
		r := e.off / laneBytes
		lanes[int(r)*slots+slot] = spread[r] & mask
	}
}

// leftWeight returns the weight of the left part of a cut.
func (b *batch) leftWeight(l int) float64 {
	sum := 0.0
	for _, v := range b.cl[l*b.p.k : (l+1)*b.p.k] {
		sum += v
	}
	return sum
}

// evaluate fills left and right for the cuts that were added, with stumps on the
// features from first on.
func (b *batch) evaluate(nd *pairNode, first int) {
	switch {
	case !nd.packed:
		b.evaluateScalar(nd)
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

// leaves sets what leaves cost and returns the weight of the left part.
func (b *batch) leaves(nd *pairNode, l int) float64 {
	cl := b.cl[l*b.p.k : (l+1)*b.p.k]
	weight, most, mostRight := 0.0, 0.0, 0.0
	for c, w := range cl {
		weight += w
		most = max(most, w)
		mostRight = max(mostRight, nd.class[c]-w)
	}
	b.left[l].leaf = weight - most
	b.right[l].leaf = nd.weight - weight - mostRight
	return weight
}

func (b *batch) evaluate2(nd *pairNode, first int) {
	used := b.used * slotLanes
	b.acc = laneAccumulator{}
	for l := range used {
		b.acc.total[l] = int16(b.cl[2*l+1] - b.cl[2*l])
	}
	for f := first; f < b.p.p; f++ {
		seq := nd.order(f)
		low, high := split(seq, nd.mode[f])
		if low > 0 {
			forward2(&b.acc, &b.lanes[0], &seq[0], low)
		}
		if n := len(seq) - high; n > 0 {
			backward2(&b.acc, &b.lanes[0], &seq[len(seq)-1], n)
		}
	}
	for l := range used {
		b.leaves(nd, l)
		c0, c1 := b.cl[2*l], b.cl[2*l+1]
		b.left[l].stump = min(c0+float64(b.acc.leftMin[l]), c1-float64(b.acc.leftMax[l]))
		d0, d1 := nd.class[0]-c0, nd.class[1]-c1
		b.right[l].stump = min(d0+float64(b.acc.rightMin[l]), d1-float64(b.acc.rightMax[l]))
	}
}

func (b *batch) evaluateK(nd *pairNode, first int) {
	used, k := b.used*slotLanes, b.p.k
	b.best = [2]laneRow{}
	for l := range used {
		for c, w := range b.cl[l*k : (l+1)*k] {
			b.totals[c][l] = int16(w)
			b.totals[k+c][l] = int16(nd.class[c] - w)
		}
	}
	for f := first; f < b.p.p; f++ {
		seq := nd.order(f)
		low, high := split(seq, nd.mode[f])
		b.sweepK(seq, low, high)
	}
	for l := range used {
		weight := b.leaves(nd, l)
		b.left[l].stump = weight - float64(b.best[0][l])
		b.right[l].stump = nd.weight - weight - float64(b.best[1][l])
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
func (b *batch) sweepK(seq []entry, low, high int) {
	const (
		next, previous   = 8, -8
		after, before    = 6, -2
		wordsPerBoundary = 4 * laneCount * 2 / 16
	)
	if low == 0 && high == len(seq) {
		return
	}
	k, lanes := b.p.k, &b.lanes[0]
	clear(b.counts)
	word := func(r *laneRow) *uint64 { return (*uint64)(unsafe.Pointer(r)) }
	headLeft, headRight := word(&b.counts[0]), word(&b.counts[k])
	tailLeft, tailRight := word(&b.counts[2*k]), word(&b.counts[3*k])
	heads, tails := 0, 0
	if low > 0 {
		heads = storeK(headLeft, headRight, lanes, &seq[0], next, after, low, &b.stored[0])
	}
	if n := len(seq) - high; n > 0 {
		tails = storeK(tailLeft, tailRight, lanes, &seq[len(seq)-1], previous, before, n, &b.stored[heads*wordsPerBoundary])
	}
	largest, best := word(&b.largestK[0]), word(&b.best[0])
	if tails > 0 {
		complementK(tailLeft, word(&b.totals[0]), word(&b.largestK[0]), k)
		complementK(tailRight, word(&b.totals[k]), word(&b.largestK[1]), k)
		combineK(tailLeft, tailRight, lanes, &seq[high], next, after, len(seq)-high-1, &b.stored[(heads+tails)*wordsPerBoundary], largest, best)
	}
	if heads > 0 {
		complementK(headLeft, word(&b.totals[0]), word(&b.largestK[0]), k)
		complementK(headRight, word(&b.totals[k]), word(&b.largestK[1]), k)
		combineK(headLeft, headRight, lanes, &seq[low-1], previous, before, low-1, &b.stored[heads*wordsPerBoundary], largest, best)
	}
}
