package constraint_test

import (
	"context"
	"errors"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/tree/constraint"
)

// TestNewKind: a kind of constraint that is registered is held by the search, and reported;
// nothing else has to know of it.
func TestNewKind(t *testing.T) {
	d, err := dataset.New([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		least  float64
		errors float64 // -1: no tree holds it
	}{{0, 1}, {0.2, 1}, {0.3, 2}, {0.5, 4}, {0.6, -1}} {
		constraint.Toy = c.least
		m := &problem.OCT{}
		m.Depth = 1
		res, err := fit.Run(context.Background(), d, fit.Options{Method: m, Engine: problem.Search})
		constraint.Toy = 0
		switch {
		case c.errors < 0:
			if !errors.Is(err, fit.ErrInput) {
				t.Errorf("%v: %v", c.least, err)
			}
		case err != nil:
			t.Errorf("%v: %v", c.least, err)
		case res.Status != "optimal" || res.Train.Errors != c.errors:
			t.Errorf("%v: %s, %v errors, want %v", c.least, res.Status, res.Train.Errors, c.errors)
		case c.least > 0 && (len(res.Constraints) != 1 || !res.Constraints[0].Held):
			t.Errorf("%v: reported as %+v", c.least, res.Constraints)
		}
	}
}
