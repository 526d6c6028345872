package treesearch

import "math"

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
	l, r []uint64 // (n+1) one feature's rows of either child
}

func newSplitter(p *problem) *splitter {
	return &splitter{p: p, left: make([]uint8, p.n), l: make([]uint64, p.n+1), r: make([]uint64, p.n+1)}
}

// split fills both children with the rows of nd before and after position pos
// of feature f.
func (s *splitter) split(left, right *child, nd *node, f int, pos int32) {
	rows := nd.order(f)
	s.begin(left, rows[:pos])
	s.begin(right, rows[pos:])
	if left.depth == 0 && right.depth == 0 {
		return
	}
	for _, e := range rows[:pos] {
		s.left[uint32(e)] = 1
	}
	for _, e := range rows[pos:] {
		s.left[uint32(e)] = 0
	}
	for g := range s.p.p {
		l, r := s.part(nd.order(g))
		s.put(left, g, l)
		s.put(right, g, r)
	}
}

// part puts rows into s.l and s.r by side.
func (s *splitter) part(rows []uint64) (l, r []uint64) {
	nl, nr := 0, 0
	l, r = s.l, s.r
	for _, e := range rows { // no branch to mispredict
		goes := int(s.left[uint32(e)])
		l[nl], r[nr] = e, e
		nl += goes
		nr += 1 - goes
	}
	return l[:nl], r[:nr]
}

// begin sets the header of a child with these rows.
func (s *splitter) begin(c *child, rows []uint64) {
	h := c.header
	*h = header{n: len(rows), class: h.class}
	clear(h.class)
	for _, e := range rows {
		r := rowOf(e)
		h.class[s.p.class[r]] += s.p.weight[r]
		h.unavoidable += s.p.unavoidable[r]
		h.hash[0] += s.p.hash[r][0]
		h.hash[1] += s.p.hash[r][1]
	}
	for _, w := range h.class {
		h.weight += w
	}
	switch {
	case c.node != nil:
		c.node.stride = h.n
	case c.pair != nil:
		c.pair.stride, c.pair.packed = h.n, s.p.packed(h.weight)
	}
}

// put gives a child its rows in the order of feature g.
func (s *splitter) put(c *child, g int, rows []uint64) {
	switch {
	case c.node != nil:
		copy(c.node.order(g), rows)
	case c.pair != nil:
		s.sequence(c.pair, g, rows)
	}
}

// whole makes c, which has one level or two, the rows of nd.
func (s *splitter) whole(c *child, nd *node) {
	copy(c.class, nd.class)
	c.n, c.weight, c.unavoidable, c.hash = nd.n, nd.weight, nd.unavoidable, nd.hash
	c.pair.stride, c.pair.packed = nd.n, s.p.packed(nd.weight)
	for g := range s.p.p {
		s.sequence(c.pair, g, nd.order(g))
	}
}

// packed says whether sums over rows of this weight fit the lanes.
func (p *problem) packed(weight float64) bool { return p.lanes && weight <= math.MaxInt16 }

// leastGroup is the number of rows of one value from which on sweeps pass them
// over.
const leastGroup = 12

// sequence makes the entries of feature g from its rows.
func (s *splitter) sequence(nd *pairNode, g int, rows []uint64) {
	out := nd.order(g)
	if len(rows) == 0 {
		nd.low[g], nd.high[g] = 0, 0
		return
	}
	if nd.packed && s.p.k == 2 {
		s.sequence2(out, rows)
	} else {
		s.sequenceK(out, rows)
	}
	out[len(out)-1].tag |= 1
	nd.low[g], nd.high[g] = int32(len(out)), int32(len(out))
	if s.p.ties[g] {
		nd.low[g], nd.high[g] = largestGroup(out)
	}
}

func (s *splitter) sequence2(out []entry, rows []uint64) {
	var t, weight uint16
	spread := s.p.spread
	out = out[:len(rows)]
	previous := rows[0] >> 32
	for i, e := range rows {
		rank := e >> 32
		if i > 0 { // the tag of the row before, now that its successor is known
			out[i-1].tag |= uint16((previous - rank) >> 63)
		}
		previous = rank
		r := uint32(e)
		v := uint16(spread[r])
		sign := uint16(int16(v) >> 15)
		t += v
		weight += v ^ sign - sign
		out[i] = entry{r * laneBytes, int16(t), weight << 1}
	}
}

func (s *splitter) sequenceK(out []entry, rows []uint64) {
	last := len(rows) - 1
	out = out[:len(rows)]
	for i, e := range rows {
		r := uint32(e)
		tag := uint16(s.p.class[r]) << 1
		if rows[min(i+1, last)]>>32 != e>>32 {
			tag |= 1
		}
		t := int16(0)
		if s.p.spread != nil {
			t = int16(s.p.spread[r])
		}
		out[i] = entry{r * laneBytes, t, tag}
	}
}

// largestGroup returns the rows of the most frequent value, or the end twice
// where it is rare.
func largestGroup(seq []entry) (low, high int32) {
	best, from := int32(leastGroup-1), int32(0)
	low, high = int32(len(seq)), int32(len(seq))
	for i := range seq {
		if seq[i].tag&1 != 0 {
			if size := int32(i) + 1 - from; size > best {
				best, low, high = size, from, int32(i)+1
			}
			from = int32(i) + 1
		}
	}
	return low, high
}
