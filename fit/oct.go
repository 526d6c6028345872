package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// runOCT is method oct.
func runOCT(ctx context.Context, r *run) error {
	o := r.opts.OCT
	info, err := o.Inspect(context.WithoutCancel(ctx), r.ds)
	if err != nil {
		return r.refused(err)
	}
	solver, err := r.lookupSolver(ctx)
	switch {
	case err != nil && r.usual && o.Encoding != formulate.BigMPublished && !r.opts.CrossCheck: // the search is no check of itself
		return r.withoutSolver(ctx, err)
	case err != nil:
		return err
	}
	if done, err := r.startIsOptimal(ctx, info); done || err != nil {
		return err
	}
	for _, w := range info.Warnings {
		r.warn("%s", w)
	}
	r.warnLightRows()
	began := time.Now()
	f, err := o.Build(ctx, r.ds)
	if err != nil && ctx.Err() != nil && r.bestStart() {
		return nil
	}
	if err != nil {
		return r.buildError(ctx, err)
	}
	p := &problem{
		Formulation: f, form: "oct", encoding: string(f.Options().Encoding), tightenings: info.Tightenings,
		bound: f.Bound(), lattice: f.Lattice(), imprecise: f.Imprecise(), complexity: (*tree.Tree).Splits, built: time.Since(began),
	}
	return r.solveProblem(ctx, solver, p)
}

// startIsOptimal grows the starts before anything is built. Where one is no worse
// than the bound that the data gives for nothing, it is the answer.
func (r *run) startIsOptimal(ctx context.Context, info *formulate.Inspection) (bool, error) {
	if r.opts.StartTree != nil || r.opts.Start == "none" || info.Encoding == formulate.BigMPublished {
		return false, nil
	}
	trees, err := r.growStarts(ctx, "oct")
	if err != nil {
		return false, err
	}
	bound := info.UnavoidableWeight / info.Baseline
	for _, g := range trees {
		obj := r.objective(g.tree)
		if obj > bound+verify.Rounding || g.tree.Depth() > r.opts.OCT.Depth || !univariate(g.tree) {
			continue
		}
		r.res.Tree = g.tree
		r.provenWithoutSolver(obj, "the start makes only the errors that no tree can avoid, without paying for splits")
		r.res.Solver.Start, r.res.Solver.StartObjective, r.res.Solver.StartSeconds = g.name, &obj, &r.startSeconds
		return true, nil
	}
	return false, nil
}

// bestStart answers with the best of the starts that were grown before an
// interrupt ended the building of the model, if there is one.
func (r *run) bestStart() bool {
	best := math.Inf(1)
	for _, g := range r.starts {
		obj := r.objective(g.tree)
		if obj >= best || g.tree.Depth() > r.opts.OCT.Depth || !univariate(g.tree) {
			continue
		}
		best = obj
		zero := 0.0
		r.res.Tree = g.tree
		r.res.Solver = &Solver{
			Name: "none", Status: mio.Feasible.String(), Limit: mio.LimitInterrupt.String(), Raw: "interrupted while the model was built",
			Objective: &obj, Start: g.name, StartObjective: &obj, StartSeconds: &r.startSeconds, StartGain: &zero,
		}
	}
	return !math.IsInf(best, 1)
}

// univariate says whether every split of t is on one feature, as OCT's are;
// OC1's need not be.
func univariate(t *tree.Tree) bool {
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil && !s.IsUnivariate() {
			return false
		}
	}
	return true
}

// warnLightRows says when the least leaf weight, meant as a row, is more than
// some rows weigh.
func (r *run) warnLightRows() {
	least := slices.Min(r.ds.Weight)
	if m := r.opts.OCT.MinLeaf; !tree.EnoughWeight(least, m) && m <= 1 {
		r.warn("rows weigh as little as %.4g, less than the least leaf weight %v: leaves of one such row are not allowed, and the model is larger for it; a least leaf weight of 0 allows them", least, m)
	}
}

// runOCTH is method oct-h.
func runOCTH(ctx context.Context, r *run) error {
	o := formulate.OCTHOptions{
		Depth: r.opts.OCT.Depth, Alpha: r.opts.OCT.Alpha, MinLeaf: r.opts.OCT.MinLeaf, MaxSplits: r.opts.OCT.MaxSplits,
		Mu: r.opts.Mu, Encoding: r.opts.OCT.Encoding,
	}
	solver, serr := r.lookupSolver(ctx)
	if serr == nil {
		o.LP = solvers.Func(solver, solvers.Options{Threads: r.opts.Solve.Threads})
	}
	began := time.Now()
	f, err := o.Build(ctx, r.ds)
	switch {
	case errors.Is(err, formulate.ErrSingleLeaf):
		return r.refused(err)
	case err != nil:
		return r.buildError(ctx, err)
	case serr != nil:
		return serr
	}
	r.objective = f.Objective
	return r.solveProblem(ctx, solver, &problem{
		Formulation: f, form: "oct-h", encoding: string(f.Options().Encoding),
		bound: f.Bound(), lattice: f.Lattice(), imprecise: f.Imprecise(), complexity: f.Complexity, built: time.Since(began),
	})
}

// refused answers for data or options that cannot be formulated: with the
// single leaf where that is optimal.
func (r *run) refused(err error) error {
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return r.singleLeaf(err)
	}
	return fmt.Errorf("%w: %w", ErrInput, err)
}

func (r *run) buildError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: interrupted while the model was built", ErrNoTree)
	}
	return fmt.Errorf("%w: %w", ErrInput, err)
}

// singleLeaf answers data for which the single leaf is optimal whatever the
// options: one class, or no feature that varies.
func (r *run) singleLeaf(why error) error {
	t := majorityLeaf(r.ds)
	r.res.Tree = t
	r.provenWithoutSolver(t.Objective(r.ds, r.opts.OCT.Alpha), why.Error())
	if r.objective == nil {
		r.res.Solver.Objective, r.res.Solver.Bound, r.res.Solver.Gap = nil, nil, nil
	}
	return nil
}

// provenWithoutSolver reports a tree that is optimal for a reason that needs no
// solver.
func (r *run) provenWithoutSolver(obj float64, why string) {
	zero, yes := 0.0, true
	r.res.Solver = &Solver{Name: "none", Status: mio.Optimal.String(), Raw: why, Objective: &obj, Bound: &obj, Gap: &zero}
	r.res.Check = &Check{Feasible: &yes, ObjectiveMatches: &yes}
}
