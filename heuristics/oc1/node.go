package oc1

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// planeSearch searches a hyperplane a.z + a_d at one node after the other, where z are the node's
// scaled features; a row is on the left iff its activity, the value of that expression, is
// negative. The memory is allocated for the root; a step allocates nothing.
type planeSearch struct {
	*pulse.Pulse
	ds    *dataset.Dataset
	rng   *rand.Rand
	order Order
	jumps int

	sweep  sideSweep
	sorter crossingSorter
	unit   bool // all weights are 1

	rows     []int32 // of the node
	features []int   // non-constant features at the node
	origin   []float64
	scale    []float64
	columns  []planeColumn // (features + 1); the last one is all ones, for the constant
	along    planeColumn   // of a random direction

	codes     []uint32 // (rows) 2*code, see sideSweep
	local     []int32  // (K) class to index among the classes present
	crossings []crossing
	activity  []float64 // (rows)
	a         []float64 // (columns)
	direction []float64 // (columns)
	score     float64   // of a
	stagnant  int       // accepted or rejected moves of equal score since the last improvement

	best      []float64
	bestScore float64
	ascending []int // (features)

	perturbations int64 // one-dimensional searches so far
}

// planeColumn is a scaled feature at the node.
type planeColumn struct {
	rows []int32   // of the node (indices into it), with nonzero value
	x    []float64 // their values
	zero []int32   // the other rows
	left []float64 // (classes) weight of the rows with positive value: the left side at minus infinity
}

func newPlaneSearch(ctx context.Context, ds *dataset.Dataset, o *Options, rng *rand.Rand) *planeSearch {
	n, p, k := ds.N(), ds.P(), ds.K()
	s := &planeSearch{
		Pulse: pulse.New(ctx), ds: ds, rng: rng, order: o.Order, jumps: o.Jumps, unit: true,
		features: make([]int, 0, p), origin: make([]float64, 0, p), scale: make([]float64, 0, p),
		codes: make([]uint32, n), local: make([]int32, k), crossings: make([]crossing, n),
		activity: make([]float64, n), a: make([]float64, p+1), direction: make([]float64, p+1), best: make([]float64, p+1),
	}
	for _, w := range ds.Weight {
		s.unit = s.unit && w == 1
	}
	w := &s.sweep
	w.measure = o.Impurity
	w.least = tree.LeastWeight(o.MinLeaf)
	w.skipRuns = s.unit && o.MinLeaf <= 1 && o.Impurity != MaxMinority
	w.total, w.left, w.right = make([]float64, 0, k), make([]float64, k), make([]float64, k)
	w.values = make([]float64, 0, k)
	codes := k
	if s.unit {
		if o.Impurity == InformationGain {
			w.table = make([]float64, n+1)
			for v := range w.table {
				w.table[v] = xlogx(float64(v))
			}
		}
	} else {
		codes = n
	}
	w.class, w.unit, w.moves = make([]int32, codes), make([]float64, codes), make([]move, 2*codes)
	return s
}

// enter starts the search at the node with these rows and class weights (K).
func (s *planeSearch) enter(rows []int32, weight []float64) {
	s.rows = rows
	w := &s.sweep
	w.total, w.values = w.total[:0], w.values[:0]
	for k, v := range weight {
		if v > 0 {
			s.local[k] = int32(len(w.total))
			w.total, w.values = append(w.total, v), append(w.values, float64(k))
		}
	}
	w.classes = len(w.total)
	w.left, w.right = w.left[:w.classes], w.right[:w.classes]
	n := len(rows)
	if s.unit {
		w.class, w.unit, w.moves = w.class[:w.classes], w.unit[:w.classes], w.moves[:2*w.classes]
		for c := range w.class {
			w.class[c], w.unit[c] = int32(c), 1
		}
		for i, r := range rows {
			s.codes[i] = 2 * uint32(s.local[s.ds.Y[r]])
		}
	} else {
		w.class, w.unit, w.moves = w.class[:n], w.unit[:n], w.moves[:2*n]
		for i, r := range rows {
			w.class[i], w.unit[i] = s.local[s.ds.Y[r]], s.ds.Weight[r]
			s.codes[i] = 2 * uint32(i)
		}
	}
	w.begin()
}

// axisSplit is the best univariate split: the first size rows in the order of feature.
type axisSplit struct {
	feature int
	size    int
	score   float64
}

// axis returns the best univariate split of the node by the exact ranks of the values (see
// tree.Presort.Ranks); feature -1 if there is none, or no time.
func (s *planeSearch) axis(ranks func(j int) []int32) axisSplit {
	best := axisSplit{feature: -1, score: math.Inf(-1)}
	e := s.crossings[:len(s.rows)]
	for j := range s.ds.P() {
		if s.Spend(16 * len(s.rows)) {
			return axisSplit{feature: -1}
		}
		rank := ranks(j)
		for i, r := range s.rows {
			e[i] = uint64(rank[r])<<32 | uint64(s.codes[i]|1)
		}
		sorted := s.sorter.sort(e)
		if sorted[0]>>32 == sorted[len(sorted)-1]>>32 {
			continue
		}
		clear(s.sweep.left)
		if p := s.sweep.sweep(sorted); p.at > 0 && p.at < len(e) && p.score > best.score+s.sweep.equal {
			best = axisSplit{j, p.at, p.score}
		}
	}
	return best
}

// prepare standardises the features at the node, so that a coefficient turns the plane about the
// middle of the data, not about an arbitrary origin. It returns false if the context ended.
func (s *planeSearch) prepare() bool {
	s.features, s.origin, s.scale = s.features[:0], s.origin[:0], s.scale[:0]
	p := s.ds.P()
	for j := range p {
		if s.Spend(8 * len(s.rows)) {
			return false
		}
		if mean, sd := s.moments(j); sd > 0 {
			s.features, s.origin, s.scale = append(s.features, j), append(s.origin, mean), append(s.scale, sd)
		}
	}
	d := len(s.features)
	for len(s.columns) < d+1 {
		s.columns = append(s.columns, planeColumn{})
	}
	s.columns = s.columns[:d+1]
	for m, j := range s.features {
		if s.Spend(8 * len(s.rows)) {
			return false
		}
		c := &s.columns[m]
		c.reset(len(s.rows), s.sweep.classes)
		for i, r := range s.rows {
			c.add(int32(i), (s.ds.X[int(r)*p+j]-s.origin[m])/s.scale[m])
		}
		s.sumPositive(c)
	}
	one := &s.columns[d]
	one.reset(len(s.rows), s.sweep.classes)
	for i := range s.rows {
		one.add(int32(i), 1)
	}
	s.sumPositive(one)
	s.along.reset(len(s.rows), s.sweep.classes)
	s.a, s.direction, s.best = s.a[:d+1], s.direction[:d+1], s.best[:d+1]
	return true
}

// moments returns mean and standard deviation of feature j over the rows of the node, 0 for a
// constant; it scales to [0,1] first to avoid overflow.
func (s *planeSearch) moments(j int) (mean, sd float64) {
	p := s.ds.P()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, r := range s.rows {
		x := s.ds.X[int(r)*p+j]
		lo, hi = min(lo, x), max(hi, x)
	}
	span := hi - lo
	if !(span > 0) {
		return lo, 0
	}
	for _, r := range s.rows {
		mean += (s.ds.X[int(r)*p+j] - lo) / span
	}
	mean /= float64(len(s.rows))
	for _, r := range s.rows {
		d := (s.ds.X[int(r)*p+j]-lo)/span - mean
		sd += d * d
	}
	return lo + span*mean, span * math.Sqrt(sd/float64(len(s.rows)))
}

func (c *planeColumn) reset(n, classes int) {
	c.rows, c.x, c.zero = slices.Grow(c.rows[:0], n), slices.Grow(c.x[:0], n), slices.Grow(c.zero[:0], n)
	c.left = slices.Grow(c.left[:0], classes)[:classes]
	clear(c.left)
}

func (c *planeColumn) add(i int32, x float64) {
	if math.Abs(x) < tinyValue {
		c.zero = append(c.zero, i)
		return
	}
	c.rows, c.x = append(c.rows, i), append(c.x, x)
}

// tinyValue is the scaled value below which a value counts as 0: it would cross only at
// coefficients too large to compute with.
const tinyValue = 1e-12

func (s *planeSearch) sumPositive(c *planeColumn) {
	for q, i := range c.rows {
		if c.x[q] > 0 {
			code := s.codes[i] >> 1
			c.left[s.sweep.class[code]] += s.sweep.unit[code]
		}
	}
}
