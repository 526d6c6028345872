//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestTreesearchMethod: the result carries the search's proof, and a start.
func TestTreesearchMethod(t *testing.T) {
	ds := data(t, "iris")
	res, err := fit.Run(context.Background(), ds, fit.Options{Method: &problem.Treesearch{Shape: shape(2, 0.01, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	s := res.Solver
	if s.Name != "treesearch" || s.Status != "optimal" || *s.Gap != 0 || s.Start != "cart" || res.Train.Errors != 6 {
		t.Errorf("%+v with %v errors", s, res.Train.Errors)
	}
	if c := res.Check; !c.OK() || !*c.Feasible || !*c.ObjectiveMatches || !c.ErrorsMatch {
		t.Errorf("check %+v", c)
	}
	for _, start := range []string{"none", "treesearch"} {
		_, err := fit.Run(context.Background(), ds, fit.Options{Method: &problem.Treesearch{Shape: shape(2, 0, 0)}, Start: start})
		if !errors.Is(err, fit.ErrInput) {
			t.Errorf("start %s: error %v", start, err)
		}
	}
	res, err = fit.Run(context.Background(), ds, fit.Options{Method: &problem.Treesearch{Shape: shape(2, 0, 0)}, Start: "local-search"})
	if err != nil || res.Solver.Start != "local-search" {
		t.Errorf("from local search: %+v, %v", res, err)
	}
}

// TestLocalAfterSearch: within a time limit annealing, or with a limit on splits local search, goes on
// from the tree of the exact search, whose bound stays; the tree is checked.
func TestLocalAfterSearch(t *testing.T) {
	ds, o := data(t, "pima"), fit.Options{Method: &problem.OCT{Shape: shape(6, 0, 1)}, Solve: solvers.Options{TimeLimit: 2 * time.Second}}
	res, err := fit.Run(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	if s := res.Solver; s.Status != "feasible" || res.Limit != "time" || s.Search.Annealing == 0 || *s.Objective != *res.Objective || *res.Bound > *res.Objective {
		t.Errorf("%+v: objective %v, bound %v, limit %q", s, *res.Objective, *res.Bound, res.Limit)
	}
	if c := res.Check; !c.OK() || !*c.Feasible || res.Tree.Depth() > 6 {
		t.Errorf("check %+v, depth %d", c, res.Tree.Depth())
	}
	if res.Train.Errors > 85 { // what the search alone has after 30 s
		t.Errorf("%v errors", res.Train.Errors)
	}
	splits := shape(6, 0, 1)
	splits.MaxSplits = 40
	o.Method = &problem.OCT{Shape: splits}
	if res, err = fit.Run(context.Background(), ds, o); err != nil || !strings.Contains(res.Solver.Note, "local search") || res.Tree.Splits() > 40 {
		t.Errorf("%+v, %v", res.Solver, err)
	}
	o.Method = &problem.OCT{Shape: shape(3, 0, 1)}
	if res, err = fit.Run(context.Background(), data(t, "iris"), o); err != nil || res.Status != "optimal" || res.Solver.Note != "" {
		t.Errorf("%+v, %v", res.Solver, err)
	}
}

// TestSearchGap: the search ends at the gap asked for, the same way each time, and says so.
func TestSearchGap(t *testing.T) {
	for _, m := range []problem.Method{
		&problem.OCT{Shape: shape(3, 0, 1)}, &problem.OCT{Shape: shape(3, 0.01, 1)}, &problem.OCT{Shape: shape(int(problem.NoDepth), 0.1, 1)},
	} {
		var first *fit.Result
		for range 2 {
			res, err := fit.Run(context.Background(), data(t, "pima"), fit.Options{Method: m, Solve: solvers.Options{RelGap: 0.7}})
			if err != nil {
				t.Fatal(err)
			}
			if res.Engine != "search" || res.Status == "feasible" && (res.Limit != "gap" || *res.Gap > 0.7) || *res.Bound > *res.Objective {
				t.Errorf("%v: engine %s, %s, limit %q, gap %v", m, res.Engine, res.Status, res.Limit, *res.Gap)
			}
			if first != nil && (*first.Bound != *res.Bound || first.Tree.String() != res.Tree.String()) {
				t.Errorf("bound %v, then %v", *first.Bound, *res.Bound)
			}
			first = res
		}
	}
}

// TestTreesearchStopped: a limit or an interrupt keeps the tree and a bound.
func TestTreesearchStopped(t *testing.T) {
	ds := data(t, "pima")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := fit.Options{Method: &problem.Treesearch{Shape: shape(4, 0, 0)}}
	res, err := fit.Run(ctx, ds, o)
	if err != nil || res.Solver.Limit != mio.LimitInterrupt.String() || res.Solver.Status != "feasible" {
		t.Errorf("interrupted: %+v, %v", res.Solver, err)
	}
	o.Solve.TimeLimit = time.Millisecond
	res, err = fit.Run(context.Background(), ds, o)
	if err != nil || res.Solver.Limit != mio.LimitTime.String() || res.Solver.Bound != nil && *res.Solver.Bound >= *res.Solver.Objective {
		t.Errorf("out of time: %+v, %v", res.Solver, err)
	}
}

// TestCrossCheckFindsLies: what only another proof can refute is found.
func TestCrossCheckFindsLies(t *testing.T) {
	ds := xor(t)
	o := fit.Options{
		Method: oct(2, 0.2, 0), Solver: "liar", Start: "cart", CrossCheck: true,
	}
	for name, c := range map[string]struct {
		change func(m *mio.Model, s *mio.Solution)
		want   string
	}{
		"honest": {func(*mio.Model, *mio.Solution) {}, ""},
		"optimal": {func(_ *mio.Model, s *mio.Solution) {
			s.Status, s.Bound, s.Gap = mio.Optimal, s.Objective, 0
		}, "claims the bound 1, but the search has a tree of objective"},
		"bound": {func(_ *mio.Model, s *mio.Solution) { s.Bound = s.Objective - 1e-3 }, "claims the bound"},
	} {
		t.Run(name, func(t *testing.T) {
			lies.change = c.change
			res, err := fit.Run(context.Background(), ds, o)
			switch {
			case c.want == "" && (err != nil || !res.CrossCheck.Agrees || res.CrossCheck.Status != "optimal"):
				t.Errorf("%v, %+v", err, res.CrossCheck)
			case c.want != "" && (!errors.Is(err, fit.ErrCheck) || !strings.Contains(err.Error(), c.want) || res.CrossCheck.Agrees):
				t.Errorf("error %v, not one with %q", err, c.want)
			}
		})
	}
	o.Method = &problem.OCTH{Shape: shape(2, 0.2, 0)}
	if _, err := fit.Run(context.Background(), ds, o); !errors.Is(err, fit.ErrInput) {
		t.Errorf("oct-h: error %v", err)
	}
}

// TestCrossCheckWithinLimit: the cross-check has no time of its own: a tenth of what
// is left for the solver, or nothing, and then it says that it has not finished.
func TestCrossCheckWithinLimit(t *testing.T) {
	ds := xor(t)
	lies.change = func(*mio.Model, *mio.Solution) {}
	o := fit.Options{Method: oct(2, 0.2, 0), Solver: "liar", Start: "cart", CrossCheck: true}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		time   time.Duration
		status mio.Status
		limit  mio.Limit
	}{
		{context.Background(), time.Nanosecond, mio.Feasible, mio.LimitTime},
		{cancelled, 0, mio.Feasible, mio.LimitInterrupt},
		{cancelled, time.Hour, mio.Feasible, mio.LimitInterrupt},
		{context.Background(), time.Hour, mio.Optimal, mio.NoLimit},
	} {
		o.Solve.TimeLimit = c.time
		res, err := fit.Run(c.ctx, ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if x := res.CrossCheck; !x.Agrees || x.Status != c.status.String() || x.Limit != c.limit.String() || x.Bound > x.Objective {
			t.Errorf("limit %v: %+v", c.time, x)
		}
	}
	if lies.limit > 54*time.Minute || lies.limit < 50*time.Minute {
		t.Errorf("of an hour the solver got %v", lies.limit)
	}
}

// TestSearchStartIsBest: a start that is proved best is not followed by others,
// and HiGHS or whoever solves can only agree.
func TestSearchStartIsBest(t *testing.T) {
	ds := data(t, "hayes-roth")
	lies.change = func(*mio.Model, *mio.Solution) {}
	res, err := fit.Run(context.Background(), ds, fit.Options{Method: oct(2, 0.01, 0), Solver: "liar"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Solver.Start != "treesearch" || math.Abs(*res.Solver.StartObjective-res.Train.Errors/81-0.03) > 1e-9 {
		t.Errorf("start %s of objective %v, the tree has %v errors", res.Solver.Start, *res.Solver.StartObjective, res.Train.Errors)
	}
}

// ending is CART that ends a fit when it has grown its tree.
type ending struct {
	*problem.CART
	end func()
}

func (e ending) On(ctx context.Context, d *problem.Data, depth int) (*problem.Problem, error) {
	p, err := e.CART.On(ctx, d, depth)
	if err != nil {
		return nil, err
	}
	grow := p.Grow
	p.Grow = func(ctx context.Context, t problem.Task) (*problem.Grown, error) {
		defer e.end()
		return grow(ctx, t)
	}
	return p, nil
}

// TestInterruptedBeforeSolving: what was grown for a start is not lost where the
// interrupt comes before the model is built.
func TestInterruptedBeforeSolving(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	lies.change = func(*mio.Model, *mio.Solution) { t.Error("the solver was asked") }
	res, err := fit.Run(ctx, data(t, "pima"), fit.Options{
		Method: oct(2, 0, 0), Solver: "liar", Start: "cart", Starters: []problem.Method{ending{new(problem.CART), cancel}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if s := res.Solver; s.Status != "feasible" || s.Limit != mio.LimitInterrupt.String() || s.Start != "cart" || res.Tree.Splits() == 0 {
		t.Errorf("%+v\n%v", s, res.Tree)
	}
	if res.Status != "feasible" || res.Limit != mio.LimitInterrupt.String() || *res.Bound >= *res.Objective || *res.Prover != "data" || *res.Objective != *res.Train.Objective {
		t.Errorf("%+v", res)
	}
}
