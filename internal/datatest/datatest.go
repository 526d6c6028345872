// Package datatest has the data of tests: drawn at random, or real ones and
// figures published about them, which lie beside the repository.
package datatest

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

// Check is rapid.Check with ten times its number of cases.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	Times(t, 10, property)
}

// All reports whether tests run all their cases, as in `make test-all`; in `make test` they run
// some of them.
func All() bool {
	return os.Getenv("OCTGEN_TESTS") == "all" || os.Getenv("OCTGEN_LONG") != ""
}

// Some returns n if tests run all their cases, else a quarter of it.
func Some(n int) int {
	if All() {
		return n
	}
	return max(1, n/4)
}

// Times is rapid.Check with n times its number of cases ([Some] of them), all of them different:
// with a fixed seed, n calls of rapid.Check would draw the same cases n times.
func Times(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	n = Some(n)
	checks := flag.Lookup("rapid.checks")
	before, err := strconv.Atoi(checks.Value.String())
	if err != nil {
		t.Fatal(err)
	}
	set := func(n int) {
		if err := checks.Value.Set(strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
	}
	set(n * before)
	defer set(before)
	rapid.Check(t, property)
}

// Random draws rows with many ties; weights are multiples of 1/4, so that sums are
// exact.
func Random(t *rapid.T, maxRows, maxFeatures, maxClasses int) *dataset.Dataset {
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

// Tied draws small data with ties, repeated points, contradictions and weights: 4 rows and
// up to so many more, 1 to 3 features of 2 values and up to so many more, 2 or 3 classes.
func Tied(rng *rand.Rand, moreRows, moreValues int) *dataset.Dataset {
	ds := &dataset.Dataset{}
	n, p, k := 4+rng.IntN(moreRows+1), 1+rng.IntN(3), 2+rng.IntN(2)
	for j := range p {
		ds.Features = append(ds.Features, "x"+strconv.Itoa(j+1))
	}
	for c := range k {
		ds.Classes = append(ds.Classes, "c"+strconv.Itoa(c+1))
	}
	values, weighted := 2+rng.IntN(moreValues+1), rng.IntN(3) == 0
	for range n {
		for range p {
			ds.X = append(ds.X, float64(rng.IntN(values)))
		}
		ds.Y = append(ds.Y, rng.IntN(k))
		w := 1.0
		if weighted {
			w = []float64{0.5, 1, 2.5}[rng.IntN(3)]
		}
		ds.Weight, ds.Count = append(ds.Weight, w), append(ds.Count, 1)
	}
	return ds
}

// Long skips what takes minutes, unless it is asked for.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("OCTGEN_LONG") == "" {
		t.Skip("a long study: set OCTGEN_LONG=1")
	}
}

// Dir returns the folder of real data, $OCTGEN_DATA or else ../shared/data beside
// the repository; where there is none the test is skipped.
func Dir(t testing.TB) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("OCTGEN_DATA"), filepath.Join(root(t), "..", "shared", "data")} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	t.Skip("no data folder: neither $OCTGEN_DATA nor ../shared/data exists")
	return ""
}

// root is the folder of go.mod; a test runs in that of its package.
func root(t testing.TB) string {
	t.Helper()
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Join(dir, "..")
	}
	t.Fatal("no go.mod above the test's folder")
	return ""
}

// Load reads a real dataset by name, without missing values; see Dir.
func Load(t testing.TB, name string) *dataset.Dataset {
	t.Helper()
	return read(t, filepath.Join(Dir(t), name+".csv"), dataset.LoadOptions{})
}

// Example reads a dataset of the repository's folder examples.
func Example(t testing.TB, name string) *dataset.Dataset {
	t.Helper()
	return read(t, filepath.Join(root(t), "examples", name+".csv"), dataset.LoadOptions{})
}

func read(t testing.TB, path string, o dataset.LoadOptions) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.Load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// Reference returns the lines, without the header, of a CSV file of published
// figures, which is beside the folder of real data; where it is not, the test is
// skipped.
func Reference(t testing.TB, name string) [][]string {
	t.Helper()
	path := filepath.Join(Dir(t), "..", "reference", name+".csv")
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
	return lines[1:]
}

// Looks is a context that is cancelled once it has been looked at Left times.
type Looks struct {
	context.Context
	Left int
}

// NewLooks returns the context that is cancelled after so many looks at its Err.
func NewLooks(looks int) *Looks { return &Looks{context.Background(), looks} }

// Err counts a look.
func (l *Looks) Err() error {
	if l.Left--; l.Left < 0 {
		return context.Canceled
	}
	return nil
}
