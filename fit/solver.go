package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// usualSolvers answer if none is named, in this order.
var usualSolvers = []string{"highs", "highs-exe", "cbc"}

// quadraticSolvers answer in their place if the objective is quadratic.
var quadraticSolvers = []string{"scip", "gurobi", "cplex", "xpress", "copt"}

// findSolver returns the solver that was named, or the first of the usual ones that is
// installed. If none is, why is the reason for the first of them, and err is that reason with
// advice. If ctx ended, err says so and why is nil.
func (j *job) findSolver(ctx context.Context) (s solvers.Solver, why, err error) {
	names := usualSolvers
	if j.data.Kind() == dataset.Numbers && j.data.Quantile == 0 {
		names = quadraticSolvers
	}
	if !j.usual {
		names = []string{j.Solver}
	}
	for _, name := range names {
		s, because, failed := j.lookup(ctx, name)
		if failed == nil || errors.Is(failed, ErrNoTree) {
			return s, nil, failed
		}
		why, err = cmp.Or(why, because), cmp.Or(err, failed)
	}
	return nil, why, err
}

// lookup returns the solver of that name, or an error, and what it comes from.
func (j *job) lookup(ctx context.Context, name string) (s solvers.Solver, why, err error) {
	if s, why = solvers.LookupAt(name, j.Place); why == nil {
		why = solvers.AvailableWithin(ctx, s)
	}
	switch {
	case errors.Is(why, context.DeadlineExceeded), errors.Is(why, context.Canceled):
		return nil, why, ended(ctx, s.Name()+" had told its version")
	case why != nil:
		return nil, why, fmt.Errorf("%w: %w; `octgen solvers` lists them, methods such as treesearch and cart need none, and `octgen mps` writes the model for any solver", ErrInput, why)
	}
	return s, nil, nil
}

// linearPrograms solves linear programs within the time that is left.
func (j *job) linearPrograms(s solvers.Solver) mio.SolveFunc {
	return func(ctx context.Context, m *mio.Model) (*mio.Solution, error) {
		opt := solvers.Options{Threads: j.Solve.Threads}
		if left, limited := timeLeft(ctx); limited {
			if opt.TimeLimit = left; left <= 0 {
				return nil, context.DeadlineExceeded
			}
			opt.Grace = grace
		}
		sol, err := s.Solve(ctx, m, opt)
		if err == nil && sol.Limit == mio.LimitTime {
			return nil, context.DeadlineExceeded
		}
		if err == nil && sol.Limit == mio.LimitInterrupt && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return sol, err
	}
}

// isExact reports whether a start is that of the exact search.
func isExact(start string) bool {
	m, err := problem.LookupAlgorithm(start)
	return err == nil && m.Info().Exact
}

// grace is how long a solver that is late at its time limit is waited for.
const grace = 150 * time.Millisecond
