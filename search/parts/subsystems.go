package parts

import (
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

const (
	linearCuts  = 200 // maximum number of subsystems tried in a round of linear relaxations
	mostMisses  = 60  // attempts without a new one that end a round
	reweighings = 4   // of the costs of a certificate, to reduce its rows
	patience    = 12  // rounds of linear relaxations without a better bound
)

// planes is the proof at depth 1: for each pair of labels, in order of the weight of the other
// classes, rounds with the hitting-set relaxation. A hyperplane's labels can be taken in the order
// of classes, since (-a, mu - b) exchanges its sides.
type planes struct {
	*search
	pairs []*hitting // nil before they begin
}

func (s *search) subsystems() *planes { return &planes{search: s} }

// proveAll runs rounds for each pair of labels until ctx ends.
func (s *planes) proveAll(ctx context.Context) error {
	if s.p() == 0 || s.total > verify.MaxUnits {
		return nil // no hyperplane exists, or solvers cannot resolve a unit
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

// labelPairs lists the relaxations of all pairs of classes, each with the data's bound.
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

// settle applies the bound that the pairs prove together: every tree has the labels of one pair, or
// is a single leaf.
func (s *planes) settle() {
	bound := s.leaf
	for _, h := range s.pairs {
		bound = min(bound, h.bound)
	}
	s.prove(verify.BySubsystems, bound)
}

// part runs rounds for one pair of labels until its bound meets the best tree, its relaxation's
// rows can be separated, or ctx ends.
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

// integralRounds adds subsystems that points of the relaxation do not hit, until it has no point
// better than the best tree. A point whose rows can be separated is a tree; if rounding makes that
// tree no better, the relaxation is solved to optimality, which still gives a bound.
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

// linearRounds adds subsystems that the linear relaxation does not hit, while they raise its bound.
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

// separate looks for subsystems that pt does not hit, at higher costs for rows of those already
// found, and returns the number added.
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

// sparsest looks for a subsystem whose rows pt gives up by the smallest sum: a vertex that is cheap
// at costs divided by its previous multipliers.
func (s *search) sparsest(h *hitting, pt *point, taken []float64) *subsystem {
	base := make([]float64, len(pt.given))
	for q, y := range pt.given {
		base[q] = y + taken[q]*s.rng.Float64() + 0.02*s.rng.ExpFloat64()
	}
	cost := slices.Clone(base)
	var best *subsystem
	for k := range reweighings {
		lambda := h.p.vertex(cost, pt.features(), k > 0)
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

const (
	descents   = 30 // from one point, in different orders
	mostFailed = 30 // consecutive guesses without success
)

// descend gives up further rows of a point until the others can be separated, and offers the tree;
// it repeats this in different orders. It reports whether the point's own rows could not be
// separated.
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

// giveUp is one descent of descend; it changes pt.
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

// offerPlane offers the tree of the hyperplane with the maximum margin between the rows that pt
// keeps.
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

// guesses looks for solutions of the integral relaxation before it is solved: rows to give up that
// hit all subsystems with an objective below that of the best tree, found greedily. Each is a point
// from which to descend.
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

// greedy repeatedly gives up a row that is in many subsystems not yet hit, then keeps the rows that
// are not needed. It returns nil if the result is no better than the best tree. All features are
// used.
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

// dropNeedless keeps rows without which all subsystems are still hit, the first given up first.
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
