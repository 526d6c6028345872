package fit

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers/solfile"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/treesearch"
	"github.com/octgen/octgen/verify"
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
// An optimum without a bound is claimed by the file: the status is Feasible, and
// Optimal only where the data or, for oct, a second of the exact search prove it. The
// claim is refuted where the decoded tree is better, or the start written beside the
// model, or the single leaf; of those two the better tree is then the result.
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
	objective := f.Objective
	switch f := f.(type) {
	case *formulate.GTO:
		gto = f.Options()
		o.Depth = gto.Structure.Depth()
		objective = func(t *tree.Tree) float64 { return f.Objective(t) * f.ObjectiveUnit() }
	case *formulate.RLP, *formulate.FM, *formulate.LFM:
		o.Depth = 1
	}
	return &run{
		opts: Options{Method: spec.Form, OCT: o, Mu: spec.Mu, GTO: gto, Notify: notify}, ds: ds,
		began: time.Now(), res: &Result{Method: spec.Form, Data: DescribeData(ds)}, objective: objective,
	}
}

// decodeFile is what follows a solve, for a solution that comes from a file.
func (r *run) decodeFile(ctx context.Context, p *problem, sol *mio.Solution, start *SidecarStart, format solfile.Format) (*Result, error) {
	r.describe(p)
	sound := true
	if sol.Values != nil {
		r.rounding = solfile.Rounding(format, p.Model(), sol.Values)
		p.claim(sol)
		point := verify.CheckPoint(p.Model(), sol.Values, sol.Objective, r.rounding)
		sound = point.Problem("") == "" // else the status is to stay what the file says
	}
	if sound {
		r.judge(ctx, p, sol, r.fileWitness(ctx, p, start))
		if err := r.searchClaim(ctx, p, sol); err != nil {
			return nil, err
		}
	}
	r.res.Solver = describeSolution(p, sol)
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

// claim makes of an optimum what a file's word is worth: without a bound it is
// claimed, not proved; and refuted where the decoded tree is better.
func (p *problem) claim(sol *mio.Solution) {
	if sol.Status != mio.Optimal {
		return
	}
	if !verify.Near(sol.Bound, sol.Objective) {
		sol.Status, sol.Claimed = mio.Feasible, true
		sol.Note = "optimal is the file's claim; it proves no bound"
	}
	t, err := p.Decode(sol.Values)
	if err != nil {
		return // decodePoint says so
	}
	if v := p.Objective(t); v < sol.Objective && !verify.Near(v, sol.Objective) {
		sol.Note = fmt.Sprintf("its point has objective %s, the tree decoded from its upper splits %s", verify.Short(sol.Objective), verify.Short(v))
		sol.Status, sol.Claimed = mio.Feasible, false
		sol.Bound, sol.Gap = math.Inf(-1), math.Inf(1)
	}
}

// claimSearchTime is how long the exact search may take to confirm or refute the
// claim of a file.
const claimSearchTime = time.Second

// searchClaim has the exact search, where there is one, decide about an optimum
// that a file claims.
func (r *run) searchClaim(ctx context.Context, p *problem, sol *mio.Solution) error {
	if !sol.Claimed {
		return nil
	}
	found := verify.Judge{Bound: math.Inf(-1), Lattice: p.lattice}
	switch f := p.Formulation.(type) {
	case *formulate.OCT:
		if f.Options().Encoding == formulate.BigMPublished { // its optimum can be below that of any tree
			return nil
		}
		o := r.searchOptions()
		o.TimeLimit = claimSearchTime
		res, err := treesearch.Solve(ctx, r.ds, o)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrInput, err)
		}
		found.Bound, found.Witnesses = res.Bound, []verify.Witness{{Name: "the exact search", Objective: res.Objective}}
	case *formulate.RLP:
		if f.Options().Perturbed {
			return nil
		}
		res, err := vertex.RLP(ctx, r.ds, vertex.RLPOptions{TimeLimit: claimSearchTime})
		if err != nil {
			return fmt.Errorf("%w: %w", ErrInput, err)
		}
		found.Bound, found.Witnesses = res.Bound, []verify.Witness{{Name: "the exact search", Objective: res.Objective}}
	default:
		return nil
	}
	was := sol.Note
	found.Hold(sol)
	if sol.Status == mio.Optimal {
		sol.Note = "the file's claim, confirmed by the exact search"
	} else if sol.Note == was && sol.Claimed {
		sol.Note += "; the exact search did not decide it in a second"
	}
	return nil
}
