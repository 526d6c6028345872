package mio

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// frozen returns b's model; the test fails where there is an error.
func frozen(tb testing.TB, b *Builder) *Model {
	tb.Helper()
	m, err := b.Model()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// wantError says that err must mention all the parts.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not mention %q", err, p)
		}
	}
}

// wantPanic says that f must panic with a message that mentions part.
func wantPanic(t *testing.T, part string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		switch r := recover().(type) {
		case nil:
			t.Errorf("no panic, want one with %q", part)
		case string:
			if !strings.Contains(r, part) {
				t.Errorf("panic %q does not mention %q", r, part)
			}
		}
	}()
	f()
}

// triplet is one call of Builder.Add.
type triplet struct {
	r, c int
	v    float64
}

// rapidTriplets draws coefficients in any order, with duplicates, zeros and
// cancelling pairs. Values are multiples of 1/4, so that sums are exact.
func rapidTriplets(t *rapid.T, rows, cols int) []triplet {
	if rows == 0 || cols == 0 {
		return nil
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) triplet {
		return triplet{
			rapid.IntRange(0, rows-1).Draw(t, "row"),
			rapid.IntRange(0, cols-1).Draw(t, "col"),
			float64(rapid.IntRange(-4, 4).Draw(t, "quarters")) / 4,
		}
	}), 0, 60).Draw(t, "coefficients")
}

// dense returns the matrix of the triplets, row-major.
func dense(rows, cols int, all []triplet) []float64 {
	a := make([]float64, rows*cols)
	for _, e := range all {
		a[e.r*cols+e.c] += e.v
	}
	return a
}

// exactDot returns offset + x·y without any rounding but the last.
func exactDot(offset float64, x, y []float64) float64 {
	s := new(big.Float).SetPrec(4000).SetFloat64(offset)
	for k := range x {
		p := new(big.Float).SetPrec(4000).SetFloat64(x[k])
		s.Add(s, p.Mul(p, new(big.Float).SetPrec(4000).SetFloat64(y[k])))
	}
	v, _ := s.Float64()
	return v
}

// ulps returns |a - b| in units of the last place of b.
func ulps(a, b float64) float64 {
	return math.Abs(a-b) / (math.Nextafter(math.Abs(b), Inf) - math.Abs(b))
}
