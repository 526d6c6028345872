//go:build cgo && !nohighs

package study

import (
	"math"
	"testing"
)

// TestLocalSearchKeepsOptimum: local search among hyperplanes ends no worse than its
// start, an optimal tree with a little more margin.
func TestLocalSearchKeepsOptimum(t *testing.T) {
	tried := 0
	for seed := range uint64(60) {
		in := draw(octH, seed)
		if in.baseline() == 0 || in.constant() || !enough(in.total(), in.minLeaf) {
			continue
		}
		wider := *in
		wider.mu *= 1.01
		best := wider.solve()
		if best.err != nil || best.nodes == nil || in.walk(best).margin < in.mu*1.005 {
			continue
		}
		tried++
		objective := func(f figures) float64 { return f.errors/in.baseline() + in.alpha*float64(f.complexity) }
		want, got := in.walk(best), in.walk(in.localSearch(t, best.nodes, 200_000))
		if v := objective(got); v > objective(want)+1e-9 || got.margin < in.mu-1e-9 || math.IsNaN(v) {
			t.Errorf("objective %v, margin %v; the start has %v, margin %v\n%v", v, got.margin, objective(want), want.margin, in)
		}
	}
	if tried < 25 {
		t.Errorf("%d starts only", tried)
	}
}
