package fit

import (
	"cmp"
	"context"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// Solvers prove to within their tolerances. Where the objective has values of a lattice
// that is coarse, the next value above their bound is exact (verify.Lattice). Where it has
// not, as with weights or costs that are real numbers, a better tree may hide in the
// tolerance: the solver's claim counts only where its bound agrees with the tree's own
// value, and the exact search has the last word.

// confirmWork limits the search that confirms a solver's claim, in cell visits: some
// seconds. Beyond it the claim stands as it is.
const confirmWork = 2_000_000_000

// confirm has the exact search confirm, or better, what a solver claims of an objective
// whose values its tolerances do not tell apart.
func (j *job) confirm(ctx context.Context, p problem.Problem, m *problem.Model, from *starts, a *answer) error {
	s, ok := p.(problem.Searcher)
	if !ok || !s.Crossable() && j.constrained.on == nil || a.tree == nil || !tolerant(m) || a.Check == nil || a.Check.Problem != "" ||
		!bySolvers(a.verdict.Prover) || a.verdict.Status != mio.Optimal && a.verdict.Limit != mio.NoLimit || ctx.Err() != nil {
		return nil
	}
	var f *problem.Found
	if from != nil {
		f = from.search()
	}
	if f == nil || f.Status != mio.Optimal {
		j.stage("the exact search confirms the solver's answer")
		var err error
		o := problem.SearchOptions{Workers: j.Solve.Threads, Seed: j.seed, Work: confirmWork, Start: &problem.Grown{Name: a.Solver.Name, Tree: a.tree}}
		if f, err = s.Search(ctx, j.data, o); err != nil {
			if outOfTime(ctx, err) {
				return nil
			}
			return badInput(err)
		}
	}
	if f.Tree == nil || f.Status != mio.Optimal {
		return nil
	}
	a.Search = describeSearch(f)
	value := a.verdict.Objective
	if own := m.Value(f.Tree); own < value && !verify.Negligible(value-own, math.Abs(own)) {
		a.tree, value = f.Tree, own
		a.Solver.Note = "within its tolerances; the search has a better tree"
	}
	if a.verdict.Status == mio.Optimal && value == a.verdict.Objective {
		return nil // as the solver says
	}
	a.verdict = proved(value, cmp.Or(f.Prover, verify.BySearch))
	return nil
}
