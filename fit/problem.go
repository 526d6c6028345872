package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// problem is a formulation ready to be solved, and what the pipeline must know
// of it.
type problem struct {
	formulate.Formulation
	form, encoding string
	tightenings    []string
	bound          float64                 // on every tree's objective, from the data alone; -Inf for none
	lattice        *verify.Lattice         // of the objective; nil for none
	imprecise      string                  // why no claim of a solver is a proof; "" where it can be one
	unit           float64                 // weight that 1 of the model's objective stands for; 0: the objective has no unit
	complexity     func(*tree.Tree) int    // what max_splits bounds; nil where depth, least leaf and most splits do not apply
	anyTree        bool                    // takes starts from trees of any shape
	scope          func(*tree.Tree) string // of a proof; nil for all trees
	built          time.Duration
}

// solveProblem solves p from the start asked for, and decodes and checks what
// comes back.
func (r *run) solveProblem(ctx context.Context, solver solvers.Solver, p *problem) error {
	m := p.Model()
	r.describe(p)
	r.stage("model: %s %s, %d rows, %d columns (%d binary), %d nonzeros", p.form, p.encoding, m.NumRows(), m.NumCols(), m.NumDiscrete(), m.NumNonzeros())
	err := solvers.Validate(solver, m, &r.opts.Solve)
	if option := (*solvers.OptionError)(nil); errors.As(err, &option) {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if err != nil {
		return fmt.Errorf("%w: %w; `octgen mps` writes the model for one that does", ErrInput, err)
	}
	st, err := r.chooseStart(ctx, p)
	if err != nil {
		return err
	}
	sol, err := r.solve(ctx, solver, p, st)
	if err != nil {
		return err
	}
	r.judge(ctx, p, sol, st.witness())
	return r.decode(p, solver, sol, st)
}

// inUnits is a figure of the model's objective in the unit of reports.
func (p *problem) inUnits(v float64) float64 {
	if p.unit == 0 {
		return v
	}
	return v * p.unit
}

// describe sets the result's formulation, and warns of its range of coefficients.
func (r *run) describe(p *problem) {
	m := p.Model()
	coef := m.CoefRange()
	if w := coef.Warning(); w != "" {
		r.warn("%s", w)
	}
	r.res.Formulation = &Formulation{
		Form: p.form, Encoding: p.encoding, Tightenings: p.tightenings,
		Columns: m.NumCols(), Rows: m.NumRows(), Nonzeros: m.NumNonzeros(), Binaries: m.NumDiscrete(),
		CoefMin: coef.Min, CoefMax: coef.Max, BuildSeconds: p.built.Seconds(),
	}
}

func (r *run) lookupSolver(ctx context.Context) (solvers.Solver, error) {
	if limit := r.opts.Solve.TimeLimit; limit > 0 {
		within, cancel := context.WithDeadline(ctx, r.began.Add(limit))
		defer cancel()
		ctx = within
	}
	lookup := solvers.Lookup
	if r.opts.Path != "" {
		lookup = func(name string) (solvers.Solver, error) { return solvers.LookupAt(name, r.opts.Path) }
	}
	s, err := lookup(r.opts.Solver)
	if err == nil {
		err = solvers.AvailableWithin(ctx, s)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: the time limit came before %s had told its version", ErrNoTree, s.Name())
	case errors.Is(err, context.Canceled):
		return nil, fmt.Errorf("%w: interrupted before %s had told its version", ErrNoTree, s.Name())
	case err != nil:
		return nil, fmt.Errorf("%w: %w; `octgen solvers` lists them, methods such as treesearch and cart need none, and `octgen mps` writes the model for any solver", ErrInput, err)
	}
	if !s.Capabilities().Seed {
		r.opts.Solve.Seed = 0 // it makes no random choices
	}
	return s, nil
}

// solve runs the solver within what is left of the time limit. It may end within a
// step of the objective, which is a proof.
func (r *run) solve(ctx context.Context, solver solvers.Solver, p *problem, st *start) (*mio.Solution, error) {
	opt := r.opts.Solve
	if solver.Capabilities().Gaps && opt.AbsGap == 0 {
		opt.AbsGap = p.lattice.AbsGap()
	}
	if st != nil && solver.Capabilities().Start {
		opt.Start = st.point
	}
	if opt.TimeLimit > 0 {
		opt.TimeLimit -= time.Since(r.began)
		if opt.TimeLimit <= 0 {
			return startOnly(st, mio.LimitTime), nil
		}
	}
	if ctx.Err() != nil {
		return startOnly(st, mio.LimitInterrupt), nil
	}
	r.stage("solving with %s %s", solver.Name(), solver.Version())
	if r.opts.Notify != nil {
		opt.Progress = func(e solvers.Event) { r.opts.Notify(Event{Progress: p.atLeast(&e, st)}) }
		opt.Progress(solvers.Event{Objective: math.NaN(), Bound: math.Inf(-1)})
	}
	sol, err := solver.Solve(ctx, p.Model(), opt)
	if option := (*solvers.OptionError)(nil); errors.As(err, &option) {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if err != nil {
		return r.salvage(solver, st, err)
	}
	if st != nil && sol.Values == nil && sol.Status != mio.Infeasible {
		sol.Values, sol.Objective, sol.Gap = st.point, st.objective, mio.Gap(st.objective, sol.Bound)
		if sol.Status == mio.NoSolution || sol.Status == mio.Unknown {
			sol.Status = mio.Feasible
		}
	}
	return sol, nil
}

// salvage answers for a solver that failed: with what it had written until then,
// or with the start.
func (r *run) salvage(solver solvers.Solver, st *start, err error) (*mio.Solution, error) {
	err = fmt.Errorf("solver %s: %w", solver.Name(), err)
	var sol *mio.Solution
	if failed := (interface{ Incumbent() *mio.Solution })(nil); errors.As(err, &failed) {
		sol = failed.Incumbent()
	}
	if sol == nil && st != nil {
		sol = startOnly(st, mio.NoLimit)
		sol.Solver, sol.Raw = solver.Name(), "failed"
	}
	if sol == nil {
		return nil, err
	}
	r.failed = fmt.Errorf("%w: %w", ErrSolver, err)
	return sol, nil
}

// atLeast adds to a solver's event what was known before it began.
func (p *problem) atLeast(e *solvers.Event, st *start) *solvers.Event {
	if st != nil && !(e.Objective <= st.objective) {
		e.Objective = st.objective
	}
	e.Objective, e.Bound = p.inUnits(e.Objective), p.inUnits(max(e.Bound, p.bound))
	e.Gap = mio.Gap(e.Objective, e.Bound)
	return e
}

// startOnly is the answer where nothing is left for the solver.
func startOnly(st *start, why mio.Limit) *mio.Solution {
	s := &mio.Solution{Status: mio.NoSolution, Limit: why, Objective: math.NaN(), Bound: math.Inf(-1), Gap: math.Inf(1), Solver: "none", Raw: "stopped before the solver began"}
	if st != nil {
		s.Status, s.Values, s.Objective = mio.Feasible, st.point, st.objective
	}
	return s
}

// decode turns the solver's point into the result's tree and checks both.
func (r *run) decode(p *problem, solver solvers.Solver, sol *mio.Solution, st *start) error {
	s := describeSolution(p, sol)
	if sol.Solver != "none" {
		s.Name, s.Version = solver.Name(), solver.Version()
	}
	if st != nil {
		s.Start, s.StartObjective, s.StartSeconds = st.name, known(p.inUnits(st.objective)), &r.startSeconds
	}
	r.res.Solver = s
	return r.decodePoint(p, solver.Name(), sol)
}

// decodePoint is decode after the result's Solver is set.
func (r *run) decodePoint(p *problem, solver string, sol *mio.Solution) error {
	r.claim = sol
	switch {
	case sol.Status == mio.Infeasible:
		if r.admits != "" {
			return fmt.Errorf("%w: %s says that the model is infeasible, but %s satisfies it", ErrCheck, solver, r.admits)
		}
		return fmt.Errorf("%w: %s proved the model infeasible", ErrInfeasible, solver)
	case sol.Values == nil && sol.Limit != mio.NoLimit:
		return fmt.Errorf("%w: %s stopped on its limit (%s)", ErrNoTree, solver, sol.Limit)
	case sol.Values == nil:
		return fmt.Errorf("%s: %s (%s)", solver, sol.Status, sol.Raw)
	}
	r.checkPoint(p.Model(), sol)
	t, err := p.Decode(sol.Values)
	if err != nil {
		r.res.Check.Problem = err.Error()
		return fmt.Errorf("%w: %w", ErrCheck, err)
	}
	if p.scope != nil {
		r.res.Formulation.Scope = p.scope(t)
	}
	r.res.Tree = t
	if s := r.res.Solver; s.StartObjective != nil {
		gain := *s.StartObjective - r.objective(t)
		if math.Abs(gain) < verify.Rounding*max(1, math.Abs(*s.StartObjective)) {
			gain = 0 // what is left of rounding
		}
		s.StartGain = &gain
	}
	r.checkTree(t, p, sol)
	return nil
}
