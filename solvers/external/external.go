package external

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/solfile"
)

func init() {
	for _, s := range all() {
		solvers.Register(s)
	}
}

// New returns the solver of that name (see the package documentation) at a place. It validates its
// input.
func New(name string, at solvers.Place) (solvers.Solver, error) {
	for _, s := range all() {
		if s.name == name {
			moved, err := s.At(at)
			if err != nil {
				return nil, err
			}
			return solvers.Checked(moved), nil
		}
	}
	return nil, fmt.Errorf("external: no solver %q", name)
}

// all lists the solvers, in the order of the package documentation.
func all() []*Solver {
	highspy, cpsat, copt := highsPackage(), cpsatPackage(), coptPackage()
	return []*Solver{
		{name: "highs-exe", forms: []*program{highsProgram()}},
		{name: "highspy", forms: []*program{highspy}},
		{name: "cbc", forms: []*program{cbcProgram()}},
		{name: "glpk", forms: []*program{glpkProgram()}},
		{name: "scip", forms: []*program{scipProgram(), scipPackage()}},
		{name: "cp-sat", forms: []*program{cpsat}},
		{name: "gurobi", forms: []*program{gurobiProgram(), gurobiPackage()}},
		{name: "cplex", forms: []*program{cplexProgram(), cplexPackage()}},
		{name: "xpress", forms: []*program{xpressProgram(), xpressPackage()}},
		{name: "copt", forms: []*program{copt}},
	}
}

// Solver runs one optimizer as a program of its own: its executable, or a script for its Python
// package.
type Solver struct {
	name   string
	forms  []*program // in the order in which they are looked for
	at     solvers.Place
	probed probes
}

// At returns the same solver at a place. It is an error if the solver has no such form.
func (s *Solver) At(at solvers.Place) (solvers.Solver, error) {
	moved := &Solver{name: s.name, forms: s.forms, at: at}
	if at.Executable != "" {
		moved.forms = slices.DeleteFunc(slices.Clone(s.forms), func(p *program) bool { return p.pack != nil })
		if len(moved.forms) == 0 {
			return nil, fmt.Errorf("solver %s is a Python package; give the interpreter that has it (--python), not the path of an executable", s.name)
		}
	} else if at.Python != "" {
		moved.forms = slices.DeleteFunc(slices.Clone(s.forms), func(p *program) bool { return p.pack == nil })
		if len(moved.forms) == 0 {
			return nil, fmt.Errorf("solver %s is an executable; give its path (--solver-path), not an interpreter", s.name)
		}
	}
	return moved, nil
}

// Name is the name under which the solver is registered.
func (s *Solver) Name() string { return s.name }

// Capabilities are those of current versions of the optimizer.
func (s *Solver) Capabilities() solvers.Capabilities { return s.forms[0].caps }

// Version runs the executable or the interpreter to ask for the version, once; "" where it is not
// available.
func (s *Solver) Version() string { return s.identify(context.Background()).version }

// Where is the path of the executable, or the package and its interpreter; "" where none is found.
func (s *Solver) Where() string {
	id := s.identify(context.Background())
	if id.problem == "" && id.program.pack != nil {
		return "package " + id.program.pack.dist + " of " + id.path
	}
	return id.path
}

// Available returns nil where the executable is found and identifies itself as
// the optimizer, or where an interpreter has the package. A licence is looked for by Solve only.
func (s *Solver) Available() error { return s.Probe(context.Background()) }

// Probe is Available, given up when ctx ends, with the error of ctx.
func (s *Solver) Probe(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	id := s.identify(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if id.problem != "" {
		return &solvers.UnavailableError{Solver: s.name, Reason: id.problem}
	}
	return nil
}

// Solve runs the executable on the model; see [solvers.Solver] and the package
// documentation.
func (s *Solver) Solve(ctx context.Context, m *mio.Model, opt solvers.Options) (*mio.Solution, error) {
	began := time.Now()
	id := s.identify(ctx)
	if id.problem != "" {
		return nil, &solvers.UnavailableError{Solver: s.name, Reason: id.problem}
	}
	sol, err := s.solve(ctx, id.path, &job{program: id.program, m: m, opt: &opt, began: began})
	if err != nil {
		return nil, err
	}
	sol.Solver = id.program.title
	if id.version != "" {
		sol.Solver += " " + id.version
	}
	sol.Runtime = time.Since(began)
	return sol, nil
}

func (s *Solver) solve(ctx context.Context, path string, j *job) (sol *mio.Solution, err error) {
	if j.m.NumCols() == 0 {
		return verify.SettleEmpty(j.m), nil
	}
	j.path = path
	if err := j.checkRaw(); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return j.withoutRun(mio.LimitInterrupt)
	}
	if j.dir, err = os.MkdirTemp("", "octgen-"+j.name+"-"); err != nil {
		return nil, fmt.Errorf("%s: cannot make a folder for its files: %w", j.name, err)
	}
	j.tracked = track(j.dir)
	keep := false
	defer func() {
		j.tracked.forget()
		if !keep {
			_ = os.RemoveAll(j.dir) // what cannot be removed harms nobody
		}
	}()
	written := j.m
	if j.adapt != nil {
		if written, err = j.adapt(j.m); err != nil {
			return nil, fmt.Errorf("%s: %w", j.name, err)
		}
	}
	if written == nil {
		return verify.Settle(j.m, j.opt.Ask(), verify.Answer{Status: mio.Infeasible, Bound: math.NaN(), Notes: []string{"an integer column has no integer between its bounds"}})
	}
	err = j.write(ctx, written)
	if over := (*overError)(nil); errors.As(err, &over) {
		return j.withoutRun(over.limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.name, err)
	}
	invoke, err := j.prepare(j)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.name, err)
	}
	if over := j.over(ctx); over != mio.NoLimit {
		return j.withoutRun(over)
	}
	sol, err = j.run(ctx, invoke)
	if run := (*RunError)(nil); asRunError(err, &run) {
		keep = true
	}
	return sol, err
}

// write writes the model, as adapted, and the start, until the time is over.
func (j *job) write(ctx context.Context, m *mio.Model) (err error) {
	f, err := os.OpenFile(j.file(modelFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	m, scale := mps.WholeUnits(m)
	if j.mp, err = mps.Write(&timely{f, j, ctx}, m, mps.Options{Dialect: j.dialect}); err == nil {
		j.mp.Scale = scale
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil || j.opt.Start == nil {
		return err
	}
	return solfile.WriteStartFile(j.file(j.startFile()), j.format, j.m, j.mp, j.opt.Start, solfile.StartOptions{})
}

// withoutRun is the answer where no time is left for the optimizer.
func (j *job) withoutRun(why mio.Limit) (*mio.Solution, error) {
	return verify.Settle(j.m, j.opt.Ask(), verify.Answer{Limit: why, Bound: math.NaN(), Notes: []string{"stopped before it began"}})
}
