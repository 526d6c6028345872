package fit

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
)

// Run fits a tree to ds. A time limit covers all of it. If a limit or an interrupt ends the
// solve, the best tree comes back without an error, at least the single leaf; Result says
// so. Errors of input and verdicts wrap one of the variables in job.go; a solver's failure without any
// tree is its own error. With ErrSolver the result is not nil; with ErrCheck, ErrInfeasible and
// ErrNoTree it may be nil, or have no tree.
func Run(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	j, err := newJob(ds, o)
	if err != nil {
		return nil, err
	}
	j.interrupt = ctx
	if limit := o.Solve.TimeLimit; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, j.began.Add(limit))
		defer cancel()
	}
	if err := j.prepare(ctx); err != nil {
		return nil, err
	}
	if s := &j.Solve; o.SearchLimit > 0 && j.engine == problem.Search && j.p.Tuning == nil && s.TimeLimit == 0 && j.WorkLimit == 0 && s.NodeLimit == 0 {
		var cancel context.CancelFunc
		s.TimeLimit = o.SearchLimit
		ctx, cancel = context.WithDeadline(ctx, j.began.Add(s.TimeLimit))
		defer cancel()
	}
	l := newLedger(j)
	if err := j.run(ctx, l); err != nil {
		return nil, err
	}
	res, err := j.result(ctx, l.Certificate())
	if res != nil {
		res.of = j.p
	}
	return res, err
}

// CheckOptions says what is wrong with a fit before it begins: options that no data make right,
// or that do not go with these. Which engine they leave is found out by Run. Errors wrap ErrInput.
func CheckOptions(ctx context.Context, ds *dataset.Dataset, o Options) error {
	j, err := newJob(ds, o)
	if err == nil {
		err = j.bind(ctx, problem.DefaultDepth)
	}
	return err
}

// prepare chooses the engine and binds the method to the data.
func (j *job) prepare(ctx context.Context) error {
	e, without, err := j.choose(ctx)
	if err != nil {
		return err
	}
	j.engine = e
	depth := problem.DefaultDepth
	if e == problem.Search && !j.info.Exact {
		depth = problem.SearchDepth
	}
	if err := j.bind(ctx, depth); err != nil {
		return err
	}
	if without != nil {
		j.warn(fmt.Sprintf("no solver: %v; the best heuristic answers, without a proof", without))
	}
	return nil
}
