package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// job is what a fit works on: data and options, checked and with their defaults. It
// does not change.
type job struct {
	Options
	data  *problem.Data
	began time.Time
	seed  uint64 // of the heuristics; solvers may have none
	usual bool   // no solver was named

	constrained constraints
	found       *problem.Found // what a search came to before a program; nil for none
}

// seeded is the same job with another seed of the heuristics.
func (j *job) seeded(seed uint64) *job {
	other := *j
	other.seed = seed
	return &other
}

// newJob checks what no method can work with.
func newJob(ctx context.Context, ds *dataset.Dataset, o Options) (*job, error) {
	if o.Method == nil {
		o.Method = new(problem.OCT)
	}
	if o.Start == "" {
		o.Start = "auto"
	}
	if o.Engine == "" {
		o.Engine = problem.Auto
	}
	j := &job{Options: o, data: problem.NewData(ds), began: time.Now(), seed: uint64(max(o.Solve.Seed, 0)), usual: o.Solver == ""}
	if err := ds.Validate(); err != nil {
		return nil, badInput(err)
	}
	if err := cmp.Or(j.checkRewards(), j.validateTrees()); err != nil {
		return nil, badInput(err)
	}
	if err := problem.Check(o.Method); err != nil {
		return nil, badInput(err)
	}
	if err := problem.CheckCosts(o.Method, ds); err != nil {
		return nil, badInput(err)
	}
	var err error
	if j.Method, err = problem.For(ctx, o.Method, ds, problem.Files{}); err != nil {
		return j, badInput(err)
	}
	j.constrained, err = j.constraintsOf(j.Method)
	return j, badInput(err)
}

// checkRewards holds the method against whether the data have rewards.
func (j *job) checkRewards() error {
	_, earns := j.Method.(problem.Earning)
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
	if m, ok := j.Method.(problem.Maximised); ok {
		return m.Reported(j.data)
	}
	return nil
}

// validateTrees holds the options that speak of trees against the data.
func (j *job) validateTrees() error {
	ds := j.data
	other := func(features, classes []string) bool {
		return !slices.Equal(features, ds.Features) || !slices.Equal(classes, ds.Classes)
	}
	const differs = "the %s has other features or classes than the training data"
	if d := j.Test; d != nil && other(d.Features, d.Classes) {
		return fmt.Errorf(differs, "test data")
	}
	if d := j.Test; d != nil && (d.Reward == nil) != (ds.Reward == nil) {
		return errors.New("training and test data both have rewards of actions, or neither has")
	}
	if t := j.StartTree; t != nil && other(t.Features, t.Classes) {
		return fmt.Errorf(differs, "start tree")
	}
	weight := sum(ds.Weight)
	if least := leastLeaf(j.Method); !tree.EnoughWeight(weight, least) {
		return fmt.Errorf("the least leaf weight is %v, but all training rows together weigh %v", least, weight)
	}
	return nil
}

// sum adds up from the first to the last.
func sum(of []float64) float64 {
	total := 0.0
	for _, v := range of {
		total += v
	}
	return total
}

// leastLeaf is the least leaf weight of a method, 0 where it has none.
func leastLeaf(m problem.Method) float64 {
	switch m := m.(type) {
	case problem.Tuned:
		return m.Tuning().MinLeaf
	case problem.Problem:
		return m.Trees().MinLeaf
	case problem.Shaped:
		return m.Grows().MinLeaf
	}
	return 0
}

// limits are those that a tree of this shape keeps.
func limits(s problem.Shape, complexity func(*tree.Tree) int) verify.Limits {
	return verify.Limits{Depth: s.Levels.Greatest(), MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits, Complexity: complexity}
}

// badInput marks err as a mistake of the caller's; nil stays nil.
func badInput(err error) error {
	if err == nil || errors.Is(err, ErrInput) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrInput, err)
}

func (j *job) stage(format string, args ...any) {
	if j.Notify != nil {
		j.Notify(Event{Stage: fmt.Sprintf(format, args...)})
	}
}

// longStage is a stage that may take long, with why, and what makes it shorter. That a
// time limit ends it with a tree is said where it has none.
func (j *job) longStage(stage, why, shorter string) {
	if j.Notify == nil {
		return
	}
	ends := "--time-limit 60s ends with the best tree so far and a bound, an interrupt (Ctrl-C) does at once"
	if limit := j.Solve.TimeLimit; limit > 0 {
		ends = fmt.Sprintf("the time limit of %v ends with the best tree so far and a bound", limit)
	}
	if shorter != "" {
		ends += "; " + shorter
	}
	j.Notify(Event{Stage: stage, Hint: fmt.Sprintf("%s: %s", why, ends)})
}

func (j *job) warn(text string) {
	if j.Notify != nil {
		j.Notify(Event{Warning: text})
	}
}

// task is the running of an algorithm for a program, or, with p nil, as the method.
func (j *job) task(p problem.Problem) problem.Task {
	t := problem.Task{For: p, Named: j.Start != "auto", Seed: j.seed, Workers: j.Solve.Threads, Warn: j.warn}
	if p == nil {
		t.Work = j.WorkLimit
		if j.Notify != nil {
			t.Notify = j.stage
		}
	}
	return t
}

// ended is the error of something that ctx ended before there was a tree.
func ended(ctx context.Context, before string) error {
	if interrupted(ctx) {
		return fmt.Errorf("%w: interrupted before %s", ErrNoTree, before)
	}
	return fmt.Errorf("%w: the time limit came before %s", ErrNoTree, before)
}

// constraintsOf binds the constraints of m to its data, and tells what is left out.
func (j *job) constraintsOf(m problem.Method) (constraints, error) {
	c, ok := m.(problem.Constrainable)
	if !ok {
		return constraints{positive: j.Positive}, nil
	}
	bound := constraints{set: c.Constraints(), positive: cmp.Or(c.Compares(), j.Positive)}
	if bound.set.Empty() {
		return bound, nil
	}
	var err error
	if bound.on, err = bound.set.On(j.data.Dataset); err != nil {
		return bound, err
	}
	for _, w := range bound.on.Warnings {
		j.warn(w)
	}
	return bound, nil
}

// named lists the constraints for messages.
func (j *job) named() string { return strings.Join(j.constrained.set.Texts(), "; ") }
