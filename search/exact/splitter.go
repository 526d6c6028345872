package exact

// child is a part of a node, in the form that the levels below it want: a
// pairNode for one or two, a node for more, neither for none.
type child struct {
	*header
	depth  int // levels below that its budget of splits can use
	budget int // splits
	pair   *pairNode
	node   *node
	top    bool // f is wanted, no bound on f0: cuts next to which no leaf fits are left out
}

// splitter makes the children of a node. It holds scratch memory.
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

// split fills both children with the rows of nd before and after cut pos of
// feature f.
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

// addBits gives a child its binary features beside the others.
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

// keepRows sets nd.keep to the rows of a part, whose sides are marked.
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

// one is split for the left child only, or the right one.
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

// divide returns the places of feature g on both sides, and the index of the
// mode's.
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

// mark notes the side of each row of nd.
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

// part appends places to s.l and s.r, of which so many are taken, by side.
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

// begin gives c the rows of nd on a side, and sets its header.
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

// put gives a child its places in the order of feature g, with the mode's at
// index mode, which is left out where c has no row of the mode.
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

// whole makes c, which has one level or two, the rows of nd.
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

// splitBits is split where all features are binary.
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

// partHeader sets the header of the rows of nd at which feature f is one.
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

// fillBits gives a child what is beyond its header.
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
