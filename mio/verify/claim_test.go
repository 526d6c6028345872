package verify_test

import (
	"math"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"pgregory.net/rapid"
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
		{"open", 2, verify.Judge{}, mio.Feasible, mio.Feasible, verify.BySolver, true, "its claim that 3 is optimal is not supported by its bound, 2", 3},
		{"within a step", 2.5, verify.Judge{Lattice: &verify.Lattice{Errors: 1}}, mio.Optimal, mio.Optimal, verify.BySolver, true, "", 3},
		{"proved by the search", 2, verify.Judge{Proofs: []verify.Proof{{By: verify.BySearch, Bound: 3}}}, mio.Optimal, mio.Feasible, verify.BySearch, true, "not supported", 3},
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

// values lists the lattice up to errors of most units.
func values(l *verify.Lattice, most int) []float64 {
	var all []float64
	for c := 0; c <= l.Most; c++ {
		for e := 0; e <= most; e++ {
			all = append(all, float64(e)/l.Errors+l.Price*float64(c))
		}
	}
	return all
}

func randomLattice(t *rapid.T) *verify.Lattice {
	l := &verify.Lattice{Errors: float64(rapid.IntRange(1, 300).Draw(t, "Lhat")), Most: rapid.IntRange(0, 15).Draw(t, "most")}
	if rapid.Bool().Draw(t, "priced") {
		l.Price = rapid.SampledFrom([]float64{0.001, 0.01, 0.1, 1. / 3, math.Pi / 50, 2 / l.Errors, 1.5}).Draw(t, "alpha")
	}
	l.Slack = verify.BoundSlack * rapid.Float64Range(1, 3).Draw(t, "W/Lhat")
	return l
}

// TestStep: no two values are closer than a step, unless they are equal.
func TestStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := randomLattice(t)
		step := l.Step()
		if step == 0 {
			return
		}
		all := values(l, 40)
		a, b := rapid.SampledFrom(all).Draw(t, "a"), rapid.SampledFrom(all).Draw(t, "b")
		if d := math.Abs(a - b); d > 1e-9 && d < step-1e-9 {
			t.Fatalf("%v and %v are %v apart, less than a step %v", a, b, d, step)
		}
	})
}

// TestRoundUp: a bound, with whatever a solver's tolerances added to it, is raised
// to a value, never above the least one that it bounds.
func TestRoundUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := randomLattice(t)
		optimum := rapid.SampledFrom(values(l, 40)).Draw(t, "optimum")
		below := rapid.Float64Range(0, 1).Draw(t, "below")
		bound := optimum - below*below*below + l.Slack*rapid.Float64Range(0, 0.99).Draw(t, "error")
		up := l.RoundUp(bound)
		if up > optimum+1e-9 {
			t.Fatalf("%v is raised to %v, above the optimum %v", bound, up, optimum)
		}
		if up < bound-l.Slack {
			t.Fatalf("%v falls to %v", bound, up)
		}
		for _, v := range values(l, 400) {
			if v < up-1e-9 && v > bound-l.Slack+1e-6/l.Errors {
				t.Fatalf("%v is raised to %v, past the value %v", bound, up, v)
			}
		}
	})
}

// TestNoLattice: nothing is known of real weights.
func TestNoLattice(t *testing.T) {
	var l *verify.Lattice
	if l.Step() != 0 || l.AbsGap() != 0 || l.RoundUp(0.3) != 0.3 {
		t.Error("a nil lattice knows something")
	}
	coarse := &verify.Lattice{Errors: 1e6, Slack: 1e-5} // a unit is less than the tolerances
	if coarse.Step() != 0 || coarse.RoundUp(0.3) != 0.3 {
		t.Error("a lattice finer than tolerances is relied on")
	}
}

// TestHold: what becomes of a claim.
func TestHold(t *testing.T) {
	inf := math.Inf(1)
	lattice := &verify.Lattice{Errors: 10, Slack: 1e-5}
	witness := []verify.Witness{{Name: "the single leaf", Objective: 1}, {Name: "the start s", Objective: 0.6, Values: []float64{7}}}
	for _, c := range []struct {
		name   string
		judge  verify.Judge
		sol    mio.Solution
		status mio.Status
		bound  float64
		prover verify.Prover
		note   string
		values float64
	}{
		{"proved by the solver", verify.Judge{}, mio.Solution{Status: mio.Optimal, Objective: 0.5, Bound: 0.5}, mio.Optimal, 0.5, verify.BySolver, "", 1},
		{"refuted optimum", verify.Judge{Witnesses: witness}, mio.Solution{Status: mio.Optimal, Objective: 0.7, Bound: 0.7}, mio.Feasible, -inf, verify.Nobody, "its claim that 0.7 is optimal is refuted by the start s, 0.6", 7},
		{"claimed, with an open gap, refuted", verify.Judge{Witnesses: witness}, mio.Solution{Status: mio.Feasible, Claimed: true, Objective: 0.7, Bound: 0.2}, mio.Feasible, -inf, verify.Nobody, "its claim that 0.7 is optimal is refuted by the start s, 0.6", 7},
		{"refuted bound", verify.Judge{Witnesses: witness}, mio.Solution{Status: mio.Feasible, Objective: 0.9, Bound: 0.8}, mio.Feasible, -inf, verify.Nobody, "its bound 0.8 is refuted by the start s, 0.6", 7},
		{"worse point", verify.Judge{Witnesses: witness}, mio.Solution{Status: mio.Feasible, Objective: 0.9, Bound: 0.1}, mio.Feasible, 0.1, verify.BySolver, "its point, 0.9, is worse than the start s, 0.6", 7},
		{"data proves", verify.Judge{Proofs: []verify.Proof{{By: verify.ByData, Bound: 0.5}}}, mio.Solution{Status: mio.Feasible, Limit: mio.LimitTime, Objective: 0.5, Bound: 0.1}, mio.Optimal, 0.5, verify.ByData, "", 1},
		{"a step proves", verify.Judge{Lattice: lattice}, mio.Solution{Status: mio.Feasible, Limit: mio.LimitGap, Objective: 0.5, Bound: 0.41}, mio.Optimal, 0.5, verify.BySolver, "", 1},
		{"a step that is left", verify.Judge{Lattice: lattice}, mio.Solution{Status: mio.Feasible, Limit: mio.LimitTime, Objective: 0.5, Bound: 0.31}, mio.Feasible, 0.4, verify.BySolver, "", 1},
		{"a bound that is a value but for tolerance", verify.Judge{Lattice: lattice}, mio.Solution{Status: mio.Feasible, Limit: mio.LimitTime, Objective: 0.5, Bound: 0.4 + 9e-6}, mio.Feasible, 0.4 + 9e-6, verify.BySolver, "", 1},
		{"tolerances beyond a unit", verify.Judge{Proofs: []verify.Proof{{By: verify.ByData, Bound: 0.1}}, Precision: verify.Precision{Loose: "weights from 1 to 1e9"}}, mio.Solution{Status: mio.Optimal, Objective: 0.5, Bound: 0.5}, mio.Feasible, 0.1, verify.ByData, "no proof of a solver holds here: weights from 1 to 1e9", 1},
	} {
		sol := c.sol
		sol.Values = []float64{1}
		v := c.judge.Hold(&sol)
		if v.Status != c.status || v.Bound != c.bound || v.Prover != c.prover || sol.Note != c.note || sol.Values[0] != c.values {
			t.Errorf("%s: %v, bound %v by %q, note %q, point %v; want %v, %v by %q, %q, %v", c.name, v.Status, v.Bound, v.Prover, sol.Note, sol.Values, c.status, c.bound, c.prover, c.note, c.values)
		}
		if sol.Gap != mio.Gap(sol.Objective, sol.Bound) || v.Gap != mio.Gap(sol.Objective, v.Bound) {
			t.Errorf("%s: gaps %v, %v", c.name, sol.Gap, v.Gap)
		}
		if v.Status == mio.Optimal && v.Limit != mio.NoLimit {
			t.Errorf("%s: optimal with the limit %v", c.name, v.Limit)
		}
		if v.Prover == verify.ByData && sol.Bound == v.Bound {
			t.Errorf("%s: the solver is credited with the bound of the data", c.name)
		}
	}
	infeasible := mio.Solution{Status: mio.Infeasible}
	if v := (&verify.Judge{Witnesses: witness}).Hold(&infeasible); v.Admits != "the start s" {
		t.Errorf("admits %q", v.Admits)
	}
}

// TestCross: neither side has a tree below the other's bound.
func TestCross(t *testing.T) {
	inf := math.Inf(1)
	proved := verify.Searched{Objective: 0.5, Bound: 0.5, Proved: true}
	for _, c := range []struct {
		name      string
		sol       mio.Solution
		objective float64
		agrees    bool
	}{
		{"the same optimum", mio.Solution{Status: mio.Optimal, Claimed: true, Objective: 0.5, Bound: 0.5}, 0.5, true},
		{"a worse tree at a limit", mio.Solution{Status: mio.Feasible, Objective: 1, Bound: 0.2}, 1, true},
		{"a claimed optimum", mio.Solution{Status: mio.Feasible, Claimed: true, Objective: 1, Bound: 0}, 1, false},
		{"a bound", mio.Solution{Status: mio.Feasible, Objective: 1, Bound: 0.8}, 1, false},
		{"a tree that cannot be", mio.Solution{Status: mio.Feasible, Objective: 0.4, Bound: -inf}, 0.4, false},
	} {
		if problem := new(verify.Precision).Cross("x", &c.sol, c.objective, proved); (problem == "") != c.agrees {
			t.Errorf("%s: %q", c.name, problem)
		}
	}
}
