package fit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// solved is what a solver says of a model.
type solved struct {
	*mio.Solution
	by     solvers.Solver // nil for the heuristics
	failed error          // of the solver, where there is a point nevertheless
}

// accepts refuses a model or options that the solver does not take.
func (j *job) accepts(s solvers.Solver, m *mio.Model) error {
	opt := j.solverOptions(s)
	err := solvers.Validate(s, m, &opt)
	if option := (*solvers.OptionError)(nil); errors.As(err, &option) {
		return badInput(err)
	}
	if err != nil {
		without := ""
		if slices.Contains(j.Method.Info().Engines, problem.Heuristic) {
			without = ", `--engine heuristic` answers without a proof"
		}
		return fmt.Errorf("%w: %w; `octgen mps` writes the model for one that does%s", ErrInput, err, without)
	}
	return nil
}

// solverOptions are those of the fit, less what the solver has no use for.
func (j *job) solverOptions(s solvers.Solver) solvers.Options {
	opt := j.Solve
	if !s.Capabilities().Seed {
		opt.Seed = 0 // it makes no random choices
	}
	return opt
}

// solveProgram runs the solver on the model as it is. The solver may end within a step of
// the objective, which is a proof.
func (j *job) solveProgram(ctx, interrupt context.Context, s solvers.Solver, p *problem.Model, from *point) (*solved, error) {
	opt := j.solverOptions(s)
	caps := s.Capabilities()
	if caps.Gaps && opt.AbsGap == 0 {
		opt.AbsGap = p.Lattice.AbsGap()
	}
	if from != nil && caps.Start && startable(p, from) {
		opt.Start = from.values
	}
	if left, limited := timeLeft(ctx); limited {
		if left <= 0 {
			ctx = endedNow(ctx)
		}
		if opt.TimeLimit = j.solverTime(left); opt.Grace == 0 {
			opt.Grace = grace
		}
	}
	if ctx.Err() != nil {
		return &solved{by: s, Solution: unsolved(from, mio.LimitOf(ctx))}, nil
	}
	stop, solving := j.newGapStop(interrupt, p)
	defer stop.done()
	if from != nil && stop.reached(from.objective) {
		sol := unsolved(from, mio.LimitGap)
		sol.Solver, sol.Raw = s.Name(), "the start is within the gap of the data's bound"
		return &solved{Solution: sol, by: s}, nil
	}
	rows, cols := p.Model().NumRows(), p.Model().NumCols()
	j.longStage(fmt.Sprintf("solving with %s %s", s.Name(), s.Version()),
		fmt.Sprintf("not proved yet by %s, for which a program of %d rows and %d columns may be too large", s.Name(), rows, cols), "a smaller --depth is proved sooner")
	if j.Notify != nil {
		tell := func(e solvers.Event) { j.Notify(Event{Progress: atLeast(p, &e, from)}) }
		tell(solvers.Event{Objective: math.NaN(), Bound: math.Inf(-1)})
		if caps.Progress {
			opt.Progress = tell
		}
	}
	if stop != nil && caps.Progress {
		tell := opt.Progress
		opt.Progress = func(e solvers.Event) {
			stop.sees(&e)
			if tell != nil {
				tell(e)
			}
		}
	}
	sol, err := s.Solve(solving, p.Model(), opt)
	if err == nil {
		stop.settle(interrupt, p.Model(), sol)
	}
	if err == nil && sol.Status == mio.Infeasible && j.constrained.on != nil {
		sol, err = j.again(ctx, interrupt, s, p, opt, sol)
	}
	if option := (*solvers.OptionError)(nil); errors.As(err, &option) {
		return nil, badInput(err)
	}
	if err != nil {
		return salvage(s, from, err)
	}
	if from != nil && sol.Values == nil && sol.Status != mio.Infeasible {
		sol.Values, sol.Objective, sol.Gap = from.values, from.objective, mio.Gap(from.objective, sol.Bound)
		if sol.Status == mio.NoSolution || sol.Status == mio.Unknown {
			sol.Status = mio.Feasible
		}
	}
	return &solved{Solution: sol, by: s}, nil
}

// plainly is the option with which a solver solves a model as it is. HiGHS 1.10's presolve
// calls some programs under constraints infeasible that have solutions, and there are
// programs that have none: of them what it says without presolve counts.
var plainly = map[string][2]string{"highs": {"presolve", "off"}, "highs-exe": {"presolve", "off"}}

// again is a second look at a program that a solver calls infeasible, within what is left
// of the time.
func (j *job) again(ctx, interrupt context.Context, s solvers.Solver, p *problem.Model, opt solvers.Options, first *mio.Solution) (*mio.Solution, error) {
	if !presolves(s, &opt) {
		return first, nil
	}
	if left, limited := timeLeft(ctx); limited {
		opt.TimeLimit = max(left, time.Millisecond)
	}
	j.stage("%s calls the program infeasible: solving again without its presolve", s.Name())
	return s.Solve(interrupt, p.Model(), withoutPresolve(s, opt))
}

// presolves reports whether s has an option to solve without presolve that is not given.
func presolves(s solvers.Solver, opt *solvers.Options) bool {
	option, has := plainly[s.Name()]
	_, given := opt.Raw[option[0]]
	return has && !given
}

// withoutPresolve are the options with which s solves a model as it is, where it has such
// an option that is not given.
func withoutPresolve(s solvers.Solver, opt solvers.Options) solvers.Options {
	if !presolves(s, &opt) {
		return opt
	}
	option := plainly[s.Name()]
	opt.Raw = maps.Clone(opt.Raw)
	if opt.Raw == nil {
		opt.Raw = make(map[string]string)
	}
	opt.Raw[option[0]] = option[1]
	return opt
}

// salvage answers for a solver that failed: with what it had written until then, or
// with the start.
func salvage(s solvers.Solver, from *point, err error) (*solved, error) {
	err = fmt.Errorf("solver %s: %w", s.Name(), err)
	var sol *mio.Solution
	if failed := (interface{ Incumbent() *mio.Solution })(nil); errors.As(err, &failed) {
		sol = failed.Incumbent()
	}
	if sol == nil && from != nil {
		sol = unsolved(from, mio.NoLimit)
		sol.Solver, sol.Raw = s.Name(), "failed"
	}
	if sol == nil {
		return nil, err
	}
	return &solved{Solution: sol, by: s, failed: fmt.Errorf("%w: %w", ErrSolver, err)}, nil
}

// atLeast adds to a solver's event what was known before it began.
func atLeast(p *problem.Model, e *solvers.Event, from *point) *solvers.Event {
	if from != nil && !(e.Objective <= from.objective) {
		e.Objective = from.objective
	}
	e.Objective, e.Bound = p.InUnits(e.Objective), p.InUnits(max(e.Bound, p.Bound))
	e.Gap = mio.Gap(e.Objective, e.Bound)
	return e
}

// unsolved is the answer where nothing is left for the solver.
func unsolved(from *point, why mio.Limit) *mio.Solution {
	s := &mio.Solution{Status: mio.NoSolution, Limit: why, Objective: math.NaN(), Bound: math.Inf(-1), Gap: math.Inf(1), Solver: "none", Raw: "stopped before the solver began"}
	if from != nil {
		s.Status, s.Values, s.Objective = mio.Feasible, from.values, from.objective
	}
	return s
}
