//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"errors"
	"github.com/octgen/octgen/tree/constraint"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// withCosts gives the answers to each row costs of its own.
func withCosts(ds *dataset.Dataset, seed uint64) *dataset.Dataset {
	rng := rand.New(rand.NewPCG(seed, 19))
	for range ds.N() * ds.K() {
		ds.Cost = append(ds.Cost, float64(rng.IntN(7))/2)
	}
	return ds
}

// TestCostsSearchFirst: with costs and constraints, and no engine named, the search is
// first, and where it leaves a gap a program goes on from its tree with its bound.
func TestCostsSearchFirst(t *testing.T) {
	byProgram, bySearch := 0, 0
	for seed := range uint64(6) {
		ds, m := fiveLevels(t, seed)
		withCosts(ds, seed)
		search, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.Search})
		if err != nil {
			t.Fatal(err)
		}
		auto, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		if auto.Status != "optimal" || *auto.Objective > *search.Objective+1e-9 || *auto.Bound < *search.Bound-1e-9 || !auto.Constraints[0].Held {
			t.Errorf("seed %d: %s, %v of bound %v; the search alone has %v of bound %v", seed, auto.Status, *auto.Objective, *auto.Bound, *search.Objective, *search.Bound)
		}
		switch *auto.Prover {
		case "lagrangian":
			bySearch++
		case "solver":
			byProgram++
			if search.Status == "optimal" || auto.Engine != "mio" || auto.Search == nil {
				t.Errorf("seed %d: the search is %s; %s answers", seed, search.Status, auto.Engine)
			}
		}
	}
	t.Logf("%d proved by the search, %d by a program", bySearch, byProgram)
	if bySearch == 0 || byProgram == 0 {
		t.Error("one of the engines has no turn: the test is of nothing")
	}
}

// TestCostsEngines: programs and the search have one optimum under costs and constraints,
// or both none.
func TestCostsEngines(t *testing.T) {
	compared, infeasible := 0, 0
	for seed := range uint64(16) {
		ds, m := fiveLevels(t, seed)
		ds = withCosts(ds.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}), seed)
		switch seed % 4 {
		case 0:
			m.Rates = constraint.Rates{Share: []string{"c1<=0.3"}, Recall: []string{"c1>=0.4"}}
		case 1:
			m.Rates, m.LeafPurity = constraint.Rates{Precision: []string{"c0>=0.7"}}, 0.6
		case 2:
			m.Rates, m.MaxFeatures = constraint.Rates{Fair: []string{"statistical-parity:g@a,b<=0.1"}, Positive: "c1", Recall: []string{"c1>=0.7"}}, 1
		case 3:
			m.Rates, m.Monotone, m.ClassOrder = constraint.Rates{}, []string{"f0=+1"}, []string{"c0,c1"}
		}
		encoding := []string{"threshold", "flow", "bigm"}[seed%3]
		if m.Depth, m.MinLeaf = 1, 2; encoding == "threshold" {
			m.Depth = 2
		}
		want, wrong := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.Search})
		m.Encoding = encoding
		if wrong != nil && !errors.Is(wrong, fit.ErrInfeasible) {
			t.Fatal(wrong)
		}
		got, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Start: "none"})
		switch {
		case wrong != nil || err != nil:
			if !errors.Is(wrong, fit.ErrInfeasible) || !errors.Is(err, fit.ErrInfeasible) {
				t.Errorf("seed %d, %s: %v, the search %v", seed, m.Encoding, err, wrong)
			}
			infeasible++
		case want.Status != "optimal":
		case got.Status != "optimal" || math.Abs(*got.Objective-*want.Objective) > 1e-9:
			t.Errorf("seed %d, %s: %s with %v, the search has %v", seed, m.Encoding, got.Status, *got.Objective, *want.Objective)
		default:
			compared++
		}
	}
	t.Logf("%d compared, %d infeasible", compared, infeasible)
	if compared < 8 {
		t.Errorf("only %d data sets compared, %d infeasible", compared, infeasible)
	}
}

// TestCheapestLeaf: under constraints the constant tree to fall back on is the one that
// costs least, not that of the heaviest class.
func TestCheapestLeaf(t *testing.T) {
	ds, m := fiveLevels(t, 1)
	heavy := 0
	if w := ds.ClassWeights(); w[1] > w[0] {
		heavy = 1
	}
	for _, y := range ds.Y {
		costs := []float64{100, 100}
		if costs[y] = 0; y == heavy {
			costs[1-y] = 1
		}
		ds.Cost = append(ds.Cost, costs...)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := fit.Run(ended, ds, fit.Options{Method: m, Engine: problem.Search})
	if err != nil || res.Tree.Nodes[0].Class == heavy {
		t.Errorf("%+v, %v", res, err)
	}
}
