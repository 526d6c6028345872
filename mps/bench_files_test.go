//go:build cgo && !nohighs && linux

package mps_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers/highs"
)

// BenchmarkFiles writes and reads one file of five million nonzeros with
// octgen, HiGHS, CBC and GLPK. Wall time is worth little on a shared machine:
// cpu-s are the CPU seconds, of the program's process where it is one. peak-MB
// is beyond what was there before: of writers, beyond the model; of programs,
// all of the process. CBC and GLPK cannot write without reading.
func BenchmarkFiles(b *testing.B) {
	for _, in := range []struct {
		name  string
		model func(testing.TB) *mio.Model
	}{
		{"random", func(tb testing.TB) *mio.Model { return mps.RandomModel(tb, 100000) }},
		{"oct", func(tb testing.TB) *mio.Model { return mps.OCTModel(tb, 9600) }},
	} {
		b.Run(in.name, func(b *testing.B) {
			m := in.model(b)
			path := filepath.Join(b.TempDir(), "m.mps")
			if _, err := mps.WriteFile(path, m, mps.Options{}); err != nil {
				b.Fatal(err)
			}
			f := &fileBench{path: path, out: filepath.Join(b.TempDir(), "out.mps"), nonzeros: m.NumNonzeros()}
			f.writers(b, m)
			m = nil // readers' memory is measured without it
			f.readers(b)
		})
	}
}

type fileBench struct {
	path, out string
	nonzeros  int
}

func (f *fileBench) writers(b *testing.B, m *mio.Model) {
	write := func() error {
		_, err := mps.WriteFile(f.out, m, mps.Options{})
		return err
	}
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("write/octgen/cores=%d", cores), func(b *testing.B) { f.inProcess(b, cores, write) })
	}
	b.Run("write/HiGHS", func(b *testing.B) {
		f.inProcess(b, 1, func() error { return highs.WriteModel(context.Background(), m, f.out) })
	})
	b.Run("hand over/HiGHS", func(b *testing.B) { // part of what was measured above
		f.inProcess(b, 1, func() error {
			if highs.WriteModel(context.Background(), m, filepath.Join(f.out, "none", "m.mps")) == nil {
				return errors.New("HiGHS wrote to a folder that does not exist")
			}
			return nil
		})
	})
	b.Run("read+write/CBC", func(b *testing.B) { f.program(b, "cbc", f.path, "-export", f.out, "-quit") })
	b.Run("read+write/GLPK", func(b *testing.B) { f.program(b, "glpsol", "--freemps", f.path, "--wfreemps", f.out, "--check") })
}

func (f *fileBench) readers(b *testing.B) {
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("read/octgen/cores=%d", cores), func(b *testing.B) {
			f.inProcess(b, cores, func() error {
				m, err := mps.ReadFile(f.path)
				if err == nil && m.NumNonzeros() != f.nonzeros {
					err = fmt.Errorf("%d nonzeros, want %d", m.NumNonzeros(), f.nonzeros)
				}
				return err
			})
		})
	}
	b.Run("read/HiGHS", func(b *testing.B) {
		f.inProcess(b, 1, func() error {
			_, _, nonzeros, err := highs.ReadModel(context.Background(), f.path)
			if err == nil && nonzeros != f.nonzeros {
				err = fmt.Errorf("%d nonzeros, want %d", nonzeros, f.nonzeros)
			}
			return err
		})
	})
	b.Run("read/CBC", func(b *testing.B) { f.program(b, "cbc", f.path, "-quit") })
	b.Run("read/GLPK", func(b *testing.B) { f.program(b, "glpsol", "--freemps", f.path, "--check") })
}

// inProcess measures run on the given number of cores.
func (f *fileBench) inProcess(b *testing.B, cores int, run func() error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	os.Remove(f.out)
	runtime.GC()
	debug.FreeOSMemory()
	before := status(b, "VmRSS:")
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Fatal(err)
	}
	cpu := ownCPU(b)
	for b.Loop() {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
	f.report(b, ownCPU(b)-cpu, status(b, "VmHWM:")-before)
}

// program measures a program that is looked for in PATH.
func (f *fileBench) program(b *testing.B, name string, args ...string) {
	if _, err := exec.LookPath(name); err != nil {
		b.Skipf("%s is not installed", name)
	}
	var cpu time.Duration
	var peak int64
	for b.Loop() {
		os.Remove(f.out)
		cmd := exec.Command(name, args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		peak = max(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
	}
	f.report(b, cpu, peak)
}

func (f *fileBench) report(b *testing.B, cpu time.Duration, peak int64) {
	path := f.path
	if _, err := os.Stat(f.out); err == nil {
		path = f.out
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	perRun := cpu.Seconds() / float64(b.N)
	b.ReportMetric(perRun, "cpu-s")
	b.ReportMetric(float64(f.nonzeros)/1e6/perRun, "cpu-Mnz/s")
	b.ReportMetric(float64(f.nonzeros)/1e6*float64(b.N)/b.Elapsed().Seconds(), "Mnz/s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	os.Remove(f.out)
}

func ownCPU(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// status returns an entry of /proc/self/status in bytes.
func status(b *testing.B, key string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == key {
			kb, _ := strconv.ParseInt(f[1], 10, 64)
			return kb << 10
		}
	}
	b.Fatalf("no %s in /proc/self/status", key)
	return 0
}
