package fit

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
)

// askSolver finds the solver of the engine mio, without which there is nothing to start.
func (j *job) askSolver(ctx context.Context, l *Ledger) error {
	s, _, err := j.findSolver(ctx)
	if errors.Is(err, ErrNoTree) { // ended before it had told its version
		l.Stop(ctx, "the solver had told its version")
		return nil
	}
	l.solver = s
	return err
}

// proveByStart grows the starts before anything is built, if the problem says which trees it admits.
// If one is no worse than the bound that the data give, it is the answer. The starts of other
// problems are grown when their models are there: they may take most of the time.
func (j *job) proveByStart(ctx context.Context, l *Ledger) error {
	if j.p.Admits == nil {
		return nil
	}
	if err := l.growStarts(ctx); err != nil {
		return err
	}
	if bound := j.p.Bound(); l.best != nil && j.StartTree == nil && (l.best.value <= bound || verify.Same(l.best.value, bound)) && j.trivial() == nil {
		l.proved, l.foundBy = verify.ByData, j.modelEngine()
		l.why = "the start makes only the errors that no tree can avoid, and its splits cost nothing"
		if j.p.Margin != "" { // a certificate names its problem
			l.formulation = &Formulation{Form: j.p.Name, Margin: j.p.Margin}
		}
		return nil
	}
	l.searchedStarts()
	return nil
}

// modelEngine is the engine that works with a model: mio, unless heuristics answer alone.
func (j *job) modelEngine() problem.Engine {
	if j.engine == problem.Heuristic {
		return j.engine
	}
	return problem.MIO
}

// growStarts grows the starts unless they are there, and puts them on offer.
func (l *Ledger) growStarts(ctx context.Context) error {
	if l.starts == nil {
		var err error
		if l.starts, err = l.job.growStarts(ctx, l.p); err != nil {
			return err
		}
	}
	l.offerStarts()
	return nil
}

// offerStarts puts the starts on offer.
func (l *Ledger) offerStarts() {
	for _, g := range l.starts.trees {
		l.Offer(g.Name, g.Tree)
	}
}

// searchedStarts notes what the exact search has proved of the problem while it looked for a
// start.
func (l *Ledger) searchedStarts() {
	f := l.starts.search()
	if l.p.Search == nil || f == nil {
		return
	}
	if l.search = describeSearch(f); f.Status != mio.Infeasible { // which is no bound on a tree
		l.Prove(cmp.Or(f.Prover, verify.BySearch), f.Bound)
	}
}

// build builds the model; nil if the ledger has the answer already: the single leaf is optimal,
// costs lie too far apart for any model, or ctx ended. What time is left then is for better starts.
func (j *job) build(ctx context.Context, l *Ledger, lp mio.SolveFunc) (*problem.Model, error) {
	if j.data.TooFarApart() && j.trivial() == nil {
		return nil, j.withoutModel(ctx, l)
	}
	m, err := j.p.Build(ctx, problem.BuildOptions{LP: lp, Warn: j.warn})
	switch {
	case err == nil && m.Admitting != nil:
		if err := l.growStarts(ctx); err != nil {
			return nil, err
		}
		return l.starts.admittedBy(ctx, m)
	case err == nil:
		return m, nil
	case errors.Is(err, formulate.ErrSingleLeaf):
		return nil, l.Single(j.modelEngine(), err)
	case !outOfTime(ctx, err):
		return nil, badInput(err)
	}
	if l.starts == nil || ctx.Err() == nil {
		if l.starts, err = j.growWithin(ctx, j.p, 1); err != nil {
			return nil, err
		}
		l.offerStarts()
		l.searchedStarts()
	}
	l.Stop(ctx, "the model was built")
	return nil, nil
}

// withoutModel leaves the answer to the starts, since no model holds the numbers.
func (j *job) withoutModel(ctx context.Context, l *Ledger) error {
	if err := l.growStarts(ctx); err != nil {
		return err
	}
	l.unproved = "weights or costs lie too far apart for double precision"
	l.why = "no model was built: " + l.unproved
	return nil
}

// solveModel has a solver solve the model from the best start, after models of parts of the
// problem. Its claim goes into the ledger.
func (j *job) solveModel(ctx context.Context, l *Ledger) error {
	m, err := j.build(ctx, l, j.linearPrograms(l.solver))
	if m == nil {
		return err
	}
	j.announce(m)
	if m.Precision.Lost { // no solver can tell trees apart
		return j.bestStart(ctx, l, m)
	}
	if err := j.accepts(l.solver, m); err != nil {
		return err
	}
	best, err := j.startOf(ctx, m, l.starts)
	if err != nil {
		return err
	}
	j.sayProved(l)
	c, other := &claim{engine: problem.MIO, model: m, by: l.solver, start: best}, j.searchBeside(ctx, m, best)
	if sol := j.withinGap(l, best); sol != nil {
		c.Solution = sol
	} else {
		err = j.solveAll(ctx, l, c)
	}
	if w := other.end(j.interrupt, m); w != nil {
		c.known.Witnesses = append(c.known.Witnesses, *w)
	}
	if err != nil {
		return err
	}
	if w := j.doubt(ctx, c); w != nil {
		c.known.Witnesses = append(c.known.Witnesses, *w)
	}
	return l.Claim(j.interrupt, c)
}

// solveAll has the problem proved by parts if that can be, else the whole model solved from the
// best point, which parts may better. A solver that is to have no start does not see what the
// parts found, but their tree is an answer like its own.
func (j *job) solveAll(ctx context.Context, l *Ledger, c *claim) error {
	began := time.Now()
	r, err := j.byParts(ctx, l, c)
	if err != nil {
		return err
	}
	var found *point
	if r != nil {
		c.known.Proofs = []verify.Proof{{By: r.By, Bound: r.Bound}}
		found = j.startFromParts(c.model, r, c.start)
		if sol := provedByParts(l.solver, c.model, r, found); sol != nil {
			c.Solution, c.start, sol.Runtime = sol, found, time.Since(began)
			return nil
		}
		if j.Start != "none" {
			c.start = found
		}
	}
	if err := j.solve(ctx, l, c); err != nil {
		return err
	}
	if found != nil && found != c.start && r.Tree.Splits() > 0 {
		c.known.Witnesses = append(c.known.Witnesses, found.witness())
		besides(c.Solution, found)
	}
	return nil
}

// withinGap is the start as the answer if what the search has proved leaves it a gap no wider
// than the one asked for; nil if it does not.
func (j *job) withinGap(l *Ledger, best *point) *mio.Solution {
	if best == nil || j.Solve.RelGap <= 0 {
		return nil
	}
	for _, proof := range l.proofs {
		if mio.Gap(best.objective, proof.Bound) <= j.Solve.RelGap+verify.Rounding {
			sol := unsolved(best, mio.LimitGap)
			sol.Solver, sol.Raw = l.solver.Name(), "the start is within the gap of the bound that the search proved"
			return sol
		}
	}
	return nil
}

// bestStart leaves the answer to the starts, since no solver can tell trees apart.
func (j *job) bestStart(ctx context.Context, l *Ledger, m *problem.Model) error {
	if l.starts == nil {
		if err := l.growStarts(ctx); err != nil {
			return err
		}
		l.searchedStarts()
	}
	l.Prove(verify.ByData, m.Bound)
	l.why, l.unproved = "no solver was asked: "+m.Precision.Loose, m.Precision.Loose
	l.limit, l.formulation, l.value = mio.LimitOf(ctx), describeModel(m), m.Value
	return nil
}

// announce reports the size of the model, and warns about its coefficient range.
func (j *job) announce(p *problem.Model) {
	m := p.Model()
	if w := m.CoefRange().Warning(); w != "" {
		j.warn(w)
	}
	j.stage("model: %s %s, %d rows, %d columns (%d binary), %d nonzeros", p.Form, p.Encoding, m.NumRows(), m.NumCols(), m.NumDiscrete(), m.NumNonzeros())
}

// sayProved tells that the start is proved optimal already.
func (j *job) sayProved(l *Ledger) {
	if j.p.Search == nil || l.starts == nil {
		return
	}
	for _, g := range l.starts.trees {
		if g.Proved() {
			j.stage("exact search has proved this start optimal (%.2g s); %s proves it again", g.Found.Seconds, l.solver.Name())
			return
		}
	}
}

// place is the engine heuristic: the best of the starts, as the model has it, without a proof.
func (j *job) place(ctx context.Context, l *Ledger) error {
	m, err := j.build(ctx, l, nil)
	if m == nil {
		return err
	}
	if err := l.growStarts(ctx); err != nil {
		return err
	}
	best, err := j.bestPoint(ctx, m, l.starts)
	if err == nil && best == nil && j.Start == "auto" && j.StartTree == nil { // none of the quick ones
		if l.starts, err = j.growEvery(ctx, j.p); err != nil {
			return err
		}
		best, err = j.bestPoint(ctx, m, l.starts)
	}
	if err != nil {
		return err
	}
	if m.LeafTree { // which every model of free trees admits
		leaf := &starts{trees: []*problem.Grown{{Name: "the single leaf", Tree: majorityLeaf(j.data.Dataset)}}, seconds: l.starts.seconds}
		s, err := j.bestPoint(ctx, m, leaf)
		if err != nil {
			return err
		}
		if s != nil && (best == nil || s.objective < best.objective-verify.Rounding) {
			best = s
		}
	}
	sol := unsolved(best, mio.LimitOf(ctx))
	if _, limited := timeLeft(ctx); limited && ctx.Err() == nil && best == nil && l.starts.cutShort() {
		sol.Limit = mio.LimitTime
	}
	return l.Claim(ctx, &claim{Solution: sol, engine: problem.Heuristic, model: m, start: best})
}

// confirmWork limits the search that confirms a solver's claim, in cell visits: some
// seconds. Beyond it the claim stands as it is.
const confirmWork = 2_000_000_000

// confirm has the exact search confirm, or better, what a solver claims of an objective whose
// values its tolerances do not tell apart. If the objective has values of a lattice that is
// coarse, the next value above a bound is exact (verify.Lattice). If it has not, as with weights
// or costs that are real numbers, a better tree may hide in the tolerance.
func (j *job) confirm(ctx context.Context, l *Ledger) error {
	c := l.claim
	if j.p.Search == nil || !j.p.Crossable && j.p.Keep == nil || c == nil || l.err != nil || l.best == nil || l.check == nil || l.check.Problem != "" || !tolerant(c.model) ||
		!c.verdict.Prover.BySolvers() || c.verdict.Status != mio.Optimal && c.verdict.Limit != mio.NoLimit || ctx.Err() != nil {
		return nil
	}
	f := l.starts.search()
	if f == nil || f.Status != mio.Optimal {
		j.stage("the exact search confirms the solver's answer")
		o := problem.SearchOptions{Workers: j.Solve.Threads, Seed: j.seed, Work: confirmWork, Start: &problem.Grown{Name: l.account.Name, Tree: l.best.tree}}
		var err error
		if f, err = j.p.Search(ctx, o); outOfTime(ctx, err) {
			return nil
		} else if err != nil {
			return badInput(err)
		}
	}
	if f.Tree == nil || f.Status != mio.Optimal {
		return nil
	}
	l.search = describeSearch(f)
	value := c.verdict.Objective
	if own := c.model.Value(f.Tree); own < value && !verify.Negligible(value-own, math.Abs(own)) {
		l.best = &offer{f.Name, f.Tree, own, true}
		l.account.Note = "within its tolerances; the search has a better tree"
	} else if c.verdict.Status == mio.Optimal {
		return nil // as the solver says
	}
	l.proved = cmp.Or(f.Prover, verify.BySearch)
	return nil
}

// crossCheck searches the problem that a solver answered, in the time that is left, and
// compares.
func (j *job) crossCheck(ctx context.Context, l *Ledger) error {
	c := l.Certificate()
	if c.Tree == nil || c.account == nil || c.Err != nil && !errors.Is(c.Err, ErrSolver) {
		return nil
	}
	j.stage("cross-check: searching all trees of depth %d", j.p.Shape.Greatest())
	f, err := j.p.Search(ctx, problem.SearchOptions{Workers: j.Solve.Threads, Seed: j.seed})
	if outOfTime(ctx, err) { // before the data were laid out: it says nothing of any other tree
		f, err = &problem.Found{Status: mio.Feasible, Limit: mio.LimitOf(endedNow(ctx)), Objective: l.value(majorityLeaf(j.data.Dataset))}, nil
	}
	if err != nil {
		return badInput(err)
	}
	said, precision := &mio.Solution{Objective: c.Objective, Bound: c.Bound, Claimed: c.Status == mio.Optimal}, verify.Precision{}
	if l.claim != nil {
		if precision = l.claim.model.Precision; c.Prover != verify.ByRanges {
			said = l.claim.Solution
		}
	}
	own := l.value(c.Tree)
	differs := precision.Cross(c.account.Name, said, own, verify.Searched{Objective: f.Objective, Bound: f.Bound, Proved: f.Status == mio.Optimal})
	if l.check = c.check; differs != "" && l.check.Problem == "" {
		l.check.Problem = differs
		if !precision.Above(f.Bound, own) { // else the search is wrong, or the tree
			l.check.Disproved = differs
		}
	}
	l.cross = &CrossCheck{
		Status: f.Status.String(), Limit: f.Limit.String(), Objective: f.Objective, Bound: f.Bound, Seconds: f.Seconds, Agrees: differs == "",
	}
	return nil
}

// afterSearch has a solver go on from the tree of the search, and with its bound, if that has no
// proof: it is the answer if its tree or its bound is better.
func (j *job) afterSearch(ctx context.Context, l *Ledger) error {
	before := l.Certificate()
	if ctx.Err() != nil || l.limit == mio.LimitGap {
		return nil
	}
	j.stage("the search ended without a proof; a model continues from its tree")
	found := &problem.Found{Name: before.account.Name, Tree: before.Tree, Status: before.Status, Limit: before.Limit, Objective: before.Objective, Bound: before.Bound, Prover: before.Prover}
	if before.search != nil {
		found.Seconds = before.search.Seconds
	}
	next := newLedger(j)
	if j.StartTree == nil && j.Start != "none" {
		from := &starts{seconds: found.Seconds, bound: found}
		if found.Tree != nil {
			from.trees = []*problem.Grown{{Name: found.Name, Tree: found.Tree, Found: found}}
		}
		next.starts = j.admitted(from)
	}
	if err := j.runPlan(ctx, next, j.mioPlan()); err != nil {
		return nil // what the search has is as good
	}
	after := next.Certificate()
	refuted := errors.Is(after.Err, ErrInfeasible) || errors.Is(after.Err, ErrCheck)
	if refuted || (after.Err == nil || errors.Is(after.Err, ErrSolver)) && betters(after, before) {
		l.facts = next.facts
	}
	return nil
}

// betters reports whether a certificate has a better tree than another, or a better bound.
func betters(b, a *Certificate) bool {
	if b.Tree == nil {
		return false
	}
	less := func(x, y float64) bool { return x < y && !verify.Same(x, y) }
	return a.Tree == nil || less(b.Objective, a.Objective) || b.Prover != a.Prover && less(a.Bound, b.Bound) && !math.IsInf(b.Bound, 0)
}

// engine is a step of a plan. It finds trees, bounds, or both, and writes what it finds to the
// ledger. An error ends the fit without a result.
type engine struct {
	name  string
	share float64 // of the time that is left
	run   func(ctx context.Context, l *Ledger) error
	after bool // also runs on a closed ledger
}

// mioPlan is the plan of the engine mio.
func (j *job) mioPlan() []engine {
	plan := []engine{
		{name: "solver", share: 1, run: j.askSolver}, {name: "starts", share: 1, run: j.proveByStart},
		{name: "mio", share: 1, run: j.solveModel}, {name: "confirm", share: 1, run: j.confirm},
	}
	if j.CrossCheck {
		plan = append(plan, engine{name: "cross-check", share: 1, run: j.crossCheck, after: true})
	}
	return plan
}

// runPlan runs a plan.
func (j *job) runPlan(ctx context.Context, l *Ledger, plan []engine) error {
	for _, e := range plan {
		if l.Closed() && !e.after {
			continue
		}
		part, cancel := within(ctx, e.share)
		err := e.run(part, l)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}
