package mps

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

const (
	maxNumber      = 24 // characters of the longest shortest float64: -2.2250738585072014e-308
	maxFixedNumber = 12
	numberRoom     = 32 // bytes that putting a number may overwrite

	// Magnitudes in [minPlain, maxPlain) are written without an exponent.
	minPlain = 1e-5
	maxPlain = 1e15
)

// putNumber writes the shortest decimal that reads back to v, plain for
// magnitudes in [1e-5, 1e15), else scientific, to the start of b, which has at
// least numberRoom bytes, and returns its length. v is finite. What follows in b
// may be overwritten.
func putNumber(b []byte, v float64) int {
	a := math.Abs(v)
	if a < maxPlain && v == math.Trunc(v) {
		return len(strconv.AppendInt(b[:0], int64(v), 10))
	}
	d, e, ok := shortestDecimal(math.Float64bits(a))
	if !ok {
		return len(appendScientific(b[:0], v))
	}
	b[0] = '-' // without a branch, which random signs would mispredict
	n := int(math.Float64bits(v) >> 63)
	if minPlain <= a && a < maxPlain {
		return n + putPlain(b[n:], d, e)
	}
	return n + putScientific(b[n:], d, e)
}

// putPlain writes d x 10^e, which is not an integer, as 12.5 or 0.125.
func putPlain(b []byte, d uint64, e int) int {
	s, point := significand(d, e)
	b = b[:numberRoom-1]
	if point <= 0 {
		binary.LittleEndian.PutUint64(b, 0x3030303030302e30) // 0.000000
		at := 2 - point
		s.put(b[at:])
		return at + s.n
	}
	s.put(b[1:])
	for k := range point {
		b[k] = b[k+1]
	}
	b[point] = '.'
	return s.n + 1
}

// putScientific writes d x 10^e as 1.5e-7.
func putScientific(b []byte, d uint64, e int) int {
	s, point := significand(d, e)
	s.put(b[1:])
	b[0] = b[1]
	n := 1
	if s.n > 1 {
		b[1] = '.'
		n = s.n + 1
	}
	b[n] = 'e'
	return len(strconv.AppendInt(b[:n+1], int64(point-1), 10))
}

// digits is a number of up to 17 digits, padded with zeros to 17.
type digits struct {
	first     byte
	high, low uint64 // 8 characters each, the first in the lowest byte
	n         int    // of digits that count: the last of them is not 0
}

// significand returns the digits of d > 0, which has at most 17, and where the
// point of d x 10^e stands behind the first of them.
func significand(d uint64, e int) (s digits, point int) {
	n := decimalLen(d)
	d *= uintPow10[maxSignificant-n]
	first := d / 1e16
	d -= first * 1e16
	s.first = '0' + byte(first)
	high, low := eightDigits(d/1e8), eightDigits(d%1e8)
	switch {
	case low != 0:
		s.n = 17 - bits.LeadingZeros64(low)/8
	case high != 0:
		s.n = 9 - bits.LeadingZeros64(high)/8
	default:
		s.n = 1
	}
	const zeros = 0x3030303030303030
	s.high, s.low = high|zeros, low|zeros
	return s, n + e
}

// put writes 17 characters.
func (s *digits) put(b []byte) {
	_ = b[16]
	b[0] = s.first
	binary.LittleEndian.PutUint64(b[1:], s.high)
	binary.LittleEndian.PutUint64(b[9:], s.low)
}

// eightDigits returns the digits of v < 1e8 as bytes, the first in the lowest.
// It halves three times, all parts at once: a division by 100 or 10 is the
// product with a rounded reciprocal that is exact for the values that occur.
func eightDigits(v uint64) uint64 {
	x := v / 10000
	x |= (v - x*10000) << 32
	q := x * 10486 >> 20 & 0x7f0000007f
	x = q | (x-q*100)<<16
	q = x * 103 >> 10 & 0xf000f000f000f
	return q | (x-q*10)<<8
}

const maxSignificant = 17 // digits of a shortest float64

var uintPow10 = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// decimalLen returns the number of digits of d > 0.
func decimalLen(d uint64) int {
	n := bits.Len64(d) * 1233 >> 12 // floor(log10(2^len)): the length, or one less
	_, less := bits.Sub64(d, uintPow10[n], 0)
	return n + 1 - int(less)
}

// appendScientific appends the shortest decimal in the form 1.5e-7 (strconv
// writes 1.5e-07).
func appendScientific(dst []byte, v float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	for k := start; k < len(dst); k++ {
		if dst[k] != 'e' {
			continue
		}
		w := k + 1
		if dst[w] == '-' {
			w++
		}
		r := k + 2
		for r < len(dst)-1 && dst[r] == '0' {
			r++
		}
		return append(dst[:w], dst[r:]...)
	}
	return dst
}
