//go:build cgo && !nohighs

package oct

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
)

// TestPricedBruteForce compares the proven optimum of every encoding, with costs of
// answers and with no constraint, one of each kind and two of all pairs of kinds, with all
// trees and all their labellings: value, status and decoded tree.
func TestPricedBruteForce(t *testing.T) {
	solve := formtest.Plain(t)
	rng := rand.New(rand.NewPCG(8, 7))
	solved, infeasible, classes := map[formulate.Encoding]int{}, 0, map[int]int{}
	rounds, encodings := 2, constrainedEncodings()
	if os.Getenv("OCTGEN_LONG") != "" {
		rounds = 40
	}
	for round := range rounds {
		for trial, kinds := range combinations() {
			e := encodings[(trial+round)%len(encodings)]
			o := randomOptions(rng, []formulate.Encoding{e})
			o.Depth = 1 + rng.IntN(2)
			d := costly(rng)
			o.Constraints = constraintsOf(t, rng, d, &o, kinds)
			f, err := o.Build(context.Background(), d)
			if !formtest.Built(t, err) {
				continue
			}
			if none := solvedAsBruteForce(t, solve, f, d, o); none {
				infeasible++
				continue
			}
			solved[e]++
			classes[d.K()]++
		}
	}
	t.Logf("solved %v, classes %v, infeasible %d", solved, classes, infeasible)
	if infeasible < 5 || classes[2] < 20 || classes[3] < 20 {
		t.Errorf("classes %v, %d instances that no tree solves", classes, infeasible)
	}
	for _, e := range encodings {
		if solved[e] < 15 {
			t.Errorf("solved %v, expected at least 15 of each", solved)
		}
	}
}
