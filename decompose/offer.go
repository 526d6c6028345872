package decompose

import (
	"context"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/tree"
)

// offer takes t, and what it becomes by alternating and by the caller.
func (s *search) offer(ctx context.Context, t *tree.Tree) {
	if t == nil {
		return
	}
	if s.alternates() && s.depth > 1 {
		s.takeSettled(ctx, t.Collapse(s.src))
		t, _ = s.alternate(ctx, t, s.bound)
	}
	t = t.Collapse(s.src)
	s.takeSettled(ctx, t)
	if s.o.Improve != nil && ctx.Err() == nil {
		s.take(s.o.Improve(ctx, t))
	}
}

// takeSettled takes t; where it is not admitted as it is, with every split centred
// between all rows on its two sides.
func (s *search) takeSettled(ctx context.Context, t *tree.Tree) {
	if s.o.Admits(t) {
		s.take(t)
		return
	}
	if s.o.Form.Margin == hyperplane.Right || s.o.Value(t) >= s.objective {
		return
	}
	if c, err := s.data.Recentre(ctx, s.lp, t, s.ids); err == nil {
		s.take(c)
	}
}
