package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// searcher is a problem or an algorithm with an exact search.
type searcher interface {
	problem.Method
	Search(ctx context.Context, d *problem.Data, o problem.SearchOptions) (*problem.Found, error)
}

// runSearch is the engine search.
func (j *job) runSearch(ctx context.Context, m searcher) (*answer, error) {
	if p, ok := m.(problem.Valued); ok {
		if err := j.trivial(); err != nil {
			return j.constantAnswer(err, problem.Search, p.Value(j.data))
		}
	}
	o := problem.SearchOptions{Workers: j.Solve.Threads, Work: j.WorkLimit, Seed: j.seed, Progress: j.searchProgress(), Warn: j.warn}
	first, seconds, err := j.searchStart(ctx, m)
	if err != nil {
		return nil, err
	}
	o.Start = first
	if shape, ok := m.(problem.Shaped); ok {
		j.searching(shape.Grows().Greatest())
	}
	f, err := m.Search(ctx, j.data, o)
	switch {
	case errors.Is(err, formulate.ErrSingleLeaf):
		return j.leafAnswer(err, problem.Search, nil), nil
	case outOfTime(ctx, err):
		return j.resort(endedNow(ctx), m, nil)
	case err != nil:
		return nil, badInput(err)
	}
	if f.Tree == nil {
		return j.withoutSearched(f)
	}
	return j.searched(m, f, seconds), nil
}

// withoutSearched is the answer of a search under constraints that found no tree.
func (j *job) withoutSearched(f *problem.Found) (*answer, error) {
	a := &answer{engine: problem.Search}
	a.verdict = verify.Verdict{Status: f.Status, Limit: f.Limit, Objective: math.NaN(), Bound: f.Bound, Gap: math.Inf(1), Prover: f.Prover}
	a.Search, a.Solver = describeSearch(f), describeVerdict(f.Name, a.verdict, f.Raw)
	a.Solver.Seconds, a.Unproved = f.Seconds, f.Unproved
	if f.Status == mio.Infeasible {
		return j.noTree(a, f)
	}
	return j.withoutTree(a)
}

// searching tells that the search of all trees of a depth begins, and what it may take.
func (j *job) searching(depth int) {
	stage := fmt.Sprintf("searching all trees of depth %d", depth)
	why := fmt.Sprintf("not proved yet, since all trees of depth %d on %d features of %d rows have to be ruled out", depth, j.data.P(), j.data.N())
	shorter := ""
	if depth > 1 {
		shorter = fmt.Sprintf("--depth %d is proved sooner", depth-1)
	}
	j.longStage(stage, why, shorter)
}

// searchStart is the tree that a search begins with, nil to leave it to the search.
func (j *job) searchStart(ctx context.Context, m problem.Method) (*problem.Grown, *float64, error) {
	switch {
	case j.StartTree != nil:
		return &problem.Grown{Name: j.StartName, Tree: j.StartTree}, nil, nil
	case j.Start == "auto" && len(j.Starters) == 0:
		return nil, nil, nil
	case j.Start == "none", isExact(j.Start):
		return nil, nil, fmt.Errorf("%w: %s begins with a tree: auto, another method, or a tree.json", ErrInput, m.Info().Name)
	}
	p, ok := m.(problem.Problem)
	if !ok {
		exact, ok := m.(problem.Exact)
		if !ok {
			return nil, nil, fmt.Errorf("%w: %s begins with a tree of its own", ErrInput, m.Info().Name)
		}
		p = exact.Solves()
	}
	if j.Start == "auto" { // that which was given options
		began, share := time.Now(), budgetOf(ctx, defaultStartShare, 1)
		g, err := growWithin(ctx, &share, j.Starters[0], j.data, j.task(p))
		seconds := time.Since(began).Seconds()
		return g, &seconds, err
	}
	grown, err := j.growStarts(ctx, p)
	if err != nil || len(grown.trees) == 0 {
		return nil, nil, err
	}
	return grown.trees[0], &grown.seconds, nil
}

// searchProgress passes the progress of the exact search on.
func (j *job) searchProgress() func(exact.Progress) {
	if j.Notify == nil {
		return nil
	}
	of := j.reported()
	return func(p exact.Progress) {
		if of != nil {
			p.Objective, p.Bound = of(p.Objective), of(p.Bound)
		}
		j.Notify(Event{Progress: &solvers.Event{
			Elapsed: time.Duration(p.Seconds * float64(time.Second)), Objective: p.Objective, Bound: p.Bound, Gap: mio.Gap(p.Objective, p.Bound), Nodes: p.Stats.Nodes + p.Stats.Pairs,
		}})
	}
}

// searched is the answer of an exact search, checked.
func (j *job) searched(m problem.Method, f *problem.Found, startSeconds *float64) *answer {
	a := &answer{engine: problem.Search, tree: f.Tree, objective: f.ObjectiveOf}
	if a.objective == nil {
		a.objective = j.valueOf(m)
	}
	a.verdict = verify.Verdict{Status: f.Status, Limit: f.Limit, Objective: f.Objective, Bound: f.Bound, Gap: mio.Gap(f.Objective, f.Bound), Prover: cmp.Or(f.Prover, verify.BySearch)}
	a.Search = describeSearch(f)
	a.Solver, a.Unproved = describeVerdict(f.Name, a.verdict, f.Raw), f.Unproved
	a.Solver.Nodes, a.Solver.Seconds, a.Solver.Search = f.Nodes, f.Seconds, f.Stats
	a.Solver.Start, a.Solver.StartObjective, a.Solver.StartSeconds = f.Start, Known(f.StartObjective), startSeconds
	if !math.IsNaN(f.StartObjective) {
		gain := f.StartObjective - f.Objective
		a.Solver.StartGain = &gain
	}
	a.Check = soundCheck()
	if f.Unbounded {
		a.Check.Feasible = nil
	} else if s, ok := m.(problem.Shaped); ok {
		j.checkLimits(a, limits(s.Grows(), (*tree.Tree).Splits))
	}
	j.checkConstraints(a)
	j.checkClaim(a, m.Info().Name, f.Objective)
	return a
}

// checkClaim holds the objective that a native method reports against that of its
// tree.
func (j *job) checkClaim(a *answer, name string, claimed float64) {
	if own := a.objective(a.tree); !verify.Near(claimed, own) {
		a.Check.fail(&a.Check.ObjectiveMatches, fmt.Sprintf("%s says that its tree has objective %v, but it has %v", name, claimed, own))
	}
}

// boundedBy is a verdict with a bound from elsewhere, where it has none as good.
func boundedBy(v verify.Verdict, by verify.Prover, bound float64) verify.Verdict {
	switch {
	case !(bound > v.Bound):
	case verify.Same(bound, v.Objective):
		return proved(v.Objective, by)
	default:
		v.Bound, v.Prover, v.Gap = bound, by, mio.Gap(v.Objective, bound)
	}
	return v
}

// resort is lastResort under constraints, which the tree may have to hold.
func (j *job) resort(ctx context.Context, m problem.Method, from *starts) (*answer, error) {
	a := j.lastResort(ctx, m, from)
	if j.constrained.holds(a.tree) {
		return a, nil
	}
	return j.withoutTree(a)
}

// lastResort answers where ctx ended before anything else was there: with the best of
// the trees given, nil for none, or the single leaf.
func (j *job) lastResort(ctx context.Context, m problem.Method, from *starts) *answer {
	best := &problem.Grown{Name: "the single leaf", Tree: majorityLeaf(j.data.Dataset)}
	if leaf := j.bestLeaf(); leaf != nil {
		best.Tree = leaf
	}
	if best.Tree.Splits() > 0 {
		best.Name = "the splits that stay"
	}
	objective, v := j.valueOf(m), unproved(math.NaN(), mio.LimitOf(ctx))
	b, bounded := m.(problem.Bounded)
	if bounded && from != nil {
		for _, g := range from.trees {
			if b.Admits(g.Tree, j.data) && (!j.constrained.holds(best.Tree) || objective(g.Tree) < objective(best.Tree)) {
				best = g
			}
		}
	}
	if objective != nil {
		v.Objective = objective(best.Tree)
	}
	if bounded {
		v = boundedBy(v, verify.ByData, b.DataBound(j.data))
	}
	ran := new(answer)
	if p, ok := m.(problem.Problem); ok {
		for _, proof := range ran.searched(p, from) {
			v = boundedBy(v, proof.By, proof.Bound)
		}
	}
	why := "the time limit came before the model was built"
	if interrupted(ctx) {
		why = "interrupted while the model was built"
	}
	a := alone(problem.Heuristic, best.Tree, objective, v, why)
	a.Search = ran.Search
	a.Solver.Start, a.Solver.StartObjective = best.Name, Known(v.Objective)
	if objective != nil {
		zero := 0.0
		a.Solver.StartGain = &zero
	}
	if from != nil {
		a.Solver.StartSeconds = &from.seconds
	}
	return a
}
