package decompose

import (
	"context"
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
)

// Prove takes the ways that suit, in turn, until a bound meets the best tree or ctx
// ends: the data; at depth 1 infeasible subsystems, else parts of the rows; then blocks.
// Those that are left share the time that is left.
func Prove(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	s, err := begin(ctx, ds, o)
	if err != nil {
		return nil, err
	}
	type way struct {
		name  string
		suits bool
		run   func(context.Context) error
	}
	ways := []way{
		{hyperplane.Subsystems, s.depth == 1, s.subsystems},
		{hyperplane.Rows, s.depth > 1, s.rowGeneration},
		{hyperplane.Chunks, true, s.chunks},
	}
	s.dataBound(ctx)
	ways = slices.DeleteFunc(ways, func(w way) bool {
		return !w.suits || o.Solve == nil || slices.Contains(o.Form.Without, w.name)
	})
	for k, w := range ways {
		if s.done(ctx) {
			break
		}
		part, cancel := limited(ctx, share(ctx, len(ways)-k))
		err := w.run(part)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("decompose: %s: %w", w.name, err)
		}
	}
	return s.result(ctx), nil
}

// Subsystems proves by infeasible subsystems, at depth 1.
func Subsystems(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if o.Form.Depth != 1 {
		return nil, fmt.Errorf("decompose: infeasible subsystems are for depth 1, not %d", o.Form.Depth)
	}
	return one(ctx, ds, o, (*search).subsystems)
}

// Rows proves by the optimum of some of the rows, to which those are added that its
// trees fail on.
func Rows(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, (*search).rowGeneration)
}

// Chunks proves by disjoint blocks of the rows.
func Chunks(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, (*search).chunks)
}

// Data has the bound that close rows of different classes force on every tree.
func Data(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(*search, context.Context) error { return nil })
}

func one(ctx context.Context, ds *dataset.Dataset, o Options, way func(*search, context.Context) error) (*Result, error) {
	s, err := begin(ctx, ds, o)
	if err != nil {
		return nil, err
	}
	s.dataBound(ctx)
	if o.Solve != nil && !s.done(ctx) {
		if err := way(s, ctx); err != nil {
			return nil, fmt.Errorf("decompose: %w", err)
		}
	}
	return s.result(ctx), nil
}
