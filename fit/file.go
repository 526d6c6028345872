package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
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
// An optimum without a bound is claimed by the file: the status is Feasible, and
// Optimal only where the data or, for a problem with an exact search, a second of it
// prove it. The claim is refuted where the decoded tree is better, or the start
// written beside the model, or the single leaf; of those two the better tree is then
// the result.
func (s *Sidecar) Decode(ctx context.Context, ds *dataset.Dataset, path string, o DecodeOptions) (*Result, error) {
	p, m, err := s.build(ctx, ds, o.LP)
	if err != nil {
		return nil, err
	}
	j, err := newJob(ctx, ds, Options{Method: p, Notify: o.Notify})
	if err != nil {
		return nil, err
	}
	sol, err := s.read(path, &o, m)
	if err != nil {
		return nil, err
	}
	a := &answer{engine: problem.MIO, claim: sol}
	a.Formulation = describeModel(m)
	rounding, sound := 0.0, true
	if sol.Values != nil {
		rounding = solfile.Rounding(o.Format, m.Model(), sol.Values)
		claimed(m, sol)
		point := verify.CheckPoint(m.Model(), sol.Values, sol.Objective, rounding)
		sound = point.Problem("") == "" // else the status is to stay what the file says
	}
	a.verdict = verify.Verdict{Status: sol.Status, Limit: sol.Limit, Objective: sol.Objective, Bound: sol.Bound, Gap: sol.Gap}
	if sound {
		if a.verdict, a.Search, err = j.judgeFile(ctx, p, m, sol, j.fileWitness(ctx, m, s.Start)); err != nil {
			return nil, err
		}
	}
	a.verdict = inUnits(m, a.verdict)
	a.Solver = describeSolution(m, sol)
	if s.Start != nil {
		a.Solver.Start, a.Solver.StartObjective = s.Start.Name, Known(m.InUnits(s.Start.Objective))
	}
	a, err = j.decoded(a, m, p.Trees(), sol.Solver, rounding)
	if named := s.File.Model != "" && sol.Model == s.File.Model; a.Check != nil && named {
		a.Check.ModelMatches = &named
	}
	if err != nil {
		res := j.result(a)
		if errors.Is(err, ErrCheck) {
			res.unbelieved()
		}
		res.Constraints, _ = j.describeConstraints(a)
		return res, err
	}
	res, err := j.scored(a)
	res.Baseline = j.baseline(ctx, p)
	return res, err
}

// read reads the solution file.
func (s *Sidecar) read(path string, o *DecodeOptions, m *problem.Model) (*mio.Solution, error) {
	if o.Format == "" {
		var err error
		if o.Format, err = solfile.Detect(path); err != nil {
			return nil, err
		}
	}
	if o.Format == solfile.GLPK && s.File.Format == "lp" {
		return nil, fmt.Errorf("%w: solutions of GLPK go by position, and an LP file does not keep the order of the columns: give it an MPS file", ErrInput)
	}
	sol, err := solfile.ReadFile(path, o.Format, m.Model(), &s.Map, o.Read)
	if err != nil {
		return nil, err
	}
	if other := s.File.Model != "" && sol.Model != s.File.Model && ourName.MatchString(sol.Model); other {
		return nil, fmt.Errorf("%w: %s is a solution of the model %s, this one is %s", ErrInput, path, sol.Model, s.File.Model)
	}
	return sol, nil
}

// claimed makes of an optimum what a file's word is worth: without a bound it is
// claimed, not proved; and refuted where the decoded tree is better.
func claimed(p *problem.Model, sol *mio.Solution) {
	if sol.Status != mio.Optimal {
		return
	}
	if !p.Precision.Near(sol.Bound, sol.Objective) {
		sol.Status, sol.Claimed = mio.Feasible, true
		sol.Note = "optimal is the file's claim; it proves no bound"
	}
	t, err := p.Decode(sol.Values)
	if err != nil {
		return // decoded says so
	}
	if v := p.Objective(t); p.Precision.Above(sol.Objective, v) {
		sol.Note = fmt.Sprintf("its point has objective %s, the tree decoded from its upper splits %s", verify.Short(sol.Objective), verify.Short(v))
		sol.Status, sol.Claimed = mio.Feasible, false
		sol.Bound, sol.Gap = math.Inf(-1), math.Inf(1)
	}
}

// claimSearchTime is how long the exact search may take to confirm or refute the
// claim of a file.
const claimSearchTime = time.Second

// judgeFile judges the solution of a file. About an optimum that it claims the exact
// search decides, where there is one.
func (j *job) judgeFile(ctx context.Context, p problem.Problem, m *problem.Model, sol *mio.Solution, start *verify.Witness) (verify.Verdict, *SearchPart, error) {
	s, ok := p.(problem.Searcher)
	if !ok || !sol.Claimed || !searchAnswers(s) {
		return j.judge(ctx, m, sol, knowing(start)), nil, nil
	}
	within, cancel := context.WithTimeout(ctx, claimSearchTime)
	defer cancel()
	f, err := s.Search(within, j.data, problem.SearchOptions{Seed: j.seed})
	if err != nil {
		return verify.Verdict{}, nil, badInput(err)
	}
	j.judge(ctx, m, sol, knowing(start)) // the start and the leaf come first
	v := verify.Judge{
		Proofs:  []verify.Proof{{By: verify.ByData, Bound: m.Bound}, {By: verify.BySearch, Bound: f.Bound}},
		Lattice: m.Lattice, Precision: m.Precision, Witnesses: []verify.Witness{{Name: "the exact search", Objective: f.Objective}},
	}
	verdict := v.Hold(sol)
	switch {
	case !sol.Claimed: // refuted
	case verdict.Status == mio.Optimal:
		sol.Note = "the file's claim, confirmed by the exact search"
	default:
		sol.Note += "; the exact search did not decide it in a second"
	}
	return verdict, describeSearch(f), nil
}

// searchAnswers reports whether the search's optimum is that of the program.
func searchAnswers(s problem.Searcher) bool {
	_, proves := s.(problem.SelfProved)
	return proves || s.Crossable()
}

// fileWitness is the start that was written beside a model, nil for none.
func (j *job) fileWitness(ctx context.Context, p *problem.Model, s *SidecarStart) *verify.Witness {
	if s == nil {
		return nil
	}
	name := "the start " + s.Name
	if s.Tree != nil && len(s.Tree.Features) == j.data.P() && len(s.Tree.Classes) == j.data.K() {
		if w := treeWitness(ctx, p, name, s.Tree); w != nil {
			return w
		}
	}
	return &verify.Witness{Name: name, Objective: s.Objective}
}
