package fit

import (
	"context"

	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/verify"
)

// beside is a heuristic that goes on beside a solver until the time is over.
type beside struct {
	stop  context.CancelFunc
	found chan *method.Grown
}

// searchBeside begins one for a problem that has it, where time ends the fit and there
// is a processor for it; nil otherwise. What a proof ends does not depend on it.
func (j *job) searchBeside(ctx context.Context, p method.Problem, m *method.Model, best *point) *beside {
	q, has := p.(method.Besides)
	if _, limited := timeLeft(ctx); !has || !limited || j.Start != "auto" || j.Solve.Threads == 1 || best == nil {
		return nil
	}
	a := q.Beside()
	t, err := m.Decode(best.values)
	if a == nil || err != nil {
		return nil
	}
	task := j.task(p)
	task.Seed++ // the start's has been used
	task.Beside = true
	task.Work = 1 << 60
	task.Others = []*method.Grown{{Name: best.name, Tree: t}}
	within, cancel := context.WithCancel(ctx)
	b := &beside{stop: cancel, found: make(chan *method.Grown, 1)}
	go func() {
		g, err := a.Grow(within, j.data, task)
		if err != nil {
			g = nil
		}
		b.found <- g
	}()
	return b
}

// end ends the search and returns its tree as something that is known of the model, nil
// for none.
func (b *beside) end(ctx context.Context, j *job, m *method.Model) *verify.Witness {
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
