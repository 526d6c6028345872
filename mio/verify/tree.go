package verify

import (
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Limits are what a tree was asked to keep.
type Limits struct {
	Depth      int
	MinLeaf    float64 // least training weight of a leaf
	MaxSplits  int     // greatest complexity; 0 for no limit
	Complexity func(*tree.Tree) int
}

// Broken returns what t does not keep on ds, one sentence each; nil where it keeps
// all.
func (l *Limits) Broken(t *tree.Tree, ds *dataset.Dataset) []string {
	var broken []string
	no := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	if d := t.Depth(); d > l.Depth {
		no("the decoded tree has depth %d, the limit is %d", d, l.Depth)
	}
	if s := l.Complexity(t); l.MaxSplits > 0 && s > l.MaxSplits {
		no("the decoded tree has complexity %d, the most splits are %d", s, l.MaxSplits)
	}
	for i, w := range leafWeights(t, ds) {
		if t.Nodes[i].Leaf() && !tree.EnoughWeight(w, l.MinLeaf) {
			no("leaf %d of the decoded tree weighs %v, the least is %v", i, w, l.MinLeaf)
		}
	}
	return broken
}

// leafWeights routes every row of ds and adds up its weight at its leaf. (nodes)
func leafWeights(t *tree.Tree, ds *dataset.Dataset) []float64 {
	w := make([]float64, len(t.Nodes))
	for i := range ds.N() {
		w[t.Find(ds.Row(i))] += ds.Weight[i]
	}
	return w
}

// TreeErrors compares the errors counted row by row with those that the tree's own
// leaves say; "" where they agree.
func TreeErrors(t *tree.Tree, counted float64) string {
	own := 0.0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			continue
		}
		for k, c := range n.Count {
			if k != n.Class {
				own += c
			}
		}
	}
	if own != counted {
		return fmt.Sprintf("the tree's leaves count %v errors, the data says %v", own, counted)
	}
	return ""
}

// TreeObjective holds the objective of a decoded tree against the point it was decoded
// from; "" where the tree is no worse. Where solvers are loose, a tree is worth what it
// is.
func (p *Precision) TreeObjective(objective float64, sol *mio.Solution) string {
	if p.Loose == "" && p.Above(objective, sol.Objective) {
		return fmt.Sprintf("the decoded tree has objective %v, worse than the solver's %v", objective, sol.Objective)
	}
	return ""
}

// Disproved names the claim of a solution that the tree decoded from it disproves by being
// better, "" for none: an optimum, or a bound. The claim says nothing of the tree, which
// is what it is.
func (p *Precision) Disproved(objective float64, sol *mio.Solution) string {
	switch {
	case p.Loose == "" && sol.Status == mio.Optimal && p.Above(sol.Objective, objective):
		return fmt.Sprintf("that %v is optimal", sol.Objective)
	case p.Above(sol.Bound, objective):
		return fmt.Sprintf("the bound %v", sol.Bound)
	}
	return ""
}

// Searched is the answer of an exact search, as a value.
type Searched struct {
	Objective float64 // of its tree
	Bound     float64 // proved
	Proved    bool    // Bound is Objective: its tree is optimal
}

// Cross compares the answer of a search of the same problem with a solver's
// solution and the objective of its tree: neither may have a tree below the other's
// bound, and an optimum that the solver claims is one. "" where they agree.
func (p *Precision) Cross(solver string, sol *mio.Solution, objective float64, s Searched) string {
	switch {
	case sol.Claimed && p.Above(sol.Objective, s.Objective):
		return fmt.Sprintf("%s claims that %v is optimal, but the search has a tree of objective %v", solver, sol.Objective, s.Objective)
	case p.Above(sol.Bound, s.Objective):
		return fmt.Sprintf("%s claims the bound %v, but the search has a tree of objective %v", solver, sol.Bound, s.Objective)
	case p.Above(s.Bound, objective):
		return fmt.Sprintf("the tree has objective %v, but the search proved the bound %v", objective, s.Bound)
	}
	return ""
}
