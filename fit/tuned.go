package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// runTuned is the training procedure of Bertsimas & Dunn (2017, section 3): trees
// of every complexity are fitted to a part of the rows, those on the lower
// envelope of error + alpha x complexity own an interval of alpha each, and the
// other part chooses between them.
func (j *job) runTuned(ctx, interrupt context.Context, m problem.Tuned) (*answer, error) {
	t := &tuning{job: j, Tuning: m.Tuning(), interrupt: interrupt}
	if j.StartTree != nil || j.Start != "auto" {
		return nil, fmt.Errorf("%w: --start is not for method %s, which starts from CART and its own earlier trees", ErrInput, m.Info().Name)
	}
	if err := t.divide(); err != nil {
		return nil, err
	}
	if err := t.bind(); err != nil {
		return nil, err
	}
	t.compete()
	begun := t
	t, u, chosen, err := t.tune(ctx)
	if errors.Is(err, errNone) {
		return begun.treeless()
	}
	if err != nil {
		return nil, err
	}
	a := &answer{engine: t.manner().engine, tree: chosen.tree}
	a.Tuning = u
	if t.Refit {
		if err := t.refit(ctx, a, chosen); err != nil {
			return a, err
		}
	}
	a.tree = a.tree.Clone()
	a.tree.Annotate(j.data.Dataset)
	t.describe(a)
	t.keep(a)
	return a, nil
}

// manner is how the trees of a tuning are found.
type manner struct {
	engine problem.Engine
	solver string        // in its place in the result
	prover verify.Prover // of what the data do not prove
}

// manner is that of this tuning. Alternating proves nothing: what it leaves is what
// the data prove.
func (t *tuning) manner() manner {
	switch {
	case t.Of == nil:
		return manner{engine: problem.Heuristic}
	case t.byProgram():
		return manner{problem.MIO, "none", verify.BySolver}
	case t.Hyperplanes:
		return manner{problem.Heuristic, "alternating", verify.ByData}
	}
	if t.held.on != nil && len(t.held.on.Rows) > 0 {
		return manner{problem.Search, "lagrange", verify.ByLagrangian}
	}
	return manner{problem.Search, "treesearch", verify.BySearch}
}

// whyUnproved is the reason why a tuning that no limit ended proves nothing.
func (t *tuning) whyUnproved() string {
	switch how := t.manner(); {
	case t.unproved != "":
		return t.unproved
	case how.solver == "alternating":
		return "method alternating is a heuristic and proves nothing"
	}
	return ""
}

// divide makes the training and the validation part. Rows of one class need none:
// the single leaf is the answer.
func (t *tuning) divide() error {
	part, all := float64(t.Validation), t.job.data
	if part == 0 {
		part = DefaultValidation
	}
	if all.Trivial() {
		t.train, t.validation, t.data = all.Dataset, all.Subset(nil), all
		return nil
	}
	train, validation, err := all.Holdout(part, t.seed)
	if err != nil {
		return fmt.Errorf("%w: validation part: %w", ErrInput, err)
	}
	t.train, t.validation = all.Subset(train), all.Subset(validation)
	t.data = problem.NewData(t.train)
	weight := sum(t.train.Weight)
	if least := t.MinLeaf; !tree.EnoughWeight(weight, least) {
		return fmt.Errorf("%w: the least leaf weight is %v, but the training part weighs %v; %.4g of the rows are for validation", ErrInput, least, weight, part)
	}
	return nil
}

// describe says of the whole what a solver says of one solve.
func (t *tuning) describe(a *answer) {
	u := a.Tuning
	a.Check = &Check{Feasible: new(true)}
	t.checkLimits(a, verify.Limits{Depth: t.Depth, MinLeaf: t.MinLeaf, Complexity: t.Complexity})
	a.verdict = unproved(math.NaN(), t.limit)
	if t.Of == nil {
		a.Heuristic = &Heuristic{Limit: t.limit.String()}
		return
	}
	a.Unproved = t.whyUnproved()
	if u.Proved && (!u.Refit || u.RefitProved) {
		a.verdict.Status, a.verdict.Limit, a.verdict.Prover = mio.Optimal, mio.NoLimit, t.manner().prover
		if u.Solves == 0 {
			a.verdict.Prover = verify.ByData
		}
	}
	a.Solver = describeVerdict(t.manner().solver, a.verdict, "")
	if t.solver != nil {
		a.Solver.Name, a.Solver.Version = t.solver.Name, t.solver.Version
	}
	a.Solver.Nodes, a.Solver.Seconds = t.nodes, time.Since(t.began).Seconds()
}

// treeless is the answer where no tree competes.
func (t *tuning) treeless() (*answer, error) {
	how := t.manner()
	a := &answer{engine: how.engine}
	a.verdict = verify.Verdict{Status: mio.NoSolution, Limit: t.limit, Objective: math.NaN(), Bound: math.Inf(-1), Gap: math.Inf(1)}
	if t.data.Trivial() {
		if tree.Baseline(t.data.Dataset) <= 0 && (t.data.K() > 1 || t.constrained.set.Fixes()) { // other trees may hold them
			return nil, fmt.Errorf("%w: all rows of the training part have one class, and no constant tree holds %s", ErrInput, t.named())
		}
		t.infeasible, how.prover = true, verify.ByData
	}
	if t.infeasible {
		a.verdict.Status, a.verdict.Prover = mio.Infeasible, how.prover
	}
	a.Solver, a.Unproved = describeVerdict(how.solver, a.verdict, ""), t.whyUnproved()
	if t.infeasible {
		return a, fmt.Errorf("%w: no tree within the limits holds %s on %s", ErrInfeasible, t.named(), t.where())
	}
	return t.withoutTree(a)
}

// keep notes on which rows the tree of an answer holds the constraints, and checks it.
func (t *tuning) keep(a *answer) {
	if t.held.on == nil {
		return
	}
	if a.Tuning.Refit {
		t.checkConstraints(a)
		return
	}
	a.held = &heldOn{t.held.on, t.validation}
	for _, problem := range t.held.on.Broken(a.tree) {
		a.Check.fail(&a.Check.Feasible, problem)
	}
}

// refit fits once more, to all rows, at the alpha chosen, from the tree chosen.
func (t *tuning) refit(ctx context.Context, of *answer, chosen survivor) error {
	u, all := of.Tuning, t.job.data
	u.Refit = true
	a := *t
	a.train, a.data, a.solved, a.solves = all.Dataset, all, nil, 0
	if err := a.bind(); err != nil {
		return err
	}
	a.compete()
	g := tuneGoal{depth: t.Depth, alpha: u.Alpha}
	of.objective = func(x *tree.Tree) float64 {
		return tree.Objective(a.pool.loss(x), a.pool.scale, u.Alpha, t.Complexity(x))
	}
	if all.Trivial() {
		u.RefitProved = t.Of != nil
		return nil
	}
	if t.Of == nil {
		path, err := a.growPath(ctx)
		if err != nil {
			return err
		}
		t.stopped(a.limit)
		of.tree = path.Subtree(u.Alpha * a.pool.scale / sum(all.Weight))
		return nil
	}
	a.enter(chosen.tree)
	if err := a.growFirst(ctx); err != nil {
		return err
	}
	if left, limited := timeLeft(ctx); limited {
		g.time = max(1, left)
	}
	bound, err := a.solveBy(ctx, g)
	if err != nil {
		return err
	}
	t.limit, t.unproved, t.solver, t.nodes = a.limit, a.unproved, a.solver, a.nodes
	best, ok := a.pool.best(g)
	if !ok {
		a.infeasible = bound == math.Inf(1)
		without, err := a.treeless()
		*of = *without
		return err
	}
	of.tree = best.tree
	u.Solves++
	u.Work = a.work // which went on from t's
	u.RefitProved = bound >= a.pool.value(best, u.Alpha)-10*a.pool.tolerance
	return nil
}
