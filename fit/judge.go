package fit

import (
	"context"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// judge holds what the solver says against the trees and bounds that are known without
// it, the single leaf, and the values that the objective can have.
func (j *job) judge(ctx context.Context, p *problem.Model, sol *mio.Solution, v verify.Judge) verify.Verdict {
	v.Proofs = append(v.Proofs, verify.Proof{By: verify.ByData, Bound: p.Bound})
	v.Lattice, v.Precision = p.Lattice, p.Precision
	v.Worse = func(a, b []float64) bool { return decodesWorse(p, a, b) }
	if leaf := j.leafWitness(ctx, p, sol); leaf != nil {
		v.Witnesses = append(v.Witnesses, *leaf)
	}
	return v.Hold(sol)
}

// knowing is a judge who knows of a start, nil for none.
func knowing(start *verify.Witness) (v verify.Judge) {
	if start != nil {
		v.Witnesses = []verify.Witness{*start}
	}
	return v
}

// decodesWorse reports whether the tree of point a is worse than that of b. A point
// without a tree is for the check to report.
func decodesWorse(p *problem.Model, a, b []float64) bool {
	t, err := p.Decode(a)
	if err != nil {
		return false
	}
	u, err := p.Decode(b)
	return err == nil && p.Objective(u) < p.Objective(t)
}

// leafWitness is the single leaf, where the model admits it and it contradicts or
// betters what the solver says; else nil.
func (j *job) leafWitness(ctx context.Context, p *problem.Model, sol *mio.Solution) *verify.Witness {
	if !p.LeafTree {
		return nil
	}
	leaf := majorityLeaf(j.data.Dataset)
	objective := p.Objective(leaf)
	if sol.Status != mio.Infeasible && !p.Precision.Above(sol.Objective, objective) && !p.Precision.Above(sol.Bound, objective) {
		return nil
	}
	return treeWitness(ctx, p, "the single leaf", leaf)
}

// treeWitness is a tree as something that is known of the model, nil where the model
// does not admit it.
func treeWitness(ctx context.Context, p *problem.Model, name string, t *tree.Tree) *verify.Witness {
	x, err := p.Formulation.Start(ctx, t)
	if err != nil {
		return nil
	}
	found := verify.CheckPoint(p.Model(), x, math.NaN(), 0)
	if !found.Feasible {
		return nil
	}
	return &verify.Witness{Name: name, Objective: found.Objective, Values: x}
}

// majorityLeaf is the single leaf of the class that weighs most, with costs that of the
// least.
func majorityLeaf(ds *dataset.Dataset) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	t.Relabel(ds)
	return t
}

// bestLeaf is the constant tree of least error weight, or cost, that holds the constraints,
// nil for none; where splits have to stay, the tree of these with the best of each leaf.
func (j *job) bestLeaf() *tree.Tree {
	if j.constrained.on == nil {
		return majorityLeaf(j.data.Dataset)
	}
	var best *tree.Tree
	if t := j.constrained.on.Fixed; t != nil {
		t = t.Collapse(j.data.Dataset)
		t.Relabel(j.data.Dataset)
		if m, ok := j.Method.(problem.Bounded); ok && t.Splits() > 0 && m.Admits(t, j.data) {
			return t
		}
	}
	least := math.Inf(1)
	for k := range j.data.K() {
		t := constantTree(j.data.Dataset, k)
		if v := t.Evaluate(j.data.Dataset).Excess; v < least && j.constrained.holds(t) {
			best, least = t, v
		}
	}
	return best
}
