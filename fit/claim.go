package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// name is who makes the claim, for messages.
func (c *claim) name() string {
	switch {
	case c.by != nil:
		return c.by.Name()
	case c.engine == problem.Heuristic:
		return "the heuristics"
	}
	return c.Solver
}

// ofFile reports whether the claim is that of a solution file.
func (c *claim) ofFile() bool { return c.by == nil && c.engine == problem.MIO }

// Claim notes what a solver says of a model: it is held against the trees and bounds that are
// known, its point is decoded, and the tree is checked. An error ends the fit without a result.
func (l *Ledger) Claim(ctx context.Context, c *claim) error {
	c.treeOnly(l.p)
	if !c.judged {
		c.verdict = c.judge(ctx, l)
	}
	switch {
	case c.engine != problem.Heuristic:
	case c.verdict.Status == mio.Optimal:
		c.Raw = "proved without a solver"
	default:
		c.Raw = l.heuristicOnly()
	}
	l.claim, l.limit, l.formulation, l.account = c, c.Limit, describeModel(c.model), describeSolution(c.model, c.Solution)
	l.unproved, l.err = l.whyUnproved(c), c.failed
	if c.verdict.Prover == verify.ByRanges { // each part of it is the solver's
		l.account.Status, l.account.Bound, l.account.Gap = c.verdict.Status.String(), Known(c.verdict.Bound), Known(c.verdict.Gap)
	}
	l.account.Told = c.engine == problem.Heuristic && c.verdict.Status != mio.Optimal || c.verdict.Loosened || l.unproved == c.Note
	if c.by != nil && c.Solver != "none" {
		l.account.Name, l.account.Version = c.by.Name(), c.by.Version()
	}
	l.account.describeStart(c.model, c.start)
	nothing := c.Values == nil && c.Status != mio.Infeasible
	switch {
	case nothing && l.p.Keep != nil && problem.Fallback(l.data.Dataset, l.p.Keep) == nil:
		if l.noTree, l.err, l.foundBy = true, nil, c.engine; l.starts.provesNone() {
			l.ruledOut(l.starts.bound, l.conflict(ctx))
		}
		return nil
	case nothing && !c.ofFile() && (c.Limit == mio.LimitTime || c.Limit == mio.LimitInterrupt || c.model.Precision.Loose != "" || c.worthless):
		l.best, l.check = nil, soundCheck() // the fallback stands in; what the solver proved of the bound stays
		return nil
	}
	l.foundBy, l.value = c.engine, c.model.Value
	if err := l.decode(ctx, c); err != nil {
		return err
	}
	if l.err == nil && l.starts.provesNone() {
		l.check.fail(&l.check.Feasible, "the search says that no tree satisfies the constraints, but this one does")
	}
	return nil
}

// judge holds the claim against the trees and bounds that are known without it: the start, what
// the ledger has, the data, the single leaf, and the values that the objective can have.
func (c *claim) judge(ctx context.Context, l *Ledger) verify.Verdict {
	m, v := c.model, c.known
	if c.start != nil {
		v.Witnesses = append(v.Witnesses, c.start.witness())
	}
	v.Proofs = append(append(v.Proofs, l.proofs...), verify.Proof{By: verify.ByData, Bound: m.Bound})
	v.Lattice, v.Precision = m.Lattice, m.Precision
	v.Worse = func(a, b []float64) bool { return decodesWorse(m, a, b) }
	if leaf := leafWitness(ctx, m, l.data, c.Solution); leaf != nil {
		v.Witnesses = append(v.Witnesses, *leaf)
	}
	return inUnits(m, v.Hold(c.Solution))
}

// inUnits is a verdict on a model in the unit of reports.
func inUnits(m *problem.Model, v verify.Verdict) verify.Verdict {
	v.Objective, v.Bound = m.InUnits(v.Objective), m.InUnits(v.Bound)
	return v
}

// decodesWorse reports whether the tree of point a is worse than that of b. A point
// without a tree is for the check to report.
func decodesWorse(m *problem.Model, a, b []float64) bool {
	t, err := m.Decode(a)
	if err != nil {
		return false
	}
	u, err := m.Decode(b)
	return err == nil && m.Objective(u) < m.Objective(t)
}

// leafWitness is the single leaf, if the model admits it and it contradicts or
// betters what the solver says; else nil.
func leafWitness(ctx context.Context, m *problem.Model, d *problem.Data, sol *mio.Solution) *verify.Witness {
	if !m.LeafTree {
		return nil
	}
	leaf := majorityLeaf(d.Dataset)
	objective := m.Objective(leaf)
	if sol.Status != mio.Infeasible && !m.Precision.Above(sol.Objective, objective) && !m.Precision.Above(sol.Bound, objective) {
		return nil
	}
	return treeWitness(ctx, m, "the single leaf", leaf)
}

// treeWitness is a tree as something that is known of the model, nil if the model does not
// admit it.
func treeWitness(ctx context.Context, m *problem.Model, name string, t *tree.Tree) *verify.Witness {
	x, err := m.Formulation.Start(ctx, t)
	if err != nil {
		return nil
	}
	found := verify.CheckPoint(m.Model(), x, math.NaN(), 0)
	if !found.Feasible {
		return nil
	}
	return &verify.Witness{Name: name, Objective: found.Objective, Values: x}
}

// treeOnly drops a point whose tree breaks the limits only because of a tolerance. A loose solver
// (verify.Precision) can call such points feasible, and models infeasible that have trees; any
// solver can make a leaf too light by its tolerance. The start takes the place of a dropped point.
func (c *claim) treeOnly(p *problem.Problem) {
	loose := c.model.Precision.Loose != ""
	if loose && c.Status == mio.Infeasible {
		c.Status, c.Note = mio.NoSolution, "its claim that the model is infeasible is not believed"
		c.Bound = math.Inf(-1)
	}
	c.worthless = c.Values != nil && (loose && !c.keeps(p, c.Values, 0) ||
		!loose && !c.ofFile() && !c.keeps(p, c.Values, 0) && c.keeps(p, c.Values, verify.Tolerated))
	if c.worthless {
		c.Status, c.Values, c.Objective, c.Claimed = mio.NoSolution, nil, math.NaN(), false
		c.Note = "the tree of its point is not within the limits"
	}
	if (loose || c.worthless) && c.Values == nil && c.start != nil && c.keeps(p, c.start.values, 0) {
		c.Status, c.Values, c.Objective = mio.Feasible, c.start.values, c.start.objective
	}
}

// keeps reports whether the tree of a point is within the limits, where a leaf may be lighter than
// the minimum by the fraction tolerance of it.
func (c *claim) keeps(p *problem.Problem, values []float64, tolerance float64) bool {
	t, err := c.model.Decode(values)
	l := p.Limits()
	l.MinLeaf -= tolerance * l.MinLeaf
	return err == nil && (!c.model.Bounded || l.Broken(t, p.Data.Dataset) == nil && p.Holds(t))
}

// decode puts the tree of what the solver found into the ledger, and checks both.
func (l *Ledger) decode(ctx context.Context, c *claim) error {
	m, by := c.model, c.name()
	switch {
	case c.Status == mio.Infeasible && c.verdict.Admits != "":
		l.noTree, l.err = true, fmt.Errorf("%w: %s says that the model is infeasible, but %s satisfies it", ErrCheck, by, c.verdict.Admits)
		return nil
	case c.Status == mio.Infeasible:
		proof := by + " proved the model infeasible"
		if m.Within != "" {
			proof += " " + m.Within
		}
		if l.p.Keep != nil {
			proof += ": " + l.unsatisfied(l.conflict(ctx))
		}
		l.none, l.err = &verify.Proof{By: verify.BySolver}, fmt.Errorf("%w: %s", ErrInfeasible, proof)
		return nil
	case c.Values == nil && c.Limit != mio.NoLimit:
		l.noTree, l.err = true, fmt.Errorf("%w: %s stopped on its limit (%s)", ErrNoTree, by, c.Limit)
		return nil
	case c.Values == nil:
		return fmt.Errorf("%s: %s (%s)", by, c.Status, c.Raw)
	}
	l.check = soundCheck()
	if m.Precision.Loose == "" { // else a point counts for its tree
		found := verify.CheckPoint(m.Model(), c.Values, c.Objective, c.rounding)
		l.check = &Check{Feasible: &found.Feasible, MaxViolation: Known(found.Max().Amount), ObjectiveMatches: &found.Matches, Problem: found.Problem(c.Solver)}
	}
	t, err := m.Decode(c.Values)
	if err != nil {
		l.check.Problem = err.Error()
		l.noTree, l.err = true, fmt.Errorf("%w: %w", ErrCheck, err)
		return nil
	}
	if m.Scope != nil {
		l.formulation.Scope = m.Scope(t)
	}
	value := m.Value(t)
	l.best = &offer{by, t, value, true}
	l.gained()
	if m.Bounded {
		l.checkLimits(t, l.p.Limits())
	}
	l.checkConstraints(t, l.p.Keep)
	l.check.fail(&l.check.ObjectiveMatches, m.Precision.TreeObjective(m.Objective(t), c.Solution))
	if what := m.Precision.Disproved(m.Objective(t), c.Solution); what != "" && l.check.Problem == "" {
		l.disproved(what, m.Objective(t))
	}
	if l.check.Problem != "" {
		return nil
	}
	unit := m.Precision
	if m.Unit != 0 {
		unit.Unit *= m.Unit
	}
	if tolerated := c.verdict.Worth(value, unit, tolerant(m)); tolerated {
		l.unproved, l.account.Told = "the solver's bound agrees with the tree's value within its tolerances only; --engine search proves it", false
	}
	return nil
}

// gained says by how much the best tree is better than the start.
func (l *Ledger) gained() {
	s := l.account
	if s.StartObjective == nil || l.best == nil || !l.best.final {
		return
	}
	gain := *s.StartObjective - l.best.value
	if math.Abs(gain) < verify.Rounding*max(1, math.Abs(*s.StartObjective)) {
		gain = 0 // what is left of rounding
	}
	s.StartGain = &gain
}

// disproved takes back a claim of the solver that its own tree, of this objective,
// disproves.
func (l *Ledger) disproved(what string, objective float64) {
	l.check.Disproved = what
	l.check.fail(&l.check.ObjectiveMatches, fmt.Sprintf("the solver claims %s, but the decoded tree has %v", what, objective))
	s := l.account
	if s.Status == mio.Optimal.String() {
		s.Status = mio.Feasible.String()
	}
	s.Bound, s.Gap, s.Note = nil, nil, "its claim "+what+" is refuted by its own tree"
}

// checkLimits holds a tree against depth, maximum splits and minimum leaf weight.
func (l *Ledger) checkLimits(t *tree.Tree, limits verify.Limits) {
	for _, problem := range limits.Broken(t, l.data.Dataset) {
		l.check.fail(&l.check.Feasible, problem)
	}
}

// checkConstraints holds a tree against constraints, nil for none.
func (l *Ledger) checkConstraints(t *tree.Tree, on *constraint.On) {
	if on == nil {
		return
	}
	for _, problem := range on.Broken(t) {
		l.check.fail(&l.check.Feasible, problem)
	}
}

// checkClaim holds the objective that a native method states against that of its tree.
func (l *Ledger) checkClaim(name string, t *tree.Tree, stated float64) {
	if own := l.value(t); !verify.Near(stated, own) {
		l.check.fail(&l.check.ObjectiveMatches, fmt.Sprintf("%s says that its tree has objective %v, but it has %v", name, stated, own))
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

// tolerant reports whether trees of a model may differ by less than a solver tells apart.
func tolerant(m *problem.Model) bool { return m.Precision.Unit > 0 && m.Lattice.Step() == 0 }

// whyUnproved is the reason why a model's solve that no limit ended proves nothing.
func (l *Ledger) whyUnproved(c *claim) string {
	switch {
	case c.ofFile():
		return ""
	case c.model.Precision.Loose != "":
		return c.model.Precision.Loose
	case c.engine == problem.Heuristic:
		return l.heuristicOnly()
	case c.failed != nil:
		return "the solver failed"
	}
	why := c.by.Name() + " ended without a proof"
	if c.Raw != "" {
		why += fmt.Sprintf(" (%s)", c.Raw)
	}
	return cmp.Or(c.Note, why)
}

// heuristicOnly are the words of an answer without a proof, and the way to one.
func (j *job) heuristicOnly() string {
	text := "heuristic only; "
	if j.Engine == problem.Auto {
		text = "no solver: " + text
	}
	if j.info.Solves(problem.Search) {
		return text + "`--engine search` proves it"
	}
	return text + "a solver proves it: `octgen solvers` lists them, --solver names one"
}

// describeStart adds the start to the account of a solver.
func (s *Solver) describeStart(p *problem.Model, from *point) {
	if from != nil && from.better {
		from = from.than
	}
	if from != nil {
		s.Start, s.StartObjective, s.StartSeconds = from.name, Known(p.InUnits(from.objective)), &from.seconds
	}
}
