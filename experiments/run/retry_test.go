package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/experiments/internal/trial"
)

// recordsOf are the records of a method that count.
func recordsOf(t *testing.T, dir, method string) []Record {
	t.Helper()
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(r.Records, func(r Record) bool { return r.Method != method })
}

// TestErrorWithResult: a task that fails with a result keeps the error and what
// the result says: the start's tree where the solver broke down. One that the time
// ended before there was a point has the single leaf, and the bound; it did not fail.
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

// TestRetry: failed tasks run again and their last result counts; the others do
// not run again.
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

// TestRetryWithoutTree: the tree of a result that does not count any more is gone.
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
