package fit

import (
	"context"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// A solver that is loose for a model (verify.Precision) can call points feasible whose
// trees break the problem's limits, and models infeasible that have trees. So there a
// point counts for its tree, and a start or the single leaf stands in for one that has
// none.

// treeOnly makes of a loose solver's answer what its tree is worth: a point without a
// tree within the limits of shape gives way to that of the start, nil for none.
func (j *job) treeOnly(p *problem.Model, shape problem.Shape, sol *mio.Solution, from *point) {
	if p.Precision.Loose == "" {
		return
	}
	if sol.Status == mio.Infeasible {
		sol.Status, sol.Note = mio.NoSolution, "its claim that the model is infeasible is not believed"
		sol.Bound = math.Inf(-1)
	}
	if sol.Values != nil && !j.keepsLimits(p, shape, sol.Values) {
		sol.Status, sol.Values, sol.Objective, sol.Claimed = mio.NoSolution, nil, math.NaN(), false
		sol.Note = "the tree of its point is not within the limits"
	}
	if sol.Values == nil && from != nil && j.keepsLimits(p, shape, from.values) {
		sol.Status, sol.Values, sol.Objective = mio.Feasible, from.values, from.objective
	}
}

// keepsLimits reports whether a point has a tree within the limits of shape.
func (j *job) keepsLimits(p *problem.Model, shape problem.Shape, values []float64) bool {
	t, err := p.Decode(values)
	if err != nil {
		return false
	}
	if p.Complexity == nil {
		return true
	}
	l := limits(shape, p.Complexity)
	return l.Broken(t, j.data.Dataset) == nil && j.constrained.holds(t)
}

// bestStart answers where no solver can tell trees apart: with the best of the starts, nil
// for those not grown yet, and what is proved of it without one.
func (j *job) bestStart(ctx context.Context, p problem.Problem, m *problem.Model, from *starts) (*answer, error) {
	if from == nil {
		var err error
		if from, err = j.growStarts(ctx, p); err != nil {
			return nil, err
		}
	}
	best := &problem.Grown{Name: "the single leaf", Tree: majorityLeaf(j.data.Dataset)}
	if leaf := j.bestLeaf(); leaf != nil {
		best.Tree = leaf
	}
	for _, g := range from.trees {
		_, err := m.Start(ctx, g.Tree)
		l := limits(p.Trees(), m.Complexity)
		if err == nil && l.Broken(g.Tree, j.data.Dataset) == nil && (!j.constrained.holds(best.Tree) || m.Objective(g.Tree) < m.Objective(best.Tree)) {
			best = g
		}
	}
	a := alone(problem.Heuristic, best.Tree, m.Value, unproved(m.Value(best.Tree), mio.LimitOf(ctx)), "no solver was asked: "+m.Precision.Loose)
	for _, proof := range append(a.searched(p, from), verify.Proof{By: verify.ByData, Bound: m.Bound}) {
		a.verdict = boundedBy(a.verdict, proof.By, proof.Bound)
	}
	a.Formulation, a.Unproved = describeModel(m), m.Precision.Loose
	a.Solver.Start, a.Solver.StartSeconds, a.Solver.StartObjective = best.Name, &from.seconds, Known(a.verdict.Objective)
	if !j.constrained.holds(best.Tree) {
		return j.withoutTree(a)
	}
	return a, nil
}
