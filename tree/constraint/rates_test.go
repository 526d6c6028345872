package constraint_test

import (
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// TestPrecisionTolerance: the row of a precision holds what the check holds, a precision of
// up to 1e-9 below the limit, with and without a lattice, whatever the other rows weigh.
func TestPrecisionTolerance(t *testing.T) {
	for _, c := range []struct {
		right, wrong, rest float64 // weights of the rows that are predicted yes, and of others
		limit              string
		held               bool
	}{
		{1, 1e-12, 1, "1", true},
		{1, 1e-8, 1, "1", false},
		{1, 1e-5, 1, "0.9999900002", true}, // the precision is 0.9999900001
		{1, 1e-5, 1, "0.99999001", false},
		{1e10, 1, 1, "1", true},
		{1e10, 1, 1, "0.999999999999", true},
		{1e8, 1, 1, "1", false},
		{1e10, 100, 1, "1", false},
		{3, 1, 1e12, "0.75", true},
		{3, 1, 1e12, "0.76", false},
		{3e-6, 1e-6, 1e6, "0.75", true},
		{3e-6, 1e-6, 1e6, "0.76", false},
	} {
		d, err := dataset.New([]float64{0, 0, 1}, []int{1, 0, 0}, []string{"a"}, []string{"no", "yes"})
		if err != nil {
			t.Fatal(err)
		}
		copy(d.Weight, []float64{c.right, c.wrong, c.rest})
		s, err := constraint.Parse(constraint.Options{Rates: constraint.Rates{Precision: []string{"yes>=" + c.limit}}})
		if err != nil {
			t.Fatal(err)
		}
		on, err := s.On(d)
		if err != nil {
			t.Fatal(err)
		}
		split := tree.NewLeaf(d, 1)
		split.Grow(0, tree.Univariate(0, 0.5), 1, 0)
		split.Annotate(d)
		r := on.Rows[0]
		if got := on.Broken(split) == nil; got != c.held {
			t.Errorf("%+v: the check says %v", c, got)
		}
		if sum := r.Sum([]int{1, 1, 0}); (sum <= r.H+r.Slack) != c.held {
			t.Errorf("%+v: the row has %v, at most %v", c, sum, r.H+r.Slack)
		}
	}
}
