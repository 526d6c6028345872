package exact

import "math/bits"

// Bits. A binary feature has one cut, so that a node of two levels on such features
// is decided by the weights n_k(f, g) of class k where features f and g are both
// one: they give all four leaves of every root and stump. Rows are bits, a word for
// 64 rows, and a pair's weight a count of the ones of two words' AND. Words hold
// rows of one class, and of one binary digit of their weight, a plane: the sum over
// planes, each with twice the value of the next, is the weight.

// groupSize is the number of features whose words lie side by side: those of a
// vector register.
const groupSize = 8

// bitMatrix is the binary features of a set of rows.
type bitMatrix struct {
	words  int      // per feature
	cols   []uint64 // (groups, words, groupSize)
	blocks []int32  // (K, planes) words of each plane, the highest first
	ones   []int32  // (K, groups*groupSize) weight of the rows with a one
	order  []uint32 // (words*64) rows, block by block, and noRow
}

// bitLayout is what all matrices of a problem share.
type bitLayout struct {
	groups, planes, width int
	rows                  []uint64 // (n, width) the features of each row, a bit each
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

// one is 1 where feature f of row r is.
func (b *bitLayout) one(r uint32, f int) uint64 {
	return b.rows[int(r)*b.width+f>>6] >> (uint(f) & 63) & 1
}

// features is the number of them with those that fill the last group: they are zero
// everywhere.
func (b *bitLayout) features() int { return b.groups * groupSize }

// bitBuilder makes matrices; it holds scratch memory.
type bitBuilder struct {
	p     *problem
	block [64]uint64
}

// build makes m that of the given rows.
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

// transpose64 exchanges rows and columns, bit 0 of each word being its first.
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

// addUp sets the weights of the rows with a one, (K, groups*groupSize), of the rows in
// keep, which has a bit per row of m; nil means all.
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

// fill gives nd, whose rows are known, its bits.
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
