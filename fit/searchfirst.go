package fit

import (
	"context"
	"errors"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// Trees under constraints, where no engine is named: the search, which proves most, then
// a program, from the search's tree and with its bound, in what is left of the time.

// searchShare is what the search may take of the time before a program has its turn, of
// so many.
const (
	searchShare = 4
	searchOf    = 5
)

// mostProgram is the number of nonzeros of a program that is built after a search: of
// larger ones solvers prove nothing in the time that is left.
const mostProgram = 2_000_000

// runSearchFirst is the engine search, and where it proves nothing the engine mio.
func (j *job) runSearchFirst(ctx, interrupt context.Context, p problem.Searcher) (*answer, error) {
	if !j.programAfter(ctx, p) {
		return j.runSearch(ctx, p)
	}
	within, cancel := ctx, context.CancelFunc(func() {})
	if left, limited := timeLeft(ctx); limited {
		within, cancel = context.WithTimeout(ctx, left*searchShare/searchOf)
	}
	defer cancel()
	a, err := j.runSearch(within, p)
	if unproved := err == nil && a.verdict.Status == mio.Feasible || errors.Is(err, ErrNoTree); !unproved || ctx.Err() != nil {
		return a, err
	}
	j.stage("the search has no proof; a program goes on from its tree")
	after := *j
	after.found = found(a)
	b, failed := after.runMIO(ctx, interrupt, p)
	if failed != nil && !errors.Is(failed, ErrInfeasible) && !errors.Is(failed, ErrCheck) || failed == nil && !betters(b, a) {
		return a, err // which is as good
	}
	b.of = p
	return b, failed
}

// programAfter reports whether a program may have a turn: no engine was named, none of
// what ends a search by work, and there is a solver that is not too slow for its size.
func (j *job) programAfter(ctx context.Context, p problem.Problem) bool {
	sized, ok := p.(problem.Sized)
	if !ok || j.constrained.on == nil || j.Engine != problem.Auto || j.WorkLimit > 0 || j.trivial() != nil {
		return false
	}
	if _, why, err := j.findSolver(ctx); why != nil || err != nil {
		return false
	}
	size, err := sized.Size(ctx, j.data)
	return err == nil && size.Nonzeros <= mostProgram
}

// found is what a search came to, for a program to begin with.
func found(a *answer) *problem.Found {
	f := &problem.Found{Name: a.Solver.Name, Tree: a.tree, Status: a.verdict.Status, Limit: a.verdict.Limit, Objective: a.verdict.Objective, Bound: a.verdict.Bound, Prover: a.verdict.Prover}
	if a.Search != nil {
		f.Seconds = a.Search.Seconds
	}
	return f
}

// betters reports whether an answer has a better tree than another, or a better bound.
func betters(b, a *answer) bool {
	if b.tree == nil {
		return false
	}
	less := func(x, y float64) bool { return x < y && !verify.Same(x, y) }
	return a.tree == nil || less(b.verdict.Objective, a.verdict.Objective) ||
		b.verdict.Prover != a.verdict.Prover && less(a.verdict.Bound, b.verdict.Bound) && !math.IsInf(b.verdict.Bound, 0)
}
