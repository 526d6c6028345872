package fit

import (
	"context"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/search/exact"
)

// plan lists the engines of a fit, in order. The next one runs unless the ledger is closed.
func (j *job) plan(ctx context.Context) []engine {
	p, search := j.p, engine{name: "search", share: 1, run: j.runSearch}
	switch {
	case p.Tuning != nil:
		return []engine{{name: "tuning", share: 1, run: j.tune}}
	case j.engine == problem.Search && j.modelAfter(ctx):
		search.share = searchShare
		return []engine{search, {name: "mio", share: 1, run: j.afterSearch}}
	case j.localAfter(ctx):
		search.share = exactShare
		return []engine{search, {name: "local search", share: 1, run: j.goOnLocally}}
	case j.engine == problem.Search, p.Exact:
		return []engine{search}
	case p.Kind != problem.Formulation:
		return []engine{{name: "algorithm", share: 1, run: j.runAlgorithm}}
	case j.engine == problem.Heuristic:
		return []engine{{name: "starts", share: 1, run: j.proveByStart}, {name: "heuristic", share: 1, run: j.place}}
	}
	return j.mioPlan()
}

// run runs the plan of a fit.
func (j *job) run(ctx context.Context, l *Ledger) error { return j.runPlan(ctx, l, j.plan(ctx)) }

// searchShare is what the exact search may take of the time under constraints before a solver
// has its turn.
const searchShare = 0.8

// exactShare is what the exact search may take of the time before local search goes on from its tree:
// with so little left a proof is rare, and a better tree is not.
const exactShare = 0.75

// localAfter reports whether local search may go on after the exact search: within a time limit, from
// depth 3 on, where no proof is quick, if both have the same trees and the search does not anneal.
func (j *job) localAfter(ctx context.Context) bool {
	_, limited := timeLeft(ctx)
	p := j.p
	return limited && (j.engine == problem.Search || p.Exact) && p.Univariate && p.Keep == nil && !p.Earns() &&
		p.Shape.Greatest() >= 3 && !exact.Anneals(j.data.N()*j.data.P(), p.Shape.Greatest(), p.Shape.MaxSplits) && j.trivial() == nil
}

// mostNonzeros is the size of a model that is built after a search: of larger ones solvers
// prove nothing in the time that is left.
const mostNonzeros = 2_000_000

// modelAfter reports whether a solver may go on after the exact search: under constraints, if
// no engine was named, no limit of work was set, there is a solver, and the model
// is not too large.
func (j *job) modelAfter(ctx context.Context) bool {
	if j.p.Size == nil || j.p.Keep == nil || j.Engine != problem.Auto || j.WorkLimit > 0 || j.trivial() != nil {
		return false
	}
	if _, why, err := j.findSolver(ctx); why != nil || err != nil {
		return false
	}
	size, err := j.p.Size(ctx)
	return err == nil && size.Nonzeros <= mostNonzeros
}
