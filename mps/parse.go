package mps

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

const (
	maxMantissaDigits = 19 // of a decimal that fits a uint64
	maxExponentDigits = 4
	maxPow10          = 22 // powers of ten up to here are exact float64s, and so are
	maxExact          = 1 << 53
)

var pow10 = [maxPow10 + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseNumber returns the float64 nearest to a decimal.
func parseNumber(s []byte) (float64, error) {
	if v, n, ok := parseFast(s); ok && n == len(s) {
		return v, nil
	}
	return parseSlow(s)
}

// parseFast returns the float64 nearest to the decimal that s begins with, and
// its length. ok is false where there is none, and where a slower way is needed.
func parseFast(s []byte) (v float64, n int, ok bool) {
	mantissa, exponent, n, ok := scanDecimal(s)
	if !ok {
		return 0, 0, false
	}
	v, ok = toFloat(mantissa, exponent)
	if s[0] == '-' {
		v = -v
	}
	return v, n, ok
}

// scanDecimal returns the mantissa, the exponent and the length of the decimal,
// of any sign, that s begins with.
func scanDecimal(s []byte) (mantissa uint64, exponent, k int, ok bool) {
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		k++
	}
	first := k
	for k < len(s) && s[k] == '0' {
		k++
	}
	zeros := k - first
	start := k
	mantissa, k = scanDigits(s, k, 0)
	digits := k - start
	if k < len(s) && s[k] == '.' {
		k++
		start = k
		if mantissa == 0 {
			for k < len(s) && s[k] == '0' {
				k++
			}
			zeros += k - start
		}
		leading := k
		mantissa, k = scanDigits(s, k, mantissa)
		digits += k - leading
		exponent = start - k
	}
	if digits > maxMantissaDigits || digits+zeros == 0 {
		return 0, 0, 0, false
	}
	if k == len(s) || s[k]|0x20 != 'e' {
		return mantissa, exponent, k, true
	}
	e, n, ok := scanExponent(s[k:])
	return mantissa, exponent + e, k + n, ok
}

// scanDigits appends the digits of s from k on to mantissa, which overflows
// without notice, and returns where they end. Of eight digits at once, pairs,
// then fours, then all are put together.
func scanDigits(s []byte, k int, mantissa uint64) (uint64, int) {
	for ; len(s)-k >= 8; k += 8 {
		x := binary.LittleEndian.Uint64(s[k:])
		const high = 0xf0f0f0f0f0f0f0f0
		if x&high|(x+0x0606060606060606)&high>>4 != 0x3333333333333333 {
			break
		}
		x -= 0x3030303030303030
		x = x*10 + x>>8
		const pair = 0x000000ff000000ff
		x = (x&pair*(100+1000000<<32) + x>>16&pair*(1+10000<<32)) >> 32
		mantissa = mantissa*1e8 + x
	}
	for ; k < len(s) && '0' <= s[k] && s[k] <= '9'; k++ {
		mantissa = mantissa*10 + uint64(s[k]-'0')
	}
	return mantissa, k
}

// scanExponent returns the value and the length of "e-7" or "E+05".
func scanExponent(s []byte) (e, k int, ok bool) {
	k = 1
	if k < len(s) && (s[k] == '-' || s[k] == '+') {
		k++
	}
	first := k
	for ; k < len(s) && '0' <= s[k] && s[k] <= '9'; k++ {
		if k-first == maxExponentDigits {
			return 0, 0, false
		}
		e = e*10 + int(s[k]-'0')
	}
	if first == 2 && s[1] == '-' {
		e = -e
	}
	return e, k, k > first
}

// toFloat returns the float64 nearest to m x 10^e; ok is false where it cannot
// tell.
func toFloat(m uint64, e int) (v float64, ok bool) {
	switch {
	case m > maxExact || e < -maxPow10 || e > maxPow10:
		return eiselLemire(m, e)
	case e < 0: // one rounding of a quotient of exact float64s
		return float64(m) / pow10[-e], true
	}
	return float64(m) * pow10[e], true
}

// eiselLemire returns the float64 nearest to m x 10^e where a product with 128
// bits of the power tells it (D. Lemire, Number parsing at a gigabyte per
// second, 2021, after M. Eisel). It leaves all that is not a normal number, and
// the powers that the table does not have, to others.
func eiselLemire(m uint64, e int) (v float64, ok bool) {
	if m == 0 {
		return 0, true
	}
	if e < minPow || e > maxPow {
		return 0, false
	}
	shift := bits.LeadingZeros64(m)
	m <<= uint(shift)
	exponent := 217706*e>>16 + 64 + 1023 - shift // floor(log2(10^e)) and the rest
	p := &powers[e-minPow]
	hi, lo := bits.Mul64(m, p.hi)
	if hi&0x1ff == 0x1ff && lo+m < m { // the low bits may carry
		low := p.lo
		if e < minExactPow || e > maxExactPow {
			low-- // the table rounds up
		}
		carry, rest := bits.Mul64(m, low)
		var over uint64
		lo, over = bits.Add64(lo, carry, 0)
		hi += over
		if hi&0x1ff == 0x1ff && lo == math.MaxUint64 && rest+m < m {
			return 0, false
		}
	}
	top := hi >> 63
	mantissa := hi >> (top + 9) // 54 bits
	exponent -= int(1 ^ top)
	if lo == 0 && hi&0x1ff == 0 && mantissa&3 == 1 { // halfway, maybe
		return 0, false
	}
	mantissa = (mantissa + mantissa&1) >> 1
	if mantissa>>53 != 0 {
		mantissa >>= 1
		exponent++
	}
	return math.Float64frombits(uint64(exponent)<<mantissaBits | mantissa&(1<<mantissaBits-1)), true
}

// parseSlow parses any decimal, with a Fortran exponent (1.5D3) too. Unlike
// strconv it knows no infinity, no hexadecimals and no underscores.
func parseSlow(s []byte) (float64, error) {
	buf := make([]byte, 0, 32)
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
			buf = append(buf, c)
		case c == 'd' || c == 'D':
			buf = append(buf, 'e')
		default:
			return 0, fmt.Errorf("expected a number, found %q", clip(s))
		}
	}
	v, err := strconv.ParseFloat(string(buf), 64)
	switch {
	case err != nil && math.IsInf(v, 0):
		return 0, fmt.Errorf("number %q is beyond the range of a float64", clip(s))
	case err != nil:
		return 0, fmt.Errorf("expected a number, found %q", clip(s))
	}
	return v, nil
}

// parseBound is parseNumber that knows infinite bounds by name too.
func parseBound(s []byte) (float64, error) {
	if len(s) > 0 {
		sign, t := 1, s
		if s[0] == '-' || s[0] == '+' {
			if s[0] == '-' {
				sign = -1
			}
			t = s[1:]
		}
		if equalFold(t, "INF") || equalFold(t, "INFINITY") {
			return math.Inf(sign), nil
		}
	}
	return parseNumber(s)
}
