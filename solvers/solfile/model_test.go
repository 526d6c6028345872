package solfile

import (
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
)

// TestModelName: where a file names its model, the name is told.
func TestModelName(t *testing.T) {
	b := mio.NewBuilder("one")
	b.AddCol(1, 0, 1, mio.Binary, "x")
	m := build(t, b)
	for _, c := range []struct {
		format     Format
		text, name string
	}{
		{Gurobi, "# Solution for model oct-0123abcd\n# Objective value = 1\nx 1\n", "oct-0123abcd"},
		{Gurobi, "# MIP start for model oct-0123abcd\nx 1\n", "oct-0123abcd"},
		{Gurobi, "x 1\n", ""},
		{GLPK, "c Problem:    oct-0123abcd\nc Status:     INTEGER OPTIMAL\ns mip 0 1 o 1\nj 1 1\ne o f\n", "oct-0123abcd"},
		{Xpress, "NAME oct-0123abcd\n C x 1\nENDATA\n", "oct-0123abcd"},
		{CPLEX, `<CPLEXSolution version="1.2"><header problemName="oct-0123abcd" objectiveValue="1" solutionStatusValue="101"/><variables><variable name="x" index="0" value="1"/></variables></CPLEXSolution>`, "oct-0123abcd"},
		{CBC, "Optimal - objective value 1\n0 x 1 0\n", ""},
	} {
		for _, mark := range []string{"", "\ufeff"} {
			sol, err := Read(strings.NewReader(mark+c.text), "test.sol", c.format, m, nil, ReadOptions{})
			if err != nil {
				t.Errorf("%s: %v", c.format, err)
			} else if sol.Model != c.name || sol.Values[0] != 1 {
				t.Errorf("%s: model %q, values %v, want %q", c.format, sol.Model, sol.Values, c.name)
			}
		}
	}
}
