package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/score"
)

// result renders a certificate, with the tree scored. The error is what is wrong with it; it
// comes with a result if there is something to say of a tree, or that there is none.
func (j *job) result(ctx context.Context, c *Certificate) (*Result, error) {
	if c.Tree == nil || c.Err != nil && !errors.Is(c.Err, ErrSolver) {
		return j.treeless(c)
	}
	if j.given != j.data.Dataset {
		c.Tree = c.Tree.Clone()
		c.Tree.Annotate(j.given)
	}
	res, err := j.scored(c)
	if res != nil {
		res.Claim = j.claimed(res)
		if res.Kept() {
			res.Tree = j.recorded(res)
		}
		res.Baseline = j.baseline(ctx)
		j.turn(res)
	}
	return res, err
}

// treeless renders a certificate without a tree that counts.
func (j *job) treeless(c *Certificate) (*Result, error) {
	if !errors.Is(c.Err, ErrCheck) && !errors.Is(c.Err, ErrNoTree) && !(errors.Is(c.Err, ErrInfeasible) && j.p.Keep != nil) {
		return nil, c.Err
	}
	res := j.rendered(c)
	if errors.Is(c.Err, ErrCheck) {
		res.unbelieved()
	}
	res.Constraints, _ = j.describeConstraints(c)
	res.Seconds = time.Since(j.began).Seconds()
	j.turn(res)
	return res, c.Err
}

// rendered is what a certificate says before its tree is scored.
func (j *job) rendered(c *Certificate) *Result {
	res := &Result{
		Method: j.p.Name, Engine: string(c.foundBy), Status: c.Status.String(), Limit: c.Limit.String(), Unproved: c.unproved,
		Objective: Known(c.Objective), Bound: Known(c.Bound), Gap: Known(c.Gap), Data: DescribeData(j.given), Tree: c.Tree,
		Formulation: c.formulation, Solver: c.account, Search: c.search, Heuristic: c.heuristic, Tuning: c.tuning, Check: c.check, CrossCheck: c.cross,
	}
	if p := string(c.Prover); p != "" {
		res.Prover = &p
	}
	return res
}

// scored renders a certificate with the figures of its tree recomputed, and the verdict of the
// check.
func (j *job) scored(c *Certificate) (*Result, error) {
	res := j.rendered(c)
	var err error
	if res.Constraints, err = j.describeConstraints(c); err != nil {
		return nil, badInput(err)
	}
	positive := cmp.Or(j.p.Positive, j.Positive)
	if res.Train, err = ScoreGroups(c.Tree, j.given, positive); err != nil {
		return nil, badInput(err)
	}
	if c.value != nil {
		obj := c.value(c.Tree)
		res.Train.Objective = &obj
	}
	if j.Test != nil {
		if res.Test, err = ScoreGroups(c.Tree, j.Test, positive); err != nil {
			return nil, badInput(err)
		}
		if s := res.Test; s.Rows > 0 && s.Reward == nil && s.Numbers == nil {
			s.AccuracySE = Known(math.Sqrt(s.Accuracy * (1 - s.Accuracy) / s.Rows))
		}
	}
	problem := cmp.Or(verify.TreeErrors(c.Tree, res.Train.Errors), j.checkReward(c, res))
	if res.Check.ErrorsMatch = problem == ""; problem != "" && res.Check.Problem == "" {
		res.Check.Problem = problem
	}
	res.Seconds = time.Since(j.began).Seconds()
	if res.Check.OK() {
		return res, c.Err
	}
	if res.unbelieved(); res.Kept() {
		return res, fmt.Errorf("%w: %s; the tree stands, without a proof", ErrCheck, res.Check.Problem)
	}
	return res, fmt.Errorf("%w: %s", ErrCheck, res.Check.Problem)
}

// unbelieved takes back what was claimed if the check fails. A tree that disproves a
// claim is what it is, and has its own objective; of what else failed nothing is known.
func (r *Result) unbelieved() {
	r.Status, r.Objective = mio.Unknown.String(), nil
	if r.Kept() {
		r.Status = mio.Feasible.String()
		if own := r.Train.Objective; own != nil {
			r.Objective = Known(*own)
		}
	}
	r.Bound, r.Gap, r.Prover = nil, nil, nil
}

// describeConstraints are the values of the constraints for the tree of a certificate.
func (j *job) describeConstraints(c *Certificate) ([]Constraint, error) {
	on, validation := j.p.Keep, (*dataset.Dataset)(nil)
	if on == nil {
		return nil, nil
	}
	var all []Constraint
	if c.Tree == nil {
		for _, text := range j.p.Constraints.Texts() {
			all = append(all, Constraint{Text: text})
		}
		return all, nil
	}
	if c.held != nil {
		on, validation = c.held.on, c.held.validation
	}
	for _, v := range on.Values(c.Tree) {
		all = append(all, Constraint{Text: v.Text, Limit: v.Limit, Train: v.Value, Held: v.Held, Note: v.Note})
	}
	return all, cmp.Or(
		j.valuesOn(validation, c.Tree, func(i int, v *constraint.Value) { all[i].Validation = v.Value }),
		j.valuesOn(j.Test, c.Tree, func(i int, v *constraint.Value) { all[i].Test, all[i].TestHeld = v.Value, &v.Held }),
	)
}

// valuesOn has put take the values of the constraints on other rows, nil for none.
func (j *job) valuesOn(ds *dataset.Dataset, t *tree.Tree, put func(i int, v *constraint.Value)) error {
	if ds == nil || ds.N() == 0 {
		return nil
	}
	on, err := j.p.Constraints.On(ds)
	if err != nil {
		return err
	}
	for i, v := range on.Values(t) {
		put(i, &v)
	}
	return nil
}

// mostCompared is the number of cells up to which CART is always run beside a method.
const mostCompared = 1 << 22

// baseline is that of the method, nil for CART itself, for methods whose trees have no such
// limits or which choose them, and if ctx ends before the tree is grown.
func (j *job) baseline(ctx context.Context) *Baseline {
	if j.p.Earns() {
		return j.singleAction()
	}
	const name = "cart"
	if j.data.Kind() == dataset.Numbers {
		return j.greedyNumbers(ctx, name)
	}
	if j.p.Info.Shape == nil || j.p.Name == name {
		return nil
	}
	if j.data.N()*j.data.P() > mostCompared && exact.Large(j.data.Dataset, &exact.Options{Depth: j.p.Shape.Greatest(), MaxSplits: j.p.Shape.MaxSplits, MinLeaf: j.p.Shape.MinLeaf}) {
		return nil // CART would need more time and memory than the fit
	}
	p, err := (&problem.CART{Shape: j.p.Shape}).On(ctx, j.data, 0)
	if err != nil {
		return nil
	}
	g, err := p.Grow(ctx, problem.Task{})
	if err != nil || g.Limit != mio.NoLimit {
		return nil
	}
	train := g.Tree.Evaluate(j.given)
	b := &Baseline{Method: name, Errors: train.Errors, Cost: costOf(train, j.given)}
	if j.Test != nil {
		test := g.Tree.Evaluate(j.Test)
		b.TestErrors, b.TestCost = &test.Errors, costOf(test, j.Test)
	}
	return b
}

// greedyNumbers is the baseline of trees that predict numbers.
func (j *job) greedyNumbers(ctx context.Context, name string) *Baseline {
	p, err := (&problem.CART{Shape: j.p.Shape}).On(ctx, j.data, 0)
	if err != nil {
		return nil
	}
	g, err := p.Grow(ctx, problem.Task{})
	if err != nil || g.Limit != mio.NoLimit {
		return nil
	}
	b := &Baseline{Method: name, Numbers: score.NumbersOf(g.Tree, j.data.Dataset)}
	if j.Test != nil {
		b.TestNumbers = score.NumbersOf(g.Tree, j.Test)
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

// Problems of rewards are maximised; all inside a fit is minimised. What comes out is
// turned round here, in one place: values by [problem.Problem.Reported], so that bounds are upper
// ones.

// turn makes the values of a result those that are reported.
func (j *job) turn(r *Result) {
	of := j.p.Reported
	if of == nil {
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
	return s.Reward.Total - j.p.Shape.Alpha*float64(t.Splits())
}

// turnedGap is the relative gap in reward, nil where there was none.
func turnedGap(objective, bound, gap *float64) *float64 {
	if gap == nil || objective == nil || bound == nil {
		return gap
	}
	return Known(mio.Gap(*objective, *bound))
}

// checkReward holds the reward, counted row by row, against the value that was minimised.
func (j *job) checkReward(c *Certificate, r *Result) string {
	of := j.p.Reported
	if of == nil || c.value == nil {
		return ""
	}
	value, counted := of(c.value(c.Tree)), j.earns(c.Tree, r.Train)
	scale := max(1, j.data.Dataset.BestReward()-value) // what is lost, which may be far more than what is earned
	if verify.Near(value, counted) || verify.Near(value/scale, counted/scale) {
		return ""
	}
	return fmt.Sprintf("the reward minus the penalty of the splits is %v, counted row by row %v", value, counted)
}
