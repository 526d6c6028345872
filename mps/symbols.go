package mps

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

const maxShort = 15 // bytes of a name that its key holds

// symbols maps names to 0, 1, 2, ... in order of insertion: an open-addressing
// table over one byte arena, without a string per name.
type symbols struct {
	text []byte
	end  []int // name i is text[end[i-1]:end[i]]
	syms []symbol
	slot []int32
	last int32 // the name found by findNext
	mix  key   // secret, so that nobody can choose names that collide
	seed maphash.Seed
}

// symbol is what is known of a name.
type symbol struct {
	key
	after int32 // 1 + the name that findNext found after this one
	mark  int32 // for the user
}

// key is a short name, padded with zeros, and its length in the highest byte; of
// a long name, its hash and a length that no short one has.
type key struct{ lo, hi uint64 }

func newSymbols() *symbols {
	s := &symbols{slot: make([]int32, 64), seed: maphash.MakeSeed()}
	s.mix = key{maphash.Bytes(s.seed, []byte{0}), maphash.Bytes(s.seed, []byte{1})}
	return s
}

func (s *symbols) len() int { return len(s.end) }

// name returns name i; it is valid until the next insertion.
func (s *symbols) name(i int) []byte {
	lo := 0
	if i > 0 {
		lo = s.end[i-1]
	}
	return s.text[lo:s.end[i]]
}

// keyOf returns the key of name. It reads whole words, which may reach beyond
// the name within its capacity.
func (s *symbols) keyOf(name []byte) key {
	n := len(name)
	if n > maxShort {
		return key{maphash.Bytes(s.seed, name), uint64(maxShort+1) << 56}
	}
	if cap(name) < 16 {
		name = append(make([]byte, 0, 16), name...)
	}
	return shortKey(name[:16], n)
}

// shortKey returns the key of the first n bytes of b, which has 16.
func shortKey(b []byte, n int) key {
	k := key{lo: binary.LittleEndian.Uint64(b), hi: uint64(n) << 56}
	if n <= 8 {
		k.lo &= 1<<(8*n) - 1
	} else {
		k.hi |= binary.LittleEndian.Uint64(b[8:]) & (1<<(8*(n-8)) - 1)
	}
	return k
}

// find returns the index of name, or -1.
func (s *symbols) find(name []byte) int {
	i, _ := s.probe(name, s.keyOf(name))
	return i
}

// findNext is find for a name whose key is known, fast if it comes after the
// name found before as it did the last time: columns often have like rows.
func (s *symbols) findNext(name []byte, k key) int {
	if len(s.syms) == 0 {
		return -1
	}
	before := &s.syms[s.last]
	if next := before.after - 1; next >= 0 && s.syms[next].key == k && len(name) <= maxShort {
		s.last = next
		return int(next)
	}
	i, _ := s.probe(name, k)
	if i >= 0 {
		before.after, s.last = int32(i)+1, int32(i)
	}
	return i
}

// insert adds name and returns its index, or -1 if it is there already.
func (s *symbols) insert(name []byte) int {
	if 2*len(s.end) >= len(s.slot) {
		s.grow()
	}
	k := s.keyOf(name)
	i, at := s.probe(name, k)
	if i >= 0 {
		return -1
	}
	s.text = append(s.text, name...)
	s.end = append(s.end, len(s.text))
	s.syms = append(s.syms, symbol{key: k})
	s.slot[at] = int32(len(s.end))
	return len(s.end) - 1
}

// home returns the slot where the search for a key begins.
func (s *symbols) home(k key) uint32 {
	hi, lo := bits.Mul64(k.lo^s.mix.lo, k.hi^s.mix.hi)
	return uint32(hi^lo) & uint32(len(s.slot)-1)
}

// probe returns the index of name, or -1 and the slot where it would go.
func (s *symbols) probe(name []byte, k key) (index int, at uint32) {
	mask := uint32(len(s.slot) - 1)
	for at = s.home(k); s.slot[at] != 0; at = (at + 1) & mask {
		i := int(s.slot[at] - 1)
		if s.syms[i].key == k && (len(name) <= maxShort || string(s.name(i)) == string(name)) {
			return i, at
		}
	}
	return -1, at
}

func (s *symbols) grow() {
	s.slot = make([]int32, 2*len(s.slot)) // of index+1; 0 is empty; the length is a power of two
	mask := uint32(len(s.slot) - 1)
	for i := range s.syms {
		at := s.home(s.syms[i].key)
		for s.slot[at] != 0 {
			at = (at + 1) & mask
		}
		s.slot[at] = int32(i + 1)
	}
}
