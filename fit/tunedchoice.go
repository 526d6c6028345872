package fit

import (
	"context"
	"math"

	"github.com/octgen/octgen/fit/problem"
)

// walk fills the pool along the path.
func (t *tuning) walk(ctx context.Context) error {
	switch {
	case t.data.Trivial():
		return nil
	case t.Of == nil:
		return t.walkPruning(ctx)
	}
	if err := t.growFirst(ctx); err != nil {
		return err
	}
	if t.First != nil && !t.byProgram() {
		if err := t.treesFirst(ctx); err != nil {
			return err
		}
	}
	if t.Tuning.Path == problem.SplitsPath {
		return t.walkSplits(ctx)
	}
	return t.walkAlpha(ctx)
}

// choose returns what came of the tuning, and the tree of the least validation error;
// of equal ones the simplest, that of the largest alpha.
func (t *tuning) choose() (*Tuning, survivor) {
	envelope := t.pool.envelope()
	u := &Tuning{Path: t.pathName(), TrainRows: t.train.N(), ValidationRows: t.validation.N(), Proved: true}
	at, least := 0, math.Inf(1)
	tolerance := t.validationTolerance()
	for i, s := range envelope {
		v := s.tree.Evaluate(t.validation)
		p := EnvelopePoint{
			AlphaLow: s.low, AlphaHigh: s.high, ErrorWeight: s.errors, Complexity: s.complexity,
			ValidationErrors: v.Errors, ValidationErrorWeight: v.Excess, Proved: t.provedOn(s),
		}
		u.Proved = u.Proved && p.Proved
		u.Envelope = append(u.Envelope, p)
		if v.Excess <= least+tolerance {
			at, least = i, min(least, v.Excess)
		}
	}
	s, p := envelope[at], &u.Envelope[at]
	p.Chosen = true
	u.AlphaLow, u.AlphaHigh, u.Alpha = s.low, s.high, (s.low+s.high)/2
	u.ValidationErrors = p.ValidationErrors
	u.Objective = t.pool.value(s.candidate, u.Alpha) / t.pool.scale
	u.Solves, u.Work = t.solves, t.work
	if t.Hyperplanes {
		u.Mu = t.Mu
	}
	return u, s
}

// validationTolerance is the weight by which equal validation errors may differ.
func (t *tuning) validationTolerance() float64 { return 1e-12 * mostLoss(t.validation) }

func (t *tuning) pathName() string {
	switch {
	case t.Of == nil:
		return prunePath
	case t.Tuning.Path == problem.SplitsPath:
		return problem.SplitsPath
	}
	return problem.AlphaPath
}

// treesFirst puts the trees of Tuning.First into the pool, found with as much work per
// solve as an automatic start may take: those of oct-tuned into that of oct-h-tuned.
func (t *tuning) treesFirst(ctx context.Context) error {
	o := t.Options
	o.WorkLimit = min(firstWork, t.workLimit(firstWork))
	j := &job{Options: o, data: t.data, began: t.began, seed: t.seed, usual: true}
	u := &tuning{job: j, Tuning: *t.First, interrupt: t.interrupt, train: t.train, data: t.data}
	u.compete()
	for _, c := range t.starts.all {
		if c.tree.Terms() == c.tree.Splits() {
			u.pool.add(c.tree)
		}
	}
	share := budgetOf(ctx, 4, 1)
	ctx, cancel := share.next(ctx)
	defer cancel()
	if err := u.walkAlpha(ctx); err != nil {
		return err
	}
	for _, c := range u.pool.all {
		t.enter(c.tree)
	}
	t.work, t.nodes = t.work+u.work, t.nodes+u.nodes
	return nil
}

// firstWork is the work per solve of the trees of Tuning.First.
const firstWork = 2e7
