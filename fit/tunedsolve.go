package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/treesearch"
)

// Work of each solve of a tuning unless Options.WorkLimit says otherwise: of the
// exact search, some ten seconds to a minute, of local search where that proves
// nothing, a second, and of local search for hyperplanes.
const (
	tuneSearchWork = 1e10
	tuneLocalWork  = 4e8
	tunePlaneWork  = 1e8
)

func (t *tuning) workLimit(usual int64) int64 {
	if w := t.opts.WorkLimit; w > 0 {
		return w
	}
	return usual
}

// growFirst puts CART's trees by each criterion, and their subtrees, into the pool.
func (t *tuning) growFirst(ctx context.Context) error {
	pre := tree.NewPresort(t.train)
	for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
		res, err := cart.Grow(ctx, t.train, cart.Options{
			Criterion: c, MaxDepth: t.opts.OCT.Depth, MinLeaf: t.opts.OCT.MinLeaf, Presort: pre,
		})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrInput, err)
		}
		t.pool.addPruned(res.Tree)
	}
	if t.form == "oct-h" {
		return t.growPlanes(ctx)
	}
	return nil
}

// univariateFirst puts the trees of oct-tuned into the pool of oct-h-tuned, found
// with as much work per solve as an automatic start may take.
func (t *tuning) univariateFirst(ctx context.Context) error {
	r := *t.run
	r.opts.WorkLimit = min(autoSearchWork, t.workLimit(autoSearchWork))
	r.opts.Solve.TimeLimit /= 4
	u := &tuning{run: &r, tuneKind: tuneOCT, train: t.train, pool: newCandidates(t.train, (*tree.Tree).Splits)}
	for _, c := range t.pool.all {
		u.pool.add(c.tree)
	}
	if err := u.walkAlpha(ctx); err != nil {
		return err
	}
	for _, c := range u.pool.all {
		t.pool.add(c.tree)
	}
	t.work, t.nodes = t.work+u.work, t.nodes+u.nodes
	return nil
}

// solveBy solves a problem and puts its tree into the pool. It returns what was
// proved of its value, in weight.
func (t *tuning) solveBy(ctx context.Context, g tuneGoal) (bound float64, err error) {
	switch {
	case !t.usual:
		return t.solveProgram(ctx, g)
	case t.form == "oct-h":
		return math.Inf(-1), t.solvePlanes(ctx, g)
	}
	return t.solveSearch(ctx, g)
}

// solveSearch is solveBy by the exact search, and by local search where that ends
// at a limit.
func (t *tuning) solveSearch(ctx context.Context, g tuneGoal) (bound float64, err error) {
	workers := t.opts.Solve.Threads
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	o := treesearch.Options{
		Depth: g.depth, Alpha: g.alpha, MinLeaf: t.opts.OCT.MinLeaf, MaxSplits: g.splitLimit(),
		TimeLimit: g.time, WorkLimit: t.workLimit(tuneSearchWork), Workers: workers,
		CacheMemory: t.opts.Heuristics.CacheMemory, Start: t.pool.best(g).tree,
	}
	if g.time > 0 {
		o.TimeLimit = max(1, g.time*9/10)
	}
	res, err := treesearch.Solve(ctx, t.train, o)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrInput, err)
	}
	t.work += res.Stats.Work
	t.nodes += res.Stats.Nodes + res.Stats.Pairs + res.Stats.Stumps
	t.pool.addPruned(res.Tree)
	t.stopped(res.Limit)
	if res.Status == mio.Optimal || res.Limit == mio.LimitInterrupt {
		return res.Bound * t.pool.scale, nil
	}
	l := localsearch.Options{Work: min(tuneLocalWork, t.workLimit(tuneLocalWork)), TimeLimit: g.time / 10}
	return res.Bound * t.pool.scale, t.searchLocally(ctx, g, l)
}

// splitLimit is most as the searches take it: 0 where the depth says as much.
func (g *tuneGoal) splitLimit() int {
	if g.most >= 1<<g.depth-1 {
		return 0
	}
	return g.most
}

// solvePlanes is solveBy by local search for hyperplanes.
func (t *tuning) solvePlanes(ctx context.Context, g tuneGoal) error {
	return t.searchLocally(ctx, g, localsearch.Options{
		Hyperplanes: true, Mu: t.mu(), Work: t.workLimit(tunePlaneWork), TimeLimit: g.time,
	})
}

func (t *tuning) mu() float64 {
	if t.opts.Mu == 0 {
		return formulate.DefaultMu
	}
	return t.opts.Mu
}

// searchLocally begins at the best trees of the envelope, and at the best for the
// goal.
func (t *tuning) searchLocally(ctx context.Context, g tuneGoal, o localsearch.Options) error {
	o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits = g.depth, g.alpha, t.opts.OCT.MinLeaf, g.most
	if !o.Hyperplanes {
		o.MaxSplits = g.splitLimit()
	}
	o.Seed = t.seed + uint64(t.solves)
	best := t.pool.best(g)
	for _, s := range t.pool.envelope() {
		if s.depth <= g.depth && s.tree != best.tree {
			o.Starts = append(o.Starts, s.tree)
		}
	}
	o.Starts = append(o.Starts, best.tree)
	res, err := localsearch.Search(ctx, t.train, o)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	t.work += res.Stats.Work
	t.pool.addPruned(res.Tree)
	t.stopped(res.Stats.Limit)
	return nil
}

// solveProgram is solveBy by method oct or oct-h with the solver that was named,
// from the best tree so far; where the model does not admit it (a margin below
// mu), from the automatic start.
func (t *tuning) solveProgram(ctx context.Context, g tuneGoal) (bound float64, err error) {
	o := t.opts
	o.Method, o.Start, o.Test, o.CrossCheck, o.Notify = t.form, "auto", nil, false, nil
	o.OCT.Depth, o.OCT.Alpha, o.OCT.MaxSplits = g.depth, g.alpha, g.most
	o.Solve.TimeLimit = g.time
	o.StartTree, o.StartName = t.pool.best(g).tree, "earlier"
	res, err := Run(ctx, t.train, o)
	if errors.Is(err, formulate.ErrNoStart) {
		o.StartTree, o.StartName = nil, ""
		if g.time > 0 {
			o.Solve.TimeLimit = max(1, min(g.time, t.opts.Solve.TimeLimit-time.Since(t.began)))
		}
		res, err = Run(ctx, t.train, o)
	}
	if errors.Is(err, ErrNoTree) {
		t.stopped(limitOf(ctx, o.Solve.TimeLimit))
		return math.Inf(-1), nil
	}
	if err != nil {
		return 0, err
	}
	t.pool.addPruned(res.Tree)
	bound = math.Inf(-1)
	if s := res.Solver; s != nil {
		if t.solver == nil || s.Name != "none" {
			t.solver = &Solver{Name: s.Name, Version: s.Version}
		}
		t.nodes += s.Nodes
		if s.Bound != nil {
			bound = *s.Bound * t.pool.scale
		}
		if s.Status == mio.Optimal.String() { // but for the solver's tolerances
			bound = t.pool.value(t.pool.best(g), g.alpha)
		} else {
			t.stopped(limitNamed(s.Limit))
		}
	}
	return bound, nil
}

func limitOf(ctx context.Context, limit time.Duration) mio.Limit {
	switch {
	case ctx.Err() != nil:
		return mio.LimitInterrupt
	case limit > 0:
		return mio.LimitTime
	}
	return mio.NoLimit
}

// limitNamed is the limit of that name.
func limitNamed(name string) mio.Limit {
	for _, l := range []mio.Limit{mio.LimitTime, mio.LimitNodes, mio.LimitIterations, mio.LimitMemory, mio.LimitInterrupt, mio.LimitCutoff} {
		if l.String() == name {
			return l
		}
	}
	return mio.NoLimit
}

// walkPruning is the path of cart-tuned: the subtrees that cost-complexity pruning
// makes of CART's tree.
func (t *tuning) walkPruning(ctx context.Context) error {
	path, err := t.prunePath(ctx)
	if err != nil {
		return err
	}
	for _, step := range path.Steps {
		t.pool.add(path.Subtree(step.Alpha))
	}
	return nil
}

// prunePath grows CART's tree on the training part.
func (t *tuning) prunePath(ctx context.Context) (*cart.Path, error) {
	o := t.opts.Heuristics.CART
	o.MaxDepth, o.MinLeaf, o.Seed = t.opts.OCT.Depth, t.opts.OCT.MinLeaf, t.seed
	res, err := cart.Grow(ctx, t.train, o)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	t.stopped(stoppedBy(ctx, res.Stats.Stopped))
	return cart.CostComplexity(res.Tree, tree.Misclassification)
}

// refit fits once more, to all rows, at the alpha chosen, from the tree chosen.
func (t *tuning) refit(ctx context.Context, chosen survivor) error {
	u := t.res.Tuning
	u.Refit = true
	a := *t
	a.train, a.pool, a.solved, a.solves = t.ds, newCandidates(t.ds, t.complexity), nil, 0
	g := tuneGoal{depth: t.opts.OCT.Depth, alpha: u.Alpha}
	t.run.objective = func(x *tree.Tree) float64 {
		return a.pool.value(candidate{errors: x.Evaluate(t.ds).ErrorWeight, complexity: t.complexity(x)}, u.Alpha) / a.pool.scale
	}
	if a.trivial(a.train) {
		u.RefitProved = t.form != ""
		return nil
	}
	if t.form == "" {
		path, err := a.prunePath(ctx)
		if err != nil {
			return err
		}
		total := 0.0
		for _, w := range t.ds.Weight {
			total += w
		}
		t.stopped(a.limit)
		t.res.Tree = path.Subtree(u.Alpha * a.pool.scale / total)
		return nil
	}
	a.pool.add(chosen.tree)
	if err := a.growFirst(ctx); err != nil {
		return err
	}
	if limit := t.opts.Solve.TimeLimit; limit > 0 {
		g.time = max(1, limit-time.Since(t.began))
	}
	bound, err := a.solveBy(ctx, g)
	if err != nil {
		return err
	}
	best := a.pool.best(g)
	t.res.Tree = best.tree
	u.Solves++
	u.Work = a.work // which went on from t's
	u.RefitProved = bound >= a.pool.value(best, u.Alpha)-10*a.pool.tolerance
	t.limit, t.solver, t.nodes = a.limit, a.solver, a.nodes
	return nil
}
