package fit

import (
	"context"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
)

// conflictWork limits each search for a conflict: about two seconds of a core.
const conflictWork = 2e8

// conflict returns a minimal set of constraints that no tree satisfies together, by deletion: each
// constraint in turn is left out, and stays out if the search rules out all trees without it. It is
// nil if no constraint can be left out. A search that its work limit ends keeps its constraint.
func (j *job) conflict(ctx context.Context) []string {
	p, left := j.p, len(j.p.Constraints.Texts())
	for i := 0; i < left && left > 1 && p.Relaxed != nil; {
		q, err := p.Relaxed(i)
		if err != nil {
			return nil
		}
		f, err := q.Search(ctx, problem.SearchOptions{Workers: j.Solve.Threads, Work: conflictWork, Seed: j.seed})
		if ctx.Err() != nil {
			return nil
		}
		if err == nil && f.Status == mio.Infeasible {
			p, left = q, left-1
		} else {
			i++
		}
	}
	if p == j.p {
		return nil
	}
	return p.Constraints.Texts()
}
