package fit

import (
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/verify"
)

// checkPoint holds the solver's point against the model.
func (r *run) checkPoint(m *mio.Model, sol *mio.Solution) {
	p := verify.CheckPoint(m, sol.Values, sol.Objective, r.rounding)
	r.res.Check = &Check{
		Feasible: &p.Feasible, MaxViolation: known(p.Max().Amount), ObjectiveMatches: &p.Matches, Problem: p.Problem(sol.Solver),
	}
}

// checkTree holds the decoded tree against the limits asked for and against the
// solver's objective and bound.
func (r *run) checkTree(t *tree.Tree, p *problem, sol *mio.Solution) {
	if p.complexity != nil {
		r.checkLimits(t, p.complexity)
	}
	r.res.Check.fail(&r.res.Check.ObjectiveMatches, verify.TreeObjective(p.Objective(t), sol))
}

// checkLimits holds the tree against depth, most splits and least leaf weight.
func (r *run) checkLimits(t *tree.Tree, complexity func(*tree.Tree) int) {
	o := r.opts.OCT
	limits := verify.Limits{Depth: o.Depth, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits, Complexity: complexity}
	for _, problem := range limits.Broken(t, r.ds) {
		r.res.Check.fail(&r.res.Check.Feasible, problem)
	}
}

// fail notes a problem, "" for none: the first one is reported.
func (c *Check) fail(what **bool, problem string) {
	if problem == "" {
		return
	}
	no := false
	*what = &no
	if c.Problem == "" {
		c.Problem = problem
	}
}

// checkErrors compares the errors counted row by row with those that the
// tree's own class counts say.
func (r *run) checkErrors() {
	if r.res.Check == nil {
		r.res.Check = &Check{}
	}
	c := r.res.Check
	problem := verify.TreeErrors(r.res.Tree, r.res.Train.Errors)
	c.ErrorsMatch = problem == ""
	if !c.ErrorsMatch && c.Problem == "" {
		c.Problem = problem
	}
}
