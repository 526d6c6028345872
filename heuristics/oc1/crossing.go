package oc1

import "slices"

// A crossing is a row at the value of a moving coefficient at which it changes
// sides: the high 32 bits order the values, the low ones say what changes (see
// sideSweep.move).
type crossing = uint64

// crossingSorter sorts crossings by their high 32 bits, those of equal bits in
// the order they came in: by radix, over the digits in which they differ.
type crossingSorter struct {
	other  []crossing // (n) scratch
	narrow [4][256]uint32
	wide   [3][2048]uint32
}

const (
	insertionCrossings = 40   // up to here insertion sort is the fastest
	narrowCrossings    = 1200 // up to here four narrow digits, then three wide ones
)

// sort returns the crossings in order, in a or in the sorter's own memory.
func (s *crossingSorter) sort(a []crossing) []crossing {
	switch n := len(a); {
	case n <= insertionCrossings:
		for i := 1; i < n; i++ {
			e := a[i]
			j := i
			for ; j > 0 && a[j-1]>>32 > e>>32; j-- {
				a[j] = a[j-1]
			}
			a[j] = e
		}
		return a
	case n <= narrowCrossings:
		return s.narrowRadix(a)
	}
	return s.wideRadix(a)
}

func (s *crossingSorter) scratch(n int) []crossing {
	if cap(s.other) < n {
		s.other = slices.Grow(s.other[:0], n)
	}
	return s.other[:n]
}

func (s *crossingSorter) narrowRadix(a []crossing) []crossing {
	b := s.scratch(len(a))
	h := &s.narrow
	*h = [4][256]uint32{}
	for _, e := range a {
		h[0][uint8(e>>32)]++
		h[1][uint8(e>>40)]++
		h[2][uint8(e>>48)]++
		h[3][uint8(e>>56)]++
	}
	home := a
	for d := range h {
		next := &h[d]
		shift := 32 + 8*uint(d)
		if next[uint8(a[0]>>shift)] == uint32(len(a)) {
			continue
		}
		at := uint32(0)
		for v, c := range next {
			next[v] = at
			at += c
		}
		for _, e := range a {
			v := uint8(e >> shift)
			b[next[v]] = e
			next[v]++
		}
		a, b = b, a
	}
	s.keep(home, a, b)
	return a
}

func (s *crossingSorter) wideRadix(a []crossing) []crossing {
	b := s.scratch(len(a))
	h := &s.wide
	*h = [3][2048]uint32{}
	for _, e := range a {
		h[0][e>>32&2047]++
		h[1][e>>43&2047]++
		h[2][e>>54]++
	}
	home := a
	for d := range h {
		next := &h[d]
		shift := 32 + 11*uint(d)
		if next[a[0]>>shift&2047] == uint32(len(a)) {
			continue
		}
		at := uint32(0)
		for v, c := range next {
			next[v] = at
			at += c
		}
		for _, e := range a {
			v := e >> shift & 2047
			b[next[v]] = e
			next[v]++
		}
		a, b = b, a
	}
	s.keep(home, a, b)
	return a
}

// keep holds on to the scratch memory, which is whichever is not home.
func (s *crossingSorter) keep(home, a, b []crossing) {
	if &a[0] == &home[0] {
		s.other = b[:0]
	} else {
		s.other = a[:0]
	}
}
