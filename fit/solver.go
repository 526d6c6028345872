package fit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// usualSolvers are those that answer where none is named, in this order.
var usualSolvers = []string{"highs", "highs-exe", "cbc"}

// wayOut is what to do without the solver.
const wayOut = "`octgen solvers` lists them, methods such as treesearch and cart need none, and `octgen mps` writes the model for any solver"

// findSolver returns the solver that was named, or the first of the usual ones that is
// there.
func (j *job) findSolver(ctx context.Context) (solvers.Solver, error) {
	if j.usual {
		s, err := j.usualSolver(ctx)
		return s, unavailable(err)
	}
	s, err := j.lookup(ctx, j.Solver)
	return s, unavailable(err)
}

// usualSolver is the first of the usual ones that is there. Its errors say why the
// first of them is not, or wrap ErrNoTree where ctx has ended.
func (j *job) usualSolver(ctx context.Context) (solvers.Solver, error) {
	var first error
	for _, name := range usualSolvers {
		s, err := j.lookup(ctx, name)
		if err == nil || errors.Is(err, ErrNoTree) {
			return s, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("%w; nor are %s", first, method.Listed(usualSolvers[1:]))
}

// lookup is the solver of that name, if it is there.
func (j *job) lookup(ctx context.Context, name string) (solvers.Solver, error) {
	find := solvers.Lookup
	if j.Path != "" {
		find = func(name string) (solvers.Solver, error) { return solvers.LookupAt(name, j.Path) }
	}
	s, err := find(name)
	if err == nil {
		err = solvers.AvailableWithin(ctx, s)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil, ended(ctx, s.Name()+" had told its version")
	}
	return s, err
}

// unavailable says what to do without a solver.
func unavailable(err error) error {
	if err == nil || errors.Is(err, ErrNoTree) {
		return err
	}
	return fmt.Errorf("%w: %w; %s", ErrInput, err, wayOut)
}

// linearPrograms solves linear programs within what is left of the time. interrupt is
// the context without the deadline.
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

// grace is how long a solver that is late at its time limit is waited for.
const grace = 150 * time.Millisecond
