package dataset_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

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
		varied, kept := d.DropConstant()
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

// TestFolds: a partition whose folds, and whose classes in them, differ by at most
// one row.
func TestFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		k := rapid.IntRange(0, 8).Draw(t, "k")
		seed := rapid.Uint64().Draw(t, "seed")
		folds, err := d.Folds(k, seed)
		if k < 2 || k > d.N() {
			if err == nil {
				t.Fatalf("%d folds of %d rows: no error", k, d.N())
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		again, _ := d.Folds(k, seed)
		if diff := cmp.Diff(folds, again); diff != "" {
			t.Fatal("same seed, other folds:", diff)
		}
		var all []int
		sizes := make([][]int, d.K()+1) // per class, then in all
		for _, fold := range folds {
			if !slices.IsSorted(fold) {
				t.Fatal("not ascending:", fold)
			}
			all = append(all, fold...)
			perClass := make([]int, d.K()+1)
			perClass[d.K()] = len(fold)
			for _, i := range fold {
				perClass[d.Y[i]]++
			}
			for c, size := range perClass {
				sizes[c] = append(sizes[c], size)
			}
			if rest := d.Complement(fold); len(rest)+len(fold) != d.N() || slices.ContainsFunc(rest, func(i int) bool { return slices.Contains(fold, i) }) {
				t.Fatalf("complement of %v is %v", fold, rest)
			}
		}
		for c, s := range sizes {
			if slices.Max(s)-slices.Min(s) > 1 {
				t.Fatalf("class %d of %d has %v rows per fold", c, d.K(), s)
			}
		}
		slices.Sort(all)
		for i, row := range all {
			if i != row || len(all) != d.N() {
				t.Fatalf("not a partition: %v", all)
			}
		}
	})
}

func TestHoldout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		fraction := rapid.Float64Range(-.1, 1.1).Draw(t, "fraction")
		train, test, err := d.Holdout(fraction, 7)
		if !(fraction > 0 && fraction < 1) || d.N() < 2 {
			if err == nil {
				t.Fatalf("fraction %v of %d rows: no error", fraction, d.N())
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		n := float64(d.N())
		if want := min(max(math.Round(fraction*n), 1), n-1); float64(len(test)) != want || len(train)+len(test) != d.N() {
			t.Fatalf("%d training and %d test rows; want %v test rows", len(train), len(test), want)
		}
		inTest, inAll := make([]float64, d.K()), make([]float64, d.K())
		for i, y := range d.Y {
			inAll[y]++
			if slices.Contains(test, i) {
				inTest[y]++
			}
			if slices.Contains(test, i) == slices.Contains(train, i) {
				t.Fatalf("row %d is in both parts or in none", i)
			}
		}
		for k := range inAll {
			if share := inAll[k] * float64(len(test)) / n; math.Abs(inTest[k]-share) >= 1 {
				t.Fatalf("class %d: %v test rows; its share is %v", k, inTest[k], share)
			}
		}
	})
}

// TestSeedsDiffer guards against a seed that is not used.
func TestSeedsDiffer(t *testing.T) {
	d, err := dataset.New(make([]float64, 30), make([]int, 30), []string{"x"}, []string{"c"})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := d.Folds(3, 1)
	b, _ := d.Folds(3, 2)
	if cmp.Equal(a, b) {
		t.Error("seeds 1 and 2 give the same folds")
	}
}
