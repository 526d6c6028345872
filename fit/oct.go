package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// runOCT is method oct.
func runOCT(ctx context.Context, r *run) error {
	o := r.opts.OCT
	info, err := o.Inspect(r.ds)
	if err != nil {
		return r.refused(err)
	}
	solver, err := r.lookupSolver()
	if err != nil {
		return err
	}
	for _, w := range info.Warnings {
		r.warn("%s", w)
	}
	began := time.Now()
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return r.buildError(ctx, err)
	}
	p := &problem{
		Formulation: f, form: "oct", encoding: string(f.Options().Encoding), tightenings: info.Tightenings,
		bound: f.Bound(), complexity: (*tree.Tree).Splits, built: time.Since(began),
	}
	if o.Encoding == formulate.BigMPublished {
		p.bound = math.Inf(-1) // its optimum can be below that of any tree
	}
	return r.solveProblem(ctx, solver, p)
}

// runOCTH is method oct-h.
func runOCTH(ctx context.Context, r *run) error {
	o := formulate.OCTHOptions{
		Depth: r.opts.OCT.Depth, Alpha: r.opts.OCT.Alpha, MinLeaf: r.opts.OCT.MinLeaf, MaxSplits: r.opts.OCT.MaxSplits,
		Mu: r.opts.Mu, Encoding: r.opts.OCT.Encoding,
	}
	solver, serr := r.lookupSolver()
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
		bound: f.Bound(), complexity: f.Complexity, built: time.Since(began),
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
	t := tree.NewLeaf(r.ds, 0)
	t.Annotate(r.ds)
	best := 0
	for k, w := range t.Nodes[0].Weight {
		if w > t.Nodes[0].Weight[best] {
			best = k
		}
	}
	t.Nodes[0].Class = best
	r.res.Tree = t
	obj := t.Objective(r.ds, r.opts.OCT.Alpha)
	zero, yes := 0.0, true
	r.res.Solver = &Solver{Name: "none", Status: mio.Optimal.String(), Raw: why.Error(), Objective: &obj, Bound: &obj, Gap: &zero}
	r.res.Check = &Check{Feasible: &yes, ObjectiveMatches: &yes}
	return nil
}
