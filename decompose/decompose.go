package decompose

import (
	"context"
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
)

func Prove(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	s, err := begin(ctx, ds, o)
	if err != nil {
		return nil, err
	}
	ways := []struct {
		name  string
		suits bool
		run   func(context.Context) error
	}{
		{hyperplane.Subsystems, s.depth == 1, s.subsystems},
		{hyperplane.Rows, s.depth > 1, s.rowGeneration},
		{hyperplane.Chunks, true, s.chunks},
	}
	s.dataBound(ctx)
	for _, w := range ways {
		if !w.suits || o.Solve == nil || slices.Contains(o.Form.Without, w.name) || s.done(ctx) {
			continue
		}
		if err := w.run(ctx); err != nil {
			return nil, fmt.Errorf("decompose: %s: %w", w.name, err)
		}
	}
	return s.result(ctx), nil
}

func Subsystems(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if o.Form.Depth != 1 {
		return nil, fmt.Errorf("decompose: infeasible subsystems are for depth 1, not %d", o.Form.Depth)
	}
	return one(ctx, ds, o, (*search).subsystems)
}

func Rows(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, (*search).rowGeneration)
}

func Chunks(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, (*search).chunks)
}

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
