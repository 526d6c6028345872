package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// runRLP is method rlp: natively, or as a linear program with a solver that was
// asked for by name.
func runRLP(ctx context.Context, r *run) error {
	if !r.usual {
		return runPlanes("rlp", buildRLP(false))(ctx, r)
	}
	r.nameSides("rlp")
	f, err := r.opts.RLP.Build(context.WithoutCancel(ctx), r.ds)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return r.planeLeaf(err)
	}
	if err != nil {
		return r.buildError(ctx, err)
	}
	res, err := vertex.RLP(ctx, r.ds, r.rlpOptions(""))
	if err != nil {
		return r.growError(ctx, err)
	}
	r.objective = f.Objective
	r.res.Tree = res.Tree
	r.agrees(res.Objective)
	s := &Solver{
		Name: "none", Status: mio.Feasible.String(), Limit: stoppedBy(ctx, res.Stats.Stopped).String(), Seconds: res.Stats.Total.Seconds(),
		Objective: known(res.Objective), Bound: known(res.Bound), Gap: known(mio.Gap(res.Objective, res.Bound)),
	}
	if !res.Stats.Stopped && verify.Near(res.Bound, res.Objective) {
		zero := 0.0
		s.Status, s.Raw = mio.Optimal.String(), "a descent from vertex to vertex, whose multipliers prove the bound"
		s.Bound, s.Gap = s.Objective, &zero // they differ by rounding
	}
	r.res.Solver = s
	return nil
}

func (r *run) rlpOptions(form string) vertex.RLPOptions {
	return vertex.RLPOptions{Seed: r.seed, TimeLimit: r.timeLeft(form)}
}

// growRLP is the one split of RLP, as a start.
func growRLP(ctx context.Context, r *run, form string) (grown, error) {
	res, err := vertex.RLP(ctx, r.ds, r.rlpOptions(form))
	if err != nil {
		return grown{}, r.growError(ctx, err)
	}
	return grown{tree: res.Tree, outcome: &Heuristic{Limit: stoppedBy(ctx, res.Stats.Stopped).String()}}, nil
}

func growMSMT(ctx context.Context, r *run, form string) (grown, error) {
	o, oct := r.opts.Heuristics.MSMT, r.opts.OCT
	o.MaxDepth, o.MaxSplits, o.MinLeaf = oct.Depth, oct.MaxSplits, oct.MinLeaf
	o.Seed, o.TimeLimit = r.seed, r.timeLeft(form)
	res, err := vertex.MSMT(ctx, r.ds, o)
	if err != nil {
		return grown{}, r.growError(ctx, err)
	}
	return r.bestSubtree(ctx, res.Tree, res.Stats.Grown, res.Stats.Stopped), nil
}

func growEPTS(ctx context.Context, r *run, form string) (grown, error) {
	o := r.opts.Heuristics.EPTS
	o.Objective = cmp.Or(r.opts.GTO.Objective, formulate.ProductError)
	var err error
	if o.GTOStart, err = r.gtoStart(ctx, form); err != nil {
		return grown{}, err
	}
	o.Tabu.TimeLimit, o.Tabu.Notify = r.timeLeft(form), r.news(form)
	res, err := vertex.EPTS(ctx, r.ds, o)
	if err != nil {
		return grown{}, r.growError(ctx, err)
	}
	g := grown{tree: res.Tree, outcome: &Heuristic{Limit: stoppedBy(ctx, res.Stats.Stopped).String(), Iterations: &res.Stats.Iterations}}
	return r.gtoAgrees(ctx, form, o.Objective, res.GTOResult, g)
}

func growFrankWolfe(ctx context.Context, r *run, form string) (grown, error) {
	if o := r.opts.GTO.Objective; form == "" && o != "" && o != formulate.ProductError {
		return grown{}, fmt.Errorf("%w: frank-wolfe minimises the product error; the others are not differentiable (epts has them)", ErrInput)
	}
	o := r.opts.Heuristics.FrankWolfe
	var err error
	if o.GTOStart, err = r.gtoStart(ctx, form); err != nil {
		return grown{}, err
	}
	o.TimeLimit, o.Notify = r.timeLeft(form), r.news(form)
	res, err := vertex.FrankWolfe(ctx, r.ds, o)
	if err != nil {
		return grown{}, r.growError(ctx, err)
	}
	g := grown{tree: res.Tree, outcome: &Heuristic{Limit: stoppedBy(ctx, res.Stats.Stopped).String(), Iterations: &res.Stats.Iterations}}
	return r.gtoAgrees(ctx, form, formulate.ProductError, res.GTOResult, g)
}

// gtoStart returns where a search over trees of fixed structure starts: as a
// method at the tree asked for, as a start itself where the papers begin.
func (r *run) gtoStart(ctx context.Context, form string) (vertex.GTOStart, error) {
	o := r.opts.GTO
	s := vertex.GTOStart{Structure: o.Structure, Depth: o.Depth, Seed: r.seed}
	if form != "" {
		if s.Structure != nil {
			s.Depth = 0 // which the program's options keep beside it
		}
		return s, nil
	}
	s.Tree = r.opts.StartTree
	if s.Tree == nil && r.opts.Start != "auto" && r.opts.Start != "none" {
		if s.Structure != nil {
			r.opts.OCT.Depth = s.Structure.Depth()
		}
		trees, err := r.growStarts(ctx, "gto")
		if err != nil {
			return s, err
		}
		s.Tree = trees[0].tree
	}
	if s.Tree != nil && s.Structure == nil && s.Depth != 0 {
		s.Structure, s.Depth = formulate.StructureOf(s.Tree), 0
	}
	return s, nil
}

// gtoAgrees makes the objective of a method that of the formulation, which has
// to confirm what the search says of its tree. Decisions of no weight are left out
// of the answer where the formulation gives it the same error without them; a start
// keeps them.
func (r *run) gtoAgrees(ctx context.Context, form string, objective formulate.GTOObjective, res vertex.GTOResult, g grown) (grown, error) {
	if form != "" {
		return g, nil
	}
	f, err := formulate.GTOOptions{Structure: formulate.StructureOf(res.Tree), Objective: objective, OmitNames: true}.Build(context.WithoutCancel(ctx), r.ds)
	if err != nil {
		return g, r.growError(ctx, err)
	}
	r.objective = func(t *tree.Tree) float64 { return f.Objective(t) * f.ObjectiveUnit() }
	r.res.Tree = res.Tree
	r.agrees(res.Objective)
	if verify.Near(r.objective(res.Reduced), res.Objective) {
		g.tree = res.Reduced
	}
	return g, nil
}

// growFeatureMin is methods fm-rlp and fm-rlp-p.
func growFeatureMin(name string) growTree {
	return func(ctx context.Context, r *run, form string) (grown, error) {
		solver, err := r.lookupSolver(ctx)
		if err != nil {
			return grown{}, err
		}
		o := vertex.FeatureMinOptions{
			Perturbed: name == "fm-rlp-p", Seed: r.seed, TimeLimit: r.timeLeft(form),
			LP: solvers.Func(solver, solvers.Options{Threads: r.opts.Solve.Threads}),
		}
		if o.Perturbed {
			o.Eps = r.opts.RLP.Eps
		}
		r.nameSides(name)
		r.stage("linear programs are solved with %s %s", solver.Name(), solver.Version())
		res, err := vertex.FeatureMin(ctx, r.ds, o)
		if err != nil {
			return grown{}, r.growError(ctx, err)
		}
		r.objective = func(t *tree.Tree) float64 { return float64(len(t.FeaturesUsed())) }
		return grown{tree: res.Tree, outcome: &Heuristic{Limit: stoppedBy(ctx, res.Stats.Stopped).String()}}, nil
	}
}

// growError is an error of a native method. Data for which the single leaf is
// optimal stay formulate.ErrSingleLeaf.
func (r *run) growError(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, formulate.ErrSingleLeaf):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%w: interrupted before there was one", ErrNoTree)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: the time limit came before there was one", ErrNoTree)
	}
	return fmt.Errorf("%w: %w", ErrInput, err)
}

// planeLeaf answers data for which the single leaf is optimal, for a method whose
// objective no leaf has.
func (r *run) planeLeaf(why error) error {
	r.objective = nil
	return r.singleLeaf(why)
}

// agrees holds the objective that a native method reports against the
// formulation's of its tree.
func (r *run) agrees(objective float64) {
	own := r.objective(r.res.Tree)
	matches := verify.Near(objective, own)
	r.res.Check = &Check{ObjectiveMatches: &matches}
	if !matches {
		r.res.Check.Problem = fmt.Sprintf("%s says that its tree has objective %v, but it has %v", r.res.Method, objective, own)
	}
}

// news passes the progress of a method's search on, of a start's none.
func (r *run) news(form string) func(iteration int, best float64) {
	if r.opts.Notify == nil || form != "" {
		return nil
	}
	return func(iteration int, best float64) {
		if iteration%1000 == 0 {
			r.stage("iteration %d, error %.6g", iteration, best)
		}
	}
}
