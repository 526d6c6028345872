//go:build cgo && !nohighs

package vertex

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestPerturbedRLPAgainstTheProgram: the descent has the optimum of linear.RLP's program
// with the same eps, to within a millionth.
func TestPerturbedRLPAgainstTheProgram(t *testing.T) {
	ctx := context.Background()
	solver, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(10, 10))
	for round := range 60 {
		ds := gtoData(t, rng, 8+rng.IntN(40), 1+rng.IntN(4), 2)
		if round == 0 {
			ds = datatest.Load(t, "heart-cleveland")
		}
		eps := []float64{0.02, 0.3, 0.9}[round%3]
		f, err := linear.RLPOptions{Perturbed: true, Eps: eps}.Build(ctx, ds)
		if err != nil {
			continue
		}
		sol, err := solver.Solve(ctx, f.Model(), solvers.Options{})
		if err != nil || sol.Status != mio.Optimal {
			t.Fatal(sol, err)
		}
		res, err := RLP(ctx, ds, RLPOptions{Eps: eps, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(res.Objective-sol.Objective) > 1e-5 || math.Abs(f.Objective(res.Tree)-res.Objective) > 1e-6 {
			t.Errorf("round %d, eps %v: %v, its tree %v, the program %v", round, eps, res.Objective, f.Objective(res.Tree), sol.Objective)
		}
	}
}
