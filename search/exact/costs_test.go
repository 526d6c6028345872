package exact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// drawCosts gives ds costs: whole numbers, quarters, or without a common unit; from a matrix or per
// row; some equal for all classes, some below the cost of the row's class.
func drawCosts(t *rapid.T, ds *dataset.Dataset) {
	k := ds.K()
	value := map[string]func() float64{
		"whole":   func() float64 { return float64(rapid.IntRange(0, 5).Draw(t, "c")) },
		"quarter": func() float64 { return float64(rapid.IntRange(0, 9).Draw(t, "c")) / 4 },
		"real": func() float64 {
			return math.Sqrt(float64(rapid.IntRange(0, 30).Draw(t, "c"))) * rapid.SampledFrom([]float64{0.1, 1, 1}).Draw(t, "scale")
		},
		"zero": func() float64 { return 0 },
		"far":  func() float64 { return rapid.SampledFrom([]float64{0, 1e-3, 1, 1e4}).Draw(t, "c") },
	}[rapid.SampledFrom([]string{"whole", "whole", "quarter", "real", "real", "zero", "far"}).Draw(t, "costs")]
	matrix := make([]float64, k*k)
	for i := range matrix {
		matrix[i] = value()
	}
	kind := rapid.SampledFrom([]string{"matrix", "rows", "rows", "weighted"}).Draw(t, "kind")
	ds.Cost = nil
	excess := ds.Excess()
	for i, y := range ds.Y {
		equal := rapid.IntRange(0, 5).Draw(t, "equal") == 0
		first := value()
		for c := range k {
			switch v := 0.0; {
			case kind == "matrix":
				ds.Cost = append(ds.Cost, ds.Weight[i]*matrix[y*k+c])
			case equal:
				ds.Cost = append(ds.Cost, first)
			default:
				v = value()
				if kind == "weighted" { // as a multiplier adds to the errors of a row
					v += excess[i*k+c]
				}
				ds.Cost = append(ds.Cost, v)
			}
		}
	}
}

// checkCosts compares Solve with brute force.
func checkCosts(t *rapid.T, ds *dataset.Dataset, o Options) {
	total, least, largest := 0.0, 0.0, 0.0
	rows := make([]int, ds.N())
	for i, w := range ds.Weight {
		total += w
		rows[i] = i
		_, l := ds.CheapestClass(i)
		least += l
		largest += slices.Max(ds.CostsOf(i)) - l
	}
	o.MinLeaf = min(o.MinLeaf, total)
	scale := tree.ErrorScale(ds)
	splits, _ := o.budget()
	want := bruteForce(ds, rows, o.Depth, splits, o.Alpha*scale, o.MinLeaf) / scale
	if rapid.Bool().Draw(t, "presorted") {
		merged, _ := ds.Merge()
		ds, o.Presort = merged, tree.NewPresort(merged)
	}
	r, err := Solve(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	tol := 1e-9 * max(largest, least) / scale
	if math.Abs(r.Objective-want) > tol {
		t.Fatalf("objective %v, brute force %v\n%v", r.Objective, want, r.Tree)
	}
	// with costs of 1e9 times an optimum, rounding of sums may count
	blurred := r.Status == mio.Feasible && want < 1e-4*largest/scale
	if math.Abs(r.Bound-want) > tol || r.Status != mio.Optimal && !blurred {
		t.Fatalf("status %v, bound %v, gap %v; objective %v", r.Status, r.Bound, r.Gap, want)
	}
	e := r.Tree.Evaluate(ds)
	if r.Cost != e.Cost || math.Abs(e.Excess+least-e.Cost) > 1e-9*max(largest, least) || r.Weight != e.ErrorWeight {
		t.Fatalf("cost %v, error weight %v; the tree's are %+v", r.Cost, r.Weight, e)
	}
	if err := r.Tree.Validate(); err != nil {
		t.Fatal(err)
	}
	if !o.admits(r.Tree, ds, splits) {
		t.Fatalf("a tree outside the limits:\n%v", r.Tree)
	}
}

func TestCostsBruteForce(t *testing.T) {
	datatest.Times(t, 25, func(t *rapid.T) { // out of 100 instances
		ds := randomData(t, 9, 3, 4)
		drawCosts(t, ds)
		checkCosts(t, ds, randomOptions(t, 3))
	})
}

// TestCostsBruteForceLong repeats the test 10,000 times, with more classes.
func TestCostsBruteForceLong(t *testing.T) {
	study(t)
	datatest.Times(t, 100, func(t *rapid.T) {
		ds := randomData(t, 9, 3, 4)
		drawCosts(t, ds)
		checkCosts(t, ds, randomOptions(t, 3))
	})
	datatest.Times(t, 20, func(t *rapid.T) {
		ds := randomData(t, 8, 3, 8)
		drawCosts(t, ds)
		checkCosts(t, ds, randomOptions(t, 3))
	})
}

// TestCostsBinary: all features have two values.
func TestCostsBinary(t *testing.T) {
	datatest.Times(t, 10, func(t *rapid.T) {
		ds := randomData(t, 12, 5, 3)
		for i, v := range ds.X {
			ds.X[i] = float64(int(v) % 2)
		}
		drawCosts(t, ds)
		checkCosts(t, ds, randomOptions(t, 3))
	})
}

// TestCostsDepthTwo has more rows and values.
func TestCostsDepthTwo(t *testing.T) {
	datatest.Times(t, 10, func(t *rapid.T) {
		ds := randomData(t, 40, 3, 4)
		drawCosts(t, ds)
		checkCosts(t, ds, randomOptions(t, 2))
	})
}

// rewards draws rows whose best actions follow a tree of depth two, except for noise.
func rewards(rng *rand.Rand, n, p, k int, noise float64) *dataset.Dataset {
	ds := &dataset.Dataset{}
	for j := range p {
		ds.Features = append(ds.Features, string(rune('a'+j)))
	}
	for c := range k {
		ds.Classes = append(ds.Classes, string(rune('A'+c)))
	}
	for range n {
		x := make([]float64, p)
		for j := range x {
			x[j] = rng.Float64()
		}
		best := 0
		switch {
		case x[0] < 0.4 && x[1] >= 0.6:
			best = 1
		case x[0] >= 0.4 && x[2%p] < 0.5:
			best = 2 % k
		}
		gain, largest := make([]float64, k), math.Inf(-1)
		for c := range gain {
			gain[c] = noise * rng.NormFloat64()
			if c == best {
				gain[c]++
			}
			largest = max(largest, gain[c])
		}
		for c := range gain {
			ds.Cost = append(ds.Cost, largest-gain[c])
		}
		ds.X = append(ds.X, x...)
		ds.Y, ds.Weight, ds.Count = append(ds.Y, 0), append(ds.Weight, 1), append(ds.Count, 1)
	}
	return ds
}

// TestCostsWorkers: the number of workers changes neither the tree nor the counters.
func TestCostsWorkers(t *testing.T) {
	for k := 2; k <= 4; k++ {
		ds := rewards(rand.New(rand.NewPCG(uint64(k), 1)), 150, 4, k, 1)
		var first *Result
		for workers := range 4 {
			r, err := Solve(context.Background(), ds, Options{Depth: 3, Workers: workers, MinLeaf: 5})
			if err != nil {
				t.Fatal(err)
			}
			r.Runtime = 0
			if first == nil {
				first = r
			}
			if diff := cmp.Diff(first, r); diff != "" {
				t.Errorf("%d classes, %d workers: %s", k, workers, diff)
			}
			if r.Status != mio.Optimal {
				t.Errorf("%d classes: %v", k, r.Status)
			}
		}
	}
}

// TestCostsOfClassification: with the costs of misclassification, the search gives the same result
// as without costs, and scaling the costs changes nothing.
func TestCostsOfClassification(t *testing.T) {
	datatest.Times(t, 3, func(t *rapid.T) {
		ds := randomData(t, 30, 3, 4)
		o := randomOptions(t, 2)
		o.MinLeaf = min(o.MinLeaf, sum(ds.Weight))
		want, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		ds.Cost = ds.Excess()
		factor := math.Pow(10, float64(rapid.IntRange(-15, 12).Draw(t, "factor")))
		for i := range ds.Cost {
			ds.Cost[i] *= factor
		}
		got, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Objective-want.Objective) > 1e-9*max(1, want.Objective) || got.Status != want.Status && got.Gap > 1e-6 {
			t.Fatalf("objective %v (%v); without costs %v (%v)", got.Objective, got.Status, want.Objective, want.Status)
		}
	})
}

// BenchmarkRewards fits a policy tree of depth 2.
func BenchmarkRewards(b *testing.B) {
	for _, n := range []int{1000, 3000, 10000} {
		for _, noise := range []float64{0.3, 3, 30} {
			ds := rewards(rand.New(rand.NewPCG(1, 1)), n, 10, 3, noise)
			b.Run(fmt.Sprintf("rows=%d/noise=%v", n, noise), func(b *testing.B) {
				for b.Loop() {
					r, err := Solve(context.Background(), ds, Options{Depth: 2})
					if err != nil || r.Status != mio.Optimal {
						b.Fatal(err, r.Status)
					}
					b.ReportMetric(float64(r.Stats.Cuts), "cuts")
				}
			})
		}
	}
}
