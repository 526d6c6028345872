//go:build unix

package external_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external"
	"github.com/octgen/octgen/solvers/solvertest"
)

// wantRunError checks that err is a RunError of this reason, whose folder is
// private, has the log, and is all that is left.
func wantRunError(t *testing.T, err error, tmp, reason string) *external.RunError {
	t.Helper()
	var run *external.RunError
	if !errors.As(err, &run) {
		t.Fatalf("error %v, want a RunError", err)
	}
	if !strings.Contains(run.Reason, reason) {
		t.Errorf("reason %q, want %q", run.Reason, reason)
	}
	if text := err.Error(); !strings.Contains(text, run.Dir) || strings.ContainsAny(text, "\x00\x1b") || !utf8.ValidString(text) {
		t.Errorf("error %q", text)
	}
	info, err := os.Stat(run.Dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(run.Dir, "log.txt")); err != nil {
		t.Error(err)
	}
	if left := entries(t, tmp); len(left) != 1 || left[0] != filepath.Base(run.Dir) {
		t.Errorf("left behind: %v", left)
	}
	return run
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestFailures: whatever fails is an error that says how, with the end of the
// log, for every solver.
func TestFailures(t *testing.T) {
	m, start := recordedModel(t)
	for _, c := range []struct{ mode, reason, tail string }{
		{"crash", "ended by a signal (signal: killed)", "last words"},
		{"exit", "exit code 7", "fake solver at work"},
		{"silent", "it left no solution", "fake solver at work"},
		{"garbage", "", "no end of line"},
		{"full", "exit code 1", "no space left on device"},
	} {
		for _, name := range allNames {
			t.Run(c.mode+" "+name, func(t *testing.T) {
				s, _, tmp := fake(t, name, c.mode)
				reason := c.reason
				if c.mode == "full" && name == "highs-exe" {
					reason = "out.sol" // whose exit code 1 may be a limit
				}
				_, err := s.Solve(context.Background(), m, solvers.Options{})
				run := wantRunError(t, err, tmp, reason)
				if tail := strings.Join(run.Tail, "\n"); !strings.Contains(tail, c.tail) {
					t.Errorf("tail %q, want %q", tail, c.tail)
				}
				if s.Capabilities().Start { // nor does a start excuse it
					if _, err := s.Solve(context.Background(), m, solvers.Options{Start: start}); err == nil {
						t.Error("no error with a start")
					}
				}
			})
		}
	}
}

// TestSalvage: the last complete point that HiGHS saved is not lost with it, and
// the start is taken where it is better.
func TestSalvage(t *testing.T) {
	m, _ := recordedModel(t)
	for _, c := range []struct {
		start     []float64
		objective float64
	}{{nil, 4.75}, {[]float64{1, 2, 0}, 4.75}, {[]float64{3, 0, 1.5}, 4.5}} {
		s, _, tmp := fake(t, "highs-exe", "crash improving")
		_, err := s.Solve(context.Background(), m, solvers.Options{Start: c.start})
		sol := wantRunError(t, err, tmp, "ended by a signal").Incumbent()
		if sol == nil || sol.Status != mio.Feasible || sol.Objective != c.objective {
			t.Errorf("start %v: %+v, want objective %v", c.start, sol, c.objective)
		}
	}
	s, _, tmp := fake(t, "highs-exe", "crash")
	_, err := s.Solve(context.Background(), m, solvers.Options{})
	if sol := wantRunError(t, err, tmp, "ended by a signal").Incumbent(); sol != nil {
		t.Errorf("of nothing: %+v", sol)
	}
}

// TestHangingProbe: an executable that does not tell its version is ended with
// its children when the context ends, or the program; it is asked anew then.
func TestHangingProbe(t *testing.T) {
	for _, abandon := range []bool{false, true} {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		t.Setenv(fakeEnv, "hang probe")
		t.Setenv(fakeDir, dir)
		s, err := external.New("scip", solvers.Place{Executable: self})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() {
			for len(pids(t, dir)) < 2 {
				time.Sleep(5 * time.Millisecond)
			}
			if abandon {
				external.Abandon()
			} else {
				cancel()
			}
		}()
		err = solvers.AvailableWithin(ctx, s)
		if err == nil || !abandon && !errors.Is(err, context.Canceled) {
			t.Errorf("abandoned %v: error %v", abandon, err)
		}
		checkGone(t, dir)
		t.Setenv(fakeEnv, "silent")
		if err := s.Available(); err != nil && !abandon {
			t.Errorf("asked again: %v", err)
		}
	}
}

// TestHang: a solver that heeds no signal, with a child that does not either,
// is killed with it at the time limit and at an interrupt.
func TestHang(t *testing.T) {
	m, start := recordedModel(t)
	for _, name := range allNames {
		for _, byContext := range []bool{false, true} {
			if !byContext && name != "cbc" && name != "glpk" {
				continue // the same code, a second later
			}
			t.Run(fmt.Sprint(name, " interrupted ", byContext), func(t *testing.T) {
				s, dir, tmp := fake(t, name, "hang")
				const grace = 400 * time.Millisecond
				opt, limit := solvers.Options{Grace: grace}, mio.LimitInterrupt
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if byContext {
					go func() { // once both are there
						for len(pids(t, dir)) < 2 {
							time.Sleep(5 * time.Millisecond)
						}
						cancel()
					}()
				} else {
					opt.TimeLimit, limit = 1500*time.Millisecond, mio.LimitTime // a busy machine needs a while until both are there
				}
				want := mio.NoSolution
				if s.Capabilities().Start {
					opt.Start, want = start, mio.Feasible
				}
				sol, err := s.Solve(ctx, m, opt)
				if err != nil {
					t.Fatal(err)
				}
				if sol.Status != want || sol.Limit != limit {
					t.Errorf("%v, limit %v (%s)", sol.Status, sol.Limit, sol.Raw)
				}
				if left := entries(t, tmp); len(left) != 0 {
					t.Errorf("left behind: %v", left)
				}
				checkGone(t, dir)
			})
		}
	}
}

func pids(t *testing.T, dir string) (list []int) {
	names, err := filepath.Glob(filepath.Join(dir, "*.pid"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(name), ".pid"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, pid)
	}
	return list
}

// checkGone: of the processes noted in dir, none runs.
func checkGone(t *testing.T, dir string) {
	t.Helper()
	list := pids(t, dir)
	if len(list) == 0 {
		t.Error("no process noted its number")
	}
	for _, pid := range list {
		deadline := time.Now().Add(5 * time.Second)
		for running(pid) {
			if time.Now().After(deadline) {
				t.Errorf("process %d still runs", pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// running reports whether there is such a process, zombies not counted: whose
// parent has died, they wait for the system's first process.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err) || !hasProc()
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

func hasProc() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// TestOrphan: a child that outlives its solver, holding its output, delays
// nothing and is killed.
func TestOrphan(t *testing.T) {
	m, _ := recordedModel(t)
	s, dir, tmp := fake(t, "gurobi", "orphan")
	stage(t, dir, "gurobi", "optimal")
	sol, err := s.Solve(context.Background(), m, solvers.Options{})
	if err != nil || sol.Status != mio.Optimal {
		t.Errorf("%v, %v", sol, err)
	}
	checkGone(t, dir)
	if left := entries(t, tmp); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFlood: a log of megabytes goes to Log, and only its end is kept.
func TestFlood(t *testing.T) {
	m, _ := recordedModel(t)
	s, dir, _ := fake(t, "scip", "flood")
	stage(t, dir, "scip", "optimal")
	var log bytes.Buffer
	sol, err := s.Solve(context.Background(), m, solvers.Options{Log: &log})
	if err != nil || sol.Status != mio.Optimal {
		t.Fatalf("%v, %v", sol, err)
	}
	if log.Len() < 1<<22 {
		t.Errorf("Log has %d bytes", log.Len())
	}
	// A writer that fails costs the log, not the solve.
	if sol, err = s.Solve(context.Background(), m, solvers.Options{Log: failing{}}); err != nil || sol.Status != mio.Optimal {
		t.Errorf("with a failing Log: %v, %v", sol, err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no") }

// TestPanic: a panic of the caller's own function ends the process too.
func TestPanic(t *testing.T) {
	m, _ := recordedModel(t)
	s, dir, _ := fake(t, "cbc", "hang")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
		}()
		_, err := s.Solve(context.Background(), m, solvers.Options{Log: panicking{}})
		t.Error(err)
	}()
	for _, pid := range pids(t, dir) {
		for deadline := time.Now().Add(5 * time.Second); running(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d still runs", pid)
			}
		}
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("of the caller's") }

// TestAbandon: a program that is about to exit takes its solvers with it.
func TestAbandon(t *testing.T) {
	m, _ := recordedModel(t)
	s, dir, tmp := fake(t, "cplex", "hang")
	done := make(chan error, 1)
	go func() {
		_, err := s.Solve(context.Background(), m, solvers.Options{})
		done <- err
	}()
	for len(pids(t, dir)) < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	external.Abandon()
	checkGone(t, dir)
	if err := <-done; err == nil {
		t.Error("no error")
	}
	if left := entries(t, tmp); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestNotWhatItSays: another program of the same name is not run on a model.
func TestNotWhatItSays(t *testing.T) {
	for _, name := range allNames {
		s, err := at(name, "/bin/echo")
		if err != nil {
			t.Fatal(err)
		}
		var unavailable *solvers.UnavailableError
		if err := s.Available(); !errors.As(err, &unavailable) || !strings.Contains(err.Error(), "does not identify itself as") && !strings.Contains(err.Error(), "/bin/echo has no package ") {
			t.Errorf("%s: %v", name, err)
		}
		if s.Version() != "" {
			t.Errorf("%s: version %q", name, s.Version())
		}
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("VIRTUAL_ENV", "")
	for _, name := range allNames {
		name, isPackage := strings.CutSuffix(name, " package")
		s, err := solvers.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		want := "on PATH or beside this program; install"
		if isPackage {
			want = "no Python interpreter python3; it needs one with the package"
		}
		if err := s.Available(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoFolder: without a place for its files, it says so.
func TestNoFolder(t *testing.T) {
	m, _ := recordedModel(t)
	s, _, _ := fake(t, "cbc", "silent")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	if _, err := s.Solve(context.Background(), m, solvers.Options{}); err == nil || !strings.Contains(err.Error(), "cannot make a folder") {
		t.Errorf("error %v", err)
	}
}

// TestFileSizeLimit: real solvers that cannot write their whole solution give an
// error, not half of an answer. The limit is one block of 512 or 1024 bytes.
func TestFileSizeLimit(t *testing.T) {
	m := solvertest.Knapsack(3, 200, 1)
	for _, name := range []string{"highs-exe", "cbc", "glpk"} {
		t.Run(name, func(t *testing.T) {
			path, err := exec.LookPath(solvers.Where(installed(t, name)))
			if err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(t.TempDir(), "limited")
			if err := os.WriteFile(script, []byte("#!/bin/sh\nulimit -f 1\nexec '"+path+"' \"$@\"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			tmp := t.TempDir()
			t.Setenv("TMPDIR", tmp)
			s, err := external.New(name, solvers.Place{Executable: script})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Solve(context.Background(), m, solvers.Options{})
			wantRunError(t, err, tmp, "")
		})
	}
}
