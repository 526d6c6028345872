package mps

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

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

// Powers of ten with exponents in [minPow, maxPow] have an entry in powers:
// enough for the shortest decimals of all magnitudes from 1e-47 to 1e47.
const (
	minPow = -64
	maxPow = 64

	minExactPow = 0 // powers in [minExactPow, maxExactPow] have 128 bits or fewer
	maxExactPow = 55
)

// uint128 is hi x 2^64 + lo.
type uint128 struct{ hi, lo uint64 }

// powers holds 10^e, scaled by the power of two that makes it an integer of 128
// bits and rounded up, at index e-minPow. TestPowers computes it again.
var powers = [maxPow - minPow + 1]uint128{
	{0xa87fea27a539e9a5, 0x3f2398d747b36225}, // -64
	{0xd29fe4b18e88640e, 0x8eec7f0d19a03aae}, // -63
	{0x83a3eeeef9153e89, 0x1953cf68300424ad}, // -62
	{0xa48ceaaab75a8e2b, 0x5fa8c3423c052dd8}, // -61
	{0xcdb02555653131b6, 0x3792f412cb06794e}, // -60
	{0x808e17555f3ebf11, 0xe2bbd88bbee40bd1}, // -59
	{0xa0b19d2ab70e6ed6, 0x5b6aceaeae9d0ec5}, // -58
	{0xc8de047564d20a8b, 0xf245825a5a445276}, // -57
	{0xfb158592be068d2e, 0xeed6e2f0f0d56713}, // -56
	{0x9ced737bb6c4183d, 0x55464dd69685606c}, // -55
	{0xc428d05aa4751e4c, 0xaa97e14c3c26b887}, // -54
	{0xf53304714d9265df, 0xd53dd99f4b3066a9}, // -53
	{0x993fe2c6d07b7fab, 0xe546a8038efe402a}, // -52
	{0xbf8fdb78849a5f96, 0xde98520472bdd034}, // -51
	{0xef73d256a5c0f77c, 0x963e66858f6d4441}, // -50
	{0x95a8637627989aad, 0xdde7001379a44aa9}, // -49
	{0xbb127c53b17ec159, 0x5560c018580d5d53}, // -48
	{0xe9d71b689dde71af, 0xaab8f01e6e10b4a7}, // -47
	{0x9226712162ab070d, 0xcab3961304ca70e9}, // -46
	{0xb6b00d69bb55c8d1, 0x3d607b97c5fd0d23}, // -45
	{0xe45c10c42a2b3b05, 0x8cb89a7db77c506b}, // -44
	{0x8eb98a7a9a5b04e3, 0x77f3608e92adb243}, // -43
	{0xb267ed1940f1c61c, 0x55f038b237591ed4}, // -42
	{0xdf01e85f912e37a3, 0x6b6c46dec52f6689}, // -41
	{0x8b61313bbabce2c6, 0x2323ac4b3b3da016}, // -40
	{0xae397d8aa96c1b77, 0xabec975e0a0d081b}, // -39
	{0xd9c7dced53c72255, 0x96e7bd358c904a22}, // -38
	{0x881cea14545c7575, 0x7e50d64177da2e55}, // -37
	{0xaa242499697392d2, 0xdde50bd1d5d0b9ea}, // -36
	{0xd4ad2dbfc3d07787, 0x955e4ec64b44e865}, // -35
	{0x84ec3c97da624ab4, 0xbd5af13bef0b113f}, // -34
	{0xa6274bbdd0fadd61, 0xecb1ad8aeacdd58f}, // -33
	{0xcfb11ead453994ba, 0x67de18eda5814af3}, // -32
	{0x81ceb32c4b43fcf4, 0x80eacf948770ced8}, // -31
	{0xa2425ff75e14fc31, 0xa1258379a94d028e}, // -30
	{0xcad2f7f5359a3b3e, 0x096ee45813a04331}, // -29
	{0xfd87b5f28300ca0d, 0x8bca9d6e188853fd}, // -28
	{0x9e74d1b791e07e48, 0x775ea264cf55347e}, // -27
	{0xc612062576589dda, 0x95364afe032a819e}, // -26
	{0xf79687aed3eec551, 0x3a83ddbd83f52205}, // -25
	{0x9abe14cd44753b52, 0xc4926a9672793543}, // -24
	{0xc16d9a0095928a27, 0x75b7053c0f178294}, // -23
	{0xf1c90080baf72cb1, 0x5324c68b12dd6339}, // -22
	{0x971da05074da7bee, 0xd3f6fc16ebca5e04}, // -21
	{0xbce5086492111aea, 0x88f4bb1ca6bcf585}, // -20
	{0xec1e4a7db69561a5, 0x2b31e9e3d06c32e6}, // -19
	{0x9392ee8e921d5d07, 0x3aff322e62439fd0}, // -18
	{0xb877aa3236a4b449, 0x09befeb9fad487c3}, // -17
	{0xe69594bec44de15b, 0x4c2ebe687989a9b4}, // -16
	{0x901d7cf73ab0acd9, 0x0f9d37014bf60a11}, // -15
	{0xb424dc35095cd80f, 0x538484c19ef38c95}, // -14
	{0xe12e13424bb40e13, 0x2865a5f206b06fba}, // -13
	{0x8cbccc096f5088cb, 0xf93f87b7442e45d4}, // -12
	{0xafebff0bcb24aafe, 0xf78f69a51539d749}, // -11
	{0xdbe6fecebdedd5be, 0xb573440e5a884d1c}, // -10
	{0x89705f4136b4a597, 0x31680a88f8953031}, // -9
	{0xabcc77118461cefc, 0xfdc20d2b36ba7c3e}, // -8
	{0xd6bf94d5e57a42bc, 0x3d32907604691b4d}, // -7
	{0x8637bd05af6c69b5, 0xa63f9a49c2c1b110}, // -6
	{0xa7c5ac471b478423, 0x0fcf80dc33721d54}, // -5
	{0xd1b71758e219652b, 0xd3c36113404ea4a9}, // -4
	{0x83126e978d4fdf3b, 0x645a1cac083126ea}, // -3
	{0xa3d70a3d70a3d70a, 0x3d70a3d70a3d70a4}, // -2
	{0xcccccccccccccccc, 0xcccccccccccccccd}, // -1
	{0x8000000000000000, 0x0000000000000000}, // 0
	{0xa000000000000000, 0x0000000000000000}, // 1
	{0xc800000000000000, 0x0000000000000000}, // 2
	{0xfa00000000000000, 0x0000000000000000}, // 3
	{0x9c40000000000000, 0x0000000000000000}, // 4
	{0xc350000000000000, 0x0000000000000000}, // 5
	{0xf424000000000000, 0x0000000000000000}, // 6
	{0x9896800000000000, 0x0000000000000000}, // 7
	{0xbebc200000000000, 0x0000000000000000}, // 8
	{0xee6b280000000000, 0x0000000000000000}, // 9
	{0x9502f90000000000, 0x0000000000000000}, // 10
	{0xba43b74000000000, 0x0000000000000000}, // 11
	{0xe8d4a51000000000, 0x0000000000000000}, // 12
	{0x9184e72a00000000, 0x0000000000000000}, // 13
	{0xb5e620f480000000, 0x0000000000000000}, // 14
	{0xe35fa931a0000000, 0x0000000000000000}, // 15
	{0x8e1bc9bf04000000, 0x0000000000000000}, // 16
	{0xb1a2bc2ec5000000, 0x0000000000000000}, // 17
	{0xde0b6b3a76400000, 0x0000000000000000}, // 18
	{0x8ac7230489e80000, 0x0000000000000000}, // 19
	{0xad78ebc5ac620000, 0x0000000000000000}, // 20
	{0xd8d726b7177a8000, 0x0000000000000000}, // 21
	{0x878678326eac9000, 0x0000000000000000}, // 22
	{0xa968163f0a57b400, 0x0000000000000000}, // 23
	{0xd3c21bcecceda100, 0x0000000000000000}, // 24
	{0x84595161401484a0, 0x0000000000000000}, // 25
	{0xa56fa5b99019a5c8, 0x0000000000000000}, // 26
	{0xcecb8f27f4200f3a, 0x0000000000000000}, // 27
	{0x813f3978f8940984, 0x4000000000000000}, // 28
	{0xa18f07d736b90be5, 0x5000000000000000}, // 29
	{0xc9f2c9cd04674ede, 0xa400000000000000}, // 30
	{0xfc6f7c4045812296, 0x4d00000000000000}, // 31
	{0x9dc5ada82b70b59d, 0xf020000000000000}, // 32
	{0xc5371912364ce305, 0x6c28000000000000}, // 33
	{0xf684df56c3e01bc6, 0xc732000000000000}, // 34
	{0x9a130b963a6c115c, 0x3c7f400000000000}, // 35
	{0xc097ce7bc90715b3, 0x4b9f100000000000}, // 36
	{0xf0bdc21abb48db20, 0x1e86d40000000000}, // 37
	{0x96769950b50d88f4, 0x1314448000000000}, // 38
	{0xbc143fa4e250eb31, 0x17d955a000000000}, // 39
	{0xeb194f8e1ae525fd, 0x5dcfab0800000000}, // 40
	{0x92efd1b8d0cf37be, 0x5aa1cae500000000}, // 41
	{0xb7abc627050305ad, 0xf14a3d9e40000000}, // 42
	{0xe596b7b0c643c719, 0x6d9ccd05d0000000}, // 43
	{0x8f7e32ce7bea5c6f, 0xe4820023a2000000}, // 44
	{0xb35dbf821ae4f38b, 0xdda2802c8a800000}, // 45
	{0xe0352f62a19e306e, 0xd50b2037ad200000}, // 46
	{0x8c213d9da502de45, 0x4526f422cc340000}, // 47
	{0xaf298d050e4395d6, 0x9670b12b7f410000}, // 48
	{0xdaf3f04651d47b4c, 0x3c0cdd765f114000}, // 49
	{0x88d8762bf324cd0f, 0xa5880a69fb6ac800}, // 50
	{0xab0e93b6efee0053, 0x8eea0d047a457a00}, // 51
	{0xd5d238a4abe98068, 0x72a4904598d6d880}, // 52
	{0x85a36366eb71f041, 0x47a6da2b7f864750}, // 53
	{0xa70c3c40a64e6c51, 0x999090b65f67d924}, // 54
	{0xd0cf4b50cfe20765, 0xfff4b4e3f741cf6d}, // 55
	{0x82818f1281ed449f, 0xbff8f10e7a8921a5}, // 56
	{0xa321f2d7226895c7, 0xaff72d52192b6a0e}, // 57
	{0xcbea6f8ceb02bb39, 0x9bf4f8a69f764491}, // 58
	{0xfee50b7025c36a08, 0x02f236d04753d5b5}, // 59
	{0x9f4f2726179a2245, 0x01d762422c946591}, // 60
	{0xc722f0ef9d80aad6, 0x424d3ad2b7b97ef6}, // 61
	{0xf8ebad2b84e0d58b, 0xd2e0898765a7deb3}, // 62
	{0x9b934c3b330c8577, 0x63cc55f49f88eb30}, // 63
	{0xc2781f49ffcfa6d5, 0x3cbf6b71c76b25fc}, // 64
}
