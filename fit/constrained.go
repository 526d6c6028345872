package fit

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// withoutTree is the answer without a tree that holds the constraints, and without a proof
// that there is none. Its error names the cause.
func (j *job) withoutTree(a *answer) (*answer, error) {
	a.tree, a.Check = nil, nil
	a.verdict.Status, a.verdict.Objective, a.verdict.Gap = mio.NoSolution, math.NaN(), math.Inf(1)
	if s := a.Solver; s != nil {
		s.Status, s.Objective, s.Gap = mio.NoSolution.String(), nil, nil
		s.Start, s.StartObjective, s.StartGain = "", nil, nil
	}
	return a, fmt.Errorf("%w that holds %s: %s", ErrNoTree, j.named(), a.cause())
}

// noTree is the answer where a search has proved that no tree holds the constraints.
func (j *job) noTree(a *answer, f *problem.Found) (*answer, error) {
	a.tree, a.Check = nil, nil
	a.verdict = verify.Verdict{Status: mio.Infeasible, Objective: math.NaN(), Bound: math.Inf(1), Gap: math.Inf(1), Prover: cmp.Or(f.Prover, verify.BySearch)}
	why := ""
	if f.Raw != "" && f.Prover == verify.BySearch { // else it says how that was found
		why = ": " + f.Raw
	}
	return a, fmt.Errorf("%w: no tree within the limits holds %s%s", ErrInfeasible, j.named(), why)
}

// constantAnswer answers data on which all trees are constant, or that have one class,
// under constraints.
func (j *job) constantAnswer(why error, e problem.Engine, objective func(*tree.Tree) float64) (*answer, error) {
	if j.constrained.on == nil {
		return j.leafAnswer(why, e, objective), nil
	}
	leaf := j.bestLeaf()
	oneClass := tree.Baseline(j.data.Dataset) <= 0 && j.data.Cost == nil
	switch {
	case leaf != nil && leaf.Splits() > 0: // those that stay, of which no tree has fewer
		return alone(e, leaf, objective, proved(objective(leaf), verify.ByData), plainReason(why)), nil
	case leaf != nil && (!oneClass || objective(leaf) == 0):
		return alone(e, leaf, objective, proved(objective(leaf), verify.ByData), why.Error()), nil
	case oneClass && (j.data.K() > 1 || j.constrained.set.Fixes()): // other trees may hold them
		return nil, fmt.Errorf("%w: all rows have one class, and the tree that says so does not hold %s", ErrInput, j.named())
	}
	none := verify.Verdict{Status: mio.Infeasible, Objective: math.NaN(), Bound: math.Inf(1), Gap: math.Inf(1), Prover: verify.ByData}
	a := alone(e, nil, objective, none, plainReason(why))
	a.Check = nil
	return a, fmt.Errorf("%w: %s, and no constant tree holds the constraints %s", ErrInfeasible, plainReason(why), j.named())
}

// trivial is an error that wraps formulate.ErrSingleLeaf where no tree is better than a
// constant one: as of problem.Data.SingleLeaf, but where one answer is the cheapest for all
// rows and its leaf does not hold the constraints.
func (j *job) trivial() error {
	err := j.data.SingleLeaf()
	if err == nil || j.constrained.on == nil || j.data.Cost == nil {
		return err
	}
	if leaf := j.bestLeaf(); leaf != nil && leaf.Evaluate(j.data.Dataset).Excess <= 0 {
		return err
	}
	return j.data.Unvarying()
}

// plainReason is the reason of formulate.ErrSingleLeaf, without its conclusion.
func plainReason(why error) string {
	if _, reason, ok := strings.Cut(why.Error(), formulate.ErrSingleLeaf.Error()+": "); ok {
		return reason
	}
	return why.Error()
}

// describeConstraints are the values of the constraints for the tree of an answer.
func (j *job) describeConstraints(a *answer) ([]Constraint, error) {
	c := &j.constrained
	if c.on == nil {
		return nil, nil
	}
	if a.tree == nil {
		var all []Constraint
		for _, text := range c.set.Texts() {
			all = append(all, Constraint{Text: text})
		}
		return all, nil
	}
	on, validation := c.on, (*dataset.Dataset)(nil)
	if a.held != nil {
		on, validation = a.held.on, a.held.validation
	}
	var all []Constraint
	for _, v := range on.Values(a.tree) {
		all = append(all, Constraint{Text: v.Text, Limit: v.Limit, Train: v.Value, Held: v.Held, Note: v.Note})
	}
	return all, cmp.Or(
		j.valuesOn(validation, a.tree, func(i int, v *constraint.Value) { all[i].Validation = v.Value }),
		j.valuesOn(j.Test, a.tree, func(i int, v *constraint.Value) { all[i].Test, all[i].TestHeld = v.Value, &v.Held }),
	)
}

// valuesOn has put take the values of the constraints on other rows, nil for none.
func (j *job) valuesOn(ds *dataset.Dataset, t *tree.Tree, put func(i int, v *constraint.Value)) error {
	if ds == nil || ds.N() == 0 {
		return nil
	}
	on, err := j.constrained.set.On(ds)
	if err != nil {
		return err
	}
	for i, v := range on.Values(t) {
		put(i, &v)
	}
	return nil
}
