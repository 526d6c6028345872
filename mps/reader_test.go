package mps

import (
	"bytes"
	"fmt"
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

// The reader's conventions, where files leave room: a column x of cost 1 in a
// row r, after the lines given.
func TestBoundConventions(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		integer      bool
		bounds       string
		lower, upper float64
		kind         mio.VarType
	}{
		{false, "", 0, inf, mio.Continuous},
		{true, "", 0, 1, mio.Integer},
		{true, " LO BND x 2", 2, inf, mio.Integer},
		{true, " UP BND x 7", 0, 7, mio.Integer},
		{true, " MI BND x", -inf, inf, mio.Integer},
		{true, " PL BND x", 0, inf, mio.Integer},
		{false, " UP BND x -3", -inf, -3, mio.Continuous},
		{false, " UP BND x 0", 0, 0, mio.Continuous},
		{true, " UP BND x -3", -inf, -3, mio.Integer},
		{false, " UP BND x -3\n LO BND x -5", -5, -3, mio.Continuous},
		{false, " LO BND x -5\n UP BND x -3", -5, -3, mio.Continuous},
		{false, " FR BND x", -inf, inf, mio.Continuous},
		{false, " FR x", -inf, inf, mio.Continuous},
		{false, " FR BND x 0", -inf, inf, mio.Continuous},
		{false, " BV BND x", 0, 1, mio.Binary},
		{false, " BV BND x 1", 0, 1, mio.Binary},
		{false, " BV x", 0, 1, mio.Binary},
		{false, " LI BND x 2", 2, inf, mio.Integer},
		{false, " UI BND x 2", 0, 2, mio.Integer},
		{false, " UP x 4", 0, 4, mio.Continuous},
		{false, "\tUP\tBND\tx\t4\r", 0, 4, mio.Continuous},
		{false, " UP BND x 1e30", 0, 1e30, mio.Continuous},
		{false, " UP BND x Infinity\n LO BND x -inf", -inf, inf, mio.Continuous},
		{false, " UP *B* x 4\n LO x 1", 1, 4, mio.Continuous},
		{false, " UP BND x 1.5D1 $ Fortran", 0, 15, mio.Continuous},
	} {
		column := " x obj 1\n"
		if c.integer {
			column = " M 'MARKER' 'INTORG'\n" + column + " M 'MARKER' 'INTEND'\n"
		}
		m, err := Read(strings.NewReader("NAME t\nROWS\n N obj\nCOLUMNS\n"+column+"BOUNDS\n"+c.bounds+"\nENDATA\n"), "t")
		if err != nil {
			t.Errorf("%q: %v", c.bounds, err)
			continue
		}
		if l, u, k := m.ColLower()[0], m.ColUpper()[0], m.ColTypes()[0]; l != c.lower || u != c.upper || k != c.kind {
			t.Errorf("integer %v, %q: %v [%v, %v], want %v [%v, %v]", c.integer, c.bounds, k, l, u, c.kind, c.lower, c.upper)
		}
	}
}

func TestRangeConventions(t *testing.T) {
	for _, c := range []struct {
		kind         string
		r            string
		lower, upper float64
	}{
		{"G", "3", 10, 13}, {"G", "-3", 10, 13}, {"L", "3", 7, 10}, {"L", "-3", 7, 10},
		{"E", "3", 10, 13}, {"E", "-3", 7, 10}, {"E", "0", 10, 10}, {"G", "0", 10, 10}, {"L", "0", 10, 10},
	} {
		for _, sections := range []string{"RHS\n RHS r 10\nRANGES\n RNG r " + c.r, "RANGES\n r " + c.r + "\nRHS\n r 10\n"} {
			m, err := Read(strings.NewReader("ROWS\n N obj\n "+c.kind+" r\nCOLUMNS\n x r 1\n"+sections+"\nENDATA"), "t")
			if err != nil {
				t.Fatal(err)
			}
			if l, u := m.RowLower()[0], m.RowUpper()[0]; l != c.lower || u != c.upper {
				t.Errorf("%s with range %s: [%v, %v], want [%v, %v]", c.kind, c.r, l, u, c.lower, c.upper)
			}
		}
	}
}

func TestObjectiveConventions(t *testing.T) {
	for _, c := range []struct {
		head   string
		sense  mio.Sense
		offset float64
	}{
		{"", mio.Minimize, -5},
		{"OBJSENSE\n    MAX\n", mio.Maximize, -5},
		{"OBJSENSE MAXIMIZE\n", mio.Maximize, -5},
		{"OBJSENSE\n MIN\n", mio.Minimize, -5},
		{"* octgen sense max\n", mio.Maximize, 5},
	} {
		m, err := Read(strings.NewReader(c.head+"NAME a name FREE\nROWS\n N cost\n N other\nCOLUMNS\n x cost 2 other 3\nRHS\n RHS cost 5\nENDATA\nrest"), "t")
		if err != nil {
			t.Fatal(err)
		}
		sign := 1.0
		if strings.HasPrefix(c.head, "*") {
			sign = -1
		}
		if m.Sense() != c.sense || m.Offset() != c.offset || m.Costs()[0] != sign*2 {
			t.Errorf("%q: %v, offset %v, cost %v", c.head, m.Sense(), m.Offset(), m.Costs()[0])
		}
		if m.Name() != "a name" || m.NumRows() != 1 || m.RowName(0) != "other" || !isFree(m.RowLower()[0], m.RowUpper()[0]) {
			t.Errorf("%q: the second N row is not a free row, or the name is %q", c.head, m.Name())
		}
	}
}

// readTail reads a model of the columns x, y, b (integer, without bounds), the
// rows r (L) and g (G), and then the lines given.
func readTail(t *testing.T, tail string) *mio.Model {
	t.Helper()
	m, err := Read(strings.NewReader("ROWS\n N obj\n L r\n G g\nCOLUMNS\n x obj 1 r 1\n y r 2 g 1\n"+
		" M 'MARKER' 'INTORG'\n b obj 1\n M 'MARKER' 'INTEND'\n"+tail+"ENDATA\n"), "t")
	if err != nil {
		t.Fatalf("%v in\n%s", err, tail)
	}
	return m
}

// The sections of one and the same quadratic function in all their forms.
func TestQuadraticConventions(t *testing.T) {
	terms := []mio.QuadTerm{{I: 0, J: 0, Value: 1.5}, {I: 0, J: 1, Value: -2}, {I: 1, J: 1, Value: 4}}
	var inRow []mio.QuadRowTerm
	for _, q := range terms {
		inRow = append(inRow, mio.QuadRowTerm{Row: 0, QuadTerm: q})
	}
	for _, c := range []struct {
		tail string
		row  bool
	}{
		{"QUADOBJ\n x x 3\n x y -2\n y y 8\n", false},
		{"QUADOBJ\n y y 8\n y x -2\n x x 3\n", false},
		{"QUADOBJ obj\n x x 3 y -2\n y y 8\n", false}, // two entries in a line
		{"QSECTION\n x x 3\n y x -2\n y y 8\n", false},
		{"QSECTION obj\n x x 3\n y x -2\n y y 8\n", false},
		{"QMATRIX\n x x 3\n x y -2\n y x -2\n y y 8\n", false},
		{"QMATRIX\n y x -2\n y y 8\n x x 3\n x y -2\n b x 0\n", false}, // a lone zero
		{"RHS\n RHS r 4\nQMATRIX\n x x 3 y -2\n y x -2 y 8\nBOUNDS\n UP BND x 4\n", false},
		{"QCMATRIX r\n x x 1.5\n x y -1\n y x -1\n y y 4\n", true},
		{"QCMATRIX   r\n y x -1\n x x 1.5\n y y 4\n x y -1\n", true},
		{"QSECTION r\n x x 3\n x y -2\n y y 8\n", true},
		{"* octgen quadratic r x x 1.5\n* octgen quadratic r y x -2\n* octgen quadratic r y y 4\n", true},
	} {
		m := readTail(t, c.tail)
		wantCost, wantRows := terms, []mio.QuadRowTerm(nil)
		if c.row {
			wantCost, wantRows = nil, inRow
		}
		if d := cmp.Diff(wantCost, append([]mio.QuadTerm(nil), m.QuadCost()...)); d != "" {
			t.Errorf("%sobjective (-want +got):\n%s", c.tail, d)
		}
		if d := cmp.Diff(wantRows, append([]mio.QuadRowTerm(nil), m.QuadRows()...)); d != "" {
			t.Errorf("%srows (-want +got):\n%s", c.tail, d)
		}
	}
	m, err := Read(strings.NewReader("* octgen sense max\nROWS\n N obj\nCOLUMNS\n x obj 1\nQUADOBJ\n x x 3\nENDATA\n"), "t")
	if err != nil {
		t.Fatal(err)
	}
	if got := m.QuadCost()[0].Value; got != -1.5 || m.Sense() != mio.Maximize {
		t.Errorf("negated maximization: coefficient %v, %v", got, m.Sense())
	}
}

func TestIndicatorConventions(t *testing.T) {
	m := readTail(t, "INDICATORS\n IF g b 0\n IF r b 1\n")
	want := []mio.Indicator{{Row: 0, Col: 2, On: true}, {Row: 1, Col: 2, On: false}}
	if d := cmp.Diff(want, m.Indicators()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if m.ColTypes()[2] != mio.Binary {
		t.Error("an integer indicator within [0, 1] is not binary")
	}
	if m := readTail(t, "BOUNDS\n FX BND b 1\nINDICATORS\n IF g b 1.0\n"); m.ColTypes()[2] != mio.Binary || m.ColLower()[2] != 1 {
		t.Error("a fixed indicator is not binary, or not fixed")
	}
	if m := readTail(t, "RANGES\n RNG r 3\nINDICATORS\n IF r b 1\n"); m.RowLower()[0] != -3 { // as SCIP reads it
		t.Error("the indicator's row lost its range")
	}
}

func TestSOSConventions(t *testing.T) {
	for tail, want := range map[string][]mio.SOS{
		"SOS\n S1 set\n    x 1\n    y 2\n":                       {{Type: 1, Name: "set", Cols: []int32{0, 1}, Weights: []float64{1, 2}}},
		"SOS\n S2 set\n    x 2.5\n    y -1\n":                    {{Type: 2, Name: "set", Cols: []int32{1, 0}, Weights: []float64{-1, 2.5}}},
		"SETS\n S2 set\n    x 1\n    y 2\n":                      {{Type: 2, Name: "set", Cols: []int32{0, 1}, Weights: []float64{1, 2}}},
		"SOS\n S1 set 5\n    x 1\n    y 2\n":                     {{Type: 1, Name: "set", Cols: []int32{0, 1}, Weights: []float64{1, 2}}}, // priority
		"SOS\n S1 SOS set 5\n    x 1\n    y 2\n":                 {{Type: 1, Name: "set", Cols: []int32{0, 1}, Weights: []float64{1, 2}}},
		"SOS\n S1 SOS set\n    x 1\n    y 2\n":                   {{Type: 1, Name: "set", Cols: []int32{0, 1}, Weights: []float64{1, 2}}},
		"SOS\n S1 set\n set x 1\n set y 2\n":                     {{Type: 1, Name: "set", Cols: []int32{0, 1}, Weights: []float64{1, 2}}},
		"SOS\n S1 set\n y\n x\n":                                 {{Type: 1, Name: "set", Cols: []int32{1, 0}, Weights: []float64{1, 2}}}, // no weights
		"SOS\n S1\n x 1\n S2\n y 2\n":                            {{Type: 1, Name: "s1", Cols: []int32{0}, Weights: []float64{1}}, {Type: 2, Name: "s2", Cols: []int32{1}, Weights: []float64{2}}},
		"SOS1\n a x 1\n a y 2\n b y 1\n":                         {{Type: 1, Name: "a", Cols: []int32{0, 1}, Weights: []float64{1, 2}}, {Type: 1, Name: "b", Cols: []int32{1}, Weights: []float64{1}}},
		"SOS2\n S2 a\n x 1\n y 2\n":                              {{Type: 2, Name: "a", Cols: []int32{0, 1}, Weights: []float64{1, 2}}},
		"SOS2\n a x 1\n a y 2\nSOS1\n c b 1\n":                   {{Type: 2, Name: "a", Cols: []int32{0, 1}, Weights: []float64{1, 2}}, {Type: 1, Name: "c", Cols: []int32{2}, Weights: []float64{1}}},
		"SOS\n S1 s2\n x 1\n S1 s1\n y 2\nBOUNDS\n UP BND x 1\n": {{Type: 1, Name: "s2", Cols: []int32{0}, Weights: []float64{1}}, {Type: 1, Name: "s1", Cols: []int32{1}, Weights: []float64{2}}},
	} {
		if d := cmp.Diff(want, readTail(t, tail).SOS()); d != "" {
			t.Errorf("%s(-want +got):\n%s", tail, d)
		}
	}
}

// TestByteOrderMark: a text that an editor has marked as UTF-8 is the same model.
func TestByteOrderMark(t *testing.T) {
	const text = "NAME m\nROWS\n N obj\n L r\nCOLUMNS\n x obj 1 r 1\nRHS\n RHS r 4\nENDATA\n"
	plain, err := Read(strings.NewReader(text), "m.mps")
	if err != nil {
		t.Fatal(err)
	}
	marked, err := Read(strings.NewReader(byteOrderMark+text), "m.mps")
	if err != nil {
		t.Fatal(err)
	}
	if marked.Name() != plain.Name() || marked.NumNonzeros() != plain.NumNonzeros() || marked.RowUpper()[0] != 4 {
		t.Errorf("%s, %d nonzeros, at most %v", marked.Name(), marked.NumNonzeros(), marked.RowUpper())
	}
}

// Lines that are read the fast way and lines of the same meaning that are not,
// because of a comment at their end, give the same model; so do other blanks.
func TestColumnsFast(t *testing.T) {
	m := sparseModel(t)
	text := string(written(t, m))
	for name, change := range map[string]func(string) string{
		"as written":        func(s string) string { return s },
		"comments":          func(s string) string { return strings.ReplaceAll(s, "\n", " $ 1 2\n") },
		"carriage returns":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"two blanks":        func(s string) string { return strings.ReplaceAll(s, " ", "  ") },
		"tabs":              func(s string) string { return strings.ReplaceAll(s, " ", "\t") },
		"Fortran":           func(s string) string { return strings.ReplaceAll(s, ".5\n", ".5D0\n") },
		"no last line feed": func(s string) string { return strings.TrimSuffix(s, "\n") },
	} {
		before, after, _ := strings.Cut(text, "COLUMNS\n")
		got, err := Read(strings.NewReader(before+"COLUMNS\n"+change(after)), "m.mps")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := diff(m, got); d != "" {
			t.Fatalf("%s: %s", name, d)
		}
	}
}

// sparseModel has rows that follow each other in ever other orders, and names
// shorter and longer than a key holds.
func sparseModel(tb testing.TB) *mio.Model {
	rng := rand.New(rand.NewPCG(13, 14))
	b := mio.NewBuilder("sparse")
	const rows, cols = 300, 2000
	for i := range rows {
		b.AddRow(0, math.Inf(1), []string{"r", "seven", "row_and_more", "more_than_fifteen_characters"}[rng.IntN(4)], i)
	}
	for j := range cols {
		c := b.AddCol(0, 0, math.Inf(1), mio.Continuous, []string{"c", "column_of_many_characters"}[rng.IntN(2)], j)
		for range rng.IntN(8) {
			b.Add(mio.Row(rng.IntN(rows)), c, float64(rng.IntN(9999))/4)
		}
	}
	return frozen(tb, b)
}

// A mistake in a line of the usual kind is found where it stands.
func TestColumnsFastErrors(t *testing.T) {
	const head = "ROWS\n N o\n L r1\n L r2\nCOLUMNS\n x o 1\n"
	for line, want := range map[string]string{
		" x r1 1 r1 2":       "m.mps:7: section COLUMNS: column x has two entries in row r1",
		" x r1 1 r3 2":       "m.mps:7: section COLUMNS: row \"r3\" is not in the ROWS section",
		" x r1 1 r2":         "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x r1 1 r2 2 3":     "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x r1 1 r2 2 r3 3":  "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x r1 1e":           "m.mps:7: section COLUMNS: column x, row r1: expected a number, found \"1e\"",
		" x r1 1x":           "m.mps:7: section COLUMNS: column x, row r1: expected a number, found \"1x\"",
		" x r1 1e999":        "m.mps:7: section COLUMNS: column x, row r1: number \"1e999\" is beyond the range",
		" x r1":              "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x":                 "m.mps:7: section COLUMNS: expected a column and one or two pairs",
		" x o 2":             "m.mps:7: section COLUMNS: column x has two entries in row o",
		" x 'MARKER' 5":      "m.mps:7: section COLUMNS: expected a marker",
		" x r1 1 $\n x r1 1": "m.mps:8: section COLUMNS: column x has two entries in row r1",
	} {
		_, err := Read(bytes.NewReader([]byte(head+line+"\nENDATA\n")), "m.mps")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", line, err, want)
		}
	}
}

// TestBad reads files with one mistake each; the file beside each holds the
// message.
func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.mps")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range files {
		m, err := ReadFile(path)
		if err == nil {
			t.Errorf("%s was read as a model of %d columns", path, m.NumCols())
			continue
		}
		got := strings.ReplaceAll(err.Error(), filepath.ToSlash(path), filepath.Base(path)) + "\n"
		golden := strings.TrimSuffix(path, ".mps") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

func TestMaxBytes(t *testing.T) {
	text := written(t, tinyModels(t)["max"])
	if _, err := (ReadOptions{MaxBytes: int64(len(text))}).Read(strings.NewReader(string(text)), "m"); err != nil {
		t.Error(err)
	}
	if _, err := (ReadOptions{MaxBytes: int64(len(text)) - 1}).Read(strings.NewReader(string(text)), "m"); err == nil || !strings.Contains(err.Error(), "MaxBytes") {
		t.Errorf("error %v does not name the limit", err)
	}
}

// TestForeign reads files as others write them, each with something of which a
// reader may lose or misread data; the file beside each holds the notes and the
// model as octgen writes it.
func TestForeign(t *testing.T) {
	files, err := filepath.Glob("testdata/foreign/*.mps")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		note := func(text string) { got.WriteString("* note: " + text + "\n") }
		m, err := ReadOptions{Notes: note}.Read(bytes.NewReader(text), path)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := Write(&got, m, Options{}); err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(path, ".mps") + ".txt"
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}

// Reading must take memory in proportion to the input, whatever its shape.
// Allocation, unlike time, is the same on every machine; joining the pieces of
// a name naively allocated 30,000 times the input.
func TestHostileShapes(t *testing.T) {
	const n = 20000
	for name, line := range map[string]func(i int) string{
		"pieces of a column's name":  func(int) string { return "* octgen name octgen_c1 \"" + strings.Repeat("a", 60) + "\"\n" },
		"pieces of the model's name": func(int) string { return "* octgen name model \"" + strings.Repeat("a", 60) + "\"\n" },
		"names":                      func(i int) string { return fmt.Sprintf("* octgen name octgen_c%d \"a%d\"\n", i, i) },
		"comments":                   func(int) string { return "* nothing\n" },
	} {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		b.WriteString("ROWS\n N o\nCOLUMNS\n octgen_c1 o 1\nENDATA\n")
		checkAllocation(t, name, b.String())
	}
}

// The same for what comes after the columns.
func TestHostileSections(t *testing.T) {
	const n = 5000
	var head strings.Builder
	head.WriteString("ROWS\n N o\n")
	for i := range n {
		fmt.Fprintf(&head, " L r%d\n", i)
	}
	head.WriteString("COLUMNS\n")
	for i := range n {
		fmt.Fprintf(&head, " c%d o 1\n", i)
	}
	for name, line := range map[string]func(i int) string{
		"quadratic terms": func(i int) string { return fmt.Sprintf(" c%d c%d 1\n", i, i/2) },
		"quadratic rows":  func(i int) string { return fmt.Sprintf("QCMATRIX r%d\n c1 c1 1\n", i) },
		"sets":            func(i int) string { return fmt.Sprintf(" S1 s%d\n c%d 1\n", i, i) },
		"one set":         func(i int) string { return fmt.Sprintf(" c%d %d\n", i, i) },
	} {
		var b strings.Builder
		b.WriteString(head.String())
		b.WriteString(map[string]string{"quadratic terms": "QUADOBJ\n", "sets": "SOS\n S1 all\n", "one set": "SOS\n S1 all\n"}[name])
		if name == "sets" { // after a long one
			for i := range n {
				fmt.Fprintf(&b, " c%d %d\n", i, i)
			}
		}
		for i := range n {
			b.WriteString(line(i))
		}
		b.WriteString("ENDATA\n")
		checkAllocation(t, name, b.String())
	}
}

func checkAllocation(t *testing.T, name, text string) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(strings.NewReader(text), "t"); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	runtime.ReadMemStats(&after)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(40*len(text)+1<<20); got > limit {
		t.Errorf("%s: %d bytes allocated for %d bytes of input", name, got, len(text))
	}
}
