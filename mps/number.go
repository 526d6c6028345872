package mps

import (
	"math"
	"strconv"
)

const (
	maxNumber      = 24 // characters of the longest shortest float64: -2.2250738585072014e-308
	maxFixedNumber = 12
	numberRoom     = 32 // bytes that putting a number may overwrite

	cacheBits = 12
)

// numberCache remembers the decimals of the values seen last. In models made
// from data every value stands in many rows, and formatting is the dearest part
// of writing.
type numberCache struct {
	slot  [1 << cacheBits]cachedNumber
	fixed bool // choose the narrowest form
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
	bits := math.Float64bits(v)
	s := &c.slot[bits*0x9e3779b97f4a7c15>>(64-cacheBits)]
	if s.bits == bits && s.n != 0 {
		*(*[maxNumber]byte)(b) = s.text
		return int(s.n)
	}
	n := putNumber(b, v)
	if c.fixed && n > maxFixedNumber {
		if e := appendScientific(nil, v); len(e) < n {
			n = copy(b, e)
		}
	}
	s.bits, s.n, s.text = bits, uint8(n), *(*[maxNumber]byte)(b)
	return n
}

// putNumber writes the shortest decimal that reads back to v, plain for
// magnitudes in [1e-5, 1e15), else scientific, to the start of b, which has at
// least numberRoom bytes. v is finite.
func putNumber(b []byte, v float64) int {
	a := math.Abs(v)
	switch {
	case a < 1e15 && v == math.Trunc(v):
		return len(strconv.AppendInt(b[:0], int64(v), 10))
	case 1e-5 <= a && a < 1e15:
		return len(strconv.AppendFloat(b[:0], v, 'f', -1, 64))
	}
	return len(appendScientific(b[:0], v))
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
