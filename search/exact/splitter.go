package exact

// child is a side of a node in the form that the levels below need: a pairNode for one or two
// levels, a node for more, neither for none.
type child struct {
	*header
	depth  int // number of levels below that its budget of splits can use
	budget int // splits
	pair   *pairNode
	node   *node
	top    bool // f is wanted, not a bound on f0: cuts that leave no feasible leaf are skipped
}

// splitter builds the children of a node. It holds scratch memory.
type splitter struct {
	p    *problem
	left []uint8  // (n) 1 for rows of the left child
	l, r []uint64 // (n+2) one feature's places in either child
	bits bitBuilder
}

func newSplitter(p *problem) *splitter {
	s := newApart[splitter]()
	s.p, s.bits.p = p, p
	if !p.pure {
		s.left, s.l, s.r = make([]uint8, p.n), make([]uint64, p.n+2), make([]uint64, p.n+2)
	}
	return s
}

// split fills both children with the rows of nd before and after cut pos of feature f.
func (s *splitter) split(left, right *child, nd *node, f int, pos int32) {
	if s.p.pure {
		s.splitBits(left, right, nd, f)
		return
	}
	s.mark(nd, f, pos)
	s.begin(left, nd, 1)
	s.begin(right, nd, 0)
	if left.depth == 0 && right.depth == 0 {
		return
	}
	for g := range s.p.p {
		l, ml, r, mr := s.divide(nd, g)
		s.put(left, g, l, ml)
		s.put(right, g, r, mr)
	}
	s.addBits(left, nd, part{node: nd, feature: int32(f), pos: pos})
	s.addBits(right, nd, part{node: nd, feature: int32(f), pos: pos, right: true})
}

// addBits gives a child its binary features alongside the others.
func (s *splitter) addBits(c *child, nd *node, of part) {
	switch {
	case s.p.bits == nil:
	case c.node != nil:
		s.bits.fill(c.node)
	case c.pair != nil:
		c.pair.part = of
		if int(of.feature) >= s.p.binary {
			s.keepRows(c.pair, of)
		}
	}
}

// keepRows sets nd.keep to the rows of a side; the sides must be marked.
func (s *splitter) keepRows(nd *pairNode, of part) {
	m := &of.node.bits
	if len(nd.keep) < m.words {
		nd.keep = make([]uint64, m.words)
	}
	flip := uint8(0)
	if of.right {
		flip = 1
	}
	for word := range m.words {
		keep := uint64(0)
		for i, r := range m.order[word*64 : word*64+64] {
			if r != noRow {
				keep |= uint64(s.left[r]^flip) << i
			}
		}
		nd.keep[word] = keep
	}
}

// one is split for the left or the right child only.
func (s *splitter) one(c *child, side int, nd *node, f int, pos int32) {
	s.mark(nd, f, pos)
	s.begin(c, nd, uint8(1-side))
	if c.depth == 0 {
		return
	}
	for g := range s.p.p {
		l, ml, r, mr := s.divide(nd, g)
		if side == 0 {
			s.put(c, g, l, ml)
		} else {
			s.put(c, g, r, mr)
		}
	}
	s.addBits(c, nd, part{node: nd, feature: int32(f), pos: pos, right: side == 1})
}

// divide returns the places of feature g on both sides, and the index of the mode's place.
func (s *splitter) divide(nd *node, g int) (l []uint64, ml int, r []uint64, mr int) {
	at, mode := nd.order(g), nd.mode[g]
	if mode < 0 {
		nl, nr := s.part(at, 0, 0)
		return s.l[:nl], -1, s.r[:nr], -1
	}
	ml, mr = s.part(at[:mode], 0, 0)
	s.l[ml], s.r[mr] = at[mode], at[mode]
	nl, nr := s.part(at[mode+1:], ml+1, mr+1)
	return s.l[:nl], ml, s.r[:nr], mr
}

// mark records the side of each row of nd.
func (s *splitter) mark(nd *node, f int, pos int32) {
	at, mode := nd.order(f), nd.mode[f]
	if mode >= 0 {
		side := uint8(0)
		if mode < pos {
			side = 1
		}
		for _, r := range nd.rows[:nd.n] {
			s.left[r] = side
		}
	}
	for i, e := range at {
		if int32(i) == mode {
			continue
		}
		side := uint8(0)
		if int32(i) < pos {
			side = 1
		}
		s.left[uint32(e)] = side
	}
}

// part appends places to s.l and s.r by side; nl and nr places of them are taken.
func (s *splitter) part(at []uint64, nl, nr int) (int, int) {
	l, r := s.l, s.r
	for _, e := range at { // no branch to mispredict
		goes := int(s.left[uint32(e)])
		l[nl], r[nr] = e, e
		nl += goes
		nr += 1 - goes
	}
	return nl, nr
}

// begin gives c the rows of nd on one side and sets its header.
func (s *splitter) begin(c *child, nd *node, side uint8) {
	h, p := c.header, s.p
	*h = header{rows: h.rows, class: h.class}
	clear(h.class)
	for _, r := range nd.rows[:nd.n] {
		if s.left[r] != side {
			continue
		}
		h.rows[h.n] = r
		h.n++
		h.add(p, r)
		h.unavoidable += p.unavoidable[r]
		h.hash[0] += p.hash[r][0]
		h.hash[1] += p.hash[r][1]
	}
	if p.gain == nil {
		h.weight = sum(h.class)
	}
	if c.pair != nil {
		p.chooseLanes(c.pair)
	}
}

// put gives a child its places in the order of feature g, with the mode's place at index mode; it
// is left out if c has no row with the mode.
func (s *splitter) put(c *child, g int, at []uint64, mode int) {
	if mode >= 0 && len(at)-1 == c.n {
		copy(at[mode:], at[mode+1:])
		at, mode = at[:len(at)-1], -1
	}
	switch {
	case c.node != nil:
		c.node.count[g], c.node.mode[g] = int32(len(at)), int32(mode)
		copy(c.node.order(g), at)
	case c.pair != nil:
		s.sequence(c.pair, g, at, mode)
	}
}

// whole makes c, which has one or two levels, the rows of nd.
func (s *splitter) whole(c *child, nd *node) {
	copy(c.class, nd.class)
	copy(c.rows, nd.rows[:nd.n])
	c.n, c.weight, c.leafWeight, c.unavoidable, c.hash = nd.n, nd.weight, nd.leafWeight, nd.unavoidable, nd.hash
	c.pair.part = part{node: nd, feature: -1}
	if s.p.pure {
		return
	}
	s.p.chooseLanes(c.pair)
	for g := range s.p.p {
		s.sequence(c.pair, g, nd.order(g), int(nd.mode[g]))
	}
}

// splitBits is split if all features are binary.
func (s *splitter) splitBits(left, right *child, nd *node, f int) {
	s.partHeader(right, nd, f)
	l, r := left.header, right.header
	l.n, l.weight, l.unavoidable = nd.n-r.n, nd.weight-r.weight, nd.unavoidable-r.unavoidable
	l.hash = [2]uint64{nd.hash[0] - r.hash[0], nd.hash[1] - r.hash[1]}
	for class, w := range nd.class {
		l.class[class] = w - r.class[class]
	}
	s.fillBits(left, nd, f, false)
	s.fillBits(right, nd, f, true)
}

// partHeader sets the header of the rows of nd for which feature f is one.
func (s *splitter) partHeader(c *child, nd *node, f int) {
	p, h := s.p, c.header
	h.n, h.weight, h.unavoidable, h.hash = 0, 0, 0, [2]uint64{}
	for class := range p.k {
		h.class[class] = float64(nd.bits.ones[class*p.bits.features()+f])
		h.weight += h.class[class]
	}
	var a, b uint64
	n := uint64(0)
	for _, r := range nd.rows[:nd.n] { // no branch to mispredict
		one := p.bits.one(r, f)
		a += p.hash[r][0] & -one
		b += p.hash[r][1] & -one
		n += one
	}
	h.n, h.hash = int(n), [2]uint64{a, b}
	if nd.unavoidable > 0 {
		for _, r := range nd.rows[:nd.n] {
			h.unavoidable += p.unavoidable[r] * float64(p.bits.one(r, f))
		}
	}
}

// fillBits sets everything of a child except its header.
func (s *splitter) fillBits(c *child, nd *node, f int, one bool) {
	switch {
	case c.pair != nil:
		c.pair.part = part{node: nd, feature: int32(f), pos: 1, right: one}
	case c.node != nil:
		side := uint64(0)
		if one {
			side = 1
		}
		rows := c.rows[:0]
		for _, r := range nd.rows[:nd.n] {
			if s.p.bits.one(r, f) == side {
				rows = append(rows, r)
			}
		}
		s.bits.fill(c.node)
	}
}

// arm is a way to share the budget that remains after the root's split between the children.
type arm struct{ left, right int32 }

// arms returns the ways that no other way dominates.
func arms(depth, budget int) []arm {
	most := full(depth - 1)
	if budget >= 2*most+1 {
		return []arm{{int32(most), int32(most)}}
	}
	var all []arm
	for l := max(0, budget-1-most); l <= min(most, budget-1); l++ {
		all = append(all, arm{int32(l), int32(budget - 1 - l)})
	}
	return all
}

// sequence builds the entries of feature g.
func (s *splitter) sequence(nd *pairNode, g int, at []uint64, mode int) {
	nd.count[g], nd.mode[g] = int32(len(at)), int32(mode)
	if len(at) == 0 {
		return
	}
	out := nd.order(g)
	switch {
	case nd.lanes == noLanes || s.p.k != 2:
		s.sequenceK(nd, out, at, mode)
	case mode < 0:
		s.forward2(nd, out, at)
	default:
		s.forward2(nd, out[:mode], at[:mode])
		if mode > 0 {
			out[mode-1].off |= 1
		}
		s.backward2(nd, out[mode:], at[mode:])
	}
	out[len(out)-1].off |= 1
}

// forward2 builds entries for two classes; the first one begins a sequence.
func (s *splitter) forward2(nd *pairNode, out []entry, at []uint64) {
	if len(at) == 0 {
		return
	}
	if nd.lanes == wideLanes {
		s.forwardWide2(out, at)
		return
	}
	var t, weight uint16
	spread := s.p.spread
	out = out[:len(at)]
	previous := at[0] >> 32
	for i, e := range at {
		rank := e >> 32
		if i > 0 { // mark the place before, now that its successor is known
			out[i-1].off |= uint32((previous - rank) >> 63)
		}
		previous = rank
		r := uint32(e)
		v := uint16(spread[r])
		sign := uint16(int16(v) >> 15)
		t += v
		weight += v ^ sign - sign
		out[i] = narrowEntry(r*laneBytes, t, weight)
	}
}

func (s *splitter) forwardWide2(out []entry, at []uint64) {
	t := uint32(0)
	wide := s.p.wide
	out = out[:len(at)]
	previous := at[0] >> 32
	for i, e := range at {
		rank := e >> 32
		if i > 0 {
			out[i-1].off |= uint32((previous - rank) >> 63)
		}
		previous = rank
		r := uint32(e)
		t += uint32(wide[r])
		out[i] = wideEntry(r*laneBytes, t)
	}
}

// backward2 builds entries for two classes; the last one ends the sequence of nd, the first one is
// the mode's.
func (s *splitter) backward2(nd *pairNode, out []entry, at []uint64) {
	if nd.lanes == wideLanes {
		s.backwardWide2(nd, out, at)
		return
	}
	t, weight := uint16(int16(nd.class[1]-nd.class[0])), uint16(nd.weight)
	spread := s.p.spread
	next := uint64(1 << 32)
	for i := len(at) - 1; i > 0; i-- {
		e := at[i]
		r, rank := uint32(e), e>>32
		v := uint16(spread[r])
		sign := uint16(int16(v) >> 15)
		out[i] = narrowEntry(r*laneBytes|uint32((rank-next)>>63), t, weight)
		next = rank
		t -= v
		weight -= v ^ sign - sign
	}
	out[0] = narrowEntry(1, t, weight)
}

func (s *splitter) backwardWide2(nd *pairNode, out []entry, at []uint64) {
	t := uint32(int32((nd.floor[1] - nd.floor[0]) / s.p.grain))
	wide := s.p.wide
	next := uint64(1 << 32)
	for i := len(at) - 1; i > 0; i-- {
		e := at[i]
		r, rank := uint32(e), e>>32
		out[i] = wideEntry(r*laneBytes|uint32((rank-next)>>63), t)
		next = rank
		t -= uint32(wide[r])
	}
	out[0] = wideEntry(1, t)
}

func (s *splitter) sequenceK(nd *pairNode, out []entry, at []uint64, mode int) {
	last := len(at) - 1
	out = out[:len(at)]
	for i, e := range at {
		if i == mode {
			out[i] = entry{off: 1}
			continue
		}
		r := uint32(e)
		off := r * laneBytes
		if at[min(i+1, last)]>>32 != e>>32 {
			off |= 1
		}
		switch nd.lanes {
		case noLanes:
			out[i] = entry{off: off}
		case wideLanes:
			v := uint32(s.p.class[r])
			if s.p.gain != nil {
				v = 4 * r * uint32(s.p.k)
			}
			out[i] = wideEntry(off, v)
		case narrowLanes:
			out[i] = narrowEntry(off, uint16(s.p.spread[r]), uint16(s.p.class[r]))
		}
	}
}
