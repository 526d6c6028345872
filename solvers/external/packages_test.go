package external_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external"
	"github.com/octgen/octgen/solvers/solvertest"
)

// openPackages are tested where the interpreter $OCTGEN_SOLVERS_PYTHON has them; commercial ones
// only if $OCTGEN_SOLVERS names them, since their licences are for a person to accept.
var (
	openPackages       = []string{"scip", "highspy", "cp-sat"}
	commercialPackages = []string{"gurobi", "cplex", "xpress", "copt"}
)

// packaged returns the solver of this name as a Python package; the test is skipped by name where
// it is not to be run.
func packaged(t testing.TB, name string) solvers.Solver {
	python := os.Getenv("OCTGEN_SOLVERS_PYTHON")
	if python == "" {
		t.Skip("$OCTGEN_SOLVERS_PYTHON names no interpreter with the packages of solvers")
	}
	if named := strings.Split(os.Getenv("OCTGEN_SOLVERS"), ","); !slices.Contains(openPackages, name) && !slices.Contains(named, name) {
		t.Skipf("$OCTGEN_SOLVERS does not name %s", name)
	}
	s, err := external.New(name, solvers.Place{Python: python})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPackages runs the suite of all adapters on Python packages.
func TestPackages(t *testing.T) {
	for _, name := range slices.Concat(openPackages, commercialPackages) {
		t.Run(name, func(t *testing.T) { solvertest.Run(t, packaged(t, name)) })
	}
}
