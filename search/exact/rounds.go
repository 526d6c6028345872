package exact

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"golang.org/x/sync/errgroup"
)

// roundSize is the number of cuts of the root that are evaluated from the same state, for any
// number of workers.
const roundSize = 8

// A task, a cut or one side of it, may use a fraction 1/taskShare of the remaining work, so that
// one expensive task does not end the search. The price is that a round may use twice the remaining
// work.
const taskShare = 8

// search runs the root's rounds.
type search struct {
	ctx     context.Context
	p       *problem
	o       *Options
	begin   time.Time
	root    *node
	cache   *shared
	workers []*worker
	stats   Stats
	stopped bool
	worked  bool    // the work limit ended it
	depth   int     // requested depth: below it, bounds are not those of the problem
	floor   float64 // lower bound on its value before the search
	best    float64 // value of the best tree so far

	within   context.Context // ctx, or ended before it to leave time for annealing
	most     int64           // work of the search, likewise; 0: no limit
	anneal   *annealer       // nil: not yet
	annealed float64         // value of its best tree

	pause     int64 // work of the search after which deepening begins
	deepening bool

	parts *parts // nil: not yet
}

func newSearch(ctx context.Context, p *problem, o *Options, begin time.Time) *search {
	s := &search{ctx: ctx, within: ctx, most: o.WorkLimit, annealed: math.Inf(1), p: p, o: o, begin: begin, root: p.root()}
	memory := o.CacheMemory
	switch {
	case o.Rules.NoCache || memory < 0:
		memory = 0
	case memory == 0:
		memory = DefaultCacheMemory
	}
	count := max(1, o.Workers)
	s.cache = newShared(memory)
	_, depth := o.budget()
	for range count {
		s.workers = append(s.workers, newWorker(p, depth, func() bool { return s.within.Err() != nil }, s.cache))
	}
	return s
}

// run finds the best tree with a value below ub.
func (s *search) run(ub float64) answer {
	splits, depth := s.affordable(ub)
	c := child{header: &s.root.header, node: s.root, depth: depth, budget: splits, top: true}
	w := s.workers[0]
	s.depth, s.floor, s.best = depth, min(c.leaf(), w.leastSplit(&c)), ub
	if depth > 2 {
		switch s.pause = math.MaxInt64; {
		case s.o.deepen:
			s.pause = 0
		case depth >= earlyDepth:
			s.pause = s.plainWork()
		}
		a := s.solve(c, ub)
		if s.paused() {
			s.deepen(c, &a, ub)
		}
		return a
	}
	lv := &w.levels[depth]
	lv.whole = newPairNode(s.p)
	c.pair, c.node = lv.whole, nil
	c.header = &lv.whole.header
	w.split.whole(&c, s.root)
	a := s.alone(c, ub)
	s.report(min(ub, a.value), a.lb)
	return a
}

// solve is worker.solve at the root, in rounds.
func (s *search) solve(c child, ub float64) answer {
	w := s.workers[0]
	leaf := c.leaf()
	a := answer{lb: leaf, value: math.Inf(1)}
	if leaf < s.p.thr(ub) {
		a.value, a.leaf = leaf, true
	}
	ub = min(ub, leaf)
	low := w.leastSplit(&c)
	switch {
	case c.n < 2 || s.p.p == 0:
		return a
	case low >= s.p.thr(ub):
		s.stats.Closed++
		a.lb = min(leaf, low)
		return a
	}
	whole := 0.0
	if !s.p.rules.NoWhole {
		below := math.Inf(1)
		if s.deepening {
			below = ub
		}
		b := s.lower(&c, below)
		a.improve(b, s.p.thr(ub))
		whole = b.lb
	}
	s.stats.Nodes++
	best := min(ub, a.value)
	if c.depth == s.depth {
		best = min(best, s.annealed)
	}
	fr := newFrontier(s.p, &s.stats, &c, best, low, whole, nil)
	for !s.stop() && !s.paused() {
		cuts := s.nextRound(fr)
		if len(cuts) == 0 {
			break
		}
		s.evaluate(&c, cuts, fr.ub)
		for i := range cuts {
			fr.take(&cuts[i], c.depth, &a)
			w.compare(fr, &cuts[i])
		}
		s.turn()
		bound := s.floor
		if c.depth == s.depth {
			fr.ub = min(fr.ub, s.annealed)
			own := min(a.lb, fr.bound())
			s.searchParts(own)
			bound = max(own, s.floor)
		}
		s.report(min(a.value, s.annealed), bound)
	}
	a.lb = s.p.whole(min(a.lb, fr.bound()))
	return a
}

// lower solves the root with one level less, for a tree with a value below ub.
func (s *search) lower(c *child, ub float64) answer {
	w := s.workers[0]
	h := w.lower(c)
	if h.depth > 2 {
		return s.solve(h, ub)
	}
	return s.alone(h, ub)
}

// nextRound returns the next cuts to evaluate.
func (s *search) nextRound(fr *frontier) []cut {
	var cuts []cut
	for len(cuts) < roundSize {
		sp, ok := fr.pop()
		if !ok {
			break
		}
		cuts = append(cuts, cut{span: sp, pos: fr.middle(&sp), way: fr.ways[sp.arm]})
	}
	return cuts
}

// evaluate has the workers evaluate the cuts; it splits them into single sides if they are
// expensive enough to pay for that. Each task sees the cache as it was before the round, and their
// results are added in task order.
func (s *search) evaluate(c *child, cuts []cut, ub float64) {
	share := s.workLeft() / taskShare
	sides := 2
	if c.depth <= 3 || s.p.pure {
		sides = 1
	}
	found, stopped := make([][]memo, sides*len(cuts)), make([]bool, sides*len(cuts))
	idle := make(chan *worker, len(s.workers))
	for _, w := range s.workers {
		idle <- w
	}
	var g errgroup.Group
	for i := range found {
		w := <-idle
		g.Go(func() error {
			w.limit, w.stopped = w.stats.Work+share, false
			if sides == 1 {
				w.evaluate(c.node, c.depth, &cuts[i], ub)
			} else {
				w.evaluateSide(c.node, c.depth, &cuts[i/2], i%2, ub)
			}
			found[i], stopped[i] = w.known.take(), w.stopped
			idle <- w
			return nil
		})
	}
	_ = g.Wait() // no task fails
	s.cache.add(found, len(s.workers))
	for _, one := range stopped {
		s.stopped = s.stopped || one
	}
	for _, w := range s.workers {
		s.collect(w)
	}
}

// collect adds the counters of a worker.
func (s *search) collect(w *worker) {
	s.stats.add(&w.stats)
	w.stats = Stats{}
}

// alone solves c with the first worker.
func (s *search) alone(c child, ub float64) answer {
	w := s.workers[0]
	w.limit, w.stopped = s.workLeft(), false
	a := w.solve(c, ub)
	s.stopped = s.stopped || w.stopped
	s.cache.add([][]memo{w.known.take()}, len(s.workers))
	s.collect(w)
	return a
}

// workLeft returns the remaining work.
func (s *search) workLeft() int64 {
	if s.most <= 0 {
		return math.MaxInt64 / 2
	}
	return max(0, s.most-s.stats.Work)
}

func (s *search) stop() bool {
	s.worked = s.worked || s.workLeft() == 0
	s.stopped = s.stopped || s.worked || s.within.Err() != nil
	return s.stopped
}

// limit returns the limit that stopped the search.
func (s *search) limit() mio.Limit {
	switch {
	case s.ctx.Err() != nil:
		return mio.LimitOf(s.ctx)
	case !s.worked && s.within.Err() != nil:
		return mio.LimitTime
	}
	return mio.LimitIterations
}

func (s *search) report(value, bound float64) {
	s.best = min(s.best, value)
	if s.o.Progress == nil {
		return
	}
	s.o.Progress(Progress{
		Objective: s.p.objective(s.best), Bound: s.p.objective(min(s.best, bound)),
		Seconds: time.Since(s.begin).Seconds(), Stats: s.stats,
	})
}

// tree builds the tree of an answer for the root.
func (s *search) tree(a answer, ds *dataset.Dataset) (*tree.Tree, error) {
	b := newBuilder(s.workers[0], ds)
	if err := b.grow(0, s.root, &a); err != nil {
		return nil, err
	}
	b.tree.Relabel(ds)
	return b.tree, nil
}

type builder struct {
	w    *worker
	tree *tree.Tree
}

// newBuilder returns a builder of a single leaf; w must no longer search.
func newBuilder(w *worker, ds *dataset.Dataset) *builder {
	w.stopped, w.limit, w.done = false, math.MaxInt64, func() bool { return false }
	return &builder{w: w, tree: tree.NewLeaf(ds, 0)}
}

// split gives the leaf at index i the split that makes the cut pos of feature f of its rows nd, and
// returns its children and their rows.
func (b *builder) split(i int, nd *node, f int, pos int32) (left, right int, l, r *node) {
	p := b.w.p
	low, high := nd.ranksBeside(f, pos)
	values := p.values(f)
	left, right = b.tree.Grow(i, tree.Univariate(p.kept[f], tree.Midpoint(values[low], values[high])), 0, 0)
	l, r = newNode(p), newNode(p)
	lc, rc := child{header: &l.header, node: l, depth: 1}, child{header: &r.header, node: r, depth: 1}
	b.w.split.split(&lc, &rc, nd, f, pos)
	return left, right, l, r
}

// grow builds the subtree that a describes for the rows of nd at index i.
func (b *builder) grow(i int, nd *node, a *answer) error {
	if a.leaf {
		return nil
	}
	left, right, l, r := b.split(i, nd, int(a.feature), a.pos)
	if a.left == nil {
		var err error
		if a.left, err = b.stump(l, a.lvalue, a.lsplits); err != nil {
			return err
		}
		if a.right, err = b.stump(r, a.rvalue, a.rsplits); err != nil {
			return err
		}
	}
	if err := b.grow(left, l, a.left); err != nil {
		return err
	}
	return b.grow(right, r, a.right)
}

// stump finds the leaf or the stump with a known value.
func (b *builder) stump(nd *node, value float64, splits int32) (*answer, error) {
	p, pair := b.w.p, newPairNode(b.w.p)
	c := child{header: &pair.header, pair: pair, depth: int(splits), budget: int(splits)}
	b.w.split.whole(&c, nd)
	a := b.w.solve(c, p.above(value))
	if math.Abs(a.value-value) > p.tol+p.slack {
		return nil, fmt.Errorf("treesearch: internal error: a stump had value %v, now %v", value, a.value)
	}
	if !a.leaf {
		a.left, a.right = &answer{leaf: true}, &answer{leaf: true}
	}
	return &a, nil
}
