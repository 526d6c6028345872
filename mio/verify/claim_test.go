package verify_test

import (
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// TestHoldOpenOptimum: an optimum without a bound is its own; one whose bound leaves
// a gap is claimed, not proved; the values of the objective or somebody else's bound may prove it after
// all, and a witness below it refutes it.
func TestHoldOpenOptimum(t *testing.T) {
	for _, c := range []struct {
		name      string
		bound     float64 // of the solver, for the objective 3
		judge     verify.Judge
		status    mio.Status // of the verdict
		own       mio.Status // of the solver
		prover    verify.Prover
		claimed   bool
		note      string
		objective float64
	}{
		{"closed", 3, verify.Judge{}, mio.Optimal, mio.Optimal, verify.BySolver, false, "", 3},
		{"open", 2, verify.Judge{}, mio.Feasible, mio.Feasible, verify.BySolver, true, "its claim that 3 is optimal is not borne out by its bound, 2", 3},
		{"within a step", 2.5, verify.Judge{Lattice: &verify.Lattice{Errors: 1}}, mio.Optimal, mio.Optimal, verify.BySolver, true, "", 3},
		{"proved by the search", 2, verify.Judge{Proofs: []verify.Proof{{By: verify.BySearch, Bound: 3}}}, mio.Optimal, mio.Feasible, verify.BySearch, true, "not borne out", 3},
		{"refuted", 2, verify.Judge{Witnesses: []verify.Witness{{Name: "a tree", Objective: 2.5, Values: []float64{2.5}}}}, mio.Feasible, mio.Feasible, verify.Nobody, false, "its claim that 3 is optimal is refuted by a tree, 2.5", 2.5},
		{"no bound", math.Inf(-1), verify.Judge{}, mio.Optimal, mio.Optimal, verify.BySolver, false, "", 3},
	} {
		sol := &mio.Solution{Status: mio.Optimal, Values: []float64{3}, Objective: 3, Bound: c.bound}
		v := c.judge.Hold(sol)
		if v.Status != c.status || v.Prover != c.prover || v.Objective != c.objective {
			t.Errorf("%s: verdict %+v", c.name, v)
		}
		if sol.Status != c.own || sol.Claimed != c.claimed || !strings.Contains(sol.Note, c.note) {
			t.Errorf("%s: %v, claimed %v, note %q", c.name, sol.Status, sol.Claimed, sol.Note)
		}
		if c.status == mio.Optimal && v.Gap != 0 {
			t.Errorf("%s: optimal with the gap %v", c.name, v.Gap)
		}
	}
}
