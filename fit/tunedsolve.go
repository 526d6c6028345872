package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// growFirst puts CART's trees by each criterion, and their subtrees, into the pool.
func (t *tuning) growFirst(ctx context.Context) error {
	l, err := t.data.Training(ctx)
	if err != nil {
		t.stopped(mio.LimitOf(ctx))
		return nil // the single leaf is there
	}
	for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
		res, err := t.growCART(ctx, l, c)
		if err != nil {
			return err
		}
		t.enter(res.Tree)
	}
	if t.Hyperplanes {
		return t.growPlanes(ctx)
	}
	return nil
}

// growCART grows CART's tree on the training part, as it is laid out.
func (t *tuning) growCART(ctx context.Context, l *tree.Training, c tree.Criterion) (*cart.Result, error) {
	res, err := t.data.GrowCART(ctx, l.Rows, cart.Options{Criterion: c, MaxDepth: t.Depth, MinLeaf: l.Unit.LeastLeaf(t.MinLeaf), Presort: l.Presort})
	return res, badInput(err)
}

// solveBy solves a problem and puts its tree into the pool. It returns what was
// proved of its value, in weight.
func (t *tuning) solveBy(ctx context.Context, g tuneGoal) (bound float64, err error) {
	switch {
	case t.byProgram():
		return t.solveProgram(ctx, g)
	case t.Hyperplanes:
		return math.Inf(-1), t.solvePlanes(ctx, g)
	}
	return t.solveSearch(ctx, g)
}

// solveSearch is solveBy by the exact search, and by local search where that ends
// at a limit; the search of constrained trees has one of its own.
func (t *tuning) solveSearch(ctx context.Context, g tuneGoal) (bound float64, err error) {
	within, cancel := g.within(ctx, 9)
	defer cancel()
	s := t.shape(g)
	s.MaxSplits = g.splitLimit()
	o := problem.SearchOptions{Workers: t.Solve.Threads, Work: t.workLimit(tuneSearchWork)}
	if best, ok := t.pool.best(g); ok {
		o.Start = &problem.Grown{Tree: best.tree}
	}
	f, err := t.Of(s).(problem.Searcher).Search(within, t.data, o)
	switch {
	case outOfTime(within, err):
		t.stopped(mio.LimitOf(within))
		return math.Inf(-1), nil
	case err != nil:
		return 0, badInput(err)
	}
	t.work, t.nodes = t.work+f.Work, t.nodes+f.Nodes
	if f.Tree != nil {
		t.enter(f.Tree)
	}
	t.stopped(f.Limit)
	t.unproved = cmp.Or(t.unproved, f.Unproved)
	if f.Status == mio.Optimal || f.Status == mio.Infeasible || f.Limit == mio.LimitInterrupt || t.held.on != nil {
		return f.Bound * t.pool.scale, nil
	}
	local := localsearch.Options{Work: min(tuneLocalWork, t.workLimit(tuneLocalWork)), TimeLimit: g.time / 10}
	return f.Bound * t.pool.scale, t.searchLocally(ctx, g, local)
}

// splitLimit is most as the searches take it: 0 where the depth says as much.
func (g *tuneGoal) splitLimit() int {
	if g.most >= 1<<g.depth-1 {
		return 0
	}
	return g.most
}

// searchLocally begins at the best trees of the envelope, and at the best for the
// goal.
func (t *tuning) searchLocally(ctx context.Context, g tuneGoal, o localsearch.Options) error {
	o.Depth, o.Alpha, o.MinLeaf, o.MaxSplits = g.depth, g.alpha, t.MinLeaf, g.splitLimit()
	o.Seed = t.seed + uint64(t.solves)
	best, _ := t.pool.best(g)
	for _, s := range t.pool.envelope() {
		if s.depth <= g.depth && s.tree != best.tree {
			o.Starts = append(o.Starts, s.tree)
		}
	}
	o.Starts = append(o.Starts, best.tree)
	res, err := problem.SearchLocally(ctx, t.data, o)
	switch {
	case err != nil && t.data.Cost != nil: // of more than two classes
		return nil
	case outOfTime(ctx, err):
		t.stopped(mio.LimitOf(ctx))
		return nil
	case err != nil:
		return badInput(err)
	}
	t.work += res.Stats.Work
	t.enter(res.Tree)
	t.stopped(res.Stats.Limit)
	return nil
}

// byProgram says whether a solver is asked, since one was named or the engine is mio.
func (t *tuning) byProgram() bool {
	return t.Of != nil && (!t.usual || t.Engine == problem.MIO)
}

// solveProgram is solveBy by the program of the problem with a solver, from the best
// tree so far; where the model does not admit it (a margin below mu), from the
// automatic start.
func (t *tuning) solveProgram(ctx context.Context, g tuneGoal) (bound float64, err error) {
	ctx, cancel := g.within(ctx, 10)
	defer cancel()
	p := t.Of(t.shape(g))
	best, _ := t.pool.best(g)
	a, err := t.solveFrom(ctx, p, best.tree)
	if errors.Is(err, formulate.ErrNoStart) {
		a, err = t.solveFrom(ctx, p, nil)
	}
	if errors.Is(err, ErrInfeasible) && t.held.on != nil {
		return math.Inf(1), nil
	}
	if errors.Is(err, ErrNoTree) {
		t.stopped(mio.LimitOf(ctx))
		return math.Inf(-1), nil
	}
	if err == nil && a.Check != nil && !a.Check.OK() {
		err = fmt.Errorf("%w: %s", ErrCheck, a.Check.Problem)
	}
	if err != nil {
		return 0, err
	}
	if a.failed != nil {
		return 0, a.failed
	}
	t.enter(a.tree)
	if s := a.Solver; s != nil {
		if t.solver == nil || s.Name != "none" {
			t.solver = &Solver{Name: s.Name, Version: s.Version}
		}
		t.nodes += s.Nodes
	}
	if a.verdict.Status == mio.Optimal { // but for the solver's tolerances
		best, _ := t.pool.best(g)
		return t.pool.value(best, g.alpha), nil
	}
	t.stopped(a.verdict.Limit)
	t.unproved = cmp.Or(t.unproved, a.Unproved)
	return a.verdict.Bound * t.pool.scale, nil
}

// shape is that of a goal's trees.
func (t *tuning) shape(g tuneGoal) problem.Shape {
	return problem.Shape{
		Levels: problem.Levels{Depth: g.depth}, Price: problem.Price{Alpha: g.alpha, MaxSplits: g.most}, Leaves: problem.Leaves{MinLeaf: t.MinLeaf},
	}
}

// solveFrom has the engine mio solve a problem on the training part, from a tree or,
// with nil, from the automatic start.
func (t *tuning) solveFrom(ctx context.Context, p problem.Problem, from *tree.Tree) (*answer, error) {
	o := Options{Method: p, Solver: t.Solver, Path: t.Options.Path, Solve: t.Solve, StartTree: from, StartName: "earlier"}
	j, err := newJob(ctx, t.train, o)
	if err != nil {
		return nil, err
	}
	return j.runMIO(ctx, t.interrupt, p)
}

// walkPruning is the path of cart-tuned: the subtrees that cost-complexity pruning
// makes of CART's tree.
func (t *tuning) walkPruning(ctx context.Context) error {
	path, err := t.growPath(ctx)
	if err != nil {
		return err
	}
	for _, step := range path.Steps {
		t.pool.add(path.Subtree(step.Alpha))
	}
	return nil
}

// growPath grows CART's tree on the training part.
func (t *tuning) growPath(ctx context.Context) (*cart.Path, error) {
	l, err := t.data.Training(ctx)
	if err != nil {
		t.stopped(mio.LimitOf(ctx))
		return cart.CostComplexity(majorityLeaf(t.train), tree.Misclassification)
	}
	res, err := t.growCART(ctx, l, t.Criterion)
	if err != nil {
		return nil, err
	}
	if res.Stats.Stopped {
		t.stopped(mio.LimitOf(ctx))
	}
	return cart.CostComplexity(l.InSource(res.Tree), tree.Misclassification)
}
