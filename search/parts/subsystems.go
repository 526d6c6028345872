package parts

import (
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/mio/verify"
)

const (
	linearCuts  = 200 // subsystems that are looked for in a round of linear relaxations
	mostMisses  = 60  // looks without a new one that end a round
	reweighings = 4   // of the costs of a certificate, to make its rows few
	patience    = 12  // rounds of linear relaxations without a better bound
)

// planes is the proof at depth 1: for each pair of labels, those of the lightest other
// classes first, rounds against the hitting-set relaxation. A plane's labels can be
// taken in the order of classes, since (-a, mu - b) exchanges its sides.
type planes struct {
	*search
	pairs []*hitting // nil before they are begun
}

func (s *search) subsystems() *planes { return &planes{search: s} }

// proveAll does rounds for each pair of labels until ctx ends.
func (s *planes) proveAll(ctx context.Context) error {
	if s.p() == 0 || s.total > verify.MaxUnits {
		return nil // no plane at all; or solvers cannot tell a unit
	}
	if s.pairs == nil {
		s.pairs = s.labelPairs(ctx)
	}
	for _, h := range s.pairs {
		if err := s.part(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// labelPairs lists the relaxations of all pairs of classes, each with the bound that
// the data give it.
func (s *search) labelPairs(ctx context.Context) []*hitting {
	var pairs []*hitting
	present := s.ds.ClassWeights()
	for left := range present {
		for right := left + 1; right < len(present); right++ {
			if present[left] == 0 || present[right] == 0 {
				continue
			}
			h := s.newHitting(left, right)
			h.bound = h.offset + s.unavoidable(ctx, h.p.rows)/s.lhat + s.alpha
			pairs = append(pairs, h)
		}
	}
	slices.SortStableFunc(pairs, func(a, b *hitting) int {
		switch {
		case a.bound < b.bound:
			return -1
		case a.bound > b.bound:
			return 1
		}
		return 0
	})
	return pairs
}

// settle takes in what the pairs prove together: every tree has the labels of one, or
// is a single leaf.
func (s *planes) settle() {
	bound := s.leaf
	for _, h := range s.pairs {
		bound = min(bound, h.bound)
	}
	s.prove(verify.BySubsystems, bound)
}

// part does rounds for one pair of labels until its bound meets the best tree, its
// relaxation's rows can be parted, or ctx ends.
func (s *planes) part(ctx context.Context, h *hitting) error {
	first := &point{given: make([]float64, len(h.p.rows))}
	if h.priced {
		first.used = make([]float64, s.p())
		for j := range first.used {
			first.used[j] = 1
		}
	}
	h.addClosePairs(ctx)
	if _, err := s.descend(ctx, h, first); err != nil {
		return err
	}
	if err := s.linearRounds(ctx, h); err != nil {
		return err
	}
	if err := s.guesses(ctx, h); err != nil {
		return err
	}
	if err := s.integralRounds(ctx, h); err != nil {
		return err
	}
	s.settle()
	return nil
}

// integralRounds adds subsystems that points of the relaxation do not hit, until it has
// none better than the best tree. A point whose rows can be parted is a tree; where
// rounding makes that no better, the relaxation is solved to its optimum, which is a
// bound all the same.
func (s *planes) integralRounds(ctx context.Context, h *hitting) error {
	kind := anyPoint
	for !s.closed(h.bound) && ctx.Err() == nil {
		pt, err := h.solve(ctx, kind)
		if err != nil {
			return err
		}
		s.settle()
		if pt == nil || s.closed(h.bound) {
			return nil
		}
		before := s.reach
		more, err := s.descend(ctx, h, pt)
		if err != nil {
			return err
		}
		switch {
		case more:
			err = s.guesses(ctx, h)
		case s.reach < before:
		case kind == anyPoint:
			kind = bestPoint
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addClosePairs adds the pairs of rows closer than mu.
func (h *hitting) addClosePairs(ctx context.Context) {
	s := h.p.s
	near := s.neighbours(ctx, h.p.rows)
	for q, i := range h.p.rows {
		for _, k := range near[i] {
			if o, _ := slices.BinarySearch(h.p.rows, k); o > q {
				h.add(&subsystem{rows: []int32{int32(q), int32(o)}})
			}
		}
	}
}

// linearRounds adds subsystems that the linear relaxation does not hit, while that
// raises its bound.
func (s *planes) linearRounds(ctx context.Context, h *hitting) error {
	best, idle := math.Inf(-1), 0
	for idle < patience && !s.closed(h.bound) && ctx.Err() == nil {
		pt, err := h.solve(ctx, linear)
		if err != nil || pt == nil {
			return err
		}
		value := h.value(pt)
		if idle++; value > best+s.step/20+1e-9 {
			best, idle = value, 0
		}
		s.settle()
		if s.separate(ctx, h, pt) == 0 {
			break
		}
	}
	return nil
}

// separate looks for subsystems that pt does not hit, dearer each time where some were
// found already, and returns how many it added.
func (s *search) separate(ctx context.Context, h *hitting, pt *point) int {
	taken := make([]float64, len(pt.given))
	found, misses := 0, 0
	for misses < mostMisses && found < linearCuts && ctx.Err() == nil {
		sub := s.sparsest(h, pt, taken)
		if sub == nil {
			break
		}
		if pt.violation(sub) > 1e-3 && h.add(sub) {
			s.rows++
			found++
		} else {
			misses++
		}
		for _, q := range sub.rows {
			taken[q] += 0.1
		}
	}
	return found
}

// sparsest looks for a subsystem whose rows pt gives up by the least sum: a vertex
// that is cheap at costs which are divided by the multipliers that it had before.
func (s *search) sparsest(h *hitting, pt *point, taken []float64) *subsystem {
	base := make([]float64, len(pt.given))
	for q, y := range pt.given {
		base[q] = y + taken[q]*s.rng.Float64() + 0.02*s.rng.ExpFloat64()
	}
	cost := slices.Clone(base)
	var best *subsystem
	for range reweighings {
		lambda := h.p.vertex(cost, pt.features())
		if lambda == nil {
			break
		}
		if sub := h.p.check(lambda); sub != nil && (best == nil || pt.violation(sub) > pt.violation(best)) {
			best = sub
		}
		for q, l := range lambda {
			cost[q] = base[q] / (l + 0.02)
		}
	}
	return best
}
