package solvertest

import (
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// oddNames are legal in a model, and each means something to some reader of
// files.
var oddNames = []string{
	"RHS", "BOUND", "MARKER", "'MARKER'", "OBJ", "obj", "ENDATA", "NAME", "1st", "-5", "+", "1e5", "inf", "x$y", "$", "*", "a*b", "#c", "\\d",
	"<e>", "&amp;", "\"f\"", "a:b", "x[1,2]", "x(3)", "é", "名", "C", "=obj=", "c1", "r1", "x y"[:1] + "_y", ";", "a,b", "%s", "--help", "-e",
	strings.Repeat("long", 60),
}

// testNames: odd names of columns and rows do not change the answer, and values
// come back to their columns.
func testNames(t *testing.T, s solvers.Solver) {
	// Each column has its own optimal value: min sum x_j, x_j >= j+1.5.
	b := mio.NewBuilder("odd <names> & 'more'")
	for j, name := range oddNames {
		kind := mio.Continuous
		if j%2 == 1 && s.Capabilities().Discrete {
			kind = mio.Integer
		}
		c := b.AddCol(1, 0, 1000, kind, name)
		b.Add(b.AddRow(float64(j)+1.5, mio.Inf, oddNames[len(oddNames)-1-j]), c, 1)
	}
	m := build(b)
	sol := solve(t, s, m, solvers.Options{})
	if sol.Status != mio.Optimal {
		t.Fatalf("%v (%s)", sol.Status, sol.Raw)
	}
	for j, v := range sol.Values {
		want := float64(j) + 1.5
		if m.ColTypes()[j] == mio.Integer {
			want += 0.5
		}
		if !near(v, want) {
			t.Errorf("column %s is %v, want %v", m.ColName(j), v, want)
		}
	}
	if s.Capabilities().Start {
		again := solve(t, s, m, solvers.Options{Start: sol.Values})
		if again.Status != mio.Optimal || !near(again.Objective, sol.Objective) {
			t.Errorf("from its own optimum: %v, objective %v, want %v", again.Status, again.Objective, sol.Objective)
		}
	}
}

// testLarge solves a model of 50,000 rows that any presolve takes apart: what it
// asks for is that files and answers of that size go through.
func testLarge(t *testing.T, s solvers.Solver) {
	const items = 25_000
	kind, least := mio.Continuous, 1.0
	if s.Capabilities().Discrete {
		kind, least = mio.Integer, 0.5
	}
	b := mio.NewBuilder("large")
	b.OmitNames()
	z := b.AddCol(1, 0, 1, mio.Continuous, "")
	start := make([]float64, items+1)
	for j := range items {
		x := b.AddCol(1, 0, 9, kind, "")
		b.Add(b.AddRow(least, mio.Inf, ""), x, 1)
		both := b.AddRow(-mio.Inf, 100, "")
		b.Add(both, x, 1)
		b.Add(both, z, 1)
		start[j+1] = 2
	}
	m := build(b)
	opt := solvers.Options{}
	if s.Capabilities().Start {
		opt.Start = start
	}
	if sol := solve(t, s, m, opt); sol.Status != mio.Optimal || !near(sol.Objective, items) {
		t.Errorf("%v (%s), objective %v, want %v", sol.Status, sol.Raw, sol.Objective, items)
	}
}
