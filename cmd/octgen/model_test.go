package main

import (
	"testing"

	"github.com/octgen/octgen/mio"
)

// TestSolveError: how a solve of a model ends, as exit code and words.
func TestSolveError(t *testing.T) {
	point := []float64{1}
	for _, c := range []struct {
		s    mio.Solution
		code int
		text string
	}{
		{mio.Solution{Status: mio.Optimal, Values: point}, 0, ""},
		{mio.Solution{Status: mio.Feasible, Limit: mio.LimitTime, Values: point}, 0, ""},
		{mio.Solution{Status: mio.Feasible, Limit: mio.LimitInterrupt, Values: point}, 130, "interrupted; the point is the best one found until then"},
		{mio.Solution{Status: mio.NoSolution, Limit: mio.LimitTime}, 3, "no point was found: stopped by the time limit"},
		{mio.Solution{Status: mio.NoSolution, Limit: mio.LimitInterrupt}, 3, "no point was found: interrupted"},
		{mio.Solution{Status: mio.Infeasible}, 1, "the model has no solution to show: infeasible"},
		{mio.Solution{Status: mio.InfeasibleOrUnbounded}, 1, "the model has no solution to show: infeasible or unbounded"},
		{mio.Solution{Status: mio.NumericalError}, 1, "the model has no solution to show: numerical error"},
	} {
		err := solveError(&c.s)
		if code := exitCode(err); code != c.code || message(err) != c.text {
			t.Errorf("%s, limit %q: exit code %d, %q; want %d, %q", c.s.Status, c.s.Limit, code, message(err), c.code, c.text)
		}
	}
}

func TestSpreadText(t *testing.T) {
	for want, s := range map[string]mio.Spread{"none but 0": {}, "all 2": {Min: 2, Max: 2}, "0.001 to 12.3": {Min: 0.001, Max: 12.345}} {
		if got := spreadText(s); got != want {
			t.Errorf("%v: %q, want %q", s, got, want)
		}
	}
}
