package mps

import "hash/maphash"

// symbols maps names to 0, 1, 2, ... in order of insertion: an open-addressing
// table over one byte arena, without a string per name.
type symbols struct {
	text []byte
	end  []int    // name i is text[end[i-1]:end[i]]
	slot []int32  // index+1; 0 is empty; the length is a power of two
	hash []uint32 // of name i
	seed maphash.Seed
}

func newSymbols() *symbols {
	return &symbols{slot: make([]int32, 64), seed: maphash.MakeSeed()}
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

// find returns the index of name, or -1.
func (s *symbols) find(name []byte) int {
	i, _ := s.probe(name, uint32(maphash.Bytes(s.seed, name)))
	return i
}

// insert adds name and returns its index, or -1 if it is there already.
func (s *symbols) insert(name []byte) int {
	if 2*len(s.end) >= len(s.slot) {
		s.grow()
	}
	h := uint32(maphash.Bytes(s.seed, name))
	i, at := s.probe(name, h)
	if i >= 0 {
		return -1
	}
	s.text = append(s.text, name...)
	s.end = append(s.end, len(s.text))
	s.hash = append(s.hash, h)
	s.slot[at] = int32(len(s.end))
	return len(s.end) - 1
}

// probe returns the index of name, or -1 and the slot where it would go.
func (s *symbols) probe(name []byte, h uint32) (index int, at uint32) {
	mask := uint32(len(s.slot) - 1)
	for at = h & mask; s.slot[at] != 0; at = (at + 1) & mask {
		i := int(s.slot[at] - 1)
		if s.hash[i] == h && string(s.name(i)) == string(name) {
			return i, at
		}
	}
	return -1, at
}

func (s *symbols) grow() {
	s.slot = make([]int32, 2*len(s.slot))
	mask := uint32(len(s.slot) - 1)
	for i, h := range s.hash {
		at := h & mask
		for s.slot[at] != 0 {
			at = (at + 1) & mask
		}
		s.slot[at] = int32(i + 1)
	}
}
