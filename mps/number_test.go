package mps

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every number must read back to the same bits, by our parser and strconv's,
// and the plain form must be strconv's.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	numbers := []float64{0, 1, -1, 0.5, 1e-5, -1e-5, 9.999999999999999e-6, 999999999999999.9, 1e15, 123.5, 100.25, 5e-324, math.MaxFloat64, 1e22, 1e23, 12345678.5}
	for range 200000 {
		numbers = append(numbers,
			rng.NormFloat64(),
			float64(rng.IntN(1e6))/float64(1+rng.IntN(1e6)),
			float64(rng.IntN(1e9))/1e4,
			math.Pow(10, rng.Float64()*22-6),
			math.Float64frombits(rng.Uint64()))
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		s := make([]byte, numberRoom)
		s = s[:putNumber(s, v)]
		if len(s) > maxNumber {
			t.Fatalf("%v: %q has %d characters", v, s, len(s))
		}
		if got, err := parseNumber(s); err != nil || got != v {
			t.Fatalf("%v was written %q and read %v, %v", v, s, got, err)
		}
		if got, err := strconv.ParseFloat(string(s), 64); err != nil || got != v {
			t.Fatalf("%v was written %q and read by strconv as %v, %v", v, s, got, err)
		}
		if a := math.Abs(v); 1e-5 <= a && a < 1e15 {
			if want := strconv.FormatFloat(v, 'f', -1, 64); string(s) != want {
				t.Fatalf("%q, want %q", s, want)
			}
		}
		for _, text := range []string{strconv.FormatFloat(v, 'g', 12, 64), strconv.FormatFloat(v, 'f', 3, 64)} {
			want, _ := strconv.ParseFloat(text, 64)
			if got, err := parseNumber([]byte(text)); err != nil || got != want {
				t.Fatalf("%q was read as %v, %v; want %v", text, got, err, want)
			}
		}
	}
}

// The table of powers, computed again with integers of any size.
func TestPowers(t *testing.T) {
	for k, p := range powers {
		e := int64(minPow + k)
		n, d := big.NewInt(1), big.NewInt(1)
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(e, -e)), nil)
		if e < 0 {
			d = ten
		} else {
			n = ten
		}
		shift := 128 + d.BitLen() - n.BitLen()
		want, rest := scaled(n, d, shift)
		if want.BitLen() < 128 {
			want, rest = scaled(n, d, shift+1)
		} else if want.BitLen() > 128 {
			want, rest = scaled(n, d, shift-1)
		}
		got := new(big.Int).SetUint64(p.hi)
		got.Add(got.Lsh(got, 64), new(big.Int).SetUint64(p.lo))
		if rest {
			want.Add(want, big.NewInt(1))
		}
		if got.Cmp(want) != 0 {
			t.Errorf("10^%d is %x, want %x", e, got, want)
		}
		if exact := minExactPow <= e && e <= maxExactPow; exact == rest {
			t.Errorf("10^%d: the table is exact: %v; want %v", e, !rest, exact)
		}
		if rest && p.lo == 0 {
			t.Errorf("10^%d: rounding up carries into the high word", e)
		}
	}
}

// scaled returns floor(n/d x 2^shift) and whether something was cut off.
func scaled(n, d *big.Int, shift int) (*big.Int, bool) {
	if shift >= 0 {
		n = new(big.Int).Lsh(n, uint(shift))
	} else {
		d = new(big.Int).Lsh(d, uint(-shift))
	}
	q, r := new(big.Int).QuoRem(n, d, new(big.Int))
	return q, r.Sign() != 0
}

// Every number must be written as strconv writes it, the exponent's form aside,
// and be read by our parser to the same bits.
func TestShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := 1_000_000
	if os.Getenv("OCTGEN_LONG") != "" {
		n = 400_000_000
	}
	var b [numberRoom]byte
	for k := range n {
		v := numberOfKind(rng, k)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		checkNumber(t, b[:], v)
		checkNumber(t, b[:], -v)
		if t.Failed() {
			return
		}
	}
}

// numberOfKind draws one of the kinds of numbers that go different ways.
func numberOfKind(rng *rand.Rand, k int) float64 {
	switch k % 8 {
	case 0:
		return math.Float64frombits(rng.Uint64())
	case 1: // any bits within the table
		return math.Float64frombits(uint64(1023-160+rng.IntN(320))<<52 | rng.Uint64()>>12)
	case 2: // powers of two, and near them
		return math.Float64frombits(uint64(1023-160+rng.IntN(320))<<52 + uint64(rng.IntN(5)-2))
	case 3: // near powers of ten, where the form changes
		return math.Float64frombits(math.Float64bits(math.Pow10(rng.IntN(40)-20)) + uint64(rng.IntN(9)-4))
	case 4: // few digits
		return float64(rng.IntN(1e7)) / math.Pow10(rng.IntN(12))
	case 5: // ranks
		return float64(rng.IntN(1e4)) / float64(1+rng.IntN(1e4))
	case 6: // ends in many zeros or nines
		return float64(1+rng.IntN(1000)) + float64(rng.IntN(3)-1)*math.Pow10(-rng.IntN(16))
	}
	return rng.NormFloat64()
}

func checkNumber(t *testing.T, b []byte, v float64) {
	n := putNumber(b, v)
	var buf [32]byte
	want := buf[:0]
	if a := math.Abs(v); v == 0 || minPlain <= a && a < maxPlain {
		want = strconv.AppendFloat(want, v+0, 'f', -1, 64)
	} else {
		want = appendScientific(want, v)
	}
	if v == 0 {
		want = append(want[:0], '0')
	}
	if string(b[:n]) != string(want) {
		t.Errorf("%x was written %s, want %s", math.Float64bits(v), b[:n], want)
	}
	if got, err := parseNumber(b[:n]); err != nil || got != v {
		t.Errorf("%s was read as %v, %v", b[:n], got, err)
	}
}

// Decimals that are no shortest ones, exactly halfway or of any length, must be
// read as strconv reads them.
func TestParseNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	n := 300_000
	if os.Getenv("OCTGEN_LONG") != "" {
		n = 100_000_000
	}
	for k := range n {
		text := decimalOfKind(rng, k)
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue // beyond the range
		}
		if got, err := parseNumber([]byte(text)); err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s was read as %v, %v; want %v", text, got, err, want)
		}
	}
}

func decimalOfKind(rng *rand.Rand, k int) string {
	v := numberOfKind(rng, k/8)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	switch k % 8 {
	case 0:
		return strconv.FormatFloat(v, 'e', rng.IntN(25), 64)
	case 1:
		return strconv.FormatFloat(math.Mod(v, 1e20), 'f', rng.IntN(30), 64)
	case 2: // halfway between two integers above 2^53
		return strconv.FormatUint(1<<(53+rng.UintN(10))+rng.Uint64N(1<<53)|1, 10)
	case 3:
		return strconv.FormatUint(rng.Uint64()>>rng.IntN(60), 10) + "e" + strconv.Itoa(rng.IntN(140)-70)
	case 4:
		return strings.Repeat("0", rng.IntN(30)) + "." + strings.Repeat("0", rng.IntN(30)) + strconv.FormatUint(rng.Uint64(), 10)
	case 5:
		return strconv.FormatUint(rng.Uint64(), 10) + strings.Repeat("0", rng.IntN(5)) + "." + strconv.FormatUint(rng.Uint64(), 10)
	case 6: // a multiple of a power of five: halfway cases with negative exponents
		return strconv.FormatUint((1<<53+rng.Uint64N(1<<53))*2+1, 10) + "e-" + strconv.Itoa(rng.IntN(30))
	}
	return "+" + strconv.FormatFloat(math.Abs(v), 'g', -1, 64)
}
