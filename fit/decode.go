package fit

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers/solfile"
)

// DecodeOptions says how to read a solution file. The zero value finds the
// format by content.
type DecodeOptions struct {
	Format solfile.Format
	Read   solfile.ReadOptions
	LP     mio.SolveFunc // for the forms whose model needs linear programs; nil for none
	Notify func(Event)   // nil for none
}

// Decode turns a solution that some solver wrote of the model beside s into a
// checked result: the model is built again from ds, the values are held against
// it, the tree is decoded, and its figures are recomputed. It refuses changed data
// and the solution of another model (ErrInput or a *solfile.FormatError); the
// other errors are those of [Run].
//
// Status, objective and bound are the solver's word. For an optimum it is that no
// tree is better by more than the gap which the solver was run with; where the
// decoded tree is better, the status is Feasible. So it is where the start written
// beside the model, or the single leaf, is better than the claimed optimum: the
// better tree is the result.
func (s *Sidecar) Decode(ctx context.Context, ds *dataset.Dataset, path string, o DecodeOptions) (*Result, error) {
	began := time.Now()
	f, err := s.Build(ctx, ds, o.LP)
	if err != nil {
		return nil, err
	}
	built := time.Since(began)
	if o.Format == "" {
		if o.Format, err = solfile.Detect(path); err != nil {
			return nil, err
		}
	}
	if o.Format == solfile.GLPK && s.File.Format == "lp" {
		return nil, fmt.Errorf("%w: solutions of GLPK go by position, and an LP file does not keep the order of the columns: give it an MPS file", ErrInput)
	}
	sol, err := solfile.ReadFile(path, o.Format, f.Model(), &s.Map, o.Read)
	if err != nil {
		return nil, err
	}
	if other := s.File.Model != "" && sol.Model != s.File.Model && ourName.MatchString(sol.Model); other {
		return nil, fmt.Errorf("%w: %s is a solution of the model %s, this one is %s", ErrInput, path, sol.Model, s.File.Model)
	}
	r := newModelRun(ds, f, s.Model, o.Notify)
	r.began, r.named = began, s.File.Model != "" && sol.Model == s.File.Model
	p := problemOf(f, s.Model)
	p.built = built
	return r.decodeFile(ctx, p, sol, s.Start, o.Format)
}

// newModelRun is a run of the method that a model built elsewhere belongs to.
func newModelRun(ds *dataset.Dataset, f formulate.Formulation, spec ModelSpec, notify func(Event)) *run {
	o := formulate.OCTOptions{Depth: spec.Depth, Alpha: spec.Alpha, MinLeaf: spec.MinLeaf, MaxSplits: spec.MaxSplits}
	var gto formulate.GTOOptions
	switch f := f.(type) {
	case *formulate.GTO:
		gto = f.Options()
		o.Depth = gto.Structure.Depth()
	case *formulate.RLP, *formulate.FM, *formulate.LFM:
		o.Depth = 1
	}
	return &run{
		opts: Options{Method: spec.Form, OCT: o, Mu: spec.Mu, GTO: gto, Notify: notify}, ds: ds,
		began: time.Now(), res: &Result{Method: spec.Form, Data: DescribeData(ds)}, objective: f.Objective,
	}
}

// decodeFile is what follows a solve, for a solution that comes from a file.
func (r *run) decodeFile(ctx context.Context, p *problem, sol *mio.Solution, start *SidecarStart, format solfile.Format) (*Result, error) {
	r.describe(p)
	if sol.Values != nil {
		r.rounding = solfile.Rounding(format, p.Model(), sol.Values)
		claim(p, sol)
		if rep := mio.Check(p.Model(), sol.Values, tolerance+r.rounding); rep.Feasible && near(rep.Objective, sol.Objective) {
			r.refute(ctx, p, sol, r.fileWitness(ctx, p, start))
			p.tighten(sol) // else the status is to stay what the file says
		}
	} else {
		r.refute(ctx, p, sol, r.fileWitness(ctx, p, start))
	}
	r.res.Solver = describeSolution(sol)
	if start != nil {
		r.res.Solver.Start, r.res.Solver.StartObjective = start.Name, &start.Objective
	}
	err := r.decodePoint(p, sol.Solver, sol)
	if r.res.Check != nil && r.named {
		r.res.Check.ModelMatches = &r.named
	}
	if err != nil {
		return r.res, err
	}
	return r.finish()
}

// claim gives an optimum the bound that it claims, unless the decoded tree is
// better.
func claim(p *problem, sol *mio.Solution) {
	if sol.Status != mio.Optimal {
		return
	}
	sol.Bound, sol.Gap = sol.Objective, 0
	t, err := p.Decode(sol.Values)
	if err != nil {
		return // decodePoint says so
	}
	if v := p.Objective(t); v < sol.Objective && !near(v, sol.Objective) {
		sol.Note = fmt.Sprintf("its point has objective %s, the tree decoded from its upper splits %s", short6(sol.Objective), short6(v))
		sol.Status = mio.Feasible
		sol.Bound, sol.Gap = math.Inf(-1), math.Inf(1)
	}
}
