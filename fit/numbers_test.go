package fit_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// numbersOf is ds with the numbers 0, 1, ... of its classes to be predicted.
func numbersOf(t *testing.T, ds *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	y := make([]float64, ds.N())
	for i, k := range ds.Y {
		y[i] = float64(k)
	}
	d, err := dataset.NewNumbers(append([]float64(nil), ds.X...), y, ds.Features, "number")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// leastSquares is the least loss of a tree of a depth on some rows, with a price of splits, by trying all.
func leastSquares(ds *dataset.Dataset, rows []int, depth int, price, minLeaf float64) float64 {
	weight, sum := 0.0, 0.0
	for _, i := range rows {
		weight, sum = weight+ds.Weight[i], sum+ds.Weight[i]*ds.Target[i]
	}
	best := 0.0
	for _, i := range rows {
		best += ds.Weight[i] * (ds.Target[i] - sum/weight) * (ds.Target[i] - sum/weight)
	}
	if q := ds.Quantile; q > 0 {
		best = math.Inf(1)
		for _, at := range rows { // the best answer is one of the numbers
			loss := 0.0
			for _, i := range rows {
				loss += ds.Weight[i] * dataset.NumberLoss(ds.Target[i]-ds.Target[at], q)
			}
			best = min(best, loss)
		}
	}
	if weight < minLeaf {
		best = math.Inf(1)
	}
	for j := 0; depth > 0 && j < ds.P(); j++ {
		for _, at := range rows {
			var left, right []int
			for _, i := range rows {
				if ds.At(i, j) < ds.At(at, j) {
					left = append(left, i)
				} else {
					right = append(right, i)
				}
			}
			if len(left) > 0 {
				best = min(best, price+leastSquares(ds, left, depth-1, price, minLeaf)+leastSquares(ds, right, depth-1, price, minLeaf))
			}
		}
	}
	return best
}

// TestNumbers: fits of small data equal what brute force finds, with every figure worked out anew.
func TestNumbers(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(2, 9).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p")
		x, y := make([]float64, n*p), make([]float64, n)
		for i := range x {
			x[i] = float64(rapid.IntRange(0, 4).Draw(t, "x"))
		}
		for i := range y {
			y[i] = float64(rapid.IntRange(-3, 3).Draw(t, "y"))
		}
		ds, err := dataset.NewNumbers(x, y, []string{"a", "b", "c"}[:p], "y")
		if err != nil {
			t.Fatal(err)
		}
		for i := range ds.Weight {
			ds.Weight[i] = float64(rapid.IntRange(1, 3).Draw(t, "w"))
		}
		ds.Quantile = rapid.SampledFrom([]float64{0, 0, 0.5, 0.1, 0.8}).Draw(t, "quantile")
		m := &problem.ORT{}
		m.Depth, m.MinLeaf = problem.Depth(rapid.IntRange(1, 3).Draw(t, "depth")), float64(rapid.IntRange(1, 4).Draw(t, "leaf"))
		m.Alpha = rapid.SampledFrom([]float64{0, 0.05, 0.3}).Draw(t, "alpha")
		total := 0.0
		for _, w := range ds.Weight {
			total += w
		}
		if total < m.MinLeaf {
			return
		}
		res, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		sst := leastSquares(ds, rows, 0, 0, 0)
		want := leastSquares(ds, rows, int(m.Depth), m.Alpha*sst, m.MinLeaf)
		sse, weight := 0.0, 0.0
		for i := range rows {
			d := ds.Target[i] - res.Tree.Value(ds.Row(i))
			loss := d * d
			if ds.Quantile > 0 {
				loss = dataset.NumberLoss(d, ds.Quantile)
			}
			sse, weight = sse+ds.Weight[i]*loss, weight+ds.Weight[i]
		}
		got := sse + m.Alpha*sst*float64(res.Tree.Splits())
		s := res.Train.Numbers
		figure, single := s.RMSE*s.RMSE, s.Mean*s.Mean
		if s.Loss != nil {
			figure, single = *s.Loss, *s.Single
		}
		if res.Status != "optimal" || math.Abs(got-want) > 1e-9*sst || math.Abs(figure-sse/weight) > 1e-9 || math.Abs(single-sst/weight) > 1e-9 {
			t.Fatalf("%s, %v, want %v, %+v\n%s", res.Status, got, want, s, res.Tree)
		}
		if b := res.Baseline; b != nil && m.Alpha == 0 && ds.Quantile == 0 && m.MinLeaf == 1 && b.Numbers.RMSE < s.RMSE-1e-9 {
			t.Fatalf("CART %v is better than %v", b.Numbers.RMSE, s.RMSE)
		}
	})
}

// TestFarNumbers: constant, one row, huge and tiny numbers, an outlier.
func TestFarNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		y      []float64
		splits int
	}{
		"constant": {[]float64{5, 5, 5, 5}, 0},
		"one row":  {[]float64{5}, 0},
		"huge":     {[]float64{1e300, 1e300, -1e300, -1e300}, 1},
		"tiny":     {[]float64{1e-300, 1e-300, 3e-300, 3e-300}, 1},
		"outlier":  {[]float64{1, 1, 1, 1e15}, 1},
	} {
		x := make([]float64, len(c.y))
		for i := range x {
			x[i] = float64(i)
		}
		ds, err := dataset.NewNumbers(x, c.y, []string{"a"}, "y")
		if err != nil {
			t.Fatal(err)
		}
		m := &problem.ORT{}
		m.Depth = 1
		res, err := fit.Run(t.Context(), ds, fit.Options{Method: m})
		if err != nil || res.Status != "optimal" || res.Tree.Splits() != c.splits || !(res.Train.Numbers.RMSE == 0) {
			t.Errorf("%s: %v, %+v", name, err, res)
		}
	}
}

// TestNumbersRefused: methods of classes, and ort of classes and with limits that it lacks.
func TestNumbersRefused(t *testing.T) {
	iris := datatest.Example(t, "iris")
	numbers := numbersOf(t, iris)
	any, pure, ordered, criterion := &problem.ORT{}, &problem.ORT{}, &problem.ORT{}, &problem.CART{}
	any.Depth, pure.LeafPurity, ordered.ClassOrder, criterion.Criterion.Criterion = problem.NoDepth, 0.5, []string{"a"}, "gini"
	for _, c := range []struct {
		ds   *dataset.Dataset
		m    problem.Method
		test *dataset.Dataset
		want string
	}{
		{numbers, &problem.OCT{}, nil, "the target has numbers in place of classes, which method oct cannot learn from; --method ort can"},
		{iris, &problem.ORT{}, nil, "method ort predicts numbers, and the target has classes"},
		{numbers, any, nil, "the tree would grow until it fits all rows"},
		{numbers, pure, nil, "--leaf-purity is for classes"},
		{numbers, ordered, nil, "--class-order is for classes"},
		{numbers, criterion, nil, "--criterion is for classes, and the target has numbers"},
	} {
		if _, err := fit.Run(t.Context(), c.ds, fit.Options{Method: c.m, Test: c.test}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestNumbersOfSets: real data with a holdout: the tree is written and read again, and predicts the same.
func TestNumbersOfSets(t *testing.T) {
	for _, name := range []string{"servo", "optical", "quantbnb-concrete"} {
		ds, err := dataset.Load(filepath.Join(datatest.Dir(t), "regression", name+".csv"), dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		train, test, err := ds.Holdout(0.25, 1)
		if err != nil {
			t.Fatal(err)
		}
		m := &problem.ORT{}
		m.Depth = 3
		res, err := fit.Run(t.Context(), ds.Subset(train), fit.Options{Method: m, Test: ds.Subset(test)})
		if err != nil || res.Status != "optimal" || !(*res.Test.Numbers.R2 > 0.2) || res.Train.Numbers.RMSE > res.Baseline.Numbers.RMSE*(1+1e-12) {
			t.Fatalf("%s: %v, %+v, %+v", name, err, res, res.Test)
		}
		var b strings.Builder
		if err := res.Tree.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		again, err := tree.ReadJSON(strings.NewReader(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		for i := range ds.N() {
			if a, b := res.Tree.Value(ds.Row(i)), again.Value(ds.Row(i)); a != b {
				t.Fatalf("%s, row %d: %v and %v", name, i, a, b)
			}
		}
	}
}

// drawNumbers draws rows with numbers to be predicted, of columns a, b and c.
func drawNumbers(t *rapid.T, most int) *dataset.Dataset {
	n := rapid.IntRange(3, most).Draw(t, "n")
	x, y := make([]float64, n*3), make([]float64, n)
	for i := range x {
		x[i] = float64(rapid.IntRange(0, 4).Draw(t, "x"))
	}
	for i := range y {
		y[i] = float64(rapid.IntRange(-3, 3).Draw(t, "y"))
	}
	ds, err := dataset.NewNumbers(x, y, []string{"a", "b", "c"}, "y")
	if err != nil {
		t.Fatal(err)
	}
	ds.Quantile = rapid.SampledFrom([]float64{0, 0.5, 0.9}).Draw(t, "quantile")
	return ds
}

// TestNumbersConstrained: constraints are held, by the search with a proof and by heuristics, none of which is better; without a
// constraint no tree is worse.
func TestNumbersConstrained(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := drawNumbers(t, 15)
		m := &problem.ORT{}
		m.Depth, m.MinLeaf = problem.Depth(rapid.IntRange(1, 3).Draw(t, "depth")), 1
		m.MaxSplits = rapid.IntRange(0, 4).Draw(t, "splits")
		free := *m
		some := func(name string) bool { return rapid.Bool().Draw(t, name) }
		if some("forbid") {
			m.Forbid = []string{"a"}
		}
		if some("cost") {
			m.FeatureCost = []string{"b=0.05", "c=0.2"}
		}
		if some("monotone") {
			m.Monotone = []string{"b=+1,c=-1"}
		}
		if some("few") {
			m.MaxFeatures = 1
		}
		best, err := fit.Run(context.Background(), ds, fit.Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		if best.Status != "optimal" {
			t.Fatalf("%+v", best)
		}
		for _, c := range best.Constraints {
			if !c.Held {
				t.Fatalf("%+v", c)
			}
		}
		other := best
		if len(m.Monotone) == 0 { // which only the search has
			if other, err = fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.Heuristic}); err != nil {
				t.Fatal(err)
			}
		}
		without, err := fit.Run(context.Background(), ds, fit.Options{Method: &free})
		if err != nil {
			t.Fatal(err)
		}
		if *other.Objective < *best.Objective-1e-9 || *without.Objective > *best.Objective+1e-9 {
			t.Fatalf("heuristic %v, optimum %v, without constraints %v", *other.Objective, *best.Objective, *without.Objective)
		}
	})
}

// TestNumbersFixed: splits that stay are in the tree, which is the best below them.
func TestNumbersFixed(t *testing.T) {
	ds := numbersOf(t, datatest.Example(t, "iris"))
	upper := &problem.ORT{}
	upper.Depth = 1
	first, err := fit.Run(t.Context(), ds, fit.Options{Method: upper})
	if err != nil {
		t.Fatal(err)
	}
	whole, below := &problem.ORT{}, &problem.ORT{}
	whole.Depth, below.Depth = 3, 3
	best, err := fit.Run(t.Context(), ds, fit.Options{Method: whole})
	if err != nil {
		t.Fatal(err)
	}
	below.Fix = "tree.json"
	if err := below.Info().ReadFile(problem.Files{Tree: func(string) (*tree.Tree, error) { return first.Tree, nil }}); err != nil {
		t.Fatal(err)
	}
	res, err := fit.Run(t.Context(), ds, fit.Options{Method: below})
	if err != nil {
		t.Fatal(err)
	}
	if s, want := res.Tree.Nodes[0].Split, first.Tree.Nodes[0].Split; res.Status != "optimal" || s.Terms[0] != want.Terms[0] || s.Threshold != want.Threshold || *res.Objective < *best.Objective-1e-9 {
		t.Errorf("%s, %v, at best %v: %v, want %v", res.Status, *res.Objective, *best.Objective, s, want)
	}
}
