package sheets_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/internal/sheets"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestRead: files of openpyxl and Arrow as CSV text.
func TestRead(t *testing.T) {
	for _, c := range []struct{ file, sheet, said string }{
		{"patients.xlsx", "", `the sheet "Patients", the first of 2 (--sheet)`},
		{"patients1904.xlsx", "", `the sheet "Patients", the first of 2 (--sheet)`},
		{"patients.xlsx", "Notes", ""},
		{"title.xlsx", "", "the header in row 3, below a title"},
		{"types.parquet", "", `without the index "__index_level_0__"`},
		{"int96.parquet", "", ""},
	} {
		file, err := os.ReadFile(filepath.Join("testdata", c.file))
		if err != nil {
			t.Fatal(err)
		}
		table, err := sheets.Read(file, c.sheet)
		if err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		if said := strings.Join(table.Said, "; "); said != c.said {
			t.Errorf("%s: %q, want %q", c.file, said, c.said)
		}
		got, err := table.CSV()
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", strings.TrimSuffix(c.file, filepath.Ext(c.file))+c.sheet+".csv")
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: %s", c.file, diff)
		}
	}
}

// TestDamaged: files cut off or changed are refused, never read in part.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"patients.xlsx", "types.parquet"} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := sheets.Read(file, "")
		if err != nil {
			t.Fatal(err)
		}
		for cut := 4; cut < len(file); cut += len(file)/40 + 1 {
			if _, err := sheets.Read(file[:cut], ""); err == nil {
				t.Errorf("%s cut off after %d of %d bytes: no error", name, cut, len(file))
			}
			changed := append([]byte(nil), file...)
			changed[cut] ^= 0x55
			if table, err := sheets.Read(changed, ""); err == nil && len(table.Rows) != len(whole.Rows) {
				t.Errorf("%s changed at byte %d: %d rows of %d, no error", name, cut, len(table.Rows), len(whole.Rows))
			}
		}
	}
}

// TestMistakes: what is no table is refused by its name.
func TestMistakes(t *testing.T) {
	read := func(name string) []byte {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for _, c := range []struct {
		file        []byte
		sheet, want string
	}{
		{read("nested.parquet"), "", `the Parquet column "list" is nested`},
		{read("types.parquet"), "Notes", "a Parquet file has no sheets"},
		{read("patients.xlsx"), "notes", `no sheet "notes"; the sheets are ["Patients" "Notes"]`},
		{[]byte("PAR1"), "", "the Parquet file is damaged"},
	} {
		if _, err := sheets.Read(c.file, c.sheet); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}

// FuzzRead: no file makes the reader panic, and what it reads is a table.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"patients.xlsx", "types.parquet", "nested.parquet", "int96.parquet"} {
		file, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if !sheets.Is(file) {
			return
		}
		table, err := sheets.Read(file, "")
		if err != nil {
			return
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Rows[0]) {
				t.Fatalf("a row of %d cells, the first has %d", len(row), len(table.Rows[0]))
			}
		}
		if _, err := table.CSV(); err != nil {
			t.Fatal(err)
		}
	})
}
