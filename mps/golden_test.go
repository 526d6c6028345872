package mps

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/mio"
)

var update = flag.Bool("update", false, "write the golden files anew")

// tinyModels are the models of the golden files, by name.
func tinyModels(t testing.TB) map[string]*mio.Model {
	inf := math.Inf(1)
	build := func(b *mio.Builder) *mio.Model {
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	models := map[string]*mio.Model{}

	b := mio.NewBuilder("max")
	b.SetSense(mio.Maximize)
	b.AddOffset(2.5)
	x, y, z := b.AddBinary(3, "x"), b.AddCol(1, -2, 7, mio.Integer, "y"), b.AddCol(0.5, 0, inf, mio.Continuous, "z")
	r := b.AddRow(-inf, 10, "cap")
	b.Add(r, x, 4)
	b.Add(r, y, 1)
	b.Add(r, z, 2)
	models["max"] = build(b)

	b = mio.NewBuilder("rows")
	x, y = b.AddCol(1, -inf, inf, mio.Continuous, "x"), b.AddCol(1, -inf, 4, mio.Continuous, "y")
	for _, v := range [][2]float64{{1, 1}, {-inf, 2}, {3, inf}, {-4, 5}, {-6, 5}, {-inf, inf}, {0, inf}} {
		r := b.AddRow(v[0], v[1], "row", b.NumRows())
		b.Add(r, x, 1)
		b.Add(r, y, 1.5)
	}
	b.AddRow(-1, 1, "empty")
	models["rows"] = build(b)

	b = mio.NewBuilder("columns")
	b.AddCol(0, 0, inf, mio.Continuous, "empty")
	b.AddCol(1, 3, 3, mio.Continuous, "fixed")
	b.AddCol(1, -inf, -1, mio.Continuous, "negative")
	b.AddCol(1, 0, inf, mio.Integer, "count")
	b.AddCol(1, 0, 1, mio.Integer, "zeroone")
	b.AddBinary(1, "binary")
	b.AddCol(1, 1, 1, mio.Binary, "one")
	b.AddCol(1, -inf, inf, mio.Integer, "any")
	models["columns"] = build(b)

	b = mio.NewBuilder("odd names and numbers")
	b.AddCol(0.1, 0.5, 7.5, mio.Integer, "1st")
	b.AddCol(1./3, 0, 1e-7, mio.Continuous, "RHS")
	b.Add(b.AddRow(-0.6046602879796196, 0.9405090880450124, "größe"), 0, 1e100)
	b.Add(b.AddRow(0, 1e15, "obj"), 1, -123456.789)
	models["odd"] = build(b)
	return models
}

func TestGolden(t *testing.T) {
	for name, m := range tinyModels(t) {
		for _, f := range []Format{Free, Fixed} {
			if f == Fixed && name == "odd" {
				continue
			}
			var buf bytes.Buffer
			if _, err := Write(&buf, m, Options{Format: f, Comments: []string{"golden file"}}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+"-"+f.String()+".mps")
			if *update {
				if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), buf.String()); d != "" {
				t.Errorf("%s (-want +got):\n%s", path, d)
			}
		}
	}
}
