package exact

// batch evaluates up to 32 cuts of a depth-two node, up to 16 where the lanes are wide.
type batch struct {
	p      *problem
	lanes  []uint64 // (n, laneBytes/8) in groups of four lanes
	blocks []uint8  // (n, slots) how many of the slot's cuts send the row right
	laid   bool     // the lanes are set already
	acc    laneAccumulator
	used   int // slots

	scalar *scalar
	cuts   [laneCount]stump // feature and position

	left  [laneCount]side
	right [laneCount]side
	cl    []float64 // (laneCount, K) class weights of the left part, as the lanes have them

	// of more than two classes
	counts   []laneRow // (4, K) left and right counts of the head, then of the tail
	totals   []laneRow // (2, K)
	stored   []uint64  // largest counts at boundaries
	best     [2]laneRow
	largestK [2]laneRow

	weights laneRow    // of the left parts, where answers have costs
	costs   *costBatch // nil where they have none
}

// side is what a part of a node costs; of rounded weights it is a bound.
type side struct {
	leaf  float64 // errors of one leaf
	stump float64 // least errors of a stump without regard to the least leaf; at most leaf
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

// full says that no slot is left for cuts of nd.
func (b *batch) full(nd *pairNode) bool { return b.used == nd.lanes.slots() }

// add puts cuts of feature f into the next slot, one to four, ascending.
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
	case b.p.gain != nil: // costs are added up once the lanes are set
	case nd.lanes == noLanes || b.p.k > 2:
		b.addClasses(nd, seq, mode, slot)
	case nd.lanes == narrowLanes:
		for l := slot * slotLanes; l < (slot+1)*slotLanes; l++ {
			e := seq[b.cuts[l].pos-1]
			t, weight := e.balance(), e.weight()
			b.cl[2*l], b.cl[2*l+1] = (weight-t)/2, (weight+t)/2
		}
	} // wide lanes of two classes are added up as they are set
}

// addClasses adds up the class weights of the left parts, for cuts before the
// mode from the first place on, for those after it from the last one back.
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

// modeBlock is the block that has the feature's mode: the number of cuts up to it.
func modeBlock(mode int, at []int32) int {
	block := 0
	for block < slotLanes && int(at[min(block, len(at)-1)]) <= mode {
		block++
	}
	return block
}

// divide notes for a slot in which block each row is: how many cuts are before it.
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

// lay sets the lanes of the rows of nd, once all cuts are known.
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

// leftWeight returns the weight of the left part of a cut.
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
