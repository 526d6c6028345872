package tree_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// TestCosts: with the costs that classification has, a tree is worth what it is without;
// with any costs the labels are those of least cost, and merging rows changes nothing.
func TestCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 12).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "k")
		ds := &dataset.Dataset{Features: []string{"x"}, Classes: []string{"a", "b", "c", "d"}[:k]}
		for range n {
			ds.X = append(ds.X, float64(rapid.IntRange(0, 3).Draw(t, "x")))
			ds.Y = append(ds.Y, rapid.IntRange(0, k-1).Draw(t, "y"))
			ds.Weight = append(ds.Weight, float64(rapid.IntRange(1, 3).Draw(t, "w")))
			ds.Count = append(ds.Count, 1)
		}
		stump := tree.NewLeaf(ds, 0)
		stump.Grow(0, tree.Univariate(0, 1.5), 0, 0)
		stump.Relabel(ds)
		alpha := 0.25
		plain, without := stump.Evaluate(ds), stump.Objective(ds, alpha)
		if plain.Cost != plain.ErrorWeight || plain.Excess != plain.ErrorWeight {
			t.Fatalf("without costs: %+v", plain)
		}
		ds.Cost = ds.Excess()
		same := stump.Clone()
		same.Relabel(ds)
		if !same.Equal(stump) || same.Evaluate(ds) != plain || same.Objective(ds, alpha) != without {
			t.Fatalf("the costs of classification: %+v, without costs %+v", same.Evaluate(ds), plain)
		}

		for at := range ds.Cost {
			ds.Cost[at] = float64(rapid.IntRange(0, 5).Draw(t, "c"))
		}
		stump.Relabel(ds)
		got := stump.Evaluate(ds)
		best, least := math.Inf(1), 0.0
		for a := range k {
			for b := range k {
				cost := 0.0
				least = 0
				for i := range n {
					label := a
					if ds.X[i] >= 1.5 {
						label = b
					}
					cost += ds.CostsOf(i)[label]
					_, l := ds.CheapestClass(i)
					least += l
				}
				best = min(best, cost)
			}
		}
		if got.Cost != best || got.Excess != best-least {
			t.Fatalf("cost %v and excess %v; want %v and %v", got.Cost, got.Excess, best, best-least)
		}
		merged, _ := ds.Merge()
		if a, b := stump.Objective(ds, alpha), stump.Objective(merged, alpha); a != b {
			t.Fatalf("objective %v; of merged rows %v", a, b)
		}
		leaf := stump.Prune(func(int) bool { return true })
		if want := got.Excess; ds.Baseline() < want || leaf.Evaluate(ds).Excess != ds.Baseline() {
			t.Fatalf("a leaf costs %v, the baseline is %v, the stump %v", leaf.Evaluate(ds).Excess, ds.Baseline(), want)
		}
	})
}
