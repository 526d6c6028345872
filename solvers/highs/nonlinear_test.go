//go:build cgo && !nohighs

package highs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	"github.com/octgen/octgen/solvers/highs"
)

// TestNonlinearRefused: the adapter loads linear models only, and says so
// instead of solving what is left of others.
func TestNonlinearRefused(t *testing.T) {
	for want, add := range map[string]func(b *mio.Builder){
		"quadratic terms": func(b *mio.Builder) { b.AddQuadCost(0, 0, 1) },
		"indicator rows":  func(b *mio.Builder) { b.AddIndicator(0, 1, true) },
		"SOS sets":        func(b *mio.Builder) { b.AddSOS(2, "", []mio.Col{0, 1}, []float64{1, 2}) },
	} {
		b := mio.NewBuilder("")
		x := b.AddCol(1, 0, 1, mio.Continuous, "x")
		b.AddBinary(1, "p")
		b.Add(b.AddRow(0.5, mio.Inf, "cover"), x, 1)
		add(b)
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		err = solvers.Validate(highs.New(), m, &solvers.Options{})
		if err == nil || !strings.Contains(err.Error(), "solver highs") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name highs and %q", err, want)
		}
		if sol, err := highs.New().Solve(context.Background(), m, solvers.Options{}); err == nil {
			t.Errorf("%s: solved, as %v", want, sol.Status)
		}
	}
}
