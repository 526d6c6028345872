package oc1

import (
	"math"
	"slices"
)

// A crossing is a row with the value of a moving coefficient at which it changes sides: the high 32
// bits order the values, the low ones encode the change (see sideSweep.move).
type crossing = uint64

// crossingSorter sorts crossings by their high 32 bits, stably: by radix, over the digits in which
// they differ.
type crossingSorter struct {
	other  []crossing // (n) scratch
	narrow [4][256]uint32
	wide   [3][2048]uint32
}

const (
	insertionCrossings = 40   // insertion sort is fastest up to here
	narrowCrossings    = 1200 // up to here four narrow digits, above three wide ones
)

// sort returns the crossings in order, in a or in the sorter's own memory.
func (s *crossingSorter) sort(a []crossing) []crossing {
	switch n := len(a); {
	case n <= insertionCrossings:
		for i := 1; i < n; i++ {
			e := a[i]
			j := i
			for ; j > 0 && a[j-1]>>32 > e>>32; j-- {
				a[j] = a[j-1]
			}
			a[j] = e
		}
		return a
	case n <= narrowCrossings:
		return s.narrowRadix(a)
	}
	return s.wideRadix(a)
}

func (s *crossingSorter) scratch(n int) []crossing {
	if cap(s.other) < n {
		s.other = slices.Grow(s.other[:0], n)
	}
	return s.other[:n]
}

func (s *crossingSorter) narrowRadix(a []crossing) []crossing {
	b := s.scratch(len(a))
	h := &s.narrow
	*h = [4][256]uint32{}
	for _, e := range a {
		h[0][uint8(e>>32)]++
		h[1][uint8(e>>40)]++
		h[2][uint8(e>>48)]++
		h[3][uint8(e>>56)]++
	}
	home := a
	for d := range h {
		next := &h[d]
		shift := 32 + 8*uint(d)
		if next[uint8(a[0]>>shift)] == uint32(len(a)) {
			continue
		}
		at := uint32(0)
		for v, c := range next {
			next[v] = at
			at += c
		}
		for _, e := range a {
			v := uint8(e >> shift)
			b[next[v]] = e
			next[v]++
		}
		a, b = b, a
	}
	s.keep(home, a, b)
	return a
}

func (s *crossingSorter) wideRadix(a []crossing) []crossing {
	b := s.scratch(len(a))
	h := &s.wide
	*h = [3][2048]uint32{}
	for _, e := range a {
		h[0][e>>32&2047]++
		h[1][e>>43&2047]++
		h[2][e>>54]++
	}
	home := a
	for d := range h {
		next := &h[d]
		shift := 32 + 11*uint(d)
		if next[a[0]>>shift&2047] == uint32(len(a)) {
			continue
		}
		at := uint32(0)
		for v, c := range next {
			next[v] = at
			at += c
		}
		for _, e := range a {
			v := e >> shift & 2047
			b[next[v]] = e
			next[v]++
		}
		a, b = b, a
	}
	s.keep(home, a, b)
	return a
}

// keep keeps the scratch memory, whichever is not home.
func (s *crossingSorter) keep(home, a, b []crossing) {
	if &a[0] == &home[0] {
		s.other = b[:0]
	} else {
		s.other = a[:0]
	}
}

// sideSweep evaluates the splits that arise when rows change sides one after the other: the
// innermost loop of OC1. Every impurity is a score to maximise.
//
// A move is encoded as 2*code + 1 if it goes from the right to the left side, 2*code if it goes
// from left to right. With unit weights, a code stands for a class, otherwise for a row, so that
// the tables stay small.
type sideSweep struct {
	measure Impurity
	least   float64 // minimum weight of a side by the options
	floor   float64 // the same, but above the rounding error of an empty side
	classes int     // present at the node

	weight float64   // of the node
	total  []float64 // (classes)
	left   []float64 // (classes) weight on the left: the caller's, then the sweep's
	right  []float64 // (classes) scratch

	class    []int32   // (codes)
	unit     []float64 // (codes) weight
	moves    []move    // (2 codes) for the linear score
	values   []float64 // (classes) class numbers, for SumOfImpurity
	table    []float64 // v*log2(v) for v = 0, 1, ... if all weights are 1; else nil
	linear   bool      // the score is D^2/(N_L N_R) with D linear in the left weights
	skipRuns bool      // no split between rows of one class is the best
	perfect  float64   // score of two pure sides
	equal    float64   // scores closer than this are equal: rounding
}

// move is the change of D and of the weight of the left side when a row changes sides.
type move struct{ d, n float64 }

// place is a split in a sweep: after the first at rows changed sides.
type place struct {
	score float64
	at    int // -1: none
}

var nowhere = place{score: math.Inf(-1), at: -1}

// begin prepares a node; total, class and unit must be set.
func (s *sideSweep) begin() {
	s.weight = 0
	for _, w := range s.total {
		s.weight += w
	}
	s.floor = max(s.least, 1e-12*s.weight)
	s.linear = s.measure == SumOfImpurity || s.classes == 2 && (s.measure == Twoing || s.measure == GiniIndex)
	s.equal = 1e-11 * s.weight
	if s.linear || s.measure == Twoing {
		s.equal *= s.weight
	}
	s.perfect = math.Inf(1)
	if s.classes == 2 {
		s.perfect = s.perfectScore()
	}
	if s.linear {
		s.linearMoves()
	}
}

// perfectScore returns the score of the split between the two classes.
func (s *sideSweep) perfectScore() float64 {
	s.left[0], s.left[1] = s.total[0], 0
	return s.score()
}

// linearMoves fills the table of the linear score: with class number m (any two different ones for
// two classes), D = W sum_L omega m - N_L sum omega m, and D^2/(N_L N_R) is N times the variance
// between the sides.
func (s *sideSweep) linearMoves() {
	mean := 0.0
	for k, w := range s.total {
		mean += w * s.values[k]
	}
	for c, w := range s.unit {
		d := w * (s.weight*s.values[s.class[c]] - mean)
		s.moves[2*c] = move{-d, -w}
		s.moves[2*c+1] = move{d, w}
	}
}

func (s *sideSweep) linearStart() (d, n float64) {
	mean := 0.0
	for k, w := range s.total {
		mean += w * s.values[k]
	}
	for k, l := range s.left {
		d += l * (s.weight*s.values[k] - mean)
		n += l
	}
	return d, n
}

// score returns the score of the split whose left side weighs left; -Inf if a side is too light.
func (s *sideSweep) score() float64 {
	n := 0.0
	for k, l := range s.left {
		n += l
		s.right[k] = s.total[k] - l
	}
	m := s.weight - n
	if n < s.floor || m < s.floor {
		return math.Inf(-1)
	}
	switch {
	case s.linear:
		d, _ := s.linearStart()
		return d * d / (n * m)
	case s.measure == GiniIndex:
		l, r := 0.0, 0.0
		for k, w := range s.left {
			l += w * w
			r += s.right[k] * s.right[k]
		}
		return l/n + r/m
	case s.measure == Twoing:
		d := s.twoingSum(n)
		return d * d / (n * m)
	case s.measure == InformationGain:
		e := -s.xlogx(n) - s.xlogx(m)
		for k, w := range s.left {
			e += s.xlogx(w) + s.xlogx(s.right[k])
		}
		return e
	}
	return s.minorityScore(n)
}

// sweep returns the best split along the sorted crossings, the first of equal ones. left is the
// left side before the first crossing.
func (s *sideSweep) sweep(e []crossing) place {
	if s.linear {
		return s.sweepLinear(e)
	}
	for k, l := range s.left {
		s.right[k] = s.total[k] - l
	}
	switch s.measure {
	case GiniIndex:
		return s.sweepGini(e)
	case InformationGain:
		return s.sweepEntropy(e)
	}
	return s.sweepGeneral(e)
}

// sweepLinear compares D^2/(N_L N_R) by cross products: no division per row.
func (s *sideSweep) sweepLinear(e []crossing) place {
	d, n := s.linearStart()
	moves, weight, floor := s.moves, s.weight, s.floor
	at := -1
	best, bestDen := -1.0, 1.0
	if n >= floor && weight-n >= floor {
		at, best, bestDen = 0, d*d, n*(weight-n)
	}
	for q := range e {
		mv := &moves[uint32(e[q])]
		d += mv.d
		n += mv.n
		if q+1 < len(e) && e[q+1]>>32 == e[q]>>32 {
			continue
		}
		m := weight - n
		if num, den := d*d, n*m; num*bestDen > best*den && n >= floor && m >= floor {
			at, best, bestDen = q+1, num, den
		}
	}
	if at < 0 {
		return nowhere
	}
	return place{best / bestDen, at}
}

func (s *sideSweep) sweepGini(e []crossing) place {
	left, right, weight, floor := s.left, s.right, s.weight, s.floor
	n, squaresL, squaresR := 0.0, 0.0, 0.0
	for k, l := range left {
		n += l
		squaresL += l * l
		squaresR += right[k] * right[k]
	}
	at := -1
	best, bestDen := -1.0, 1.0
	if m := weight - n; n >= floor && m >= floor {
		at, best, bestDen = 0, squaresL*m+squaresR*n, n*m
	}
	for q := range e {
		code := uint32(e[q])
		c, w := s.class[code>>1], s.unit[code>>1]
		if code&1 == 0 {
			w = -w
		}
		squaresL += w * (2*left[c] + w)
		squaresR -= w * (2*right[c] - w)
		left[c] += w
		right[c] -= w
		n += w
		if q+1 < len(e) && e[q+1]>>32 == e[q]>>32 {
			continue
		}
		m := weight - n
		if num, den := squaresL*m+squaresR*n, n*m; num*bestDen > best*den && n >= floor && m >= floor {
			at, best, bestDen = q+1, num, den
		}
	}
	if at < 0 {
		return nowhere
	}
	return place{best / bestDen, at}
}

func (s *sideSweep) sweepEntropy(e []crossing) place {
	left, right := s.left, s.right
	n, sum := 0.0, 0.0
	for k, l := range left {
		n += l
		sum += s.xlogx(l) + s.xlogx(right[k])
	}
	best := nowhere
	if n >= s.floor && s.weight-n >= s.floor {
		best = place{sum - s.xlogx(n) - s.xlogx(s.weight-n), 0}
	}
	for q := range e {
		code := uint32(e[q])
		c, w := s.class[code>>1], s.unit[code>>1]
		if code&1 == 0 {
			w = -w
		}
		sum -= s.xlogx(left[c]) + s.xlogx(right[c])
		left[c] += w
		right[c] -= w
		sum += s.xlogx(left[c]) + s.xlogx(right[c])
		n += w
		if q+1 < len(e) && (e[q+1]>>32 == e[q]>>32 || s.skipRuns && uint32(e[q+1]) == code && loneCrossings(e, q)) {
			continue
		}
		if n < s.floor || s.weight-n < s.floor {
			continue
		}
		if score := sum - s.xlogx(n) - s.xlogx(s.weight-n); score > best.score {
			best = place{score, q + 1}
		}
	}
	return best
}

// loneCrossings reports whether neither e[q] nor e[q+1] shares its value with another crossing. A
// split between them is then inside a run if they move the same class in the same direction, and
// scores that are convex along a run are larger at one of its ends.
func loneCrossings(e []crossing, q int) bool {
	return (q == 0 || e[q-1]>>32 != e[q]>>32) && (q+2 >= len(e) || e[q+2]>>32 != e[q+1]>>32)
}

func (s *sideSweep) xlogx(v float64) float64 {
	if s.table != nil {
		return s.table[int(v)]
	}
	return xlogx(v)
}

// sweepGeneral is for scores that take O(K) per split.
func (s *sideSweep) sweepGeneral(e []crossing) place {
	left, right := s.left, s.right
	n := 0.0
	for _, l := range left {
		n += l
	}
	twoing := s.measure == Twoing
	best := nowhere
	if n >= s.floor && s.weight-n >= s.floor {
		best = place{s.generalScore(twoing, n), 0}
	}
	for q := range e {
		code := uint32(e[q])
		c, w := s.class[code>>1], s.unit[code>>1]
		if code&1 == 0 {
			w = -w
		}
		left[c] += w
		right[c] -= w
		n += w
		if q+1 < len(e) && (e[q+1]>>32 == e[q]>>32 || s.skipRuns && uint32(e[q+1]) == code && loneCrossings(e, q)) {
			continue
		}
		if n < s.floor || s.weight-n < s.floor {
			continue
		}
		if score := s.generalScore(twoing, n); score > best.score {
			best = place{score, q + 1}
		}
	}
	return best
}

func (s *sideSweep) generalScore(twoing bool, n float64) float64 {
	if twoing {
		d := s.twoingSum(n)
		return d * d / (n * (s.weight - n))
	}
	return s.minorityScore(n)
}

// twoingSum returns sum_k |W L_k - N_L W_k| = N_L N_R sum_k |L_k/N_L - R_k/N_R|.
func (s *sideSweep) twoingSum(n float64) float64 {
	d := 0.0
	for k, l := range s.left {
		d += math.Abs(s.weight*l - n*s.total[k])
	}
	return d
}

// minorityScore returns minus the sum or the larger of the two minorities.
func (s *sideSweep) minorityScore(n float64) float64 {
	mostL, mostR := 0.0, 0.0
	for k, l := range s.left {
		mostL = max(mostL, l)
		mostR = max(mostR, s.right[k])
	}
	minorityL, minorityR := n-mostL, s.weight-n-mostR
	if s.measure == MaxMinority {
		return -max(minorityL, minorityR)
	}
	return -(minorityL + minorityR)
}
