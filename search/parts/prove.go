package parts

import (
	"context"
	"fmt"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
)

// Prove takes the ways that suit until a bound meets the best tree or ctx ends: the
// data; at depth 1 infeasible subsystems, else parts of the rows; then blocks; then the
// former again from where it was, with most of the time, since one long program is often
// what is missing.
func Prove(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	s, err := begin(ctx, ds, o)
	if err != nil {
		return nil, err
	}
	s.dataBound(ctx)
	ways := s.ways()
	for k, way := range ways {
		if s.done(ctx) {
			break
		}
		part, cancel := limited(ctx, share(ctx, parts[len(ways)-1-k]))
		err := way(part)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("decompose: %w", err)
		}
	}
	return s.result(ctx), nil
}

// parts: the last way has all of the time that is left, the one before it a sixth, the
// one before that a quarter.
var parts = [...]int{1, 6, 4}

// way is a way to a bound. One that was ended by its context goes on where it was.
type way func(context.Context) error

// ways are those that Prove takes, in turn.
func (s *search) ways() (ways []way) {
	if s.o.Solve == nil {
		return nil
	}
	with := func(name string) bool { return !slices.Contains(s.o.Form.Without, name) }
	whole := way(s.rowGeneration)
	name := hyperplane.Rows
	if s.depth == 1 {
		whole, name = s.subsystems().proveAll, hyperplane.Subsystems
	}
	if with(name) {
		ways = append(ways, whole)
	}
	if with(hyperplane.Chunks) {
		ways = append(ways, s.chunks)
		if with(name) {
			ways = append(ways, whole)
		}
	}
	return ways
}

// Subsystems proves by infeasible subsystems, at depth 1.
func Subsystems(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if o.Form.Depth != 1 {
		return nil, fmt.Errorf("decompose: infeasible subsystems are for depth 1, not %d", o.Form.Depth)
	}
	return one(ctx, ds, o, func(s *search) way { return s.subsystems().proveAll })
}

// Rows proves by the optimum of some of the rows, to which those are added that its
// trees fail on.
func Rows(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) way { return s.rowGeneration })
}

// Chunks proves by disjoint blocks of the rows.
func Chunks(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) way { return s.chunks })
}

// Data has the bound that close rows of different classes force on every tree.
func Data(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(*search) way { return func(context.Context) error { return nil } })
}

func one(ctx context.Context, ds *dataset.Dataset, o Options, w func(*search) way) (*Result, error) {
	s, err := begin(ctx, ds, o)
	if err != nil {
		return nil, err
	}
	s.dataBound(ctx)
	if o.Solve != nil && !s.done(ctx) {
		if err := w(s)(ctx); err != nil {
			return nil, fmt.Errorf("decompose: %w", err)
		}
	}
	return s.result(ctx), nil
}
