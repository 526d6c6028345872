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
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// Run fits a tree to ds. A time limit covers all of it. Where a limit or an
// interrupt ends the solve, the best tree comes back without an error, the single
// leaf at least; Result says so. Errors wrap one of the variables above; with
// ErrCheck and ErrSolver the result is not nil, nor with ErrNoTree once a solver was
// asked; it has no tree where there is none.
func Run(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	j, err := newJob(ctx, ds, o)
	if err != nil {
		return nil, err
	}
	interrupt := ctx
	if limit := o.Solve.TimeLimit; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, j.began.Add(limit))
		defer cancel()
	}
	res, err := j.answered(ctx, interrupt)
	j.turn(res)
	return res, err
}

// answered has an engine answer, and scores the answer; its values are those that are
// minimised.
func (j *job) answered(ctx, interrupt context.Context) (*Result, error) {
	a, err := j.run(ctx, interrupt)
	if err != nil {
		if a == nil || !errors.Is(err, ErrCheck) && !errors.Is(err, ErrNoTree) && !(errors.Is(err, ErrInfeasible) && j.constrained.on != nil) {
			return nil, err
		}
		res := j.result(a)
		if errors.Is(err, ErrCheck) {
			res.unbelieved()
		}
		res.Constraints, _ = j.describeConstraints(a)
		res.Seconds = time.Since(j.began).Seconds()
		return res, err
	}
	return j.finish(ctx, a)
}

// run has the right engine answer.
func (j *job) run(ctx, interrupt context.Context) (*answer, error) {
	e, err := j.engine(ctx)
	if err != nil {
		return nil, err
	}
	switch m := j.withDepth(e).(type) {
	case problem.Tuned:
		return j.runTuned(ctx, interrupt, m)
	case problem.Problem:
		switch e {
		case problem.Search:
			return j.runSearchFirst(ctx, interrupt, m.(problem.Searcher))
		case problem.Heuristic:
			return j.runHeuristic(ctx, m)
		}
		return j.runMIO(ctx, interrupt, m)
	case problem.Exact:
		return j.runSearch(ctx, m)
	case problem.Searched:
		if e == problem.Search {
			return j.runSearch(ctx, m)
		}
		return j.runAlgorithm(ctx, m)
	case problem.Algorithm:
		return j.runAlgorithm(ctx, m)
	default:
		return nil, fmt.Errorf("%w: %T is no problem and no algorithm", ErrInput, m)
	}
}

// engine chooses how the method is solved.
func (j *job) engine(ctx context.Context) (problem.Engine, error) {
	info := j.Method.Info()
	p, isProblem := j.Method.(problem.Problem)
	if !isProblem {
		_, searched := j.Method.(problem.Searched)
		switch {
		case j.Engine == problem.Auto && searched:
			return problem.Search, nil
		case j.Engine == problem.Auto:
		case !slices.Contains(info.Engines, j.Engine):
			return "", j.noEngine(j.Method, j.Engine)
		case j.Engine != problem.MIO && !j.usual:
			return "", fmt.Errorf("%w: --solver is of the engine mio, not of %s", ErrInput, j.Engine)
		}
		return j.Engine, nil
	}
	if err := j.checkStart(p); err != nil {
		return "", err
	}
	if c, can := p.(problem.Constrainable); can && j.CrossCheck && !c.Constraints().Empty() {
		return "", fmt.Errorf("%w: the cross-check is for problems without constraints; under them --engine mio begins with what the search has proved, and says so", ErrInput)
	}
	if s, searches := p.(problem.Searcher); j.CrossCheck && !(searches && s.Crossable()) {
		return "", fmt.Errorf("%w: the cross-check is for problems with an exact search, such as oct, and an encoding whose optimum is that of trees", ErrInput)
	}
	e, why := j.preferred(ctx, p)
	if !slices.Contains(info.Engines, e) {
		return "", j.noEngine(p, e)
	}
	if why != nil {
		j.warn(fmt.Sprintf("no solver: %v; the best heuristic answers, without a proof", why))
	}
	return e, badInput(j.refused(p, e))
}

// preferred is the engine that was asked for, or else the first that can: the search,
// unless something is asked for that only a program has; a program; and, where there
// is no solver, why says so, the heuristics.
func (j *job) preferred(ctx context.Context, p problem.Problem) (e problem.Engine, why error) {
	has := func(e problem.Engine) bool { return slices.Contains(p.Info().Engines, e) }
	program := j.program(p) != nil
	switch {
	case j.Engine != problem.Auto:
		return j.Engine, nil
	case has(problem.Search) && !program:
		return problem.Search, nil
	case program || !has(problem.Heuristic):
		return problem.MIO, nil
	}
	if _, why, _ := j.findSolver(ctx); why != nil {
		return problem.Heuristic, why
	}
	return problem.MIO, nil
}

// checkStart refuses a start that the problem does not take before anything is done.
func (j *job) checkStart(p problem.Problem) error {
	if j.StartTree != nil || j.Start == "none" {
		return nil
	}
	_, err := j.suitable(p)
	return err
}

// withDepth is the method with the depth that the engine has by default.
func (j *job) withDepth(e problem.Engine) problem.Method {
	depth := problem.DefaultDepth
	if _, exact := j.Method.(problem.Exact); e == problem.Search && !exact {
		depth = problem.SearchDepth
	}
	return problem.WithDepth(j.Method, depth)
}

// answeredBy is the method of an answer, with its depth.
func (j *job) answeredBy(a *answer) problem.Method {
	if a.of != nil {
		return a.of
	}
	return j.withDepth(a.engine)
}

// finish checks across and scores the answer.
func (j *job) finish(ctx context.Context, a *answer) (*Result, error) {
	var cross *CrossCheck
	if j.CrossCheck && a.tree != nil && a.Solver != nil {
		p := j.answeredBy(a).(problem.Searcher)
		var err error
		if cross, err = j.crossCheck(ctx, p, a); err != nil {
			return nil, err
		}
	}
	res, err := j.scored(a)
	res.CrossCheck = cross
	res.Baseline = j.baseline(ctx, j.answeredBy(a))
	return res, err
}

// scored is the result of an answer, its figures recomputed, with the verdict of the
// check.
func (j *job) scored(a *answer) (*Result, error) {
	res := j.result(a)
	var err error
	if res.Constraints, err = j.describeConstraints(a); err != nil {
		return nil, badInput(err)
	}
	if res.Train, err = ScoreGroups(a.tree, j.data.Dataset, j.constrained.positive); err != nil {
		return nil, badInput(err)
	}
	if a.objective != nil {
		obj := a.objective(a.tree)
		res.Train.Objective = &obj
	}
	if j.Test != nil {
		if res.Test, err = ScoreGroups(a.tree, j.Test, j.constrained.positive); err != nil {
			return nil, badInput(err)
		}
	}
	problem := cmp.Or(verify.TreeErrors(a.tree, res.Train.Errors), j.checkReward(a, res))
	if res.Check.ErrorsMatch = problem == ""; problem != "" && res.Check.Problem == "" {
		res.Check.Problem = problem
	}
	res.Seconds = time.Since(j.began).Seconds()
	if !res.Check.OK() {
		res.unbelieved()
		if res.Kept() {
			return res, fmt.Errorf("%w: %s; the tree stands, without a proof", ErrCheck, res.Check.Problem)
		}
		return res, fmt.Errorf("%w: %s", ErrCheck, res.Check.Problem)
	}
	return res, a.failed
}

// unbelieved takes back what was claimed where the check fails. A tree that disproves a
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

// result is what an answer says before its tree is scored.
func (j *job) result(a *answer) *Result {
	res, v := &a.Result, a.verdict
	res.Method, res.Engine, res.Status, res.Limit = j.Method.Info().Name, string(a.engine), v.Status.String(), v.Limit.String()
	res.Objective, res.Bound, res.Gap = Known(v.Objective), Known(v.Bound), Known(v.Gap)
	res.Data, res.Tree = DescribeData(j.data.Dataset), a.tree
	if v.Limit != mio.NoLimit || v.Status == mio.Optimal || v.Status == mio.Infeasible {
		res.Unproved = ""
	}
	if p := string(v.Prover); p != "" {
		res.Prover = &p
	}
	if res.Check == nil && a.tree != nil {
		res.Check = new(Check)
	}
	return res
}
