package fit

import (
	"context"
	"errors"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/tree"
)

// StartOptions says from which tree a start is made.
type StartOptions struct {
	Name   string      // a method that makes trees; "auto" leaves it to the form
	Tree   *tree.Tree  // used where not nil, called Name
	Seed   uint64      // of the heuristics
	Notify func(Event) // nil for none
}

// StartPoint returns a feasible point of a model of p that was built from ds, the name
// of the tree that it stands for, and its objective. Errors wrap ErrInput, and
// formulate.ErrNoStart where the model does not admit the tree.
func StartPoint(ctx context.Context, ds *dataset.Dataset, p method.Problem, m *method.Model, o StartOptions) (x []float64, name string, objective float64, err error) {
	j, err := newJob(ctx, ds, Options{Method: p, Start: o.Name, StartTree: o.Tree, StartName: o.Name, Notify: o.Notify})
	if err != nil {
		return nil, "", 0, err
	}
	s, err := j.seeded(o.Seed).startOf(ctx, p, m, nil)
	switch {
	case errors.Is(err, formulate.ErrNoStart) && !errors.Is(err, ErrInput):
		return nil, "", 0, badInput(err)
	case err != nil:
		return nil, "", 0, err
	case s == nil:
		return nil, "", 0, fmt.Errorf("%w: %w: %s gives no tree that the model admits", ErrInput, formulate.ErrNoStart, o.Name)
	}
	return s.values, s.name, s.objective, nil
}
