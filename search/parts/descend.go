package parts

import (
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

const (
	descents   = 30 // from a point, in different orders
	mostFailed = 30 // guesses in a row that find nothing
)

// descend gives up rows of a point, beside those that it gives up already, until the
// others can be parted, and offers the tree; some times, in different orders. It
// reports whether the point's own rows could not be parted.
func (s *search) descend(ctx context.Context, h *hitting, pt *point) (bool, error) {
	more := false
	for range descents {
		given := make([]float64, len(pt.given))
		for q, y := range pt.given {
			given[q] = math.Round(y)
		}
		var rounded []float64
		for _, v := range pt.used {
			rounded = append(rounded, math.Round(v))
		}
		found, err := s.giveUp(ctx, h, &point{given: given, used: rounded})
		if err != nil || !found {
			return more, err
		}
		more = true
	}
	return more, nil
}

// giveUp is one descent of descend, which changes pt.
func (s *search) giveUp(ctx context.Context, h *hitting, pt *point) (found bool, err error) {
	use := pt.features()
	for ctx.Err() == nil {
		sub := s.within(h, pt, use)
		if sub == nil {
			return found, s.offerPlane(ctx, h, pt, use)
		}
		if h.add(sub) {
			s.rows++
			found = true
		}
		pt.given[s.lightest(h, sub)] = 1
	}
	return found, nil
}

// offerPlane offers the tree of the widest plane between the rows that pt keeps.
func (s *search) offerPlane(ctx context.Context, h *hitting, pt *point, use []bool) error {
	split, err := s.widest(ctx, h.p, pt, use)
	if err != nil || split == nil {
		return err
	}
	t := tree.NewLeaf(s.src, h.left)
	t.Grow(0, split, h.left, h.right)
	s.offer(ctx, t)
	return nil
}

// guesses is what the integral relaxation is asked for before it is solved: rows to give
// up that hit all subsystems and leave room below the best tree, found greedily. Each
// is a point to descend from.
func (s *search) guesses(ctx context.Context, h *hitting) error {
	for failed := 0; failed < mostFailed && ctx.Err() == nil; {
		pt := h.greedy()
		if pt == nil {
			failed++
			continue
		}
		more, err := s.giveUp(ctx, h, pt)
		if err != nil {
			return err
		}
		if !more {
			failed++
		}
	}
	return nil
}

// greedy gives up a row that is in many subsystems not hit, again and again; then it
// keeps rows that are not needed. It returns nil where that is no better than the best
// tree. Features are all used.
func (h *hitting) greedy() *point {
	s := h.p.s
	pt := &point{given: make([]float64, len(h.p.rows))}
	if h.priced {
		return nil
	}
	often, open := make([]float64, len(pt.given)), make([]bool, len(h.subs))
	left := len(h.subs)
	for k, sub := range h.subs {
		open[k] = true
		for _, q := range sub.rows {
			often[q]++
		}
	}
	var given []int32
	for left > 0 {
		best, most := int32(0), 0.0
		for q, n := range often {
			if n > 0 {
				if v := n / s.weight(int(h.p.rows[q])) * (1 + 0.3*s.rng.Float64()); v > most {
					best, most = int32(q), v
				}
			}
		}
		pt.given[best] = 1
		given = append(given, best)
		for k, sub := range h.subs {
			if !open[k] {
				continue
			}
			if _, is := slices.BinarySearch(sub.rows, best); is {
				open[k] = false
				left--
				for _, q := range sub.rows {
					often[q]--
				}
			}
		}
	}
	h.dropNeedless(pt, given)
	if h.value(pt) > s.better() {
		return nil
	}
	return pt
}

// dropNeedless keeps rows, the first given up first, without which all subsystems are hit.
func (h *hitting) dropNeedless(pt *point, given []int32) {
	hits := make([]int, len(h.subs))
	for k, sub := range h.subs {
		for _, q := range sub.rows {
			if pt.given[q] > 0 {
				hits[k]++
			}
		}
	}
	for _, q := range given {
		needed := false
		var has []int
		for k, sub := range h.subs {
			if _, is := slices.BinarySearch(sub.rows, q); is {
				has = append(has, k)
				needed = needed || hits[k] == 1
			}
		}
		if !needed {
			pt.given[q] = 0
			for _, k := range has {
				hits[k]--
			}
		}
	}
}
