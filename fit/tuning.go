package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Work of each solve of a tuning unless Options.WorkLimit says otherwise: of the
// exact search, some ten seconds to a minute; of local search where that proves
// nothing, a second; of alternating, some tenths of one.
const (
	tuneSearchWork = 1e10
	tuneLocalWork  = 4e8
	tunePlaneWork  = 5e7
)

// tuneShare is the part of the time limit kept for fitting once more, and the most
// that a greedy method may take.
const tuneShare = 10

func (t *tuning) workLimit(usual int64) int64 {
	if w := t.WorkLimit; w > 0 {
		return w
	}
	return usual
}

// tuning is a tuning under way: the trees that compete, and what was proved of
// which problem.
type tuning struct {
	*job
	problem.Tuning
	train, validation *dataset.Dataset
	data              *problem.Data  // of train
	keep              *constraint.On // on train; nil for none
	infeasible        bool           // proved that no tree holds them
	pool              *candidates
	starts            *candidates // what searches begin with: pool and what it does not admit
	solved            []solvedGoal
	solves            int       // the problems that took a search
	limit             mio.Limit // that kept something from being proved
	unproved          string    // why a solve that no limit ended proves nothing; "" for none
	solver            *Solver   // of the last solve by a program; nil without
	work, nodes       int64
}

// stopped notes the limit of a solve that proved nothing. A limit of all of the
// fit outlives that of one solve.
func (t *tuning) stopped(l mio.Limit) {
	switch {
	case l == mio.NoLimit || t.limit == mio.LimitInterrupt:
	case l == mio.LimitInterrupt || t.limit != mio.LimitTime:
		t.limit = l
	}
}

// compete begins the pool, with the constant trees.
func (t *tuning) compete() {
	t.pool = newCandidates(t.train, t.Complexity, t.keep)
	t.starts = t.pool
	if t.Admitting != nil {
		t.pool.admits = t.Admitting(t.data)
		t.starts = newCandidates(t.train, t.Complexity, t.keep)
	}
}

// enter has a tree and its best subtrees compete, and begin searches.
func (t *tuning) enter(grown *tree.Tree) {
	t.pool.addPruned(grown)
	if t.starts != t.pool {
		t.starts.addPruned(grown)
	}
}

// bindTrain binds the constraints to the rows of t.train, and says what is left out there but
// not of all rows.
func (t *tuning) bindTrain() error {
	whole := t.p.Keep
	if t.keep = whole; whole == nil || t.train == t.job.data.Dataset {
		return nil
	}
	var err error
	if t.keep, err = t.p.Constraints.On(t.train); err != nil {
		return badInput(err)
	}
	for _, w := range t.keep.Warnings {
		if !slices.Contains(whole.Warnings, w) {
			t.warn("of the training part: " + w)
		}
	}
	return nil
}

// leastConstant is the least error weight of a constant tree that competes, +Inf for none.
func (t *tuning) leastConstant() float64 {
	if t.keep == nil {
		return t.pool.scale
	}
	least := math.Inf(1)
	for _, c := range t.pool.all {
		if c.complexity == 0 {
			least = min(least, c.errors)
		}
	}
	return least
}

// where names the rows of t.train.
func (t *tuning) where() string {
	if t.train == t.job.data.Dataset {
		return "all training rows"
	}
	return "the training part"
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

// byProgram says whether a solver is asked, since one was named or the engine is mio.
func (t *tuning) byProgram() bool {
	return t.Of != nil && (!t.usual || t.Engine == problem.MIO)
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
	p, err := t.Of(s).On(within, t.data, 0)
	if err != nil {
		return 0, badInput(err)
	}
	f, err := p.Search(within, o)
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
	if f.Status == mio.Optimal || f.Status == mio.Infeasible || f.Limit == mio.LimitInterrupt || t.keep != nil {
		return f.Bound * t.pool.scale, nil
	}
	local := localsearch.Options{Work: min(tuneLocalWork, t.workLimit(tuneLocalWork))}
	part, cancel := g.within(ctx, 1)
	defer cancel()
	return f.Bound * t.pool.scale, t.searchLocally(part, g, local)
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
	if t.data.Kind() == dataset.Numbers {
		s := t.shape(g)
		s.MaxSplits = g.splitLimit()
		on := *t.job
		on.data, on.seed = t.data, t.seed+uint64(t.solves)
		found, err := on.improved(ctx, s, best.tree)
		if err != nil {
			return badInput(err)
		}
		t.enter(found)
		return nil
	}
	res, err := problem.SearchLocally(ctx, t.data, o)
	switch {
	case err != nil && t.data.Kind() != dataset.Errors: // of more than two classes
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

// solveProgram is solveBy by the program of the problem with a solver, from the best
// tree so far; where the model does not admit it (a margin below mu), from the
// automatic start.
func (t *tuning) solveProgram(ctx context.Context, g tuneGoal) (bound float64, err error) {
	ctx, cancel := g.within(ctx, 10)
	defer cancel()
	best, _ := t.pool.best(g)
	c, err := t.solveFrom(ctx, t.Of(t.shape(g)), best.tree)
	if errors.Is(err, formulate.ErrNoStart) {
		c, err = t.solveFrom(ctx, t.Of(t.shape(g)), nil)
	}
	if err == nil {
		err = c.Err
	}
	if errors.Is(err, ErrInfeasible) && t.keep != nil {
		return math.Inf(1), nil
	}
	if errors.Is(err, ErrNoTree) {
		t.stopped(mio.LimitOf(ctx))
		return math.Inf(-1), nil
	}
	if err == nil && c.check != nil && !c.check.OK() {
		err = fmt.Errorf("%w: %s", ErrCheck, c.check.Problem)
	}
	if err != nil {
		return 0, err
	}
	t.enter(c.Tree)
	if s := c.account; s != nil {
		if t.solver == nil || s.Name != "none" {
			t.solver = &Solver{Name: s.Name, Version: s.Version}
		}
		t.nodes += s.Nodes
	}
	if c.Status == mio.Optimal { // but for the solver's tolerances
		best, _ := t.pool.best(g)
		return t.pool.value(best, g.alpha), nil
	}
	t.stopped(c.Limit)
	t.unproved = cmp.Or(t.unproved, c.unproved)
	return c.Bound * t.pool.scale, nil
}

// shape is that of a goal's trees.
func (t *tuning) shape(g tuneGoal) problem.Shape {
	return problem.Shape{
		Levels: problem.Levels{Depth: problem.Depth(g.depth)}, Price: problem.Price{Alpha: g.alpha, MaxSplits: g.most}, Leaves: problem.Leaves{MinLeaf: t.MinLeaf},
	}
}

// solveFrom has the plan of the engine mio run on the training part, from a tree or, with nil,
// from the automatic start.
func (t *tuning) solveFrom(ctx context.Context, of problem.Method, from *tree.Tree) (*Certificate, error) {
	j, err := newJob(t.train, Options{Method: of, Solver: t.Solver, Place: t.Options.Place, Solve: t.Solve, StartTree: from, StartName: "earlier"})
	if err != nil {
		return nil, err
	}
	j.interrupt = t.interrupt
	if err := j.bind(ctx, 0); err != nil {
		return nil, err
	}
	l := newLedger(j)
	if err := j.runPlan(ctx, l, j.mioPlan()); err != nil {
		return nil, err
	}
	return l.Certificate(), nil
}

// growFirst puts CART's trees by each criterion, and their subtrees, into the pool.
func (t *tuning) growFirst(ctx context.Context) error {
	if t.data.Kind() == dataset.Numbers {
		grown, err := t.growNumbers(ctx)
		if err == nil {
			t.enter(grown)
		}
		return err
	}
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

// growNumbers grows CART's tree of numbers on the training part, without a price.
func (t *tuning) growNumbers(ctx context.Context) (*tree.Tree, error) {
	m := &problem.CART{Shape: t.shape(tuneGoal{depth: t.Depth})}
	p, err := m.On(ctx, t.data, 0)
	if err != nil {
		return nil, badInput(err)
	}
	g, err := p.Grow(ctx, problem.Task{})
	if err != nil {
		return nil, badInput(err)
	}
	t.stopped(g.Limit)
	return g.Tree, nil
}

// growCART grows CART's tree on the training part, as it is laid out.
func (t *tuning) growCART(ctx context.Context, l *tree.Training, c tree.Criterion) (*cart.Result, error) {
	res, err := t.data.GrowCART(ctx, l.Rows, cart.Options{Criterion: c, MaxDepth: t.Depth, MinLeaf: l.Unit.LeastLeaf(t.MinLeaf), Presort: l.Presort})
	return res, badInput(err)
}

// planeShrink is the part of the features that recursive elimination keeps.
const planeShrink = 0.75

// growPlanes puts MSMT's trees and their subtrees into the pool: on all features,
// then again and again on the three quarters that mattered most (recursive feature
// elimination, Guyon et al. 2002), so that there are trees of every complexity.
// They need no margin of mu, which on features of long tails few planes have; a descent from
// each makes trees that keep it.
func (t *tuning) growPlanes(ctx context.Context) error {
	o := vertex.MSMTOptions{MaxDepth: t.Depth, MinLeaf: t.MinLeaf, Pruning: vertex.Unpruned, Seed: t.seed}
	share := budgetOf(ctx, tuneShare, 1)
	ctx, cancel := share.next(ctx)
	defer cancel()
	features := t.train.Varying()
	for len(features) > 1 && ctx.Err() == nil {
		res, err := vertex.MSMT(ctx, t.train.WithFeatures(features), o)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			return nil
		}
		if outOfTime(ctx, err) {
			return nil
		}
		if err != nil {
			return badInput(err)
		}
		grown := res.Tree.Remap(t.train, features)
		t.enter(grown)
		if err := t.alternateOn(ctx, features, res.Tree); err != nil {
			return err
		}
		features = t.mostUsed(grown, features)
	}
	return nil
}

// descentWork, for each number of the data, is enough for most descents on large data.
const descentWork = 2000

// alternateOn descends from a tree to one that keeps the margin, on the features that it may
// use.
func (t *tuning) alternateOn(ctx context.Context, features []int, grown *tree.Tree) error {
	few := t.train.WithFeatures(features)
	work := max(tunePlaneWork, descentWork*int64(few.N()*few.P()))
	res, err := alternating.Search(ctx, few, alternating.Options{
		Depth: t.Depth, MinLeaf: t.MinLeaf, Mu: t.Mu, Starts: []*tree.Tree{grown}, Restarts: -1, Seed: t.seed, Work: t.workLimit(work),
	})
	if err != nil {
		return badInput(err)
	}
	t.work += res.Stats.Work
	t.enter(res.Tree.Remap(t.train, features))
	return nil
}

// solvePlanes is solveBy by alternating over the nodes.
func (t *tuning) solvePlanes(ctx context.Context, g tuneGoal) error {
	ctx, cancel := g.within(ctx, 10)
	defer cancel()
	res, err := problem.Alternate(ctx, t.data, alternating.Options{
		Depth: g.depth, Alpha: g.alpha, MinLeaf: t.MinLeaf, MaxSplits: g.most, Mu: t.Mu,
		Starts: t.startsOf(g), Seed: t.seed + uint64(t.solves), Work: t.workLimit(tunePlaneWork),
	})
	switch {
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

// startsOf are the best tree for the goal of those that compete, the best of all, and
// those of the envelope.
func (t *tuning) startsOf(g tuneGoal) []*tree.Tree {
	var all []*tree.Tree
	add := func(x *tree.Tree) {
		if x.Splits() > 0 && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	for _, pool := range []*candidates{t.pool, t.starts} {
		if best, ok := pool.best(g); ok {
			add(best.tree)
		}
	}
	for _, s := range t.pool.envelope() {
		if s.depth <= g.depth {
			add(s.tree)
		}
	}
	return all
}

// mostUsed returns those of the features that weigh most in the splits of a tree,
// ascending: by the sum of |weight| x standard deviation x rows at the split.
func (t *tuning) mostUsed(grown *tree.Tree, features []int) []int {
	ds := t.train
	grown.Annotate(ds)
	sum := make([]float64, ds.P())
	for i := range grown.Nodes {
		n := &grown.Nodes[i]
		if n.Split == nil {
			continue
		}
		rows, norm := 0.0, 0.0
		for _, c := range n.Count {
			rows += c
		}
		part := make([]float64, len(n.Split.Terms))
		for k, term := range n.Split.Terms {
			part[k] = math.Abs(term.Weight) * t.deviation(term.Feature)
			norm += part[k]
		}
		for k, term := range n.Split.Terms {
			sum[term.Feature] += rows * part[k] / norm
		}
	}
	order := slices.Clone(features)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sum[b], sum[a]) })
	order = order[:min(len(order)-1, int(math.Ceil(planeShrink*float64(len(order)))))]
	slices.Sort(order)
	return order
}

// deviation is the standard deviation of feature j on the training part.
func (t *tuning) deviation(j int) float64 {
	mean, n := 0.0, float64(t.train.N())
	for i := range t.train.N() {
		mean += t.train.At(i, j) / n
	}
	square := 0.0
	for i := range t.train.N() {
		d := t.train.At(i, j) - mean
		square += d * d / n
	}
	return math.Sqrt(square)
}
