package fit

import (
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
)

// TestClaimed: what is claimed of all trees is what is proved.
func TestClaimed(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2, 3}, []int{0, 1, 0}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	weighted, heavy := *ds, *ds
	weighted.Weight = []float64{1, 2, 1}
	heavy.Weight = []float64{2, 2, 2}
	shape := func(alpha, leaf float64, splits int) problem.Shape {
		return problem.Shape{Levels: problem.Levels{Depth: 2}, Price: problem.Price{Alpha: alpha, MaxSplits: splits}, Leaves: problem.Leaves{MinLeaf: leaf}}
	}
	plain := &problem.OCT{Shape: shape(0, 1, 0)}
	unlimited := shape(0.1, 1, 0)
	unlimited.Depth = problem.NoDepth
	half := 0.5
	for name, c := range map[string]struct {
		change func(*Result)
		ds     *dataset.Dataset
		m      problem.Method
		want   string
	}{
		"proved":     {nil, ds, plain, "no tree of depth 2 has fewer errors"},
		"by search":  {nil, ds, &problem.Treesearch{Shape: shape(0, 1, 0)}, "no tree of depth 2 has fewer errors"},
		"one weight": {nil, &heavy, plain, "no tree of depth 2 has fewer errors"},
		"limits":     {nil, ds, &problem.OCT{Shape: shape(0, 5, 3)}, "no tree of depth 2 with leaves of 5 rows or more and at most 3 splits has fewer errors"},
		"leaves":     {nil, &heavy, &problem.OCT{Shape: shape(0, 5, 0)}, "no tree of depth 2 with leaves of weight 5 or more has fewer errors"},
		"price":      {nil, ds, &problem.OCT{Shape: shape(0.1, 1, 0)}, "no tree of depth 2 has a lower objective"},
		"any depth":  {nil, ds, &problem.OCT{Shape: unlimited}, "no tree has a lower objective"},
		"weights":    {nil, &weighted, plain, "no tree of depth 2 has less error weight"},
		"rule":       {func(r *Result) { r.Constraints = []Constraint{{Limit: &half}} }, ds, plain, "no tree of depth 2 that holds the constraints has fewer errors"},
		"feasible":   {func(r *Result) { r.Status = "feasible" }, ds, plain, ""},
		"gap":        {func(r *Result) { r.Bound = Known(0.2) }, ds, plain, ""},
		"no bound":   {func(r *Result) { r.Bound = nil }, ds, plain, ""},
		"scope":      {func(r *Result) { r.Formulation = &Formulation{Scope: "some"} }, ds, plain, ""},
		"planes":     {nil, ds, &problem.OCTH{}, ""},
	} {
		j := &job{data: &problem.Data{Dataset: c.ds}, given: c.ds, p: &problem.Problem{Method: c.m}}
		res := &Result{Status: "optimal", Objective: Known(0.5), Bound: Known(0.5), Train: &Scores{Errors: 22}}
		if c.change != nil {
			c.change(res)
		}
		if got := j.claimed(res); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
