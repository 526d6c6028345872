package exact

import "math/bits"

// Bits. A binary feature has one cut, so the weights n_k(f, g) of class k where features f and g
// are both one decide a node of two levels on such features: they give all four leaves of every
// root and stump. Rows are bits, 64 rows per word, and the weight of a pair is the population count
// of the AND of two words. A word holds rows of one class and one binary digit of their weight, a
// plane: the weight is the sum over the planes, each with twice the value of the next.

// groupSize is the number of features whose words are stored side by side: the words of a vector
// register.
const groupSize = 8

// bitMatrix holds the binary features of a set of rows.
type bitMatrix struct {
	words  int      // per feature
	cols   []uint64 // (groups, words, groupSize)
	blocks []int32  // (K, planes) words of each plane, the highest first
	ones   []int32  // (K, groups*groupSize) weight of the rows with a one
	order  []uint32 // (words*64) rows, block by block, noRow at unused places
}

// bitLayout is shared by all matrices of a problem.
type bitLayout struct {
	groups, planes, width int
	rows                  []uint64 // (n, width) the features of each row, one bit each
}

// newBitLayout lays out the binary features of p.
func newBitLayout(p *problem) *bitLayout {
	b := &bitLayout{
		groups: (p.binary + groupSize - 1) / groupSize,
		planes: bits.Len64(uint64(maxOf(p.weight))),
		width:  (p.binary + 63) / 64,
	}
	b.rows = make([]uint64, p.n*b.width)
	for f := range p.binary {
		word, shift := f/64, f%64
		for i, rank := range p.ranks(f) {
			b.rows[i*b.width+word] |= uint64(rank) << shift
		}
	}
	return b
}

// one returns the value, 0 or 1, of feature f of row r.
func (b *bitLayout) one(r uint32, f int) uint64 {
	return b.rows[int(r)*b.width+f>>6] >> (uint(f) & 63) & 1
}

// features returns the number of features including those that fill up the last group, which are
// zero everywhere.
func (b *bitLayout) features() int { return b.groups * groupSize }

// bitBuilder builds matrices; it holds scratch memory.
type bitBuilder struct {
	p     *problem
	block [64]uint64
}

// build makes m the matrix of the given rows.
func (s *bitBuilder) build(m *bitMatrix, rows []uint32) {
	p, b := s.p, s.p.bits
	m.order, m.words = m.order[:0], 0
	if m.blocks == nil {
		m.blocks, m.ones = apart[int32](p.k*b.planes), apart[int32](p.k*b.features())
	}
	for class := range p.k {
		for plane := range b.planes {
			from := len(m.order)
			for _, r := range rows {
				if int(p.class[r]) == class && uint64(p.weight[r])>>(b.planes-1-plane)&1 != 0 {
					m.order = append(m.order, r)
				}
			}
			for len(m.order)%64 != 0 {
				m.order = append(m.order, noRow)
			}
			words := (len(m.order) - from) / 64
			m.blocks[class*b.planes+plane] = int32(words)
			m.words += words
		}
	}
	if size := b.features() * m.words; cap(m.cols) < size {
		m.cols = aligned(size)
	} else {
		m.cols = m.cols[:size]
	}
	for w := range m.words {
		s.transpose(m, w)
	}
	m.addUp(p, m.ones, nil)
}

// transpose fills word w of every feature.
func (s *bitBuilder) transpose(m *bitMatrix, w int) {
	b := s.p.bits
	for column := range b.width {
		for i, r := range m.order[w*64 : w*64+64] {
			s.block[i] = 0
			if r != noRow {
				s.block[i] = b.rows[int(r)*b.width+column]
			}
		}
		transpose64(&s.block)
		for j := range min(64, b.features()-column*64) {
			group := column*(64/groupSize) + j/groupSize
			m.cols[(group*m.words+w)*groupSize+j%groupSize] = s.block[j]
		}
	}
}

// transpose64 exchanges rows and columns; bit 0 of each word is its first column.
func transpose64(a *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for j := 32; j != 0; j, mask = j>>1, mask^mask<<(j>>1) {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			t := (a[k]>>j ^ a[k+j]) & mask
			a[k] ^= t << j
			a[k+j] ^= t
		}
	}
}

// addUp sets the weights of the rows with a one, (K, groups*groupSize), for the rows in keep, which
// has one bit per row of m; nil means all.
func (m *bitMatrix) addUp(p *problem, ones []int32, keep []uint64) {
	b := p.bits
	for group := range b.groups {
		cols, at := m.cols[group*m.words*groupSize:], 0
		for class := range p.k {
			var sums [groupSize]int32
			for _, words := range m.blocks[class*b.planes : (class+1)*b.planes] {
				for j := range sums {
					sums[j] *= 2
				}
				for range words {
					mask := ^uint64(0)
					if keep != nil {
						mask = keep[at]
					}
					for j, w := range cols[at*groupSize : at*groupSize+groupSize] {
						sums[j] += int32(bits.OnesCount64(w & mask))
					}
					at++
				}
			}
			copy(ones[class*b.features()+group*groupSize:], sums[:])
		}
	}
}

// fill sets the bits of nd, whose rows are known.
func (s *bitBuilder) fill(nd *node) {
	p := s.p
	s.build(&nd.bits, nd.rows[:nd.n])
	nd.version++
	if !p.pure {
		return
	}
	for f := range p.p {
		ones := 0.0
		for class := range p.k {
			ones += float64(nd.bits.ones[class*p.bits.features()+f])
		}
		nd.zeros[f], nd.count[f] = nd.weight-ones, 2
		if ones == 0 || ones == nd.weight {
			nd.count[f] = 1
		}
	}
}

// pairRows is the state of bestPairs: two features, the rows, as roots and as stumps, paired with
// all features from their group on. Per class, the four leaves of root f and stump g hold n(f,g),
// n(f) - n(f,g), n(g) - n(f,g) and the rest; the correctly classified weight is the sum of their
// largest classes. pairs_amd64.s depends on this layout.
type pairRows struct {
	counts []int32 // n(f, g) from the first class on: two rows of 8 in the tile of f's own group
	ones   []int32 // n(g) likewise, twice per group: see counter.doubled
	rows   []int32 // (K, 16) n(f), eight times each
	rest   []int32 // (K, 16) weight of the class minus n(f), likewise
	best   []int32 // (tiles, 2, 16) correct weight of stump f under root g: where g is one, where it is zero
	out    []int32 // (2, 16) the same for the best stump g under root f

	tiles, classes      int
	classStep, onesStep int // distance between classes in counts and in ones
}

// tileSize is the number of pairs of two groups of features.
const tileSize = groupSize * groupSize

// counter counts pairs of binary features in nodes and finds the best stumps.
type counter struct {
	p      *problem
	tiles  int // pairs of groups
	whole  pairCounts
	part   pairCounts
	keep   []uint64 // (words) the rows of a side
	masked []uint64 // (words, groupSize) one group's words, restricted to the rows of the side
	single []int32  // (K, features) weights of ones
	sums   []int32  // (K) weights of the side

	doubled    []int32    // (K, groups, 16)
	rows, rest []int32    // (K, 16)
	best       []int32    // (groups, 2, 16)
	out        []int32    // (2, 16)
	right      [2][]int32 // (features) maximum weight that a stump classifies correctly where the root is zero, and one
}

// pairCounts holds the pairs of a part of a node.
type pairCounts struct {
	of      part
	version int
	counts  []int32 // (K, tiles, groupSize, groupSize); the tile of a group with itself is followed by those with later groups
}

func newCounter(p *problem) *counter {
	if p.bits == nil {
		return nil
	}
	b := p.bits
	c := newApart[counter]()
	*c = counter{
		p: p, tiles: pairTiles(b.groups), sums: apart[int32](p.k),
		doubled: apart[int32](p.k * b.groups * 16), rows: apart[int32](p.k * 16), rest: apart[int32](p.k * 16),
		best: apart[int32](b.groups * 32), out: apart[int32](32),
	}
	for side := range c.right {
		c.right[side] = apart[int32](b.features())
	}
	return c
}

// pairTiles returns the number of pairs of groups, including each group with itself.
func pairTiles(groups int) int { return groups * (groups + 1) / 2 }

// tile returns the position of the counts of two groups, first <= second, among those of a class.
func (c *counter) tile(first, second int) int {
	before := first*c.p.bits.groups - first*(first-1)/2
	return (before + second - first) * tileSize
}

// pair returns n(f, g) for a class.
func (c *counter) pair(n *pairCounts, class, f, g int) int32 {
	if f/groupSize > g/groupSize {
		f, g = g, f
	}
	at := class*c.tiles*tileSize + c.tile(f/groupSize, g/groupSize)
	return n.counts[at+f%groupSize*groupSize+g%groupSize]
}

// load returns the counts of the rows of nd. The counts of all rows of its parent are kept, so that
// only one of two sides is counted.
func (c *counter) load(nd *pairNode) *pairCounts {
	of := nd.part
	if of.feature < 0 {
		return c.loadWhole(of.node)
	}
	other := of
	other.right = !of.right
	switch {
	case c.part.holds(of):
	case c.part.holds(other):
		subtract(c.part.counts, c.loadWhole(of.node).counts)
		c.part.of = of
	default:
		c.count(&c.part, of, c.rowsOf(nd))
	}
	return &c.part
}

func (c *counter) loadWhole(nd *node) *pairCounts {
	if all := (part{node: nd, feature: -1}); !c.whole.holds(all) {
		c.count(&c.whole, all, nil)
	}
	return &c.whole
}

func (n *pairCounts) holds(of part) bool {
	return n.of == of && n.version == of.node.version
}

// count counts the pairs of a part, whose rows are given as bits; nil means all.
func (c *counter) count(n *pairCounts, of part, rows []uint64) {
	m, b := &of.node.bits, c.p.bits
	n.of, n.version = of, of.node.version
	if n.counts == nil {
		n.counts = make([]int32, c.p.k*c.tiles*tileSize)
	}
	if len(c.masked) < m.words*groupSize {
		c.masked = make([]uint64, m.words*groupSize)
	}
	stride := m.words * groupSize
	for group := range b.groups {
		columns := m.cols[group*stride:]
		masked := columns[:stride]
		if rows != nil {
			masked = c.mask(masked, rows)
		}
		word := 0
		for class := range c.p.k {
			blocks := m.blocks[class*b.planes : (class+1)*b.planes]
			out := n.counts[(class*c.tiles)*tileSize+c.tile(group, group):]
			words := 0
			for _, w := range blocks {
				words += int(w)
			}
			if words == 0 {
				clear(out[:(b.groups-group)*tileSize])
				continue
			}
			countTiles(out, masked[word*groupSize:], columns[word*groupSize:], blocks, b.groups-group, stride)
			word += words
		}
	}
}

// mask returns the words of a group of features, restricted to the rows of the part.
func (c *counter) mask(columns, rows []uint64) []uint64 {
	for word, keep := range rows {
		from, to := columns[word*groupSize:word*groupSize+groupSize], c.masked[word*groupSize:word*groupSize+groupSize]
		for j, w := range from {
			to[j] = w & keep
		}
	}
	return c.masked
}

// rowsOf returns the rows of nd as bits, nil for all rows of its parent; valid until the next call.
func (c *counter) rowsOf(nd *pairNode) []uint64 {
	of := nd.part
	m, f := &of.node.bits, int(of.feature)
	switch {
	case f < 0:
		return nil
	case f >= c.p.binary:
		return nd.keep[:m.words]
	case len(c.keep) < m.words:
		c.keep = make([]uint64, m.words)
	}
	flip := ^uint64(0)
	if of.right {
		flip = 0
	}
	keep := c.keep[:m.words]
	column := m.cols[f/groupSize*m.words*groupSize+f%groupSize:]
	for word := range keep {
		keep[word] = column[word*groupSize] ^ flip
	}
	return keep
}

// onesOf returns the weights of the rows of nd with a one, (K, features); valid until the next
// call.
func (c *counter) onesOf(nd *pairNode) []int32 {
	m := &nd.part.node.bits
	if nd.part.feature < 0 {
		return m.ones
	}
	if c.single == nil {
		c.single = apart[int32](c.p.k * c.p.bits.features())
	}
	m.addUp(c.p, c.single, c.rowsOf(nd))
	return c.single
}

// evaluate finds the best stumps on either side of every binary feature of a part with the given
// weights per class.
func (c *counter) evaluate(n *pairCounts, weights []float64) {
	b, k := c.p.bits, c.p.k
	for class := range k {
		c.sums[class] = int32(weights[class])
		for f := range b.features() {
			v := c.pair(n, class, f, f)
			at := (class*b.groups+f/groupSize)*16 + f%groupSize
			c.doubled[at], c.doubled[at+groupSize] = v, v
		}
	}
	clear(c.best)
	for f := 0; f < b.features(); f += 2 {
		c.evaluateRows(n, f)
	}
	for f := range b.features() {
		best := c.best[f/groupSize*32:]
		j := f % groupSize
		c.right[1][f] = max(c.right[1][f], best[j], best[j+groupSize])
		c.right[0][f] = max(c.right[0][f], best[j+16], best[j+16+groupSize])
	}
}

// ones returns n(f) for a class.
func (c *counter) ones(class, f int) float64 {
	return float64(c.doubled[(class*c.p.bits.groups+f/groupSize)*16+f%groupSize])
}

// evaluateRows pairs features f and f+1 with those of their own group and of all later groups.
func (c *counter) evaluateRows(n *pairCounts, f int) {
	b, k, group := c.p.bits, c.p.k, f/groupSize
	for class := range k {
		rows, rest := c.rows[class*16:class*16+16], c.rest[class*16:class*16+16]
		at := (class*b.groups+group)*16 + f%groupSize
		for half := range 2 {
			v := c.doubled[at+half]
			w := c.sums[class] - v
			for i := range groupSize {
				rows[half*groupSize+i], rest[half*groupSize+i] = v, w
			}
		}
	}
	bestPairs(&pairRows{
		counts: n.counts[c.tile(group, group)+f%groupSize*groupSize:], ones: c.doubled[group*16:],
		rows: c.rows, rest: c.rest, best: c.best[group*32:], out: c.out,
		tiles: b.groups - group, classes: k,
		classStep: c.tiles * tileSize, onesStep: b.groups * 16,
	})
	for half := range 2 {
		c.right[1][f+half] = maxInt32(c.out[half*groupSize : half*groupSize+groupSize])
		c.right[0][f+half] = maxInt32(c.out[16+half*groupSize : 16+half*groupSize+groupSize])
	}
}

func maxInt32(v []int32) int32 {
	m := v[0]
	for _, x := range v[1:] {
		m = max(m, x)
	}
	return m
}

// countTiles counts the pairs of a group of features, whose words are at a, with tiles groups,
// whose words are at b, stride words apart; blocks holds the words of each plane.
func countTiles(out []int32, a, b []uint64, blocks []int32, tiles, stride int) {
	if vectorPairs {
		countTiles512(&out[0], &a[0], &b[0], &blocks[0], len(blocks), tiles, stride*8)
		return
	}
	countTilesPortable(out, a, b, blocks, tiles, stride)
}

func countTilesPortable(out []int32, a, b []uint64, blocks []int32, tiles, stride int) {
	clear(out[:tiles*tileSize])
	for tile := range tiles {
		counts, at := out[tile*tileSize:(tile+1)*tileSize], 0
		for _, words := range blocks {
			for i := range counts {
				counts[i] *= 2
			}
			for range words {
				first, second := a[at:at+groupSize], b[tile*stride+at:tile*stride+at+groupSize]
				for i, x := range first {
					row := counts[i*groupSize : (i+1)*groupSize]
					for j, y := range second {
						row[j] += int32(bits.OnesCount64(x & y))
					}
				}
				at += groupSize
			}
		}
	}
}

// subtract sets each number to the one in from minus itself.
func subtract(to, from []int32) {
	if vectorPairs {
		subtract512(&to[0], &from[0], len(to))
		return
	}
	for i, v := range to {
		to[i] = from[i] - v
	}
}

func bestPairs(x *pairRows) {
	if vectorPairs {
		bestPairs512(x)
		return
	}
	bestPairsPortable(x)
}

func bestPairsPortable(x *pairRows) {
	clear(x.out)
	for tile := range x.tiles {
		for half := range 2 {
			for j := range groupSize {
				lane := half*groupSize + j
				var both, first, second, none int32
				for class := range x.classes {
					n := x.counts[class*x.classStep+tile*tileSize+lane]
					g := x.ones[class*x.onesStep+tile*16+lane]
					both = max(both, n)
					first = max(first, x.rows[class*16+lane]-n)
					second = max(second, g-n)
					none = max(none, x.rest[class*16+lane]-(g-n))
				}
				best := x.best[tile*32 : tile*32+32]
				x.out[lane] = max(x.out[lane], both+first)
				x.out[16+lane] = max(x.out[16+lane], second+none)
				best[lane] = max(best[lane], both+second)
				best[16+lane] = max(best[16+lane], first+none)
			}
		}
	}
}
