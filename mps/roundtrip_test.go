package mps

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
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
