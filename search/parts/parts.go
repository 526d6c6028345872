package parts

import (
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

// within returns a subsystem of rows that pt keeps, nil where they can be parted:
// first at random costs, which may take rows given up, then at none but theirs.
func (s *search) within(h *hitting, pt *point, use []bool) *subsystem {
	cost := make([]float64, len(pt.given))
	for q, y := range pt.given {
		cost[q] = 100*y + s.rng.ExpFloat64()
	}
	for range 2 {
		sub := h.p.find(cost, use)
		if sub == nil {
			return nil
		}
		kept := true
		for _, q := range sub.rows {
			kept = kept && pt.given[q] < 0.5
		}
		if kept && (h.priced || len(sub.but) == 0) {
			return sub
		}
		copy(cost, pt.given)
	}
	return nil
}

// lightest is the row of a subsystem to give up: a light one that is in many others.
func (s *search) lightest(h *hitting, sub *subsystem) int32 {
	best, least := sub.rows[0], math.Inf(1)
	for _, q := range sub.rows {
		score := s.weight(int(h.p.rows[q])) / float64(1+h.often(q)) * (1 + 0.5*s.rng.Float64())
		if score < least {
			best, least = q, score
		}
	}
	return best
}

// often is the number of subsystems found that have a row.
func (h *hitting) often(q int32) (n int) {
	for _, sub := range h.subs {
		if _, is := slices.BinarySearch(sub.rows, q); is {
			n++
		}
	}
	return n
}

// widest is the widest plane between the rows that pt keeps, as a split; nil where they
// are all of one side.
func (s *search) widest(ctx context.Context, p *parting, pt *point, use []bool) (*tree.Split, error) {
	var kept []int32
	var sides [2][]int32
	for q, y := range pt.given {
		if y < 0.5 {
			kept = append(kept, int32(q))
			d := side(p.signs[q])
			sides[d] = append(sides[d], p.rows[q])
		}
	}
	if len(sides[0]) == 0 || len(sides[1]) == 0 {
		return nil, nil
	}
	a, _, err := p.plane(ctx, kept, use)
	if err != nil || a == nil {
		return nil, err
	}
	return s.cut(a, sides[0], sides[1]), nil
}

// partMost gives up rows until the others can be parted; nil where ctx ended before.
func (s *search) partMost(ctx context.Context, p *parting) *point {
	h := &hitting{p: p, seen: map[string]bool{}}
	pt := &point{given: make([]float64, len(p.rows))}
	for ctx.Err() == nil {
		sub := s.within(h, pt, nil)
		if sub == nil {
			return pt
		}
		h.add(sub)
		pt.given[s.lightest(h, sub)] = 1
	}
	return nil
}
