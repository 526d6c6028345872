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

// byParts is what models of parts prove of the problem; nil if it has none, if the solver is to
// be alone, and under constraints, of which parts know nothing.
func (j *job) byParts(ctx context.Context, l *Ledger, c *claim) (*parts.Result, error) {
	m, best := c.model, c.start
	if j.p.Parts == nil || j.p.Keep != nil || m.Precision.Loose != "" {
		return nil, nil
	}
	ctx, cancel := within(ctx, j.p.PartsShare)
	defer cancel()
	o := problem.PartsOptions{Solve: j.partSolver(c.by), LP: j.linearPrograms(c.by), Seed: j.seed, Workers: j.Solve.Threads, NoStart: j.Start == "none", Warn: j.warn}
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
			l.Progress(atLeast(m, solvers.Event{Objective: e.Objective, Bound: e.Bound}, best))
		}
	}
	r, err := j.p.Parts(ctx, o)
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
		j.stage("proving by models of parts of the problem, solved by %s %s", s.Name(), s.Version())
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
		sol, err := s.Solve(ctx, taken(s, m), opt)
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
func (j *job) startFromParts(m *problem.Model, r *parts.Result, best *point) *point {
	if r.Tree == nil || best != nil && m.Objective(r.Tree) >= best.objective-verify.Rounding {
		return best
	}
	x, err := j.newPoint(context.WithoutCancel(j.interrupt), m, "programs of parts", r.Tree)
	if err != nil || best != nil && x.objective >= best.objective {
		return best
	}
	x.better, x.than = true, best
	return x
}

// besides makes the point p, which the solver did not start from, its answer if a limit ended the
// solve without a point or with a worse one.
func besides(s *mio.Solution, p *point) {
	if s.Status == mio.Infeasible || s.Status == mio.Optimal || s.Values != nil && s.Objective <= p.objective {
		return
	}
	s.Status, s.Values, s.Objective, s.Gap = mio.Feasible, p.values, p.objective, mio.Gap(p.objective, s.Bound)
}

// provedByParts is the answer of a solver that need not see the whole model, since the bound
// of the parts meets the point; nil if it does not.
func provedByParts(s solvers.Solver, m *problem.Model, r *parts.Result, best *point) *mio.Solution {
	if r.Status != mio.Optimal || best == nil || !m.Precision.Near(r.Objective, best.objective) {
		return nil
	}
	sol := unsolved(best, mio.NoLimit)
	sol.Solver, sol.Raw, sol.Nodes = s.Name(), provedText(r), r.Nodes
	return sol
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
		return fmt.Sprintf("%d models, each of the trees whose root splits in a range", r.Rows)
	case verify.ByCells:
		return "branch and bound over the directions of the hyperplane"
	case verify.ByClauses:
		return fmt.Sprintf("clauses of %d sets of rows that no hyperplane separates", r.Rows)
	case verify.BySubsystems:
		return fmt.Sprintf("%d sets of rows that no hyperplane separates", r.Rows)
	}
	return "the data"
}

// beside is a heuristic that goes on beside a solver until the time is over.
type beside struct {
	stop  context.CancelFunc
	found chan *problem.Grown
}

// searchBeside begins one for a problem that has it, if time ends the fit and there
// is a processor for it; nil otherwise. What a proof ends does not depend on it.
func (j *job) searchBeside(ctx context.Context, m *problem.Model, best *point) *beside {
	if _, limited := timeLeft(ctx); j.p.Beside == nil || j.p.BesideDoubts || !limited || j.Start != "auto" || j.Solve.Threads == 1 || best == nil {
		return nil
	}
	t, err := m.Decode(best.values)
	if err != nil {
		return nil
	}
	task := j.task(j.p)
	task.Seed++ // the start's has been used
	task.Beside = true
	task.Work = 1 << 60
	task.Others = []*problem.Grown{{Name: best.name, Tree: t}}
	within, cancel := context.WithCancel(ctx)
	b := &beside{stop: cancel, found: make(chan *problem.Grown, 1)}
	go func() {
		g, err := j.growBeside(within, task)
		if err != nil {
			g = nil
		}
		b.found <- g
	}()
	return b
}

// growBeside runs the algorithm that the problem has beside a solver.
func (j *job) growBeside(ctx context.Context, t problem.Task) (*problem.Grown, error) {
	p, err := j.p.Beside.On(ctx, j.data, 0)
	if err != nil {
		return nil, err
	}
	return p.Grow(ctx, t)
}

// doubtWork is the work of a search that doubts, some tenths of a second at most.
const doubtWork = 2e7

// doubt looks for a tree that refutes what a solver calls optimal, nil for none: solvers
// are wrong at times, from a start most of all.
func (j *job) doubt(ctx context.Context, c *claim) *verify.Witness {
	if j.p.Beside == nil || c.Status != mio.Optimal || c.Values == nil {
		return nil
	}
	t, err := c.model.Decode(c.Values)
	if err != nil {
		return nil // for the check to report
	}
	task := j.task(j.p)
	task.Work, task.Others = doubtWork, []*problem.Grown{{Tree: t}}
	g, err := j.growBeside(ctx, task)
	if err != nil || !(c.model.Objective(g.Tree) < c.Objective) {
		return nil
	}
	return treeWitness(ctx, c.model, g.Name+", which doubts it", g.Tree)
}

// end ends the search and returns its tree as something that is known of the model, nil
// for none.
func (b *beside) end(ctx context.Context, m *problem.Model) *verify.Witness {
	if b == nil {
		return nil
	}
	b.stop()
	g := <-b.found
	if g == nil {
		return nil
	}
	return treeWitness(context.WithoutCancel(ctx), m, g.Name+" beside it", g.Tree)
}
