package exact

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
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
	o.Progress = func(p Progress) {
		if p.Bound > want+1e-9*total/scale || p.Objective < want-1e-9*total/scale {
			t.Fatalf("progress with objective %v and bound %v; brute force %v", p.Objective, p.Bound, want)
		}
	}
	r, err := Solve(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	tol := 1e-9 * total / scale
	if o.WorkLimit > 0 && r.Status == mio.Feasible {
		if r.Bound > want+tol || r.Objective < want-tol || r.Limit != mio.LimitIterations {
			t.Fatalf("objective %v, bound %v, limit %v; brute force %v", r.Objective, r.Bound, r.Limit, want)
		}
		return
	}
	if math.Abs(r.Objective-want) > tol {
		t.Fatalf("objective %v, brute force %v\n%v", r.Objective, want, r.Tree)
	}
	// beside a price of 1e-9 of all weight, what sums lose may be said to count
	blurred := o.Alpha > 0 && o.Alpha*scale < 1e-9*total && r.Status == mio.Feasible && r.Limit == mio.NoLimit
	if math.Abs(r.Bound-want) > tol || !blurred && (r.Status != mio.Optimal || r.Gap > tol) {
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
	datatest.Times(t, 60, func(t *rapid.T) { // of 100 instances
		checkBruteForce(t, randomData(t, 9, 3, 4), randomOptions(t, 3))
	})
}

// TestBruteForceDepthTwo has more rows: several batches and rounds a node, and
// values frequent enough for sweeps to pass over.
func TestBruteForceDepthTwo(t *testing.T) {
	datatest.Times(t, 15, func(t *rapid.T) {
		checkBruteForce(t, randomData(t, 40, 3, 4), randomOptions(t, 2))
	})
}

// TestBruteForceLimited: what a limit ends never claims more than is so.
func TestBruteForceLimited(t *testing.T) {
	datatest.Times(t, 30, func(t *rapid.T) {
		o := randomOptions(t, 4)
		o.WorkLimit = int64(rapid.IntRange(1, 2000).Draw(t, "work"))
		checkBruteForce(t, randomData(t, 8, 2, 4), o)
	})
}

// TestScales: the optimum does not depend on the unit of the weights, down to
// what rounding loses.
func TestScales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := randomData(t, 9, 3, 3)
		unit := math.Pow(10, float64(rapid.IntRange(-15, 12).Draw(t, "unit")))
		for i := range ds.Weight {
			ds.Weight[i] *= unit
		}
		o := randomOptions(t, 3)
		o.MinLeaf *= unit
		o.Alpha = rapid.SampledFrom([]float64{0, 1e-10, 1e-6, 0.01, 1, 1e300, math.MaxFloat64}).Draw(t, "alpha")
		checkBruteForce(t, ds, o)
	})
}

// TestLightRows: rows of a millionth of a millionth of the others' weight count.
func TestLightRows(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2}, []int{0, 1}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	ds.Weight = []float64{1e-6, 1e5}
	if r := solve(t, ds, Options{Depth: 1}); r.Weight != 0 {
		t.Errorf("error weight %v", r.Weight)
	}
}
