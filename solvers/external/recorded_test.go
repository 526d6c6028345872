//go:build unix

package external_test

import (
	"context"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solvertest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The files of testdata follow the solvers' manuals; those of the solvers that
// CI has are recorded by running them in TestConformance.
var recordedNames = []string{"gurobi", "cplex", "scip", "xpress"}

// stage puts the files of a case where the fake finds them.
func stage(t *testing.T, dir, name, kase string) {
	t.Helper()
	from := filepath.Join("testdata", name, kase)
	for _, file := range entries(t, from) {
		text, err := os.ReadFile(filepath.Join(from, file))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRecorded: the logs and solutions of the solvers that CI does not have
// give status, bound, counts and progress; the command, the scripts and the
// start are as in the golden files.
func TestRecorded(t *testing.T) {
	m, start := recordedModel(t)
	for _, name := range recordedNames {
		for _, c := range []struct {
			kase      string
			status    mio.Status
			limit     mio.Limit
			objective float64
			bound     float64
		}{
			{"optimal", mio.Optimal, mio.NoLimit, 4.5, 4.5},
			{"time", mio.Feasible, mio.LimitTime, 5, 4.3125},
		} {
			t.Run(name+" "+c.kase, func(t *testing.T) {
				s, dir, tmp := fake(t, name, "replay")
				stage(t, dir, name, c.kase)
				var events []solvers.Event
				opt := solvers.Options{Start: start, Seed: 3, NodeLimit: 1000, Progress: func(e solvers.Event) { events = append(events, e) }}
				if s.Capabilities().Threads {
					opt.Threads = 2
				}
				sol, err := s.Solve(context.Background(), m, opt)
				if err != nil {
					t.Fatal(err)
				}
				solvertest.Verify(t, m, sol)
				if sol.Status != c.status || sol.Limit != c.limit || sol.Objective != c.objective || math.Abs(sol.Bound-c.bound) > 1e-9 || !sol.StartUsed {
					t.Errorf("%v, limit %v, objective %v, bound %v, start used %v (%s)", sol.Status, sol.Limit, sol.Objective, sol.Bound, sol.StartUsed, sol.Raw)
				}
				if sol.Nodes == 0 || sol.Iter == 0 || !strings.HasSuffix(sol.Solver, " 9.8.7") && !strings.HasSuffix(sol.Solver, " 9.8.7.0") {
					t.Errorf("%d nodes, %d iterations, solver %q", sol.Nodes, sol.Iter, sol.Solver)
				}
				if len(events) == 0 || events[len(events)-1].Objective != c.objective {
					t.Errorf("events %+v", events)
				}
				if left := entries(t, tmp); len(left) != 0 {
					t.Errorf("left behind: %v", left)
				}
				if c.kase == "optimal" {
					golden(t, filepath.Join(dir, "called"), filepath.Join("testdata", name, "called.want"))
				}
			})
		}
	}
}

func golden(t *testing.T, got, want string) {
	t.Helper()
	text, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(want, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(old), string(text)); d != "" {
		t.Errorf("%s (-want +got):\n%s", want, d)
	}
}

// TestRecordedInfeasible: proofs, and what a start makes of a wrong one.
func TestRecordedInfeasible(t *testing.T) {
	m, start := recordedModel(t)
	for _, name := range recordedNames {
		s, dir, _ := fake(t, name, "replay")
		stage(t, dir, name, "infeasible")
		sol, err := s.Solve(context.Background(), m, solvers.Options{})
		if err != nil || sol.Status != mio.Infeasible || !math.IsInf(sol.Bound, 1) {
			t.Errorf("%s: %+v, %v", name, sol, err)
		}
		sol, err = s.Solve(context.Background(), m, solvers.Options{Start: start})
		if err != nil || sol.Status != mio.Feasible || sol.Objective != 5 || !strings.Contains(sol.Raw, "which the start disproves") {
			t.Errorf("%s with a start: %+v, %v", name, sol, err)
		}
	}
}

// TestRecordedWrong: answers that the check refutes, solutions that are cut,
// licences that are missing.
func TestRecordedWrong(t *testing.T) {
	m, _ := recordedModel(t)
	for _, name := range recordedNames {
		for kase, reasons := range map[string][]string{
			"wrong":   {"it states the objective 3.5, but its point has 4.5", "its point is infeasible: row of cover"},
			"cut":     {"out.sl", "out.sol"},
			"license": {"icense", "Problem size limits exceeded"},
		} {
			if _, err := os.Stat(filepath.Join("testdata", name, kase)); err != nil {
				continue
			}
			t.Run(name+" "+kase, func(t *testing.T) {
				s, dir, tmp := fake(t, name, "replay")
				stage(t, dir, name, kase)
				sol, err := s.Solve(context.Background(), m, solvers.Options{})
				if err == nil {
					t.Fatalf("%+v", sol)
				}
				run := wantRunError(t, err, tmp, "")
				for _, reason := range reasons {
					if strings.Contains(run.Reason, reason) {
						return
					}
				}
				t.Errorf("reason %q, want one of %q", run.Reason, reasons)
			})
		}
	}
}

// TestDisprovedByStart: a solver that calls a worse point optimal is not
// believed.
func TestDisprovedByStart(t *testing.T) {
	m, _ := recordedModel(t)
	s, dir, _ := fake(t, "gurobi", "replay")
	stage(t, dir, "gurobi", "optimal")
	worse := "# Objective value = 6.5\nx1 5\nx2 0\nx4 1.5\n"
	if err := os.WriteFile(filepath.Join(dir, "out.sol"), []byte(worse), 0o600); err != nil {
		t.Fatal(err)
	}
	sol, err := s.Solve(context.Background(), m, solvers.Options{Start: []float64{1, 2, 0}})
	if err != nil || sol.Status != mio.Feasible || sol.Objective != 5 || !strings.Contains(sol.Raw, "disproves") {
		t.Errorf("%+v, %v", sol, err)
	}
}

// TestRawOptions: names and values that are not of their form never reach a
// solver; what a solver refuses is an OptionError.
func TestRawOptions(t *testing.T) {
	m, _ := recordedModel(t)
	for _, name := range allNames {
		s, dir, tmp := fake(t, name, "replay")
		for option, value := range map[string]string{
			"a b": "1", "a\nquit": "1", "": "1", "-o": "x", "a;b": "1", "[exec rm]": "1", "$x": "1", "é": "1",
			"frob": "1 2", "frob/nicate": "1\nquit", "frobnicate": "",
		} {
			_, err := s.Solve(context.Background(), m, solvers.Options{Raw: map[string]string{option: value}})
			var wrong *solvers.OptionError
			if !errors.As(err, &wrong) || wrong.Option != option {
				t.Errorf("%s: option %q = %q: %v", name, option, value, err)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "called")); err == nil {
			t.Errorf("%s was called", name)
		}
		if left := entries(t, tmp); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	for name, option := range map[string]string{"gurobi": "Frob", "cplex": "frob", "scip": "frob/nicate", "xpress": "FROB"} {
		s, dir, tmp := fake(t, name, "replay")
		stage(t, dir, name, "refused")
		_, err := s.Solve(context.Background(), m, solvers.Options{Raw: map[string]string{option: "1"}})
		var wrong *solvers.OptionError
		if !errors.As(err, &wrong) || wrong.Option != option || !strings.Contains(wrong.Reason, "does not accept it") {
			t.Errorf("%s: %v", name, err)
		}
		if left := entries(t, tmp); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// TestTimeLimitPassed: each solver gets what is left of the limit, in its words.
func TestTimeLimitPassed(t *testing.T) {
	m, _ := recordedModel(t)
	for name, want := range map[string]string{
		"gurobi": "TimeLimit=", "cplex": "set timelimit ", "scip": "limits/time = ", "xpress": "MAXTIME=-",
	} {
		s, dir, _ := fake(t, name, "replay")
		stage(t, dir, name, "optimal")
		if _, err := s.Solve(context.Background(), m, solvers.Options{TimeLimit: time.Minute}); err != nil {
			t.Fatal(err)
		}
		called, err := os.ReadFile(filepath.Join(dir, "called"))
		if err != nil || !strings.Contains(string(called), want) {
			t.Errorf("%s: called with %s, want %q", name, called, want)
		}
	}
}

// TestRefusedByReal: options that the installed solvers do not know, or whose
// value they do not take, are OptionErrors, and leave nothing behind.
func TestRefusedByReal(t *testing.T) {
	m, _ := recordedModel(t)
	for _, c := range []struct{ name, option, value string }{
		{"highs-exe", "frob", "1"}, {"highs-exe", "presolve", "frob"}, {"highs-exe", "mip_heuristic_effort", "-3"},
		{"cbc", "frob", "1"}, {"cbc", "presolve", "frob"}, {"cbc", "strategy", "9999"}, {"cbc", "passCuts", "frob"}, {"cbc", "SECON", "1"},
		{"glpk", "frob", "1"},
	} {
		t.Run(c.name+" "+c.option+" "+c.value, func(t *testing.T) {
			s, tmp := installed(t, c.name), t.TempDir()
			t.Setenv("TMPDIR", tmp)
			_, err := s.Solve(context.Background(), m, solvers.Options{Raw: map[string]string{c.option: c.value}})
			var wrong *solvers.OptionError
			if !errors.As(err, &wrong) || !strings.EqualFold(wrong.Option, c.option) {
				t.Errorf("error %v", err)
			}
			if left := entries(t, tmp); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
