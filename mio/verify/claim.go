package verify

import (
	"fmt"
	"math"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// Witness is a tree that the model admits: neither an optimum nor a bound can lie
// above its objective.
type Witness struct {
	Name      string // such as "the start cart"
	Objective float64
	Values    []float64 // nil where no more than the objective is known
}

// Prover says who proved a bound.
type Prover string

const (
	Nobody   Prover = ""
	BySolver Prover = "solver"
	BySearch Prover = "search"
	ByData   Prover = "data" // what rows of equal features, or too close ones, and different classes force on every tree
	// Prices of constraints on rates, and what trees they leave: see package prices.
	ByLagrangian Prover = "lagrangian"

	// Of models of parts of the problem: see packages parts and ranges.
	ByRows       Prover = "rows"       // the optimum of some rows
	ByChunks     Prover = "chunks"     // the optima of disjoint blocks of rows, added up
	ByClauses    Prover = "clauses"    // clauses on the sides of rows, at depth 2
	ByCells      Prover = "cells"      // cells of directions of a hyperplane
	BySubsystems Prover = "subsystems" // sets of rows that no hyperplane separates
	ByRanges     Prover = "ranges"     // the least of the optima of trees whose root splits in a range, for all ranges
)

// Proof is a lower bound on the objective that was proved otherwise than by solving the whole model.
type Proof struct {
	By    Prover
	Bound float64
}

// Judge holds what is known of a model, a minimisation, beside what a solver says
// of it.
type Judge struct {
	Witnesses []Witness
	Proofs    []Proof
	Lattice   *Lattice // of the objective; nil for none

	Precision Precision // of the model

	// Worse reports whether the tree of a point is worse than that of a witness; nil
	// for by objective.
	Worse func(values, witness []float64) bool
}

// Verdict is what is known once everything is taken together.
type Verdict struct {
	Status    mio.Status // Optimal where the bound is the objective, whoever proved it
	Limit     mio.Limit  // what ended the solve, where that is not a proof
	Objective float64    // NaN without a solution
	Bound     float64    // the best one; -Inf for none
	Gap       float64
	Prover    Prover // of Bound; of equal bounds the solver's
	Admits    string // the witness that satisfies a model which the solver calls infeasible
	Loosened  bool   // a claim of the solver was taken back for [Precision].Loose, which Note says
}

// Hold holds a solver's solution against what is known, and changes it to what is
// believed of the solver: an optimum with an open gap is only claimed, a claim above a
// witness is dropped and a better
// witness takes the place of the point, a bound is raised to the next value of the
// lattice, which may prove the point. Note says what was refuted. Claimed is kept
// where nothing refutes it. The verdict takes the other proofs in.
func (j *Judge) Hold(sol *mio.Solution) Verdict {
	j.weigh(sol)
	if best := j.best(); best != nil {
		if sol.Status == mio.Infeasible {
			return Verdict{Status: sol.Status, Objective: math.NaN(), Bound: math.Inf(1), Gap: math.Inf(1), Admits: best.Name}
		}
		j.refute(sol, best)
	}
	loosened := j.loosen(sol)
	j.raise(sol)
	sol.Gap = mio.Gap(sol.Objective, sol.Bound)
	v := j.verdict(sol)
	v.Loosened = loosened
	return v
}

// loosen takes back what solvers' tolerances are too loose for, and reports whether that was
// anything.
func (j *Judge) loosen(sol *mio.Solution) bool {
	if j.Precision.Loose == "" || sol.Status != mio.Optimal && math.IsInf(sol.Bound, -1) {
		return false
	}
	if sol.Status == mio.Optimal {
		sol.Status = mio.Feasible
	}
	sol.Bound, sol.Claimed = math.Inf(-1), false
	sol.Note = joinNotes(sol.Note, "no proof of a solver holds here: "+j.Precision.Loose)
	return true
}

// weigh holds an optimum against its own bound, as [Settle] does for solutions that
// come from it: without one it is its own bound, with one that leaves a gap feasible.
func (j *Judge) weigh(sol *mio.Solution) {
	switch {
	case sol.Status != mio.Optimal:
	case math.IsInf(sol.Bound, -1):
		sol.Bound = sol.Objective
	case j.Precision.Above(sol.Objective, sol.Bound):
		sol.Status, sol.Claimed, sol.Note = mio.Feasible, true, openGap(sol.Objective, sol.Bound)
	}
}

// openGap says that a bound does not bear out an optimum.
func openGap(objective, bound float64) string {
	return fmt.Sprintf("its claim that %s is optimal is not supported by its bound, %s", Short(objective), Short(bound))
}

// verdict takes the proofs of others in.
func (j *Judge) verdict(sol *mio.Solution) Verdict {
	v := Verdict{Status: sol.Status, Limit: sol.Limit, Objective: sol.Objective, Bound: sol.Bound}
	if !math.IsInf(v.Bound, 0) && !math.IsNaN(v.Bound) {
		v.Prover = BySolver
	}
	for _, p := range j.Proofs {
		if p.Bound > v.Bound {
			v.Bound, v.Prover = p.Bound, p.By
		}
	}
	if v.Status == mio.Feasible && sol.Values != nil && j.proves(v.Bound, v.Objective) {
		v.Status, v.Limit, v.Bound = mio.Optimal, mio.NoLimit, closed(v.Bound, v.Objective)
	}
	v.Gap = mio.Gap(v.Objective, v.Bound)
	return v
}

// best is the witness of the least objective, the first of equal ones.
func (j *Judge) best() *Witness {
	var best *Witness
	for i := range j.Witnesses {
		if w := &j.Witnesses[i]; best == nil || w.Objective < best.Objective {
			best = w
		}
	}
	return best
}

// refute drops an optimum or a bound above the witness; a point whose tree is worse
// gives way.
func (j *Judge) refute(sol *mio.Solution, w *Witness) {
	switch {
	case (sol.Status == mio.Optimal || sol.Claimed) && j.Precision.Above(sol.Objective, w.Objective):
		sol.Note = fmt.Sprintf("its claim that %s is optimal is refuted by %s, %s", Short(sol.Objective), w.Name, Short(w.Objective))
		sol.Status, sol.Bound, sol.Claimed = mio.Feasible, math.Inf(-1), false
	case j.Precision.Above(sol.Bound, w.Objective) && j.Precision.Above(sol.Objective, w.Objective): // else the check says that its own tree refutes it
		sol.Note = fmt.Sprintf("its bound %s is refuted by %s, %s", Short(sol.Bound), w.Name, Short(w.Objective))
		sol.Bound = math.Inf(-1)
	}
	if sol.Values == nil || w.Values == nil || !(sol.Objective > w.Objective) || j.Worse != nil && !j.Worse(sol.Values, w.Values) {
		return
	}
	if sol.Note == "" && j.Precision.Above(sol.Objective, w.Objective) {
		sol.Note = fmt.Sprintf("its point, %s, is worse than %s, %s", Short(sol.Objective), w.Name, Short(w.Objective))
	}
	sol.Values, sol.Objective = w.Values, w.Objective
}

// raise gives the solution the next value of the lattice for its bound, and the
// status that the bound then proves, whatever ended the solve.
func (j *Judge) raise(sol *mio.Solution) {
	if sol.Status != mio.Optimal {
		if up := j.Lattice.RoundUp(sol.Bound); up > sol.Bound {
			sol.Bound = up
		}
	}
	if sol.Values != nil && sol.Status == mio.Feasible && j.proves(sol.Bound, sol.Objective) {
		sol.Status, sol.Limit, sol.Bound = mio.Optimal, mio.NoLimit, closed(sol.Bound, sol.Objective)
	}
}

// proves reports whether a bound proves an objective. A bound above its own point is
// for the check of the tree to report.
func (j *Judge) proves(bound, objective float64) bool {
	return j.Precision.Near(bound, objective) || bound <= objective && objective <= bound+j.slack()
}

// closed is a bound that proves the objective, made one number with it where rounding
// alone keeps them apart.
func closed(bound, objective float64) float64 {
	if bound > objective || math.Abs(bound-objective) <= Rounding*math.Max(1, math.Abs(objective)) {
		return objective
	}
	return bound
}

// slack is by how much an incumbent may lie above a value of the lattice that is
// its own.
func (j *Judge) slack() float64 {
	if j.Lattice == nil || j.Lattice.Step() == 0 {
		return 0
	}
	return j.Lattice.Slack
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// Short formats an objective for a message.
func Short(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Lattice is the set of values that an objective can have: with whole weights the
// errors e are whole units, so that every tree has
//
//	e / Errors + Price c     for whole e >= 0 and c = 0, 1, ..., Most
//
// Constraints make the set smaller, never larger; weights without a unit, or costs
// that are real numbers, have no lattice: a nil *Lattice, whose methods answer that
// nothing is known.
type Lattice struct {
	Errors float64 // units per 1 of the objective: Lhat; 1 where the objective counts
	Price  float64 // of the complexity: alpha, >= 0
	Most   int     // greatest complexity
	Slack  float64 // what a solver's tolerances may have added to a bound: see BoundSlack
}

// latticeNoise is the difference, in units or of a smaller value in that, below which two
// values are one that was computed in two ways.
const latticeNoise = 1e-7

// Step returns the least positive difference of two values of the lattice; 0 where
// there is none, or where the tolerances of solvers do not tell it from nothing.
func (l *Lattice) Step() float64 {
	if l == nil {
		return 0
	}
	step := 1.0 // in units
	if l.Price > 0 {
		for c := 1; c <= l.Most; c++ {
			v := float64(c) * l.Price * l.Errors
			if d := math.Abs(v - math.Round(v)); d > latticeNoise*math.Min(1, v) {
				step = math.Min(step, d)
			}
		}
	}
	if step /= l.Errors; step <= 4*l.Slack {
		return 0
	}
	return step
}

// AbsGap is the gap between incumbent and bound at which a solver may end with a
// proof: a step, less what its tolerances may have added to the bound; 0 for none.
func (l *Lattice) AbsGap() float64 {
	step := l.Step()
	if step == 0 {
		return 0
	}
	return step - 2*l.Slack
}

// RoundUp returns the least value of the lattice that is not below bound, the
// tolerances of solvers taken off: a bound on the objective where bound is one.
func (l *Lattice) RoundUp(bound float64) float64 {
	if l == nil || math.IsInf(bound, 0) || math.IsNaN(bound) || l.Slack*l.Errors > 0.25 {
		return bound
	}
	least := math.Inf(1)
	for c := 0; c <= l.Most; c++ {
		paid := l.Price * float64(c)
		units := math.Ceil((bound-l.Slack-paid)*l.Errors - latticeNoise)
		least = math.Min(least, paid+math.Max(0, units)/l.Errors)
		if l.Price == 0 {
			break
		}
	}
	return math.Max(least, bound-l.Slack)
}
