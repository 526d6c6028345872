package mps

import "math/bits"

const (
	mantissaBits = 52
	exponentBias = 1023 + mantissaBits // of a mantissa that is an integer
	exponentMask = 1<<11 - 1
)

// shortestDecimal returns the d and e with the fewest digits of d such that
// d x 10^e, of all such decimals the nearest, reads back to the positive normal
// float64 of the given bits; d may end in zeros and has at most 17 digits. ok is
// false where the table of powers does not reach.
//
// It is Schubfach (R. Giulietti, The Schubfach way to render doubles, 2020):
// the interval of decimals that read back to c x 2^q is scaled by a power of ten
// to a length in [1, 10), where at most one multiple of ten and at most the two
// neighbours of the scaled value have to be looked at.
func shortestDecimal(b uint64) (d uint64, e int, ok bool) {
	fraction := b & (1<<mantissaBits - 1)
	q := int(b>>mantissaBits) - exponentBias
	c := fraction | 1<<mantissaBits
	lowerCloser := uint64(0) // the float64 below a power of two is nearer than the one above
	if fraction == 0 {
		lowerCloser = 1
	}
	k := (q*1262611 - int(lowerCloser)*524031) >> 22 // floor(log10(2^q)), or of (3/4) 2^q
	if -k < minPow || -k > maxPow {
		return 0, 0, false
	}
	h := uint(q + (-k*1741647)>>19 + 1) // floor(log2(10^-k)) + q + 1: in [1, 4]
	g := &powers[-k-minPow]
	odd := c & 1
	lower := scaleOdd(g, (4*c-2+lowerCloser)<<h) + odd
	value := scaleOdd(g, 4*c<<h)
	upper := scaleOdd(g, (4*c+2)<<h) - odd

	s := value / 4
	ten := s / 10
	below, above := lower <= 40*ten, 40*ten+40 <= upper
	if below != above {
		if above {
			ten++
		}
		return ten, k + 1, true
	}
	below, above = lower <= 4*s, 4*s+4 <= upper
	if below != above {
		if above {
			s++
		}
		return s, k, true
	}
	if half := 4*s + 2; value > half || value == half && s&1 != 0 {
		s++
	}
	return s, k, true
}

// scaleOdd returns floor(g x c / 2^128), its last bit set if anything was cut
// off: enough to compare with integers, though g is rounded.
func scaleOdd(g *uint128, c uint64) uint64 {
	carry, _ := bits.Mul64(g.lo, c)
	hi, lo := bits.Mul64(g.hi, c)
	lo, over := bits.Add64(lo, carry, 0)
	hi += over
	if lo > 1 {
		hi |= 1
	}
	return hi
}
