//go:build cgo && !nohighs

package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// heavier is the instance with some rows so heavy that solvers can hardly tell the
// others apart, or not at all, and sometimes a price of splits as small.
func (in *instance) heavier(rng *rand.Rand) *instance {
	h := *in
	h.w, h.limit = slices.Clone(in.w), 5*time.Second // which solvers that go round in circles need
	times := []float64{1e4, 1e5, 1e6, 1e7, 1e8, 1e10, 1e13}[rng.IntN(7)]
	for i := range h.w {
		if rng.IntN(3) == 0 {
			h.w[i] *= times
		}
	}
	if rng.IntN(3) == 0 {
		h.alpha = []float64{1e-7, 1e-6, 1e-5}[rng.IntN(3)]
	}
	return &h
}

// fine is the least difference of two objectives that matters.
func (in *instance) fine() float64 {
	unit := slices.Min(in.w) / in.baseline()
	if in.alpha > 0 {
		unit = min(unit, in.alpha)
	}
	return unit
}

// TestHeavyRows: with weights of any ratio an optimum is one and a bound is one, to a
// part of the least weight; and there is a tree within the limits. Solvers' tolerances
// of 1e-6 once decided what differences of 1e-7 are.
func TestHeavyRows(t *testing.T) {
	cases := 40
	if long() {
		cases = 2000
	}
	first := uint64(fromEnvironment(t, "OCTGEN_SEED", 1))<<32 | 5<<29
	for _, e := range []engine{search, threshold, bigM, indicator, octH} {
		t.Run(string(e), func(t *testing.T) {
			for i := range cases {
				in := draw(e, first+uint64(i))
				in = in.heavier(rand.New(rand.NewPCG(in.seed, 5)))
				if in.baseline() == 0 || in.constant() || !enough(in.total(), in.minLeaf) {
					continue
				}
				a := in.solve()
				if a.err != nil || a.problem != "" || a.nodes == nil {
					t.Errorf("error %v, check %q\n%v", a.err, a.problem, in)
					continue
				}
				if v := in.judgeTree(a); v.kind == wrong {
					t.Errorf("%s\n%v", v.text, in)
				}
				lowest, optimum := in.optimum()
				tolerance := max(0.2*in.fine(), 1e-9*optimum)
				if a.status == "optimal" && math.Abs(a.value-optimum) > tolerance {
					t.Errorf("optimal: %v; the optimum is %v\n%v", a.value, optimum, in)
				}
				if a.bound > lowest+tolerance {
					t.Errorf("bound %v; the optimum is %v\n%v", a.bound, lowest, in)
				}
			}
		})
	}
}
