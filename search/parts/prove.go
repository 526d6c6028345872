package parts

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
)

// Prove applies the suitable methods until a bound meets the best tree or ctx ends. The order is:
// the data; at depth 1 cells of directions and infeasible subsystems, otherwise subsets of the rows; blocks; then the
// second method again from where it stopped. The last one gets most of the time, because one long
// solve is often what is missing.
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
			return nil, fmt.Errorf("parts: %w", err)
		}
	}
	return s.result(ctx), nil
}

// parts holds the time of the methods: the last one gets all of the remaining time, the one before
// it a sixth, the one before that a quarter, and cells a half.
var parts = [...]int{1, 6, 4, 2}

// way is a method to prove a bound. If its context ends it, the next call continues.
type way func(context.Context) error

// ways returns the methods of Prove, in order.
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
	if s.celled() {
		ways = append(ways, s.cells)
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

// Subsystems proves bounds by infeasible subsystems, at depth 1.
func Subsystems(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if o.Form.Depth != 1 {
		return nil, fmt.Errorf("parts: infeasible subsystems need depth 1, not %d", o.Form.Depth)
	}
	return one(ctx, ds, o, func(s *search) way { return s.subsystems().proveAll })
}

// Cells proves bounds by cells of directions, at depth 1 with up to four features.
func Cells(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) way {
		if !s.celled() {
			return func(context.Context) error { return nil }
		}
		return s.cells
	})
}

// celled reports whether cells are tried.
func (s *search) celled() bool {
	return s.depth == 1 && s.p() > 0 && s.p()-bits.OnesCount(uint(s.twins())) <= mostCellFeatures && !slices.Contains(s.o.Form.Without, hyperplane.Cells)
}

// Rows proves bounds by the optimum on a subset of the rows, to which it adds errors of its trees.
func Rows(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) way { return s.rowGeneration })
}

// Chunks proves bounds by disjoint blocks of the rows.
func Chunks(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) way { return s.chunks })
}

// Data proves the bound that close rows of different classes force on every tree.
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
			return nil, fmt.Errorf("parts: %w", err)
		}
	}
	return s.result(ctx), nil
}
