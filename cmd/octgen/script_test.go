package main

import (
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"octgen": main, "stubborn": stubborn, "slow-writer": slowWriter, "late-writer": lateWriter})
}

// runScripts runs the scripts of a folder. Beside the commands of testscript
// they have
//
//	exits CODE PROGRAM ARGS...   run it and expect the exit code, which may be any
//	replace FILE OLD NEW         replace text in a file
//	agree RESULT.json            a result whose tree agrees with its solver
//
// vars are environment variables, as NAME=VALUE; BIN is the folder of octgen alone.
func runScripts(t *testing.T, dir string, vars ...string) {
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, vars...)
			env.Setenv("BIN", filepath.SplitList(os.Getenv("PATH"))[0])
			return nil
		},
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"replace": replace,
			"agree":   agree,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE|any PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	if args[0] != "any" {
		ts.Check(err)
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want && args[0] != "any" {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not contain %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), 0o600))
}

// agree checks that a result passed its check, that its tree's objective is its
// errors over the errors of the best single leaf where the form is oct or oct-h
// without a price on splits, that it is the solver's, or better where the solver
// has no proof, and that this is no worse than the start.
func agree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: agree RESULT.json")
	}
	var res fit.Result
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &res))
	if res.Check == nil || !res.Check.OK() || !res.Check.ErrorsMatch || res.Train == nil || res.Solver == nil || res.Solver.Objective == nil {
		ts.Fatalf("%s: not checked: %+v", args[0], res.Check)
	}
	tree, solver := *res.Train.Objective, *res.Solver.Objective
	if tree > solver+1e-6 || res.Solver.Status == mio.Optimal.String() && math.Abs(tree-solver) > 1e-6 {
		ts.Fatalf("the tree has objective %v, %s says %v (%s)", tree, res.Solver.Name, solver, res.Solver.Status)
	}
	if start := res.Solver.StartObjective; start != nil && solver > *start+1e-6 {
		ts.Fatalf("%s ends with %v, worse than its start %v", res.Solver.Name, solver, *start)
	}
	if strings.HasPrefix(res.Method, "oct") {
		counts := res.Tree.Nodes[0].Count
		baseline := total(counts) - slices.Max(counts)
		if math.Abs(tree*baseline-res.Train.Errors) > 1e-6 {
			ts.Fatalf("objective %v x baseline %v is not %v errors", tree, baseline, res.Train.Errors)
		}
	}
}

// TestScripts: what works in every build.
func TestScripts(t *testing.T) { runScripts(t, filepath.Join("testdata", "script")) }

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
