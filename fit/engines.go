package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/localsearch"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// runSearch is the engine search.
func (j *job) runSearch(ctx context.Context, l *Ledger) error {
	p := j.p
	if p.Value != nil && !p.Exact {
		if err := j.trivial(); err != nil {
			return l.Single(problem.Search, err)
		}
	}
	start, seconds, err := j.searchStart(ctx)
	if err != nil {
		return err
	}
	if p.Info.Shape != nil {
		j.tellSearch(p.Shape.Greatest())
	}
	until, stop := context.WithCancel(ctx)
	defer stop()
	reached := false
	f, err := p.Search(until, problem.SearchOptions{
		Start: start, Workers: j.Solve.Threads, Work: j.WorkLimit, Seed: j.seed, Warn: j.warn,
		Progress: l.searchProgress(func(objective, bound float64) {
			if j.closeEnough(objective, bound) {
				reached = true
				stop()
			}
		}),
	})
	if err == nil && reached && f.Limit == mio.LimitInterrupt && ctx.Err() == nil {
		f.Limit = mio.LimitGap
	}
	switch {
	case errors.Is(err, formulate.ErrSingleLeaf):
		return l.Single(problem.Search, err)
	case outOfTime(ctx, err):
		l.Stop(ctx, "the search had looked at a tree")
		return nil
	case err != nil:
		return badInput(err)
	}
	l.Found(f)
	if l.foundBy = problem.Search; f.Status == mio.Infeasible {
		l.ruledOut(f, j.conflict(ctx))
	}
	l.account = describeFound(f, l.verdict(l.leading()))
	if l.account.StartSeconds = seconds; f.Tree == nil {
		return nil
	}
	if f.ObjectiveOf != nil {
		l.value = f.ObjectiveOf
	}
	if l.check = soundCheck(); f.Unbounded {
		l.check.Feasible = nil
	} else if p.Info.Shape != nil {
		l.checkLimits(f.Tree, p.Limits())
	}
	l.checkConstraints(f.Tree, p.Keep)
	l.checkClaim(p.Name, f.Tree, f.Objective)
	return nil
}

// goOnLocally has local search go on from the tree of an exact search that a time limit ended.
func (j *job) goOnLocally(ctx context.Context, l *Ledger) error {
	best, s := l.best, j.p.Shape
	if ctx.Err() != nil || l.limit != mio.LimitTime || best == nil || l.account == nil {
		return nil
	}
	j.stage("no proof so far; local search continues from its tree")
	found, err := j.improved(ctx, s, best.tree)
	if err != nil { // of more than two classes with costs, or out of time
		return nil
	}
	value, limits := l.value(found), j.p.Limits()
	if !(value < best.value) || verify.Same(value, best.value) || limits.Broken(found, j.data.Dataset) != nil {
		return nil
	}
	l.best = &offer{"local-search", found, value, true}
	v := l.verdict(l.best)
	a := l.account
	if a.StartObjective != nil {
		gain := *a.StartObjective - value
		a.StartGain = &gain
	}
	a.Status, a.Objective, a.Bound, a.Gap = v.Status.String(), Known(v.Objective), Known(v.Bound), Known(v.Gap)
	a.Note = "the tree is by local search, which went on from that of the search"
	return nil
}

// improved is the tree that local search makes of another.
func (j *job) improved(ctx context.Context, s problem.Shape, from *tree.Tree) (*tree.Tree, error) {
	if j.data.Kind() == dataset.Numbers {
		p, err := (&problem.LocalSearch{Shape: s}).On(ctx, j.data, 0)
		if err != nil {
			return nil, err
		}
		g, err := p.Grow(ctx, problem.Task{Seed: j.seed, Begin: &problem.Grown{Tree: from}})
		if err != nil {
			return nil, err
		}
		return g.Tree, nil
	}
	res, err := problem.SearchLocally(ctx, j.data, localsearch.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Starts: []*tree.Tree{from}, Seed: j.seed,
	})
	if err != nil {
		return nil, err
	}
	return res.Tree, nil
}

// tellSearch tells that the search of all trees of a depth begins, and what it may take.
func (j *job) tellSearch(depth int) {
	if depth == int(problem.NoDepth) {
		j.longStage("searching all trees", fmt.Sprintf("not proved yet, since all trees on %d features of %d rows have to be ruled out", j.data.P(), j.data.N()),
			"a larger --alpha or a --depth is proved sooner")
		return
	}
	shorter := ""
	if depth > 1 {
		shorter = fmt.Sprintf("--depth %d is proved sooner", depth-1)
	}
	j.longStage(fmt.Sprintf("searching all trees of depth %d", depth),
		fmt.Sprintf("not proved yet, since all trees of depth %d on %d features of %d rows have to be ruled out", depth, j.data.P(), j.data.N()), shorter)
}

// searchStart is the tree that a search begins with, nil to leave it to the search.
func (j *job) searchStart(ctx context.Context) (*problem.Grown, *float64, error) {
	switch {
	case j.StartTree != nil:
		return &problem.Grown{Name: j.StartName, Tree: j.StartTree}, nil, nil
	case j.Start == "auto" && len(j.Starters) == 0:
		return nil, nil, nil
	case j.Start == "none" && j.p.Kind == problem.Formulation:
		return &problem.Grown{Name: "leaf", Tree: majorityLeaf(j.data.Dataset)}, nil, nil
	case j.Start == "none", isExact(j.Start):
		return nil, nil, fmt.Errorf("%w: %s begins with a tree: auto, another method, or a tree.json", ErrInput, j.p.Name)
	}
	p, err := j.begins(ctx)
	if err != nil {
		return nil, nil, err
	}
	if p == nil {
		return nil, nil, fmt.Errorf("%w: %s begins with a tree of its own", ErrInput, j.p.Name)
	}
	if j.Start == "auto" { // that which was given options
		began, share := time.Now(), budgetOf(ctx, startShare, 1)
		g, err := j.growOne(ctx, &share, j.Starters[0], j.task(p))
		seconds := time.Since(began).Seconds()
		return g, &seconds, err
	}
	grown, err := j.growStarts(ctx, p)
	if err != nil || len(grown.trees) == 0 {
		return nil, nil, err
	}
	return grown.trees[0], &grown.seconds, nil
}

// begins is the problem whose starts suit the method as trees to begin with: its own, or that
// which an algorithm names; nil for none.
func (j *job) begins(ctx context.Context) (*problem.Problem, error) {
	switch {
	case j.p.Kind == problem.Formulation:
		return j.p, nil
	case j.p.Begin == nil:
		return nil, nil
	}
	p, err := j.p.Begin.On(ctx, j.data, 0)
	return p, badInput(err)
}

// closeEnough reports whether a gap is the one asked for, or less.
func (j *job) closeEnough(objective, bound float64) bool {
	s := &j.Solve
	return s.RelGap > 0 && mio.Gap(objective, bound) <= s.RelGap || s.AbsGap > 0 && math.Abs(objective-bound) <= s.AbsGap
}

// searchProgress passes the progress of the exact search on, and lets see look at it.
func (l *Ledger) searchProgress(see func(objective, bound float64)) func(exact.Progress) {
	of := l.p.Reported
	return func(p exact.Progress) {
		if of != nil {
			p.Objective, p.Bound = of(p.Objective), of(p.Bound)
		}
		see(p.Objective, p.Bound)
		l.Progress(solvers.Event{
			Elapsed: time.Duration(p.Seconds * float64(time.Second)), Objective: p.Objective, Bound: p.Bound, Gap: mio.Gap(p.Objective, p.Bound), Nodes: p.Stats.Nodes + p.Stats.Pairs,
		})
	}
}

// describeFound is the result's account of an exact search.
func describeFound(f *problem.Found, v verify.Verdict) *Solver {
	s := describeVerdict(f.Name, v, f.Raw)
	if s.Seconds = f.Seconds; f.Tree == nil {
		return s
	}
	s.Nodes, s.Search, s.Start, s.StartObjective = f.Nodes, f.Stats, f.Start, Known(f.StartObjective)
	if !math.IsNaN(f.StartObjective) {
		gain := f.StartObjective - f.Objective
		s.StartGain = &gain
	}
	return s
}

// runAlgorithm has an algorithm make a tree, as the method.
func (j *job) runAlgorithm(ctx context.Context, l *Ledger) error {
	t := j.task(nil)
	if j.info.Has("lp") {
		s, _, err := j.findSolver(ctx)
		switch {
		case err == nil:
			t.LP = j.linearPrograms(s)
			j.stage("linear programs are solved with %s %s", s.Name(), s.Version())
		case !(j.info.LPFree && j.usual) || errors.Is(err, ErrNoTree):
			return err
		default:
			j.stage("linear programs are solved natively: no solver")
		}
	}
	if j.StartTree != nil || j.Start != "auto" && j.Start != "none" { // the tree that it was told to begin with
		p, err := j.begins(ctx)
		if err != nil {
			return err
		}
		if p != nil {
			from, err := j.growStarts(ctx, p)
			if err != nil {
				return err
			}
			if len(from.trees) > 0 {
				t.Begin = from.trees[0]
			}
		}
	}
	g, err := j.p.Grow(ctx, t)
	switch {
	case errors.Is(err, formulate.ErrSingleLeaf):
		l.value = nil
		return l.Single(problem.Heuristic, err)
	case outOfTime(ctx, err):
		l.Stop(ctx, j.p.Name+" had a tree")
		return nil
	case err != nil:
		return badInput(err)
	}
	if g.Objective != nil {
		l.value = g.Objective
	}
	l.best, l.limit = &offer{g.Name, g.Tree, l.value(g.Tree), true}, g.Limit
	if l.heuristic = g.Outcome; l.heuristic != nil {
		l.heuristic.Limit = g.Limit.String()
	}
	if g.Claims != nil {
		matches := verify.Near(*g.Claims, l.best.value)
		l.check = &Check{ObjectiveMatches: &matches}
		l.checkClaim(g.Name, g.Tree, *g.Claims)
	}
	return nil
}
