package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
)

// Errors that Run wraps, for callers that map them to exit codes.
var (
	// ErrInput: the options or the data do not allow the fit.
	ErrInput = errors.New("invalid input")
	// ErrCheck: the independent check refutes what the solver said. The
	// result comes with it if there is one.
	ErrCheck = errors.New("check failed")
	// ErrInfeasible: proved that no tree satisfies the options.
	ErrInfeasible = errors.New("no tree satisfies the options")
	// ErrSolver: the solver failed. The result, which comes with it, has the
	// best tree known until then.
	ErrSolver = errors.New("the solver failed; the tree is the best one known until then")
	// ErrNoTree: no tree was found, and none is ruled out. A limit or an interrupt came first,
	// or the engine cannot decide; the error and Result.Limit or Result.Unproved say which.
	ErrNoTree = errors.New("no tree was found")
)

// Options says what to fit and how. The zero value is OCT of depth
// [problem.SearchDepth] by exact search, without limits.
type Options struct {
	// Method is a method with its options; nil is OCT.
	Method problem.Method

	// Engine says how a problem is solved; "" is auto: the exact search if there is one,
	// else a solver from the best start, else, if no solver is installed, the best
	// heuristic, and the result says so. What only a solver has (an encoding, a named
	// solver, a node limit, a cross-check) makes it mio.
	Engine problem.Engine

	// Solver is a registered name, which makes the engine mio. If none is named it is the
	// first installed one of highs, highs-exe and cbc. A named one that is not available is
	// an error.
	Solver string
	Place  solvers.Place   // where Solver is looked for
	Solve  solvers.Options // limits, threads, seed; Start and Progress are set by Run

	// Start is "auto" (default): the best of the heuristics that suit the problem;
	// "none"; or the name of one of them. Starters are those with other options than
	// their defaults, by their names.
	Start    string
	Starters []problem.Method

	// StartTree, if not nil, is the start, called StartName in the result. It speaks of the
	// features of the data that is fitted.
	StartTree *tree.Tree
	StartName string

	// SearchLimit is the time limit of an exact search if none of time, work or nodes is set; 0 for
	// none. It is not of tuned methods.
	SearchLimit time.Duration

	// WorkLimit ends the native searches after so much work, the same on every machine: the
	// exact search (exact.Options.WorkLimit), local-search and alternating (Options.Work of their
	// packages) and, per solve, oct-tuned and oct-h-tuned. 0 means the default of the method:
	// none for the exact search.
	WorkLimit int64

	// CrossCheck has the exact search solve the same problem after the solver (oct only)
	// and compares objectives and bounds; a disagreement is ErrCheck. Of a time limit it
	// gets a tenth of what the solver would have, and all that this leaves.
	CrossCheck bool

	// CountRows makes the minimum leaf size a number of rows, whatever they weigh: of classes, without
	// constraints but on columns that are forbidden.
	CountRows bool

	Test     *dataset.Dataset // scored too; nil for none
	Positive string           // class whose rates reports of groups compare, if the method names none; "" for the choice of [constraint.FairnessOf]
	Notify   func(Event)      // nil for none; called on Run's goroutine
}

// Event is news of a running fit: a stage that was reached, a warning, or the
// progress of an engine.
type Event struct {
	Stage    string
	Hint     string // of a stage that may take long: why, and what can be done
	Warning  string
	Progress *solvers.Event
}

// job is what a fit works on: data and options, checked and with their defaults. Once it is
// prepared it does not change.
type job struct {
	Options
	info   problem.Info   // of the method as it was given
	engine problem.Engine // chosen
	p      *problem.Problem
	data   *problem.Data
	given  *dataset.Dataset // data, but for rows that were made to weigh one (CountRows)
	began  time.Time
	seed   uint64 // of the heuristics; solvers may have none
	usual  bool   // no solver was named

	interrupt context.Context // the caller's, without the deadline of the time limit
}

// newJob checks what no method can work with.
func newJob(ds *dataset.Dataset, o Options) (*job, error) {
	if o.Method == nil {
		o.Method = new(problem.OCT)
	}
	o.Start, o.Engine = cmp.Or(o.Start, "auto"), cmp.Or(o.Engine, problem.Auto)
	j := &job{
		Options: o, info: o.Method.Info(), data: problem.NewData(ds), given: ds, began: time.Now(),
		seed: uint64(max(o.Solve.Seed, 0)), usual: o.Solver == "", interrupt: context.Background(),
	}
	for _, check := range []func() error{ds.Validate, func() error { return problem.CheckLoss(o.Method, ds) }, j.countRows, j.checkTrees, func() error { return problem.Check(o.Method) }} {
		if err := check(); err != nil {
			return nil, badInput(err)
		}
	}
	return j, nil
}

// jobOf is a job for a problem that is bound already.
func jobOf(p *problem.Problem, o Options) *job {
	o.Start = cmp.Or(o.Start, "auto")
	return &job{
		Options: o, info: p.Info, p: p, data: p.Data, given: p.Data.Dataset, began: time.Now(), seed: uint64(max(o.Solve.Seed, 0)), usual: o.Solver == "",
		interrupt: context.Background(),
	}
}

// countRows makes the rows weigh one each if Options say so. Errors then are costs, which every
// engine keeps apart from what rows weigh in a leaf, so trees have the same value as before.
func (j *job) countRows() error {
	ds := j.given
	if !j.CountRows || slices.Equal(ds.Weight, ds.Count) {
		return nil
	}
	const other = "count-rows, of rows with other weights than 1, %s; --min-leaf without it is a weight"
	switch kind := ds.Kind(); {
	case kind != dataset.Errors && kind != dataset.Costs:
		return fmt.Errorf(other, "is of classes, not of "+kind.String())
	case !j.info.Costs:
		return fmt.Errorf(other, "is not for method "+j.info.Name+", which has no costs")
	case !j.info.Constraints.OnlyForbids():
		return fmt.Errorf(other, "is not for constraints but --forbid")
	}
	j.data = problem.NewData(ds.Counted())
	return nil
}

// checkTrees holds the options that speak of trees against the data.
func (j *job) checkTrees() error {
	ds := j.data
	other := func(features, classes []string) bool {
		return !slices.Equal(features, ds.Features) || !slices.Equal(classes, ds.Classes)
	}
	const differs = "the %s has other features or classes than the training data"
	if d := j.Test; d != nil && other(d.Features, d.Classes) {
		return fmt.Errorf(differs, "test data")
	}
	if d := j.Test; d != nil && (d.Kind() == dataset.Numbers) != (ds.Kind() == dataset.Numbers) {
		return errors.New("training and test data both have numbers to be predicted, or neither has")
	}
	if d := j.Test; d != nil && (d.Kind() == dataset.Rewards) != (ds.Kind() == dataset.Rewards) {
		return errors.New("training and test data both have rewards of actions, or neither has")
	}
	if t := j.StartTree; t != nil && other(t.Features, t.Classes) {
		return fmt.Errorf(differs, "start tree")
	}
	least := j.info.MinLeaf
	if j.info.Shape != nil {
		least = j.info.Shape.MinLeaf
	}
	if weight := sum(ds.Weight); !tree.EnoughWeight(weight, least) {
		return fmt.Errorf("the minimum leaf weight is %v, but all training rows together weigh %v", least, weight)
	}
	return nil
}

// bind binds the method to the data, and tells which constraints are left out.
func (j *job) bind(ctx context.Context, depth int) (err error) {
	if j.p, err = j.Method.On(ctx, j.data, depth); err != nil {
		return badInput(err)
	}
	if j.p.Keep != nil {
		for _, w := range j.p.Keep.Warnings {
			j.warn(w)
		}
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

// badInput marks err as a mistake of the caller's; nil stays nil.
func badInput(err error) error {
	if err == nil || errors.Is(err, ErrInput) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrInput, err)
}

// ended is the error of something that ctx ended before there was a tree.
func ended(ctx context.Context, before string) error {
	if interrupted(ctx) {
		return fmt.Errorf("%w: interrupted before %s", ErrNoTree, before)
	}
	return fmt.Errorf("%w: the time limit came before %s", ErrNoTree, before)
}

func (j *job) stage(format string, args ...any) {
	if j.Notify != nil {
		j.Notify(Event{Stage: fmt.Sprintf(format, args...)})
	}
}

// longStage is a stage that may take long, with why, and what makes it shorter. If there is
// no time limit, it says that one ends it with a tree.
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

// budget is time that several parts share: what one leaves goes to those after it.
// Without a deadline there is no limit.
type budget struct {
	end   time.Time // zero: no limit
	parts int       // still to come
}

// budgetOf is one part in so many of what is left until ctx's deadline, shared by
// parts.
func budgetOf(ctx context.Context, oneIn, parts int) budget {
	end, ok := ctx.Deadline()
	if !ok {
		return budget{parts: parts}
	}
	now := time.Now()
	return budget{end: now.Add(end.Sub(now) / time.Duration(oneIn)), parts: parts}
}

// next is the context of the next part, within its share of what is left.
func (b *budget) next(ctx context.Context) (context.Context, context.CancelFunc) {
	parts := max(1, b.parts)
	b.parts--
	if b.end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(time.Nanosecond, time.Until(b.end)/time.Duration(parts)))
}

// timeLeft is what is left until ctx's deadline; ok is false without one.
func timeLeft(ctx context.Context) (left time.Duration, ok bool) {
	end, ok := ctx.Deadline()
	return time.Until(end), ok
}

// within is ctx with a share of the time that is left, if that is limited.
func within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if left, limited := timeLeft(ctx); limited && share < 1 {
		return context.WithTimeout(ctx, time.Duration(float64(left)*share))
	}
	return context.WithCancel(ctx)
}

// endedNow is ctx, or one whose time is over if ctx has not ended: the clock is
// ahead of its timer, or what is to be done needs more time than is left.
func endedNow(ctx context.Context) context.Context {
	if ctx.Err() != nil {
		return ctx
	}
	over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 0)
	cancel()
	return over
}

// outOfTime reports whether err is the end of ctx, whose timer may be late for it.
func outOfTime(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled))
}

// interrupted reports whether something else than its deadline ended ctx.
func interrupted(ctx context.Context) bool {
	return ctx.Err() != nil && ctx.Err() != context.DeadlineExceeded
}
