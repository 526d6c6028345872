package oc1

import (
	"cmp"
	"math"
	"slices"
)

// search runs the restarts and reports whether some plane scores better than axis, the univariate
// split from which the first restart begins. If the context ends, it keeps the best plane so far.
func (s *planeSearch) search(axis axisSplit, threshold float64, restarts int) bool {
	s.bestScore = axis.score
	found := false
	d := len(s.features)
	for r := range restarts {
		if s.bestScore >= s.sweep.perfect-s.sweep.equal || s.Ended() {
			break
		}
		if r == 0 {
			m := slices.Index(s.features, axis.feature)
			clear(s.a)
			s.a[m] = 1
			s.a[d] = -(threshold - s.origin[m]) / s.scale[m]
			s.activate()
		} else {
			s.random()
			s.score = math.Inf(-1) // its first move always improves it
			s.perturb(&s.columns[d], d)
		}
		s.descend()
		if s.score > s.bestScore+s.sweep.equal {
			found = true
			s.bestScore = s.score
			copy(s.best, s.a)
		}
	}
	if found {
		s.thin()
	}
	return found
}

// searchAtRandom runs the restarts, all from unmodified random planes; it reports whether any
// reached a plane with rows on both sides.
func (s *planeSearch) searchAtRandom(restarts int) bool {
	s.bestScore = math.Inf(-1)
	found := false
	for range restarts {
		if found && s.bestScore >= s.sweep.perfect-s.sweep.equal || s.Ended() {
			break
		}
		s.random()
		s.descend()
		if s.divides() && (!found || s.score > s.bestScore+s.sweep.equal) {
			found = true
			s.bestScore = s.score
			copy(s.best, s.a)
		}
	}
	return found
}

// random sets a random plane.
func (s *planeSearch) random() {
	for m := range s.a {
		s.a[m] = 2*s.rng.Float64() - 1
	}
	s.activate()
}

// divides reports whether the plane has rows on both sides.
func (s *planeSearch) divides() bool {
	left := 0
	for _, v := range s.activity[:len(s.rows)] {
		if v < 0 {
			left++
		}
	}
	return left > 0 && left < len(s.rows)
}

// thin drops features that the best plane does not need, smallest coefficients first, if the best
// constant is then no worse. They are remainders of a random start that no perturbation used.
func (s *planeSearch) thin() {
	copy(s.a, s.best)
	s.activate()
	d := len(s.features)
	s.ascending = s.ascending[:0]
	for m, a := range s.a[:d] {
		if a != 0 {
			s.ascending = append(s.ascending, m)
		}
	}
	slices.SortStableFunc(s.ascending, func(a, b int) int { return cmp.Compare(math.Abs(s.a[a]), math.Abs(s.a[b])) })
	for _, m := range s.ascending[:len(s.ascending)-1] {
		s.without(m)
	}
	copy(s.best, s.a)
}

// without sets coefficient m to 0 if the score does not change.
func (s *planeSearch) without(m int) {
	c, old, oldScore := &s.columns[m], s.a[m], s.score
	add := func(step float64) {
		for q, i := range c.rows {
			s.activity[i] += step * c.x[q]
		}
	}
	add(-old)
	d := len(s.features)
	p, t := s.line(&s.columns[d])
	if p.at >= 0 && p.score >= oldScore-s.sweep.equal {
		s.a[m], s.score = 0, math.Inf(-1)
		constant := s.a[d]
		if s.move(&s.columns[d], d, t) && s.score >= oldScore-s.sweep.equal {
			return
		}
		for i := range s.rows {
			s.activity[i] += constant - s.a[d]
		}
		s.a[d] = constant
	}
	add(old)
	s.a[m], s.score = old, oldScore
}

// activate computes the activities and the score of a.
func (s *planeSearch) activate() {
	n := len(s.rows)
	v := s.activity[:n]
	d := len(s.features)
	for i := range v {
		v[i] = s.a[d]
	}
	for m := range d {
		if a := s.a[m]; a != 0 {
			c := &s.columns[m]
			for q, i := range c.rows {
				v[i] += a * c.x[q]
			}
		}
	}
	s.stagnant = 0
	s.score = s.scoreActivities()
}

func (s *planeSearch) scoreActivities() float64 {
	w := &s.sweep
	clear(w.left)
	for i, v := range s.activity[:len(s.rows)] {
		if v < 0 {
			code := s.codes[i] >> 1
			w.left[w.class[code]] += w.unit[code]
		}
	}
	return w.score()
}

// descend perturbs until it reaches a local minimum from which no random direction leads out.
func (s *planeSearch) descend() {
	for {
		switch s.order {
		case Sequential:
			s.sequential()
		case BestFirst:
			s.bestFirst()
		case Random50:
			for range 50 {
				m := s.rng.IntN(len(s.a))
				s.perturb(&s.columns[m], m)
			}
		}
		if s.score >= s.sweep.perfect-s.sweep.equal || !s.jump() {
			return
		}
	}
}

// sequential perturbs the coefficients in turn until none moves.
func (s *planeSearch) sequential() {
	for m, still := 0, 0; still < len(s.a); m = (m + 1) % len(s.a) {
		if s.perturb(&s.columns[m], m) {
			still = 0
		}
		still++ // at its best value already
	}
}

// bestFirst perturbs the coefficient that improves most, until that one stays.
func (s *planeSearch) bestFirst() {
	for {
		best, at := nowhere, 0
		var value float32
		for m := range s.a {
			if p, t := s.line(&s.columns[m]); p.score > best.score+s.sweep.equal {
				best, at, value = p, m, t
			}
		}
		if best.at < 0 || !s.accept(&s.columns[at], at, best, value) {
			return
		}
	}
}

// jump tries random directions until one improves the score.
func (s *planeSearch) jump() bool {
	c := &s.along
	d := len(s.features)
	for range s.jumps {
		if s.Spend(2 * len(s.rows) * d) {
			return false
		}
		for m := range s.direction {
			s.direction[m] = 2*s.rng.Float64() - 1
		}
		c.reset(len(s.rows), s.sweep.classes)
		z := c.x[:len(s.rows)]
		for i := range z {
			z[i] = s.direction[d]
		}
		for m := range d {
			r := s.direction[m]
			f := &s.columns[m]
			for q, i := range f.rows {
				z[i] += r * f.x[q]
			}
		}
		for i, x := range z { // add writes at or before the read position
			c.add(int32(i), x)
		}
		s.sumPositive(c)
		p, t := s.line(c)
		if p.score > s.score+s.sweep.equal && s.move(c, -1, t) {
			return true
		}
	}
	return false
}

// perturb is Figure 1 of the paper for coefficient m, whose column is c: it moves the coefficient
// to its best value, and reports whether it moved.
func (s *planeSearch) perturb(c *planeColumn, m int) bool {
	p, t := s.line(c)
	if p.at < 0 {
		return false
	}
	return s.accept(c, m, p, t)
}

// accept moves coefficient m by t if that is better or, at an equal score elsewhere, with
// probability exp(-stagnant).
func (s *planeSearch) accept(c *planeColumn, m int, p place, t float32) bool {
	switch {
	case p.score > s.score+s.sweep.equal:
		return s.move(c, m, t)
	case p.score < s.score-s.sweep.equal || t == 0:
		return false
	}
	lucky := s.stagnant < 40 && s.rng.Float64() < math.Exp(-float64(s.stagnant))
	s.stagnant++
	return lucky && s.move(c, m, t)
}

// lineCells is the work of sorting and sweeping a row, in numbers visited.
const lineCells = 16

// line finds the best move along c: its split, and the step; 0 if that is the current point. Row i
// changes sides where the step is minus its activity over c_i, which is U_i of equation (1) less a_m.
// It finds none after the context has ended.
func (s *planeSearch) line(c *planeColumn) (place, float32) {
	if s.Spend(lineCells * len(c.rows)) {
		return nowhere, 0
	}
	s.perturbations++
	w := &s.sweep
	copy(w.left, c.left)
	v := s.activity[:len(s.rows)]
	for _, i := range c.zero {
		if v[i] < 0 {
			code := s.codes[i] >> 1
			w.left[w.class[code]] += w.unit[code]
		}
	}
	if len(c.rows) == 0 {
		return nowhere, 0
	}
	e := s.crossings[:len(c.rows)]
	codes, x := s.codes[:len(v)], c.x[:len(e)]
	for q, i := range c.rows[:len(e)] {
		bits := math.Float32bits(float32(-v[i]/x[q]) + 0) // -0 + 0 = 0
		bits ^= uint32(int32(bits)>>31) | 1<<31           // integers in the same order
		e[q] = uint64(bits)<<32 | uint64(codes[i]) | math.Float64bits(x[q])>>63
	}
	e = s.sorter.sort(e)
	p := w.sweep(e)
	if p.at < 0 {
		return p, 0
	}
	return p, between(e, p.at)
}

// between returns a step after the first at crossings and before the others.
func between(e []crossing, at int) float32 {
	switch at {
	case 0:
		hi := crossingValue(e[0])
		return min(2*hi, hi-1)
	case len(e):
		lo := crossingValue(e[at-1])
		return max(2*lo, lo+1)
	}
	lo, hi := crossingValue(e[at-1]), crossingValue(e[at])
	if lo < 0 && hi > 0 {
		return 0
	}
	return lo/2 + hi/2
}

func crossingValue(e crossing) float32 {
	bits := uint32(e >> 32)
	if bits>>31 != 0 {
		return math.Float32frombits(bits &^ (1 << 31))
	}
	return math.Float32frombits(^bits)
}

// move moves by t along c, which is the column of coefficient m, or of the direction if m is -1. It
// stays and returns false if rounding makes the result worse.
func (s *planeSearch) move(c *planeColumn, m int, t float32) bool {
	step := float64(t)
	if !(math.Abs(step) <= maxStep) {
		return false
	}
	v := s.activity[:len(s.rows)]
	for q, i := range c.rows {
		v[i] += step * c.x[q]
	}
	score := s.scoreActivities()
	if score < s.score-s.sweep.equal {
		for q, i := range c.rows {
			v[i] -= step * c.x[q]
		}
		return false
	}
	if score > s.score+s.sweep.equal {
		s.stagnant = 0
	}
	s.score = score
	if m >= 0 {
		s.a[m] += step
	} else {
		for k, r := range s.direction {
			s.a[k] += step * r
		}
	}
	s.rescale()
	return true
}

// maxStep bounds a coefficient relative to the others, which rounding would otherwise lose.
const maxStep = 1e6

// rescale keeps the coefficients near 1: only their ratios matter.
func (s *planeSearch) rescale() {
	most := 0.0
	for _, a := range s.a {
		most = max(most, math.Abs(a))
	}
	if most > 1e-2 && most < 1e2 || most == 0 {
		return
	}
	f := 1 / most
	for m := range s.a {
		s.a[m] *= f
	}
	for i := range s.rows {
		s.activity[i] *= f
	}
}
