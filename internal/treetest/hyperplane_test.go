package treetest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestExactly: rational arithmetic agrees with the widest margin where that is clear, and tells two adjacent numbers apart.
func TestExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 4))
	yes := 0
	for range 500 {
		h := &Hyperplanes{Mu: []float64{0.0173, 0.1, 0.3}[rng.IntN(3)]}
		for range 5 {
			h.X = append(h.X, []float64{float64(rng.IntN(5)) / 4, rng.Float64()})
		}
		left, right, features := []int{0, 1}, []int{2, 3, 4}, 1+rng.IntN(3)
		most := h.widest(left, right, features)
		if math.Abs(most-h.Mu) < 1e-9 {
			continue
		}
		is := h.exactly(left, right, features)
		if is != (most >= h.Mu) {
			t.Errorf("%+v, features %d: %v, the widest margin is %v", h, features, is, most)
		}
		if is {
			yes++
		}
	}
	if yes < 50 {
		t.Errorf("%d of 500 have the margin", yes)
	}
	for mu, want := range map[float64]bool{0.5: true, math.Nextafter(0.5, 1): false} {
		h := &Hyperplanes{Mu: mu, X: [][]float64{{0, 0.25}, {0.5, 0.75}}}
		for features := 1; features < 4; features++ {
			if h.Divides(1, 2, features) != want {
				t.Errorf("margin %v, features %d: %v", mu, features, !want)
			}
		}
	}
}
