package parts

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/mio/verify"
)

// chunks proves by disjoint blocks of rows, all those of one height before any of
// twice the rows: a tree errs at least on the optimum of each. The blocks of a height
// share half of the time that is left. Blocks of fewer rows than a tree of the depth has
// numbers to choose hardly ever have errors.
func (s *search) chunks(ctx context.Context) error {
	if s.p() == 0 || s.total > verify.MaxUnits {
		return nil
	}
	return s.blocks(ctx, s.divide(s.all(), (s.p()+2)<<s.depth))
}

// blocks is chunks for a division of all rows.
func (s *search) blocks(ctx context.Context, root *block) error {
	levels := root.levels()
	for _, level := range levels[:len(levels)-1] { // all rows at once are for the other ways
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

// proveBlock raises the bound of a block as far as its own program goes until the time.
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

// whole proves by the way that suits the depth.
func (s *search) whole(ctx context.Context) error {
	if s.depth == 1 {
		return s.subsystems().proveAll(ctx)
	}
	return s.rowGeneration(ctx)
}

// units is a bound on the objective without prices as one on errors, whole where
// rounding alone keeps it from that.
func (s *search) units(bound float64) float64 {
	u := bound * s.lhat
	if near := math.Round(u); math.Abs(u-near) < 1e-6 {
		return near
	}
	return u
}

// block is a set of rows, near each other, with a lower bound on the errors of every
// tree on them.
type block struct {
	rows     []int32
	children [2]*block // its rows in two; nil for none
	errors   float64   // units
}

// divide halves the rows at the median of the feature in which they are spread the
// most, again and again, while a half has least rows.
func (s *search) divide(rows []int32, least int) *block {
	b := &block{rows: rows}
	if len(rows) < 2*least {
		return b
	}
	widest, spread := -1, 0.0
	for jx := range s.p() {
		if d := s.spread(rows, jx); d > spread {
			widest, spread = jx, d
		}
	}
	if widest < 0 {
		return b
	}
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b int32) int {
		return cmp.Compare(s.row(int(a))[widest], s.row(int(b))[widest])
	})
	half := len(sorted) / 2
	for k := range b.children {
		part := sorted[:half]
		if k == 1 {
			part = sorted[half:]
		}
		part = slices.Clone(part)
		slices.Sort(part)
		b.children[k] = s.divide(part, least)
	}
	return b
}

// spread is the mean distance of a feature's values from their mean.
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

// levels lists the blocks by their height, those without children first.
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

// gather raises the bounds of all blocks to the sums of their parts', and returns that
// of b.
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
