package solfile

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

var update = flag.Bool("update", false, "write the golden files anew")

func build(t testing.TB, b *mio.Builder) *mio.Model {
	t.Helper()
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// oddModel has all that can go wrong between a file and a model: names with
// characters of XML and of other files, names that the file replaces, a constant,
// a maximization, a column that is 0 at the optimum.
//
// Its optimum is oddOptimum.
func oddModel(t testing.TB) (*mio.Model, *mps.Map) {
	t.Helper()
	inf := math.Inf(1)
	b := mio.NewBuilder("odd model")
	b.SetSense(mio.Maximize)
	b.AddOffset(10)
	x := b.AddBinary(3, "x#1")
	y := b.AddCol(2, 0, 3, mio.Integer, "RHS")
	z := b.AddCol(1, -1000, 2.5, mio.Continuous, "a&b<c>")
	u := b.AddCol(-0.125, -inf, inf, mio.Continuous, "1st$")
	w := b.AddCol(-1, 0, 9, mio.Integer, "w[3](4);")
	b.AddCol(0, -7, -7, mio.Continuous, "=obj=")
	r := b.AddRow(-inf, 3, "cap")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	r = b.AddRow(-1, 3.0625, "range")
	b.Add(r, z, 1)
	b.Add(r, u, 1)
	b.Add(b.AddRow(-inf, inf, "free"), w, 1)
	b.Add(b.AddRow(-1./3, inf, "1b"), u, 1)
	m := build(t, b)
	mp, err := mps.NewMap(m, mps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, mp
}

var oddOptimum = []float64{1, 2, 2.5, -1. / 3, 0, -7}

// golden compares got with the named file of testdata, or rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, d)
	}
}

// formatOf is the format that the name of a file in testdata begins with.
func formatOf(path string) Format {
	name, _, _ := strings.Cut(filepath.Base(path), "-")
	return Format(name)
}

// files lists a folder of testdata.
func files(t testing.TB, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	return list
}
