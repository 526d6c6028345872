package cart

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// costly draws data with prediction costs.
func costly(t *rapid.T, maxRows, maxClasses int) *dataset.Dataset {
	ds := datatest.Random(t, maxRows, 3, maxClasses)
	for range ds.N() * ds.K() {
		ds.Cost = append(ds.Cost, float64(rapid.IntRange(0, 8).Draw(t, "cost"))/4)
	}
	return ds
}

// TestCostsOfTwoClasses: growing by altered priors equals growing on rows of the cheaper class with
// the cost difference as weight, and the leaves predict the cheapest class.
func TestCostsOfTwoClasses(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := costly(t, 25, 2)
		o := Options{
			Criterion: rapid.SampledFrom([]tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification}).Draw(t, "criterion"),
			MaxDepth:  rapid.IntRange(1, 3).Draw(t, "depth"),
		}
		got := mustGrow(t, ds, o)
		two := ds.AsClassification()
		if two.N() == 0 {
			if got.Splits() > 0 {
				t.Fatalf("all answers cost the same, yet\n%v", got)
			}
			return
		}
		want := mustGrow(t, two, o)
		// rows with equal costs may move thresholds, but no other row
		for i := range two.N() {
			if a, b := got.Predict(two.Row(i)), want.Predict(two.Row(i)); a != b && loss(ds, got) != loss(ds, want) {
				t.Fatalf("row %d: %d, on weighted rows %d\n%v\n%v", i, a, b, got, want)
			}
		}
	})
}

func loss(ds *dataset.Dataset, t *tree.Tree) float64 { return t.Evaluate(ds).Excess }

// TestCostsOfGrowing: leaves are heavy enough, splits are greedy for the altered weights, and every
// node predicts its cheapest class.
func TestCostsOfGrowing(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := costly(t, 20, 4)
		o := Options{MaxDepth: rapid.IntRange(1, 3).Draw(t, "depth"), MinLeaf: float64(rapid.IntRange(0, 8).Draw(t, "minLeaf")) / 4}
		got := mustGrow(t, ds, o)
		relabelled := got.Clone()
		relabelled.Relabel(ds)
		if diff := cmp.Diff(relabelled, got); diff != "" {
			t.Fatal(diff)
		}
		for i := range got.Nodes {
			n := &got.Nodes[i]
			weight := 0.0
			for _, w := range n.Weight {
				weight += w
			}
			if n.Leaf() && i > 0 && !tree.EnoughWeight(weight, o.MinLeaf) {
				t.Fatalf("leaf %d weighs %v, the minimum is %v", i, weight, o.MinLeaf)
			}
		}
		if n := &got.Nodes[0]; n.Split != nil {
			seen := ds.AlteredPriors()
			best := math.Inf(1)
			for j := range ds.P() {
				for i := range ds.N() {
					best = min(best, splitLoss(ds, seen, tree.Univariate(j, ds.At(i, j)), o.MinLeaf))
				}
			}
			if own := splitLoss(ds, seen, n.Split, o.MinLeaf); own > best+1e-9 {
				t.Fatalf("the root's split has the loss %v, the best %v", own, best)
			}
		}
	})
}

// splitLoss returns the Gini loss of a split, +Inf if a side is too light.
func splitLoss(ds, seen *dataset.Dataset, s *tree.Split, minLeaf float64) float64 {
	var class [2][]float64
	var leaf [2]float64
	class[0], class[1] = make([]float64, ds.K()), make([]float64, ds.K())
	for i := range ds.N() {
		side := 0
		if !s.Left(ds.Row(i)) {
			side = 1
		}
		class[side][seen.Y[i]] += seen.Weight[i]
		leaf[side] += ds.Weight[i]
	}
	if min(slices.Max(class[0]), slices.Max(class[1])) == 0 || !tree.EnoughWeight(min(leaf[0], leaf[1]), minLeaf) {
		return math.Inf(1)
	}
	return tree.Gini.Loss(class[0]) + tree.Gini.Loss(class[1])
}

// TestCostsOfPruning: with the costs of misclassification, weakest links, cross-validation and best
// subtrees are the same as without costs; with any costs, the best subtree is no worse than any
// other.
func TestCostsOfPruning(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 25, 3, 2)
		o := Options{MaxDepth: 3, Folds: 2, Seed: 1}
		if ds.N() < 2 {
			return
		}
		want := mustGrow(t, ds, o)
		ds.Cost = ds.Excess()
		if got := mustGrow(t, ds, o); !got.Equal(want) {
			t.Fatalf("with the costs of classification\n%v\nwithout\n%v", got, want)
		}
		ds = costly(t, 20, 3)
		grown := mustGrow(t, ds, Options{MaxDepth: 2})
		alpha := float64(rapid.IntRange(0, 4).Draw(t, "alpha")) / 8
		best := BestSubtree(ds, grown, alpha, -1, -1).Objective(ds, alpha)
		for set := range 1 << len(grown.Nodes) {
			pruned := grown.Prune(func(i int) bool { return set>>i&1 != 0 })
			if v := pruned.Objective(ds, alpha); v < best-1e-9 {
				t.Fatalf("the best subtree has the objective %v, another %v\n%v", best, v, pruned)
			}
		}
	})
}
