package verify_test

import (
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// settleModel is min x + y, x + y >= 1.5, x binary (or not), 0 <= y <= 10:
// optimum 1.5.
func settleModel(t *testing.T, kind mio.VarType, sense mio.Sense) *mio.Model {
	b := mio.NewBuilder("")
	b.SetSense(sense)
	sign := 1.0
	if sense == mio.Maximize {
		sign = -1
	}
	x, y := b.AddCol(sign, 0, 1, kind, "x"), b.AddCol(sign, 0, 10, mio.Continuous, "y")
	r := b.AddRow(1.5, mio.Inf, "r")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSettle: what is believed of an answer; in either sense, and of a linear
// program where that makes no difference.
func TestSettle(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	start := []float64{0, 2} // objective 2
	for _, c := range []struct {
		name      string
		answer    verify.Answer
		start     []float64
		gap       float64
		mipOnly   bool
		status    mio.Status
		limit     mio.Limit
		objective float64
		bound     float64
		raw       string
		err       string
		claimed   bool // asserted where true
	}{
		{name: "optimal", answer: verify.Answer{Status: mio.Optimal, Values: []float64{1, 0.5}, Objective: 1.5, Bound: nan}, status: mio.Optimal, objective: 1.5, bound: 1.5},
		{name: "gap left", answer: verify.Answer{Status: mio.Optimal, Values: []float64{0, 1.6}, Objective: 1.6, Bound: 1.5}, gap: 0.5, mipOnly: true, status: mio.Feasible, limit: mio.LimitGap, objective: 1.6, bound: 1.5},
		{name: "optimal with an open gap", answer: verify.Answer{Status: mio.Optimal, Values: []float64{0, 1.6}, Objective: 1.6, Bound: 1.2}, mipOnly: true, status: mio.Feasible, objective: 1.6, bound: 1.2, raw: "with the bound", claimed: true},
		{name: "optimal within tolerance", answer: verify.Answer{Status: mio.Optimal, Values: []float64{1, 0.5}, Objective: 1.5, Bound: 1.5 - 1e-7}, mipOnly: true, status: mio.Optimal, objective: 1.5, bound: 1.5 - 1e-7, claimed: true},
		{name: "gap left, no bound", answer: verify.Answer{Status: mio.Optimal, Values: []float64{0, 2}, Objective: 2, Bound: nan}, gap: 0.5, mipOnly: true, status: mio.Feasible, limit: mio.LimitGap, objective: 2, bound: 1},
		{name: "wrong objective", answer: verify.Answer{Status: mio.Optimal, Values: []float64{1, 0.5}, Objective: 1.4, Bound: nan}, err: "states the objective 1.4, but its point has 1.5"},
		{name: "no number", answer: verify.Answer{Status: mio.Optimal, Values: []float64{nan, 0.5}, Objective: nan, Bound: nan}, err: "column x has the value NaN"},
		{name: "infeasible point", answer: verify.Answer{Status: mio.Optimal, Values: []float64{1, 0.4}, Objective: nan, Bound: nan}, start: start, err: "row of r is violated by 0.1"},
		{name: "worse than the start", answer: verify.Answer{Status: mio.Optimal, Values: []float64{1, 2}, Objective: 3, Bound: 3}, start: start, status: mio.Feasible, objective: 2, bound: -inf, raw: "better start disproves"},
		{name: "optimal, no values", answer: verify.Answer{Status: mio.Optimal, Objective: nan, Bound: 3}, start: start, status: mio.Feasible, objective: 2, bound: -inf, raw: "better start disproves"},
		{name: "bound disproved", answer: verify.Answer{Status: mio.Feasible, Limit: mio.LimitTime, Values: []float64{0, 2}, Objective: 2, Bound: 3}, status: mio.Feasible, limit: mio.LimitTime, objective: 2, bound: -inf, raw: "the bound"},
		{name: "infeasible", answer: verify.Answer{Status: mio.Infeasible, Objective: nan, Bound: nan}, status: mio.Infeasible, objective: nan, bound: inf},
		{name: "infeasible, start", answer: verify.Answer{Status: mio.Infeasible, Objective: nan, Bound: nan}, start: start, status: mio.Feasible, objective: 2, bound: -inf, raw: "which the start disproves"},
		{name: "nothing", answer: verify.Answer{Limit: mio.LimitTime, Objective: nan, Bound: 1}, status: mio.NoSolution, limit: mio.LimitTime, objective: nan, bound: 1},
		{name: "silence", answer: verify.Answer{Objective: nan, Bound: nan}, status: mio.NumericalError, objective: nan, bound: -inf},
	} {
		for _, sense := range []mio.Sense{mio.Minimize, mio.Maximize} {
			for _, kind := range []mio.VarType{mio.Binary, mio.Continuous} {
				if c.mipOnly && kind == mio.Continuous {
					continue
				}
				m := settleModel(t, kind, sense)
				sign := 1.0
				a := c.answer
				if sense == mio.Maximize {
					sign = -1
					a.Objective, a.Bound = -a.Objective, -a.Bound
				}
				sol, err := verify.Settle(m, verify.Ask{Start: c.start, RelGap: c.gap}, a)
				if c.err != "" || err != nil {
					if c.err == "" || err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "-", ""), c.err) {
						t.Errorf("%s: %+v, error %v, want %q", c.name, sol, err, c.err)
					}
					continue
				}
				same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
				if sol.Status != c.status || sol.Limit != c.limit || !same(sign*sol.Objective, c.objective) || !same(sign*sol.Bound, c.bound) || !strings.Contains(sol.Raw, c.raw) {
					t.Errorf("%s, %v: %v, limit %v, objective %v, bound %v (%s)", c.name, sense, sol.Status, sol.Limit, sol.Objective, sol.Bound, sol.Raw)
				}
				if c.claimed && !sol.Claimed {
					t.Errorf("%s, %v: the claim of an optimum is lost", c.name, sense)
				}
				if refuted := strings.Contains(c.raw, "disproves") || c.raw == "the bound"; refuted != strings.Contains(sol.Note, "is refuted by the ") {
					t.Errorf("%s, %v: note %q", c.name, sense, sol.Note)
				}
			}
		}
	}
}
