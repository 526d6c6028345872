package main

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/experiments"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/solvers"
)

// endless has a first task that is quick and a second one that would take hours.
const endless = `name: endless
data: [{name: gen, generate: gto-tree, features: 20, rows: 2000, test_rows: 10}]
methods:
  - {method: cart, depth: 2}
  - {method: treesearch, depth: 8, threads: 1}
`

// TestRunInterrupted: an interrupt ends a run with what was done on the disk, and
// the tables of it.
func TestRunInterrupted(t *testing.T) {
	cmd, stdout, _ := program(t, "octgen", "run", "endless.yaml")
	cmd.Stderr = nil
	if err := os.WriteFile(filepath.Join(cmd.Dir, "endless.yaml"), []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	var said strings.Builder
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "octgen: 1/2 gen/cart/1") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	if code := exitOf(t, cmd.Wait()); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, said.String())
	}
	if !strings.Contains(said.String(), "octgen: interrupted; what is done is kept, and --resume goes on\n") {
		t.Error(said.String())
	}
	if !strings.Contains(stdout.String(), "1 of 2 tasks done, 0 failed\n") {
		t.Error(stdout.String())
	}
}

// TestRunBar: on a terminal a bar names the task and its gap; failures have lines
// of their own.
func TestRunBar(t *testing.T) {
	var out bytes.Buffer
	r := &runReporter{w: &out, live: true}
	task := &experiments.Task{Data: "iris", Method: "OCT", Split: "1.1"}
	r.event(experiments.Event{Kind: experiments.Planned, Total: 3, Done: 1})
	r.event(experiments.Event{Kind: experiments.Started, Task: task, Total: 3, Done: 1})
	time.Sleep(2 * liveEvery) // the bar is drawn no more often
	r.event(experiments.Event{Kind: experiments.Solving, Task: task, Progress: &solvers.Event{Objective: 1, Bound: 0.5, Gap: 0.5, Elapsed: 3 * time.Second}, Total: 3, Done: 1})
	time.Sleep(2 * liveEvery)
	r.event(experiments.Event{Kind: experiments.Finished, Task: task, Record: &experiments.Record{Error: "no luck"}, Total: 3, Done: 2})
	r.event(experiments.Event{Kind: experiments.Finished, Task: task, Record: &experiments.Record{Result: &fit.Result{}}, Total: 3, Done: 3})
	r.close()
	for _, want := range []string{"octgen: 1 of 3 tasks are done already\n", "iris/OCT/1.1  gap 50 %  3 s", "(0/2", "octgen: 2/3 iris/OCT/1.1: failed: no luck\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %q", want, out.String())
		}
	}
	if strings.Contains(out.String(), "octgen: 3/3") {
		t.Errorf("a line beside the bar: %q", out.String())
	}
	if got := recordText(&experiments.Record{Result: &fit.Result{Test: &fit.Scores{Rows: 8, Errors: 1}, Solver: &fit.Solver{Status: "optimal"}, Seconds: math.Pi}}); got != "test 12.50 % wrong, optimal, 3.1 s" {
		t.Error(got)
	}
}
