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

// Judge holds what is known of a model, a minimisation, beside what a solver says
// of it.
type Judge struct {
	Witnesses []Witness
	Bound     float64  // on every objective, proved without the solver; -Inf for none
	Lattice   *Lattice // of the objective; nil for none

	// Imprecise says why solvers' tolerances are not small against a unit of weight
	// in this model, so that no claim of theirs is a proof; "" where they are.
	Imprecise string

	// Worse reports whether the tree of a point is worse than that of a witness; nil
	// for by objective.
	Worse func(values, witness []float64) bool
}

// Prover says who proved a bound.
type Prover string

const (
	Nobody    Prover = ""
	BySolver  Prover = "solver"
	ByData    Prover = "data"
	BySearch  Prover = "search"
	ByWitness Prover = "witness"
)

// Verdict is what became of a claim.
type Verdict struct {
	Prover Prover // of the solution's bound; Nobody where it has none
	Admits string // the witness that satisfies a model which the solver calls infeasible
}

// Hold holds a solver's settled solution against what is known, and changes it to
// what is believed: a claim above a witness is dropped and a better witness takes
// the place of the point, a bound is raised to the next value of the lattice, the
// judge's own bound taken where it is better. Note says what was refuted. Claimed is
// kept where nothing refutes it.
func (j *Judge) Hold(sol *mio.Solution) Verdict {
	v := Verdict{}
	if !math.IsInf(sol.Bound, 0) && !math.IsNaN(sol.Bound) {
		v.Prover = BySolver
	}
	if best := j.best(); best != nil {
		if sol.Status == mio.Infeasible {
			v.Admits = best.Name
			return v
		}
		j.refute(sol, best)
	}
	if j.Imprecise != "" && (sol.Status == mio.Optimal || !math.IsInf(sol.Bound, -1)) {
		if sol.Status == mio.Optimal {
			sol.Status = mio.Feasible
		}
		sol.Bound, sol.Claimed = math.Inf(-1), false
		sol.Note = joinNotes(sol.Note, "no proof of a solver holds here: "+j.Imprecise)
	}
	if math.IsInf(sol.Bound, -1) {
		v.Prover = Nobody
	}
	j.raise(sol, &v)
	sol.Gap = mio.Gap(sol.Objective, sol.Bound)
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
	case (sol.Status == mio.Optimal || sol.Claimed) && Above(sol.Objective, w.Objective):
		sol.Note = fmt.Sprintf("its claim that %s is optimal is refuted by %s, %s", Short(sol.Objective), w.Name, Short(w.Objective))
		sol.Status, sol.Bound, sol.Claimed = mio.Feasible, math.Inf(-1), false
	case Above(sol.Bound, w.Objective) && Above(sol.Objective, w.Objective): // else the check says that its own tree refutes it
		sol.Note = fmt.Sprintf("its bound %s is refuted by %s, %s", Short(sol.Bound), w.Name, Short(w.Objective))
		sol.Bound = math.Inf(-1)
	}
	if sol.Values == nil || w.Values == nil || !(sol.Objective > w.Objective) || j.Worse != nil && !j.Worse(sol.Values, w.Values) {
		return
	}
	if sol.Note == "" && Above(sol.Objective, w.Objective) {
		sol.Note = fmt.Sprintf("its point, %s, is worse than %s, %s", Short(sol.Objective), w.Name, Short(w.Objective))
	}
	sol.Values, sol.Objective = w.Values, w.Objective
}

// raise gives the solution the best bound that is known, and the status that the
// bound proves, whatever ended the solve.
func (j *Judge) raise(sol *mio.Solution, v *Verdict) {
	if sol.Status != mio.Optimal {
		if up := j.Lattice.RoundUp(sol.Bound); up > sol.Bound {
			sol.Bound = up
		}
	}
	if j.Bound > sol.Bound {
		sol.Bound, v.Prover = j.Bound, ByData
	}
	if sol.Values == nil || sol.Status != mio.Feasible || Above(sol.Bound, sol.Objective) {
		return // a bound above its own point is for the check of the tree to report
	}
	if Near(sol.Bound, sol.Objective) || sol.Objective <= sol.Bound+j.slack() {
		sol.Status, sol.Limit = mio.Optimal, mio.NoLimit
		if math.Abs(sol.Bound-sol.Objective) <= Rounding*math.Max(1, math.Abs(sol.Objective)) || sol.Bound > sol.Objective {
			sol.Bound = sol.Objective
		}
	}
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
