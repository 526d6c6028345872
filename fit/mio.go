package fit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
)

// runMIO is the engine mio: starts, model, solve, judge, answer. interrupt is ctx
// without its deadline.
func (j *job) runMIO(ctx, interrupt context.Context, p problem.Problem) (*answer, error) {
	solver, _, err := j.findSolver(ctx)
	switch {
	case errors.Is(err, ErrNoTree): // ended before it had told its version
		return j.resort(ctx, p, nil)
	case err != nil:
		return nil, err
	}
	from, m, a, err := j.build(ctx, p, problem.MIO, j.linearPrograms(solver))
	if m == nil {
		return a, err
	}
	j.announce(m)
	if m.Precision.Lost {
		return j.bestStart(ctx, p, m, from)
	}
	if err := j.accepts(solver, m.Model()); err != nil {
		return nil, err
	}
	best, err := j.startOf(ctx, p, m, from)
	if err != nil {
		return nil, err
	}
	j.sayProved(p, from, solver)
	other := j.searchBeside(ctx, p, m, best)
	known, s, err := verify.Judge{}, j.withinGap(p, solver, from, best), error(nil)
	if s == nil {
		known, s, err = j.solveAll(ctx, interrupt, p, solver, m, &best)
	}
	if w := other.end(interrupt, j, m); w != nil {
		known.Witnesses = append(known.Witnesses, *w)
	}
	if err != nil {
		return nil, err
	}
	if w := j.doubt(ctx, p, m, s); w != nil {
		known.Witnesses = append(known.Witnesses, *w)
	}
	a, err = j.concluded(interrupt, p, m, s, best, from, known)
	if err == nil {
		err = j.confirm(ctx, p, m, from, a)
	}
	return a, err
}

// solveAll has the problem proved by parts where that can be, else the whole program
// solved from the best point, which parts may better. A solver that is to have no start
// does not see what the parts found, but their tree is an answer like its own.
func (j *job) solveAll(ctx, interrupt context.Context, p problem.Problem, solver solvers.Solver, m *problem.Model, best **point) (known verify.Judge, s *solved, err error) {
	began := time.Now()
	r, err := j.byParts(ctx, p, solver, m, *best)
	if err != nil {
		return known, nil, err
	}
	var found *point
	if r != nil {
		known.Proofs = []verify.Proof{{By: r.By, Bound: r.Bound}}
		found = j.startFromParts(interrupt, m, r, *best)
		if s := provedByParts(solver, m, r, found); s != nil {
			*best, s.Runtime = found, time.Since(began)
			return known, s, nil
		}
		if j.Start != "none" {
			*best = found
		}
	}
	if s, err = j.solve(ctx, interrupt, solver, m, *best); err == nil && found != nil && found != *best && r.Tree.Splits() > 0 {
		known.Witnesses = append(known.Witnesses, *found.witness())
		s.besides(found)
	}
	return known, s, err
}

// withinGap is the start as the answer where what the search has proved leaves it a gap no
// wider than the one asked for; nil where it does not.
func (j *job) withinGap(p problem.Problem, s solvers.Solver, from *starts, best *point) *solved {
	if best == nil || j.Solve.RelGap <= 0 {
		return nil
	}
	for _, proof := range new(answer).searched(p, from) {
		if mio.Gap(best.objective, proof.Bound) <= j.Solve.RelGap+verify.Rounding {
			sol := unsolved(best, mio.LimitGap)
			sol.Solver, sol.Raw = s.Name(), "the start is within the gap of the bound that the search proved"
			return &solved{Solution: sol, by: s}
		}
	}
	return nil
}

// startFirst grows the starts of a problem that the data bound before anything is
// built. Where one is no worse than that bound, it is the answer. The starts of other
// problems are grown when their models are there: they may take most of the time.
func (j *job) startFirst(ctx context.Context, p problem.Problem, e problem.Engine) (*starts, *answer, error) {
	b, ok := p.(problem.Bounded)
	if !ok {
		return nil, nil, nil
	}
	from, err := j.growStarts(ctx, p)
	if err != nil || j.StartTree != nil || j.trivial() != nil {
		return from, nil, err
	}
	bound, objective := b.DataBound(j.data), j.valueOf(p)
	for _, g := range from.trees {
		v := objective(g.Tree)
		if v > bound && !verify.Same(v, bound) || !b.Admits(g.Tree, j.data) {
			continue
		}
		a := alone(e, g.Tree, objective, proved(v, verify.ByData), "the start makes only the errors that no tree can avoid, and its splits cost nothing")
		a.Solver.Start, a.Solver.StartObjective, a.Solver.StartSeconds = g.Name, &v, &from.seconds
		if q, has := p.(problem.Margined); has { // a certificate names its problem
			a.Formulation = &Formulation{Form: p.Info().Name, Margin: q.KeptBy()}
		}
		return from, a, nil
	}
	return from, nil, nil
}

// build builds the model, and grows the starts that come before it, nil for none. There
// is an answer instead where a start is proved best, the single leaf is, or ctx ended.
func (j *job) build(ctx context.Context, p problem.Problem, e problem.Engine, lp mio.SolveFunc) (from *starts, m *problem.Model, a *answer, err error) {
	if from, a, err = j.startFirst(ctx, p, e); a != nil || err != nil {
		return nil, nil, a, err
	}
	m, err = p.Build(ctx, j.data, problem.BuildOptions{LP: lp, Warn: j.warn})
	switch {
	case err == nil:
		return from, m, nil, nil
	case errors.Is(err, formulate.ErrSingleLeaf):
		a, err = j.constantAnswer(err, e, j.valueOf(p))
		return nil, nil, a, err
	case outOfTime(ctx, err):
		if from == nil || ctx.Err() == nil { // what time there is left is for better starts
			if from, err = j.growWith(ctx, p, 1); err != nil {
				return nil, nil, nil, err
			}
		}
		a, err = j.resort(endedNow(ctx), p, from)
		return nil, nil, a, err
	}
	return nil, nil, nil, badInput(err)
}

// announce says what model was built, and warns of its range of coefficients.
func (j *job) announce(p *problem.Model) {
	m := p.Model()
	if w := m.CoefRange().Warning(); w != "" {
		j.warn(w)
	}
	j.stage("model: %s %s, %d rows, %d columns (%d binary), %d nonzeros", p.Form, p.Encoding, m.NumRows(), m.NumCols(), m.NumDiscrete(), m.NumNonzeros())
}

// startOf is the best point to start a model from, of the trees that were grown
// before it was built or, with from nil, are grown now; of a model that came with a
// start, from that.
func (j *job) startOf(ctx context.Context, p problem.Problem, m *problem.Model, from *starts) (*point, error) {
	if from == nil && m.Begin != nil && j.StartTree == nil && j.Start == "auto" {
		from = &starts{trees: []*problem.Grown{m.Begin}}
	}
	if from == nil {
		var err error
		if from, err = j.growStarts(ctx, p); err != nil {
			return nil, err
		}
	}
	return j.bestPoint(ctx, m, from)
}

// sayProved says that the start is proved best already.
func (j *job) sayProved(p problem.Problem, from *starts, s solvers.Solver) {
	if _, same := p.(problem.Searcher); !same || from == nil {
		return
	}
	if g := from.proved(); g != nil {
		j.stage("exact search has proved this start optimal (%.2g s); %s proves it again", g.Found.Seconds, s.Name())
	}
}

// concluded judges what the solver or, with none, the heuristics said, and makes the
// answer of it.
func (j *job) concluded(ctx context.Context, p problem.Problem, m *problem.Model, s *solved, best *point, from *starts, known verify.Judge) (*answer, error) {
	a, by := &answer{engine: problem.MIO, claim: s.Solution, precision: m.Precision, failed: s.failed}, "the heuristics"
	j.treeOnly(m, p.Trees(), s.Solution, best)
	known.Witnesses = append(known.Witnesses, knowing(best.witness()).Witnesses...)
	known.Proofs = append(known.Proofs, a.searched(p, from)...)
	a.verdict = inUnits(m, j.judge(ctx, m, s.Solution, known))
	switch {
	case s.by != nil:
		by = s.by.Name()
	case a.verdict.Status == mio.Optimal:
		a.engine, a.claim.Raw = problem.Heuristic, "proved without a solver"
	default:
		a.engine, a.claim.Raw = problem.Heuristic, j.heuristicOnly(p)
	}
	a.Formulation, a.Solver, a.Unproved = describeModel(m), describeSolution(m, s.Solution), j.whyUnproved(p, m, s)
	if a.verdict.Prover == verify.ByRanges { // each part of it is the solver's
		a.Solver.Status, a.Solver.Bound, a.Solver.Gap = a.verdict.Status.String(), Known(a.verdict.Bound), Known(a.verdict.Gap)
	}
	if s.Solver != "none" {
		a.Solver.Name, a.Solver.Version = by, s.by.Version()
	}
	a.Solver.describeStart(m, best)
	if a.claim.Values == nil && j.constrained.on != nil && a.claim.Status != mio.Infeasible && j.bestLeaf() == nil {
		if from.provesNone() {
			return j.noTree(a, from.bound)
		}
		return j.withoutTree(a)
	}
	if a.untimely() || m.Precision.Loose != "" && a.claim.Values == nil {
		return j.leafInstead(a, p), nil
	}
	a, err := j.decoded(a, m, p.Trees(), by, 0)
	if err == nil && from.provesNone() {
		a.Check.fail(&a.Check.Feasible, "the search says that no tree holds the constraints, but this one does")
	}
	return a, err
}

// untimely reports whether the time ended a solve before it had a point.
func (a *answer) untimely() bool {
	l := a.claim.Limit
	return a.claim.Values == nil && a.claim.Status != mio.Infeasible && (l == mio.LimitTime || l == mio.LimitInterrupt)
}

// leafInstead is the single leaf as the answer of a solve that had no point; what the
// solver proved of the bound stays.
func (j *job) leafInstead(a *answer, p problem.Problem) *answer {
	a.engine, a.tree, a.objective, a.Check = problem.Heuristic, j.bestLeaf(), j.valueOf(p), soundCheck()
	a.verdict.Status = mio.Feasible
	if a.objective != nil {
		a.verdict.Objective = a.objective(a.tree)
		a.verdict.Gap = mio.Gap(a.verdict.Objective, a.verdict.Bound)
	}
	return a
}

// runHeuristic is the engine heuristic: the best of the starts, without a proof.
func (j *job) runHeuristic(ctx context.Context, p problem.Problem) (*answer, error) {
	from, m, a, err := j.build(ctx, p, problem.Heuristic, nil)
	if m == nil {
		return a, err
	}
	if from == nil {
		if from, err = j.growStarts(ctx, p); err != nil {
			return nil, err
		}
	}
	if len(from.trees) == 0 && j.Start == "auto" && j.StartTree == nil { // no quick ones
		if from, err = j.growEvery(ctx, p); err != nil {
			return nil, err
		}
	}
	if m.LeafTree { // which every model of free trees admits
		from.trees = append(from.trees, &problem.Grown{Name: "the single leaf", Tree: majorityLeaf(j.data.Dataset)})
	}
	best, err := j.bestPoint(ctx, m, from)
	if err != nil {
		return nil, err
	}
	s := &solved{Solution: unsolved(best, mio.LimitOf(ctx))}
	if ctx.Err() == nil {
		s.Limit = mio.NoLimit
		if _, limited := timeLeft(ctx); limited && len(from.trees) == 0 { // its share was too short for any
			s.Limit = mio.LimitTime
		}
	}
	return j.concluded(ctx, p, m, s, best, from, verify.Judge{})
}

// noEngine says which engines a method has.
func (j *job) noEngine(m problem.Method, e problem.Engine) error {
	info := m.Info()
	if info.Engines == nil {
		return fmt.Errorf("%w: --engine %s: %s is an algorithm of its own; engines solve problems, such as oct", ErrInput, e, info.Name)
	}
	var names []string
	for _, has := range info.Engines {
		names = append(names, string(has))
	}
	plural := "s"
	if len(names) == 1 {
		plural = ""
	}
	return fmt.Errorf("%w: --engine %s: %s has the engine%s %s", ErrInput, e, info.Name, plural, problem.Listed(names))
}

// crossCheck searches the problem that a solver answered, in what is left of the time,
// and compares.
func (j *job) crossCheck(ctx context.Context, p problem.Searcher, a *answer) (*CrossCheck, error) {
	j.stage("cross-check: searching all trees of depth %d", p.Trees().Greatest())
	f, err := p.Search(ctx, j.data, problem.SearchOptions{Workers: j.Solve.Threads, Seed: j.seed})
	if outOfTime(ctx, err) { // before the data were laid out
		f, err = unsearched(endedNow(ctx), a.objective(majorityLeaf(j.data.Dataset))), nil
	}
	if err != nil {
		return nil, badInput(err)
	}
	problem := a.precision.Cross(a.Solver.Name, a.claimed(), a.objective(a.tree), verify.Searched{Objective: f.Objective, Bound: f.Bound, Proved: f.Status == mio.Optimal})
	if problem != "" && a.Check.Problem == "" {
		a.Check.Problem = problem
		if !a.precision.Above(f.Bound, a.objective(a.tree)) { // else the search is wrong, or the tree
			a.Check.Disproved = problem
		}
	}
	return &CrossCheck{
		Status: f.Status.String(), Limit: f.Limit.String(), Objective: f.Objective, Bound: f.Bound, Seconds: f.Seconds, Agrees: problem == "",
	}, nil
}

// claimed is what is believed of the solver, or of whoever proved the answer.
func (a *answer) claimed() *mio.Solution {
	if a.claim != nil && a.verdict.Prover != verify.ByRanges {
		return a.claim
	}
	return &mio.Solution{Objective: a.verdict.Objective, Bound: a.verdict.Bound, Claimed: a.verdict.Status == mio.Optimal}
}
