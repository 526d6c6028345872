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
)

// runOCT formulates OCT, solves it from the start, and decodes and checks what
// comes back.
func runOCT(ctx context.Context, r *run) error {
	o := r.opts.OCT
	o.OmitNames = true
	solver, err := r.lookupSolver()
	info, ierr := o.Inspect(r.ds)
	if errors.Is(ierr, formulate.ErrSingleLeaf) {
		return r.singleLeaf(ierr)
	}
	if ierr != nil {
		return fmt.Errorf("%w: %w", ErrInput, ierr)
	}
	if err != nil { // only now: a single leaf needs no solver
		return err
	}
	for _, w := range info.Warnings {
		r.warn("%s", w)
	}
	began := time.Now()
	f, err := o.Build(ctx, r.ds)
	if err != nil {
		return r.buildError(ctx, err)
	}
	m := f.Model()
	r.res.Formulation = &Formulation{
		Form: "oct", Encoding: string(f.Options().Encoding), Tightenings: info.Tightenings,
		Columns: m.NumCols(), Rows: m.NumRows(), Nonzeros: m.NumNonzeros(), Binaries: m.NumDiscrete(),
		BuildSeconds: time.Since(began).Seconds(),
	}
	r.stage("model: oct %s, %d rows, %d columns (%d binary), %d nonzeros", f.Options().Encoding, m.NumRows(), m.NumCols(), m.NumDiscrete(), m.NumNonzeros())
	err = solvers.Validate(solver, m, &r.opts.Solve)
	if option := (*solvers.OptionError)(nil); errors.As(err, &option) {
		return fmt.Errorf("%w: %w", ErrInput, err)
	}
	if err != nil {
		return fmt.Errorf("%w: %w; `octgen mps` writes the model for one that does", ErrInput, err)
	}
	st, err := r.chooseStart(ctx, f)
	if err != nil {
		return err
	}
	// Before the first relaxation is solved, and where it is weak, the bound
	// that the data gives for nothing is the better proof.
	bound := math.Inf(-1)
	if o.Encoding != formulate.BigMPublished {
		bound = f.Bound()
	}
	sol, err := r.solve(ctx, solver, m, st, bound)
	if err != nil {
		return err
	}
	if sol.Bound < bound {
		sol.Bound, sol.Gap = bound, mio.Gap(sol.Objective, bound)
	}
	return r.decode(f, solver, sol, st)
}

func (r *run) lookupSolver() (solvers.Solver, error) {
	s, err := solvers.Lookup(r.opts.Solver)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; `octgen solvers` lists them, `--method cart` needs none, and `octgen mps` writes the model for any solver", ErrInput, err)
	}
	if err := s.Available(); err != nil {
		return nil, fmt.Errorf("%w: %w; `octgen solvers` lists them, `--method cart` needs none, and `octgen mps` writes the model for any solver", ErrInput, err)
	}
	return s, nil
}

func (r *run) buildError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: interrupted while the model was built", ErrNoTree)
	}
	return fmt.Errorf("%w: %w", ErrInput, err)
}

// singleLeaf answers data for which the single leaf is optimal whatever the
// options: one class, or no feature that varies.
func (r *run) singleLeaf(why error) error {
	t := tree.NewLeaf(r.ds, 0)
	t.Annotate(r.ds)
	best := 0
	for k, w := range t.Nodes[0].Weight {
		if w > t.Nodes[0].Weight[best] {
			best = k
		}
	}
	t.Nodes[0].Class = best
	r.res.Tree = t
	obj := t.Objective(r.ds, r.opts.OCT.Alpha)
	zero, yes := 0.0, true
	r.res.Solver = &Solver{Name: "none", Status: mio.Optimal.String(), Raw: why.Error(), Objective: &obj, Bound: &obj, Gap: &zero}
	r.res.Check = &Check{Feasible: &yes, ObjectiveMatches: &yes}
	return nil
}

// solve runs the solver within what is left of the time limit.
func (r *run) solve(ctx context.Context, solver solvers.Solver, m *mio.Model, st *start, bound float64) (*mio.Solution, error) {
	opt := r.opts.Solve
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
		opt.Progress = func(e solvers.Event) { r.opts.Notify(Event{Progress: atLeast(&e, st, bound)}) }
		opt.Progress(solvers.Event{Objective: math.NaN(), Bound: math.Inf(-1)})
	}
	sol, err := solver.Solve(ctx, m, opt)
	if option := (*solvers.OptionError)(nil); errors.As(err, &option) {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if err != nil {
		return nil, fmt.Errorf("solver %s: %w", solver.Name(), err)
	}
	if st != nil && (sol.Values == nil || sol.Objective > st.objective) && sol.Status != mio.Infeasible {
		// A solver without starts may end with less than we had.
		sol.Values, sol.Objective, sol.Gap = st.point, st.objective, mio.Gap(st.objective, sol.Bound)
		if sol.Status == mio.NoSolution || sol.Status == mio.Unknown {
			sol.Status = mio.Feasible
		}
	}
	return sol, nil
}

// atLeast adds to a solver's event what was known before it began.
func atLeast(e *solvers.Event, st *start, bound float64) *solvers.Event {
	if st != nil && !(e.Objective <= st.objective) {
		e.Objective = st.objective
	}
	e.Bound = max(e.Bound, bound)
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

func (r *run) decode(f *formulate.OCT, solver solvers.Solver, sol *mio.Solution, st *start) error {
	s := describeSolution(sol)
	if sol.Solver != "none" {
		s.Name, s.Version = solver.Name(), solver.Version()
	}
	if st != nil {
		s.Start, s.StartObjective = st.name, &st.objective
	}
	r.res.Solver = s
	switch {
	case sol.Status == mio.Infeasible:
		if st != nil {
			return fmt.Errorf("%w: %s says that the model is infeasible, but the start %s satisfies it", ErrCheck, solver.Name(), st.name)
		}
		return fmt.Errorf("%w: %s proved the model infeasible", ErrInfeasible, solver.Name())
	case sol.Values == nil && sol.Limit != mio.NoLimit:
		return fmt.Errorf("%w: %s stopped on its limit (%s)", ErrNoTree, solver.Name(), sol.Limit)
	case sol.Values == nil:
		return fmt.Errorf("%s: %s (%s)", solver.Name(), sol.Status, sol.Raw)
	}
	r.checkPoint(f.Model(), sol)
	t, err := f.Decode(sol.Values)
	if err != nil {
		r.res.Check.Problem = err.Error()
		return fmt.Errorf("%w: %w", ErrCheck, err)
	}
	r.res.Tree = t
	r.checkTree(t, t.Objective(r.ds, r.opts.OCT.Alpha), sol)
	return nil
}
