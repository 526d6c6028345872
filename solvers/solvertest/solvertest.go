// Package solvertest is the conformance suite of solver adapters: what every
// implementation of solvers.Solver must do, as far as its capabilities go.
//
//	func TestConformance(t *testing.T) { solvertest.Run(t, highs.New()) }
package solvertest

import (
	"context"
	"math"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
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

func solve(t *testing.T, s solvers.Solver, m *mio.Model, opt solvers.Options) *mio.Solution {
	t.Helper()
	sol, err := s.Solve(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	Verify(t, m, sol)
	return sol
}

// Verify checks what must hold of every solution of m, whatever its status:
// values where the status has them and only there, feasible and of the
// objective that is claimed, a bound on the right side, and the gap of the two.
func Verify(t *testing.T, m *mio.Model, sol *mio.Solution) {
	t.Helper()
	if got, want := sol.Values != nil, sol.Status.HasSolution(); got != want {
		t.Errorf("status %v, but values: %v", sol.Status, got)
	}
	if sol.Status == mio.Unknown {
		t.Error("status unknown")
	}
	if sol.Solver == "" || sol.Raw == "" {
		t.Errorf("Solver %q or Raw %q is empty", sol.Solver, sol.Raw)
	}
	if math.IsNaN(sol.Bound) {
		t.Error("bound is NaN")
	}
	if want := mio.Gap(sol.Objective, sol.Bound); sol.Gap != want {
		t.Errorf("gap %v of objective %v and bound %v, want %v", sol.Gap, sol.Objective, sol.Bound, want)
	}
	if sol.Values == nil {
		if !math.IsNaN(sol.Objective) {
			t.Errorf("objective %v without values", sol.Objective)
		}
		return
	}
	r := mio.Check(m, sol.Values, verify.Feasibility)
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	if r.Objective != sol.Objective {
		t.Errorf("objective %v, but its values have %v", sol.Objective, r.Objective)
	}
	room := sol.Objective - sol.Bound
	if m.Sense() == mio.Maximize {
		room = -room
	}
	if room < 0 {
		t.Errorf("objective %v is better than the bound %v", sol.Objective, sol.Bound)
	}
	if sol.Status == mio.Optimal && sol.Limit != mio.NoLimit {
		t.Errorf("optimal, but ended by the limit on %v", sol.Limit)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) }
