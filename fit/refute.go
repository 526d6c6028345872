package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// witness is a tree that the model admits: neither an optimum nor a bound can lie
// above its objective.
type witness struct {
	name      string // such as "the start cart"
	objective float64
	point     []float64 // nil where no more than the objective is known
}

func (s *start) witness() *witness {
	if s == nil {
		return nil
	}
	return &witness{"the start " + s.name, s.objective, s.point}
}

// refute holds the solver's claims against the start, nil for none, and against
// the single leaf. An optimum or a bound above either is dropped; a point whose
// tree is worse gives way; sol.Note says so.
func (r *run) refute(ctx context.Context, p *problem, sol *mio.Solution, start *witness) {
	best := start
	if leaf := r.leafWitness(ctx, p, sol); leaf != nil && (best == nil || leaf.objective < best.objective) {
		best = leaf
	}
	if best == nil {
		return
	}
	switch {
	case sol.Status == mio.Infeasible:
		r.admits = best.name
		return
	case sol.Status == mio.Optimal && above(sol.Objective, best.objective):
		sol.Note = fmt.Sprintf("its claim that %s is optimal is refuted by %s, %s", short6(sol.Objective), best.name, short6(best.objective))
		sol.Status, sol.Bound = mio.Feasible, math.Inf(-1)
	case above(sol.Bound, best.objective) && above(sol.Objective, best.objective): // else the check says that its own tree refutes it
		sol.Note = fmt.Sprintf("its bound %s is refuted by %s, %s", short6(sol.Bound), best.name, short6(best.objective))
		sol.Bound = math.Inf(-1)
	}
	if sol.Values != nil && best.point != nil && sol.Objective > best.objective && p.decodesWorse(sol.Values, best.point) {
		if sol.Note == "" && above(sol.Objective, best.objective) {
			sol.Note = fmt.Sprintf("its point, %s, is worse than %s, %s", short6(sol.Objective), best.name, short6(best.objective))
		}
		sol.Values, sol.Objective = best.point, best.objective
	}
	sol.Gap = mio.Gap(sol.Objective, sol.Bound)
}

// above reports whether a is larger than b by more than the tolerance of solvers.
func above(a, b float64) bool { return a > b && !near(a, b) }

// short6 formats an objective for a message.
func short6(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

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
func (r *run) leafWitness(ctx context.Context, p *problem, sol *mio.Solution) *witness {
	if p.form != "oct" && p.form != "oct-h" {
		return nil
	}
	leaf := majorityLeaf(r.ds)
	objective := p.Objective(leaf)
	if sol.Status != mio.Infeasible && !above(sol.Objective, objective) && !above(sol.Bound, objective) {
		return nil
	}
	x, err := p.Start(ctx, leaf)
	if err != nil || !mio.Check(p.Model(), x, tolerance).Feasible {
		return nil
	}
	return &witness{"the single leaf", objective, x}
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
func (r *run) fileWitness(ctx context.Context, p *problem, s *SidecarStart) *witness {
	if s == nil {
		return nil
	}
	w := &witness{name: "the start " + s.Name, objective: s.Objective}
	if s.Tree == nil || len(s.Tree.Features) != r.ds.P() || len(s.Tree.Classes) != r.ds.K() {
		return w
	}
	x, err := p.Start(ctx, s.Tree)
	if err != nil || !mio.Check(p.Model(), x, tolerance).Feasible {
		return w
	}
	w.point, w.objective = x, p.Model().Objective(x)
	return w
}
