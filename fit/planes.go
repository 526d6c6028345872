package fit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// built is a formulation of a linear split or a tree of fixed structure, and
// what the pipeline says of it.
type built struct {
	formulate.Formulation
	encoding formulate.Encoding
	scope    func(*tree.Tree) string // within what an optimum is one; "" for all trees
	start    *tree.Tree              // a tree to start from, nil for none
	bound    float64                 // on the objective, from the data alone
}

func anywhere(*tree.Tree) string { return "" }

// runPlanes returns the run function of a method that builds such a problem
// with the linear programs of the solver at hand.
func runPlanes(form string, build func(ctx context.Context, r *run, lp mio.SolveFunc) (*built, error)) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error {
		solver, err := r.lookupSolver()
		var lp mio.SolveFunc
		if err == nil {
			lp = solvers.Func(solver, solvers.Options{Threads: r.opts.Solve.Threads})
		}
		began := time.Now()
		f, berr := build(ctx, r, lp)
		switch {
		case errors.Is(berr, formulate.ErrSingleLeaf):
			return r.refused(berr)
		case err != nil: // a missing solver comes first: without it nothing can be solved
			return err
		case berr != nil:
			return r.buildError(ctx, berr)
		}
		r.objective = f.Objective
		if r.opts.StartTree == nil && r.opts.Start != "none" && f.start != nil {
			r.opts.StartTree, r.opts.StartName = f.start, "rlp"
		}
		return r.solveProblem(ctx, solver, &problem{
			Formulation: f, form: form, encoding: string(f.encoding), scope: f.scope, bound: f.bound, built: time.Since(began),
		})
	}
}

func buildRLP(perturbed bool) func(context.Context, *run, mio.SolveFunc) (*built, error) {
	return func(ctx context.Context, r *run, _ mio.SolveFunc) (*built, error) {
		o := r.opts.RLP
		o.Perturbed = perturbed
		f, err := o.Build(ctx, r.ds)
		if err != nil {
			return nil, err
		}
		return &built{Formulation: f, encoding: formulate.LinearProgram, scope: anywhere}, nil
	}
}

// buildFM starts from the split of least error, which a bound of more than that
// admits.
func buildFM(ctx context.Context, r *run, lp mio.SolveFunc) (*built, error) {
	o := r.opts.FM
	o.LP = lp
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return nil, err
	}
	b := &built{Formulation: f, encoding: f.Options().Encoding, scope: func(*tree.Tree) string { return f.Scope() }}
	if b.start, err = leastError(ctx, r, lp, formulate.RLPOptions{Perturbed: o.Perturbed, Eps: o.Eps}); err != nil {
		return nil, err
	}
	if _, err := f.Start(ctx, b.start); err != nil {
		b.start = nil
	}
	return b, nil
}

// leastError solves RLP or RLP-P for its tree.
func leastError(ctx context.Context, r *run, lp mio.SolveFunc, o formulate.RLPOptions) (*tree.Tree, error) {
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return nil, err
	}
	sol, err := lp(ctx, f.Model())
	if err != nil {
		return nil, err
	}
	if !sol.Status.HasSolution() {
		return nil, fmt.Errorf("the linear program of the least error ended %s", sol.Status)
	}
	return f.Decode(sol.Values)
}

func buildLFM(ctx context.Context, r *run, lp mio.SolveFunc) (*built, error) {
	o := r.opts.LFM
	o.LP = lp
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return nil, err
	}
	return &built{Formulation: f, encoding: f.Options().Encoding, scope: func(*tree.Tree) string { return f.Scope() }}, nil
}

func buildGTO(ctx context.Context, r *run, _ mio.SolveFunc) (*built, error) {
	o := r.opts.GTO
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return nil, err
	}
	o = f.Options()
	return &built{Formulation: f, encoding: o.Encoding, bound: f.Bound(), scope: func(t *tree.Tree) string {
		if f.BoxExact(f.Objective(t)) {
			return ""
		}
		return fmt.Sprintf("within the box |w_j|, |gamma| <= %v on standardised features", o.Box)
	}}, nil
}
