package mps

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
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

// mixedModel is large enough for workers and has all that the sections of rows
// and columns can hold: groups of types, ranges, free and empty rows, empty
// columns, replaced names, bounds that are rounded.
func mixedModel(tb testing.TB) *mio.Model {
	rng := rand.New(rand.NewPCG(11, 12))
	const rows, cols, perCol = 20000, 30000, 3
	b := mio.NewBuilder("mixed")
	b.SetSense(mio.Maximize)
	b.AddOffset(2.5)
	for i := range rows {
		lower := float64(rng.IntN(5))
		upper := []float64{lower, lower + 1, lower + 0.1, math.Inf(1)}[rng.IntN(4)]
		if rng.IntN(4) == 0 {
			lower = math.Inf(-1)
		}
		b.AddRow(lower, upper, []string{"row", "$row", ""}[rng.IntN(3)], i)
	}
	group := mio.Continuous
	for j := range cols {
		if rng.IntN(1000) == 0 {
			group = mio.VarType(rng.IntN(3))
		}
		upper := 1.0
		if group == mio.Integer {
			upper = 2.5
		}
		c := b.AddCol(float64(rng.IntN(3)), 0, upper, group, []string{"x", "", "a_name_of_more_than_sixteen_characters"}[rng.IntN(3)], j)
		for range rng.IntN(perCol + 1) {
			b.Add(mio.Row(rng.IntN(rows)), c, float64(rng.IntN(5)))
		}
		if j == 0 { // longer than a worker's buffer
			for i := range rows {
				b.Add(mio.Row(i), c, rng.NormFloat64())
			}
		}
		if j >= cols-2000 && j%100 == 0 {
			b.Add(0, c, 0.1)
		}
	}
	return frozen(tb, b)
}

// The bytes and the map are the same for any number of cores, and so is the
// model that is read from them.
func TestWorkers(t *testing.T) {
	m := mixedModel(t)
	want := onCores(t, 1, m)
	for _, cores := range []int{2, 3, 2 * maxWorkers} {
		if got := onCores(t, cores, m); !bytes.Equal(got, want) {
			t.Fatalf("%d cores write other bytes than one", cores)
		}
	}
	got, err := Read(bytes.NewReader(want), "m.mps")
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(m, got); d != "" {
		t.Fatal(d)
	}
}

func onCores(t *testing.T, cores int, m *mio.Model) []byte {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	return written(t, m)
}

// Of many mistakes the first in the file is reported, whoever finds it.
func TestWorkersFormatError(t *testing.T) {
	b := mio.NewBuilder("wide")
	const cols = parallelFrom
	r := b.AddRow(0, 1, "")
	for j := range cols {
		v := 1.0
		if j > cols/2 {
			v = 1 + float64(j)*1e-12 // too many digits
		}
		b.Add(r, b.AddBinary(0, ""), v)
	}
	m := frozen(t, b)
	var first string
	for _, cores := range []int{1, 2, maxWorkers} {
		old := runtime.GOMAXPROCS(cores)
		_, err := Write(&bytes.Buffer{}, m, Options{Format: Fixed})
		runtime.GOMAXPROCS(old)
		if err == nil {
			t.Fatal("no error")
		}
		if first == "" {
			first = err.Error()
		}
		if err.Error() != first || !strings.Contains(first, "x32770") {
			t.Errorf("%d cores: %v; with one: %s", cores, err, first)
		}
	}
}

// failingWriter takes n bytes.
type failingWriter struct{ n int }

var errFull = errors.New("no space left")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.n -= len(p); w.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// Wherever writing fails, the error comes back and no worker waits for ever.
func TestWorkersWriteError(t *testing.T) {
	m := mixedModel(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	size := len(written(t, m))
	for k := range 12 {
		if _, err := Write(&failingWriter{size * k / 12}, m, Options{}); !errors.Is(err, errFull) {
			t.Fatalf("failing after %d of 12 parts: %v", k, err)
		}
	}
}

// The writer's memory beyond the model does not grow with the model.
func TestConstantMemory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	small, large := RandomModel(t, 2000), RandomModel(t, 8000)
	a, b := allocated(t, small), allocated(t, large)
	if b > a+a/4 {
		t.Errorf("%d bytes allocated for four times the model that took %d", b, a)
	}
}

func allocated(t *testing.T, m *mio.Model) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Write(&failingWriter{math.MaxInt}, m, Options{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestDialectErrors: what a dialect cannot say is an error that names it, and
// the other dialects write it.
func TestDialectErrors(t *testing.T) {
	for name, c := range map[string]struct {
		add   func(b *mio.Builder)
		fails []Dialect
		parts []string
	}{
		"quadratic range": {func(b *mio.Builder) { b.AddQuad(0, 0, 0, 1) }, []Dialect{Portable, Gurobi, CPLEX, Xpress},
			[]string{"quadratic row range", "two rows"}},
		"indicator range": {func(b *mio.Builder) { b.AddIndicator(0, 1, true) }, []Dialect{Portable, Gurobi, CPLEX, Xpress},
			[]string{"indicator row range", "two rows"}},
		"quadratic row":    {func(b *mio.Builder) { b.AddQuad(1, 0, 0, 1) }, []Dialect{HiGHS}, []string{"HiGHS", "quadratic rows"}},
		"indicator":        {func(b *mio.Builder) { b.AddIndicator(1, 1, true) }, []Dialect{HiGHS}, []string{"HiGHS", "indicator rows"}},
		"SOS":              {func(b *mio.Builder) { b.AddSOS(1, "", []mio.Col{0}, []float64{1}) }, []Dialect{HiGHS}, []string{"HiGHS", "SOS"}},
		"discrete QP":      {func(b *mio.Builder) { b.AddQuadCost(0, 0, 1) }, []Dialect{HiGHS}, []string{"HiGHS", "discrete columns (1)"}},
		"cost overflow":    {func(b *mio.Builder) { b.AddQuadCost(0, 0, 1e308) }, []Dialect{Portable, Gurobi, CPLEX, SCIP, Xpress}, []string{"1e+308 of x squared", "doubled"}},
		"row underflow":    {func(b *mio.Builder) { b.AddQuad(1, 0, 1, 5e-324) }, []Dialect{Portable, Gurobi, CPLEX, SCIP, Xpress}, []string{"row one", "5e-324 of x * b", "halved"}},
		"mixed cost large": {func(b *mio.Builder) { b.AddQuadCost(0, 1, 1e308) }, []Dialect{HiGHS}, []string{"discrete"}},
	} {
		b := mio.NewBuilder("m")
		b.AddCol(1, 0, 1, mio.Continuous, "x")
		b.AddBinary(1, "b")
		b.AddRow(0, 1, "range")
		b.AddRow(0, mio.Inf, "one")
		c.add(b)
		m := frozen(t, b)
		for d := range numDialects {
			_, err := Write(io.Discard, m, Options{Dialect: d})
			if fails := bytes.IndexByte(dialectBytes(c.fails), byte(d)) >= 0; fails != (err != nil) && d != HiGHS {
				t.Errorf("%s, %s: error %v", name, d, err)
			}
			if d == HiGHS && err == nil {
				t.Errorf("%s: written for HiGHS", name)
			}
			if err != nil && d == c.fails[0] {
				for _, p := range append(c.parts, `"m"`) {
					if !strings.Contains(err.Error(), p) {
						t.Errorf("%s, %s: error %q does not mention %q", name, d, err, p)
					}
				}
			}
		}
	}
}

func dialectBytes(list []Dialect) []byte {
	var b []byte
	for _, d := range list {
		b = append(b, byte(d))
	}
	return b
}

func TestLPErrors(t *testing.T) {
	b := mio.NewBuilder("m")
	b.AddCol(0, 0, 1, mio.Continuous, "x")
	b.AddBinary(0, "y")
	b.AddQuadCost(0, 1, -1.5e308)
	_, err := WriteLP(io.Discard, frozen(t, b), LPOptions{})
	for _, p := range []string{"x * y", "-1.5e+308"} {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("error %v does not mention %q", err, p)
		}
	}
	if _, err := WriteLP(failing{}, tinyModels(t)["max"], LPOptions{}); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("error %v is not the writer's", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errNoSpace }

var errNoSpace = errors.New("no space left")

// TestHiGHSConvex: a nonconvex objective is not written for HiGHS, which may
// answer it wrongly without a word; a convex one is.
func TestHiGHSConvex(t *testing.T) {
	for name, c := range map[string]struct {
		terms  [][3]float64 // columns and coefficient
		max    bool
		convex bool
	}{
		"square":          {[][3]float64{{0, 0, 1}}, false, true},
		"negative square": {[][3]float64{{0, 0, -1}}, false, false},
		"maximised":       {[][3]float64{{0, 0, -1}}, true, true},
		"max of a square": {[][3]float64{{0, 0, 1}}, true, false},
		"product":         {[][3]float64{{0, 1, 1}}, false, false},
		"half a square":   {[][3]float64{{0, 0, 1}, {0, 1, 1}}, false, false},
		"outweighed":      {[][3]float64{{0, 0, 1}, {1, 1, 1}, {0, 1, -2}}, false, true},
		"too much":        {[][3]float64{{0, 0, 1}, {1, 1, 1}, {0, 1, -2.1}}, false, false},
	} {
		b := mio.NewBuilder("m")
		if c.max {
			b.SetSense(mio.Maximize)
		}
		b.AddCol(1, 0, 1, mio.Continuous, "x")
		b.AddCol(1, 0, 1, mio.Continuous, "y")
		for _, q := range c.terms {
			b.AddQuadCost(mio.Col(q[0]), mio.Col(q[1]), q[2])
		}
		_, err := Write(io.Discard, frozen(t, b), Options{Dialect: HiGHS})
		if (err == nil) != c.convex {
			t.Errorf("%s: error %v, convex %v", name, err, c.convex)
		}
		var format *FormatError
		if err != nil && !errors.As(err, &format) {
			t.Errorf("%s: %v is no FormatError", name, err)
		}
	}
}

// TestSections: the order of the sections that the solvers want.
func TestSections(t *testing.T) {
	b := mio.NewBuilder("m")
	x, p := b.AddCol(1, 0, 1, mio.Continuous, "x"), b.AddBinary(1, "p")
	b.AddQuad(b.AddRow(0, mio.Inf, "q"), x, x, 1)
	b.AddIndicator(b.AddRow(0, mio.Inf, "i"), p, true)
	b.AddQuadCost(x, x, 1)
	b.AddSOS(1, "set", []mio.Col{x}, []float64{1})
	m := frozen(t, b)
	for d := range numDialects {
		want := "NAME ROWS COLUMNS RHS BOUNDS SOS QUADOBJ QCMATRIX INDICATORS ENDATA"
		switch d {
		case Gurobi:
			want = "NAME ROWS COLUMNS RHS BOUNDS QUADOBJ QCMATRIX SOS INDICATORS ENDATA"
		case CPLEX:
			want = "NAME ROWS COLUMNS RHS BOUNDS SOS QMATRIX QCMATRIX INDICATORS ENDATA"
		case HiGHS:
			continue
		}
		var buf bytes.Buffer
		if _, err := Write(&buf, m, Options{Dialect: d}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for l := range strings.Lines(buf.String()) {
			if l[0] != ' ' && l[0] != '*' {
				got = append(got, strings.Fields(l)[0])
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", d, s, want)
		}
	}
}

// pieces keeps what is written and the size of the largest piece.
type pieces struct {
	bytes.Buffer
	largest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.largest = max(p.largest, len(b))
	return p.Buffer.Write(b)
}

// TestWriteLPManyTerms: lines that are flushed in the middle of a statement
// come out whole.
func TestWriteLPManyTerms(t *testing.T) {
	const n = 30000
	b := mio.NewBuilder("m")
	r := b.AddRow(math.Inf(-1), 1, "r")
	for j := range n {
		b.Add(r, b.AddCol(0, 0, 1, mio.Continuous, "column", j), 2)
	}
	var buf pieces
	if _, err := WriteLP(&buf, frozen(t, b), LPOptions{}); err != nil {
		t.Fatal(err)
	}
	if buf.largest > bufferSize {
		t.Errorf("a piece of %d bytes: the statement was kept in memory", buf.largest)
	}
	_, rest, _ := strings.Cut(buf.String(), " r:")
	row, _, _ := strings.Cut(rest, "<= 1")
	fields := strings.Fields(row)
	if len(fields) != 3*n-1 || fields[0] != "2" || fields[1] != "column_0" || fields[len(fields)-1] != "column_29999" {
		t.Fatalf("%d fields, want %d", len(fields), 3*n-1)
	}
	for l := range strings.Lines(buf.String()) {
		if len(l) > lpWidth+1 {
			t.Fatalf("a line of %d characters", len(l))
		}
	}
}

// The tables of reserved words hold no word longer than is looked up.
func TestReservedWords(t *testing.T) {
	for w := range reservedWords {
		if len(w) > longestReserved || legalName([]byte(w)) {
			t.Errorf("%s is legal in MPS files", w)
		}
	}
	for w := range reservedLPWords {
		if len(w) > longestLPReserved || legalLPName([]byte(w)) || legalLPName(bytes.ToUpper([]byte(w))) {
			t.Errorf("%s is legal in LP files", w)
		}
	}
}
