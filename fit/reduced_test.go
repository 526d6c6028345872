package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio/verify"
)

// TestNoDecisionWithoutWeights: data of one plane leaves decisions below it nothing
// to do; the answer of a search has none whose weights only fill a place, and the
// errors and the objective of the tree that has them.
func TestNoDecisionWithoutWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	x, y := make([]float64, 0, 80), make([]int, 40)
	for i := range y {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		if a+b > 0 {
			y[i] = 1
		}
		x = append(x, a, b)
	}
	ds, err := dataset.New(x, y, []string{"a", "b"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	reduced := 0
	vertices := problem.Vertices{Structured: problem.Structured{Levels: problem.Levels{Depth: 2}}}
	for _, m := range []problem.Method{&problem.EPTS{Vertices: vertices}, &problem.FrankWolfe{Vertices: vertices}} {
		name := m.Info().Name
		for seed := range 5 {
			o := Options{Method: m}
			o.Solve.Seed = seed
			res, err := Run(context.Background(), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			start := vertex.GTOStart{Depth: 2, Seed: uint64(seed)}
			var whole vertex.GTOResult
			if name == "epts" {
				r, err := vertex.EPTS(context.Background(), ds, vertex.EPTSOptions{GTOStart: start})
				if err != nil {
					t.Fatal(err)
				}
				whole = r.GTOResult
			} else {
				r, err := vertex.FrankWolfe(context.Background(), ds, vertex.FrankWolfeOptions{GTOStart: start})
				if err != nil {
					t.Fatal(err)
				}
				whole = r.GTOResult
			}
			if res.Tree.Splits() < whole.Tree.Splits() {
				reduced++
			}
			for i := range ds.N() {
				if got, want := res.Tree.Predict(ds.Row(i)), whole.Tree.Predict(ds.Row(i)); got != want || whole.Reduced.Predict(ds.Row(i)) != want {
					t.Fatalf("%s, row %d: class %d, with all decisions %d", name, i, got, want)
				}
			}
			if !verify.Near(*res.Train.Objective, whole.Objective) {
				t.Errorf("%s: objective %v, with all decisions %v", name, *res.Train.Objective, whole.Objective)
			}
			for _, n := range res.Tree.Nodes {
				if !n.Leaf() && len(n.Split.Terms) == 1 && math.Abs(n.Split.Terms[0].Weight) < 1e-10 {
					t.Errorf("%s: a decision without weights is left: %+v", name, n.Split)
				}
			}
		}
	}
	if reduced == 0 {
		t.Error("no tree had a decision without weights: the test tests nothing")
	}
}
