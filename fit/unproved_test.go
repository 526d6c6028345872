package fit_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestNoTreeCause: where no tree that holds the constraints was found, the error and the
// JSON object name what ended the fit. Only a time limit is called one.
func TestNoTreeCause(t *testing.T) {
	fit.UsualSolvers(t, "liar")
	gaveUp := func(l mio.Limit, raw string) func(*mio.Model, *mio.Solution) {
		return func(_ *mio.Model, s *mio.Solution) { s.Status, s.Limit, s.Raw, s.Values = mio.NoSolution, l, raw, nil }
	}
	for name, c := range map[string]struct {
		change       func(*mio.Model, *mio.Solution)
		set          func(*fit.Options)
		weight       float64 // of the first row; 0: 1
		interrupted  bool
		message      string // its end
		limit, cause string // in the result
	}{
		"time": {set: func(o *fit.Options) { o.Engine, o.Solve.TimeLimit = problem.Search, time.Nanosecond },
			message: "the time limit was reached", limit: "time"},
		"work": {set: func(o *fit.Options) { o.Engine, o.WorkLimit = problem.Search, 1 },
			message: "the work limit was reached", limit: "iterations"},
		"interrupt": {set: func(o *fit.Options) { o.Engine = problem.Search }, interrupted: true,
			message: "interrupted", limit: "interrupt"},
		"nodes": {change: gaveUp(mio.LimitNodes, ""), set: func(o *fit.Options) { o.Start = "none" },
			message: "the node limit was reached", limit: "nodes"},
		"iterations": {change: gaveUp(mio.LimitIterations, ""), set: func(o *fit.Options) { o.Start = "none" },
			message: "the iteration limit was reached", limit: "iterations"},
		"memory": {change: gaveUp(mio.LimitMemory, ""), set: func(o *fit.Options) { o.Start = "none" },
			message: "out of memory", limit: "memory"},
		"the solver gave up": {change: gaveUp(mio.NoLimit, "numerical trouble"), set: func(o *fit.Options) { o.Start = "none" },
			message: "liar ended without a proof (numerical trouble)", cause: "liar ended without a proof (numerical trouble)"},
		"weights": {set: func(o *fit.Options) { o.Start = "none" }, weight: 1e12,
			message: "the engine search and the method treesearch have no such tolerances", cause: "all rows weigh 1e+12 times"},
	} {
		t.Run(name, func(t *testing.T) {
			if lies.change = c.change; c.change == nil {
				lies.change = func(*mio.Model, *mio.Solution) { t.Error("the solver was asked") }
			}
			m := oct(2, 0.3, 1)
			m.Recall = []string{"yes>=0.9", "no>=0.9"}
			o := fit.Options{Method: m, Engine: problem.MIO}
			c.set(&o)
			ds := xor(t)
			if c.weight != 0 {
				ds.Weight[0] = c.weight
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if c.interrupted {
				cancel()
			}
			res, err := fit.Run(ctx, ds, o)
			if !errors.Is(err, fit.ErrNoTree) || res == nil {
				t.Fatalf("%v, %+v", err, res)
			}
			if !strings.HasSuffix(err.Error(), c.message) || strings.Contains(err.Error(), "time limit") != (c.limit == "time") {
				t.Errorf("the error is %q, want its end %q", err, c.message)
			}
			if res.Limit != c.limit || !strings.HasPrefix(res.Unproved, c.cause) || (res.Unproved == "") != (c.cause == "") {
				t.Errorf("limit %q, cause %q, want %q, %q", res.Limit, res.Unproved, c.limit, c.cause)
			}
			b, err := json.Marshal(res)
			if err != nil || strings.Contains(string(b), `"unproved":`) != (c.cause != "") {
				t.Errorf("%s, %v", b, err)
			}
		})
	}
}

// TestUnproved: a tree without a proof and without a limit has the reason, a proved one
// has none.
func TestUnproved(t *testing.T) {
	fit.UsualSolvers(t, "absent")
	far := xor(t)
	for i := range far.Weight {
		far.Weight[i] = 0.3
	}
	far.Weight[0] = 1e260
	for name, c := range map[string]struct {
		o    fit.Options
		far  bool
		want string
	}{
		"proved":     {o: fit.Options{Method: oct(2, 0.3, 1)}},
		"limit":      {o: fit.Options{Method: oct(2, 0.3, 1), Solve: solvers.Options{TimeLimit: time.Nanosecond}}},
		"weights":    {o: fit.Options{Method: oct(2, 0.3, 0.5)}, far: true, want: "lie too far apart"},
		"heuristics": {o: fit.Options{Method: &problem.OCTH{Shape: shape(1, 0.3, 1)}, Engine: problem.Heuristic}, want: "heuristic only"},
	} {
		ds := xor(t)
		if c.far {
			ds = far
		}
		res, err := fit.Run(context.Background(), ds, c.o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(res.Unproved, c.want) || (res.Unproved == "") != (c.want == "") {
			t.Errorf("%s: status %s, limit %q, unproved %q, want %q", name, res.Status, res.Limit, res.Unproved, c.want)
		}
	}
}
