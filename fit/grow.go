package fit

import (
	"context"
	"errors"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio/verify"
)

// runAlgorithm is an algorithm as the method.
func (j *job) runAlgorithm(ctx context.Context, m problem.Algorithm) (*answer, error) {
	t := j.task(nil)
	if m.Info().Has("lp") {
		s, _, err := j.findSolver(ctx)
		switch {
		case err == nil:
			t.LP = j.linearPrograms(s)
			j.stage("linear programs are solved with %s %s", s.Name(), s.Version())
		case !j.lpFree(m) || errors.Is(err, ErrNoTree):
			return nil, err
		default:
			j.stage("linear programs are solved natively: no solver")
		}
	}
	if b, ok := m.(problem.Started); ok {
		begin, err := j.beginWith(ctx, b.BeginsWith())
		if err != nil {
			return nil, err
		}
		t.Begin = begin
	}
	g, err := m.Grow(ctx, j.data, t)
	switch {
	case errors.Is(err, formulate.ErrSingleLeaf):
		return j.leafAnswer(err, problem.Heuristic, nil), nil
	case outOfTime(ctx, err):
		return j.lastResort(endedNow(ctx), m, nil), nil
	case err != nil:
		return nil, badInput(err)
	}
	a := &answer{engine: problem.Heuristic, tree: g.Tree, objective: g.Objective, verdict: unproved(math.NaN(), g.Limit)}
	if a.Heuristic = g.Outcome; a.Heuristic != nil {
		a.Heuristic.Limit = g.Limit.String()
	}
	if a.objective == nil {
		a.objective = j.valueOf(m)
	}
	a.verdict.Objective = a.objective(g.Tree)
	if g.Claims != nil {
		matches := verify.Near(*g.Claims, a.verdict.Objective)
		a.Check = &Check{ObjectiveMatches: &matches}
		j.checkClaim(a, g.Name, *g.Claims)
	}
	return a, nil
}

// beginWith is the tree that a search over trees of fixed structure was told to begin
// with, nil for none.
func (j *job) beginWith(ctx context.Context, p problem.Problem) (*problem.Grown, error) {
	if j.StartTree == nil && (j.Start == "auto" || j.Start == "none") {
		return nil, nil
	}
	from, err := j.growStarts(ctx, p)
	if err != nil || len(from.trees) == 0 {
		return nil, err
	}
	return from.trees[0], nil
}
