package parts

import (
	"context"
	"fmt"
	"math/bits"

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

type ways []way

func (w *ways) add(is bool, parts int, prove func(context.Context) error) {
	if is {
		*w = append(*w, way{parts, prove})
	}
}

// near is the gap, in units of weight, that clauses may close.
const near = 12

// ways returns the methods of Prove, in order. The last one gets most of the time, because one long solve is often what is missing.
func (s *search) ways() []way {
	if s.o.Solve == nil {
		return nil
	}
	var ways ways
	ways.add(s.apartable(), 4, s.classesApart)
	if s.depth == 1 {
		return s.waysOfOne(ways)
	}
	return s.waysOfMore(ways)
}

// soon applies a method if it may close the gap.
func (s *search) soon(prove func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if s.units(s.reach-s.bound) > near {
			return nil
		}
		return prove(ctx)
	}
}

// waysOfOne adds those of depth 1.
func (s *search) waysOfOne(w ways) ways {
	subsystems, places := s.subsystems().proveAll, s.places().placeAll
	w.add(s.celled(), 2, s.cells)
	w.add(s.placed(), 20, places)
	w.add(s.placed(), 5, s.soon(places))
	w.add(s.with(hyperplane.Subsystems), 4, subsystems)
	w.add(s.with(hyperplane.Chunks), 6, s.chunks)
	w.add(s.with(hyperplane.Subsystems), 1, subsystems)
	return w
}

// waysOfMore adds those of greater depth. Rows find trees, whatever the others prove.
func (s *search) waysOfMore(w ways) ways {
	rows, chunks, placed := s.with(hyperplane.Rows), s.with(hyperplane.Chunks), s.placed()
	places := s.places().placeAll
	if !placed {
		w.add(rows, 6, s.rowGeneration)
		w.add(chunks, 6, s.chunks)
		w.add(rows, 1, s.rowGeneration)
		return w
	}
	soon := s.soon(places)
	more := func(ctx context.Context) error {
		if s.by != verify.ByClauses { // they proved nothing, or less than blocks
			return soon(ctx)
		}
		return places(ctx)
	}
	w.add(true, 20, places)
	w.add(rows, 6, s.rowGeneration)
	w.add(true, 2, soon)
	w.add(chunks, 3, s.chunks)
	w.add(chunks, 4, s.dealtChunks)
	w.add(true, 2, more)
	w.add(rows, 2, s.rowGeneration)
	w.add(true, 1, more)
	w.add(rows, 1, s.rowGeneration)
	w.add(true, 1, places)
	return w
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
	return s.depth == 1 && s.p() > 0 && s.p()-bits.OnesCount(uint(s.twins())) <= mostCellFeatures && s.with(hyperplane.Cells)
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
