package parts

import (
	"context"
	"math"
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
