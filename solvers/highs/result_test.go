//go:build cgo && !nohighs

package highs

import (
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestObject: the pointer read by reflection is the object that the binding
// works on.
func TestObject(t *testing.T) {
	err := onThread(func(o *object) error {
		if o.maximizes() {
			t.Error("a new object maximizes")
		}
		if err := o.model.SetMaximization(true); err != nil {
			return err
		}
		if !o.maximizes() {
			t.Error("a change by the binding is not seen through the pointer")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// testModel is min x + y, x + y >= 1.5, x binary, 0 <= y <= 10: optimum 1.5.
func testModel(t *testing.T) *mio.Model {
	b := mio.NewBuilder("")
	x, y := b.AddBinary(1, "x"), b.AddCol(1, 0, 10, mio.Continuous, "y")
	r := b.AddRow(1.5, mio.Inf, "r")
	b.Add(r, x, 1)
	b.Add(r, y, 1)
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestConclude: what becomes of answers that HiGHS should not give, and of
// starts.
func TestConclude(t *testing.T) {
	m := testModel(t)
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name        string
		modelStatus int
		values      []float64
		bound       float64
		start       []float64

		status    mio.Status
		objective float64
		wantBound float64
		raw       string
	}{
		{"optimal", 7, []float64{1, 0.5}, 1.5, nil, mio.Optimal, 1.5, 1.5, "Optimal"},
		{"rounded and clipped", 7, []float64{1 + 3e-7, 0.5 + 2e-7}, 1.5, nil, mio.Optimal, 1.5 + 2e-7, 1.5, "Optimal"},
		{"noise in the bound", 7, []float64{1, 0.5}, 1.5 - 1e-12, nil, mio.Optimal, 1.5, 1.5, "Optimal"},
		{"bound beyond, within tolerances", 7, []float64{1, 0.5}, 1.5 + 1e-7, nil, mio.Optimal, 1.5, 1.5, "Optimal"},
		{"bound disproved", 7, []float64{1, 0.5}, 2, nil, mio.Feasible, 1.5, -inf, "disproved"},
		{"slightly infeasible", 7, []float64{1, 0.5 - 5e-6}, 1.5 - 5e-6, nil, mio.Optimal, 1.5 - 5e-6, 1.5 - 5e-6, "row of r is violated by 5e-06"},
		{"badly infeasible, with a start", 7, []float64{1, 0.4}, 1.4, []float64{0, 2}, mio.Feasible, 2, -inf, "row of r is violated by 0.1"},
		{"not numbers", 7, []float64{1, nan}, 1.5, nil, mio.NumericalError, nan, -inf, "column y the value NaN"},
		{"not numbers, with a start", 7, []float64{inf, 0}, 1.5, []float64{0, 2}, mio.Feasible, 2, -inf, "column x the value +Inf"},
		{"time limit", 13, []float64{0, 2}, 1, nil, mio.Feasible, 2, 1, "Time limit"},
		{"time limit, start better", 13, []float64{0, 3}, 1, []float64{0, 2}, mio.Feasible, 2, 1, "Time limit"},
		{"time limit, nothing", 13, nil, -inf, nil, mio.NoSolution, nan, -inf, "Time limit"},
		{"time limit, start only", 13, nil, -inf, []float64{0, 2}, mio.Feasible, 2, -inf, "Time limit"},
		{"infeasible", 8, nil, inf, nil, mio.Infeasible, nan, inf, "Infeasible"},
		{"infeasible, disproved", 8, nil, inf, []float64{0, 2}, mio.Feasible, 2, -inf, "disproves"},
		{"infeasible or unbounded", 9, nil, -inf, nil, mio.InfeasibleOrUnbounded, nan, -inf, "unbounded"},
		{"infeasible or unbounded, start", 9, nil, -inf, []float64{0, 2}, mio.Unbounded, nan, -inf, "unbounded"},
		{"solve error", 4, nil, -inf, nil, mio.NumericalError, nan, -inf, "Solve error"},
		{"solve error, start", 4, nil, -inf, []float64{0, 2}, mio.Feasible, 2, -inf, "Solve error"},
		{"unknown", 15, []float64{0, 2}, 1, nil, mio.Feasible, 2, 1, "Unknown"},
		{"future status", 99, []float64{0, 2}, 1, nil, mio.Feasible, 2, 1, "model status 99"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := &outcome{
				answer:   &answer{modelStatus: c.modelStatus, mip: true, values: c.values, mipBound: c.bound},
				snapshot: solvers.Event{Bound: -inf, Objective: nan}, first: nan,
			}
			sol, err := conclude(m, &solvers.Options{Start: c.start}, out)
			if err != nil {
				t.Fatal(err)
			}
			same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-12 }
			if sol.Status != c.status || !same(sol.Objective, c.objective) || !same(sol.Bound, c.wantBound) {
				t.Errorf("%v, objective %v, bound %v; want %v, %v, %v", sol.Status, sol.Objective, sol.Bound, c.status, c.objective, c.wantBound)
			}
			if !strings.Contains(sol.Raw, c.raw) {
				t.Errorf("Raw %q lacks %q", sol.Raw, c.raw)
			}
			if sol.Values != nil && sol.Values[0] != math.Round(sol.Values[0]) {
				t.Errorf("x is %v", sol.Values[0])
			}
		})
	}
	failed := &outcome{answer: &answer{runStatus: -1, modelStatus: 0}, problems: []string{"no threads", "no luck"}, snapshot: solvers.Event{Bound: -inf}, first: nan}
	if sol, err := conclude(m, &solvers.Options{}, failed); err == nil || !strings.Contains(err.Error(), "no threads; no luck") {
		t.Errorf("%v, error %v for a run that failed", sol, err)
	}
	bad := &outcome{answer: &answer{modelStatus: 7, mip: true, values: []float64{1, 0.4}, mipBound: 1.4}, snapshot: solvers.Event{Bound: -inf}, first: nan}
	if sol, err := conclude(m, &solvers.Options{}, bad); err == nil || !strings.Contains(err.Error(), "row of r is violated by 0.1") {
		t.Errorf("%v, error %v for an infeasible point", sol, err)
	}
}

// TestOptimalOnlyIfHiGHSSaysSo goes through all of HiGHS's model statuses.
func TestOptimalOnlyIfHiGHSSaysSo(t *testing.T) {
	m := testModel(t)
	for status := -1; status < 30; status++ {
		out := &outcome{answer: &answer{modelStatus: status, mip: true, values: []float64{1, 0.5}, mipBound: 1.5}, snapshot: solvers.Event{Bound: 1.5}, first: math.NaN()}
		sol, err := conclude(m, &solvers.Options{}, out)
		if err != nil {
			t.Fatal(err)
		}
		if (sol.Status == mio.Optimal) != (status == 7) {
			t.Errorf("model status %d gives %v", status, sol.Status)
		}
	}
}
