package mps

import "math"

const (
	cacheBits = 12

	// The cache does not pay where more than maxMissed of cacheWindow numbers
	// are new: it then rests for cacheRest numbers.
	cacheWindow = 1 << 10
	maxMissed   = cacheWindow * 3 / 4
	cacheRest   = 1 << 14
)

// numberCache puts numbers, and remembers the decimals of the values seen last:
// in models made from data every value stands in many rows. Where values do not
// repeat it rests. Its state has no influence on what is put.
type numberCache struct {
	slot   [1 << cacheBits]cachedNumber
	fixed  bool // choose the narrowest form
	left   int  // numbers until the window or the rest ends
	missed int  // in the window
	rests  bool
}

type cachedNumber struct {
	bits uint64
	n    uint8 // 0: empty
	text [maxNumber]byte
}

// put writes v's decimals to the start of b, which has at least numberRoom
// bytes, and returns their length. What follows them in b is overwritten too,
// by copies of constant length.
func (c *numberCache) put(b []byte, v float64) int {
	if v == 1 {
		b[0] = '1'
		return 1
	}
	if v == -1 {
		b[0], b[1] = '-', '1'
		return 2
	}
	if c.left--; c.left < 0 {
		c.nextWindow()
	}
	if c.rests {
		return c.format(b, v)
	}
	bits := math.Float64bits(v)
	s := &c.slot[bits*0x9e3779b97f4a7c15>>(64-cacheBits)]
	if s.bits == bits && s.n != 0 {
		*(*[maxNumber]byte)(b) = s.text
		return int(s.n)
	}
	c.missed++
	n := c.format(b, v)
	s.bits, s.n, s.text = bits, uint8(n), *(*[maxNumber]byte)(b)
	return n
}

// nextWindow decides whether the cache works or rests.
func (c *numberCache) nextWindow() {
	c.rests = !c.rests && c.missed > maxMissed
	c.left, c.missed = cacheWindow, 0
	if c.rests {
		c.left = cacheRest
	}
}

// format writes v's decimals as put does.
func (c *numberCache) format(b []byte, v float64) int {
	n := putNumber(b, v)
	if c.fixed && n > maxFixedNumber {
		if e := appendScientific(nil, v); len(e) < n {
			n = copy(b, e)
		}
	}
	return n
}
