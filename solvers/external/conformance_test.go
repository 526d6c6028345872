package external_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/external"
	"github.com/octgen/octgen/solvers/solvertest"
)

// installed returns the solver of this name; the test is skipped by name where
// its executable is not installed.
func installed(t testing.TB, name string) solvers.Solver {
	paths := map[string][]string{
		"highs-exe": {filepath.Join("..", "..", ".highs", "bin", "highs"), "highs"},
		"cbc":       {"cbc"},
		"glpk":      {"glpsol"},
	}[name]
	for _, path := range paths {
		if path, err := exec.LookPath(path); err == nil {
			s, err := external.New(name, solvers.Place{Executable: path})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Available(); err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	t.Skipf("the executable of %s is not installed", name)
	return nil
}

func TestConformance(t *testing.T) {
	for _, name := range []string{"highs-exe", "cbc", "glpk"} {
		t.Run(name, func(t *testing.T) { solvertest.Run(t, installed(t, name)) })
	}
}
