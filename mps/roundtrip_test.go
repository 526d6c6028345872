package mps

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/mio"
	"pgregory.net/rapid"
)

func TestRoundTripFree(t *testing.T) { rapid.Check(t, func(t *rapid.T) { roundTrip(t, Options{}) }) }
func TestRoundTripFixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { roundTrip(t, Options{Format: Fixed}) })
}

func roundTrip(t *rapid.T, opts Options) {
	opts.Dialect = Dialect(rapid.IntRange(0, int(numDialects)-1).Draw(t, "dialect"))
	m := drawModel(t, opts)
	opts.Comments = []string{"made by a test", strings.Repeat("long ", 300), "octgen 0.1\nsecond line"}
	var first, second bytes.Buffer
	mp, err := Write(&first, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(&second, m, opts); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatalf("a second Write gave other bytes (error %v)", err)
	}
	text := first.String()
	in := io.Reader(&first)
	if rapid.Bool().Draw(t, "gzip") {
		in = zipped(t, first.Bytes())
	}
	got, back, err := ReadOptions{}.ReadMapped(in, "m.mps")
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	want := *mp
	want.RenamedSOS = nil
	if d := cmp.Diff(&want, back); d != "" {
		t.Fatalf("the map read differs from the one written (-want +got):\n%s\n%s", d, text)
	}
	if d := diff(m, got); d != "" {
		t.Fatalf("the model read differs from the one written (-want +got):\n%s\n%s", d, text)
	}
	index := mp.ColIndex(m)
	if len(index) != mp.FileCols() {
		t.Fatalf("%d different names for %d columns", len(index), mp.FileCols())
	}
	for j := range m.NumCols() {
		name := string(mp.AppendColName(nil, m, j))
		if index[name] != j || !strings.Contains(text, name) {
			t.Fatalf("column %d: name %q is not the file's", j, name)
		}
	}
}

func zipped(t *rapid.T, data []byte) io.Reader {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &buf
}

// rapid prefers short numbers; of full-precision ones many have no range from
// which the other side comes back exactly.
func TestRangesExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	b := mio.NewBuilder("ranges")
	inexact := 0
	for range 5000 {
		l, u := rng.NormFloat64(), rng.NormFloat64()*math.Pow(10, float64(rng.IntN(9)-4))
		l, u = min(l, u), max(l, u)
		if _, exact := rangeOf(l, u); !exact {
			inexact++
		}
		b.AddRow(l, u, "")
	}
	if inexact == 0 {
		t.Fatal("no range needs its directive")
	}
	m := frozen(t, b)
	got, err := Read(bytes.NewReader(written(t, m)), "m")
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(m, got); d != "" {
		t.Error(d)
	}
}

func TestFiles(t *testing.T) {
	m := tinyModels(t)["max"]
	dir := t.TempDir()
	for _, name := range []string{"m.mps", "m.mps.gz"} {
		path := filepath.Join(dir, name)
		for range 2 { // the second time over an existing file
			if _, err := WriteFile(path, m, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := diff(m, got); d != "" {
			t.Error(name, d)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestWriteFileErrors(t *testing.T) {
	m := tinyModels(t)["max"]
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "none", "m.mps")} {
		_, err := WriteFile(path, m, Options{})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("WriteFile(%q): error %v does not name the path", path, err)
		}
	}
	b := mio.NewBuilder("m")
	b.AddCol(1./3, 0, 1, mio.Continuous, "x")
	third, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WriteFile(filepath.Join(dir, "m.mps"), third, Options{Format: Fixed}); err == nil || !strings.Contains(err.Error(), "0.3333333333333333") {
		t.Errorf("error %v does not name the number", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	b = mio.NewBuilder("m")
	b.AddCol(1, 0, 1, mio.Continuous, "a_long_name")
	long, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(&bytes.Buffer{}, long, Options{Format: Fixed}); err == nil || !strings.Contains(err.Error(), "a_long_name") {
		t.Errorf("error %v does not name the name", err)
	}
	if _, err := Write(&bytes.Buffer{}, m, Options{Comments: []string{"a\noctgen sense max"}}); err == nil {
		t.Error("a comment that is a directive was accepted")
	}
}

// content is all that a model says, for cmp.Diff.
type content struct {
	Name               string
	Sense              mio.Sense
	Offset             float64
	Cost               []float64
	ColLower, ColUpper []float64
	Types              []mio.VarType
	RowLower, RowUpper []float64
	Start, Index       []int32
	Value              []float64
	ColNames, RowNames []string
	QuadCost           []mio.QuadTerm
	QuadRows           []mio.QuadRowTerm
	Indicators         []mio.Indicator
	SOS                []mio.SOS
	Lazy               int
}

func contentOf(m *mio.Model) content {
	c := content{Name: m.Name(), Sense: m.Sense(), Offset: m.Offset(), Cost: m.Costs(),
		ColLower: m.ColLower(), ColUpper: m.ColUpper(), Types: m.ColTypes(),
		RowLower: m.RowLower(), RowUpper: m.RowUpper(), SOS: m.SOS(), Lazy: m.NumLazy()}
	// A part without entries may be nil or not.
	c.QuadCost = append(c.QuadCost, m.QuadCost()...)
	c.QuadRows = append(c.QuadRows, m.QuadRows()...)
	c.Indicators = append(c.Indicators, m.Indicators()...)
	c.Start, c.Index, c.Value = m.Matrix()
	for j := range m.NumCols() {
		c.ColNames = append(c.ColNames, m.ColName(j))
	}
	for i := range m.NumRows() {
		c.RowNames = append(c.RowNames, m.RowName(i))
	}
	return c
}

func diff(want, got *mio.Model) string {
	return cmp.Diff(contentOf(want), contentOf(got), cmp.Transformer("nilIsEmpty", func(s []float64) []float64 {
		return append([]float64{}, s...)
	}), cmp.Transformer("nilIsEmpty32", func(s []int32) []int32 { return append([]int32{}, s...) }),
		cmp.Transformer("nilIsEmptyType", func(s []mio.VarType) []mio.VarType { return append([]mio.VarType{}, s...) }))
}

// wild draws numbers of all magnitudes.
func wild() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-20, 20), func(i int) float64 { return float64(i) }),
		rapid.Float64Range(-2, 2),
		rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64),
		rapid.SampledFrom([]float64{5e-324, -5e-324, 2.2250738585072014e-308, -2.2250738585072014e-308,
			math.MaxFloat64, -math.MaxFloat64, 1e15, 1e15 - 1, 1e-5, 0.1, 1. / 3, -1.2345678901234567e-5, 1e22, 1e23, 1e100}),
	)
}

// short draws numbers that fit fixed format.
func short() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) / 8 }),
		rapid.SampledFrom([]float64{1e-300, -1e300, 1e15, 0.1, -2.5e-7}),
	)
}

// drawBounds draws every kind of bounds of a row or column.
func drawBounds(t *rapid.T, number *rapid.Generator[float64], label string) (l, u float64) {
	l, u = number.Draw(t, label+"-lower"), number.Draw(t, label+"-upper")
	if l > u {
		l, u = u, l
	}
	switch rapid.IntRange(0, 5).Draw(t, label+"-kind") {
	case 0:
		return math.Inf(-1), u
	case 1:
		return l, mio.Inf
	case 2:
		return math.Inf(-1), mio.Inf
	case 3:
		return l, l
	}
	return l, u
}

var oddNames = []string{"x", "RHS", "BND", "1st", "$a", "*b", "größe", "octgen_c1", "octgen_one", "octg_one", "inf", "obj",
	"a'b", "S1", "S2", "s1x", "'MARKER'", "name", "FREE", "-", "<=3", "\xff\xfe", "long_" + string(make60('y')) + string(make60('z')) + string(make60('q'))}

func make60(c byte) []byte {
	b := make([]byte, 60)
	for i := range b {
		b[i] = c
	}
	return b
}

// drawModel draws a model that can be written with opts.
func drawModel(t *rapid.T, opts Options) *mio.Model {
	fixed := opts.Format == Fixed
	number := wild()
	modelName := rapid.OneOf(rapid.SampledFrom([]string{"m", "", "a b", "FREE", "x FREE", "n\nl", "octgen"}), rapid.String())
	if fixed {
		number = short()
	}
	b := mio.NewBuilder(modelName.Draw(t, "name"))
	convex := 1.0 // sign of a square in a convex objective
	if rapid.Bool().Draw(t, "max") {
		b.SetSense(mio.Maximize)
		convex = -1
	}
	if rapid.Bool().Draw(t, "offset?") {
		b.AddOffset(number.Draw(t, "offset"))
	}
	odd := !fixed && rapid.Bool().Draw(t, "odd names")
	name := func(kind string, i int) (string, []int) {
		switch {
		case odd && i < len(oddNames):
			return oddNames[i], nil
		case i%5 == 4:
			return "", nil
		}
		return kind, []int{i}
	}
	cols := rapid.IntRange(0, 24).Draw(t, "cols")
	rows := rapid.IntRange(0, 24).Draw(t, "rows")
	var kinds []mio.VarType
	for j := range cols {
		kind := mio.VarType(rapid.IntRange(0, 2).Draw(t, "type"))
		l, u := drawBounds(t, number, "col")
		if kind == mio.Binary {
			l, u = 0, 1
			switch rapid.IntRange(0, 4).Draw(t, "binary") {
			case 0:
				u = 0
			case 1:
				l = 1
			case 2:
				l, u = 0.25, 0.5
			case 3:
				u = 0.5
			}
		}
		cost := 0.0
		if rapid.Bool().Draw(t, "cost?") {
			cost = number.Draw(t, "cost")
		}
		p, idx := name("col", j)
		kinds = append(kinds, kind)
		b.AddCol(cost, l, u, kind, p, idx...)
	}
	side := number
	if fixed { // the difference of the two sides must fit too
		side = rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) / 8 })
	}
	isRange := make([]bool, rows)
	for i := range rows {
		l, u := drawBounds(t, side, "row")
		isRange[i] = l < u && !math.IsInf(l, 0) && !math.IsInf(u, 0)
		p, idx := name("row", i)
		b.AddRow(l, u, p, idx...)
	}
	seen := map[[2]int]bool{}
	if cols > 0 && rows > 0 {
		for range rapid.IntRange(0, 60).Draw(t, "nonzeros") {
			at := [2]int{rapid.IntRange(0, rows-1).Draw(t, "i"), rapid.IntRange(0, cols-1).Draw(t, "j")}
			if !seen[at] { // sums may overflow
				b.Add(mio.Row(at[0]), mio.Col(at[1]), number.Draw(t, "a"))
			}
			seen[at] = true
		}
	}
	drawNonlinear(t, b, opts, number, kinds, isRange, convex)
	if rapid.Bool().Draw(t, "lazy?") {
		b.BeginLazy()
		for i := range rapid.IntRange(0, 4).Draw(t, "lazy rows") {
			l, u := drawBounds(t, side, "lazy row")
			p, idx := name("lazy", rows+i)
			b.AddRow(l, u, p, idx...)
			if cols > 0 {
				b.Add(mio.Row(rows+i), mio.Col(rapid.IntRange(0, cols-1).Draw(t, "lazy column")), number.Draw(t, "a"))
			}
		}
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drawNonlinear adds quadratic terms, indicators and sets that opts can say.
func drawNonlinear(t *rapid.T, b *mio.Builder, opts Options, number *rapid.Generator[float64], kinds []mio.VarType, isRange []bool, convex float64) {
	cols := len(kinds)
	var binaries []mio.Col
	for j, k := range kinds {
		if k == mio.Binary {
			binaries = append(binaries, mio.Col(j))
		}
	}
	discrete := slices.ContainsFunc(kinds, func(k mio.VarType) bool { return k != mio.Continuous })
	if cols == 0 || !rapid.Bool().Draw(t, "nonlinear?") {
		return
	}
	col := rapid.IntRange(0, cols-1)
	seen := map[[3]int]bool{} // sums may overflow
	pair := func(row int) (i, j mio.Col, ok bool) {
		x, y := col.Draw(t, "first"), col.Draw(t, "second")
		at := [3]int{row, min(x, y), max(x, y)}
		ok = !seen[at]
		seen[at] = true
		return mio.Col(x), mio.Col(y), ok
	}
	if opts.Dialect != HiGHS || !discrete {
		for range rapid.IntRange(0, 8).Draw(t, "quadratic costs") {
			if i, j, ok := pair(-1); ok {
				v := number.Draw(t, "q")
				if math.IsInf(2*v, 0) {
					v /= 4
				}
				if opts.Dialect == HiGHS { // which takes convex objectives only
					if i != j {
						continue
					}
					v = convex * math.Abs(v)
				}
				b.AddQuadCost(i, j, v)
			}
		}
	}
	if opts.Dialect == HiGHS {
		return
	}
	for r, ranged := range isRange {
		if ranged && opts.Dialect != SCIP {
			continue
		}
		switch rapid.IntRange(0, 3).Draw(t, "row") {
		case 0:
			for range rapid.IntRange(1, 5).Draw(t, "terms") {
				if i, j, ok := pair(r); ok {
					v := number.Draw(t, "q")
					if v/2*2 != v || opts.Format == Fixed {
						v *= 2 // its half is written, and has a digit more
					}
					if !math.IsInf(v, 0) {
						b.AddQuad(mio.Row(r), i, j, v)
					}
				}
			}
		case 1:
			if len(binaries) > 0 {
				b.AddIndicator(mio.Row(r), rapid.SampledFrom(binaries).Draw(t, "indicator"), rapid.Bool().Draw(t, "on"))
			}
		}
	}
	oddBase := rapid.IntRange(0, len(oddNames)-1).Draw(t, "odd base")
	for k := range rapid.IntRange(0, 3).Draw(t, "sets") {
		n := rapid.IntRange(1, min(cols, 5)).Draw(t, "members")
		members := rapid.SliceOfNDistinct(col, n, n, rapid.ID[int]).Draw(t, "set")
		weights := rapid.SliceOfNDistinct(number, n, n, rapid.ID[float64]).Draw(t, "weights")
		var handles []mio.Col
		for _, j := range members {
			handles = append(handles, mio.Col(j))
		}
		name := rapid.SampledFrom([]string{"", "set" + strconv.Itoa(k)}).Draw(t, "set name")
		if opts.Format == Free && rapid.Bool().Draw(t, "odd set name") {
			name = oddNames[(oddBase+k)%len(oddNames)]
		}
		b.AddSOS(rapid.IntRange(1, 2).Draw(t, "set type"), name, handles, weights)
	}
}

// FuzzRead: no input makes the reader panic, and what it accepts is written
// and read again as the same model; columns have different names in the file.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/*.mps", "testdata/foreign/*.mps", "testdata/bad/*.mps"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if len(data) < 4096 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, file, err := ReadOptions{MaxBytes: 1 << 20, Notes: func(string) {}}.ReadMapped(bytes.NewReader(data), "fuzz")
		if err != nil {
			return
		}
		if index := file.ColIndex(m); len(index) != file.FileCols() {
			t.Fatalf("%d names in the file for %d columns", len(index), file.FileCols())
		}
		var buf bytes.Buffer
		// SCIP's dialect can say all but coefficients at the ends of the range.
		if _, err := Write(&buf, m, Options{Dialect: SCIP}); err != nil {
			if s := err.Error(); strings.Contains(s, "cannot be halved") || strings.Contains(s, "cannot be doubled") {
				return
			}
			t.Fatal(err)
		}
		if _, err := WriteLP(io.Discard, m, LPOptions{}); err != nil && !strings.Contains(err.Error(), "cannot be doubled") {
			t.Fatal(err)
		}
		text := buf.String()
		again, err := Read(&buf, "again")
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if d := diff(m, again); d != "" {
			t.Fatalf("%s\n%s", d, text)
		}
	})
}
