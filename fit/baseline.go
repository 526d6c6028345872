package fit

import (
	"context"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree/score"
)

// baseline is that of m, nil for CART itself, for methods whose trees have no such
// limits or which choose them, and where ctx ends before the tree is grown.
func (j *job) baseline(ctx context.Context, m problem.Method) *Baseline {
	if j.data.Reward != nil {
		return j.singleAction()
	}
	shaped, ok := m.(problem.Shaped)
	if _, itself := m.(*problem.CART); itself || !ok {
		return nil
	}
	cart := &problem.CART{Shape: shaped.Grows()}
	g, err := cart.Grow(ctx, j.data, problem.Task{})
	if err != nil || g.Limit != mio.NoLimit {
		return nil
	}
	train := g.Tree.Evaluate(j.data.Dataset)
	b := &Baseline{Method: cart.Info().Name, Errors: train.Errors, Cost: costOf(train, j.data.Dataset)}
	if j.Test != nil {
		test := g.Tree.Evaluate(j.Test)
		b.TestErrors, b.TestCost = &test.Errors, costOf(test, j.Test)
	}
	return b
}

// singleAction is the baseline of policies: the best action if it is taken for all rows.
func (j *job) singleAction() *Baseline {
	t := majorityLeaf(j.data.Dataset)
	b := &Baseline{Method: "single action", Action: t.Classes[t.Nodes[0].Class], Errors: t.Evaluate(j.data.Dataset).Errors}
	b.Reward = earned(score.RewardsOf(t, j.data.Dataset))
	if j.Test != nil {
		wrong := t.Evaluate(j.Test).Errors
		b.TestErrors, b.TestReward = &wrong, earned(score.RewardsOf(t, j.Test))
	}
	return b
}

// earned is what a policy earns, nil for none.
func earned(r *score.Rewards) *score.Earned {
	if r == nil {
		return nil
	}
	return &r.Earned
}
