package vertex

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/internal/datatest"
	"pgregory.net/rapid"
)

// TestLimitedFeatures: at most nu features, no error below that of the best subset of them, and, with
// all features, RLP's; the errors are those of the tree.
func TestLimitedFeatures(t *testing.T) {
	ctx := context.Background()
	optimal, cases := 0, 0
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 25, 4, 2)
		nu, eps := rapid.IntRange(1, 4).Draw(t, "nu"), rapid.SampledFrom([]float64{0, 0.02}).Draw(t, "eps")
		res, err := LimitedFeatures(ctx, ds, LimitedOptions{Nu: nu, Eps: eps})
		if errors.Is(err, formulate.ErrSingleLeaf) {
			t.Skip("one class")
		}
		if err != nil {
			t.Fatal(err)
		}
		if n := len(res.Tree.FeaturesUsed()); n > nu || n != res.Features {
			t.Fatalf("%d features in the tree, %d said, nu is %d", n, res.Features, nu)
		}
		best := math.Inf(1)
		for set := 1; set < 1<<ds.P(); set++ {
			if bits.OnesCount(uint(set)) > nu {
				continue
			}
			var features []int
			for j := range ds.P() {
				if set>>j&1 == 1 {
					features = append(features, j)
				}
			}
			r, err := RLP(ctx, ds.WithFeatures(features), RLPOptions{Eps: eps})
			if errors.Is(err, formulate.ErrSingleLeaf) { // all of them are constant
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			best = min(best, r.Objective)
		}
		if res.Error < best-1e-6 {
			t.Fatalf("error %v is below that of the best subset, %v", res.Error, best)
		}
		if nu >= ds.P() && res.Error > best+1e-6 {
			t.Fatalf("error %v with all features, RLP has %v", res.Error, best)
		}
		if cases++; res.Error <= best+1e-6 {
			optimal++
		}
	})
	if optimal*2 < cases {
		t.Errorf("the best subset in %d of %d cases", optimal, cases)
	}
}
