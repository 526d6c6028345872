package fit

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// tolerance is how far a solver's figures may be from ours, relative to the
// larger of 1 and the figure.
const tolerance = 1e-6

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(b)) }

// checkPoint holds the solver's point against the model.
func (r *run) checkPoint(m *mio.Model, sol *mio.Solution) {
	rep := mio.Check(m, sol.Values, tolerance+r.rounding)
	worst := rep.Max().Amount
	c := &Check{Feasible: &rep.Feasible, MaxViolation: known(worst)}
	matches := near(rep.Objective, sol.Objective)
	c.ObjectiveMatches = &matches
	r.res.Check = c
	switch {
	case !rep.Feasible:
		c.Problem = fmt.Sprintf("%s: %v", sol.Solver, rep.Err())
	case !matches:
		c.Problem = fmt.Sprintf("%s says that its solution has objective %v, but it has %v", sol.Solver, sol.Objective, rep.Objective)
	}
}

// checkTree holds the decoded tree against the limits asked for and against the
// solver's objective and bound.
func (r *run) checkTree(t *tree.Tree, p *problem, sol *mio.Solution) {
	c, objective := r.res.Check, r.objective(t)
	no := func(what **bool, format string, args ...any) {
		f := false
		*what = &f
		if c.Problem == "" {
			c.Problem = fmt.Sprintf(format, args...)
		}
	}
	if p.complexity != nil {
		r.checkLimits(t, p, func(format string, args ...any) { no(&c.Feasible, format, args...) })
	}
	switch {
	case objective > sol.Objective && !near(objective, sol.Objective):
		no(&c.ObjectiveMatches, "the decoded tree has objective %v, worse than the solver's %v", objective, sol.Objective)
	case sol.Status == mio.Optimal && !near(objective, sol.Objective):
		no(&c.ObjectiveMatches, "the solver claims that %v is optimal, but the decoded tree has %v", sol.Objective, objective)
	case objective < sol.Bound && !near(objective, sol.Bound):
		no(&c.ObjectiveMatches, "the solver claims the bound %v, but the decoded tree has %v", sol.Bound, objective)
	}
}

// checkLimits holds the tree against depth, most splits and least leaf weight.
func (r *run) checkLimits(t *tree.Tree, p *problem, no func(format string, args ...any)) {
	o := r.opts.OCT
	if d := t.Depth(); d > o.Depth {
		no("the decoded tree has depth %d, the limit is %d", d, o.Depth)
	}
	if s := p.complexity(t); o.MaxSplits > 0 && s > o.MaxSplits {
		no("the decoded tree has complexity %d, the most splits are %d", s, o.MaxSplits)
	}
	for i, w := range leafWeights(t, r) {
		if t.Nodes[i].Leaf() && !tree.EnoughWeight(w, o.MinLeaf) {
			no("leaf %d of the decoded tree weighs %v, the least is %v", i, w, o.MinLeaf)
		}
	}
}

// leafWeights routes every training row and adds up its weight at its leaf.
func leafWeights(t *tree.Tree, r *run) []float64 {
	w := make([]float64, len(t.Nodes))
	for i := range r.ds.N() {
		w[t.Find(r.ds.Row(i))] += r.ds.Weight[i]
	}
	return w
}

// checkErrors compares the errors counted row by row with those that the
// tree's own class counts say.
func (r *run) checkErrors() {
	if r.res.Check == nil {
		r.res.Check = &Check{}
	}
	own := 0.0
	for i := range r.res.Tree.Nodes {
		n := &r.res.Tree.Nodes[i]
		if !n.Leaf() {
			continue
		}
		for k, c := range n.Count {
			if k != n.Class {
				own += c
			}
		}
	}
	c := r.res.Check
	c.ErrorsMatch = own == r.res.Train.Errors
	if !c.ErrorsMatch && c.Problem == "" {
		c.Problem = fmt.Sprintf("the tree's leaves count %v errors, the data says %v", own, r.res.Train.Errors)
	}
}
