package dataset_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"pgregory.net/rapid"
)

func TestValidate(t *testing.T) {
	good := func() *dataset.Dataset {
		d, err := dataset.New([]float64{1, 2, 3, 4}, []int{0, 1}, []string{"a", "b"}, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		spoil func(d *dataset.Dataset)
		want  string
	}{
		{func(d *dataset.Dataset) { d.Y = nil }, "dataset: no rows"},
		{func(d *dataset.Dataset) { d.X = d.X[:3] }, "dataset: X has 3 values; want 2 rows x 2 features = 4"},
		{func(d *dataset.Dataset) { d.Weight = nil }, "dataset: 0 weights for 2 rows"},
		{func(d *dataset.Dataset) { d.Count = nil }, "dataset: 0 counts for 2 rows"},
		{func(d *dataset.Dataset) { d.Line = []int{2} }, "dataset: 1 line numbers for 2 rows"},
		{func(d *dataset.Dataset) { d.Features[1] = "a" }, `dataset: two features are named "a"`},
		{func(d *dataset.Dataset) { d.Classes[1] = "x" }, `dataset: two classes are named "x"`},
		{func(d *dataset.Dataset) { d.X[3] = math.NaN() }, `dataset: row 1, feature "b": NaN is not a finite number of size at most 1e+300`},
		{func(d *dataset.Dataset) { d.X[2] = -1e301 }, `dataset: row 1, feature "a": -1e+301 is not a finite number of size at most 1e+300`},
		{func(d *dataset.Dataset) { d.Y[0] = 2 }, "dataset: row 0: class 2; want 0..1"},
		{func(d *dataset.Dataset) { d.Weight[1] = 0 }, "dataset: row 1: weight 0; want a positive finite number"},
		{func(d *dataset.Dataset) { d.Count[1] = math.Inf(1) }, "dataset: row 1: count +Inf; want a positive finite number"},
		{func(d *dataset.Dataset) { d.Weight = []float64{1e308, 1e308} }, "dataset: the weights add up to more than 1e+300"},
		{func(d *dataset.Dataset) { d.Cost = []float64{1, 2} }, "dataset: 2 costs; want 2 rows x 2 classes = 4"},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, 1, -1, 0} }, `dataset: row 1: class "x" costs -1; want a finite number of at least 0`},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, math.NaN(), 1, 0} }, `dataset: row 0: class "y" costs NaN; want a finite number of at least 0`},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, 1, 1, math.Inf(1)} }, `dataset: row 1: class "y" costs +Inf; want a finite number of at least 0`},
		{func(d *dataset.Dataset) { d.Cost = []float64{0, 1e308, 1e308, 0} }, "dataset: the sum of the costs is not finite"},
	} {
		d := good()
		c.spoil(d)
		if diff := cmp.Diff(c.want, errorText(d.Validate())); diff != "" {
			t.Error(diff)
		}
	}
}

func TestClassTotals(t *testing.T) {
	d := &dataset.Dataset{Y: []int{0, 2, 0}, Weight: []float64{1, 2, 4}, Count: []float64{1, 3, 5}, Classes: []string{"a", "b", "c"}}
	if diff := cmp.Diff([]float64{5, 0, 2}, d.ClassWeights()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{6, 0, 3}, d.ClassCounts()); diff != "" {
		t.Error(diff)
	}
}

// anyDataset draws a small dataset with ties, both zeros, weights and counts that
// are multiples of 1/4 (so that sums are exact in any order).
func anyDataset(t *rapid.T) *dataset.Dataset {
	n, p := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(0, 4).Draw(t, "p")
	k := rapid.IntRange(1, 4).Draw(t, "k")
	value := rapid.OneOf(
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 2, -3}),
		rapid.Float64Range(-dataset.MaxAbs, dataset.MaxAbs),
		rapid.Float64Range(-5, 5),
	)
	quarter := rapid.Map(rapid.IntRange(1, 16), func(i int) float64 { return float64(i) / 4 })
	d := &dataset.Dataset{
		X:      rapid.SliceOfN(value, n*p, n*p).Draw(t, "X"),
		Y:      rapid.SliceOfN(rapid.IntRange(0, k-1), n, n).Draw(t, "Y"),
		Weight: rapid.SliceOfN(quarter, n, n).Draw(t, "Weight"),
		Count:  rapid.SliceOfN(quarter, n, n).Draw(t, "Count"),
	}
	for j := range p {
		d.Features = append(d.Features, fmt.Sprintf("x%d", j))
	}
	for c := range k {
		d.Classes = append(d.Classes, fmt.Sprintf("c%d", c))
	}
	for i := range n {
		d.Line = append(d.Line, i+2)
	}
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

// key identifies a row's x: equal keys for equal values, zeros of both signs alike.
func key(row []float64) string {
	s := ""
	for _, v := range row {
		s += fmt.Sprintf("%x,", math.Float64bits(v+0))
	}
	return s
}

// TestMerge compares with a map of printed rows.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		merged, index := d.Merge()
		if err := merged.Validate(); err != nil {
			t.Fatal(err)
		}
		var order []string
		weight, count, first := map[string]float64{}, map[string]float64{}, map[string]int{}
		for i := range d.N() {
			k := fmt.Sprint(key(d.Row(i)), d.Y[i])
			if _, seen := first[k]; !seen {
				first[k] = i
				order = append(order, k)
			}
			weight[k] += d.Weight[i]
			count[k] += d.Count[i]
			if got, want := index[i], slices.Index(order, k); got != want {
				t.Fatalf("row %d is merged into %d; want %d", i, got, want)
			}
		}
		if merged.N() != len(order) {
			t.Fatalf("%d rows; want %d", merged.N(), len(order))
		}
		for m, k := range order {
			i := first[k]
			if key(merged.Row(m)) != key(d.Row(i)) || merged.Y[m] != d.Y[i] || merged.Line[m] != d.Line[i] ||
				merged.Weight[m] != weight[k] || merged.Count[m] != count[k] {
				t.Fatalf("merged row %d is not the sum of the rows like %d", m, i)
			}
		}
		w1, c1 := d.UnavoidableErrors()
		w2, c2 := merged.UnavoidableErrors()
		if w1 != w2 || c1 != c2 {
			t.Fatalf("unavoidable errors %v, %v; after merging %v, %v", w1, c1, w2, c2)
		}
	})
}

// TestUnavoidableErrors compares with the best class at each point, tried in turn.
func TestUnavoidableErrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		least := func(of []float64) float64 {
			points := map[string][]float64{}
			for i := range d.N() {
				k := key(d.Row(i))
				if points[k] == nil {
					points[k] = make([]float64, d.K())
				}
				for c := range d.K() {
					if c != d.Y[i] {
						points[k][c] += of[i]
					}
				}
			}
			sum := 0.0
			for _, errors := range points {
				sum += slices.Min(errors)
			}
			return sum
		}
		weight, count := d.UnavoidableErrors()
		if weight != least(d.Weight) || count != least(d.Count) {
			t.Fatalf("%v, %v; want %v, %v", weight, count, least(d.Weight), least(d.Count))
		}
	})
}

func TestSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		rows := rapid.SliceOf(rapid.IntRange(0, d.N()-1)).Draw(t, "rows")
		s := d.Subset(rows)
		if s.N() != len(rows) || s.K() != d.K() {
			t.Fatalf("%d rows, %d classes", s.N(), s.K())
		}
		for to, i := range rows {
			if !slices.Equal(s.Row(to), d.Row(i)) || s.Y[to] != d.Y[i] || s.Weight[to] != d.Weight[i] ||
				s.Count[to] != d.Count[i] || s.Line[to] != d.Line[i] {
				t.Fatalf("row %d of the subset is not row %d", to, i)
			}
		}
		kept := d.Varying()
		varied := d.WithFeatures(kept)
		for j := range d.P() {
			if want := len(d.Distinct(j)) > 1; slices.Contains(kept, j) != want {
				t.Fatalf("feature %d kept: %v; want %v", j, !want, want)
			}
		}
		for to, j := range kept {
			if varied.Features[to] != d.Features[j] {
				t.Fatalf("feature %d is named %s", j, varied.Features[to])
			}
			for i := range d.N() {
				if varied.At(i, to) != d.At(i, j) {
					t.Fatalf("row %d, feature %d: %v; want %v", i, j, varied.At(i, to), d.At(i, j))
				}
			}
		}
		if err := varied.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		for j := range d.P() {
			distinct := d.Distinct(j)
			for i, v := range distinct {
				if i > 0 && distinct[i-1] >= v || math.Signbit(v) && v == 0 {
					t.Fatalf("feature %d: %v", j, distinct)
				}
			}
			for i := range d.N() {
				if !slices.Contains(distinct, d.At(i, j)) {
					t.Fatalf("feature %d: %v lacks %v", j, distinct, d.At(i, j))
				}
			}
		}
	})
}
