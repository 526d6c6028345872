package mps

import (
	"math"
	"strconv"
)

const (
	maxNumber      = 24 // characters of the longest shortest float64: -2.2250738585072014e-308
	maxFixedNumber = 12

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

// lookup returns the slot that holds v's decimals.
func (c *numberCache) lookup(v float64) *cachedNumber {
	bits := math.Float64bits(v)
	s := &c.slot[bits*0x9e3779b97f4a7c15>>(64-cacheBits)]
	if s.bits != bits || s.n == 0 {
		c.fill(s, v)
	}
	return s
}

func (c *numberCache) fill(s *cachedNumber, v float64) {
	s.bits = math.Float64bits(v)
	b := appendNumber(s.text[:0], v)
	if c.fixed && len(b) > maxFixedNumber {
		if e := appendScientific(nil, v); len(e) < len(b) {
			b = append(b[:0], e...)
		}
	}
	s.n = uint8(len(b))
}

// appendNumber appends the shortest decimal that reads back to v, plain for
// magnitudes in [1e-5, 1e15), else scientific. v is finite.
func appendNumber(dst []byte, v float64) []byte {
	a := math.Abs(v)
	switch {
	case a < 1e15 && v == math.Trunc(v):
		return strconv.AppendInt(dst, int64(v), 10)
	case 1e-5 <= a && a < 1e15:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	return appendScientific(dst, v)
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
