package verify_test

import (
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// TestTreeErrors: the errors that the leaves count must be those counted on the data.
func TestTreeErrors(t *testing.T) {
	u := &tree.Tree{Features: []string{"x"}, Classes: []string{"a", "b", "c"}, Nodes: []tree.Node{
		{Split: tree.Univariate(0, 0.5), Left: 1, Right: 2, Count: []float64{7, 7, 7}}, // not a leaf
		{Class: 0, Count: []float64{5, 1, 2}},
		{Class: 2, Count: []float64{0, 4, 9}},
	}}
	if problem := verify.TreeErrors(u, 7); problem != "" {
		t.Errorf("7 errors: %s", problem)
	}
	for _, counted := range []float64{6, 8, 14} {
		if problem := verify.TreeErrors(u, counted); problem == "" {
			t.Errorf("%v errors agree with leaves that count 7", counted)
		}
	}
}

// TestDisproved: an optimum or a bound above the value of the decoded tree is disproved, at an
// equal value it is not.
func TestDisproved(t *testing.T) {
	for _, c := range []struct {
		status           mio.Status
		objective, bound float64
		loose            bool
		want             string
	}{
		{mio.Optimal, 0.5, 0.5, false, ""},
		{mio.Optimal, 0.5 + 1e-9, 0.5, false, ""}, // rounding
		{mio.Optimal, 0.6, 0.5, false, "that 0.6 is optimal"},
		{mio.Optimal, 0.6, 0.5, true, ""}, // verify.Precision takes it back
		{mio.Feasible, 0.6, 0.5, false, ""},
		{mio.Feasible, 0.6, 0.4, false, ""},
		{mio.Feasible, 0.6, 0.55, false, "the bound 0.55"},
		{mio.Feasible, 0.6, 0.51, false, "the bound 0.51"},
	} {
		p := &verify.Precision{}
		if c.loose {
			p.Loose = "a test"
		}
		sol := &mio.Solution{Status: c.status, Objective: c.objective, Bound: c.bound}
		if got := p.Disproved(0.5, sol); got != c.want {
			t.Errorf("%+v: %q of a tree of 0.5", c, got)
		}
	}
}
