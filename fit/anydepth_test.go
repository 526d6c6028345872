package fit_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/tree"
)

// TestAnyDepth: without a limit on the depth, with prices, limits on splits and least leaves, the
// optimum is that of all trees. Five points need no more than four levels.
func TestAnyDepth(t *testing.T) {
	limited := 0
	for seed := range datatest.Some(400) {
		rng := rand.New(rand.NewPCG(uint64(seed), 39))
		ds := datatest.Tied(rng, 1, 3)
		if rng.IntN(6) == 0 {
			for i := range ds.Weight {
				ds.Weight[i] = []float64{1e-9, 1e-6, 1, 1e6}[rng.IntN(4)]
			}
		}
		m := &problem.OCT{}
		m.Depth, m.MinLeaf = problem.NoDepth, []float64{1, 1, 2}[rng.IntN(3)]
		m.Alpha, m.MaxSplits = []float64{0, 0.02, 0.1, 0.3}[rng.IntN(4)], rng.IntN(4)
		if m.Alpha == 0 && m.MaxSplits == 0 {
			m.MaxSplits = 4
		}
		least, splits := treetest.Least(ds, nil, 4, m.MinLeaf), 4
		if m.MaxSplits > 0 {
			splits = m.MaxSplits
		}
		scale := tree.ErrorScale(ds)
		want := treetest.Optimum(least, splits, m.Alpha*scale) / scale
		if math.IsInf(want, 1) {
			continue
		}
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if res.Status != "optimal" || res.Objective != nil && math.Abs(*res.Objective-want) > 1e-9*max(1e-6, want) {
			t.Fatalf("seed %d: %s, objective %v, want %v; %+v\n%s", seed, res.Status, *res.Objective, want, m.Shape, res.Tree)
		}
		if res.Tree.Splits() == m.MaxSplits {
			limited++
		}
	}
	if limited == 0 {
		t.Error("no limit on splits was reached")
	}
}
