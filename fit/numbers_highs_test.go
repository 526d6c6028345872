//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	_ "github.com/octgen/octgen/solvers/highs"
)

// TestNumbersModel: the model of a quantile has the optimum of the search, started or not.
func TestNumbersModel(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := drawNumbers(t, 8)
		if ds.Quantile == 0 {
			ds.Quantile = 0.3
		}
		m := &problem.ORT{}
		m.Depth, m.MinLeaf = problem.Depth(rapid.IntRange(1, 2).Draw(t, "depth")), float64(rapid.IntRange(1, 2).Draw(t, "leaf"))
		m.MaxSplits, m.Alpha = rapid.IntRange(0, 2).Draw(t, "splits"), rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "alpha")
		if rapid.Bool().Draw(t, "constrained") {
			m.MaxFeatures, m.FeatureCost, m.Forbid = rapid.IntRange(0, 2).Draw(t, "features"), []string{"b=0.1"}, []string{"c"}
		}
		best, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		for _, start := range []string{"none", "cart", "auto"} {
			res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.MIO, Start: start, Solver: "highs"})
			if err != nil {
				t.Fatal(err)
			}
			if res.Status != "optimal" || math.Abs(*res.Objective-*best.Objective) > 1e-6 {
				t.Fatalf("start %s: %s, %v, want %v", start, res.Status, *res.Objective, *best.Objective)
			}
		}
	})
}
