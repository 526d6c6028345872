package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// solve has the model solved until ctx's deadline; interrupt is ctx without it.
func (j *job) solve(ctx, interrupt context.Context, s solvers.Solver, p *problem.Model, from *point) (*solved, error) {
	if f, lazy := formulate.Lazy(p.Formulation); lazy {
		return j.solveLazily(ctx, interrupt, s, p, f, from)
	}
	return j.solveProgram(ctx, interrupt, s, p, from)
}

// lazySolve solves a model with lazy rows by any solver, without callbacks: the
// relaxation without them and with the rows that its linear relaxation breaks, then
// again with those that its integral points break, until none is broken. Each bound is
// one of the whole model; each integral point is a tree, whose own point of the model is
// the incumbent.
type lazySolve struct {
	*job
	p        *problem.Model
	f        formulate.Separated
	best     *point // of the whole model
	rows     []mio.Linear
	bound    float64
	total    mio.Solution // nodes, iterations and time of all solves
	seen     [][]float64  // points of the relaxation's solver since the rows were added
	began    time.Time
	rounds   int
	notified bool // who waits was told that the solver is at work
}

// rootShare is the share of the time for linear programs before the first solve: one in
// so many.
const rootShare = 4

// relaxed is a formulation whose model has other rows.
type relaxed struct {
	formulate.Formulation
	model *mio.Model
}

func (r relaxed) Model() *mio.Model { return r.model }

// solveLazily solves a model with lazy rows as j.solve solves others.
func (j *job) solveLazily(ctx, interrupt context.Context, s solvers.Solver, p *problem.Model, f formulate.Separated, from *point) (*solved, error) {
	l := &lazySolve{job: j, p: p, f: f, best: from, bound: math.Inf(-1), began: time.Now()}
	share := budgetOf(ctx, rootShare, 1)
	within, cancel := share.next(ctx)
	defer cancel()
	root, err := formulate.RootRows(within, f, j.linearPrograms(s))
	if err != nil {
		return nil, fmt.Errorf("solver %s: %w", s.Name(), err)
	}
	l.rows, l.bound = root.Rows, root.Bound
	j.stage("%d lazy rows: %d others found in %d linear programs, bound %.6g", f.Model().NumLazy(), len(root.Rows), root.Rounds, p.InUnits(root.Bound))
	for {
		sol, err := l.round(ctx, interrupt, s)
		if err != nil || l.ended(sol.Solution) {
			return sol, err
		}
	}
}

// round solves the relaxation with the rows there are, takes over what it found, and
// adds the rows that it breaks. The solution is that of the whole model so far.
func (l *lazySolve) round(ctx, interrupt context.Context, s solvers.Solver) (*solved, error) {
	m, err := l.f.Model().WithRows(l.rows, "root", false)
	if err != nil {
		return nil, err
	}
	part := *l.p
	part.Formulation = relaxed{l.p.Formulation, m}
	quiet := *l.job
	quiet.Notify = l.notify
	l.seen = nil
	sol, err := quiet.solveProgram(ctx, interrupt, s, &part, l.best)
	if err != nil {
		return nil, err
	}
	if sol.failed != nil {
		return l.whole(sol), nil
	}
	l.rounds++
	l.bound = max(l.bound, sol.Bound)
	l.total.Nodes, l.total.Iter, l.total.Runtime = l.total.Nodes+sol.Nodes, l.total.Iter+sol.Iter, l.total.Runtime+sol.Runtime
	l.total.StartUsed = l.total.StartUsed || sol.StartUsed && l.rounds == 1
	if sol.Values != nil {
		l.seen = append(l.seen, sol.Values)
	}
	if err := l.learn(ctx, sol.Values != nil); err != nil {
		return nil, err
	}
	return l.whole(sol), nil
}

// learn makes incumbents of the points seen, and rows of what they break.
// The last of them is the solver's answer, if it has one.
func (l *lazySolve) learn(ctx context.Context, answered bool) error {
	last := len(l.seen) - 1
	var fresh []mio.Linear
	for k, x := range l.seen {
		t, err := l.p.Decode(x)
		if err != nil && answered && k == last {
			return fmt.Errorf("%w: %w", ErrCheck, err)
		}
		if err != nil {
			continue // a point on the way, as the solver tells it
		}
		broken := l.f.Violated(x, verify.Feasibility)
		fresh = append(fresh, broken...)
		y, err := l.p.Start(context.WithoutCancel(ctx), t)
		if errors.Is(err, formulate.ErrNoStart) && len(broken) > 0 {
			continue // a tree that holds the constraints by what it says of rows, not by where they lie
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCheck, err)
		}
		if v := l.p.Model().Objective(y); l.best == nil || v < l.best.objective-verify.Rounding {
			better := point{name: "a round's tree", values: y, objective: v}
			if l.best != nil {
				better.seconds = l.best.seconds
			}
			l.best = &better
		}
	}
	if len(fresh) > 0 && l.ongoing() {
		l.stage("%d rows more, which %d points break: solving again", len(fresh), len(l.seen))
	}
	l.rows = append(l.rows, fresh...)
	if len(fresh) == 0 {
		l.seen = nil
	}
	return nil
}

// ongoing reports whether the bound leaves room for a better point.
func (l *lazySolve) ongoing() bool {
	return l.best == nil || l.best.objective-l.bound > max(l.p.Lattice.AbsGap(), verify.Rounding)
}

// whole is what a solution of the relaxation says of the whole model.
func (l *lazySolve) whole(sol *solved) *solved {
	all := *sol.Solution
	all.Nodes, all.Iter, all.Runtime, all.StartUsed = l.total.Nodes, l.total.Iter, l.total.Runtime, l.total.StartUsed
	all.Bound = max(all.Bound, l.bound)
	if all.Status == mio.Infeasible || l.best == nil {
		return &solved{Solution: &all, by: sol.by, failed: sol.failed}
	}
	all.Values, all.Objective = l.best.values, l.best.objective
	all.Bound = min(all.Bound, all.Objective) // rounding apart
	all.Gap = mio.Gap(all.Objective, all.Bound)
	switch {
	case l.p.Precision.Near(all.Objective, all.Bound):
		all.Status, all.Limit, all.Claimed = mio.Optimal, mio.NoLimit, true
	case all.Status == mio.Optimal:
		all.Status, all.Limit, all.Claimed = mio.Feasible, mio.LimitGap, false
	default:
		all.Claimed = false
	}
	return &solved{Solution: &all, by: sol.by, failed: sol.failed}
}

// ended reports whether there is nothing to solve again: no row was broken, the bound
// meets the incumbent, or a limit ended the solve.
func (l *lazySolve) ended(sol *mio.Solution) bool {
	limited := sol.Limit != mio.NoLimit && sol.Limit != mio.LimitGap
	return l.seen == nil || limited || sol.Status == mio.Infeasible || !l.ongoing()
}

// notify passes on what is true of the whole model: of the progress of a relaxation the
// bound, beside the best point of the whole model.
func (l *lazySolve) notify(e Event) {
	if e.Progress != nil {
		if e.Progress.Values != nil {
			l.seen = append(l.seen, e.Progress.Values)
		}
		own := *e.Progress
		own.Values, own.Objective = nil, math.NaN()
		if l.best != nil {
			own.Objective = l.p.InUnits(l.best.objective)
		}
		own.Bound = max(own.Bound, l.p.InUnits(l.bound))
		own.Gap = mio.Gap(own.Objective, own.Bound)
		own.Nodes, own.Iter, own.Elapsed = own.Nodes+l.total.Nodes, own.Iter+l.total.Iter, time.Since(l.began)
		e.Progress = &own
	}
	again := e.Stage != "" && l.notified
	l.notified = l.notified || e.Stage != ""
	if l.job.Notify != nil && !again {
		l.job.Notify(e)
	}
}
