package fit

import (
	"context"
	"fmt"
	"math"
	"strings"
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
	LP     mio.SolveFunc // for the forms whose model needs linear programs, and for Tolerance; nil for none
	Notify func(Event)   // nil for none

	// Tolerance is the violation of the model, above that of solvers, up to which a point is
	// repaired: its discrete variables are rounded, the others recomputed by a linear program. 0
	// repairs none.
	Tolerance float64
}

// Decode turns a solution that some solver wrote of the model beside s into a
// checked result: the model is built again from ds, the values are held against
// it, the tree is decoded, and its figures are recomputed. It refuses changed data
// and the solution of another model (ErrInput or a *solfile.FormatError); the
// other errors are those of [Run].
//
// An optimum without a bound is claimed by the file: the status is Feasible, and
// Optimal only where the data prove it or, if the optimum of the model is that of an exact search,
// a second of that. The claim is refuted where the decoded tree is better, or the start
// written beside the model, or the single leaf; of those two the better tree is then
// the result.
func (s *Sidecar) Decode(ctx context.Context, ds *dataset.Dataset, path string, o DecodeOptions) (*Result, error) {
	p, m, err := s.build(ctx, ds, o.LP)
	if err != nil {
		return nil, err
	}
	j := jobOf(p, Options{Notify: o.Notify})
	for _, err := range []error{ds.Validate(), problem.CheckLoss(p.Method, ds), j.checkTrees(), problem.Check(p.Method)} {
		if err != nil {
			return nil, badInput(err)
		}
	}
	sol, err := s.read(path, &o, m)
	if err != nil {
		return nil, err
	}
	l, c := newLedger(j), &claim{Solution: sol, engine: problem.MIO, model: m, judged: true}
	sound := true
	if sol.Values != nil {
		c.rounding = solfile.Rounding(o.Format, m.Model(), sol.Values)
		repaired, err := repair(ctx, m.Model(), sol, c.rounding, &o)
		if err != nil {
			return nil, err
		}
		if claimed(m, sol); repaired != "" {
			c.rounding, sol.Note = 0, strings.TrimSuffix(repaired+"; "+sol.Note, "; ")
		}
		point := verify.CheckPoint(m.Model(), sol.Values, sol.Objective, c.rounding)
		sound = point.Problem("") == "" // else the status is to stay what the file says
	}
	c.verdict = inUnits(m, verify.Verdict{Status: sol.Status, Limit: sol.Limit, Objective: sol.Objective, Bound: sol.Bound, Gap: sol.Gap})
	if sound {
		if err := j.judgeFile(ctx, l, c, s.Start); err != nil {
			return nil, err
		}
	}
	if err := l.Claim(ctx, c); err != nil {
		return nil, err
	}
	if s.Start != nil {
		l.account.Start, l.account.StartObjective = s.Start.Name, Known(m.InUnits(s.Start.Objective))
		l.gained()
	}
	if named := s.File.Model != "" && sol.Model == s.File.Model; l.check != nil && named {
		l.check.ModelMatches = &named
	}
	return j.result(ctx, l.Certificate())
}

// repair replaces a point that violates the model by at most the tolerance by the best one with the
// same discrete variables, rounded, and says so. A point for which there is none stays as it is, and
// is refused.
func repair(ctx context.Context, m *mio.Model, sol *mio.Solution, rounding float64, o *DecodeOptions) (repaired string, err error) {
	point := verify.CheckPoint(m, sol.Values, sol.Objective, rounding)
	worst := point.Max()
	if point.Feasible || worst.Amount > o.Tolerance || !m.IsLinear() || o.LP == nil {
		return "", nil
	}
	best, err := o.LP(ctx, m.Fixed(sol.Values))
	if err != nil || best.Status != mio.Optimal {
		return "", err
	}
	if sol.Status == mio.Optimal && !verify.Near(best.Objective, sol.Objective) {
		sol.Status = mio.Feasible
	}
	sol.Values, sol.Objective = best.Values, best.Objective
	sol.Gap = mio.Gap(sol.Objective, sol.Bound)
	return fmt.Sprintf("the file's point violates %s %s by %.3g: its integers were rounded, and the other variables recomputed", worst.Kind, worst.Name, worst.Amount), nil
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
	if other := s.File.Model != "" && sol.Model != s.File.Model && ourName().MatchString(sol.Model); other {
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
		return // Ledger.decode says so
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
// search decides, if there is one.
func (j *job) judgeFile(ctx context.Context, l *Ledger, c *claim, start *SidecarStart) error {
	if w := j.fileWitness(ctx, c.model, start); w != nil {
		c.known.Witnesses = []verify.Witness{*w}
	}
	said := c.Claimed
	c.verdict = c.judge(ctx, l) // the start and the leaf come first
	if !said || j.p.Search == nil || !j.p.SelfProved && !j.p.Crossable {
		return nil
	}
	part, cancel := context.WithTimeout(ctx, claimSearchTime)
	defer cancel()
	f, err := j.p.Search(part, problem.SearchOptions{Seed: j.seed})
	if err != nil {
		return badInput(err)
	}
	v := verify.Judge{
		Proofs:  []verify.Proof{{By: verify.ByData, Bound: c.model.Bound}, {By: verify.BySearch, Bound: f.Bound}},
		Lattice: c.model.Lattice, Precision: c.model.Precision, Witnesses: []verify.Witness{{Name: "the exact search", Objective: f.Objective}},
	}
	c.verdict = inUnits(c.model, v.Hold(c.Solution))
	switch {
	case !c.Claimed: // refuted
	case c.verdict.Status == mio.Optimal:
		c.Note = "the file's claim, confirmed by the exact search"
	default:
		c.Note += "; the exact search did not decide it in a second"
	}
	l.search = describeSearch(f)
	return nil
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
