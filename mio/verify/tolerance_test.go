package verify_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/mio/verify"
)

// TestInfinite: no bound, minus infinity, agrees with no figure, so that it can become
// none.
func TestInfinite(t *testing.T) {
	none := math.Inf(-1)
	for _, v := range []float64{0, 6, -3, math.Inf(1)} {
		if verify.Same(none, v) || verify.Same(v, none) || verify.Near(none, v) || verify.Near(v, none) {
			t.Errorf("%v agrees with %v", none, v)
		}
	}
	if !verify.Same(none, none) || !verify.Near(none, none) {
		t.Errorf("%v does not agree with itself", none)
	}
}

// TestSumError: the bound holds for parts that are the difference of two sums of numbers
// far apart, against exact arithmetic.
func TestSumError(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 2 + random.IntN(300)
		all, left, size := 0.0, 0.0, 0.0
		exact := new(big.Float).SetPrec(2000)
		for i := range n {
			v := random.Float64() * math.Pow(10, float64(random.IntN(31)-15))
			all += v
			size += v
			if i%3 == 0 {
				left += v
			} else {
				exact.Add(exact, big.NewFloat(v))
			}
		}
		off, _ := new(big.Float).Sub(exact, big.NewFloat(all-left)).Float64()
		if math.Abs(off) > verify.SumError(n, size) {
			t.Errorf("%d numbers of %g: off by %g, bound %g", n, size, off, verify.SumError(n, size))
		}
	}
}

// TestNegligible: an error counts beside what a tree pays, whatever the scale.
func TestNegligible(t *testing.T) {
	for _, c := range []struct {
		off, terms float64
		want       bool
	}{{0, 0, true}, {1e-300, 0, false}, {1e-310, 1e-300, true}, {1e-3, 1e5, false}, {1e-5, 1e5, true}} {
		if got := verify.Negligible(c.off, c.terms); got != c.want {
			t.Errorf("%g beside %g: %v", c.off, c.terms, got)
		}
	}
}
