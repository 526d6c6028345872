package experiments

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// moody is a solver that fails in the way that a test sets.
type moody struct{ mood atomic.Int32 }

// The moods: it breaks down, it claims what is not so, it finds nothing in time,
// it panics, or it returns its start.
const (
	breaks = iota
	lies
	dawdles
	panics
	works
)

var fake = &moody{}

func init() { solvers.Register(fake) }

func (*moody) Name() string     { return "moody" }
func (*moody) Version() string  { return "1" }
func (*moody) Available() error { return nil }
func (*moody) Capabilities() solvers.Capabilities {
	return solvers.Capabilities{Discrete: true, TimeLimit: true, NodeLimit: true, Threads: true, Start: true, Seed: true, Progress: true}
}

func (m *moody) Solve(_ context.Context, model *mio.Model, o solvers.Options) (*mio.Solution, error) {
	if o.Progress != nil {
		o.Progress(solvers.Event{Objective: 2, Bound: 0.25, Elapsed: time.Millisecond})
	}
	if m.mood.Load() == panics {
		panic("out of temper")
	}
	if m.mood.Load() == breaks {
		return nil, errors.New("out of licences")
	}
	if m.mood.Load() == dawdles {
		return &mio.Solution{Status: mio.NoSolution, Limit: mio.LimitTime, Objective: math.NaN(), Bound: 0.25, Gap: math.Inf(1), Solver: "moody"}, nil
	}
	s := &mio.Solution{Status: mio.Feasible, Limit: mio.LimitNodes, Values: o.Start, Objective: model.Objective(o.Start), Bound: 0, Gap: 1, Solver: "moody"}
	if m.mood.Load() == lies {
		s.Values = append([]float64(nil), o.Start...)
		for j := range s.Values {
			s.Values[j] = 0.5
		}
	}
	return s, nil
}

const moodySpec = `name: moody
data: [{file: d.csv}]
evaluate: {folds: 3}
methods:
  - {name: CART, method: cart, depth: 2}
  - {name: OCT, method: oct, depth: 1, solver: moody, START}
`

func writeMoody(t *testing.T, start string) string {
	t.Helper()
	path := writeSmall(t)
	if err := os.WriteFile(path, []byte(strings.Replace(moodySpec, "START", start, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// recordsOf are the records of a method that count.
func recordsOf(t *testing.T, dir, method string) []Record {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, resultsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, _, err := readRecords(f, dir)
	if err != nil {
		t.Fatal(err)
	}
	var of []Record
	for _, r := range latest(records) {
		if r.Method == method {
			of = append(of, r)
		}
	}
	return of
}

// TestErrorWithResult: a task that fails with a result keeps the error and what
// the result says: the start's tree where the solver broke down, a bound where no
// tree was found in time.
func TestErrorWithResult(t *testing.T) {
	for _, c := range []struct {
		name, start, want string
		mood              int32
		tree              bool
	}{
		{"the solver breaks", "start: cart", "out of licences", breaks, true},
		{"no tree in time", "start: none", "time", dawdles, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fake.mood.Store(c.mood)
			dir := filepath.Join(t.TempDir(), "out")
			if got := run(t, writeMoody(t, c.start), RunOptions{Dir: dir}); got.Failed != 3 {
				t.Errorf("%+v", got)
			}
			for _, r := range recordsOf(t, dir, "OCT") {
				if !strings.Contains(r.Error, c.want) || r.Result == nil || r.Result.Solver == nil {
					t.Fatalf("%+v", r)
				}
				if n := len(r.Trace); n < 2 || c.mood == dawdles && r.Trace[n-1].Bound != 0.25 {
					t.Errorf("trace %v", r.Trace)
				}
				if _, err := os.Stat(filepath.Join(dir, treesFolder, r.ID+".json")); (err == nil) != c.tree || (r.Result.Train != nil) != c.tree {
					t.Errorf("tree: %v; %+v", err, r.Result)
				}
			}
			s, err := Summarise(dir)
			if err != nil {
				t.Fatal(err)
			}
			if row := s.find("d", "OCT", TestError); row.N != 0 || row.Failed != 3 {
				t.Errorf("%+v: what failed has a figure", row)
			}
		})
	}
}

// TestRetry: failed tasks run again and their last result counts; the others do
// not run again.
func TestRetry(t *testing.T) {
	fake.mood.Store(breaks)
	path, dir := writeMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	run(t, path, RunOptions{Dir: dir})
	again := func(o RunOptions, want int) *Outcome {
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
	again(RunOptions{Resume: true}, 0)
	fake.mood.Store(lies)
	again(RunOptions{Retry: true}, 3)
	for _, r := range recordsOf(t, dir, "OCT") {
		if !strings.HasPrefix(r.Error, "check failed: moody: ") || r.Result == nil {
			t.Errorf("%+v", r)
		}
	}
	fake.mood.Store(works)
	if got := again(RunOptions{Retry: true, Workers: 2}, 3); *got != (Outcome{Total: 6, Done: 6}) {
		t.Errorf("%+v", got)
	}
	s, err := Summarise(dir)
	if err != nil || s.Done != 6 || len(s.Failed) != 0 || s.find("d", "OCT", TestError).N != 3 {
		t.Errorf("%+v, %v", s, err)
	}
	again(RunOptions{Retry: true}, 0)

	whole := filepath.Join(t.TempDir(), "whole")
	run(t, path, RunOptions{Dir: whole})
	want, got := outputs(t, whole), outputs(t, dir)
	delete(want, "results")
	delete(got, "results")
	same(t, want, got)
}

// TestRetryWithoutTree: the tree of a result that does not count any more is gone.
func TestRetryWithoutTree(t *testing.T) {
	fake.mood.Store(breaks)
	path, dir := writeMoody(t, "start: cart"), filepath.Join(t.TempDir(), "out")
	run(t, path, RunOptions{Dir: dir})
	f, err := openFolder(plan(t, path), dir, "", true)
	if err != nil {
		t.Fatal(err)
	}
	id := recordsOf(t, dir, "OCT")[0].ID
	if _, err := os.Stat(f.treePath(id)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.put(&Record{ID: id, Error: "worse"}), f.close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.treePath(id)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
