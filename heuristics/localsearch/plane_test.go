package localsearch

import (
	"context"
	"testing"

	octh "github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/datatest"
)

// TestHyperplanesRealData: a small search finds hyperplane trees that OCT-H
// admits and that beat the best univariate ones, by their own objectives.
func TestHyperplanesRealData(t *testing.T) {
	const alpha = 0.001
	for _, name := range []string{"iris", "wine", "seeds", "breast-cancer-wisconsin"} {
		ds := datatest.Load(t, name)
		find := func(hyperplanes bool) *Result {
			res, err := Search(context.Background(), ds, Options{Depth: 2, Alpha: alpha, MinLeaf: 1, Work: 1e8, Hyperplanes: hyperplanes})
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		planes, univariate := find(true), find(false)
		if planes.Stats.Objective >= univariate.Stats.Objective {
			t.Errorf("%s: objective %v, univariate %v", name, planes.Stats.Objective, univariate.Stats.Objective)
		}
		f, err := octh.Options{Depth: 2, Alpha: alpha, MinLeaf: 1}.Build(context.Background(), ds)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Start(context.Background(), planes.Tree); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if m := f.LeastMargin(planes.Tree); m < octh.DefaultMu {
			t.Errorf("%s: margin %v", name, m)
		}
		if e := planes.Tree.Evaluate(ds).Errors; name == "iris" && e > 2 {
			t.Errorf("iris: %v errors", e)
		}
	}
}
