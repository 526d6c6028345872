package fit

import (
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// witness is the start as something that is known of the model.
func (s *start) witness() *verify.Witness {
	if s == nil {
		return nil
	}
	return &verify.Witness{Name: "the start " + s.name, Objective: s.objective, Values: s.point}
}

// judge holds the solver's claims against the start, nil for none, the single leaf,
// the bound that the data give for nothing, and the values that the objective can
// have.
func (r *run) judge(ctx context.Context, p *problem, sol *mio.Solution, start *verify.Witness) {
	j := verify.Judge{Bound: p.bound, Lattice: p.lattice, Imprecise: p.imprecise, Worse: p.decodesWorse}
	if start != nil {
		j.Witnesses = append(j.Witnesses, *start)
	}
	if leaf := r.leafWitness(ctx, p, sol); leaf != nil {
		j.Witnesses = append(j.Witnesses, *leaf)
	}
	r.admits = j.Hold(sol).Admits
}

// decodesWorse reports whether the tree of point a is worse than that of b. A
// point without a tree is for the check to report.
func (p *problem) decodesWorse(a, b []float64) bool {
	t, err := p.Decode(a)
	if err != nil {
		return false
	}
	u, err := p.Decode(b)
	return err == nil && p.Objective(u) < p.Objective(t)
}

// leafWitness is the single leaf, where the model admits it and it contradicts or
// betters what the solver says; else nil.
func (r *run) leafWitness(ctx context.Context, p *problem, sol *mio.Solution) *verify.Witness {
	if p.form != "oct" && p.form != "oct-h" {
		return nil
	}
	leaf := majorityLeaf(r.ds)
	objective := p.Objective(leaf)
	if sol.Status != mio.Infeasible && !verify.Above(sol.Objective, objective) && !verify.Above(sol.Bound, objective) {
		return nil
	}
	x, err := p.Start(ctx, leaf)
	if err != nil {
		return nil
	}
	if point := verify.CheckPoint(p.Model(), x, math.NaN(), 0); !point.Feasible {
		return nil
	}
	return &verify.Witness{Name: "the single leaf", Objective: objective, Values: x}
}

// majorityLeaf is the single leaf of the class that weighs most.
func majorityLeaf(ds *dataset.Dataset) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	t.Annotate(ds)
	root := &t.Nodes[0]
	root.Class = slices.Index(root.Weight, slices.Max(root.Weight))
	return t
}

// fileWitness is the start that was written beside a model, nil for none.
func (r *run) fileWitness(ctx context.Context, p *problem, s *SidecarStart) *verify.Witness {
	if s == nil {
		return nil
	}
	w := &verify.Witness{Name: "the start " + s.Name, Objective: s.Objective}
	if s.Tree == nil || len(s.Tree.Features) != r.ds.P() || len(s.Tree.Classes) != r.ds.K() {
		return w
	}
	x, err := p.Start(ctx, s.Tree)
	if err != nil {
		return w
	}
	if point := verify.CheckPoint(p.Model(), x, math.NaN(), 0); point.Feasible {
		w.Values, w.Objective = x, point.Objective
	}
	return w
}
