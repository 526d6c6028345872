package mps

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

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
