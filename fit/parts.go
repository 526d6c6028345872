package fit

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/parts"
	"github.com/octgen/octgen/solvers"
)

// partsShare is what programs of parts may take of the time that is left, of so many.
const (
	partsShare = 3
	partsOf    = 4
)

// byParts is what programs of parts prove of a problem that has them; nil where it has
// not, where the solver is to be alone, and under constraints, of which parts know
// nothing.
func (j *job) byParts(ctx context.Context, p problem.Problem, s solvers.Solver, m *problem.Model, best *point) (*parts.Result, error) {
	q, has := p.(problem.ByParts)
	if !has || j.constrained.on != nil || m.Precision.Loose != "" {
		return nil, nil
	}
	if left, limited := timeLeft(ctx); limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, left*partsShare/partsOf)
		defer cancel()
	}
	o := problem.PartsOptions{Solve: j.partSolver(s), LP: j.linearPrograms(s), Seed: j.seed, Workers: j.Solve.Threads, NoStart: j.Start == "none", Warn: j.warn}
	o.Whole = j.Solve.RelGap > 0 || j.Solve.AbsGap > 0 || j.Solve.NodeLimit > 0 || j.Solve.IterLimit > 0 || j.Solve.Log != nil
	if best != nil {
		t, err := m.Decode(best.values)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCheck, err)
		}
		o.Start = t
	}
	if j.Notify != nil {
		o.Progress = func(e parts.Event) {
			j.Notify(Event{Progress: atLeast(m, &solvers.Event{Objective: e.Objective, Bound: e.Bound}, best)})
		}
	}
	r, err := q.Parts(ctx, j.data, o)
	if outOfTime(ctx, err) {
		return nil, nil
	}
	return r, err
}

// firstPoint is the option with which a solver ends at its first point; of others a
// program of parts is solved to the end, which proves no less.
var firstPoint = map[string][2]string{"highs": {"mip_max_improving_sols", "1"}, "highs-exe": {"mip_max_improving_sols", "1"}}

// partSolver solves programs of parts within what is left of the time. With the first of
// them it says that there are such.
func (j *job) partSolver(s solvers.Solver) parts.Solve {
	begin := sync.OnceFunc(func() {
		j.stage("proving by programs of parts of the problem, solved by %s %s", s.Name(), s.Version())
	})
	return func(ctx context.Context, m *mio.Model, l parts.Limits) (*mio.Solution, error) {
		begin()
		opt, caps := j.solverOptions(s), s.Capabilities()
		opt.Log, opt.NodeLimit, opt.IterLimit = nil, 0, 0
		if caps.Gaps && l.AbsGap > 0 {
			opt.AbsGap = l.AbsGap
		}
		if option := firstPoint[s.Name()]; l.First && option[0] != "" {
			opt.Raw = maps.Clone(opt.Raw)
			if opt.Raw == nil {
				opt.Raw = make(map[string]string)
			}
			opt.Raw[option[0]] = option[1]
		}
		if left, limited := timeLeft(ctx); limited {
			opt.TimeLimit, opt.Grace = max(left, time.Millisecond), grace
		}
		if l.Plain {
			opt = withoutPresolve(s, opt)
		}
		sol, err := s.Solve(ctx, m, opt)
		if err != nil || sol.Status != mio.Infeasible || sol.Nodes > 0 || !l.Certain || !presolves(s, &opt) {
			return sol, err
		}
		if left, limited := timeLeft(ctx); limited {
			opt.TimeLimit = max(left, time.Millisecond)
		}
		return s.Solve(ctx, m, withoutPresolve(s, opt))
	}
}

// startFromParts is the better of the point known and that of the parts' tree.
func (j *job) startFromParts(ctx context.Context, m *problem.Model, r *parts.Result, best *point) *point {
	if r.Tree == nil || best != nil && m.Objective(r.Tree) >= best.objective-verify.Rounding {
		return best
	}
	x, err := j.newPoint(context.WithoutCancel(ctx), m, "programs of parts", r.Tree)
	if err != nil || best != nil && x.objective >= best.objective {
		return best
	}
	x.better, x.than = true, best
	return x
}

// besides makes a point that the solver was not to begin with the answer where a limit
// ended the solve with none, or with a worse one.
func (s *solved) besides(p *point) {
	if p == nil || s.Status == mio.Infeasible || s.Status == mio.Optimal || s.Values != nil && s.Objective <= p.objective {
		return
	}
	s.Status, s.Values, s.Objective, s.Gap = mio.Feasible, p.values, p.objective, mio.Gap(p.objective, s.Bound)
}

// provedByParts is the answer of a solver that need not see the whole program, since the
// bound of the parts meets the point; nil where it does not.
func provedByParts(s solvers.Solver, m *problem.Model, r *parts.Result, best *point) *solved {
	if r.Status != mio.Optimal || best == nil || !m.Precision.Near(r.Objective, best.objective) {
		return nil
	}
	sol := unsolved(best, mio.NoLimit)
	sol.Solver, sol.Raw, sol.Nodes = s.Name(), provedText(r), r.Nodes
	return &solved{Solution: sol, by: s}
}

// provedText says what proves the bound of the parts.
func provedText(r *parts.Result) string {
	switch r.By {
	case verify.ByRows:
		return fmt.Sprintf("programs of up to %d rows", r.Rows)
	case verify.ByChunks:
		return fmt.Sprintf("the bounds of %d blocks of rows", r.Rows)
	case verify.ByRanges:
		if r.Rows == 1 {
			return "a program of the trees whose root splits in a range"
		}
		return fmt.Sprintf("%d programs, each of the trees whose root splits in a range", r.Rows)
	case verify.BySubsystems:
		return fmt.Sprintf("%d sets of rows that no plane parts", r.Rows)
	}
	return "the data"
}
