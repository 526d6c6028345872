package dataset_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

// sharedDir returns the folder of the real datasets, or skips the test.
func sharedDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("OCTGEN_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
		t.Skipf("no real datasets at %s (set OCTGEN_DATA)", dir)
	}
	return dir
}

// described is a line of the tables in the README of the datasets.
type described struct {
	File                                          string
	Rows, Features, NotNumeric, Classes           int
	Incomplete, RepeatedRows, UnavoidableMistakes int
}

var featuresCell = regexp.MustCompile(`^(\d+)(?: \((\d+) not numeric\))?$`)

func readDescriptions(t testing.TB, dir string) []described {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []described
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 8 || !strings.HasSuffix(strings.TrimSpace(cells[1]), ".csv") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		features := featuresCell.FindStringSubmatch(cells[3])
		if features == nil {
			t.Fatalf("README.md: features %q", cells[3])
		}
		all = append(all, described{
			File: cells[1], Rows: atoi(t, cells[2]), Features: atoi(t, features[1]), NotNumeric: atoi(t, "0"+features[2]),
			Classes: atoi(t, cells[4]), Incomplete: atoi(t, cells[5]), RepeatedRows: atoi(t, cells[6]),
			UnavoidableMistakes: atoi(t, cells[7]),
		})
	}
	return all
}

func atoi(t testing.TB, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRealDatasets compares every dataset with the description that came with it.
func TestRealDatasets(t *testing.T) {
	dir := sharedDir(t)
	descriptions := readDescriptions(t, dir)
	if len(descriptions) < 67 { // the collection grows
		t.Fatalf("%d datasets described; want 67 at least", len(descriptions))
	}
	for _, want := range descriptions {
		t.Run(want.File, func(t *testing.T) {
			path := filepath.Join(dir, want.File)
			d, err := dataset.Load(path, dataset.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
			got := described{
				File: want.File, Rows: d.Source.Rows, Features: len(d.Encoder.Columns), Classes: d.K(),
				Incomplete: d.Source.Rows - d.N(),
			}
			for _, c := range d.Encoder.Columns {
				if c.Kind != dataset.Numeric {
					got.NotNumeric++
				}
			}
			weight, count := d.UnavoidableErrors()
			if weight != count {
				t.Errorf("unavoidable: weight %v, count %v; want the same without weights", weight, count)
			}
			got.UnavoidableMistakes = int(count)
			got.RepeatedRows = repeatedRows(t, path, d)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("README -> loaded:\n%s", diff)
			}
			again, err := d.Encoder.Load(path, dataset.EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			requireSame(t, d, again)
		})
	}
}

// repeatedRows counts the rows that equal an earlier one, incomplete rows included.
func repeatedRows(t *testing.T, path string, d *dataset.Dataset) int {
	if d.N() < d.Source.Rows {
		all, err := dataset.Load(path, dataset.LoadOptions{Missing: dataset.MissingCategory})
		if err != nil {
			t.Fatal(err)
		}
		if all.N() != d.Source.Rows {
			t.Errorf("missing category: %d rows of %d", all.N(), d.Source.Rows)
		}
		d = all
	}
	merged, index := d.Merge()
	for i, m := range index {
		if d.Y[i] != merged.Y[m] || !slices.Equal(d.Row(i), merged.Row(m)) {
			t.Fatalf("row %d is not row %d of the merged dataset", i, m)
		}
	}
	return d.N() - merged.N()
}

// TestReferenceShapes compares the datasets with the shapes that the reference
// optima were found on: complete rows, one feature per numeric column.
func TestReferenceShapes(t *testing.T) {
	dir := sharedDir(t)
	f, err := os.Open(filepath.Join(dir, "..", "reference", "univariate-optima.csv"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		if seen[line[0]] {
			continue
		}
		seen[line[0]] = true
		d, err := dataset.Load(filepath.Join(dir, line[0]+".csv"), dataset.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(d.N(), d.P(), d.K())
		if want := strings.Join(line[1:4], " "); got != want {
			t.Errorf("%s: rows, features, classes %s; want %s", line[0], got, want)
		}
	}
	if len(seen) != 54 {
		t.Errorf("%d datasets; want 54", len(seen))
	}
}

// TestHouseVotesMissingIsAValue: with empty as a value of its own the 435 rows
// hold no contradiction, says the README.
func TestHouseVotesMissingIsAValue(t *testing.T) {
	d, err := dataset.Load(filepath.Join(sharedDir(t), "house-votes-84.csv"), dataset.LoadOptions{Missing: dataset.MissingCategory})
	if err != nil {
		t.Fatal(err)
	}
	if _, count := d.UnavoidableErrors(); d.N() != 435 || count != 0 || d.P() != 48 {
		t.Errorf("%d rows, %d features, %v unavoidable errors; want 435, 48, 0", d.N(), d.P(), count)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := sharedDir(b)
	for _, name := range []string{"skin", "contree-avila", "spambase", "chess-kr-vs-kp", "iris"} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(dir, name+".csv")
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := dataset.Load(path, dataset.LoadOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	dir := sharedDir(b)
	for _, name := range []string{"skin", "contree-avila"} {
		b.Run(name, func(b *testing.B) {
			d, err := dataset.Load(filepath.Join(dir, name+".csv"), dataset.LoadOptions{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				d.Merge()
			}
		})
	}
}
