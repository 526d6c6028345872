package fit

import (
	"context"

	"github.com/octgen/octgen/mio"
)

// tune walks the path and chooses a tree: at the margin of the tuning and, where there
// is a choice, at the narrower one, too. Of equal validation errors the wider margin
// has the choice. It returns the tuning of the margin chosen.
//
// A program is asked at the first margin only: the narrower is closer to the tolerances
// of solvers.
func (t *tuning) tune(ctx context.Context) (*tuning, *Tuning, survivor, error) {
	if t.Narrower == nil || t.byProgram() || t.data.Trivial() {
		u, chosen, err := t.alone(ctx)
		return t, u, chosen, err
	}
	u, chosen, err := t.half(ctx)
	if err != nil {
		return nil, nil, survivor{}, err
	}
	n := t.narrower()
	v, other, err := n.alone(ctx)
	if err != nil {
		return nil, nil, survivor{}, err
	}
	margins := []MarginChoice{u.ofMargin(t.Mu), v.ofMargin(n.Mu)}
	if margins[1].ValidationErrorWeight < margins[0].ValidationErrorWeight-t.validationTolerance() {
		t, u, chosen = n, v, other
	} else {
		t.takeWork(n)
	}
	for k := range margins {
		margins[k].Chosen = margins[k].Mu == t.Mu
	}
	u.Margins, u.Solves, u.Work = margins, t.solves, t.work
	return t, u, chosen, nil
}

// half is alone within half of the time that is left.
func (t *tuning) half(ctx context.Context) (*Tuning, survivor, error) {
	share := budgetOf(ctx, 2, 1)
	ctx, cancel := share.next(ctx)
	defer cancel()
	return t.alone(ctx)
}

// alone walks the path and chooses a tree at the tuning's own margin.
func (t *tuning) alone(ctx context.Context) (*Tuning, survivor, error) {
	if err := t.walk(ctx); err != nil {
		return nil, survivor{}, err
	}
	if len(t.pool.all) == 0 {
		return nil, survivor{}, errNone
	}
	u, chosen := t.choose()
	return u, chosen, nil
}

// narrower is the tuning of the narrower margin. All trees found so far compete in it
// and begin its searches, so that those of [problem.Tuning.First] are not found again.
func (t *tuning) narrower() *tuning {
	n := *t
	n.Tuning, n.solved = *t.Narrower, nil
	n.First = nil
	n.compete()
	for _, c := range t.starts.all {
		n.enter(c.tree)
	}
	return &n
}

// takeWork counts as t's what was spent on n, which went on from t's own.
func (t *tuning) takeWork(n *tuning) {
	t.solves, t.work, t.nodes = n.solves, n.work, n.nodes
	if n.limit != mio.NoLimit {
		t.stopped(n.limit)
	}
}

// ofMargin is what validation found at margin mu.
func (u *Tuning) ofMargin(mu float64) MarginChoice {
	m := MarginChoice{Mu: mu}
	for _, p := range u.Envelope {
		if p.Chosen {
			m.ValidationErrors, m.ValidationErrorWeight = p.ValidationErrors, p.ValidationErrorWeight
		}
	}
	return m
}
