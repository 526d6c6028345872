package mps

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
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

// The tables of reserved words hold no word longer than is looked up.
func TestReservedWords(t *testing.T) {
	for w := range reservedWords {
		if len(w) > longestReserved || legalName([]byte(w)) {
			t.Errorf("%s is legal in MPS files", w)
		}
	}
	for w := range reservedLPWords {
		if len(w) > longestLPReserved || legalLPName([]byte(w)) || legalLPName(bytes.ToUpper([]byte(w))) {
			t.Errorf("%s is legal in LP files", w)
		}
	}
}
