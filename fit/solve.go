package fit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// crossShare is the part of a solver's time, one in so many, that is left to the
// cross-check of its answer, which takes all that the solver does not use, too.
const crossShare = 10

// accepts refuses a model or options that the solver does not take.
func (j *job) accepts(s solvers.Solver, m *problem.Model) error {
	opt, as := j.solverOptions(s), m.Model()
	if m.Integral {
		as = taken(s, as)
	}
	err := solvers.Validate(s, as, &opt)
	if refused(err) {
		return badInput(err)
	}
	if err != nil {
		without := ""
		if j.info.Solves(problem.Heuristic) {
			without = ", `--engine heuristic` answers without a proof"
		}
		return fmt.Errorf("%w: %w; `octgen mps` writes the model for one that does%s", ErrInput, err, without)
	}
	return nil
}

// taken is a model whose continuous variables may be declared integer, as s takes it.
func taken(s solvers.Solver, m *mio.Model) *mio.Model {
	if s.Capabilities().OnlyDiscrete {
		return m.Discrete()
	}
	return m
}

// refused reports whether a solver does not run because of what the caller asks or has: an option
// that it does not accept, or no licence.
func refused(err error) bool {
	option, licence := (*solvers.OptionError)(nil), (*solvers.LicenceError)(nil)
	return errors.As(err, &option) || errors.As(err, &licence)
}

// solverOptions are those of the fit, less what the solver has no use for.
func (j *job) solverOptions(s solvers.Solver) solvers.Options {
	opt := j.Solve
	if !s.Capabilities().Seed {
		opt.Seed = 0 // it makes no random choices
	}
	return opt
}

// solveWhole runs the solver on the model m of a claim as it is. The solver may end within a
// step of the objective, which is a proof.
func (j *job) solveWhole(ctx context.Context, l *Ledger, c *claim, m *mio.Model) error {
	s, from, opt := c.by, c.start, j.solverOptions(c.by)
	caps := s.Capabilities()
	if caps.Gaps && opt.AbsGap == 0 {
		opt.AbsGap = c.model.Lattice.AbsGap()
	}
	if from != nil && caps.Start && startable(c.model, from) {
		opt.Start = from.values
	}
	if left, limited := timeLeft(ctx); limited {
		if left <= 0 {
			ctx = endedNow(ctx)
		}
		if opt.TimeLimit = left; j.CrossCheck {
			opt.TimeLimit -= left / crossShare
		}
		if opt.Grace == 0 {
			opt.Grace = grace
		}
	}
	if ctx.Err() != nil {
		c.Solution = unsolved(from, mio.LimitOf(ctx))
		return nil
	}
	stop, solving := j.newGapStop(c.model)
	defer stop.done()
	if from != nil && stop.reached(from.objective) {
		c.Solution = unsolved(from, mio.LimitGap)
		c.Solver, c.Raw = s.Name(), "the start is within the gap of the data's bound"
		return nil
	}
	j.longStage(fmt.Sprintf("solving with %s %s", s.Name(), s.Version()),
		fmt.Sprintf("not proved yet by %s, for which a model of %d rows and %d columns may be too large", s.Name(), m.NumRows(), m.NumCols()), "a smaller --depth is proved sooner")
	tell := func(e solvers.Event) { l.Progress(atLeast(c.model, e, from)) }
	if j.Notify != nil {
		tell(solvers.Event{Objective: math.NaN(), Bound: math.Inf(-1)})
	}
	if caps.Progress && (stop != nil || j.Notify != nil) {
		opt.Progress = func(e solvers.Event) {
			stop.sees(&e)
			if j.Notify != nil {
				tell(e)
			}
		}
	}
	sol, err := s.Solve(solving, taken(s, m), opt)
	if err == nil {
		stop.settle(j.interrupt, m, sol)
	}
	if err == nil && sol.Status == mio.Infeasible && j.p.Keep != nil {
		sol, err = j.again(ctx, s, m, opt, sol)
	}
	if refused(err) {
		return badInput(err)
	}
	if err != nil {
		return c.salvage(err)
	}
	if from != nil && sol.Values == nil && sol.Status != mio.Infeasible {
		sol.Values, sol.Objective, sol.Gap = from.values, from.objective, mio.Gap(from.objective, sol.Bound)
		if sol.Status == mio.NoSolution || sol.Status == mio.Unknown {
			sol.Status = mio.Feasible
		}
	}
	c.Solution = sol
	return nil
}

// plainly is the option with which a solver solves a model as it is. HiGHS 1.10's presolve
// calls some programs under constraints infeasible that have solutions, and there are
// programs that have none: of them what it says without presolve counts.
var plainly = map[string][2]string{"highs": {"presolve", "off"}, "highs-exe": {"presolve", "off"}, "highspy": {"presolve", "off"}}

// again is a second look at a program that a solver calls infeasible, within what is left
// of the time.
func (j *job) again(ctx context.Context, s solvers.Solver, m *mio.Model, opt solvers.Options, first *mio.Solution) (*mio.Solution, error) {
	if !presolves(s, &opt) {
		return first, nil
	}
	if left, limited := timeLeft(ctx); limited {
		opt.TimeLimit = max(left, time.Millisecond)
	}
	j.stage("%s reports the model infeasible: solving again without presolve", s.Name())
	return s.Solve(j.interrupt, m, withoutPresolve(s, opt))
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
func (c *claim) salvage(err error) error {
	err = fmt.Errorf("solver %s: %w", c.by.Name(), err)
	var sol *mio.Solution
	if failed := (interface{ Incumbent() *mio.Solution })(nil); errors.As(err, &failed) {
		sol = failed.Incumbent()
	}
	if sol == nil && c.start != nil {
		sol = unsolved(c.start, mio.NoLimit)
		sol.Solver, sol.Raw = c.by.Name(), "failed"
	}
	if sol == nil {
		return err
	}
	c.Solution, c.failed = sol, fmt.Errorf("%w: %w", ErrSolver, err)
	return nil
}

// atLeast is a solver's event in the unit of reports, with what was known before it began.
func atLeast(m *problem.Model, e solvers.Event, from *point) solvers.Event {
	if from != nil && !(e.Objective <= from.objective) {
		e.Objective = from.objective
	}
	e.Objective, e.Bound = m.InUnits(e.Objective), m.InUnits(max(e.Bound, m.Bound))
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

// gapStop ends a solve at an incumbent within the gap asked for of the bound that the data
// give, of which the solver knows nothing.
type gapStop struct {
	gap   float64 // relative
	bound float64 // of the data, in the model's unit
	end   context.CancelFunc
	at    *mio.Solution // the incumbent that ended it; nil for none
}

// newGapStop is nil if no gap was asked for, or the data bound nothing. The context is the one
// to solve with.
func (j *job) newGapStop(m *problem.Model) (*gapStop, context.Context) {
	if j.Solve.RelGap <= 0 || m.Precision.Loose != "" || !(m.Bound > 0) {
		return nil, j.interrupt
	}
	ctx, end := context.WithCancel(j.interrupt)
	return &gapStop{gap: j.Solve.RelGap, bound: m.Bound, end: end}, ctx
}

// done releases the context.
func (g *gapStop) done() {
	if g != nil {
		g.end()
	}
}

// reached reports whether an objective of the model is within the gap.
func (g *gapStop) reached(objective float64) bool {
	return g != nil && mio.Gap(objective, g.bound) <= g.gap+verify.Rounding
}

// sees ends the solve at an incumbent that is told with its values: of others the solver
// may lose them when it is interrupted.
func (g *gapStop) sees(e *solvers.Event) {
	if g == nil || g.at != nil || e.Values == nil || !g.reached(e.Objective) {
		return
	}
	g.at = &mio.Solution{Values: e.Values, Objective: e.Objective}
	g.end()
}

// settle says of a solution that the gap ended it, with the incumbent if the solver has
// none as good. interrupt has ended where it was something else.
func (g *gapStop) settle(interrupt context.Context, m *mio.Model, sol *mio.Solution) {
	if g == nil || g.at == nil || sol.Limit != mio.LimitInterrupt || interrupt.Err() != nil {
		return
	}
	if own := m.Objective(g.at.Values); sol.Values == nil || own < sol.Objective {
		if found := verify.CheckPoint(m, g.at.Values, own, 0); found.Feasible {
			sol.Status, sol.Values, sol.Objective = mio.Feasible, g.at.Values, own
			sol.Gap = mio.Gap(own, sol.Bound)
		}
	}
	sol.Limit = mio.LimitGap
}
