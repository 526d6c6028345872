//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"math"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/treetest"
)

// byDistance is a loss that only this test has: of ordered classes |y-k|, and twice that if
// k is the greater one. It shows what a new loss takes.
func byDistance(ds *dataset.Dataset) dataset.Loss {
	var l dataset.Loss
	for i, y := range ds.Y {
		for k := range ds.K() {
			l.Cost = append(l.Cost, ds.Weight[i]*float64(max(y-k, 2*(k-y))))
		}
	}
	return l
}

// TestNewLoss: the search and a program find the least of all trees for a loss that no
// other package has heard of.
func TestNewLoss(t *testing.T) {
	better := 0
	for seed := range uint64(4) {
		ds, _ := fiveLevels(t, seed)
		ds = ds.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
		ds.Classes = append(ds.Classes, "more")
		for i := range ds.Y {
			ds.Y[i] = (ds.Y[i] + i) % ds.K()
		}
		m := new(problem.OCT)
		m.Depth, m.Alpha = 2, 0.05
		errors, err := fit.Run(context.Background(), ds, fit.Options{Method: m, Engine: problem.Search})
		if err != nil {
			t.Fatal(err)
		}
		ds.Loss = byDistance(ds)
		want := treetest.Optimum(treetest.Least(ds, nil, 2, 0), 3, m.Alpha*ds.Baseline()) / ds.Baseline()
		for _, o := range []fit.Options{{Engine: problem.Search}, {Engine: problem.MIO, Start: "none"}} {
			o.Method = m
			got, err := fit.Run(context.Background(), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != "optimal" || math.Abs(*got.Objective-want) > 1e-9 {
				t.Errorf("seed %d, %s: %s with %v; brute force has %v", seed, o.Engine, got.Status, *got.Objective, want)
			}
		}
		if errors.Tree.Objective(ds, m.Alpha) > want+1e-9 {
			better++
		}
	}
	if better == 0 {
		t.Error("the trees of fewest errors are as good: the test is of nothing")
	}
}
