package tree

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

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
