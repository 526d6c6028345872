package fit

import (
	"context"
	"errors"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// StartOptions says from which tree a start is made.
type StartOptions struct {
	Name   string        // a method that makes trees; "auto" leaves it to the form
	Tree   *tree.Tree    // used where not nil, called Name
	Seed   uint64        // of the heuristics
	LP     mio.SolveFunc // for auto with fm and lfm; nil for none
	Notify func(Event)   // nil for none
}

// StartPoint returns a feasible point of a model that was built from ds, the
// name of the tree that it stands for, and its objective. Errors wrap ErrInput,
// and formulate.ErrNoStart where the model does not admit the tree.
func StartPoint(ctx context.Context, ds *dataset.Dataset, f formulate.Formulation, spec ModelSpec, o StartOptions) (x []float64, name string, objective float64, err error) {
	r := newModelRun(ds, f, spec, o.Notify)
	r.opts.Start, r.opts.StartTree, r.opts.StartName, r.seed = o.Name, o.Tree, o.Name, o.Seed
	if err := r.validate(); err != nil {
		return nil, "", 0, err
	}
	if o.Tree == nil && o.Name == "auto" {
		if r.opts.StartTree, err = r.splitStart(ctx, f, o.LP); err != nil {
			return nil, "", 0, fmt.Errorf("%w: %w", ErrInput, err)
		}
		r.opts.StartName = "rlp"
	}
	s, err := r.chooseStart(ctx, problemOf(f, spec))
	switch {
	case errors.Is(err, formulate.ErrNoStart) && !errors.Is(err, ErrInput):
		return nil, "", 0, fmt.Errorf("%w: %w", ErrInput, err)
	case err != nil:
		return nil, "", 0, err
	case s == nil:
		return nil, "", 0, fmt.Errorf("%w: %w: %s gives no tree that the model admits", ErrInput, formulate.ErrNoStart, o.Name)
	}
	return s.point, s.name, s.objective, nil
}

// splitStart is the split that FM and LFM start from, as Run has it; nil for the
// other forms, and where there are no linear programs.
func (r *run) splitStart(ctx context.Context, f formulate.Formulation, lp mio.SolveFunc) (*tree.Tree, error) {
	if lp == nil {
		return nil, nil
	}
	switch f := f.(type) {
	case *formulate.FM:
		o := f.Options()
		rlp := formulate.RLPOptions{Perturbed: o.Perturbed}
		if o.Perturbed {
			rlp.Eps = o.Eps
		}
		return leastError(ctx, r, lp, rlp)
	case *formulate.LFM:
		return fewFeatures(ctx, r, lp, f.Options())
	}
	return nil, nil
}
