package fit

import (
	"fmt"
	"math"
	"strings"

	"github.com/octgen/octgen/constraint"
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// Constraint is what a constraint comes to for the tree of a result. It is held on the
// training rows; what it is on others is reported, not promised.
type Constraint struct {
	Text  string   `json:"text"`
	Limit *float64 `json:"limit"` // nil: it is a price
	Train *float64 `json:"train"` // nil where no row has its rate, and without a tree
	Test  *float64 `json:"test,omitempty"`
	Held  bool     `json:"held"` // on training rows
	Note  string   `json:"note,omitempty"`
}

// constraints are those of a job's method on its training rows.
type constraints struct {
	set      *constraint.Set
	on       *constraint.On // nil for none
	positive string         // class whose rates fairness compares
}

// constraintsOf binds the constraints of m to its data, and tells what is left out.
func (j *job) constraintsOf(m method.Method) (constraints, error) {
	c, ok := m.(method.Constrainable)
	if !ok {
		return constraints{}, nil
	}
	bound := constraints{set: c.Constraints(), positive: c.Compares()}
	if bound.set.Empty() {
		return bound, nil
	}
	var err error
	if bound.on, err = bound.set.On(j.data.Dataset); err != nil {
		return bound, err
	}
	for _, w := range bound.on.Warnings {
		j.warn(w)
	}
	return bound, nil
}

// holds reports whether t keeps the constraints on the training rows.
func (c *constraints) holds(t *tree.Tree) bool { return c.on == nil || c.on.Broken(t) == nil }

// proves reports whether a tree that is best without the constraints, and holds them, is
// best with them, too: unless it pays for columns.
func (c *constraints) proves(t *tree.Tree) bool {
	return c.on == nil || c.on.FeatureCost == nil && c.holds(t)
}

// admitted are the starts that hold the constraints, and the constant trees that do. What
// the exact search has proved best of all trees bounds those that hold the constraints,
// and is the best of them where it holds them itself.
func (j *job) admitted(all *starts) *starts {
	c := &j.constrained
	if c.on == nil {
		return all
	}
	kept := &starts{seconds: all.seconds}
	for _, g := range all.trees {
		if g.Proved() && !c.proves(g.Tree) {
			kept.bound = g.Found
			copied := *g
			copied.Found = nil
			g = &copied
		}
		if c.holds(g.Tree) || g.Tree == j.StartTree {
			kept.trees = append(kept.trees, g)
		}
	}
	if j.StartTree != nil || j.Start == "none" {
		return kept
	}
	for k := range j.data.K() {
		if leaf := constantTree(j.data.Dataset, k); c.holds(leaf) {
			kept.trees = append(kept.trees, &method.Grown{Name: "the leaf of class " + j.data.Classes[k], Tree: leaf})
		}
	}
	return kept
}

// constantTree answers class k everywhere.
func constantTree(ds *dataset.Dataset, k int) *tree.Tree {
	t := tree.NewLeaf(ds, k)
	t.Annotate(ds)
	return t
}

// bestLeaf is the constant tree of least error weight that holds the constraints, nil for
// none.
func (j *job) bestLeaf() *tree.Tree {
	if j.constrained.on == nil {
		return majorityLeaf(j.data.Dataset)
	}
	var best *tree.Tree
	weight := j.data.ClassWeights()
	for k := range weight {
		if t := constantTree(j.data.Dataset, k); j.constrained.holds(t) && (best == nil || weight[k] > weight[best.Nodes[0].Class]) {
			best = t
		}
	}
	return best
}

// withoutTree is the answer where the limit came before a tree that holds the
// constraints.
func (j *job) withoutTree(a *answer) (*answer, error) {
	a.tree, a.Check = nil, nil
	a.verdict.Status, a.verdict.Objective, a.verdict.Gap = mio.NoSolution, math.NaN(), math.Inf(1)
	if s := a.Solver; s != nil {
		s.Status, s.Objective, s.Gap = mio.NoSolution.String(), nil, nil
		s.Start, s.StartObjective, s.StartGain = "", nil, nil
	}
	return a, fmt.Errorf("%w: no tree that holds the constraints %s was found in the time", ErrNoTree, j.named())
}

// named lists the constraints for messages.
func (j *job) named() string { return strings.Join(j.constrained.set.Texts(), "; ") }

// constantAnswer answers data on which all trees are constant, or that have one class,
// under constraints.
func (j *job) constantAnswer(why error, e method.Engine, objective func(*tree.Tree) float64) (*answer, error) {
	if j.constrained.on == nil {
		return j.leafAnswer(why, e, objective), nil
	}
	leaf := j.bestLeaf()
	oneClass := tree.Baseline(j.data.Dataset) <= 0
	if leaf != nil && (!oneClass || objective(leaf) == 0) {
		return alone(e, leaf, objective, proved(objective(leaf), verify.ByData), why.Error()), nil
	}
	if oneClass {
		return nil, fmt.Errorf("%w: all rows have one class, and the tree that says so does not hold %s", ErrInput, j.named())
	}
	a := alone(e, nil, objective, verify.Verdict{Status: mio.Infeasible, Prover: verify.ByData}, why.Error())
	a.Check = nil
	return a, fmt.Errorf("%w: %s, and no constant tree holds the constraints %s", ErrInfeasible, plainReason(why), j.named())
}

// plainReason is the reason of formulate.ErrSingleLeaf.
func plainReason(why error) string {
	return strings.TrimPrefix(why.Error(), "formulate: "+formulate.ErrSingleLeaf.Error()+": ")
}

// checkConstraints holds the tree of an answer against the constraints.
func (j *job) checkConstraints(a *answer) {
	if j.constrained.on == nil {
		return
	}
	for _, problem := range j.constrained.on.Broken(a.tree) {
		a.Check.fail(&a.Check.Feasible, problem)
	}
}

// describeConstraints are the values of the constraints for t, nil for no tree.
func (j *job) describeConstraints(t *tree.Tree) ([]Constraint, error) {
	c := &j.constrained
	if c.on == nil {
		return nil, nil
	}
	if t == nil {
		var all []Constraint
		for _, text := range c.set.Texts() {
			all = append(all, Constraint{Text: text})
		}
		return all, nil
	}
	var all []Constraint
	for _, v := range c.on.Values(t) {
		all = append(all, Constraint{Text: v.Text, Limit: v.Limit, Train: v.Value, Held: v.Held, Note: v.Note})
	}
	if j.Test == nil {
		return all, nil
	}
	test, err := c.set.On(j.Test)
	if err != nil {
		return nil, err
	}
	for i, v := range test.Values(t) {
		all[i].Test = v.Value
	}
	return all, nil
}
