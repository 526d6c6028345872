package cart

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

func TestErrorsAtAgainstSubtrees(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 30, 3, 3)
		path, err := CostComplexity(mustGrow(t, ds, Options{}), tree.Misclassification)
		if err != nil {
			t.Fatal(err)
		}
		fresh := datatest.Random(t, 20, 3, 3)
		if fresh.P() != ds.P() || fresh.K() != ds.K() {
			fresh = ds
		}
		alphas := []float64{0}
		for range rapid.IntRange(0, 4).Draw(t, "alphas") {
			alphas = append(alphas, alphas[len(alphas)-1]+rapid.Float64Range(0, 0.2).Draw(t, "step"))
		}
		for _, s := range path.Steps {
			if s.Alpha >= alphas[len(alphas)-1] {
				alphas = append(alphas, s.Alpha)
			}
		}
		alphas = append(alphas, math.Inf(1))
		rows := make([]int, fresh.N())
		for i := range rows {
			rows[i] = i
		}
		for i, got := range path.errorsAt(alphas, fresh, rows) {
			if want := path.Subtree(alphas[i]).Evaluate(fresh).ErrorWeight; math.Abs(got-want) > 1e-9 {
				t.Fatalf("alpha %v: error weight %v, its subtree has %v", alphas[i], got, want)
			}
		}
	})
}

// TestCrossValidation recomputes the estimates from the definition.
func TestCrossValidation(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 24, 3, 3)
		if ds.N() < 4 {
			return
		}
		o := Options{Folds: rapid.IntRange(2, 4).Draw(t, "folds"), PruneSE: rapid.SampledFrom([]float64{0, 1}).Draw(t, "se"), Seed: rapid.Uint64().Draw(t, "seed")}
		res, err := Grow(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		path, err := CostComplexity(mustGrow(t, ds, Options{}), tree.Misclassification)
		if err != nil {
			t.Fatal(err)
		}
		folds, err := ds.Folds(o.Folds, o.Seed)
		if err != nil {
			t.Fatal(err)
		}
		total := sumOf(ds.Weight)
		least := math.Inf(1)
		for i, e := range res.Estimates {
			risk := 0.0
			for _, fold := range folds {
				train := ds.Subset(ds.Complement(fold))
				p, err := CostComplexity(mustGrow(t, train, Options{}), tree.Misclassification)
				if err != nil {
					t.Fatal(err)
				}
				risk += p.Subtree(e.Beta).Evaluate(ds.Subset(fold)).ErrorWeight / total
			}
			if math.Abs(risk-e.CVRisk) > 1e-9 || e.Step != path.Steps[i] {
				t.Fatalf("step %d: %+v, want risk %v of %+v", i, e, risk, path.Steps[i])
			}
			least = min(least, risk)
		}
		chosen := false
		for i, e := range res.Estimates {
			if e.Splits == res.Tree.Splits() {
				chosen = true
				if o.PruneSE == 0 && e.CVRisk > least+1e-9 {
					t.Fatalf("risk %v was chosen, the minimum is %v", e.CVRisk, least)
				}
				for _, smaller := range res.Estimates[i+1:] {
					if smaller.CVRisk <= least+1e-13 {
						t.Fatalf("%d splits were chosen, %d have the minimum risk", e.Splits, smaller.Splits)
					}
				}
			}
		}
		if !chosen || len(res.Estimates) != len(path.Steps) {
			t.Fatalf("%d splits, of the estimates %+v", res.Tree.Splits(), res.Estimates)
		}
	})
}

func TestCrossValidationPrunes(t *testing.T) {
	ds := datatest.Load(t, "pima")
	full := mustGrow(t, ds, Options{})
	least := mustGrow(t, ds, Options{Folds: 10, Seed: 1})
	one := mustGrow(t, ds, Options{Folds: 10, Seed: 1, PruneSE: 1})
	if !(one.Splits() <= least.Splits() && least.Splits() < full.Splits()/2 && one.Splits() > 0) {
		t.Errorf("splits: %d in full, %d of least risk, %d by the 1-SE rule", full.Splits(), least.Splits(), one.Splits())
	}
}

func TestCrossValidationOptions(t *testing.T) {
	ds := &dataset.Dataset{
		X: []float64{1, 2}, Y: []int{0, 1}, Weight: []float64{1, 1}, Count: []float64{1, 1},
		Features: []string{"x"}, Classes: []string{"a", "b"},
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Folds: 1}, "cart: 1 folds"},
		{Options{Folds: -1}, "cart: -1 folds"},
		{Options{Folds: 3}, "cart: 3 folds of 2 rows"},
		{Options{Folds: 2, Complexity: 1}, "cart: complexity and cross-validation"},
		{Options{Folds: 2, PruneSE: math.NaN()}, "cart: number of standard errors NaN"},
	} {
		if _, err := Grow(context.Background(), ds, c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s...", c.o, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := Grow(ctx, ds, Options{Folds: 2})
	if err != nil || !res.Stats.Stopped || res.Estimates != nil {
		t.Errorf("cancelled: %+v, %v", res, err)
	}
}
