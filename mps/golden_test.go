package mps

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
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

	b = mio.NewBuilder("lazy")
	x, y = b.AddBinary(-1, "x"), b.AddBinary(-2, "y")
	r = b.AddRow(-inf, 2, "both")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	b.BeginLazy()
	for k, v := range [][2]float64{{-inf, 1}, {-1, inf}} {
		r := b.AddRow(v[0], v[1], "late", k)
		b.Add(r, x, 1)
		b.Add(r, y, float64(1-k))
	}
	models["lazy"] = build(b)

	b = mio.NewBuilder("odd names and numbers")
	b.AddCol(0.1, 0.5, 7.5, mio.Integer, "1st")
	b.AddCol(1./3, 0, 1e-7, mio.Continuous, "RHS")
	b.Add(b.AddRow(-0.6046602879796196, 0.9405090880450124, "größe"), 0, 1e100)
	b.Add(b.AddRow(0, 1e15, "obj"), 1, -123456.789)
	models["odd"] = build(b)

	b = mio.NewBuilder("quadratic")
	b.SetSense(mio.Maximize)
	x, y = b.AddCol(1, -1, 1, mio.Continuous, "x"), b.AddCol(0, 0, 2, mio.Continuous, "y")
	b.AddCol(0, 0, inf, mio.Continuous, "unused")
	b.AddQuadCost(x, x, -1.5)
	b.AddQuadCost(x, y, 1)
	r = b.AddRow(-inf, 4, "disc")
	b.Add(r, x, 1)
	b.AddQuad(r, x, x, 1)
	b.AddQuad(r, y, x, -2)
	b.AddQuad(b.AddRow(0.25, 0.25, "square"), y, y, 1)
	b.AddQuad(b.AddRow(-inf, inf, "loose"), x, y, 0.5)
	b.AddSOS(1, "", []mio.Col{x, y}, []float64{-1, 2.5})
	models["quadratic"] = build(b)

	b = mio.NewBuilder("conditions")
	x, y = b.AddCol(1, -1, 1, mio.Continuous, "x"), b.AddCol(-1, 0, 2, mio.Continuous, "y")
	z, p := b.AddCol(-2, 0, 2, mio.Continuous, "z"), b.AddBinary(0.5, "p")
	for k, v := range [][2]float64{{1, inf}, {-inf, 0.5}, {-inf, inf}, {0, 0}} {
		r := b.AddRow(v[0], v[1], "row", k)
		b.Add(r, x, 1)
		b.Add(r, y, -2)
		if k < 3 {
			b.AddIndicator(r, p, k != 1)
		}
	}
	b.AddSOS(1, "one", []mio.Col{x, y}, []float64{1, 2})
	b.AddSOS(2, "two", []mio.Col{x, y, z}, []float64{3, 1, 2})
	models["conditions"] = build(b)
	return models
}

// wideModel has long lines in an LP file.
func wideModel(t testing.TB) *mio.Model {
	b := mio.NewBuilder("wide")
	r, s := b.AddRow(-2, 7.5, "range", 12), b.AddRow(1, math.Inf(1), "free", 3)
	p := b.AddBinary(0, "p")
	b.AddIndicator(s, p, true)
	var cols []mio.Col
	var weights []float64
	for j := range 24 {
		c := b.AddCol(float64(j%5-2), 0, math.Inf(1), mio.Integer, "column", j)
		b.Add(r, c, float64(j)/7)
		b.Add(s, c, -1)
		b.AddQuadCost(c, mio.Col(1), 1)
		cols, weights = append(cols, c), append(weights, float64(j))
	}
	b.AddSOS(2, "all", cols, weights)
	return frozen(t, b)
}

func TestGolden(t *testing.T) {
	for name, m := range tinyModels(t) {
		for _, f := range []Format{Free, Fixed} {
			for _, d := range []Dialect{Portable, Gurobi, CPLEX} {
				if f == Fixed && name == "odd" || d != Portable && m.IsLinear() && m.NumLazy() == 0 {
					continue
				}
				var buf bytes.Buffer
				if _, err := Write(&buf, m, Options{Format: f, Dialect: d, Comments: []string{"golden file"}}); err != nil {
					t.Fatal(err)
				}
				file := name + "-" + f.String() + ".mps"
				if d != Portable {
					file = name + "-" + d.String() + "-" + f.String() + ".mps"
				}
				checkGolden(t, file, buf.Bytes())
			}
		}
	}
}

func TestGoldenLP(t *testing.T) {
	models := tinyModels(t)
	models["wide"] = wideModel(t)
	for name, m := range models {
		var buf, again bytes.Buffer
		if _, err := WriteLP(&buf, m, LPOptions{Comments: []string{"golden file"}}); err != nil {
			t.Fatal(err)
		}
		checkGolden(t, name+".lp", buf.Bytes())
		for l := range strings.Lines(buf.String()) {
			if len(l) > lpWidth+1 {
				t.Errorf("%s: line of %d characters: %s", name, len(l), l)
			}
		}
		if _, err := WriteLP(&again, m, LPOptions{Comments: []string{"golden file"}}); err != nil || !bytes.Equal(buf.Bytes(), again.Bytes()) {
			t.Errorf("%s: other bytes at the second time (error %v)", name, err)
		}
	}
}

// checkGolden compares with a file of testdata.
func checkGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}
