package treesearch

// batch evaluates up to 32 cuts of a depth-two node, up to 16 where the lanes are wide.
type batch struct {
	p     *problem
	lanes []uint64 // (n, laneBytes/8) in groups of four lanes
	acc   laneAccumulator
	used  int // slots

	scalar *scalar
	cuts   [laneCount]stump // feature and position

	left  [laneCount]side
	right [laneCount]side
	cl    []float64 // (laneCount, K) class weights of the left part, as the lanes have them
	block []float64 // (slotLanes+1, K) of the rows between cuts

	// of more than two classes
	counts   []laneRow // (4, K) left and right counts of the head, then of the tail
	totals   []laneRow // (2, K)
	stored   []uint64  // largest counts at boundaries
	best     [2]laneRow
	largestK [2]laneRow
}

// side is what a part of a node costs; of rounded weights it is a bound.
type side struct {
	leaf  float64 // errors of one leaf
	stump float64 // least errors of a stump without regard to the least leaf; at most leaf
}

func newBatch(p *problem, s *scalar) *batch {
	b := &batch{
		p: p, scalar: s, cl: make([]float64, laneCount*p.k), block: make([]float64, (slotLanes+1)*p.k),
	}
	if p.spread == nil && p.wide == nil {
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

// cutMasks[c] keeps the lanes of the cuts c, c+1, ... of a slot: those that send
// a row of block c, before cut c, to the left. wideMasks likewise, two words a slot.
var (
	cutMasks = [slotLanes + 1]uint64{^uint64(0), 0xffff_ffff_ffff_0000, 0xffff_ffff_0000_0000, 0xffff_0000_0000_0000, 0}

	wideMasks = [slotLanes + 1][2]uint64{
		{^uint64(0), ^uint64(0)}, {0xffff_ffff_0000_0000, ^uint64(0)}, {0, ^uint64(0)}, {0, 0xffff_ffff_0000_0000}, {0, 0},
	}
)

// full says that no slot is left for cuts of nd.
func (b *batch) full(nd *pairNode) bool { return b.used == nd.lanes.slots() }

// add puts cuts of feature f into the next slot, one to four, ascending.
func (b *batch) add(nd *pairNode, f int, at []int32) {
	slot := b.used
	b.used++
	seq, mode := nd.order(f), int(nd.mode[f])
	for c := range slotLanes {
		b.cuts[slot*slotLanes+c] = stump{feature: int32(f), pos: at[min(c, len(at)-1)]}
	}
	switch {
	case nd.lanes == wideLanes:
		b.fillWide(nd, seq, mode, slot, at)
		return
	case nd.lanes == narrowLanes:
		b.fill(nd, seq, mode, slot, at)
	}
	if nd.lanes == noLanes || b.p.k > 2 {
		b.addClasses(nd, seq, mode, slot)
		return
	}
	for c := range slotLanes {
		l := slot*slotLanes + c
		e := seq[b.cuts[l].pos-1]
		t, weight := e.balance(), e.weight()
		b.cl[2*l], b.cl[2*l+1] = (weight-t)/2, (weight+t)/2
	}
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

// modeBlock is the block that has the feature's mode: the number of cuts up to it.
func modeBlock(mode int, at []int32) int {
	block := 0
	for block < slotLanes && int(at[min(block, len(at)-1)]) <= mode {
		block++
	}
	return block
}

// fill sets the lanes of a slot: block by block, the rows between two cuts.
func (b *batch) fill(nd *pairNode, seq []entry, mode, slot int, at []int32) {
	lanes, spread := b.lanes, b.p.spread
	if mode >= 0 {
		mask := cutMasks[modeBlock(mode, at)]
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

// fillWide is fill for wide lanes; and as it sees all rows but those of the mode it adds
// up the class weights of the left parts.
func (b *batch) fillWide(nd *pairNode, seq []entry, mode, slot int, at []int32) {
	clear(b.block)
	if mode >= 0 {
		mask := wideMasks[modeBlock(mode, at)]
		for _, r := range nd.rows[:nd.n] {
			putWide(b.lanes, r, slot, b.p.wide[r], mask)
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
			b.fillWideBlock(part[:mode-from], slot, block)
			part = part[mode-from+1:]
		}
		b.fillWideBlock(part, slot, block)
		from = to
	}
	b.addBlocks(nd, mode, slot, at)
}

func putWide(lanes []uint64, r uint32, slot int, v int32, mask [2]uint64) {
	both := uint64(uint32(v)) * 0x0000_0001_0000_0001
	to := lanes[int(r)*slots+2*slot : int(r)*slots+2*slot+2]
	to[0], to[1] = both&mask[0], both&mask[1]
}

// fillWideBlock sets the lanes of some rows of a block and adds up their weights.
func (b *batch) fillWideBlock(part []entry, slot, block int) {
	p, lanes, mask := b.p, b.lanes, wideMasks[block]
	wide, sums := p.wide, b.block[block*p.k:(block+1)*p.k]
	if p.k != 2 {
		for _, e := range part {
			r := e.off / laneBytes
			putWide(lanes, r, slot, wide[r], mask)
			sums[p.class[r]] += float64(wide[r])
		}
		return
	}
	var balance, weight int64
	for _, e := range part {
		r := e.off / laneBytes
		v := wide[r]
		putWide(lanes, r, slot, v, mask)
		sign := v >> 31
		balance += int64(v)
		weight += int64(v ^ sign - sign)
	}
	sums[0] += float64((weight - balance) / 2)
	sums[1] += float64((weight + balance) / 2)
}

// addBlocks makes the class weights of the left parts of those of the blocks, of which
// the block of the mode lacks what is not in the others.
func (b *batch) addBlocks(nd *pairNode, mode, slot int, at []int32) {
	k, g := b.p.k, b.p.grain
	first := slotLanes // cut from which on sums are taken off the whole
	if mode >= 0 {
		first = modeBlock(mode, at)
	}
	for class := range k {
		sum := 0.0
		for c := range first {
			sum += b.block[c*k+class]
			b.cl[(slot*slotLanes+c)*k+class] = sum * g
		}
		sum = 0
		for c := slotLanes - 1; c >= first; c-- {
			sum += b.block[(c+1)*k+class]
			b.cl[(slot*slotLanes+c)*k+class] = nd.floor[class] - sum*g
		}
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
