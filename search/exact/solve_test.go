package exact

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"pgregory.net/rapid"
)

func randomOptions(t *rapid.T, maxDepth int) Options {
	on := rapid.Bool()
	return Options{
		Depth:     rapid.IntRange(1, maxDepth).Draw(t, "depth"),
		Alpha:     rapid.SampledFrom([]float64{0, 0, 0.01, 0.1, 0.3, 1, 2}).Draw(t, "alpha"),
		MinLeaf:   rapid.SampledFrom([]float64{0, 0, 1, 1.5, 2, 3, 5}).Draw(t, "minimum leaf"),
		MaxSplits: rapid.SampledFrom([]int{0, 0, 1, 2, 3, 4, 5, 6}).Draw(t, "maximum splits"),
		Workers:   rapid.IntRange(0, 2).Draw(t, "workers"),
		Rules: Rules{
			NoMonotone: on.Draw(t, "no monotone"), NoSimilar: on.Draw(t, "no similar"), NoWhole: on.Draw(t, "no whole"),
			NoPoints: on.Draw(t, "no points"), NoClasses: on.Draw(t, "no classes"), NoTarget: on.Draw(t, "no target"), NoCache: on.Draw(t, "no cache"),
		},
		scalar: on.Draw(t, "scalar"),
	}
}

// checkBruteForce compares Solve with brute force.
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
	// with a penalty of 1e-9 of all weight, rounding of sums may count
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
	datatest.Times(t, 60, func(t *rapid.T) { // out of 100 instances
		checkBruteForce(t, randomData(t, 9, 3, 4), randomOptions(t, 3))
	})
}

// TestBruteForceDepthTwo has more rows: several batches and rounds per node, and values frequent
// enough to be modes.
func TestBruteForceDepthTwo(t *testing.T) {
	datatest.Times(t, 15, func(t *rapid.T) {
		checkBruteForce(t, randomData(t, 40, 3, 4), randomOptions(t, 2))
	})
}

// TestBruteForceLimited: a search that reaches a limit never claims too much.
func TestBruteForceLimited(t *testing.T) {
	datatest.Times(t, 30, func(t *rapid.T) {
		o := randomOptions(t, 4)
		o.WorkLimit = int64(rapid.IntRange(1, 2000).Draw(t, "work"))
		checkBruteForce(t, randomData(t, 8, 2, 4), o)
	})
}

// TestScales: the optimum does not depend on the unit of the weights, except for rounding.
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

// TestLightRows: rows with 1e-12 of the others' weight count.
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

// randomData draws rows with many ties and repeated points. Weights are 1, quarters, or without a
// common unit.
func randomData(t *rapid.T, maxRows, maxFeatures, maxClasses int) *dataset.Dataset {
	n := rapid.IntRange(1, maxRows).Draw(t, "n")
	p := rapid.IntRange(1, maxFeatures).Draw(t, "p")
	k := rapid.IntRange(1, maxClasses).Draw(t, "k")
	values := rapid.IntRange(1, maxRows).Draw(t, "values")
	kind := rapid.IntRange(0, 2).Draw(t, "weights")
	ds := &dataset.Dataset{}
	for j := range p {
		ds.Features = append(ds.Features, fmt.Sprintf("x%d", j+1))
	}
	for c := range k {
		ds.Classes = append(ds.Classes, fmt.Sprintf("c%d", c+1))
	}
	for range n {
		for range p {
			ds.X = append(ds.X, float64(rapid.IntRange(0, values).Draw(t, "x")))
		}
		ds.Y = append(ds.Y, rapid.IntRange(0, k-1).Draw(t, "y"))
		w := 1.0
		switch kind {
		case 1:
			w = float64(rapid.IntRange(1, 9).Draw(t, "w")) / 4
		case 2:
			w = math.Sqrt(float64(rapid.IntRange(1, 9).Draw(t, "w")))
		}
		ds.Weight = append(ds.Weight, w)
		ds.Count = append(ds.Count, 1)
	}
	return ds
}

// bruteForce returns the minimum excess cost plus lambda per split over all trees on rows within
// the given depth and number of splits.
func bruteForce(ds *dataset.Dataset, rows []int, depth, splits int, lambda, minLeaf float64) float64 {
	return treetest.Optimum(treetest.Least(ds.Subset(rows), nil, depth, minLeaf), splits, lambda)
}

// problemOf returns ds in the form that a search uses.
func problemOf(ds *dataset.Dataset, o *Options) *problem {
	inUnits, unit := ds.InUnits(dataset.MostUnits)
	return newProblem(layOut(context.Background(), inUnits, unit, o), o)
}

// reference is a line of the file of proven optima.
type reference struct {
	name    string
	depth   int
	errors  float64
	seconds float64 // of ConTree; NaN if it was not run
}

func references(t testing.TB) []reference {
	t.Helper()
	var all []reference
	for _, l := range datatest.Reference(t, "univariate-optima") {
		number := func(column int) float64 {
			if l[column] == "" {
				return math.NaN()
			}
			v, err := strconv.ParseFloat(l[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		all = append(all, reference{l[0], int(number(4)), number(5), number(7)})
	}
	return all
}

// TestReferenceOptima proves the optima that other programs found: by default those that took
// ConTree at most two CPU seconds, and depth 1; with OCTGEN_LONG=1 all 184, with octgen's CPU
// seconds next to ConTree's.
func TestReferenceOptima(t *testing.T) {
	long := os.Getenv("OCTGEN_LONG") != ""
	data := map[string]*dataset.Dataset{}
	done := 0
	for _, ref := range references(t) {
		if !long && ref.seconds > 2 {
			continue
		}
		if data[ref.name] == nil {
			data[ref.name] = datatest.Load(t, ref.name)
		}
		begin := time.Now()
		r, err := Solve(context.Background(), data[ref.name], Options{Depth: ref.depth})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != mio.Optimal || r.Errors != ref.errors {
			t.Errorf("%s, depth %d: %v errors, %v; the optimum is %v", ref.name, ref.depth, r.Errors, r.Status, ref.errors)
		}
		if long {
			fmt.Printf("%-28s %d  %5v errors  %9.4f s  ConTree %9.4f\n", ref.name, ref.depth, r.Errors, time.Since(begin).Seconds(), ref.seconds)
		}
		done++
	}
	if done < 100 {
		t.Errorf("only %d optima were compared", done)
	}
}
