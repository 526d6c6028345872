package treesearch

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

func randomOptions(t *rapid.T, maxDepth int) Options {
	on := rapid.Bool()
	return Options{
		Depth:     rapid.IntRange(1, maxDepth).Draw(t, "depth"),
		Alpha:     rapid.SampledFrom([]float64{0, 0, 0.01, 0.1, 0.3, 1, 2}).Draw(t, "alpha"),
		MinLeaf:   rapid.SampledFrom([]float64{0, 0, 1, 1.5, 2, 3, 5}).Draw(t, "least leaf"),
		MaxSplits: rapid.SampledFrom([]int{0, 0, 1, 2, 3, 4, 5, 6}).Draw(t, "most splits"),
		Workers:   rapid.IntRange(0, 2).Draw(t, "workers"),
		Rules: Rules{
			NoMonotone: on.Draw(t, "no monotone"), NoSimilar: on.Draw(t, "no similar"), NoWhole: on.Draw(t, "no whole"),
			NoPoints: on.Draw(t, "no points"), NoClasses: on.Draw(t, "no classes"), NoTarget: on.Draw(t, "no target"), NoCache: on.Draw(t, "no cache"),
		},
		scalar: on.Draw(t, "scalar"),
	}
}

// checkBruteForce compares Solve with every tree there is.
func checkBruteForce(t *rapid.T, ds *dataset.Dataset, o Options) {
	total := 0.0
	rows := make([]int, ds.N())
	for i, w := range ds.Weight {
		total += w
		rows[i] = i
	}
	if o.MinLeaf > total {
		o.MinLeaf = total
	}
	scale := tree.ErrorScale(ds)
	splits, _ := o.budget()
	want := bruteForce(ds, rows, o.Depth, splits, o.Alpha*scale, o.MinLeaf) / scale
	r, err := Solve(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	tol := 1e-8 * max(1, total)
	if math.Abs(r.Objective-want) > tol {
		t.Fatalf("objective %v, brute force %v\n%v", r.Objective, want, r.Tree)
	}
	if r.Status != mio.Optimal || math.Abs(r.Bound-want) > tol || r.Gap > tol {
		t.Fatalf("status %v, bound %v, gap %v; objective %v", r.Status, r.Bound, r.Gap, want)
	}
	if err := r.Tree.Validate(); err != nil {
		t.Fatal(err)
	}
	if !o.admits(r.Tree, ds, splits) {
		t.Fatalf("a tree outside the limits:\n%v", r.Tree)
	}
}

func TestBruteForce(t *testing.T) {
	for range 60 { // of 100 instances
		rapid.Check(t, func(t *rapid.T) {
			checkBruteForce(t, randomData(t, 9, 3, 4), randomOptions(t, 3))
		})
	}
}

// TestBruteForceDepthTwo has more rows: several batches and rounds a node, and
// values frequent enough for sweeps to pass over.
func TestBruteForceDepthTwo(t *testing.T) {
	for range 15 {
		rapid.Check(t, func(t *rapid.T) {
			checkBruteForce(t, randomData(t, 40, 3, 4), randomOptions(t, 2))
		})
	}
}
