package ranges

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestAbove: the smallest value above a cutoff agrees with enumeration.
func TestAbove(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 12))
	for range 1000 {
		price, depth := []float64{0, 0.3, 0.5, 1, 2.25, math.Pi}[rng.IntN(6)], 1+rng.IntN(3)
		cut, want := 12*rng.Float64()-2, math.Inf(1)
		for errors := range 40 {
			for splits := range 1 << depth {
				if v := float64(errors) + float64(splits)*price; v > cut {
					want = min(want, v)
				}
			}
		}
		if got := above(cut, price, depth); math.Abs(got-want) > 1e-9 {
			t.Fatalf("above %v at the price %v and depth %d: %v, trying all has %v", cut, price, depth, got, want)
		}
	}
}
