package fit

import (
	"context"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// beside is a heuristic that goes on beside a solver until the time is over.
type beside struct {
	stop  context.CancelFunc
	found chan *problem.Grown
}

// searchBeside begins one for a problem that has it, where time ends the fit and there
// is a processor for it; nil otherwise. What a proof ends does not depend on it.
func (j *job) searchBeside(ctx context.Context, p problem.Problem, m *problem.Model, best *point) *beside {
	q, has := p.(problem.Besides)
	if _, limited := timeLeft(ctx); !has || !limited || j.Start != "auto" || j.Solve.Threads == 1 || best == nil {
		return nil
	}
	a, alone := q.Beside()
	t, err := m.Decode(best.values)
	if alone || err != nil {
		return nil
	}
	task := j.task(p)
	task.Seed++ // the start's has been used
	task.Beside = true
	task.Work = 1 << 60
	task.Others = []*problem.Grown{{Name: best.name, Tree: t}}
	within, cancel := context.WithCancel(ctx)
	b := &beside{stop: cancel, found: make(chan *problem.Grown, 1)}
	go func() {
		g, err := a.Grow(within, j.data, task)
		if err != nil {
			g = nil
		}
		b.found <- g
	}()
	return b
}

// doubtWork is the work of a search that doubts, some tenths of a second at most.
const doubtWork = 2e7

// doubt looks for a tree that refutes what a solver calls optimal, nil for none: solvers
// are wrong at times, from a start most of all.
func (j *job) doubt(ctx context.Context, p problem.Problem, m *problem.Model, s *solved) *verify.Witness {
	q, has := p.(problem.Besides)
	if !has || s.Status != mio.Optimal || s.Values == nil {
		return nil
	}
	t, err := m.Decode(s.Values)
	if err != nil {
		return nil // for the check to report
	}
	a, _ := q.Beside()
	task := j.task(p)
	task.Work, task.Others = doubtWork, []*problem.Grown{{Tree: t}}
	g, err := a.Grow(ctx, j.data, task)
	if err != nil || !(m.Objective(g.Tree) < s.Objective) {
		return nil
	}
	return treeWitness(ctx, m, g.Name+", which doubts it", g.Tree)
}

// end ends the search and returns its tree as something that is known of the model, nil
// for none.
func (b *beside) end(ctx context.Context, j *job, m *problem.Model) *verify.Witness {
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
