//go:build cgo && !nohighs

package highs_test

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/solvers/solvertest"
)

// resident returns the resident set of this process in bytes.
func resident(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func entries(t *testing.T, dir string) int {
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// mostGrown is how much the allocators may keep for later: 8 KiB a solve would be a
// leak; the race detector keeps a history beside all memory.
var mostGrown = func() int {
	if raceDetector {
		return 64 << 20
	}
	return 8 << 20
}()

// TestNoLeak: after 1,000 solves memory, open files and threads are where they
// were.
func TestNoLeak(t *testing.T) {
	s := highs.New()
	split, start := solvertest.MarketSplit(2, 10, 1)
	knapsack := solvertest.Knapsack(2, 10, 2)
	round := func(n int) {
		for i := range n {
			m, opt := knapsack, solvers.Options{Threads: 1 + i%2, Log: io.Discard}
			if i%4 == 0 {
				m, opt.Start, opt.NodeLimit = split, start, 1
			}
			if _, err := s.Solve(bg, m, opt); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Solve(bg, m, solvers.Options{Raw: map[string]string{"none": ""}}); err == nil {
				t.Fatal("no error")
			}
		}
		runtime.GC()
	}
	round(200) // the allocators' own reserves
	memory, files, threads := resident(t), entries(t, "/proc/self/fd"), entries(t, "/proc/self/task")
	round(1000)
	if grown := resident(t) - memory; grown > mostGrown {
		t.Errorf("memory grew by %d KiB in 1,000 solves", grown>>10)
	} else {
		t.Logf("memory grew by %d KiB in 1,000 solves", grown>>10)
	}
	if n := entries(t, "/proc/self/fd"); n > files {
		t.Errorf("open files: %d before, %d after", files, n)
	}
	if n := entries(t, "/proc/self/task"); n > threads+4 {
		t.Errorf("threads: %d before, %d after", threads, n)
	}
}

// TestThreadEnds: a solver left behind by an interrupt ends by itself.
func TestThreadEnds(t *testing.T) {
	threads := entries(t, "/proc/self/task")
	TestLeftBehind(t)
	for range 100 {
		if entries(t, "/proc/self/task") <= threads+6 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("threads: %d before, %d after 20 interrupted solves and 10 s", threads, entries(t, "/proc/self/task"))
}

// TestQuiet: nothing reaches the console, neither with nor without a Log.
func TestQuiet(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var saved [3]int
	for fd := 1; fd <= 2; fd++ {
		if saved[fd], err = syscall.Dup(fd); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Dup3(int(file.Fd()), fd, 0); err != nil {
			t.Fatal(err)
		}
	}
	split, start := solvertest.MarketSplit(3, 20, 1)
	var log bytes.Buffer
	_, err1 := highs.New().Solve(bg, split, solvers.Options{NodeLimit: 10, Start: start})
	_, err2 := highs.New().Solve(bg, split, solvers.Options{NodeLimit: 10, Start: start, Log: &log})
	_, err3 := highs.New().Solve(bg, split, solvers.Options{Raw: map[string]string{"none": ""}})
	for fd := 1; fd <= 2; fd++ {
		syscall.Dup3(saved[fd], fd, 0)
		syscall.Close(saved[fd])
	}
	if err1 != nil || err2 != nil || err3 == nil {
		t.Fatal(err1, err2, err3)
	}
	printed, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if len(printed) > 0 {
		t.Errorf("HiGHS printed:\n%s", printed)
	}
	if !strings.Contains(log.String(), "MIP start solution is feasible") || !strings.Contains(log.String(), "Solving report") {
		t.Errorf("the log lacks something:\n%s", log.String())
	}
}
