package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// lazySolve solves a model with lazy rows by any solver, without callbacks: the
// relaxation without them and with the rows that its linear relaxation breaks, then
// again with those that its integral points break, until none is broken. Each bound is
// one of the whole model; each integral point is a tree, whose own point of the model is
// the incumbent.
type lazySolve struct {
	*job
	ledger   *Ledger
	c        *claim // whose start is the best point of the whole model
	f        formulate.Separated
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

// solveLazily solves a model with lazy rows as j.solve solves others.
func (j *job) solveLazily(ctx context.Context, ledger *Ledger, c *claim, f formulate.Separated) error {
	start := c.start
	l := &lazySolve{job: j, ledger: ledger, c: c, f: f, bound: math.Inf(-1), began: time.Now()}
	share := budgetOf(ctx, rootShare, 1)
	part, cancel := share.next(ctx)
	defer cancel()
	root, err := formulate.RootRows(part, f, j.linearPrograms(c.by))
	if err != nil {
		return fmt.Errorf("solver %s: %w", c.by.Name(), err)
	}
	l.rows, l.bound = root.Rows, root.Bound
	j.stage("%d lazy rows: %d others found in %d linear programs, bound %.6g", f.Model().NumLazy(), len(root.Rows), root.Rounds, c.model.InUnits(root.Bound))
	for {
		if err := l.round(ctx); err != nil {
			return err
		}
		if l.ended() {
			c.start = start // what was found later is no start
			return nil
		}
	}
}

// round solves the relaxation with the rows there are, takes over what it found, and
// adds the rows that it breaks. The solution is that of the whole model so far.
func (l *lazySolve) round(ctx context.Context) error {
	m, err := l.f.Model().WithRows(l.rows, "root", false)
	if err != nil {
		return err
	}
	quiet := *l.job
	quiet.Notify = l.notify
	l.seen = nil
	if err := quiet.solveWhole(ctx, &Ledger{job: &quiet}, l.c, m); err != nil {
		return err
	}
	sol := l.c.Solution
	if l.c.failed != nil {
		l.whole()
		return nil
	}
	l.rounds++
	l.bound = max(l.bound, sol.Bound)
	l.total.Nodes, l.total.Iter, l.total.Runtime = l.total.Nodes+sol.Nodes, l.total.Iter+sol.Iter, l.total.Runtime+sol.Runtime
	l.total.StartUsed = l.total.StartUsed || sol.StartUsed && l.rounds == 1
	if sol.Values != nil {
		l.seen = append(l.seen, sol.Values)
	}
	if err := l.learn(ctx, sol.Values != nil); err != nil {
		return err
	}
	l.whole()
	return nil
}

// learn makes incumbents of the points seen, and rows of what they break.
// The last of them is the solver's answer, if it has one.
func (l *lazySolve) learn(ctx context.Context, answered bool) error {
	last := len(l.seen) - 1
	var fresh []mio.Linear
	for k, x := range l.seen {
		t, err := l.c.model.Decode(x)
		if err != nil && answered && k == last {
			return fmt.Errorf("%w: %w", ErrCheck, err)
		}
		if err != nil {
			continue // a point on the way, as the solver tells it
		}
		broken := l.f.Violated(x, verify.Feasibility)
		fresh = append(fresh, broken...)
		y, err := l.c.model.Start(context.WithoutCancel(ctx), t)
		if errors.Is(err, formulate.ErrNoStart) && len(broken) > 0 {
			continue // a tree that holds the constraints by what it says of rows, not by where they lie
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCheck, err)
		}
		if v := l.c.model.Model().Objective(y); l.c.start == nil || v < l.c.start.objective-verify.Rounding {
			better := point{name: "a round's tree", values: y, objective: v}
			if l.c.start != nil {
				better.seconds = l.c.start.seconds
			}
			l.c.start = &better
		}
	}
	if len(fresh) > 0 && l.ongoing() {
		l.stage("%d more rows, violated by %d points: solving again", len(fresh), len(l.seen))
	}
	l.rows = append(l.rows, fresh...)
	if len(fresh) == 0 {
		l.seen = nil
	}
	return nil
}

// ongoing reports whether the bound leaves room for a better point.
func (l *lazySolve) ongoing() bool {
	return l.c.start == nil || l.c.start.objective-l.bound > max(l.c.model.Lattice.AbsGap(), verify.Rounding)
}

// whole makes the solution of the relaxation what it says of the whole model.
func (l *lazySolve) whole() {
	all := *l.c.Solution
	all.Nodes, all.Iter, all.Runtime, all.StartUsed = l.total.Nodes, l.total.Iter, l.total.Runtime, l.total.StartUsed
	all.Bound = max(all.Bound, l.bound)
	if l.c.Solution = &all; all.Status == mio.Infeasible || l.c.start == nil {
		return
	}
	all.Values, all.Objective = l.c.start.values, l.c.start.objective
	all.Bound = min(all.Bound, all.Objective) // rounding apart
	all.Gap = mio.Gap(all.Objective, all.Bound)
	switch {
	case l.c.model.Precision.Near(all.Objective, all.Bound):
		all.Status, all.Limit, all.Claimed = mio.Optimal, mio.NoLimit, true
	case all.Status == mio.Optimal:
		all.Status, all.Limit, all.Claimed = mio.Feasible, mio.LimitGap, false
	default:
		all.Claimed = false
	}
}

// ended reports whether there is nothing to solve again: no row was broken, the bound
// meets the incumbent, or a limit ended the solve.
func (l *lazySolve) ended() bool {
	sol := l.c.Solution
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
		if l.c.start != nil {
			own.Objective = l.c.model.InUnits(l.c.start.objective)
		}
		own.Bound = max(own.Bound, l.c.model.InUnits(l.bound))
		own.Gap = mio.Gap(own.Objective, own.Bound)
		own.Nodes, own.Iter, own.Elapsed = own.Nodes+l.total.Nodes, own.Iter+l.total.Iter, time.Since(l.began)
		e.Progress = &own
	}
	again := e.Stage != "" && l.notified
	l.notified = l.notified || e.Stage != ""
	switch {
	case l.job.Notify == nil || again:
	case e.Progress != nil:
		l.ledger.Progress(*e.Progress)
	default:
		l.job.Notify(e)
	}
}

// solve has the model of a claim solved until ctx's deadline.
func (j *job) solve(ctx context.Context, l *Ledger, c *claim) error {
	if f, lazy := formulate.Lazy(c.model.Formulation); lazy && !c.by.Capabilities().OnlyDiscrete {
		return j.solveLazily(ctx, l, c, f)
	}
	return j.solveWhole(ctx, l, c, c.model.Model())
}
