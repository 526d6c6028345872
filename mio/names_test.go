package mio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

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
