package exact

import (
	"math"
	"unsafe"
)

// batch evaluates up to 32 cuts of a depth-two node, up to 16 with wide lanes.
type batch struct {
	p      *problem
	lanes  []uint64 // (n, laneBytes/8) in groups of four lanes
	blocks []uint8  // (n, slots) number of the slot's cuts that send the row right
	laid   bool     // the lanes are set already
	acc    laneAccumulator
	used   int // slots

	scalar *scalar
	cuts   [laneCount]stump // feature and position

	left  [laneCount]side
	right [laneCount]side
	cl    []float64 // (laneCount, K) class weights of the left side, as the lanes have them

	// for more than two classes
	counts   []laneRow // (4, K) left and right counts of the head, then of the tail
	totals   []laneRow // (2, K)
	stored   []uint64  // largest counts at boundaries
	best     [2]laneRow
	largestK [2]laneRow

	weights laneRow    // of the left sides, if predictions have costs
	costs   *costBatch // nil without costs
}

func newBatch(p *problem, s *scalar) *batch {
	b := newApart[batch]()
	b.p, b.scalar, b.cl = p, s, make([]float64, laneCount*p.k)
	if p.spread == nil && p.wide == nil {
		return b
	}
	b.lanes, b.blocks = aligned(p.n*slots), make([]uint8, p.n*slots)
	if p.gain != nil {
		b.costs = newCostBatch(p, b.lanes)
	} else if p.k > 2 {
		b.counts = make([]laneRow, 4*p.k)
		b.totals = make([]laneRow, 2*p.k)
		b.stored = aligned(2 * (p.n + 2) * 16)
	}
	return b
}

// full reports whether all slots for cuts of nd are taken.
func (b *batch) full(nd *pairNode) bool { return b.used == nd.lanes.slots() }

// add puts one to four cuts of feature f, in ascending order, into the next slot.
func (b *batch) add(nd *pairNode, f int, at []int32) {
	slot := b.used
	b.used++
	b.laid = false
	seq, mode := nd.order(f), int(nd.mode[f])
	for c := range slotLanes {
		b.cuts[slot*slotLanes+c] = stump{feature: int32(f), pos: at[min(c, len(at)-1)]}
	}
	if nd.lanes != noLanes {
		b.divide(nd, seq, mode, slot, at)
	}
	switch {
	case b.p.gain != nil: // costs are summed once the lanes are set
	case nd.lanes == noLanes || b.p.k > 2:
		b.addClasses(nd, seq, mode, slot)
	case nd.lanes == narrowLanes:
		for l := slot * slotLanes; l < (slot+1)*slotLanes; l++ {
			e := seq[b.cuts[l].pos-1]
			t, weight := e.balance(), e.weight()
			b.cl[2*l], b.cl[2*l+1] = (weight-t)/2, (weight+t)/2
		}
	} // wide lanes of two classes are summed as they are set
}

// addClasses sums the class weights of the left sides: for cuts before the mode from the first
// place on, for later ones from the last place back.
func (b *batch) addClasses(nd *pairNode, seq []entry, mode, slot int) {
	k, weight := b.p.k, b.p.weight
	if nd.lanes == wideLanes {
		weight = b.p.floors
	}
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
			cl[b.p.class[r]] += weight[r]
		}
		from = to
	}
	to := len(seq)
	for d := slotLanes - 1; d >= c; d-- {
		from := int(b.cuts[slot*slotLanes+d].pos)
		cl := of(d)
		copy(cl, nd.floor)
		if d < slotLanes-1 {
			copy(cl, of(d+1))
		}
		for _, e := range seq[from:to] {
			r := e.row()
			cl[b.p.class[r]] -= weight[r]
		}
		to = from
	}
}

// modeBlock returns the block of the feature's mode: the number of cuts up to it.
func modeBlock(mode int, at []int32) int {
	block := 0
	for block < slotLanes && int(at[min(block, len(at)-1)]) <= mode {
		block++
	}
	return block
}

// divide records for a slot the block of each row: the number of cuts before it.
func (b *batch) divide(nd *pairNode, seq []entry, mode, slot int, at []int32) {
	blocks := b.blocks[slot:]
	if mode >= 0 {
		block := uint8(modeBlock(mode, at))
		for _, r := range nd.rows[:nd.n] {
			blocks[int(r)*slots] = block
		}
	}
	from := 0
	for block := range slotLanes + 1 {
		to := len(seq)
		if block < slotLanes {
			to = int(at[min(block, len(at)-1)])
		}
		part := seq[from:to]
		if from <= mode && mode < to {
			divideBlock(blocks, part[:mode-from], uint8(block))
			part = part[mode-from+1:]
		}
		divideBlock(blocks, part, uint8(block))
		from = to
	}
}

func divideBlock(blocks []uint8, part []entry, block uint8) {
	for _, e := range part {
		blocks[e.off/laneBytes*slots] = block
	}
}

// lay sets the lanes of the rows of nd once all cuts are known.
func (b *batch) lay(nd *pairNode) {
	switch {
	case b.laid:
	case nd.lanes == narrowLanes:
		layNarrow(&b.lanes[0], &b.blocks[0], &nd.rows[0], &b.p.spread[0], nd.n)
	default:
		var balance, weight laneRow
		layWide(&b.lanes[0], &b.blocks[0], &nd.rows[0], &b.p.wide[0], nd.n, &balance, &weight)
		if b.p.k != 2 {
			b.weights = weight
			return
		}
		for l := range b.used * slotLanes {
			t, w := balance.at(wideLanes, l), weight.at(wideLanes, l)
			b.cl[2*l], b.cl[2*l+1] = (w-t)/2*b.p.grain, (w+t)/2*b.p.grain
		}
	}
}

// leftWeight returns the weight of the left side of a cut.
func (b *batch) leftWeight(l int) float64 {
	if b.p.gain != nil {
		return b.p.grain * b.weights.at(wideLanes, l)
	}
	sum := 0.0
	for _, v := range b.cl[l*b.p.k : (l+1)*b.p.k] {
		sum += v
	}
	return sum
}

// evaluate sets left and right for the added cuts, with stumps on the features from first on.
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

// leaves sets the values of leaves and returns the weights of both sides.
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

// grainOf returns the weight of one in a lane of nd.
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

// sweepK finds the best stumps on one feature: the places before low are the head, those from high
// on the tail, with the mode in between.
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

// costBatch holds the memory of costLanes.
type costBatch struct {
	lanes                    costLanes
	sums, left, right, whole []laneRow
	all                      []laneRow // (K) costLanes.whole for all rows
	best                     [2]laneRow
}

func newCostBatch(p *problem, lanes []uint64) *costBatch {
	x := &costBatch{
		sums: make([]laneRow, p.k), left: make([]laneRow, p.k), right: make([]laneRow, p.k),
		whole: make([]laneRow, p.k), all: make([]laneRow, p.k),
	}
	x.lanes = costLanes{
		lanes: &lanes[0], costs: &p.wideCost[0], k: p.k,
		sums: &x.sums[0], left: &x.left[0], right: &x.right[0], whole: &x.whole[0], best: &x.best,
	}
	return x
}

// evaluateCosts sets left and right for the added cuts.
func (b *batch) evaluateCosts(nd *pairNode) {
	b.lay(nd)
	x, p, g := b.costs, b.p, b.p.grain
	clear(x.sums)
	clear(x.whole)
	addCosts(&x.lanes, &nd.rows[0], nd.n)
	copy(x.left, x.sums)
	copy(x.all, x.whole)
	used := b.used * slotLanes
	for l := range used {
		b.left[l].leaf, b.right[l].leaf = math.Inf(1), math.Inf(1)
		for c := range p.k {
			left := x.left[c].at(wideLanes, l)
			right := x.all[c].at(wideLanes, 0) - left
			x.right[c].set(wideLanes, l, right)
			b.left[l].leaf, b.right[l].leaf = min(b.left[l].leaf, g*left), min(b.right[l].leaf, g*right)
		}
		for side := range x.best {
			x.best[side].set(wideLanes, l, math.MaxInt32)
		}
	}
	for f := range p.p {
		seq := nd.order(f)
		low, high := split(seq, nd.mode[f])
		if low > 0 {
			clear(x.sums)
			clear(x.whole)
			forwardCosts(&x.lanes, &seq[0], low)
		}
		if n := len(seq) - high; n > 0 {
			copy(x.sums, x.left)
			copy(x.whole, x.all)
			backwardCosts(&x.lanes, &seq[len(seq)-1], n)
		}
	}
	for l := range used {
		b.left[l].stump = min(b.left[l].leaf, g*x.best[0].at(wideLanes, l))
		b.right[l].stump = min(b.right[l].leaf, g*x.best[1].at(wideLanes, l))
	}
}
