//go:build cgo && !nohighs

package fit_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// TestProvedByRanges: without an encoding's name oct is proved by programs of ranges, with
// a start, a poor one, and none; the proof is the programs', and the search agrees.
func TestProvedByRanges(t *testing.T) {
	for at, c := range []struct {
		dataset string
		shape   problem.Shape
	}{{"iris", shape(2, 0, 1)}, {"iris", shape(3, 0.01, 0)}, {"monks-1", shape(3, 0, 1)}, {"wine", shape(2, 0, 1)}, {"seeds", shape(2, 0.02, 1)}} {
		for i, start := range []string{"none", "cart", "local-search"} {
			if at > 0 && i != at%3 && !datatest.All() {
				continue
			}
			res, err := fit.Run(context.Background(), data(t, c.dataset), fit.Options{Method: &problem.OCT{Shape: c.shape}, Solver: "highs", Start: start, CrossCheck: true})
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, res)
			if x := res.CrossCheck; res.Status != "optimal" || *res.Prover != string(verify.ByRanges) || x.Status != "optimal" || !x.Agrees || math.Abs(*res.Objective-x.Objective) > 1e-9 {
				t.Errorf("%s, %+v from %s: %s by %s, search %+v", c.dataset, c.shape, start, res.Status, *res.Prover, x)
			}
			if s := res.Solver; (s.StartObjective == nil) != (start == "none") || s.StartGain != nil && *s.StartGain < 0 {
				t.Errorf("%s from %s: the start is %q", c.dataset, start, s.Start)
			}
		}
	}
}

// TestRangesLeaveAlone: what is asked of the one program has that solved.
func TestRangesLeaveAlone(t *testing.T) {
	named, without := whole(2, 0, 1), oct(2, 0, 1)
	without.Without = []string{"blocks"}
	leaf, most := oct(2, 0, 3), oct(2, 0, 1)
	most.MaxSplits = 2
	for name, o := range map[string]fit.Options{
		"encoding": {Method: named}, "without": {Method: without}, "least leaf": {Method: leaf}, "most splits": {Method: most},
		"gap": {Method: oct(2, 0, 1), Solve: solvers.Options{RelGap: 1e-3}}, "nodes": {Method: oct(2, 0, 1), Solve: solvers.Options{NodeLimit: 1e6}},
		"log": {Method: oct(2, 0, 1), Solve: solvers.Options{Log: new(bytes.Buffer)}},
	} {
		o.Solver, o.Start = "highs", "none"
		res, err := fit.Run(context.Background(), xor(t), o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p := *res.Prover; res.Status != "optimal" || p == string(verify.ByRanges) || res.Solver.Status != "optimal" {
			t.Errorf("%s: %s, proved by %s", name, res.Status, p)
		}
	}
}

// TestRangesLieIsFound: a solver that claims of ranges with better trees that they have
// none proves nothing by them, and there is a warning.
func TestRangesLieIsFound(t *testing.T) {
	lies.change = func(m *mio.Model, s *mio.Solution) {
		if s.Values == nil { // a program of a range, which has no start
			s.Status = mio.Infeasible
		}
	}
	var n news
	res, err := fit.Run(context.Background(), data(t, "hayes-roth"), fit.Options{Method: oct(3, 0, 1), Engine: problem.MIO, Solver: "liar", Start: "cart", Notify: n.add})
	if err != nil {
		t.Fatal(err)
	}
	if *res.Prover == string(verify.ByRanges) || res.Status == "optimal" {
		t.Errorf("%s, proved by %s", res.Status, *res.Prover)
	}
	if len(n.warnings) != 1 || !strings.Contains(n.warnings[0], "result for a range is wrong") {
		t.Errorf("warnings: %q", n.warnings)
	}
}

// TestRangesStopped: where the solver, which begins with no start, ends without a point, the
// tree that the ranges had found by then is the answer, without their bound.
func TestRangesStopped(t *testing.T) {
	honest, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	left := 12 // programs with integers that are solved
	lies.change = func(m *mio.Model, s *mio.Solution) {
		if left--; left < 0 {
			s.Status, s.Limit = mio.NoSolution, mio.LimitTime
			return
		}
		of, err := honest.Solve(context.Background(), m, solvers.Options{})
		if err != nil {
			t.Fatal(err)
		}
		*s = *of
	}
	res, err := fit.Run(context.Background(), data(t, "hayes-roth"), fit.Options{Method: oct(3, 0, 1), Engine: problem.MIO, Solver: "liar", Start: "none"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != "feasible" || res.Train.Splits == 0 || *res.Objective >= 1 {
		t.Errorf("%s with %v errors", res.Status, res.Train.Errors)
	}
	if *res.Bound >= *res.Objective || res.Solver.Start != "" {
		t.Errorf("bound %v of %v, start %q", *res.Bound, *res.Objective, res.Solver.Start)
	}
}

// TestGapToTheSearch: no solver is asked where the search has proved more of the start than
// the gap asked for.
func TestGapToTheSearch(t *testing.T) {
	tells.asked = 0
	res, err := fit.Run(context.Background(), data(t, "hayes-roth"), fit.Options{
		Method: whole(2, 0, 1), Engine: problem.MIO, Solver: "teller", Start: "auto", Solve: solvers.Options{RelGap: 0.3},
	})
	if err != nil {
		t.Fatal(err)
	}
	if tells.asked != 0 || res.Status != "optimal" || res.Solver.Limit != "gap" || res.Search == nil {
		t.Errorf("asked %d times, %s, limit %s, search %v", tells.asked, res.Status, res.Solver.Limit, res.Search)
	}
}
