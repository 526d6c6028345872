package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	runs "github.com/octgen/octgen/experiments/run"
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

// onScreen returns a reporter on a terminal whose clock is moved by hand.
func onScreen(t *testing.T, s *screen) (r *runReporter, pass func(time.Duration)) {
	t.Helper()
	now := time.Unix(1000, 0)
	r = &runReporter{w: s, now: func() time.Time { return now }, block: &liveBlock{w: s, size: s.size}}
	return r, func(d time.Duration) { now = now.Add(d); r.redraw(now) }
}

// TestRunLive: on a terminal there is a bar with the time that is left and a line
// for each task that runs; failures have lines above, and nothing stays.
func TestRunLive(t *testing.T) {
	s := &screen{t: t, width: 60, height: 24}
	r, pass := onScreen(t, s)
	shows := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, s.lines()); diff != "" {
			t.Error(diff)
		}
	}
	a := &runs.Task{Data: "iris", Method: "OCT", Split: "1.1"}
	b := &runs.Task{Data: "a name that is longer than a terminal is wide \x1b[2J", Method: "OCT", Split: "1.2"}
	c := &runs.Task{Data: "iris", Method: "CART", Split: "1.1"}
	r.event(runs.Event{Kind: runs.Planned, Total: 4, Done: 1, Todo: []*runs.Task{a, b, c}, Workers: 2})
	r.event(runs.Event{Kind: runs.Started, Task: a, Total: 4, Done: 1})
	r.event(runs.Event{Kind: runs.Started, Task: b, Total: 4, Done: 1})
	pass(2 * time.Second)
	done := "octgen: 1 of 4 tasks are done already"
	long := "  a name that is longer than a terminal is wide ?[2J/…"
	shows(done, "25% |█████               | (1/4)", "  iris/OCT/1.1  2 s", long+"  2 s")
	r.event(runs.Event{Kind: runs.Solving, Task: b, Progress: &solvers.Event{Objective: 1, Bound: 0.5, Gap: 0.5}, Total: 4, Done: 1})
	pass(8 * time.Second)
	shows(done, "25% |█████               | (1/4)", "  iris/OCT/1.1  10 s", "  a name that is longer than a terminal is…  gap 50 %  10 s")
	r.event(runs.Event{Kind: runs.Finished, Task: a, Record: &runs.Record{Error: "no\nluck"}, Total: 4, Done: 2})
	shows(done, "octgen: 2/4 iris/OCT/1.1: failed: no luck", "50% |██████████          | (2/4)  1 failed  ETA over 5 s", "  a name that is longer than a terminal is…  gap 50 %  10 s") // at once
	r.event(runs.Event{Kind: runs.Started, Task: c, Total: 4, Done: 2})
	pass(time.Second) // b is past the mean of 10 s; c, of which nothing is known, is taken for 10 s and runs for 1
	failed := "octgen: 2/4 iris/OCT/1.1: failed: no luck"
	shows(done, failed, "50% |██████████          | (2/4)  1 failed  ETA over 9 s", "  a name that is longer than a terminal is…  gap 50 %  11 s", "  iris/CART/1.1  1 s")
	s.resize(30)
	pass(time.Hour)
	shows(done, failed, cut("50% |██████████          | (2/4)  1 failed", 29), "  a name th…  gap 50 %  1 h …", "  iris/CART/1.1  1 h 00 min")
	r.event(runs.Event{Kind: runs.Finished, Task: b, Record: &runs.Record{Result: &fit.Result{}}, Total: 4, Done: 3})
	r.event(runs.Event{Kind: runs.Finished, Task: c, Record: &runs.Record{Result: &fit.Result{}}, Total: 4, Done: 4})
	pass(time.Second)
	shows(done, failed, cut("100% |████████████████████| (4/4)", 29))
	r.note("interrupted")
	r.close()
	final := cut("100% |████████████████████| (4/4)  1 failed", 29)
	shows(done, failed, "octgen: interrupted", final)
	r.redraw(r.now()) // late, from the clock
	r.note("late")
	shows(done, failed, "octgen: interrupted", final)
}

// TestRunFailures: each failure's line is cut to the terminal, the bar below it
// counts it at once, and the last state stays.
func TestRunFailures(t *testing.T) {
	s := &screen{t: t, width: 50, height: 24}
	r, _ := onScreen(t, s)
	tasks := make([]*runs.Task, 3)
	for i := range tasks {
		tasks[i] = &runs.Task{Data: "iris", Method: "BAD", Split: "1." + strconv.Itoa(i+1)}
	}
	r.note("before the plan")
	want := []string{"octgen: before the plan"}
	r.event(runs.Event{Kind: runs.Planned, Total: 3, Todo: tasks, Workers: 1})
	bars := []string{"33% |███       | (1/3)  1 failed  ETA 0 s", "66% |██████    | (2/3)  2 failed  ETA 0 s", "100% |██████████| (3/3)  3 failed  ETA 0 s"}
	for i, task := range tasks {
		r.event(runs.Event{Kind: runs.Started, Task: task, Total: 3, Done: i})
		r.event(runs.Event{Kind: runs.Finished, Task: task, Record: &runs.Record{Error: strings.Repeat("a long story ", 20)}, Total: 3, Done: i + 1})
		want = append(want, fmt.Sprintf("octgen: %d/3 iris/BAD/1.%d: failed: a long story a…", i+1, i+1))
		if diff := cmp.Diff(append(slices.Clone(want), bars[i]), s.lines()); diff != "" {
			t.Error(diff)
		}
	}
	long := &runs.Task{Data: "iris", Method: strings.Repeat("a name ", 20), Split: "1.1"}
	if got := r.doneText(runs.Event{Task: long, Record: &runs.Record{Error: "bad\nluck, and more of it"}, Total: 3, Done: 3}); got != "octgen: 3/3 iris/a name …: failed: bad luck, and…" {
		t.Errorf("%q", got)
	}
	r.close()
	if diff := cmp.Diff(append(want, "100% |██████████| (3/3)  3 failed"), s.lines()); diff != "" {
		t.Error(diff)
	}
}

// TestRunPlain: elsewhere a line for each task that is done.
func TestRunPlain(t *testing.T) {
	var out bytes.Buffer
	r := newRunReporter(&out, false)
	task := &runs.Task{Data: "iris", Method: "OCT", Split: "1.1"}
	r.event(runs.Event{Kind: runs.Planned, Total: 2})
	r.event(runs.Event{Kind: runs.Started, Task: task, Total: 2})
	r.event(runs.Event{Kind: runs.Finished, Task: task, Record: &runs.Record{Error: "no luck"}, Total: 2, Done: 1})
	r.event(runs.Event{Kind: runs.Finished, Task: task, Record: &runs.Record{Result: &fit.Result{Seconds: 1}}, Total: 2, Done: 2})
	r.close()
	if diff := cmp.Diff("octgen: 1/2 iris/OCT/1.1: failed: no luck\noctgen: 2/2 iris/OCT/1.1: 1.0 s\n", out.String()); diff != "" {
		t.Error(diff)
	}
	if got := recordText(&runs.Record{Result: &fit.Result{Test: &fit.Scores{Rows: 8, Errors: 1}, Status: "optimal", Solver: new(fit.Solver), Seconds: math.Pi}}); got != "test 12.50 % wrong, optimal, 3.1 s" {
		t.Error(got)
	}
}

// TestEarlier: results of earlier runs tell how long a task takes, on a narrow
// terminal with a short bar.
func TestEarlier(t *testing.T) {
	s := &screen{t: t, width: 42, height: 24}
	r, pass := onScreen(t, s)
	a := &runs.Task{Data: "iris", Method: "OCT", Split: "1.2"}
	earlier := []*runs.Record{{Method: "OCT", Result: &fit.Result{Seconds: 40}}, {Method: "OCT", Error: "none"}}
	r.event(runs.Event{Kind: runs.Planned, Total: 3, Done: 2, Todo: []*runs.Task{a}, Earlier: earlier, Workers: 1})
	r.event(runs.Event{Kind: runs.Started, Task: a, Total: 3, Done: 2})
	pass(10 * time.Second)
	if diff := cmp.Diff([]string{"octgen: 2 of 3 tasks are done already", "66% |███  | (2/3)  ETA 30 s", "  iris/OCT/1.2  10 s"}, s.lines()); diff != "" {
		t.Error(diff)
	}
}

// TestEstimate: the time left by hand.
func TestEstimate(t *testing.T) {
	task := func(method string) *runs.Task { return &runs.Task{Method: method} }
	now := time.Unix(1000, 0)
	since := func(method string, elapsed time.Duration) *runningTask {
		return &runningTask{task: task(method), began: now.Add(-elapsed)}
	}
	e := newEstimate([]*runs.Task{task("A"), task("A"), task("A"), task("B"), task("B")}, 2)
	if got := e.left(nil, now); got != "" {
		t.Error("an estimate from nothing:", got)
	}
	e.begin("A")
	e.end("A", 10*time.Second)
	e.begin("A")
	e.begin("B")
	// A: one runs for 4 of 10 s, one waits for 10 s; B: one runs for 12 s and one waits, for as much at least.
	if got := e.left([]*runningTask{since("A", 4*time.Second), since("B", 12*time.Second)}, now); got != "over 14 s" {
		t.Error(got)
	}
	e.end("B", 2*time.Second)
	// Now B's is known to wait for 2 s.
	if got := e.left([]*runningTask{since("A", 4*time.Second)}, now); got != "9 s" {
		t.Error(got)
	}
	e.begin("A")
	e.begin("B")
	// The longest one cannot be shared.
	if got := e.left([]*runningTask{since("A", time.Second), since("B", 2*time.Second)}, now); got != "9 s" {
		t.Error(got)
	}
	for d, want := range map[time.Duration]string{59 * time.Second: "59 s", 61 * time.Second: "1 min 01 s", 3*time.Hour + 5*time.Minute: "3 h 05 min", -1: "0 s"} {
		if got := roughly(d); got != want {
			t.Errorf("%v: %q", d, got)
		}
	}
}

// TestRunBar: parts of a percent and of a cell do not count.
func TestRunBar(t *testing.T) {
	for b, want := range map[runBar]string{
		{20, 0, 4}:    "0% |                    | (0/4)",
		{20, 1, 4}:    "25% |█████               | (1/4)",
		{5, 2, 3}:     "66% |███  | (2/3)",
		{20, 29, 50}:  "58% |███████████         | (29/50)",
		{10, 99, 100}: "99% |█████████ | (99/100)",
		{10, 7, 7}:    "100% |██████████| (7/7)",
		{10, 0, 0}:    "0% |          | (0/0)",
	} {
		if got := b.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
