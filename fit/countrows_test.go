package fit_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/tree/constraint"
)

// TestCountRows: with the minimum leaf size as a number of rows the search finds the optimum that all trees
// of rows of weight one with errors as costs have, heuristics keep it, and the figures are of the data
// as they were.
func TestCountRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 14).Draw(t, "rows")
		x := make([]float64, 2*n)
		for i := range x {
			x[i] = float64(rapid.IntRange(0, 4).Draw(t, "x"))
		}
		y := make([]int, n)
		for i := range y {
			y[i] = rapid.IntRange(0, 2).Draw(t, "y")
		}
		ds, err := dataset.New(x, y, []string{"a", "b"}, []string{"p", "q", "r"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range ds.Weight {
			ds.Weight[i] = rapid.SampledFrom([]float64{0.25, 1, 3, 40}).Draw(t, "weight")
		}
		least := float64(rapid.IntRange(1, 4).Draw(t, "least"))
		want := treetest.Optimum(treetest.Least(ds.Counted(), nil, 2, least), 3, 0)
		for _, m := range []problem.Method{&problem.OCT{Shape: shape(2, 0, least)}, &problem.CART{Shape: shape(2, 0, least)}} {
			res, err := fit.Run(context.Background(), ds, fit.Options{Method: m, CountRows: true})
			if err != nil {
				t.Fatal(err)
			}
			lost := 0.0
			for i := range y {
				if res.Tree.Predict(ds.Row(i)) != y[i] {
					lost += ds.Weight[i]
				}
			}
			if lost != res.Train.ErrorWeight || res.Status == "optimal" != (res.Method == "oct") || lost < want || res.Status == "optimal" && lost != want {
				t.Errorf("%s: %v: error weight %v, counted %v, want %v", res.Method, res.Status, res.Train.ErrorWeight, lost, want)
			}
			for i := range res.Tree.Nodes {
				rows := 0.0
				for _, c := range res.Tree.Nodes[i].Count {
					rows += c
				}
				if res.Tree.Nodes[i].Leaf() && rows < least {
					t.Errorf("%s: a leaf has %v rows, want %v", res.Method, rows, least)
				}
			}
		}
	})
}

// TestCountRowsRefused: where rows cannot be counted apart from their weights, that is said.
func TestCountRowsRefused(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2, 3}, []int{0, 1, 0}, []string{"a"}, []string{"p", "q"})
	if err != nil {
		t.Fatal(err)
	}
	ds.Weight = []float64{1, 2, 3}
	for name, m := range map[string]problem.Method{
		"hyperplanes": &problem.OCTH{Shape: shape(1, 0, 1)},
		"rates":       &problem.OCT{Shape: shape(1, 0, 1), Rates: constraint.Rates{Recall: []string{"p>=0.5"}}},
		"too many":    &problem.OCT{Shape: shape(1, 0, 4)},
	} {
		if _, err := fit.Run(context.Background(), ds, fit.Options{Method: m, CountRows: true}); !errors.Is(err, fit.ErrInput) {
			t.Errorf("%s: %v, want an error of input", name, err)
		}
	}
	if ds.Weight[2] != 3 || ds.Cost != nil {
		t.Error("the data of the caller changed")
	}
}
