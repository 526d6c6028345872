package mio

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestBuilder makes one model with every method and reads it back by every
// accessor.
func TestBuilder(t *testing.T) {
	b := NewBuilder("diet")
	b.SetSense(Maximize)
	b.AddOffset(2)
	b.AddOffset(0.5)
	x := b.AddCol(3, 0, Inf, Continuous, "x", 7)
	y := b.AddBinary(-1, "y", 1, -2)
	z := b.AddCol(0, -5, 5, Continuous, "z")
	b.AddCost(z, 4)
	b.AddCost(z, 0.25)
	b.SetColBounds(z, -2, 9)
	b.SetColType(z, Integer)
	r := b.AddRow(-Inf, 10, "cap")
	s := b.AddRow(1, 1, "one", 3)
	b.SetRowBounds(r, 2, 8)
	b.Add(s, y, 1) // rows out of order within column y
	b.Add(r, y, 2)
	b.Add(s, x, 1)
	b.Add(s, x, 1.5)  // summed
	b.Add(r, z, 5)    // cancelled
	b.Add(r, z, -5)   //
	b.Add(s, z, 0)    // dropped
	b.Add(r, x, -0.5) // after s in insertion, before it in the column
	if b.NumCols() != 3 || b.NumRows() != 2 || b.NumCoefs() != 8 {
		t.Errorf("builder has %d columns, %d rows, %d coefficients", b.NumCols(), b.NumRows(), b.NumCoefs())
	}
	m := frozen(t, b)

	type view struct {
		Name                                 string
		Sense                                Sense
		Offset                               float64
		Cost, Lower, Upper, RLower, RUpper   []float64
		Types                                []VarType
		Start, Index                         []int32
		Value                                []float64
		ColNames, RowNames                   []string
		Cols, Rows, Nonzeros, DiscreteColumn int
	}
	start, index, value := m.Matrix()
	got := view{
		m.Name(), m.Sense(), m.Offset(),
		m.Costs(), m.ColLower(), m.ColUpper(), m.RowLower(), m.RowUpper(),
		m.ColTypes(), start, index, value, colNames(m), rowNames(m),
		m.NumCols(), m.NumRows(), m.NumNonzeros(), m.NumDiscrete(),
	}
	want := view{
		"diet", Maximize, 2.5,
		[]float64{3, -1, 4.25}, []float64{0, 0, -2}, []float64{Inf, 1, 9}, []float64{2, 1}, []float64{8, 1},
		[]VarType{Continuous, Binary, Integer}, []int32{0, 2, 4, 4}, []int32{0, 1, 0, 1},
		[]float64{-0.5, 2.5, 2, 1}, []string{"x_7", "y_1_-2", "z"}, []string{"cap", "one_3"},
		3, 2, 4, 2,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("model (-want +got):\n%s", d)
	}
	rows, values := m.Column(1)
	if !slices.Equal(rows, []int32{0, 1}) || !slices.Equal(values, []float64{2, 1}) {
		t.Errorf("column y has %v in rows %v", values, rows)
	}
	if got := string(m.AppendColName([]byte("c="), 0)) + " " + string(m.AppendRowName([]byte("r="), 1)); got != "c=x_7 r=one_3" {
		t.Errorf("appended names: %s", got)
	}
}

func colNames(m *Model) []string {
	s := make([]string, m.NumCols())
	for j := range s {
		s[j] = m.ColName(j)
	}
	return s
}

func rowNames(m *Model) []string {
	s := make([]string, m.NumRows())
	for i := range s {
		s[i] = m.RowName(i)
	}
	return s
}

func TestEmptyModel(t *testing.T) {
	b := NewBuilder("")
	b.AddOffset(3)
	m := frozen(t, b)
	start, index, value := m.Matrix()
	if m.NumCols() != 0 || m.NumRows() != 0 || len(start) != 1 || len(index) != 0 || len(value) != 0 {
		t.Errorf("empty model has columns, rows or nonzeros: %v %v %v", start, index, value)
	}
	if r := Check(m, nil, 0); !r.Feasible || r.Objective != 3 {
		t.Errorf("empty point: %+v", r)
	}
	if v := m.RowView(); len(v.Start) != 1 || len(v.Pos) != 0 {
		t.Errorf("empty row view: %+v", v)
	}
}

// TestMatrixProperty compares the compressed matrix and its row view with a
// dense one, whatever the order of insertion.
func TestMatrixProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 7).Draw(t, "rows"), rapid.IntRange(0, 7).Draw(t, "cols")
		all := rapidTriplets(t, rows, cols)
		b := NewBuilder("m")
		if rapid.Bool().Draw(t, "reserve") {
			b.Reserve(cols, rows, rapid.IntRange(0, 80).Draw(t, "room"))
		}
		for range cols {
			b.AddCol(0, 0, 1, Continuous, "")
		}
		for range rows {
			b.AddRow(0, 1, "")
		}
		for _, e := range all {
			b.Add(Row(e.r), Col(e.c), e.v)
		}
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		want := dense(rows, cols, all)
		got := make([]float64, rows*cols)
		for j := range cols {
			index, value := m.Column(j)
			for k, i := range index {
				if k > 0 && index[k-1] >= i {
					t.Fatalf("column %d: rows %v do not ascend strictly", j, index)
				}
				if value[k] == 0 {
					t.Fatalf("column %d has an explicit zero", j)
				}
				got[int(i)*cols+j] = value[k]
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("columns (-want +got):\n%s", d)
		}
		checkRowView(t, m, want)
	})
}

func checkRowView(t *rapid.T, m *Model, want []float64) {
	start, index, value := m.Matrix()
	v := m.RowView()
	if v != m.RowView() {
		t.Fatal("the row view is made anew")
	}
	if len(v.Start) != m.NumRows()+1 || len(v.Pos) != m.NumNonzeros() {
		t.Fatalf("row view of %d starts and %d positions", len(v.Start), len(v.Pos))
	}
	got := make([]float64, len(want))
	for i := range m.NumRows() {
		last := -1
		for _, p := range v.Pos[v.Start[i]:v.Start[i+1]] {
			if int(index[p]) != i {
				t.Fatalf("row %d: position %d is of row %d", i, p, index[p])
			}
			j, found := slices.BinarySearch(start, p+1) // first start beyond p
			if j--; found {
				for start[j+1] <= p {
					j++
				}
			}
			if j <= last {
				t.Fatalf("row %d: columns do not ascend", i)
			}
			last = j
			got[i*m.NumCols()+j] = value[p]
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("rows (-want +got):\n%s", d)
	}
}

// TestDuplicatesInOrder: duplicates are summed in the order of insertion, so
// that the same calls give the same bits.
func TestDuplicatesInOrder(t *testing.T) {
	b := NewBuilder("m")
	c, last, first := b.AddBinary(0, "c"), Row(1), Row(0)
	b.AddRow(0, 1, "first")
	b.AddRow(0, 1, "last")
	b.Add(last, c, 1)
	for _, v := range []float64{1e16, 1, -1e16} { // (1e16 + 1) - 1e16 = 0; in other orders 1
		b.Add(first, c, v)
		b.Add(last, c, 1)
	}
	rows, values := frozen(t, b).Column(0)
	if !slices.Equal(rows, []int32{1}) || !slices.Equal(values, []float64{4}) {
		t.Errorf("column has %v in rows %v, want 4 in row 1", values, rows)
	}
}

// TestUnsortedColumn: a long column whose rows come in a scrambled order.
func TestUnsortedColumn(t *testing.T) {
	const n = 5000
	b := NewBuilder("m")
	c := b.AddBinary(0, "")
	for range n {
		b.AddRow(0, 1, "")
	}
	for k := range n {
		r := k * 1237 % n // 1237 and n have no common factor
		b.Add(Row(r), c, float64(r+1))
		b.Add(Row(n-1-r), c, 0.5)
	}
	rows, values := frozen(t, b).Column(0)
	for i := range n {
		if int(rows[i]) != i || values[i] != float64(i)+1.5 {
			t.Fatalf("entry %d is %v in row %d", i, values[i], rows[i])
		}
	}
}

func TestBuilderErrors(t *testing.T) {
	nan := math.NaN()
	base := func() *Builder {
		b := NewBuilder("m")
		b.AddCol(1, 0, 1, Continuous, "x", 1)
		b.AddCol(1, 0, 1, Binary, "y")
		b.AddRow(0, 1, "row", 1)
		b.AddRow(0, 1, "")
		return b
	}
	frozen(t, base()) // without a fault there is no error
	for _, c := range []struct {
		name  string
		fault func(b *Builder)
		parts []string
	}{
		{"offset NaN", func(b *Builder) { b.AddOffset(nan) }, []string{"offset", "NaN"}},
		{"offset infinite", func(b *Builder) { b.AddOffset(Inf) }, []string{"offset", "+Inf"}},
		{"cost NaN", func(b *Builder) { b.AddCost(0, nan) }, []string{"column x_1", "cost", "NaN"}},
		{"cost infinite", func(b *Builder) { b.AddCost(1, -Inf) }, []string{"column y", "cost", "-Inf"}},
		{"column lower NaN", func(b *Builder) { b.SetColBounds(0, nan, 1) }, []string{"column x_1", "bound is NaN"}},
		{"column upper NaN", func(b *Builder) { b.SetColBounds(0, 0, nan) }, []string{"column x_1", "bound is NaN"}},
		{"column bounds crossed", func(b *Builder) { b.SetColBounds(0, 1.5, 1) }, []string{"column x_1", "lower bound 1.5 exceeds the upper bound 1"}},
		{"column lower +Inf", func(b *Builder) { b.SetColBounds(0, Inf, Inf) }, []string{"column x_1", "lower bound is +Inf"}},
		{"column upper -Inf", func(b *Builder) { b.SetColBounds(0, -Inf, -Inf) }, []string{"column x_1", "upper bound is -Inf"}},
		{"binary above 1", func(b *Builder) { b.SetColBounds(1, 0, 2) }, []string{"binary column y", "[0, 2]", "[0, 1]"}},
		{"binary below 0", func(b *Builder) { b.SetColBounds(1, -1, 1) }, []string{"binary column y", "[-1, 1]"}},
		{"made binary", func(b *Builder) { b.SetColBounds(0, 0, 3); b.SetColType(0, Binary) }, []string{"binary column x_1"}},
		{"row bound NaN", func(b *Builder) { b.SetRowBounds(1, nan, 1) }, []string{"row r2", "bound is NaN"}},
		{"row bounds crossed", func(b *Builder) { b.SetRowBounds(0, 2, 1) }, []string{"row row_1", "exceeds"}},
		{"row lower +Inf", func(b *Builder) { b.SetRowBounds(0, Inf, Inf) }, []string{"row row_1", "+Inf"}},
		{"row upper -Inf", func(b *Builder) { b.SetRowBounds(0, -Inf, -Inf) }, []string{"row row_1", "-Inf"}},
		{"coefficient NaN", func(b *Builder) { b.Add(0, 1, nan) }, []string{"row row_1", "column y", "coefficient is NaN"}},
		{"coefficient infinite", func(b *Builder) { b.Add(1, 0, Inf) }, []string{"row r2", "column x_1", "+Inf"}},
		{"coefficients overflow", func(b *Builder) { b.Add(0, 0, 1.5e308); b.Add(0, 0, 1.5e308) }, []string{"row row_1", "column x_1", "summed"}},
		{"column too large", func(b *Builder) { b.Add(0, 2, 1) }, []string{"column 2 of 2"}},
		{"column negative", func(b *Builder) { b.Add(0, -1, 1) }, []string{"column -1 of 2"}},
		{"row too large", func(b *Builder) { b.Add(2, 0, 1) }, []string{"row 2 of 2"}},
		{"row negative", func(b *Builder) { b.Add(-1, 0, 1) }, []string{"row -1 of 2"}},
		{"column name twice", func(b *Builder) { b.AddBinary(0, "x", 1) }, []string{`column name "x_1"`, "twice", "1 and 3"}},
		{"row name twice", func(b *Builder) { b.AddRow(0, 1, "row_1") }, []string{`row name "row_1"`, "twice", "1 and 3"}},
		{"default name twice", func(b *Builder) { b.AddRow(0, 1, "r2") }, []string{`row name "r2"`, "2 and 3"}},
		{"default name taken before", func(b *Builder) { b.AddBinary(0, "x4"); b.AddBinary(0, "") }, []string{`column name "x4"`, "3 and 4"}},
		{"blank in a name", func(b *Builder) { b.AddBinary(0, "a b") }, []string{`"a b"`, "white space"}},
		{"blank name", func(b *Builder) { b.AddRow(0, 1, " ") }, []string{`row name " "`, "white space"}},
		{"tab in a name", func(b *Builder) { b.AddBinary(0, "a\tb") }, []string{"white space"}},
		{"newline in a name", func(b *Builder) { b.AddRow(0, 1, "a\n") }, []string{"row name", "white space"}},
		{"control character", func(b *Builder) { b.AddRow(0, 1, "a\x7f") }, []string{"control"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := base()
			c.fault(b)
			m, err := b.Model()
			if m != nil {
				t.Error("a model came with the error")
			}
			wantError(t, err, c.parts...)
		})
	}
}

func TestBuilderPanics(t *testing.T) {
	b := NewBuilder("m")
	b.AddBinary(0, "x")
	wantPanic(t, "", func() { b.AddCost(1, 1) })
	wantPanic(t, "", func() { b.SetColBounds(-1, 0, 1) })
	wantPanic(t, "", func() { b.SetRowBounds(0, 0, 1) })
	m := frozen(t, b)
	wantPanic(t, "called twice", func() { b.Model() })
	// What was a handle before is one no longer: the model is out of reach.
	wantPanic(t, "", func() { b.AddCost(0, 1) })
	wantPanic(t, "", func() { b.SetColBounds(0, 0, 0) })
	if m.Costs()[0] != 0 || m.ColUpper()[0] != 1 {
		t.Error("the builder wrote to a frozen model")
	}
}

// TestReserveAllocations: with Reserve, no call allocates by itself. What is
// left is the growth of the names' text, a few allocations in all.
func TestReserveAllocations(t *testing.T) {
	const cols, rows, perCol = 2000, 1000, 4
	build := func(named bool) {
		b := NewBuilder("m")
		if !named {
			b.OmitNames()
		}
		b.Reserve(cols, rows, cols*perCol)
		for i := range rows {
			b.AddRow(0, 1, "row", i, i/7)
		}
		for j := range cols {
			c := b.AddCol(1, 0, 1, Continuous, "x", j, j/7, 3)
			for k := range perCol {
				b.Add(Row((j+k*7)%rows), c, 1)
			}
		}
	}
	if n := testing.AllocsPerRun(5, func() { build(false) }); n > 24 {
		t.Errorf("unnamed: %v allocations, want at most 24", n)
	}
	if n := testing.AllocsPerRun(5, func() { build(true) }); n > 40 {
		t.Errorf("named: %v allocations, want at most 40", n)
	}
}

// BenchmarkModel freezes a million nonzeros whose rows come in order, as
// formulations add them, and scrambled, as a file may have them.
func BenchmarkModel(b *testing.B) {
	const cols, rows, perCol = 10000, 20000, 100
	for _, scrambled := range []bool{false, true} {
		name := "ordered"
		if scrambled {
			name = "scrambled"
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m := NewBuilder("m")
				m.Reserve(cols, rows, cols*perCol)
				for range cols {
					m.AddBinary(0, "")
				}
				for range rows {
					m.AddRow(0, 1, "")
				}
				for k := range perCol {
					if scrambled {
						k = k * 37 % perCol
					}
					for c := range cols {
						m.Add(Row(k*(rows/perCol)+c%7), Col(c), 1)
					}
				}
				frozen(b, m)
			}
			b.ReportMetric(cols*perCol*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnz/s")
		})
	}
}

// TestNamesProperty: whatever is named and from whenever names are omitted,
// every element has the name it was given or its default, alone and appended.
func TestNamesProperty(t *testing.T) {
	type named struct {
		prefix string
		idx    []int
	}
	one := rapid.Custom(func(t *rapid.T) named {
		return named{
			rapid.SampledFrom([]string{"", "", "z", "row", "e\u0301", "long_name_long_name_long_name"}).Draw(t, "prefix"),
			rapid.SliceOfN(rapid.IntRange(-1<<62, 1<<62), 0, 3).Draw(t, "indices"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.SliceOfN(one, 0, 40).Draw(t, "columns")
		rows := rapid.SliceOfN(one, 0, 40).Draw(t, "rows")
		omitFrom := rapid.IntRange(0, 60).Draw(t, "omit from") // beyond the last: never
		b := NewBuilder("m")
		if rapid.Bool().Draw(t, "reserve") {
			b.Reserve(len(cols), len(rows), 0)
		}
		used := map[string]bool{}
		repeated := false
		want := func(kind, dflt string, i int, n named) string {
			s := dflt + fmt.Sprint(i+1)
			if n.prefix != "" && i < omitFrom {
				s = n.prefix
				for _, v := range n.idx {
					s += fmt.Sprintf("_%d", v)
				}
			}
			repeated = repeated || used[kind+s]
			used[kind+s] = true
			return s
		}
		var wantCols, wantRows []string
		for i := range max(len(cols), len(rows)) {
			if i == omitFrom {
				b.OmitNames()
			}
			if i < len(cols) {
				b.AddBinary(0, cols[i].prefix, cols[i].idx...)
				wantCols = append(wantCols, want("column", "x", i, cols[i]))
			}
			if i < len(rows) {
				b.AddRow(0, 1, rows[i].prefix, rows[i].idx...)
				wantRows = append(wantRows, want("row", "r", i, rows[i]))
			}
		}
		m, err := b.Model()
		if repeated {
			if err == nil || !strings.Contains(err.Error(), "twice") {
				t.Fatalf("error %v, want one of a repeated name", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for j, w := range wantCols {
			if got := m.ColName(j) + string(m.AppendColName([]byte("+"), j)); got != w+"+"+w {
				t.Fatalf("column %d is %q, want %q", j, got, w)
			}
		}
		for i, w := range wantRows {
			if got := m.RowName(i) + string(m.AppendRowName([]byte("+"), i)); got != w+"+"+w {
				t.Fatalf("row %d is %q, want %q", i, got, w)
			}
		}
	})
}

// TestPartNames: names begin late, end early, and columns and rows do not share
// a name space.
func TestPartNames(t *testing.T) {
	b := NewBuilder("m")
	b.AddBinary(0, "")
	b.AddBinary(0, "")
	b.AddBinary(0, "a", 0)
	b.AddBinary(0, "")
	b.AddRow(0, 1, "a", 0)
	b.AddRow(0, 1, "x1")
	b.OmitNames()
	b.AddRow(0, 1, "b")
	b.AddBinary(0, "b")
	m := frozen(t, b)
	if d := cmp.Diff([]string{"x1", "x2", "a_0", "x4", "x5"}, colNames(m)); d != "" {
		t.Errorf("columns (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"a_0", "x1", "r3"}, rowNames(m)); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

// TestOmittedNamesAreNotChecked: what is dropped can repeat or hold blanks, and
// takes no memory.
func TestOmittedNamesAreNotChecked(t *testing.T) {
	b := NewBuilder("m")
	b.OmitNames()
	b.AddBinary(0, "a b")
	b.AddBinary(0, "a b")
	m := frozen(t, b)
	if m.colNames.end != nil || m.colNames.text != nil {
		t.Error("omitted names take memory")
	}
	if m.ColName(1) != "x2" {
		t.Errorf("column 2 is %q", m.ColName(1))
	}
}

// TestManyNames: a table of names large enough for collisions, with its repeats
// at the far ends.
func TestManyNames(t *testing.T) {
	const n = 100_000
	build := func(last int) error {
		b := NewBuilder("m")
		b.Reserve(n, 0, 0)
		for j := range n - 1 {
			b.AddBinary(0, "z", j, j%7)
		}
		b.AddBinary(0, "z", last, last%7)
		_, err := b.Model()
		return err
	}
	if err := build(n - 1); err != nil {
		t.Error(err)
	}
	wantError(t, build(0), `"z_0_0"`, "columns 1 and 100000")
}
