package run

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/experiments/internal/trial"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
)

func plan(t *testing.T, path string) *Plan {
	t.Helper()
	s, err := spec.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run runs the spec to completion.
func run(t *testing.T, path string, o Options) *Outcome {
	t.Helper()
	got, err := plan(t, path).Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// outputs returns the results of a folder without times: the records in order of id, and the trees.
func outputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	files, err := filepath.Glob(filepath.Join(dir, TreesFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(path)] = string(text)
	}
	text, err := os.ReadFile(filepath.Join(dir, ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := range lines {
		lines[i] = elsewhere.ReplaceAllString(strings.TrimSuffix(lines[i], "\n"), "")
		lines[i] = seconds.ReplaceAllString(lines[i], "")
	}
	slices.Sort(lines)
	out["results"] = strings.Join(lines, "\n")
	return out
}

var elsewhere = regexp.MustCompile(`,"provenance":\{[^}]*\}`)

var seconds = regexp.MustCompile(`,?"[a-z_]*seconds":(\[\[.*?\]\]|[^,}]*)`)

func same(t *testing.T, want, got map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRun: results do not depend on the number of workers; errors are recorded and stop nothing.
func TestRun(t *testing.T) {
	path := trial.WriteSmall(t)
	var all []map[string]string
	for _, workers := range []int{1, 2, 7} {
		dir := filepath.Join(t.TempDir(), "out")
		done := 0
		got := run(t, path, Options{Dir: dir, Workers: workers, Notify: func(e Event) {
			if e.Kind == Finished {
				if done++; e.Done != done || e.Total != 27 || e.Task.ID != e.Record.ID {
					t.Errorf("%+v is event %d", e, done)
				}
			}
		}})
		if want := (Outcome{Total: 27, Done: 27, Failed: 6}); *got != want { // min_leaf 27 of 24 rows
			t.Errorf("%+v, want %+v", *got, want)
		}
		all = append(all, outputs(t, dir))
	}
	same(t, all[0], all[1])
	same(t, all[0], all[2])
	if n := len(all[0]); n != 21+1 {
		t.Errorf("%d outputs, want 21 trees and results", n)
	}
	if r := all[0]["results"]; strings.Count(r, `"error":"the minimum leaf weight is 27, but all training rows together weigh 24"`) != 6 {
		t.Error(r)
	}
}

// TestResume: from every state that a crash can leave, a run reaches the same results.
func TestResume(t *testing.T) {
	path := trial.WriteSmall(t)
	dir := filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir})
	want := outputs(t, dir)
	results := filepath.Join(dir, "results.jsonl")
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut <= len(text); cut += 1 + len(text)/12 {
		if err := os.WriteFile(results, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		started := 0
		run(t, path, Options{Dir: dir, Resume: true, Workers: 2, Notify: func(e Event) {
			if e.Kind == Started {
				started++
			}
			if e.Kind == Planned && (len(e.Todo)+len(e.Earlier) != 27 || len(e.Earlier) != e.Done || e.Workers != 2) {
				t.Errorf("cut at %d: %+v", cut, e)
			}
		}})
		if want := 27 - strings.Count(string(text[:cut]), "\n"); started != want {
			t.Errorf("cut at %d: %d tasks run, want %d", cut, started, want)
		}
		same(t, want, outputs(t, dir))
	}
	if err := os.WriteFile(results, append([]byte("{}\n"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plan(t, path).Run(t.Context(), Options{Dir: dir, Resume: true}); err == nil || !strings.Contains(err.Error(), "results.jsonl:1: the line is not a result") {
		t.Error(err)
	}
}

// TestRefuse: a folder of another spec, data or version is not changed.
func TestRefuse(t *testing.T) {
	path := trial.WriteSmall(t)
	dir := filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir, Version: "1"})
	before := outputs(t, dir)
	refused := func(o Options, want string) {
		t.Helper()
		o.Dir = dir
		if _, err := plan(t, path).Run(t.Context(), o); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused(Options{Version: "1"}, `contains results of "small"; continue with --resume`)
	refused(Options{Version: "2", Resume: true}, "contains results of octgen 1, but this is 2")
	unlock, err := lock(filepath.Join(dir, "lock"), "another process is here")
	if err != nil {
		t.Fatal(err)
	}
	refused(Options{Version: "1", Resume: true}, "another process runs in "+dir)
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(filepath.Dir(path), "d.csv")
	text, _ := os.ReadFile(data)
	if err := os.WriteFile(data, append(text, "1,x,no\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(Options{Version: "1", Resume: true}, `data "d" has changed`)
	if err := errors.Join(os.WriteFile(data, text, 0o600), os.WriteFile(path, []byte(trial.Small+"workers: 2\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	refused(Options{Version: "1", Resume: true}, "contains results of another spec")
	same(t, before, outputs(t, dir))
}

// TestStrangeFolder: a folder with other contents is not changed; one of a run that crashed at its
// beginning is used.
func TestStrangeFolder(t *testing.T) {
	path := trial.WriteSmall(t)
	dir := t.TempDir()
	mine := filepath.Join(dir, ".mine.1-2.tmp")
	if err := os.WriteFile(mine, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := plan(t, path).Run(t.Context(), Options{Dir: dir}); !errors.Is(err, ErrFolder) || !strings.Contains(err.Error(), "contains other files (.mine.1-2.tmp) and no run") {
		t.Error(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	left := filepath.Join(dir, ".manifest.json.77-0.tmp")
	if err := errors.Join(os.Rename(mine, left), os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	run(t, path, Options{Dir: dir})
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestRecordWithoutJSON: a figure without a JSON form fails only its task.
func TestRecordWithoutJSON(t *testing.T) {
	j, _, err := openJournal(filepath.Join(t.TempDir(), "results.jsonl"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer j.file.Close()
	r := &Record{ID: "1", Result: &fit.Result{Seconds: math.Inf(1)}}
	if err := j.append(r); err != nil || r.Result != nil || !strings.HasPrefix(r.Error, "the result cannot be written as JSON: ") {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestOnly: some tasks now, the others later.
func TestOnly(t *testing.T) {
	path := trial.WriteSmall(t)
	whole, dir := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	run(t, path, Options{Dir: whole})
	got := run(t, path, Options{Dir: dir, Only: regexp.MustCompile(`^d/(OCT|CART)/2\.`)})
	if want := (Outcome{Total: 6, Done: 6}); *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
	r, err := Read(dir)
	if err != nil || r.Tasks != 27 || len(r.Records) != 6 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := plan(t, path).Run(t.Context(), Options{Dir: dir, Resume: true, Only: regexp.MustCompile("nothing")}); err == nil || !strings.Contains(err.Error(), `no task matches "nothing"`) {
		t.Error(err)
	}
	run(t, path, Options{Dir: dir, Resume: true})
	same(t, outputs(t, whole), outputs(t, dir))
}

// TestCancel: a run stopped after any number of tasks keeps exactly these, and continues.
func TestCancel(t *testing.T) {
	path := trial.WriteSmall(t)
	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, Options{Dir: whole})
	for _, after := range []int{0, 1, 5, 26} {
		dir := filepath.Join(t.TempDir(), "out")
		ctx, cancel := context.WithCancel(t.Context())
		got, err := plan(t, path).Run(ctx, Options{Dir: dir, Notify: func(e Event) {
			if e.Done == after {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) || got.Done != after {
			t.Errorf("stopped after %d: %+v, %v", after, got, err)
		}
		run(t, path, Options{Dir: dir, Resume: true})
		same(t, outputs(t, whole), outputs(t, dir))
	}
}

// TestDiskFull: a result that cannot be written completely leaves the lines before it, and a folder
// that can continue.
func TestDiskFull(t *testing.T) {
	path := trial.WriteSmall(t)
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: whole})
	p := plan(t, path)
	f, err := openFolder(p, &Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{opts: Options{Dir: dir}, folder: f}
	room := 3
	f.journal.write = func(b []byte) (int, error) {
		if room--; room < 0 {
			n, _ := f.journal.file.Write(b[:len(b)/2])
			return n, syscall.ENOSPC
		}
		return f.journal.file.Write(b)
	}
	for i := range 4 {
		err = r.do(t.Context(), t.Context(), &p.Tasks[i], false)
	}
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "no space left on device") || !strings.Contains(err.Error(), "--resume") {
		t.Error(err)
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
	if err != nil || strings.Count(string(text), "\n") != 3 || !strings.HasSuffix(string(text), "\n") {
		t.Errorf("%q, %v", text, err)
	}
	run(t, path, Options{Dir: dir, Resume: true})
	same(t, outputs(t, whole), outputs(t, dir))
}

// TestTaskIDs: an id changes with everything on which its result depends, and with nothing else.
func TestTaskIDs(t *testing.T) {
	path := trial.WriteSmall(t)
	ids := func(old, new string) map[string]string {
		text := strings.Replace(trial.Small, old, new, 1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		of := make(map[string]string)
		for _, task := range plan(t, path).Tasks {
			of[task.Name()] = task.ID
		}
		return of
	}
	before := ids("", "")
	unique := make(map[string]bool)
	for _, id := range before {
		unique[id] = true
	}
	if len(unique) != 27 {
		t.Errorf("%d different ids of 27", len(unique))
	}
	for _, c := range []struct {
		old, new string
		changed  string // of the tasks' names
	}{
		{"name: small", "name: tiny", "none"},
		{"a paper", "another", "none"},
		{"depth: 2, min_leaf: 27", "min_leaf: 27, depth: 2", "none"},
		{"repeats: 2", "repeats: 2, seed: 2", "d/"},
		{"replicates: 3, seed: 4", "replicates: 3, seed: 5", "gen/"},
		{"treesearch, depth: 2", "treesearch, depth: 3", "/OCT/"},
		{"file: d.csv", "file: d.csv, categorical: ordinal", "d/"},
		{"evaluate", "limits: {threads: 1, work_limit: 9000000000}\nevaluate", "/OCT/"}, // the others have no such limits
	} {
		for name, id := range ids(c.old, c.new) {
			if got := before[name] != id; got != strings.Contains("/"+name, "/"+strings.TrimPrefix(c.changed, "/")) {
				t.Errorf("%s: %s changed: %v", c.new, name, got)
			}
		}
	}
}

// TestRecordKeepsTimesApart: the fields of a record that contain times are named accordingly.
func TestRecordKeepsTimesApart(t *testing.T) {
	path := trial.WriteSmall(t)
	dir := filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir, Only: regexp.MustCompile("d/OCT/1.1")})
	text, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var r Record
	if err := json.Unmarshal(text, &r); err != nil || r.Result.Seconds <= 0 || r.Result.Tree != nil || r.Result.Data.File != "d.csv" {
		t.Errorf("%s, %v", text, err)
	}
}

// TestPanic: a task that panics gets an error that names the panic; its stack is kept until the
// task succeeds.
func TestPanic(t *testing.T) {
	trial.SetMood(trial.Panics)
	path, dir := trial.WriteMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	if got := run(t, path, Options{Dir: dir, Version: "v9"}); got.Failed != 3 || got.Done != 6 {
		t.Errorf("%+v", got)
	}
	for _, r := range recordsOf(t, dir, "OCT") {
		if !strings.HasPrefix(r.Error, "panic: out of temper; ") || !strings.HasSuffix(r.Error, panicsFolder+"/"+r.ID+".txt") {
			t.Errorf("error %q", r.Error)
		}
		text, err := os.ReadFile(filepath.Join(dir, panicsFolder, r.ID+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"octgen v9, go", "task " + r.ID + " d/OCT/" + r.Split, "panic: out of temper", "moody.Solve"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	trial.SetMood(trial.Works)
	if got := run(t, path, Options{Dir: dir, Retry: true, Version: "v9"}); got.Failed != 0 {
		t.Errorf("%+v", got)
	}
	if left, err := os.ReadDir(filepath.Join(dir, panicsFolder)); len(left) != 0 {
		t.Errorf("stacks of tasks that worked since: %v, %v", left, err)
	}
}

// recordsOf returns the valid records of a method.
func recordsOf(t *testing.T, dir, method string) []Record {
	t.Helper()
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(r.Records, func(r Record) bool { return r.Method != method })
}

// TestErrorWithResult: a task that fails with a result keeps both: the warm start's tree if the
// solver broke down. If the time limit came before any point, the result is the single leaf with
// the bound, and the task did not fail.
func TestErrorWithResult(t *testing.T) {
	for _, c := range []struct {
		name, start, want, limit string
		mood                     trial.Mood
		failed                   int
	}{
		{"the solver breaks", "start: cart", "out of licences", "", trial.Breaks, 3},
		{"no point in time", "start: none", "", "time", trial.Dawdles, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			trial.SetMood(c.mood)
			dir := filepath.Join(t.TempDir(), "out")
			if got := run(t, trial.WriteMoody(t, c.start), Options{Dir: dir}); got.Failed != c.failed {
				t.Errorf("%+v", got)
			}
			for _, r := range recordsOf(t, dir, "OCT") {
				if !strings.Contains(r.Error, c.want) || (r.Error == "") != (c.want == "") || r.Result == nil || r.Result.Solver == nil || r.Result.Limit != c.limit {
					t.Fatalf("%+v", r)
				}
				if c.mood == trial.Dawdles && (r.Result.Train.Splits != 0 || r.Result.Bound == nil || *r.Result.Bound < 0.25) {
					t.Errorf("want the single leaf with the solver's bound: %+v", r.Result)
				}
				if n := len(r.Trace); n < 2 || c.mood == trial.Dawdles && r.Trace[n-1].Bound < 0.25 {
					t.Errorf("trace %v", r.Trace)
				}
				if _, err := os.Stat(filepath.Join(dir, TreesFolder, r.ID+".json")); err != nil || r.Result.Train == nil {
					t.Errorf("tree: %v; %+v", err, r.Result)
				}
			}
		})
	}
}

// TestRetry: failed tasks run again and their last result counts; the others do not run again.
func TestRetry(t *testing.T) {
	trial.SetMood(trial.Breaks)
	path, dir := trial.WriteMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir})
	again := func(o Options, want int) *Outcome {
		t.Helper()
		o.Dir = dir
		started := 0
		o.Notify = func(e Event) {
			if e.Kind == Started {
				started++
			}
		}
		got := run(t, path, o)
		if started != want {
			t.Errorf("%d tasks run, want %d", started, want)
		}
		return got
	}
	again(Options{Resume: true}, 0)
	trial.SetMood(trial.Lies)
	again(Options{Retry: true}, 3)
	for _, r := range recordsOf(t, dir, "OCT") {
		if !strings.HasPrefix(r.Error, "check failed: moody: ") || r.Result == nil {
			t.Errorf("%+v", r)
		}
	}
	trial.SetMood(trial.Works)
	if got := again(Options{Retry: true, Workers: 2}, 3); *got != (Outcome{Total: 6, Done: 6}) {
		t.Errorf("%+v", got)
	}
	again(Options{Retry: true}, 0)

	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, Options{Dir: whole})
	want, got := outputs(t, whole), outputs(t, dir)
	delete(want, "results")
	delete(got, "results")
	same(t, want, got)
}

// TestRetryWithoutTree: the tree of a result that no longer counts is removed.
func TestRetryWithoutTree(t *testing.T) {
	trial.SetMood(trial.Breaks)
	path, dir := trial.WriteMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	run(t, path, Options{Dir: dir})
	f, err := openFolder(plan(t, path), &Options{Dir: dir, Resume: true})
	if err != nil {
		t.Fatal(err)
	}
	id := recordsOf(t, dir, "OCT")[0].ID
	if _, err := os.Stat(treePath(dir, id)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.put(&Record{ID: id, Error: "worse"}), f.close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(treePath(dir, id)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
