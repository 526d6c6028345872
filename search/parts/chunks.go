package parts

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/octgen/octgen/mio/verify"
)

// chunks proves bounds by disjoint blocks of rows, height by height; the blocks of a height have
// twice the rows of the one before. The errors of a tree are at least the sum of the blocks' optima.
// The blocks of a height share half of the remaining time. Blocks with fewer rows than a tree of the
// depth has parameters rarely have errors.
func (s *search) chunks(ctx context.Context) error { return s.chunked(ctx, s.along) }

// dealtChunks is chunks with blocks that are alike: each has rows from everywhere.
func (s *search) dealtChunks(ctx context.Context) error { return s.chunked(ctx, s.dealt) }

func (s *search) chunked(ctx context.Context, order func([]int32) []int32) error {
	if s.p() == 0 || s.total > verify.MaxUnits {
		return nil
	}
	return s.blocks(ctx, s.divide(s.all(), (s.p()+2)<<s.depth, order))
}

// blocks is chunks for a given division of all rows.
func (s *search) blocks(ctx context.Context, root *block) error {
	levels := root.levels()
	for _, level := range levels[:len(levels)-1] { // the other methods treat all rows at once
		end := share(ctx, 2)
		for k, b := range level {
			if s.done(ctx) {
				return nil
			}
			if err := s.proveBlock(ctx, until(end, len(level)-k), b); err != nil {
				return err
			}
			s.rows = len(level)
			s.proveErrors(verify.ByChunks, root.gather())
		}
	}
	return nil
}

// proveBlock raises the bound of a block as far as its own model allows until the time end.
func (s *search) proveBlock(ctx context.Context, end time.Time, b *block) error {
	ctx, cancel := limited(ctx, end)
	defer cancel()
	sub := s.block(b.rows)
	sub.proveErrors(verify.ByChunks, b.gather())
	sub.dataBound(ctx)
	if !sub.done(ctx) {
		if err := sub.whole(ctx); err != nil {
			return err
		}
	}
	s.rounds += sub.rounds
	b.errors = max(b.errors, s.units(sub.bound))
	return nil
}

// whole applies the method that suits the depth.
func (s *search) whole(ctx context.Context) error {
	if s.depth == 1 {
		return s.subsystems().proveAll(ctx)
	}
	if s.placed() {
		return s.places().placeAll(ctx)
	}
	return s.rowGeneration(ctx)
}

// block is a set of nearby rows with a lower bound on the errors of every tree on them.
type block struct {
	rows     []int32
	children [2]*block // its rows in two halves; nil for none
	errors   float64   // lower bound in units
}

// divide halves the rows in an order, recursively, while each half has at least least rows.
func (s *search) divide(rows []int32, least int, order func([]int32) []int32) *block {
	b := &block{rows: rows}
	if len(rows) < 2*least {
		return b
	}
	sorted := order(rows)
	half := len(sorted) / 2
	for k, part := range [][]int32{sorted[:half], sorted[half:]} {
		part = slices.Clone(part)
		slices.Sort(part)
		b.children[k] = s.divide(part, least, order)
	}
	return b
}

// along orders rows by the feature with the largest spread.
func (s *search) along(rows []int32) []int32 {
	widest, spread := 0, 0.0
	for jx := range s.p() {
		if d := s.spread(rows, jx); d > spread {
			widest, spread = jx, d
		}
	}
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b int32) int {
		return cmp.Compare(s.row(int(a))[widest], s.row(int(b))[widest])
	})
	return sorted
}

// dealt has every second row of each class along that feature, then the others.
func (s *search) dealt(rows []int32) []int32 {
	sorted := s.along(rows)
	slices.SortStableFunc(sorted, func(a, b int32) int { return s.class(int(a)) - s.class(int(b)) })
	dealt := make([]int32, 0, len(rows))
	for first := range 2 {
		for k := first; k < len(sorted); k += 2 {
			dealt = append(dealt, sorted[k])
		}
	}
	return dealt
}

// spread returns the mean absolute deviation of a feature from its mean.
func (s *search) spread(rows []int32, jx int) float64 {
	mean, d := 0.0, 0.0
	for _, i := range rows {
		mean += s.row(int(i))[jx]
	}
	mean /= float64(len(rows))
	for _, i := range rows {
		d += max(s.row(int(i))[jx]-mean, mean-s.row(int(i))[jx])
	}
	return d / float64(len(rows))
}

// levels lists the blocks by height, those without children first.
func (b *block) levels() (all [][]*block) {
	var walk func(b *block) int
	walk = func(b *block) int {
		height := 0
		for _, c := range b.children {
			if c != nil {
				height = max(height, walk(c)+1)
			}
		}
		if height == len(all) {
			all = append(all, nil)
		}
		all[height] = append(all[height], b)
		return height
	}
	walk(b)
	return all
}

// gather raises the bound of each block to the sum of its children's, and returns the bound of b.
func (b *block) gather() float64 {
	sum := 0.0
	for _, c := range b.children {
		if c != nil {
			sum += c.gather()
		}
	}
	b.errors = max(b.errors, sum)
	return b.errors
}
