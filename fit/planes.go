package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
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
	unit     float64                 // weight that 1 of the objective stands for; 0: it has no unit
}

func anywhere(*tree.Tree) string { return "" }

// runPlanes returns the run function of a method that builds such a problem
// with the linear programs of the solver at hand.
func runPlanes(form string, build func(ctx context.Context, r *run, lp mio.SolveFunc) (*built, error)) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error {
		solver, err := r.lookupSolver(ctx)
		var lp mio.SolveFunc
		if err == nil {
			lp = r.timedLP(solver)
		}
		r.nameSides(form)
		began := time.Now()
		f, berr := build(ctx, r, lp)
		switch {
		case errors.Is(berr, formulate.ErrSingleLeaf):
			return r.planeLeaf(berr)
		case errors.Is(berr, ErrNoTree):
			return berr
		case err != nil: // a missing solver comes first: without it nothing can be solved
			return err
		case berr != nil:
			return r.buildError(ctx, berr)
		}
		r.objective = f.Objective
		if f.unit != 0 {
			r.objective = func(t *tree.Tree) float64 { return f.Objective(t) * f.unit }
		}
		if r.opts.StartTree == nil && r.opts.Start != "none" && f.start != nil {
			r.opts.StartTree, r.opts.StartName = f.start, "rlp"
		}
		return r.solveProblem(ctx, solver, &problem{
			Formulation: f, form: form, encoding: string(f.encoding), anyTree: form == "gto", scope: f.scope, bound: f.bound, unit: f.unit, built: time.Since(began),
		})
	}
}

// timedLP solves linear programs within what is left of the time limit.
func (r *run) timedLP(solver solvers.Solver) mio.SolveFunc {
	return func(ctx context.Context, m *mio.Model) (*mio.Solution, error) {
		opt := solvers.Options{Threads: r.opts.Solve.Threads}
		late := fmt.Errorf("%w: the time limit came while the linear programs of the model were solved", ErrNoTree)
		if limit := r.opts.Solve.TimeLimit; limit > 0 {
			if opt.TimeLimit = limit - time.Since(r.began); opt.TimeLimit <= 0 {
				return nil, late
			}
		}
		sol, err := solver.Solve(ctx, m, opt)
		if err == nil && sol.Limit == mio.LimitTime {
			return nil, late
		}
		return sol, err
	}
}

// nameSides says which class a linear split separates where there are several.
func (r *run) nameSides(form string) {
	if form == "gto" || r.ds.K() <= 2 {
		return
	}
	w := r.ds.ClassWeights()
	heaviest := r.ds.Classes[slices.Index(w, slices.Max(w))]
	r.warn("of the %d classes, %s separates the heaviest, %s, from the rest", r.ds.K(), form, heaviest)
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

// errNoLP is told by what needs linear programs where there is no solver;
// runPlanes then says which solver is missing.
var errNoLP = errors.New("the linear program of the least error needs a solver")

// leastError solves RLP or RLP-P for its tree.
func leastError(ctx context.Context, r *run, lp mio.SolveFunc, o formulate.RLPOptions) (*tree.Tree, error) {
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return nil, err
	}
	if lp == nil {
		return nil, errNoLP
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
	b := &built{Formulation: f, encoding: f.Options().Encoding, scope: func(*tree.Tree) string { return f.Scope() }}
	if b.start, err = fewFeatures(ctx, r, lp, f.Options()); err != nil {
		return nil, err
	}
	if b.start != nil {
		if _, err := f.Start(ctx, b.start); err != nil {
			b.start = nil
		}
	}
	return b, nil
}

// fewFeatures is the split of least error on the nu features that weigh most in
// the split of least error on all; nil where there is none.
func fewFeatures(ctx context.Context, r *run, lp mio.SolveFunc, o formulate.LFMOptions) (*tree.Tree, error) {
	rlp := formulate.RLPOptions{Perturbed: o.Perturbed, Eps: o.Eps}
	if !o.Perturbed {
		rlp.Eps = 0
	}
	t, err := leastError(ctx, r, lp, rlp)
	if err != nil || t.Nodes[0].Leaf() {
		return nil, err
	}
	terms := slices.Clone(t.Nodes[0].Split.Terms)
	spread := dataset.FitScaler(dataset.Standard, r.ds)
	size := func(m tree.Term) float64 {
		return math.Abs(m.Weight) * (spread.Invert(m.Feature, 1) - spread.Invert(m.Feature, 0))
	}
	slices.SortStableFunc(terms, func(a, b tree.Term) int { return cmp.Compare(size(b), size(a)) })
	var features []int
	for _, m := range terms[:min(o.Nu, len(terms))] {
		features = append(features, m.Feature)
	}
	slices.Sort(features)
	few := *r
	few.ds = r.ds.WithFeatures(features)
	t, err = leastError(ctx, &few, lp, rlp)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return t.Remap(r.ds, features), nil
}

func buildGTO(ctx context.Context, r *run, _ mio.SolveFunc) (*built, error) {
	o := r.opts.GTO
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return nil, err
	}
	o = f.Options()
	r.opts.OCT.Depth, r.opts.GTO = o.Structure.Depth(), o // of what it may start from
	return &built{Formulation: f, encoding: o.Encoding, bound: f.Bound(), unit: f.ObjectiveUnit(), scope: gtoScope(f)}, nil
}

// gtoScope says that an optimum is one within the box, where that is all.
func gtoScope(f *formulate.GTO) func(*tree.Tree) string {
	return func(t *tree.Tree) string {
		if f.BoxExact(f.Objective(t)) {
			return ""
		}
		return fmt.Sprintf("within the box |w_j|, |gamma| <= %v on standardised features", f.Options().Box)
	}
}
