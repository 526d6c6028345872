package fit

import (
	"fmt"

	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/score"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// Problems of rewards are maximised; all inside a fit is minimised. What comes out is
// turned round here, in one place: values by method.Maximised, so that bounds are upper
// ones.

// checkRewards holds the method against whether the data have rewards.
func (j *job) checkRewards() error {
	_, earns := j.Method.(method.Earning)
	name := j.Method.Info().Name
	switch {
	case earns && j.data.Reward == nil:
		return fmt.Errorf("method %s needs rewards of actions in place of a class: name their columns (--rewards COL,COL,...)", name)
	case !earns && j.data.Reward != nil:
		return fmt.Errorf("the data have rewards of actions (--rewards) in place of a class, which method %s cannot learn from; --method policy can", name)
	}
	return nil
}

// reported is a value that was minimised as it is reported, nil where that is the same.
func (j *job) reported() func(float64) float64 {
	if m, ok := j.Method.(method.Maximised); ok {
		return m.Reported(j.data)
	}
	return nil
}

// turn makes the values of a result those that are reported.
func (j *job) turn(r *Result) {
	of := j.reported()
	if of == nil || r == nil {
		return
	}
	if t := r.Train; t != nil && t.Objective != nil { // the tree's own is counted row by row
		own, earned := *t.Objective, j.earns(r.Tree, t)
		of = func(value float64) float64 { return earned + (own - value) }
	}
	turned := func(values ...**float64) {
		for _, v := range values {
			if *v != nil {
				*v = Known(of(**v))
			}
		}
	}
	turned(&r.Objective, &r.Bound)
	r.Gap = turnedGap(r.Objective, r.Bound, r.Gap)
	if s := r.Solver; s != nil {
		turned(&s.Objective, &s.Bound, &s.StartObjective)
		s.Gap = turnedGap(s.Objective, s.Bound, s.Gap)
	}
	if r.Search != nil {
		turned(&r.Search.Bound)
	}
	if r.Train != nil {
		turned(&r.Train.Objective)
	}
}

// earns is the objective of a policy with these scores, counted row by row.
func (j *job) earns(t *tree.Tree, s *Scores) float64 {
	return s.Reward.Total - j.Method.(method.Maximised).Grows().Alpha*float64(t.Splits())
}

// turnedGap is the relative gap in reward, nil where there was none.
func turnedGap(objective, bound, gap *float64) *float64 {
	if gap == nil || objective == nil || bound == nil {
		return gap
	}
	return Known(mio.Gap(*objective, *bound))
}

// checkReward holds the reward, counted row by row, against the value that was minimised.
func (j *job) checkReward(a *answer, r *Result) string {
	of := j.reported()
	if of == nil || a.objective == nil {
		return ""
	}
	value, counted := of(a.objective(a.tree)), j.earns(a.tree, r.Train)
	scale := max(1, j.data.Dataset.BestReward()-value) // what is lost, which may be far more than what is earned
	if verify.Near(value, counted) || verify.Near(value/scale, counted/scale) {
		return ""
	}
	return fmt.Sprintf("the reward less the price of the splits is %v, counted row by row %v", value, counted)
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
