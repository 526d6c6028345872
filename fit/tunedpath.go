package fit

import (
	"context"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// maxAlphaSolves ends a path whose points no proof makes final. A path of exact
// solves has fewer: two per point of the envelope.
const maxAlphaSolves = 200

// walkAlpha finds the envelope by its breakpoints. The trees found so far have an
// envelope; at the alpha where two neighbours on it are equally good, a solve
// finds a better tree than both, and so two new edges, or proves that there is
// none. With k points on the envelope, that takes at most 2k - 1 exact solves:
// one at alpha = 0, and each other one adds a point or closes an edge.
func (t *tuning) walkAlpha(ctx context.Context) error {
	if t.Depth == int(problem.NoDepth) {
		return t.walkDown(ctx)
	}
	whole := tuneGoal{depth: t.Depth}
	bound, done, err := t.solveGoal(ctx, whole, 2)
	if done || err != nil {
		return err
	}
	t.note(whole, bound)
	if done, err := t.simplestTree(ctx); done || err != nil {
		return err
	}
	for t.solves < maxAlphaSolves {
		edges := t.openEdges()
		if len(edges) == 0 {
			return nil
		}
		if done, err := t.closeEdge(ctx, edges[0], len(edges)+1); done || err != nil {
			return err
		}
	}
	return nil
}

// walkDown is walkAlpha without a limit on the depth, where alpha = 0 has no solve: the best tree
// would fit all rows. It closes the edges from the simplest trees on, the largest alpha first, until
// a solve proves nothing: those of less alpha take longer.
func (t *tuning) walkDown(ctx context.Context) error {
	for t.solves < maxAlphaSolves {
		edges := t.openEdges()
		if len(edges) == 0 {
			return nil
		}
		e := edges[len(edges)-1]
		if e.alpha <= 0 {
			return nil
		}
		if done, err := t.closeEdge(ctx, e, 2); done || err != nil {
			return err
		}
		goal := tuneGoal{depth: t.Depth, alpha: e.alpha}
		best, _ := t.pool.best(goal)
		if t.solved[len(t.solved)-1].bound < t.pool.value(best, e.alpha)-10*t.pool.tolerance {
			return nil
		}
	}
	return nil
}

// simplestTree ends a path where no tree satisfies the constraints, and where no constant tree
// does, solves at the alpha from which the simplest tree that does is the best.
func (t *tuning) simplestTree(ctx context.Context) (done bool, err error) {
	switch {
	case len(t.pool.all) == 0:
		return true, nil
	case t.leastConstant() < math.Inf(1):
		return false, nil
	}
	top := tuneGoal{depth: t.Depth, alpha: t.pool.top}
	bound, done, err := t.solveGoal(ctx, top, 2)
	if !done && err == nil {
		t.note(top, bound)
	}
	return done, err
}

// edge joins two neighbours on the envelope, which are equally good at alpha.
type edge struct {
	alpha           float64
	complex, simple survivor
}

// closeEdge solves the problem at an edge. Where the more complex tree is proved
// best for some lower alpha, no tree of its complexity or more is better here; where
// the simpler one is for some higher alpha, none of its complexity or less. So
// only trees in between are looked for, which have no more levels than splits; and
// often there are none.
func (t *tuning) closeEdge(ctx context.Context, e edge, of int) (done bool, err error) {
	whole := tuneGoal{depth: t.Depth, alpha: e.alpha}
	value := t.pool.value(e.complex.candidate, e.alpha)
	upper, lower := t.provedBest(e.complex)[0], t.provedBest(e.simple)[1]
	if upper && lower && e.complex.complexity-e.simple.complexity == 1 {
		t.note(whole, value)
		return false, nil
	}
	goal := whole
	if upper && t.Depth != int(problem.NoDepth) { // a limit on splits would cost the exact search more than it saves
		goal.depth = max(1, min(goal.depth, e.complex.complexity-1))
	}
	bound, done, err := t.solveGoal(ctx, goal, of)
	if err == nil && !done {
		if upper {
			bound = min(bound, value)
		}
		t.note(whole, bound)
	}
	return done, err
}

// openEdges are those at whose alpha no solve has been, by ascending alpha.
func (t *tuning) openEdges() []edge {
	var open []edge
	envelope := t.pool.envelope()
	for i, s := range envelope[:len(envelope)-1] {
		if !t.solvedAt(s.high) {
			open = append(open, edge{s.high, s, envelope[i+1]})
		}
	}
	return open
}

func (t *tuning) solvedAt(alpha float64) bool {
	for _, s := range t.solved {
		if s.most == 0 && s.depth == t.Depth && math.Abs(s.alpha-alpha) <= 1e-12 {
			return true
		}
	}
	return false
}

// walkSplits is the paper's loop: for each depth and each complexity the least
// error, begun from the best tree so far that fits.
func (t *tuning) walkSplits(ctx context.Context) error {
	weight, _ := t.train.UnavoidableErrors() // of numbers none
	var goals []tuneGoal
	for depth := 1; depth <= t.Depth; depth++ {
		for _, most := range t.complexities(depth) {
			goals = append(goals, tuneGoal{depth: depth, most: most})
		}
	}
	for i, g := range goals {
		if best, ok := t.pool.best(g); ok && best.errors <= weight+t.pool.tolerance && best.complexity < g.most {
			t.note(g, weight) // no tree has fewer errors
			continue
		}
		bound, done, err := t.solveGoal(ctx, g, len(goals)-i)
		if done || err != nil {
			return err
		}
		t.note(g, bound)
	}
	return nil
}

// complexities are the most splits of the solves at a depth, 1 to 2^depth - 1. For
// hyperplanes they are numbers of features, up to that many times p: all up to 8,
// then each a quarter more than the one before.
func (t *tuning) complexities(depth int) []int {
	limit := 1<<depth - 1
	if t.Hyperplanes {
		limit *= t.train.P()
	}
	var all []int
	for c := 1; c < limit; c++ {
		if t.Hyperplanes && c > 8 {
			c = max(c, all[len(all)-1]*5/4)
			if c >= limit {
				break
			}
		}
		all = append(all, c)
	}
	return append(all, limit)
}

// solveGoal solves a problem of the path within its share of what is left of the
// time limit: one of so many solves. It says whether time or an interrupt ended
// the path.
func (t *tuning) solveGoal(ctx context.Context, g tuneGoal, of int) (bound float64, done bool, err error) {
	if ctx.Err() != nil {
		t.limit = mio.LimitOf(ctx)
		return 0, true, nil
	}
	if left, limited := timeLeft(ctx); limited {
		if t.Refit {
			left -= t.Solve.TimeLimit / tuneShare
		}
		if left <= 0 {
			t.limit = mio.LimitTime
			return 0, true, nil
		}
		g.time = max(1, left/time.Duration(of))
	}
	if bound, err = t.solveBy(ctx, g); err != nil {
		return 0, true, err
	}
	t.solves++
	if best, ok := t.pool.best(g); ok {
		t.stage("solve %d: %s: error weight %.6g, complexity %d", t.solves, &g, best.errors, best.complexity)
	} else {
		t.stage("solve %d: %s: no tree", t.solves, &g)
	}
	return bound, false, nil
}

// note notes what a solve proved; of all trees, that none holds the constraints.
func (t *tuning) note(g tuneGoal, bound float64) {
	t.solved = append(t.solved, solvedGoal{g, bound})
	all := g.depth == t.Depth && g.splitLimit() == 0
	t.infeasible = t.infeasible || all && bound == math.Inf(1)
}

// provedOn says whether a tree is proved best throughout its interval.
func (t *tuning) provedOn(s survivor) bool {
	if t.Of == nil {
		return false
	}
	if t.data.Trivial() {
		return t.provedTrivial(s)
	}
	return t.provedByAlpha(s) || t.provedBySplits(s)
}

// provedTrivial says whether a constant tree is the best where no tree is worth having: of
// rows of one class others may be, under constraints, unless it makes no errors.
func (t *tuning) provedTrivial(s survivor) bool {
	return t.keep == nil || t.data.Baseline() > 0 || s.errors <= t.pool.tolerance
}

// provedByAlpha: the least value is a concave function of alpha. Where it equals
// that of a tree, which is linear, on both sides of an interval, it does so in
// between.
func (t *tuning) provedByAlpha(s survivor) bool {
	is := t.provedBest(s)
	return is[0] && is[1]
}

// provedBest says whether a tree is proved best for some alpha up to the low end of
// its interval, and for some from the high end. At alpha = 1 the single leaf is
// best, since every other tree pays as much for its first split as the leaf for its
// errors. Under constraints that is so of the best constant tree that holds them, at the
// top.
func (t *tuning) provedBest(s survivor) (at [2]bool) {
	at[1] = s.complexity == 0 || t.keep == nil && s.high >= 1 && t.pool.value(s.candidate, 1) <= t.pool.scale+t.pool.tolerance
	for _, p := range t.solved {
		if p.most != 0 || p.depth != t.Depth || p.bound < t.pool.value(s.candidate, p.alpha)-10*t.pool.tolerance {
			continue
		}
		at[0] = at[0] || p.alpha <= s.low+1e-12
		at[1] = at[1] || p.alpha >= s.high-1e-12
	}
	return at
}

// provedBySplits: the trees of a complexity have no fewer errors than the bound of
// any solve that admits them. All is linear in alpha, so that the ends of the
// interval decide.
func (t *tuning) provedBySplits(s survivor) bool {
	if t.Depth == int(problem.NoDepth) {
		return false
	}
	limit := 1<<t.Depth - 1
	if t.Hyperplanes {
		limit *= t.train.P()
	}
	bounds := make([]float64, limit+1)
	for c := range bounds {
		bounds[c] = math.Inf(-1)
	}
	bounds[0] = t.leastConstant()
	for _, p := range t.solved {
		if p.depth != t.Depth || p.alpha != 0 {
			continue
		}
		most := p.most
		if most == 0 {
			most = limit
		}
		for c := 1; c <= most; c++ {
			bounds[c] = max(bounds[c], p.bound)
		}
	}
	for _, alpha := range []float64{s.low, s.high} {
		value := t.pool.value(s.candidate, alpha)
		for c, bound := range bounds {
			if bound+alpha*t.pool.scale*float64(c) < value-10*t.pool.tolerance {
				return false
			}
		}
	}
	return true
}

// walkPruning is the path of cart-tuned: the subtrees that cost-complexity pruning
// makes of CART's tree.
func (t *tuning) walkPruning(ctx context.Context) error {
	if t.data.Kind() == dataset.Numbers {
		return t.growFirst(ctx)
	}
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
