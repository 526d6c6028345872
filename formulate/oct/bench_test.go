package oct_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
)

// benchInstances are the data of the model benchmarks, all formulated at depth 3: a real dataset
// and the largest table that octgen is meant for.
var benchInstances = []struct {
	name string
	load func(*testing.B) *dataset.Dataset
}{
	{"banknote", func(b *testing.B) *dataset.Dataset { return datatest.Load(b, "banknote") }},
	{"random10000x20", func(b *testing.B) *dataset.Dataset { return benchPoints(b, 10000, 20) }},
}

var benchEncodings = []formulate.Encoding{oct.Threshold, formulate.BigM}

// benchPoints returns n uniform points of p features with random labels, two classes: every value
// is distinct, so that thinning removes few thresholds.
func benchPoints(b *testing.B, n, p int) *dataset.Dataset {
	b.Helper()
	rng := rand.New(rand.NewPCG(20, 26))
	x, y := make([]float64, n*p), make([]int, n)
	for i := range x {
		x[i] = rng.Float64()
	}
	for i := range y {
		y[i] = rng.IntN(2)
	}
	features := make([]string, p)
	for j := range features {
		features[j] = fmt.Sprintf("f%d", j+1)
	}
	ds, err := dataset.New(x, y, features, []string{"A", "B"})
	if err != nil {
		b.Fatal(err)
	}
	return ds
}

// eachBench runs f for every instance and encoding.
func eachBench(b *testing.B, f func(b *testing.B, ds *dataset.Dataset, o oct.Options)) {
	for _, in := range benchInstances {
		b.Run(in.name, func(b *testing.B) {
			ds := in.load(b)
			for _, e := range benchEncodings {
				b.Run(string(e), func(b *testing.B) {
					f(b, ds, oct.Options{Depth: 3, Encoding: e})
				})
			}
		})
	}
}

// BenchmarkBuild measures the time from a dataset in memory to a frozen model with all names.
func BenchmarkBuild(b *testing.B) { eachBench(b, benchBuild) }

// BenchmarkBuildUnnamed is BenchmarkBuild without names, as for solving in process.
func BenchmarkBuildUnnamed(b *testing.B) {
	eachBench(b, func(b *testing.B, ds *dataset.Dataset, o oct.Options) {
		o.OmitNames = true
		benchBuild(b, ds, o)
	})
}

func benchBuild(b *testing.B, ds *dataset.Dataset, o oct.Options) {
	peak := peakMemory(func() { benchModel(b, ds, o) })
	b.ReportAllocs()
	var m *mio.Model
	for b.Loop() {
		m = benchModel(b, ds, o)
	}
	reportModel(b, m, peak)
}

// BenchmarkWriteDiscard measures octgen's MPS writer alone; BenchmarkWriteFile writes to a file,
// for comparison with BenchmarkWriteHiGHS.
func BenchmarkWriteDiscard(b *testing.B) {
	benchWrite(b, func(m *mio.Model, _ string) error {
		_, err := mps.Write(io.Discard, m, mps.Options{})
		return err
	})
}

func BenchmarkWriteFile(b *testing.B) {
	benchWrite(b, func(m *mio.Model, path string) error {
		_, err := mps.WriteFile(path, m, mps.Options{})
		return err
	})
}

// benchWrite measures write, which may write a file at the given path. If it does not, the size is
// that of octgen's file.
func benchWrite(b *testing.B, write func(m *mio.Model, path string) error) {
	eachBench(b, func(b *testing.B, ds *dataset.Dataset, o oct.Options) {
		m := benchModel(b, ds, o)
		path := filepath.Join(b.TempDir(), "m.mps")
		do := func() {
			if err := write(m, path); err != nil {
				b.Fatal(err)
			}
		}
		peak := peakMemory(do)
		b.SetBytes(benchSize(b, m, path))
		b.ReportAllocs()
		for b.Loop() {
			do()
		}
		reportModel(b, m, peak)
	})
}

// benchSize returns the size of the file at path or, if there is none, of octgen's output.
func benchSize(b *testing.B, m *mio.Model, path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	var n byteCount
	if _, err := mps.Write(&n, m, mps.Options{}); err != nil {
		b.Fatal(err)
	}
	return int64(n)
}

type byteCount int64

func (n *byteCount) Write(p []byte) (int, error) {
	*n += byteCount(len(p))
	return len(p), nil
}

func benchModel(b *testing.B, ds *dataset.Dataset, o oct.Options) *mio.Model {
	f, err := o.Build(context.Background(), ds)
	if err != nil {
		b.Fatal(err)
	}
	return f.Model()
}

// reportModel adds the model's size, its nonzeros per second and the peak
// memory of one run to the benchmark's line.
func reportModel(b *testing.B, m *mio.Model, peak int64) {
	b.ReportMetric(float64(m.NumNonzeros())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnz/s")
	b.ReportMetric(float64(m.NumNonzeros())/1e6, "Mnz")
	if peak > 0 {
		b.ReportMetric(float64(peak)/1e6, "peak-MB")
	}
}

var peakWarning sync.Once

// peakMemory runs f once and returns the maximum rise of the resident memory of the process, Go's
// and C's, in bytes; 0 if the system does not provide it (it needs Linux's resettable VmHWM).
func peakMemory(f func()) int64 {
	runtime.GC()
	debug.FreeOSMemory()
	before := procStatus("VmRSS:")
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	f()
	if err != nil || before == 0 {
		peakWarning.Do(func() { fmt.Fprintln(os.Stderr, "no peak memory: this system cannot reset VmHWM") })
		return 0
	}
	return procStatus("VmHWM:") - before
}

// procStatus returns an entry of /proc/self/status in bytes, 0 if there is none.
func procStatus(key string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == key {
			kb, _ := strconv.ParseInt(f[1], 10, 64)
			return kb << 10
		}
	}
	return 0
}
