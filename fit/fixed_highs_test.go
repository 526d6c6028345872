//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
)

// TestFixedAgrees: below splits that stay the search and the program, which begins with no
// tree, have the same optimum, alone and with other constraints, weights, prices, least
// leaves and few splits; or both that there is none.
func TestFixedAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	compared, infeasible := 0, 0
	for trial := range 60 {
		ds := datatest.Tied(rng, 6, 2)
		m := &problem.OCT{Fixing: problem.Fixing{Fix: "upper.json"}}
		m.Depth = problem.Depth(1 + rng.IntN(2))
		m.Alpha = []float64{0, 0.02, 0.2}[rng.IntN(3)]
		m.MinLeaf = []float64{0, 0, 2}[rng.IntN(3)]
		m.MaxSplits = rng.IntN(4)
		switch rng.IntN(4) {
		case 0:
			m.Recall = []string{ds.Classes[0] + ">=0.7"}
		case 1:
			m.Share = []string{ds.Classes[1] + "<=0.4"}
		case 2:
			m.MaxFeatures = 1
		}
		of := fixing(t, m, ds, upperSplits(rng, ds, int(m.Depth), []int{0, 1, 2}[:ds.P()]))
		search, none := fit.Run(context.Background(), ds, fit.Options{Method: of})
		program, wrong := fit.Run(context.Background(), ds, fit.Options{Method: of, Engine: problem.MIO, Start: "none"})
		if errors.Is(none, fit.ErrInfeasible) && errors.Is(wrong, fit.ErrInfeasible) {
			infeasible++
			continue
		}
		if none != nil || wrong != nil {
			t.Errorf("trial %d: %v, the program %v", trial, none, wrong)
			continue
		}
		compared++
		if search.Engine != "search" || search.Status != "optimal" || program.Status != "optimal" || math.Abs(*search.Objective-*program.Objective) > 1e-7 {
			t.Errorf("trial %d: %s %s with %v; %s %s with %v", trial, search.Engine, search.Status, *search.Objective, program.Engine, program.Status, *program.Objective)
		}
		for _, r := range []*fit.Result{search, program} {
			for _, c := range r.Constraints {
				if !c.Held {
					t.Errorf("trial %d, %s: %s is not held", trial, r.Engine, c.Text)
				}
			}
		}
	}
	t.Logf("%d compared, %d infeasible", compared, infeasible)
	if compared < 30 {
		t.Errorf("only %d compared", compared)
	}
}
