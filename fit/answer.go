package fit

import (
	"cmp"
	"fmt"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// answer is what an engine or an algorithm comes to: a tree with its certificate,
// before it is scored.
type answer struct {
	engine    problem.Engine
	tree      *tree.Tree               // nil for none
	objective func(*tree.Tree) float64 // in the unit of reports; nil for none
	verdict   verify.Verdict           // in the unit of reports
	claim     *mio.Solution            // what is believed of the solver; nil without one
	precision verify.Precision         // of the objective, to the solver
	Result                             // the parts of it that engines fill in
	failed    error                    // of the solver, where there is a tree nevertheless
	of        problem.Method           // what was solved; nil for the method with its engine's depth
	held      *heldOn                  // where the constraints are not held on all training rows
}

// describeModel is the result's formulation.
func describeModel(p *problem.Model) *Formulation {
	m := p.Model()
	coef := m.CoefRange()
	return &Formulation{
		Form: p.Form, Encoding: p.Encoding, Margin: p.Spec.Margin, Tightenings: p.Tightenings,
		Columns: m.NumCols(), Rows: m.NumRows(), Nonzeros: m.NumNonzeros(), Binaries: m.NumDiscrete(),
		CoefMin: coef.Min, CoefMax: coef.Max, BuildSeconds: p.Built.Seconds(),
	}
}

// describeSolution is the result's solver.
func describeSolution(p *problem.Model, s *mio.Solution) *Solver {
	return &Solver{
		Name: s.Solver, Status: s.Status.String(), Limit: s.Limit.String(), Raw: s.Raw, Note: s.Note,
		Objective: Known(p.InUnits(s.Objective)), Bound: Known(p.InUnits(s.Bound)), Gap: Known(s.Gap),
		Nodes: s.Nodes, Seconds: s.Runtime.Seconds(),
	}
}

// describeSearch is the result's exact search.
func describeSearch(f *problem.Found) *SearchPart {
	return &SearchPart{Status: f.Status.String(), Limit: f.Limit.String(), Bound: Known(f.Bound), Seconds: f.Seconds}
}

// describeStart adds the start to the result's solver.
func (s *Solver) describeStart(p *problem.Model, from *point) {
	if from != nil && from.better {
		from = from.than
	}
	if from != nil {
		s.Start, s.StartObjective, s.StartSeconds = from.name, Known(p.InUnits(from.objective)), &from.seconds
	}
}

// inUnits is a verdict on a model in the unit of reports.
func inUnits(p *problem.Model, v verify.Verdict) verify.Verdict {
	v.Objective, v.Bound = p.InUnits(v.Objective), p.InUnits(v.Bound)
	return v
}

// decoded completes an answer with the tree of what the solver found, and checks
// both; the tree is held against the limits of shape. by names the solver. Of a model
// that a file has a solution of, rounding is what the digits of the file may add to a
// violation.
func (j *job) decoded(a *answer, p *problem.Model, shape problem.Shape, by string, rounding float64) (*answer, error) {
	sol := a.claim
	a.objective = p.Value
	switch {
	case sol.Status == mio.Infeasible:
		if a.verdict.Admits != "" {
			return a, fmt.Errorf("%w: %s says that the model is infeasible, but %s satisfies it", ErrCheck, by, a.verdict.Admits)
		}
		proof := by + " proved the model infeasible"
		if p.Within != "" {
			proof += " " + p.Within
		}
		if j.constrained.on != nil {
			proof += ": no tree within the limits holds " + j.named()
			a.verdict.Prover = verify.BySolver
		}
		return a, fmt.Errorf("%w: %s", ErrInfeasible, proof)
	case sol.Values == nil && sol.Limit != mio.NoLimit:
		return a, fmt.Errorf("%w: %s stopped on its limit (%s)", ErrNoTree, by, sol.Limit)
	case sol.Values == nil:
		return a, fmt.Errorf("%s: %s (%s)", by, sol.Status, sol.Raw)
	}
	a.Check = soundCheck()
	if p.Precision.Loose == "" { // else a point counts for its tree
		found := verify.CheckPoint(p.Model(), sol.Values, sol.Objective, rounding)
		a.Check = &Check{Feasible: &found.Feasible, MaxViolation: Known(found.Max().Amount), ObjectiveMatches: &found.Matches, Problem: found.Problem(sol.Solver)}
	}
	t, err := p.Decode(sol.Values)
	if err != nil {
		a.Check.Problem = err.Error()
		return a, fmt.Errorf("%w: %w", ErrCheck, err)
	}
	if p.Scope != nil {
		a.Formulation.Scope = p.Scope(t)
	}
	a.tree = t
	if s := a.Solver; s.StartObjective != nil {
		gain := *s.StartObjective - p.Value(t)
		if math.Abs(gain) < verify.Rounding*max(1, math.Abs(*s.StartObjective)) {
			gain = 0 // what is left of rounding
		}
		s.StartGain = &gain
	}
	if p.Complexity != nil {
		j.checkLimits(a, limits(shape, p.Complexity))
	}
	j.checkConstraints(a)
	a.Check.fail(&a.Check.ObjectiveMatches, p.Precision.TreeObjective(p.Objective(t), sol))
	if claim := p.Precision.Disproved(p.Objective(t), sol); claim != "" && a.Check.Problem == "" {
		a.disproved(claim, p.Objective(t))
	}
	if a.Check.Problem == "" {
		a.worth(p, t)
	}
	return a, nil
}

// disproved takes back a claim of the solver that its own tree, of this objective,
// disproves.
func (a *answer) disproved(claim string, objective float64) {
	a.Check.Disproved = claim
	a.Check.fail(&a.Check.ObjectiveMatches, fmt.Sprintf("the solver claims %s, but the decoded tree has %v", claim, objective))
	s := a.Solver
	if s.Status == mio.Optimal.String() {
		s.Status = mio.Feasible.String()
	}
	s.Bound, s.Gap, s.Note = nil, nil, "its claim "+claim+" is refuted by its own tree"
}

// checkLimits holds the tree of an answer against depth, most splits and least leaf
// weight.
func (j *job) checkLimits(a *answer, l verify.Limits) {
	for _, problem := range l.Broken(a.tree, j.data.Dataset) {
		a.Check.fail(&a.Check.Feasible, problem)
	}
}

// fail notes a problem, "" for none: the first one is reported.
func (c *Check) fail(what **bool, problem string) {
	if problem == "" {
		return
	}
	no := false
	*what = &no
	if c.Problem == "" {
		c.Problem = problem
	}
}

// unproved is the verdict on a tree whose value is all that is known.
func unproved(objective float64, why mio.Limit) verify.Verdict {
	return verify.Verdict{Status: mio.Feasible, Limit: why, Objective: objective, Bound: math.Inf(-1), Gap: math.Inf(1)}
}

// proved is the verdict on a tree that is optimal.
func proved(objective float64, by verify.Prover) verify.Verdict {
	return verify.Verdict{Status: mio.Optimal, Objective: objective, Bound: objective, Prover: by}
}

// alone is the answer of a tree that stands for itself, where no solver or search
// answered, and why none did.
func alone(e problem.Engine, t *tree.Tree, objective func(*tree.Tree) float64, v verify.Verdict, why string) *answer {
	return &answer{engine: e, tree: t, objective: objective, verdict: v, Result: Result{
		Solver: describeVerdict("none", v, why), Check: soundCheck(),
	}}
}

// describeVerdict is the result's solver of a verdict that it came to by itself.
func describeVerdict(name string, v verify.Verdict, raw string) *Solver {
	return &Solver{
		Name: name, Status: v.Status.String(), Limit: v.Limit.String(), Raw: raw,
		Objective: Known(v.Objective), Bound: Known(v.Bound), Gap: Known(v.Gap),
	}
}

// soundCheck is the check of an answer that stands for itself.
func soundCheck() *Check {
	feasible, matches := true, true
	return &Check{Feasible: &feasible, ObjectiveMatches: &matches}
}

// leafAnswer answers data for which the single leaf is optimal whatever the options:
// one class, or no feature that varies. objective is nil for methods whose objective no
// leaf has.
func (j *job) leafAnswer(why error, engine problem.Engine, objective func(*tree.Tree) float64) *answer {
	leaf, v := majorityLeaf(j.data.Dataset), proved(math.NaN(), verify.ByData)
	v.Bound, v.Gap = math.Inf(-1), math.Inf(1)
	if objective != nil {
		v = proved(objective(leaf), verify.ByData)
	}
	return alone(engine, leaf, objective, v, why.Error())
}

// valueOf is the objective of a method's trees; nil for one whose objective is not
// that of trees of free shape.
func (j *job) valueOf(m problem.Method) func(*tree.Tree) float64 {
	return problem.ValueOf(m, j.data)
}

// worth makes the objective of the verdict that of the tree, counted on the rows: what
// a solver's arithmetic lost is no part of it.
func (a *answer) worth(p *problem.Model, t *tree.Tree) {
	v, value := &a.verdict, p.Value(t)
	unit := p.Precision
	if p.Unit != 0 {
		unit.Unit *= p.Unit
	}
	bound := v.Bound
	switch one := v.Bound == v.Objective; {
	case v.Bound > value, verify.Same(v.Bound, value), one && unit.Near(v.Bound, value):
		v.Bound = value // above it by tolerance, or the check says so
	case v.Status == mio.Optimal && !unit.Near(v.Bound, value):
		v.Status = mio.Feasible
	}
	switch {
	case bySolvers(v.Prover) && tolerant(p):
		if agree(v, bound, value); v.Status == mio.Feasible && v.Limit == mio.NoLimit {
			a.Unproved = "the solver's bound agrees with the tree's value within its tolerances only; --engine search proves it"
		}
	case v.Status == mio.Feasible && !bySolvers(v.Prover) && v.Prover != verify.Nobody && v.Bound <= value && verify.Negligible(value-v.Bound, math.Abs(value)):
		v.Status, v.Limit, v.Bound = mio.Optimal, mio.NoLimit, value
	}
	v.Objective = value
	v.Gap = mio.Gap(v.Objective, v.Bound)
}

// bySolvers reports whether a bound rests on the tolerances of a solver.
func bySolvers(by verify.Prover) bool { return by == verify.BySolver || by == verify.ByRanges }

// tolerant reports whether trees of a model may differ by less than a solver tells apart.
func tolerant(m *problem.Model) bool { return m.Precision.Unit > 0 && m.Lattice.Step() == 0 }

// agree holds the verdict of a solver against the value of the tree: an optimum needs a
// bound that agrees with it, any other bound is lower by what tolerances may have added.
func agree(v *verify.Verdict, bound, value float64) {
	if v.Status == mio.Optimal && verify.Negligible(math.Abs(value-bound), value) {
		return
	}
	if v.Status == mio.Optimal {
		v.Status = mio.Feasible
	}
	v.Bound = max(0, min(bound, value)-verify.Agreement*max(1, value))
}

// searched is what the exact search has proved of the problem where it looked for a start,
// for the judge and for the result.
func (a *answer) searched(p problem.Problem, from *starts) []verify.Proof {
	if _, same := p.(problem.Searcher); !same || from == nil {
		return nil
	}
	f := from.search()
	if f == nil {
		return nil
	}
	a.Search = describeSearch(f)
	if f.Status == mio.Infeasible {
		return nil // no bound on a tree
	}
	return []verify.Proof{{By: cmp.Or(f.Prover, verify.BySearch), Bound: f.Bound}}
}

// checkConstraints holds the tree of an answer against the constraints.
func (j *job) checkConstraints(a *answer) {
	if j.constrained.on == nil {
		return
	}
	for _, problem := range j.constrained.on.Broken(a.tree) {
		a.Check.fail(&a.Check.Feasible, problem)
	}
}
