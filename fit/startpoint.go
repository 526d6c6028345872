package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/solvers"
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
func StartPoint(ctx context.Context, ds *dataset.Dataset, p problem.Problem, m *problem.Model, o StartOptions) (x []float64, name string, objective float64, err error) {
	j, err := newJob(ctx, ds, Options{Method: p, Start: o.Name, StartTree: o.Tree, StartName: o.Name, Notify: o.Notify})
	if err != nil {
		return nil, "", 0, err
	}
	s, err := j.seeded(o.Seed).startOf(ctx, p, m, nil)
	return s.placed(o.Name, err)
}

// NativePoint is StartPoint of the best of the heuristics that suit p and need no solver,
// of the trees in also and, where it is a tree of the problem, of the single leaf. It is
// the same on every machine.
func NativePoint(ctx context.Context, ds *dataset.Dataset, p problem.Problem, m *problem.Model, seed uint64, also ...*problem.Grown) (x []float64, name string, objective float64, err error) {
	j, err := newJob(ctx, ds, Options{Method: p, Solve: solvers.Options{Threads: 1}})
	if err != nil {
		return nil, "", 0, err
	}
	j = j.seeded(seed)
	suitable, err := j.suitable(p)
	if err != nil {
		return nil, "", 0, err
	}
	suitable = slices.DeleteFunc(suitable, func(a problem.Algorithm) bool { return a.Info().Has("lp") })
	from, err := j.growThese(ctx, p, suitable, 1)
	if err != nil {
		return nil, "", 0, err
	}
	from.trees = append(from.trees, also...)
	if m.LeafTree && j.constrained.on == nil { // else those that hold them are there
		from.trees = append(from.trees, &problem.Grown{Name: "the single leaf", Tree: majorityLeaf(ds)})
	}
	s, err := j.bestPoint(ctx, m, from)
	return s.placed("auto", err)
}

// CheckOptions says what is wrong with a fit before it begins: options that no data make right,
// or that do not go with these. Errors wrap ErrInput.
func CheckOptions(ctx context.Context, ds *dataset.Dataset, o Options) error {
	_, err := newJob(ctx, ds, o)
	return err
}

// placed are the values, the name and the objective of a point, nil for none, of the start
// that was asked for.
func (s *point) placed(asked string, err error) ([]float64, string, float64, error) {
	switch {
	case errors.Is(err, formulate.ErrNoStart) && !errors.Is(err, ErrInput):
		return nil, "", 0, badInput(err)
	case err != nil:
		return nil, "", 0, err
	case s == nil:
		return nil, "", 0, fmt.Errorf("%w: %w: %s gives no tree that the model admits", ErrInput, formulate.ErrNoStart, asked)
	}
	return s.values, s.name, s.objective, nil
}
