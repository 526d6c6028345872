package fit

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Problems of rewards are maximised; all inside a fit is minimised. What comes out is
// turned round here, in one place: values by problem.Maximised, so that bounds are upper
// ones.

// turn makes the values of a result those that are reported.
func (j *job) turn(r *Result) {
	of := j.reported()
	if of == nil || r == nil {
		return
	}
	if t := r.Train; t != nil && t.Objective != nil { // the tree's own is counted row by row
		own, earned := *t.Objective, j.earns(r.Tree, t)
		of = func(value float64) float64 {
			v := earned + (own - value)
			if v == earned && value < own { // lost in rounding, but what is more is more
				return math.Nextafter(v, math.Inf(1))
			}
			return v
		}
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
	return s.Reward.Total - j.Method.(problem.Maximised).Grows().Alpha*float64(t.Splits())
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
