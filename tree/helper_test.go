package tree

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

func names(prefix string, n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprintf("%s%d", prefix, i+1)
	}
	return s
}

// checkMany is rapid.Check with ten times its number of cases.
func checkMany(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	datatest.Times(t, 10, property)
}

// randomData draws up to maxRows rows with many ties; weights are multiples of
// 1/4, so that sums are exact, and counts differ from them.
func randomData(t *rapid.T, maxRows, maxFeatures, maxClasses int) *dataset.Dataset {
	n := maxRows - rapid.IntRange(0, maxRows-1).Draw(t, "fewer rows")
	p := maxFeatures - rapid.IntRange(0, maxFeatures-1).Draw(t, "fewer features")
	k := maxClasses - rapid.IntRange(0, maxClasses-1).Draw(t, "fewer classes")
	values := rapid.IntRange(1, 6).Draw(t, "values")
	ds := &dataset.Dataset{Features: names("x", p), Classes: names("c", k)}
	unit := rapid.Bool().Draw(t, "unit")
	for range n {
		for range p {
			ds.X = append(ds.X, float64(rapid.IntRange(-values, values).Draw(t, "x"))/2)
		}
		ds.Y = append(ds.Y, rapid.IntRange(0, k-1).Draw(t, "y"))
		w, c := 1.0, 1.0
		if !unit {
			w = float64(rapid.IntRange(1, 9).Draw(t, "w")) / 4
			c = float64(rapid.IntRange(1, 3).Draw(t, "count"))
		}
		ds.Weight = append(ds.Weight, w)
		ds.Count = append(ds.Count, c)
	}
	return ds
}

// randomTree draws a tree of up to maxSplits splits, hyperplanes among them.
func randomTree(t *rapid.T, ds *dataset.Dataset, maxSplits int) *Tree {
	class := rapid.IntRange(0, ds.K()-1)
	out := NewLeaf(ds, class.Draw(t, "class"))
	leaves := []int{0}
	for range maxSplits - rapid.IntRange(0, maxSplits).Draw(t, "fewer splits") {
		at := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		s := &Split{Threshold: float64(rapid.IntRange(-6, 6).Draw(t, "b")) / 2}
		first := rapid.IntRange(0, ds.P()-1).Draw(t, "feature")
		s.Terms = []Term{{first, 1}}
		if rapid.Bool().Draw(t, "hyperplane") {
			s.Terms[0].Weight = -0.5
			for j := first + 1; j < ds.P(); j++ {
				s.Terms = append(s.Terms, Term{j, float64(j) + 0.25})
			}
		}
		l, r := out.Grow(leaves[at], s, class.Draw(t, "left"), class.Draw(t, "right"))
		leaves[at] = l
		leaves = append(leaves, r)
	}
	return out
}

// flowers is a small annotated tree with a hyperplane, fractional weights and
// a class that no leaf answers.
func flowers() *Tree {
	ds := &dataset.Dataset{
		Features: []string{"petal_length", "petal_width", "colour=red"},
		Classes:  []string{"Iris-setosa", "Iris-versicolor", "other"},
		X: []float64{
			1.4, 0.2, 1,
			1.7, 0.4, 0,
			4.7, 1.4, 1,
			4.5, 1.5, 0,
			6.0, 2.5, 0,
			5.1, 1.9, 1,
		},
		Y:      []int{0, 0, 1, 1, 2, 1},
		Weight: []float64{1, 1, 1, 0.5, 1, 1},
		Count:  []float64{1, 2, 1, 1, 1, 1},
		Encoder: &dataset.Encoder{
			Target: "class", Classes: []string{"Iris-setosa", "Iris-versicolor", "other"},
			Columns: []dataset.SourceColumn{
				{Name: "petal_length", Kind: dataset.Numeric},
				{Name: "petal_width", Kind: dataset.Numeric},
				{Name: "colour", Kind: dataset.OneHot, Categories: []string{"blue", "red"}},
			},
		},
	}
	t := NewLeaf(ds, 0)
	_, r := t.Grow(0, Univariate(0, 3.1), 0, 1)
	t.Grow(r, &Split{Terms: []Term{{0, -0.5}, {1, 1}, {2, 0.1}}, Threshold: -0.3}, 1, 1)
	t.Annotate(ds)
	return t
}
