package tree

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/octgen/octgen/dataset"
)

// Presort is a dataset with the rows sorted by every feature, once: what all
// searches for a univariate split share. Nodes of a tree are Subsets of it,
// partitioned stably, never sorted again (as in SLIQ, Mehta et al. 1996).
//
// It holds 8 bytes per cell of X, 8 per distinct value and 24 per row, and
// nothing of the dataset. It never changes once made: whoever made it may share it
// among goroutines, and with all methods that take one for the same dataset.
type Presort struct {
	n, p, k int
	order   []int32     // (p, n) feature j's rows by ascending value, equal ones by ascending row
	rank    []int32     // (p, n) rank of row i's value among the distinct values of feature j
	values  [][]float64 // (p) distinct values, ascending
	rows    []labelled  // (n)
	xlogx   []float64   // v*log2(v) for v = 0..n where all weights are 1
}

// labelled is what a sweep needs of a row, side by side: one cache miss a row.
type labelled struct {
	weight float64
	class  int32
}

// NewPresort sorts the rows of ds by each feature: O(n) per feature by radix
// sort, O(n log n) for few rows; large data on all processors.
func NewPresort(ds *dataset.Dataset) *Presort {
	s, _ := NewPresortContext(context.Background(), ds) // which does not end
	return s
}

// NewPresortContext is NewPresort until ctx ends; its cause is the error then.
func NewPresortContext(ctx context.Context, ds *dataset.Dataset) (*Presort, error) {
	n, p := ds.N(), ds.P()
	if n > math.MaxInt32 {
		panic("tree: more than 2^31-1 rows")
	}
	s := &Presort{n: n, p: p, k: ds.K(), rows: make([]labelled, n), values: make([][]float64, p)}
	s.label(ds.Y, ds.Weight)
	s.order, s.rank = make([]int32, n*p), make([]int32, n*p)
	workers := 1
	if n*p >= manyCells {
		workers = min(p, runtime.GOMAXPROCS(0))
	}
	var next, done atomic.Int64
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			sorter := newRadixSorter(n)
			for j := int(next.Add(1)) - 1; j < p && ctx.Err() == nil; j = int(next.Add(1)) - 1 {
				for i, at := 0, j; i < n; i, at = i+1, at+p {
					sorter.keys[i] = keyed{sortKey(ds.X[at]), int32(i)}
				}
				s.rankFeature(j, sorter.sort())
				done.Add(1)
			}
		})
	}
	wait.Wait()
	if done.Load() < int64(p) {
		return nil, context.Cause(ctx)
	}
	return s, nil
}

// manyCells is the number of cells from which on sorting is shared.
const manyCells = 1 << 19

// WithWeights returns s for rows of other weights (n); the rest is shared.
func (s *Presort) WithWeights(weight []float64) *Presort {
	c := *s
	c.rows, c.xlogx = make([]labelled, s.n), nil
	classes := make([]int, s.n)
	for i := range s.rows {
		classes[i] = int(s.rows[i].class)
	}
	c.label(classes, weight)
	return &c
}

// WithLabels returns s for rows of other classes and weights (n); the rest is shared.
func (s *Presort) WithLabels(classes []int, weight []float64) *Presort {
	c := *s
	c.rows, c.xlogx = make([]labelled, s.n), nil
	c.label(classes, weight)
	return &c
}

// OfRows returns the presort of some of the rows, by ascending index, with other classes and
// weights. Every value of every feature must be that of one of them.
func (s *Presort) OfRows(rows []int, classes []int, weight []float64) *Presort {
	if len(rows) == s.n {
		return s.WithLabels(classes, weight)
	}
	c := &Presort{n: len(rows), p: s.p, k: s.k, values: s.values, rows: make([]labelled, len(rows))}
	c.label(classes, weight)
	to := make([]int32, s.n) // 1 + the index in rows
	for i, r := range rows {
		to[r] = int32(i + 1)
	}
	c.order, c.rank = make([]int32, 0, c.n*c.p), make([]int32, 0, c.n*c.p)
	for j := range s.p {
		ranks := s.Ranks(j)
		for _, r := range rows {
			c.rank = append(c.rank, ranks[r])
		}
		for _, r := range s.Order(j) {
			if to[r] > 0 {
				c.order = append(c.order, to[r]-1)
			}
		}
	}
	return c
}

// Part returns the presort of some of the rows, by ascending index, with other classes and
// weights: of the values that they have.
func (s *Presort) Part(rows []int, classes []int, weight []float64) *Presort {
	c := &Presort{n: len(rows), p: s.p, k: s.k, values: make([][]float64, s.p), rows: make([]labelled, len(rows))}
	c.label(classes, weight)
	to := make([]int32, s.n) // 1 + the index in rows
	for i, r := range rows {
		to[r] = int32(i + 1)
	}
	c.order, c.rank = make([]int32, 0, c.n*c.p), make([]int32, c.n*c.p)
	for j := range s.p {
		ranks, last := s.Ranks(j), int32(-1)
		for _, r := range s.Order(j) {
			if to[r] == 0 {
				continue
			}
			if ranks[r] != last {
				last = ranks[r]
				c.values[j] = append(c.values[j], s.values[j][last])
			}
			c.order = append(c.order, to[r]-1)
			c.rank[j*c.n+int(to[r]-1)] = int32(len(c.values[j]) - 1)
		}
	}
	return c
}

// label sets rows and, where all weights are 1, xlogx.
func (s *Presort) label(classes []int, weight []float64) {
	unit := true
	for i, y := range classes {
		s.rows[i] = labelled{weight[i], int32(y)}
		unit = unit && weight[i] == 1
	}
	if !unit {
		return
	}
	s.xlogx = make([]float64, s.n+1)
	for v := range s.xlogx {
		s.xlogx[v] = xlogx(float64(v))
	}
}

// rankFeature stores the order, the ranks and the distinct values of feature j.
func (s *Presort) rankFeature(j int, sorted []keyed) {
	order, rank := s.order[j*s.n:(j+1)*s.n], s.rank[j*s.n:(j+1)*s.n]
	distinct := 0
	for q, e := range sorted {
		if q == 0 || e.key != sorted[q-1].key {
			distinct++
		}
		order[q] = e.row
		rank[e.row] = int32(distinct - 1)
	}
	values := make([]float64, 0, distinct)
	for q, e := range sorted {
		if q == 0 || e.key != sorted[q-1].key {
			values = append(values, keyValue(e.key))
		}
	}
	s.values[j] = values
}

// N, P and K return the numbers of rows, features and classes.
func (s *Presort) N() int { return s.n }
func (s *Presort) P() int { return s.p }
func (s *Presort) K() int { return s.k }

// Fits reports whether s has the rows, features and classes of ds, in number.
func (s *Presort) Fits(ds *dataset.Dataset) bool {
	return s.n == ds.N() && s.p == ds.P() && s.k == ds.K()
}

// Order returns the rows by ascending value of feature j, equal values by
// ascending row. (n), shared, not to be written to.
func (s *Presort) Order(j int) []int32 { return s.order[j*s.n : (j+1)*s.n : (j+1)*s.n] }

// Ranks returns for each row the index of its value in Values(j). (n), shared,
// not to be written to.
func (s *Presort) Ranks(j int) []int32 { return s.rank[j*s.n : (j+1)*s.n : (j+1)*s.n] }

// Values returns the distinct values of feature j, ascending. Shared, not to
// be written to.
func (s *Presort) Values(j int) []float64 { return s.values[j] }

// Threshold returns the Midpoint of Values(j)[r] and its successor.
func (s *Presort) Threshold(j, r int) float64 { return Midpoint(s.values[j][r], s.values[j][r+1]) }

// sortKey maps finite floats to integers of the same order; -0 becomes 0.
func sortKey(v float64) uint64 {
	b := math.Float64bits(v + 0) // -0 + 0 = 0
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

func keyValue(k uint64) float64 {
	if k>>63 != 0 {
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}

type keyed struct {
	key uint64
	row int32
}

// radixSorter sorts its keys stably, by digits from the least significant one,
// over the bits in which keys differ: columns of small integers, halves and
// the like take one or two passes.
type radixSorter struct {
	keys, other []keyed
	count       [1 << wideDigit]int32
}

// A digit has at most narrowDigit bits for up to manyKeys keys, else wideDigit.
const (
	narrowDigit = 8
	wideDigit   = 11
	manyKeys    = 3000
)

func newRadixSorter(n int) *radixSorter {
	return &radixSorter{keys: make([]keyed, n), other: make([]keyed, n)}
}

// fewKeys is where comparison sorting is as fast as radix passes.
const fewKeys = 100

// sort returns the keys in order; the slice is overwritten by the next sort.
func (r *radixSorter) sort() []keyed {
	a, b := r.keys, r.other
	if len(a) <= fewKeys {
		slices.SortFunc(a, func(x, y keyed) int {
			switch {
			case x.key < y.key:
				return -1
			case x.key > y.key:
				return 1
			}
			return int(x.row - y.row)
		})
		return a
	}
	var differ uint64
	sorted := true
	for q := range a {
		differ |= a[q].key ^ a[0].key
		sorted = sorted && (q == 0 || a[q-1].key <= a[q].key)
	}
	if sorted {
		return a
	}
	limit := narrowDigit
	if len(a) > manyKeys {
		limit = wideDigit
	}
	low := bits.TrailingZeros64(differ)
	width := bits.Len64(differ) - low
	passes := (width + limit - 1) / limit
	digit := (width + passes - 1) / passes
	mask := uint64(1)<<digit - 1
	next := r.count[:mask+1]
	for shift := low; shift < low+width; shift += digit {
		if differ>>shift&mask == 0 {
			continue
		}
		clear(next)
		for q := range a {
			next[a[q].key>>shift&mask]++
		}
		at := int32(0)
		for v, c := range next {
			next[v] = at
			at += c
		}
		for _, e := range a {
			v := e.key >> shift & mask
			b[next[v]] = e
			next[v]++
		}
		a, b = b, a
	}
	return a
}
