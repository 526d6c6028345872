package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// Ledger holds what a fit knows. Engines write facts to it: trees with [Ledger.Offer], lower
// bounds with [Ledger.Prove], the answer of a search with [Ledger.Found], that of a solver with
// [Ledger.Claim]. Offer, Prove and Certificate may be called by several goroutines at once; all
// else is for the engine whose turn it is. The status of the fit is no entry:
// [Ledger.Certificate] makes it of the facts.
type Ledger struct {
	*job
	mu sync.Mutex
	facts
}

// facts are the entries of a ledger.
type facts struct {
	best   *offer         // the best tree; nil: the fallback
	proofs []verify.Proof // lower bounds, in the unit of reports, which is the model's wherever there are proofs
	proved verify.Prover  // who proved the best tree optimal as a whole; "" for nobody
	none   *verify.Proof  // that there is no tree; nil for none
	claim  *claim         // of a solver, judged; nil for none
	limit  mio.Limit      // what ended the last engine

	starts *starts        // trees for a solver to start from; nil: not grown yet
	solver solvers.Solver // of the engine mio

	// What the last engine says of itself, for the result.
	foundBy     problem.Engine           // that found the best tree; "" is heuristic
	value       func(*tree.Tree) float64 // the objective that it minimised; nil for none
	why         string                   // no solver and no search answered, for this reason
	constant    bool                     // the data allow constant trees only
	noTree      bool                     // not even the fallback is an answer
	stopped     bool                     // a limit ended the fit before an engine had an answer
	unproved    string                   // why nothing is proved although no limit ended it
	err         error                    // what is wrong, or why there is no tree
	formulation *Formulation
	account     *Solver
	search      *SearchPart
	heuristic   *Heuristic
	tuning      *Tuning
	check       *Check
	cross       *CrossCheck
	held        *heldOn // if the constraints are not held on all training rows
}

// offer is a tree with its value.
type offer struct {
	name  string
	tree  *tree.Tree
	value float64 // in the unit of reports; NaN if trees have none
	final bool    // an engine's answer; else a tree to start from
}

// heldOn are the rows on which a tuned tree holds the constraints, and those that it was
// chosen by.
type heldOn struct {
	on         *constraint.On
	validation *dataset.Dataset
}

// Certificate is what is known of a tree at the end of a fit, and from whom. Its status is
// optimal or infeasible only with a proof.
type Certificate struct {
	verify.Verdict            // in the unit of reports
	Tree           *tree.Tree // nil for none
	Err            error      // wraps one of the errors of Run
	facts
}

func newLedger(j *job) *Ledger { return &Ledger{job: j, facts: facts{value: j.p.Value}} }

// Offer puts a tree on offer, which counts if it is a tree of the problem and better than those
// before it.
func (l *Ledger) Offer(name string, t *tree.Tree) {
	p := l.p
	if p.Value == nil || p.Admits == nil || !p.Admits(t) {
		return
	}
	v := p.Value(t)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.best == nil || v < l.best.value {
		l.best = &offer{name, t, v, false}
	}
}

// Prove notes a lower bound on the objective, in the unit of reports.
func (l *Ledger) Prove(by verify.Prover, bound float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.proofs = append(l.proofs, verify.Proof{By: by, Bound: bound})
}

// Progress tells how far an engine is.
func (l *Ledger) Progress(e solvers.Event) {
	if l.Notify != nil {
		l.Notify(Event{Progress: &e})
	}
}

// Found notes the answer of an exact search, whose tree has the last word.
func (l *Ledger) Found(f *problem.Found) {
	by := cmp.Or(f.Prover, verify.BySearch)
	l.search, l.unproved, l.limit = describeSearch(f), f.Unproved, f.Limit
	l.Prove(by, f.Bound)
	switch {
	case f.Status == mio.Infeasible:
		l.ruledOut(f, nil)
	case f.Tree != nil:
		l.best = &offer{f.Name, f.Tree, f.Objective, true}
	}
	if f.Status == mio.Optimal {
		l.proved = by
	}
}

// ruledOut notes that a search has proved that no tree satisfies the constraints, or these of them.
func (l *Ledger) ruledOut(f *problem.Found, conflict []string) {
	l.none = &verify.Proof{By: cmp.Or(f.Prover, verify.BySearch)}
	why := ""
	if f.Raw != "" && f.Prover == verify.BySearch { // else it says how that was found
		why = ": " + f.Raw
	}
	l.err = fmt.Errorf("%w: %s%s", ErrInfeasible, l.unsatisfied(conflict), why)
}

// unsatisfied says that no tree satisfies the constraints in conflict; nil for all.
func (l *Ledger) unsatisfied(conflict []string) string {
	const none = "no tree within the limits satisfies "
	if conflict == nil {
		return none + l.named()
	}
	return none + strings.Join(conflict, "; ") + ", even without the other constraints"
}

// Stop notes that a limit came before an engine had an answer: the best tree on offer is the
// answer. what names the work that did not end, such as "the model was built".
func (l *Ledger) Stop(ctx context.Context, what string) {
	ctx = endedNow(ctx)
	l.stopped, l.limit, l.why = true, mio.LimitOf(ctx), "the time limit came before "+what
	if interrupted(ctx) {
		l.why = "interrupted before " + what
	}
	l.Prove(verify.ByData, l.p.Bound())
}

// Single notes that the data allow no tree but constant ones, for the reason why. Under
// constraints another constant tree than the majority leaf may be the answer, or none.
func (l *Ledger) Single(e problem.Engine, why error) error {
	l.foundBy, l.proved, l.why = e, verify.ByData, why.Error()
	l.constant, l.best, l.search = true, nil, nil
	if l.p.Keep == nil {
		return nil
	}
	best, ds := l.leading(), l.data.Dataset
	oneClass := ds.Baseline() <= 0 && ds.Kind() == dataset.Errors
	switch {
	case best.tree != nil && best.tree.Splits() > 0: // fixed splits, of which no tree has fewer
		l.why = plainReason(why)
	case best.tree != nil && (!oneClass || best.value == 0):
	case oneClass && (ds.K() > 1 || l.p.Constraints.Fixes()): // other trees may hold them
		return fmt.Errorf("%w: all rows have one class, and the tree that says so does not hold %s", ErrInput, l.named())
	default:
		l.none, l.why = &verify.Proof{By: verify.ByData}, plainReason(why)
		l.err = fmt.Errorf("%w: %s, and no constant tree satisfies the constraints %s", ErrInfeasible, l.why, l.named())
	}
	return nil
}

// plainReason is the reason of formulate.ErrSingleLeaf, without its conclusion.
func plainReason(why error) string {
	if _, reason, ok := strings.Cut(why.Error(), formulate.ErrSingleLeaf.Error()+": "); ok {
		return reason
	}
	return why.Error()
}

// Closed reports whether nothing is left to be done: the best tree is proved optimal, there is
// none, there is an error, or the fit was stopped before an engine had an answer.
func (l *Ledger) Closed() bool { return l.proved != "" || l.none != nil || l.err != nil || l.stopped }

// leading is the best tree on offer, or the fallback if that is better; its tree is nil if there
// is none.
func (l *Ledger) leading() *offer {
	if l.best != nil && l.best.final {
		return l.best
	}
	o := &offer{name: "the single leaf", tree: problem.Fallback(l.data.Dataset, l.p.Keep), value: math.NaN()}
	switch {
	case o.tree == nil:
		return cmp.Or(l.best, o)
	case o.tree.Splits() > 0:
		o.name = "the fixed splits"
	}
	if l.value != nil {
		o.value = l.value(o.tree)
	}
	if l.best != nil && !(o.value < l.best.value) {
		return l.best
	}
	return o
}

// Certificate says what is known.
func (l *Ledger) Certificate() *Certificate {
	l.mu.Lock()
	defer l.mu.Unlock()
	best := &offer{value: math.NaN()}
	if l.none == nil && !l.noTree {
		best = l.leading()
	}
	c := &Certificate{Tree: best.tree, Verdict: l.verdict(best), facts: l.facts}
	c.Err, c.foundBy = l.err, cmp.Or(c.foundBy, problem.Heuristic)
	if c.Status == mio.Optimal || c.Status == mio.Infeasible || c.Limit != mio.NoLimit {
		c.unproved = ""
	}
	if c.why != "" && c.account == nil { // no solver and no search has an account
		c.account, c.check = describeVerdict("none", c.Verdict, c.why), cmp.Or(c.check, soundCheck())
		c.account.Told = c.unproved != "" // in why, too
		c.began(best)
	}
	if c.Tree == nil {
		c.without(l.job)
	} else if c.check == nil {
		c.check = new(Check)
	}
	return c
}

// verdict is what the facts come to for the best tree: the one place that decides it.
func (l *Ledger) verdict(best *offer) verify.Verdict {
	v := verify.Verdict{Status: mio.Feasible, Limit: l.limit, Objective: best.value, Bound: math.Inf(-1), Gap: math.Inf(1)}
	switch {
	case l.none != nil:
		return verify.Verdict{Status: mio.Infeasible, Objective: math.NaN(), Bound: math.Inf(1), Gap: math.Inf(1), Prover: l.none.By}
	case l.proved == "" && l.claim != nil:
		v = l.claim.verdict
		if l.claim.Values == nil { // the fallback stands in
			v.Status = mio.Feasible
			if !math.IsNaN(best.value) {
				v.Objective, v.Gap = best.value, mio.Gap(best.value, v.Bound)
			}
		}
	case l.proved == "":
		for _, p := range l.proofs {
			if p.Bound > v.Bound {
				v.Bound, v.Prover, v.Gap = p.Bound, p.By, mio.Gap(v.Objective, p.Bound)
			}
		}
	}
	closed := l.claim == nil && verify.Same(v.Bound, v.Objective)
	if l.proved != "" || closed {
		v.Status, v.Limit, v.Prover = mio.Optimal, mio.NoLimit, cmp.Or(l.proved, v.Prover)
		if !math.IsNaN(best.value) {
			v.Bound, v.Gap = best.value, 0
		}
	}
	if best.tree == nil && (l.claim == nil || l.claim.Values == nil) { // else the check has found a point without a tree
		v.Status, v.Objective, v.Gap = mio.NoSolution, math.NaN(), math.Inf(1)
	}
	return v
}

// began says which tree there was to start from, if no engine answered.
func (c *Certificate) began(best *offer) {
	s := c.account
	if c.constant || best.tree == nil {
		return
	}
	s.Start, s.StartObjective = best.name, Known(best.value)
	if c.starts != nil {
		s.StartSeconds = &c.starts.seconds
	}
	if c.Limit != mio.NoLimit && s.StartObjective != nil {
		s.StartGain = new(float64)
	}
}

// without takes back what was said of a tree, and says why there is none.
func (c *Certificate) without(j *job) {
	if !errors.Is(c.Err, ErrCheck) {
		c.check = nil
	}
	if c.Err != nil {
		return
	}
	if s := c.account; s != nil {
		s.Status, s.Objective, s.Gap = mio.NoSolution.String(), nil, nil
		s.Start, s.StartObjective, s.StartGain = "", nil, nil
	}
	c.Err = fmt.Errorf("%w that holds %s: %s", ErrNoTree, j.named(), c.cause())
}

// cause says in words what ended a fit before a proof: its limit, else why nothing is proved.
func (c *Certificate) cause() string {
	switch c.Limit {
	case mio.NoLimit:
		return cmp.Or(c.unproved, fmt.Sprintf("the engine %s ended without a proof", c.foundBy))
	case mio.LimitInterrupt:
		return "interrupted"
	case mio.LimitMemory:
		return "out of memory"
	case mio.LimitIterations:
		if c.foundBy != problem.MIO {
			return "the work limit was reached"
		}
		return "the iteration limit was reached"
	case mio.LimitNodes:
		return "the node limit was reached"
	case mio.LimitCutoff:
		return "the cutoff was reached"
	case mio.LimitGap:
		return "the gap asked for was reached"
	}
	return fmt.Sprintf("the %s limit was reached", c.Limit)
}

// named lists the constraints for messages.
func (j *job) named() string {
	if j.p.Constraints == nil {
		return ""
	}
	return strings.Join(j.p.Constraints.Texts(), "; ")
}

// trivial is an error that wraps formulate.ErrSingleLeaf if no tree is better than a constant
// one: that of problem.Data.SingleLeaf, unless one class is the cheapest for all rows and its
// leaf does not hold the constraints.
func (j *job) trivial() error {
	err := j.data.SingleLeaf()
	if err == nil || j.p.Keep == nil || j.data.Kind() == dataset.Errors {
		return err
	}
	if leaf := problem.Fallback(j.data.Dataset, j.p.Keep); leaf != nil && leaf.Evaluate(j.data.Dataset).Excess <= 0 {
		return err
	}
	return j.data.Unvarying()
}

// claim is the answer of a solver to a model, of heuristics in its place, or of a solution
// file. Package verify says what is believed of it.
type claim struct {
	*mio.Solution
	engine    problem.Engine
	model     *problem.Model
	by        solvers.Solver // nil for heuristics and solution files
	failed    error          // of the solver, if there is a point nevertheless
	start     *point         // that the solver began with, or that was found after it; nil for none
	known     verify.Judge   // trees and bounds that are known besides the start and the ledger's
	rounding  float64        // what the digits of a solution file may add to a violation
	judged    bool           // the verdict is there
	worthless bool           // the tree of its point broke the limits
	verdict   verify.Verdict // in the unit of reports
}
