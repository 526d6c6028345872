package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/score"
)

// DefaultValidation is the part of the rows that a tuned method chooses by: with
// a quarter of all rows held out for testing, it makes the 50/25/25 % of Bertsimas
// & Dunn (2017, section 3).
const DefaultValidation = 1.0 / 3

// prunePath is the path of cart-tuned.
const prunePath = "pruning"

// Tuning under constraints: they hold on the rows that trees are fitted to, the training
// part of the division and, where the tree is fitted once more, all rows. On the
// validation part they are counted, not asked for.

// errNone says that no tree of a path holds the constraints.
var errNone = errors.New("no tree satisfies the constraints")

// tune is the training procedure of Bertsimas & Dunn (2017, section 3): trees
// of every complexity are fitted to a part of the rows, those on the lower
// envelope of error + alpha x complexity own an interval of alpha each, and the
// other part chooses between them.
func (j *job) tune(ctx context.Context, l *Ledger) error {
	t := &tuning{job: j, Tuning: *j.p.Tuning}
	if j.StartTree != nil || j.Start != "auto" {
		return fmt.Errorf("%w: --start is not for method %s, which starts from CART and its own earlier trees", ErrInput, j.p.Name)
	}
	if err := t.divide(); err != nil {
		return err
	}
	if err := t.bindTrain(); err != nil {
		return err
	}
	t.compete()
	begun := t
	t, u, chosen, err := t.walkMargins(ctx)
	if errors.Is(err, errNone) {
		return begun.without(l)
	}
	if err != nil {
		return err
	}
	best := chosen.tree
	if l.tuning = u; t.Refit {
		if best, err = t.refit(ctx, l, chosen); best == nil || err != nil {
			return err
		}
	}
	best = best.Clone()
	best.Annotate(j.data.Dataset)
	t.describe(l, best)
	return nil
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
	if t.keep != nil && len(t.keep.Rows) > 0 {
		return manner{problem.Search, "lagrange", verify.ByLagrangian}
	}
	if t.data.Kind() == dataset.Numbers {
		return manner{problem.Search, "ort search", verify.BySearch}
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
		return fmt.Errorf("%w: the minimum leaf weight is %v, but the training set weighs %v; %.4g of the rows are for validation", ErrInput, least, weight, part)
	}
	return nil
}

// describe says of the whole what a solver says of one solve, and checks the tree.
func (t *tuning) describe(l *Ledger, best *tree.Tree) {
	u, how := l.tuning, t.manner()
	l.best, l.limit, l.foundBy = &offer{t.p.Name, best, math.NaN(), true}, t.limit, how.engine
	l.check = &Check{Feasible: new(true)}
	l.checkLimits(best, verify.Limits{Depth: t.Depth, MinLeaf: t.MinLeaf, Complexity: t.Complexity})
	if t.keep != nil && u.Refit {
		l.checkConstraints(best, t.p.Keep)
	} else if t.keep != nil {
		l.held = &heldOn{t.keep, t.validation}
		l.checkConstraints(best, t.keep)
	}
	if t.Of == nil {
		l.heuristic = &Heuristic{Limit: t.limit.String()}
		return
	}
	l.unproved = t.whyUnproved()
	if u.Proved && (!u.Refit || u.RefitProved) {
		if l.proved = how.prover; u.Solves == 0 {
			l.proved = verify.ByData
		}
	}
	l.account = describeVerdict(how.solver, l.verdict(l.best), "")
	if t.solver != nil {
		l.account.Name, l.account.Version = t.solver.Name, t.solver.Version
	}
	l.account.Nodes, l.account.Seconds = t.nodes, time.Since(t.began).Seconds()
}

// without notes that no tree competes.
func (t *tuning) without(l *Ledger) error {
	how := t.manner()
	l.limit, l.foundBy, l.noTree, l.tuning = t.limit, how.engine, true, nil
	if t.data.Trivial() {
		if t.data.Baseline() <= 0 && (t.data.K() > 1 || t.p.Constraints.Fixes()) { // other trees may hold them
			return fmt.Errorf("%w: all rows of the training part have one class, and no constant tree holds %s", ErrInput, t.named())
		}
		t.infeasible, how.prover = true, verify.ByData
	}
	if t.infeasible {
		l.none = &verify.Proof{By: how.prover}
		l.err = fmt.Errorf("%w: no tree within the limits satisfies %s on %s", ErrInfeasible, t.named(), t.where())
	}
	l.unproved = t.whyUnproved()
	l.account = describeVerdict(how.solver, l.verdict(&offer{value: math.NaN()}), "")
	return nil
}

// refit fits once more, to all rows, at the alpha chosen, from the tree chosen. It returns nil
// if no tree satisfies the constraints on all rows.
func (t *tuning) refit(ctx context.Context, l *Ledger, chosen survivor) (*tree.Tree, error) {
	u, all := l.tuning, t.job.data
	u.Refit = true
	a := *t
	a.train, a.data, a.solved, a.solves = all.Dataset, all, nil, 0
	if err := a.bindTrain(); err != nil {
		return nil, err
	}
	a.compete()
	g := tuneGoal{depth: t.Depth, alpha: u.Alpha}
	l.value = func(x *tree.Tree) float64 {
		return tree.Objective(a.pool.loss(x), a.pool.scale, u.Alpha, t.Complexity(x))
	}
	if all.Trivial() {
		u.RefitProved = t.Of != nil
		return chosen.tree, nil
	}
	if t.Of == nil {
		if all.Kind() == dataset.Numbers {
			grown, err := a.growNumbers(ctx)
			if err != nil {
				return nil, err
			}
			return cart.BestSubtree(all.Dataset, grown, u.Alpha, t.Depth, -1), nil
		}
		path, err := a.growPath(ctx)
		if err != nil {
			return nil, err
		}
		t.stopped(a.limit)
		return path.Subtree(u.Alpha * a.pool.scale / sum(all.Weight)), nil
	}
	a.enter(chosen.tree)
	if err := a.growFirst(ctx); err != nil {
		return nil, err
	}
	if left, limited := timeLeft(ctx); limited {
		g.time = max(1, left)
	}
	bound, err := a.solveBy(ctx, g)
	if err != nil {
		return nil, err
	}
	t.limit, t.unproved, t.solver, t.nodes = a.limit, a.unproved, a.solver, a.nodes
	best, ok := a.pool.best(g)
	if !ok {
		a.infeasible = bound == math.Inf(1)
		return nil, a.without(l)
	}
	u.Solves++
	u.Work = a.work // which went on from t's
	u.RefitProved = bound >= a.pool.value(best, u.Alpha)-10*a.pool.tolerance
	return best.tree, nil
}

// walk fills the pool along the path.
func (t *tuning) walk(ctx context.Context) error {
	switch {
	case t.data.Trivial():
		return nil
	case t.Of == nil:
		return t.walkPruning(ctx)
	}
	if err := t.growFirst(ctx); err != nil {
		return err
	}
	if t.First != nil && !t.byProgram() {
		if err := t.treesFirst(ctx); err != nil {
			return err
		}
	}
	if t.Tuning.Path == problem.SplitsPath {
		return t.walkSplits(ctx)
	}
	return t.walkAlpha(ctx)
}

// choose returns what came of the tuning, and the tree of the least validation error;
// of equal ones the simplest, that of the largest alpha.
func (t *tuning) choose() (*Tuning, survivor) {
	envelope := t.pool.envelope()
	u := &Tuning{Path: t.pathName(), TrainRows: t.train.N(), ValidationRows: t.validation.N(), Proved: true}
	at, least := 0, math.Inf(1)
	tolerance := t.validationTolerance()
	for i, s := range envelope {
		lost := score.LossOf(s.tree, t.validation)
		p := EnvelopePoint{
			AlphaLow: s.low, AlphaHigh: s.high, ErrorWeight: s.errors, Complexity: s.complexity,
			ValidationErrors: s.tree.Evaluate(t.validation).Errors, ValidationErrorWeight: lost, Proved: t.provedOn(s),
		}
		u.Proved = u.Proved && p.Proved
		u.Envelope = append(u.Envelope, p)
		if lost <= least+tolerance {
			at, least = i, min(least, lost)
		}
	}
	s, p := envelope[at], &u.Envelope[at]
	p.Chosen = true
	u.AlphaLow, u.AlphaHigh, u.Alpha = s.low, s.high, (s.low+s.high)/2
	u.ValidationErrors = p.ValidationErrors
	u.Objective = t.pool.value(s.candidate, u.Alpha) / t.pool.scale
	u.Solves, u.Work = t.solves, t.work
	if t.Hyperplanes {
		u.Mu = t.Mu
	}
	return u, s
}

// validationTolerance is the weight by which equal validation errors may differ.
func (t *tuning) validationTolerance() float64 {
	if t.data.Kind() == dataset.Numbers { // whose losses are parts
		return 1e-12
	}
	return 1e-12 * t.validation.MostLoss()
}

func (t *tuning) pathName() string {
	switch {
	case t.Of == nil:
		return prunePath
	case t.Tuning.Path == problem.SplitsPath:
		return problem.SplitsPath
	}
	return problem.AlphaPath
}

// treesFirst puts the trees of Tuning.First into the pool, found with firstWork per solve: those of oct-tuned into that of oct-h-tuned.
func (t *tuning) treesFirst(ctx context.Context) error {
	o := t.Options
	o.WorkLimit = min(firstWork, t.workLimit(firstWork))
	j := &job{Options: o, p: &problem.Problem{}, data: t.data, began: t.began, seed: t.seed, usual: true, interrupt: t.interrupt}
	u := &tuning{job: j, Tuning: *t.First, train: t.train, data: t.data}
	u.compete()
	for _, c := range t.starts.all {
		if c.tree.Terms() == c.tree.Splits() {
			u.pool.add(c.tree)
		}
	}
	share := budgetOf(ctx, 4, 1)
	ctx, cancel := share.next(ctx)
	defer cancel()
	if err := u.walkAlpha(ctx); err != nil {
		return err
	}
	for _, c := range u.pool.all {
		t.enter(c.tree)
	}
	t.work, t.nodes = t.work+u.work, t.nodes+u.nodes
	return nil
}

// firstWork is the work per solve of the trees of Tuning.First.
const firstWork = 2e7

// walkMargins walks the path and chooses a tree: at the margin of the tuning and, where there
// is a choice, at the narrower one, too. Of equal validation errors the wider margin
// has the choice. It returns the tuning of the margin chosen.
//
// A program is asked at the first margin only: the narrower is closer to the tolerances
// of solvers.
func (t *tuning) walkMargins(ctx context.Context) (*tuning, *Tuning, survivor, error) {
	if t.Narrower == nil || t.byProgram() || t.data.Trivial() {
		u, chosen, err := t.alone(ctx)
		return t, u, chosen, err
	}
	u, chosen, err := t.half(ctx)
	if err != nil {
		return nil, nil, survivor{}, err
	}
	n := t.narrower()
	v, other, err := n.alone(ctx)
	if err != nil {
		return nil, nil, survivor{}, err
	}
	margins := []MarginChoice{u.ofMargin(t.Mu), v.ofMargin(n.Mu)}
	if margins[1].ValidationErrorWeight < margins[0].ValidationErrorWeight-t.validationTolerance() {
		t, u, chosen = n, v, other
	} else {
		t.takeWork(n)
	}
	for k := range margins {
		margins[k].Chosen = margins[k].Mu == t.Mu
	}
	u.Margins, u.Solves, u.Work = margins, t.solves, t.work
	return t, u, chosen, nil
}

// half is alone within half of the time that is left.
func (t *tuning) half(ctx context.Context) (*Tuning, survivor, error) {
	share := budgetOf(ctx, 2, 1)
	ctx, cancel := share.next(ctx)
	defer cancel()
	return t.alone(ctx)
}

// alone walks the path and chooses a tree at the tuning's own margin.
func (t *tuning) alone(ctx context.Context) (*Tuning, survivor, error) {
	if err := t.walk(ctx); err != nil {
		return nil, survivor{}, err
	}
	if len(t.pool.all) == 0 {
		return nil, survivor{}, errNone
	}
	u, chosen := t.choose()
	return u, chosen, nil
}

// narrower is the tuning of the narrower margin. All trees found so far compete in it
// and begin its searches, so that those of [problem.Tuning.First] are not found again.
func (t *tuning) narrower() *tuning {
	n := *t
	n.Tuning, n.solved = *t.Narrower, nil
	n.First = nil
	n.compete()
	for _, c := range t.starts.all {
		n.enter(c.tree)
	}
	return &n
}

// takeWork counts as t's what was spent on n, which went on from t's own.
func (t *tuning) takeWork(n *tuning) {
	t.solves, t.work, t.nodes = n.solves, n.work, n.nodes
	if n.limit != mio.NoLimit {
		t.stopped(n.limit)
	}
}

// ofMargin is what validation found at margin mu.
func (u *Tuning) ofMargin(mu float64) MarginChoice {
	m := MarginChoice{Mu: mu}
	for _, p := range u.Envelope {
		if p.Chosen {
			m.ValidationErrors, m.ValidationErrorWeight = p.ValidationErrors, p.ValidationErrorWeight
		}
	}
	return m
}
