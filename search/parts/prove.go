package parts

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/mio/verify"
)

// Prove applies the suitable methods until a bound meets the best tree or ctx ends: the data, then those of ways, in order.
func Prove(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	s, err := begin(ctx, ds, o)
	if err != nil {
		return nil, err
	}
	s.dataBound(ctx)
	for _, w := range s.ways() {
		if s.done(ctx) {
			break
		}
		part, cancel := limited(ctx, share(ctx, w.parts))
		err := w.prove(part)
		cancel()
		if err != nil {
			return nil, fmt.Errorf("parts: %w", err)
		}
	}
	return s.result(ctx), nil
}

// way is a method to prove a bound. If its context ends it, the next call continues.
type way struct {
	parts int // one of these of the remaining time is what it gets
	prove func(context.Context) error
}

// ways returns the methods of Prove, in order. The last one gets most of the time, because one long solve is often what is missing.
func (s *search) ways() (ways []way) {
	if s.o.Solve == nil {
		return nil
	}
	add := func(is bool, parts int, prove func(context.Context) error) {
		if is {
			ways = append(ways, way{parts, prove})
		}
	}
	with := func(name string) bool { return !slices.Contains(s.o.Form.Without, name) }
	chunks := with(hyperplane.Chunks)
	add(s.apartable(), 4, s.classesApart)
	if s.depth == 1 {
		subsystems := s.subsystems().proveAll
		add(s.celled(), 2, s.cells)
		add(s.placed(), 4, s.places().placeAll)
		add(with(hyperplane.Subsystems), 4, subsystems)
		add(chunks, 6, s.chunks)
		add(with(hyperplane.Subsystems), 1, subsystems)
		return ways
	}
	places := s.places().placeAll
	more := func(ctx context.Context) error {
		if s.by != verify.ByClauses {
			return nil // they proved nothing, or less than blocks
		}
		return places(ctx)
	}
	add(s.placed(), 20, places)
	rows := with(hyperplane.Rows)
	add(rows, 6, s.rowGeneration) // it finds trees, whatever clauses prove
	add(s.placed(), 2, more)
	add(chunks, 6, s.chunks)
	add(rows && s.placed(), 2, s.rowGeneration)
	add(s.placed(), 1, more)
	add(rows, 1, s.rowGeneration)
	add(s.placed(), 1, places)
	return ways
}

// Subsystems proves bounds by infeasible subsystems, at depth 1.
func Subsystems(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if o.Form.Depth != 1 {
		return nil, fmt.Errorf("parts: infeasible subsystems need depth 1, not %d", o.Form.Depth)
	}
	return one(ctx, ds, o, func(s *search) func(context.Context) error { return s.subsystems().proveAll })
}

// Cells proves bounds by cells of directions, at depth 1 with up to four features.
func Cells(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) func(context.Context) error {
		if !s.celled() {
			return func(context.Context) error { return nil }
		}
		return s.cells
	})
}

// Placed proves bounds by clauses on where rows are.
func Placed(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) func(context.Context) error {
		if !s.placed() {
			return func(context.Context) error { return nil }
		}
		return s.places().placeAll
	})
}

// celled reports whether cells are tried.
func (s *search) celled() bool {
	return s.depth == 1 && s.p() > 0 && s.p()-bits.OnesCount(uint(s.twins())) <= mostCellFeatures && !slices.Contains(s.o.Form.Without, hyperplane.Cells)
}

// Rows proves bounds by the optimum on a subset of the rows, to which it adds errors of its trees.
func Rows(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) func(context.Context) error { return s.rowGeneration })
}

// Chunks proves bounds by disjoint blocks of the rows.
func Chunks(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(s *search) func(context.Context) error { return s.chunks })
}

// Data proves the bound that close rows of different classes force on every tree.
func Data(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	return one(ctx, ds, o, func(*search) func(context.Context) error { return func(context.Context) error { return nil } })
}

func one(ctx context.Context, ds *dataset.Dataset, o Options, w func(*search) func(context.Context) error) (*Result, error) {
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
