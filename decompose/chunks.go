package decompose

import (
	"context"
	"math"
	"time"

	"github.com/octgen/octgen/verify"
)

func (s *search) chunks(ctx context.Context) error {
	if s.p() == 0 || s.total > verify.MaxUnits {
		return nil
	}
	return s.blocks(ctx, s.divide(s.all(), (s.p()+2)<<s.depth))
}

func (s *search) blocks(ctx context.Context, root *block) error {
	for _, level := range root.levels() {
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

func (s *search) whole(ctx context.Context) error {
	if s.depth == 1 {
		return s.subsystems(ctx)
	}
	return s.rowGeneration(ctx)
}

func (s *search) units(bound float64) float64 {
	u := bound * s.lhat
	if near := math.Round(u); math.Abs(u-near) < 1e-6 {
		return near
	}
	return u
}
