package fit_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// TestLeastLeafOfEverything: ten rows of weight 0.1 weigh 1 but for rounding, so
// that they make a leaf of at least 1; nine do not.
func TestLeastLeafOfEverything(t *testing.T) {
	x, y := make([]float64, 10), make([]int, 10)
	for i := range x {
		x[i], y[i] = float64(i), i/6
	}
	ds, err := dataset.New(x, y, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	ds.Weight = slices.Repeat([]float64{0.1}, 10)
	s, few := shape(2, 0, 1), problem.Restarted{Restarts: 20} // there is but one tree to find
	for _, m := range []problem.Method{&problem.CART{Shape: s}, &problem.Treesearch{Shape: s}, &problem.LocalSearch{Shape: s, Restarted: few}} {
		name, o := m.Info().Name, fit.Options{Method: m}
		res, err := fit.Run(context.Background(), ds, o)
		if err != nil || !res.Tree.Nodes[0].Leaf() {
			t.Errorf("%s: %v; want the single leaf", name, err)
		}
		if _, err := fit.Run(context.Background(), ds.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}), o); !errors.Is(err, fit.ErrInput) {
			t.Errorf("%s: error %v for rows that weigh 0.9", name, err)
		}
	}
}
