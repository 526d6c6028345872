//go:build !cgo || nohighs

package highs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/solvers/solvertest"
)

// TestUnavailable: a program built without HiGHS knows its name and says why
// it cannot be used.
func TestUnavailable(t *testing.T) {
	s, err := solvers.Lookup(highs.Name)
	if err != nil {
		t.Fatal(err)
	}
	_, solveErr := s.Solve(context.Background(), solvertest.Knapsack(1, 3, 1), solvers.Options{})
	_, fileErr := highs.SolveFile(context.Background(), "m.mps", solvers.Options{})
	for _, err := range []error{s.Available(), solveErr, fileErr, highs.WriteModel(context.Background(), nil, "m.mps")} {
		var unavailable *solvers.UnavailableError
		if !errors.As(err, &unavailable) || unavailable.Solver != highs.Name {
			t.Errorf("error %v, want an UnavailableError of highs", err)
		}
	}
}
