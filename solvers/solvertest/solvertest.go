// Package solvertest is the conformance suite of solver adapters: what every
// implementation of solvers.Solver must do, as far as its capabilities go.
//
//	func TestConformance(t *testing.T) { solvertest.Run(t, highs.New()) }
package solvertest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// Run runs the whole suite on an available solver. It takes a few seconds with
// a fast one.
func Run(t *testing.T, s solvers.Solver) {
	if err := s.Available(); err != nil {
		t.Fatal(err)
	}
	s = solvers.Checked(s)
	t.Run("models", func(t *testing.T) { testModels(t, s) })
	t.Run("enumeration", func(t *testing.T) { testEnumeration(t, s) })
	t.Run("near ties", func(t *testing.T) { testNearTies(t, s) })
	t.Run("names", func(t *testing.T) { testNames(t, s) })
	t.Run("large", func(t *testing.T) { testLarge(t, s) })
	t.Run("options", func(t *testing.T) { testOptions(t, s) })
	t.Run("start", func(t *testing.T) { testStart(t, s) })
	t.Run("limits", func(t *testing.T) { testLimits(t, s) })
	t.Run("interrupt", func(t *testing.T) { testInterrupt(t, s) })
	t.Run("progress", func(t *testing.T) { testProgress(t, s) })
	t.Run("concurrent", func(t *testing.T) { testConcurrent(t, s) })
}

// slack is what tests allow beyond a time limit or a grace, on a busy machine.
const slack = 3 * time.Second

// testOptions: an option of a wrong value, or one that the solver cannot
// honour, is an error that names it.
func testOptions(t *testing.T, s solvers.Solver) {
	m := Knapsack(2, 10, 1)
	caps := s.Capabilities()
	cutoff, nan := 1.0, math.NaN()
	for _, c := range []struct {
		option string
		opt    solvers.Options
		able   bool // the option's value is right if the solver has it
	}{
		{"TimeLimit", solvers.Options{TimeLimit: -1}, false},
		{"TimeLimit", solvers.Options{TimeLimit: time.Minute}, caps.TimeLimit},
		{"NodeLimit", solvers.Options{NodeLimit: -1}, false},
		{"NodeLimit", solvers.Options{NodeLimit: math.MaxInt64}, caps.NodeLimit},
		{"IterLimit", solvers.Options{IterLimit: -1}, false},
		{"IterLimit", solvers.Options{IterLimit: math.MaxInt64}, caps.IterLimit},
		{"RelGap", solvers.Options{RelGap: -0.1}, false},
		{"RelGap", solvers.Options{RelGap: nan}, false},
		{"RelGap", solvers.Options{RelGap: 1e-9}, caps.Gaps},
		{"AbsGap", solvers.Options{AbsGap: inf}, false},
		{"AbsGap", solvers.Options{AbsGap: 1e-9}, caps.Gaps},
		{"Threads", solvers.Options{Threads: -1}, false},
		{"Threads", solvers.Options{Threads: 1}, caps.Threads},
		{"Seed", solvers.Options{Seed: -1}, false},
		{"Seed", solvers.Options{Seed: math.MaxInt32}, caps.Seed},
		{"Cutoff", solvers.Options{Cutoff: &nan}, false},
		{"Cutoff", solvers.Options{Cutoff: &cutoff}, caps.Cutoff},
		{"Grace", solvers.Options{Grace: -1}, false},
		{"Progress", solvers.Options{Progress: func(solvers.Event) {}}, caps.Progress},
		{"Log", solvers.Options{Log: new(bytes.Buffer)}, caps.Log},
		{"no such option", solvers.Options{Raw: map[string]string{"no such option": "1"}}, false},
	} {
		sol, err := s.Solve(context.Background(), m, c.opt)
		if c.able {
			if err != nil || sol.Status != mio.Optimal {
				t.Errorf("%s %+v: %v, %v", c.option, c.opt, sol, err)
			}
			continue
		}
		var optErr *solvers.OptionError
		if !errors.As(err, &optErr) {
			t.Errorf("%s %+v: error %v, want an OptionError", c.option, c.opt, err)
			continue
		}
		want := c.option
		if c.opt.Raw != nil && !caps.Raw {
			want = "Raw"
		}
		if optErr.Option != want || optErr.Solver != s.Name() {
			t.Errorf("error %v, want one of option %s", err, want)
		}
	}
	if caps.Log {
		var log bytes.Buffer
		solve(t, s, m, solvers.Options{Log: &log})
		if log.Len() == 0 {
			t.Error("nothing was written to Log")
		}
	}
}

func testStart(t *testing.T, s solvers.Solver) {
	if !s.Capabilities().Start {
		return
	}
	m, start := MarketSplit(3, 20, 5)
	m = suited(s, m)
	good := slices.Clone(start)
	refused := func(name string, x []float64) {
		_, err := s.Solve(context.Background(), m, solvers.Options{Start: x})
		var optErr *solvers.OptionError
		if !errors.As(err, &optErr) || optErr.Option != "Start" {
			t.Errorf("%s start: error %v, want an OptionError of Start", name, err)
		}
	}
	refused("short", start[1:])
	refused("empty", []float64{})
	bad := slices.Clone(start)
	bad[0] = 1
	refused("infeasible", bad)
	bad[0] = math.NaN()
	refused("partial", bad)
	bad[0] = 0.5
	refused("fractional", bad)

	sol := solve(t, s, m, solvers.Options{Start: start, TimeLimit: max(200*time.Millisecond, known(s).least)})
	if !sol.StartUsed {
		t.Error("the start was not used")
	}
	if sol.Values == nil || sol.Objective > m.Objective(start) {
		t.Errorf("%v, objective %v is worse than the start's %v", sol.Status, sol.Objective, m.Objective(start))
	}
	if !slices.Equal(start, good) {
		t.Error("Start was written to")
	}
	if sol.Values != nil && &sol.Values[0] == &start[0] {
		t.Error("the solution shares the start's memory")
	}
	// No time at all: the start is the answer.
	sol = solve(t, s, m, solvers.Options{Start: start, TimeLimit: time.Nanosecond})
	if sol.Status != mio.Feasible || sol.Limit != mio.LimitTime || sol.Objective > m.Objective(start) {
		t.Errorf("without time: %v, limit %v, objective %v", sol.Status, sol.Limit, sol.Objective)
	}
}

// testLimits: a limit is a status that keeps the incumbent.
func testLimits(t *testing.T, s solvers.Solver) {
	m, start := MarketSplit(6, 60, 1)
	m = suited(s, m)
	caps := s.Capabilities()
	if !caps.Discrete {
		return
	}
	for _, c := range []struct {
		limit mio.Limit
		opt   solvers.Options
		able  bool
	}{
		{mio.LimitTime, solvers.Options{TimeLimit: 300 * time.Millisecond}, caps.TimeLimit},
		{mio.LimitNodes, solvers.Options{NodeLimit: 20}, caps.NodeLimit},
		{mio.LimitIterations, solvers.Options{IterLimit: 1000}, caps.IterLimit},
	} {
		if !c.able {
			continue
		}
		if c.limit == mio.LimitTime {
			c.opt.TimeLimit = max(c.opt.TimeLimit, known(s).least)
		}
		began := time.Now()
		sol := solve(t, s, m, c.opt)
		took := time.Since(began)
		if sol.Status != mio.Feasible || sol.Limit != c.limit {
			t.Errorf("limit on %v: %v, limit %v (%s)", c.limit, sol.Status, sol.Limit, sol.Raw)
		}
		if sol.Gap == 0 || math.IsInf(sol.Gap, 0) && sol.Objective != 0 {
			t.Errorf("limit on %v: objective %v, bound %v, gap %v", c.limit, sol.Objective, sol.Bound, sol.Gap)
		}
		if c.limit == mio.LimitTime {
			if took > c.opt.TimeLimit+slack {
				t.Errorf("time limit %v took %v", c.opt.TimeLimit, took)
			}
			continue
		}
		again := solve(t, s, m, c.opt)
		if !slices.Equal(sol.Values, again.Values) || sol.Bound != again.Bound {
			t.Errorf("limit on %v: two runs differ: objectives %v and %v, bounds %v and %v",
				c.limit, sol.Objective, again.Objective, sol.Bound, again.Bound)
		}
	}
	if caps.Gaps && caps.Start {
		// A gap wide enough for the start.
		sol := solve(t, s, m, solvers.Options{Start: start, AbsGap: 2 * m.Objective(start)})
		if sol.Status != mio.Feasible || sol.Limit != mio.LimitGap {
			t.Errorf("within AbsGap: %v (%s)", sol.Status, sol.Raw)
		}
	}
}

// testInterrupt: when the context ends, Solve returns within the grace, with
// what is known.
func testInterrupt(t *testing.T, s solvers.Solver) {
	m, start := MarketSplit(5, 40, 2)
	m = suited(s, m)
	if !s.Capabilities().Discrete {
		return
	}
	for _, grace := range []time.Duration{time.Nanosecond, solvers.DefaultGrace} {
		const patience = 300 * time.Millisecond
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		began := time.Now()
		sol, err := s.Solve(ctx, m, solvers.Options{Grace: grace})
		took := time.Since(began)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		Verify(t, m, sol)
		if sol.Limit != mio.LimitInterrupt || (sol.Status != mio.Feasible && sol.Status != mio.NoSolution) {
			t.Errorf("grace %v: %v, limit %v (%s)", grace, sol.Status, sol.Limit, sol.Raw)
		}
		if took > patience+grace+slack {
			t.Errorf("grace %v: an interrupt after %v took until %v", grace, patience, took)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	opt := solvers.Options{}
	want := mio.NoSolution
	if s.Capabilities().Start {
		opt.Start, want = start, mio.Feasible
	}
	sol, err := s.Solve(ctx, m, opt)
	if err != nil {
		t.Fatal(err)
	}
	Verify(t, m, sol)
	if sol.Status != want || sol.Limit != mio.LimitInterrupt {
		t.Errorf("ended context: %v, limit %v", sol.Status, sol.Limit)
	}
}

func testProgress(t *testing.T, s solvers.Solver) {
	if caps := s.Capabilities(); !caps.Progress || !caps.TimeLimit || !caps.Discrete {
		return
	}
	split, start := MarketSplit(4, 35, 3)
	split = suited(s, split)
	costs := slices.Clone(split.Costs())
	for j := range costs {
		costs[j] = -costs[j]
	}
	maximize := split.WithCost(mio.Maximize, 5, costs)
	for _, m := range []*mio.Model{split, maximize} {
		var events []solvers.Event
		opt := solvers.Options{TimeLimit: max(400*time.Millisecond, known(s).least), Progress: func(e solvers.Event) { events = append(events, e) }}
		if s.Capabilities().Start {
			opt.Start = start
		}
		sol := solve(t, s, m, opt)
		if len(events) == 0 {
			t.Fatal("no progress")
		}
		sign := 1.0
		if m.Sense() == mio.Maximize {
			sign = -1
		}
		withValues := 0
		for i, e := range events {
			if i > 0 {
				p := events[i-1]
				if sign*e.Objective > sign*p.Objective || sign*e.Bound < sign*p.Bound || e.Nodes < p.Nodes || e.Iter < p.Iter || e.Elapsed < p.Elapsed ||
					math.IsNaN(e.Objective) && !math.IsNaN(p.Objective) {
					t.Errorf("event %+v after %+v", e, p)
				}
			}
			if e.Gap != mio.Gap(e.Objective, e.Bound) {
				t.Errorf("gap of %+v", e)
			}
			if e.Values == nil {
				continue
			}
			withValues++
			if r := mio.Check(m, e.Values, 1e-5); !r.Feasible || !near(r.Objective, e.Objective) {
				t.Errorf("an event's values are of objective %v, not %v: %v", r.Objective, e.Objective, r.Err())
			}
		}
		if withValues == 0 && !known(s).noValues {
			t.Error("no event brought an incumbent")
		}
		last := events[len(events)-1]
		if !near(last.Objective, sol.Objective) {
			t.Errorf("the last event has objective %v, the solution %v", last.Objective, sol.Objective)
		}
	}
}

// testConcurrent runs 100 solves of different thread counts side by side.
func testConcurrent(t *testing.T, s solvers.Solver) {
	caps := s.Capabilities()
	type task struct {
		m    *mio.Model
		want float64
	}
	tasks := make([]task, 5)
	for i := range tasks {
		if caps.Discrete {
			tasks[i].m = Knapsack(3, 15+i, uint64(i))
		} else {
			tasks[i].m = cases[0].spec.model()
		}
		tasks[i].want = solve(t, s, tasks[i].m, solvers.Options{}).Objective
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 12)
	for i := range 100 {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			k := tasks[i%len(tasks)]
			opt := solvers.Options{}
			if caps.Threads {
				opt.Threads = i % 4
			}
			sol, err := s.Solve(context.Background(), k.m, opt)
			if err != nil {
				t.Errorf("solve %d: %v", i, err)
			} else if sol.Status != mio.Optimal || sol.Objective != k.want {
				t.Errorf("solve %d with %d threads: %v, objective %v, want %v", i, opt.Threads, sol.Status, sol.Objective, k.want)
			}
		})
	}
	wg.Wait()
}
