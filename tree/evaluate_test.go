package tree

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"pgregory.net/rapid"
)

func TestEvaluate(t *testing.T) {
	tr := flowers()
	ds := &dataset.Dataset{
		Features: tr.Features, Classes: tr.Classes,
		X:      []float64{1, 1, 0, 5, 2, 0, 5, 2, 1},
		Y:      []int{0, 2, 1},
		Weight: []float64{2, 0.5, 1}, Count: []float64{1, 3, 1},
	}
	want := Losses{Rows: 5, Errors: 3, Weight: 3.5, ErrorWeight: 0.5, Accuracy: 1 - 3.0/5, Cost: 0.5, Excess: 0.5}
	if d := cmp.Diff(want, tr.Evaluate(ds)); d != "" {
		t.Errorf("Evaluate (-want +got):\n%s", d)
	}
	if got := ds.Baseline(); got != 1.5 {
		t.Errorf("Baseline = %v, want 1.5", got)
	}
	if got, want := tr.Objective(ds, 0.25), 0.5/1.5+0.5; math.Abs(got-want) > 1e-15 {
		t.Errorf("Objective = %v, want %v", got, want)
	}
	one := *ds
	one.Y = []int{0, 0, 0}
	if got := NewLeaf(&one, 0).Objective(&one, 0.1); got != 0 {
		t.Errorf("Objective of the right leaf of one class = %v, want 0", got)
	}
	if got := NewLeaf(&one, 1).Objective(&one, 0.1); got != 3.5 {
		t.Errorf("Objective of the wrong leaf of one class = %v, want 3.5", got)
	}
	if d := cmp.Diff([]int{0, 1, 2}, tr.FeaturesUsed()); d != "" {
		t.Errorf("FeaturesUsed: %s", d)
	}
}

func TestAnnotate(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 20, 3, 3)
		tr := randomTree(t, ds, 6)
		before := tr.Clone()
		tr.Annotate(ds)
		if err := tr.Validate(); err != nil {
			t.Fatal(err)
		}
		for i := range tr.Nodes {
			n := &tr.Nodes[i]
			weight, count := make([]float64, ds.K()), make([]float64, ds.K())
			for r, y := range ds.Y {
				if reaches(tr, ds.Row(r), i) {
					weight[y] += ds.Weight[r]
					count[y] += ds.Count[r]
				}
			}
			if d := cmp.Diff([][]float64{weight, count}, [][]float64{n.Weight, n.Count}); d != "" {
				t.Fatalf("node %d: %s", i, d)
			}
			if n.Leaf() && n.Class != before.Nodes[i].Class {
				t.Fatalf("Annotate relabelled leaf %d", i)
			}
			if !n.Leaf() && sum(weight) > 0 && weight[n.Class] < maxOf(weight) {
				t.Fatalf("branch node %d: class %d of %v", i, n.Class, weight)
			}
		}
		relabelled := tr.Clone()
		relabelled.Relabel(ds)
		if relabelled.Evaluate(ds).ErrorWeight > tr.Evaluate(ds).ErrorWeight {
			t.Fatal("Relabel made the tree worse")
		}
		total := 0.0
		for i := range relabelled.Nodes {
			if n := &relabelled.Nodes[i]; n.Leaf() {
				total += sum(n.Weight) - maxOf(n.Weight)
			}
		}
		if got := relabelled.Evaluate(ds).ErrorWeight; got != total {
			t.Fatalf("relabelled: error weight %v, the leaves' minorities weigh %v", got, total)
		}
	})
}

func reaches(t *Tree, x []float64, node int) bool {
	for i := 0; ; {
		n := &t.Nodes[i]
		switch {
		case i == node:
			return true
		case n.Leaf():
			return false
		case n.Split.Left(x):
			i = n.Left
		default:
			i = n.Right
		}
	}
}

func maxOf(v []float64) float64 {
	m := math.Inf(-1)
	for _, x := range v {
		m = max(m, x)
	}
	return m
}

func oneFeature(t *testing.T, values ...float64) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.New(values, make([]int, len(values)), []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func stump(ds *dataset.Dataset, b float64) *Tree {
	t := NewLeaf(ds, 0)
	t.Grow(0, Univariate(0, b), 0, 1)
	return t
}

func TestHistograms(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		b      float64
		want   Histogram
	}{
		"0 and 1: a bin each":             {[]float64{0, 1, 1}, 0.5, Histogram{Min: 0, Max: 1, Below: 1, Rows: [][]float64{{1, 2}, {0, 0}}}},
		"counts: a bin each":              {[]float64{1, 2, 2, 5}, 2.5, Histogram{Min: 1, Max: 5, Below: 2, Rows: [][]float64{{1, 2, 0, 0, 1}, {0, 0, 0, 0, 0}}}},
		"a threshold that is a value":     {[]float64{1, 2}, 2, Histogram{Min: 1, Max: 2, Below: 1, Rows: [][]float64{{1, 1}, {0, 0}}}},
		"one value left of it":            {[]float64{3, 3}, 4, Histogram{Min: 3, Max: 3, Below: 80, Rows: [][]float64{append([]float64{2}, make([]float64, 80)...), make([]float64, 81)}}},
		"one value that is the threshold": {[]float64{4, 4}, 4, Histogram{Min: 4, Max: 4, Below: 0, Rows: [][]float64{{2}, {0}}}},
	} {
		ds := oneFeature(t, c.values...)
		if diff := cmp.Diff([]Histogram{c.want}, stump(ds, c.b).Histograms(ds)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	ds := oneFeature(t, -1e300, 1e300)
	far := NewLeaf(ds, 0)
	far.Grow(0, &Split{Terms: []Term{{0, 1e200}}}, 0, 1)
	if h := far.Histograms(ds); h != nil {
		t.Errorf("of values beyond float64: %v", h)
	}
}

// TestHistogramsCount: every row is in a bin, on its side of the threshold, and bins are
// few.
func TestHistogramsCount(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 30, 3, 3)
		for i := range ds.X {
			if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
				ds.X[i] = rapid.Float64Range(-1e3, 1e3).Draw(t, "x")
			}
		}
		tr := randomTree(t, ds, 6)
		tr.Annotate(ds)
		all := tr.Histograms(ds)
		if len(all) != tr.Splits() {
			t.Fatalf("%d histograms of %d splits", len(all), tr.Splits())
		}
		for _, h := range all {
			n := &tr.Nodes[h.Node]
			for k, bins := range h.Rows {
				if len(bins) > 8*histogramBins+2 {
					t.Fatalf("%d bins", len(bins))
				}
				below := sum(bins[:min(h.Below, len(bins))])
				if left := tr.Nodes[n.Left].Count[k]; below != left || math.Abs(sum(bins)-n.Count[k]) > 1e-9 {
					t.Fatalf("node %d, class %d: %v left of the threshold and %v in all, want %v and %v", h.Node, k, below, sum(bins), left, n.Count[k])
				}
			}
		}
	})
}

func TestParseCriterion(t *testing.T) {
	for _, c := range criteria {
		if got, err := ParseCriterion(c.String()); err != nil || got != c {
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
	if _, err := ParseCriterion("twoing"); err == nil {
		t.Error("twoing is not a criterion of this package, yet no error")
	}
}
