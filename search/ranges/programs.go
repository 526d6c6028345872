package ranges

import (
	"context"
	"fmt"

	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/parts"
)

// A solve may end within gapAsked of a step: no value is in between. What it claims is
// held to gapTaken.
const (
	gapAsked = 0.9
	gapTaken = 0.95
)

// ofPrograms is best of trees of two levels that split, by a program for each range of the
// root's thresholds.
func (s *search) ofPrograms(ctx context.Context, rows []int32, _ int, cut float64) (b *found, err error) {
	for _, r := range s.d.Ranges(rows, s.Between) {
		t, err := s.program(ctx, rows, r, cut)
		if err != nil {
			return b, err
		}
		if t == nil {
			continue
		}
		b, cut = t, s.below(t.value)
		s.tell(t, 2)
		if cut < s.d.Price() {
			break
		}
	}
	return b, nil
}

// program is best of the trees of two levels whose root splits in a range.
func (s *search) program(ctx context.Context, rows []int32, r oct.Range, cut float64) (*found, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := s.d.Program(ctx, rows, r, cut)
	if err != nil {
		return nil, err
	}
	sol, err := s.Solve(ctx, p.Model(), parts.Limits{AbsGap: gapAsked * s.step})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnproved, err)
	}
	s.programs++
	s.nodes += sol.Nodes
	switch {
	case sol.Status == mio.Infeasible:
		return nil, s.confirm(p, cut+s.step/2)
	case !sol.Status.HasSolution():
		return nil, errUnproved
	}
	t, value, err := p.Decode(sol.Values)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnproved, err)
	}
	if value > cut || value-sol.Bound > gapTaken*s.step {
		return nil, fmt.Errorf("%w: a tree of %v and the bound %v", errUnproved, value, sol.Bound)
	}
	return &found{t, value}, s.confirm(p, value)
}

// confirm holds what a solver proved, that no tree of a program has a value below this,
// against all of them: a proof is the solver's, but not in spite of a better tree.
func (s *search) confirm(p *oct.Ranged, value float64) error {
	if least := p.Least(); least < value-s.step/4 {
		if s.Warn != nil {
			s.Warn(fmt.Sprintf("the solver's answer to a program of a range is wrong: no tree below %v, it says, but there is one of %v; the whole program is to tell", value, least))
		}
		return errUnproved
	}
	return nil
}

// tell says that a tree is better than what was known, where it is one of the whole depth.
func (s *search) tell(t *found, depth int) {
	if s.Progress != nil && depth == s.Form.Depth {
		s.Progress(parts.Event{Objective: s.Value(t.tree), Tree: t.tree, Round: s.programs})
	}
}
