package heuristics

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

// checkMany is rapid.Check with ten times its number of cases.
func checkMany(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	for range 10 {
		rapid.Check(t, property)
	}
}

// randomData draws rows with many ties; weights are multiples of 1/4, so that
// sums are exact.
func randomData(t *rapid.T, maxRows, maxFeatures, maxClasses int) *dataset.Dataset {
	n := maxRows - rapid.IntRange(0, maxRows-1).Draw(t, "fewer rows")
	p := maxFeatures - rapid.IntRange(0, maxFeatures-1).Draw(t, "fewer features")
	k := maxClasses - rapid.IntRange(0, maxClasses-1).Draw(t, "fewer classes")
	values := rapid.IntRange(1, 6).Draw(t, "values")
	ds := &dataset.Dataset{}
	for j := range p {
		ds.Features = append(ds.Features, fmt.Sprintf("x%d", j+1))
	}
	for c := range k {
		ds.Classes = append(ds.Classes, fmt.Sprintf("c%d", c+1))
	}
	unit := rapid.Bool().Draw(t, "unit")
	for range n {
		for range p {
			ds.X = append(ds.X, float64(rapid.IntRange(0, values).Draw(t, "x")))
		}
		ds.Y = append(ds.Y, rapid.IntRange(0, k-1).Draw(t, "y"))
		w := 1.0
		if !unit {
			w = float64(rapid.IntRange(1, 9).Draw(t, "w")) / 4
		}
		ds.Weight = append(ds.Weight, w)
		ds.Count = append(ds.Count, float64(rapid.IntRange(1, 2).Draw(t, "count")))
	}
	return ds
}

// dataDir returns the folder of real data, or skips.
func dataDir(t testing.TB) string {
	for _, dir := range []string{os.Getenv("OCTGEN_DATA"), filepath.Join("..", "..", "shared", "data")} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	t.Skip("no data folder: neither $OCTGEN_DATA nor ../shared/data exists")
	return ""
}

func load(t testing.TB, name string) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.Load(filepath.Join(dataDir(t), name+".csv"), dataset.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// cartReference is a line of the scikit-learn figures.
type cartReference struct {
	name           string
	rows           int
	depth          int
	errors, leaves int
	seconds        float64
}

// scikitLearn reads the reference figures beside the data folder.
func scikitLearn(t testing.TB) []cartReference {
	t.Helper()
	path := filepath.Join(dataDir(t), "..", "reference", "cart-scikit-learn.csv")
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Skip("no reference figures at " + path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var refs []cartReference
	for _, l := range lines[1:] {
		integer := func(column int) int {
			v, err := strconv.Atoi(l[column])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		seconds, err := strconv.ParseFloat(l[7], 64)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, cartReference{l[0], integer(1), integer(4), integer(5), integer(6), seconds})
	}
	return refs
}
