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

// Midpoint returns the threshold between the neighbouring training values v
// and next, v < next: their midpoint, or next where the midpoint is not
// strictly above v in floating point. So v goes left of the threshold and next
// goes right, always. Values of any finite size are allowed.
func Midpoint(v, next float64) float64 {
	m := (v + next) / 2
	if math.IsInf(m, 0) { // the sum overflowed; halves of such values are exact
		m = v/2 + next/2
	}
	if !(m > v) {
		return next
	}
	return m
}

// EnoughWeight reports whether the weight w satisfies a minimum leaf weight
// nmin. Sums of fractional weights are rounded, so a shortfall of 1e-9 of nmin
// is forgiven; everything that compares a weight with N_min does it here.
func EnoughWeight(w, nmin float64) bool { return w >= LeastWeight(nmin) }

// LeastWeight is the least weight that EnoughWeight accepts.
func LeastWeight(nmin float64) float64 { return nmin - dataset.LeafTolerance*nmin }

// Centre puts the threshold half way between the rows of ds, by their numbers, that are
// to go left and those that are to go right. It reports whether there is room between
// them; where there is none the threshold parts them no more.
func (s *Split) Centre(ds *dataset.Dataset, left, right []int32) bool {
	below, above := math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, s.sum(ds.Row(int(i))))
	}
	for _, i := range right {
		above = min(above, s.sum(ds.Row(int(i))))
	}
	s.Threshold = Midpoint(below, above)
	return below < above
}

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

// Subset is a set of rows of a Presort, in the order of each feature: what a
// search knows of a node. Its zero value is empty; the rows of all subsets of
// one Presort can be had from All, and from there by splitting.
//
// A Subset is a small value that refers to memory it may share with others:
// All shares the Presort's own, Split leaves both parts in the place of the
// whole, Filter writes to memory of its own. So a search that never comes back to a
// node uses Split, one that tries several splits of a node Filter.
type Subset struct {
	pre    *Presort
	order  []int32 // feature j's rows: order[j*stride+lo : j*stride+lo+size]
	stride int
	lo     int
	size   int
	shared bool // order is the Presort's own
}

// All returns the set of all rows. It is read-only: Clone it before Split.
func (s *Presort) All() Subset {
	return Subset{pre: s, order: s.order, stride: s.n, size: s.n, shared: true}
}

// Clone returns the same set in memory of its own.
func (s Subset) Clone() Subset {
	var c Subset
	c.own(s.pre, s.size)
	for j := range s.pre.p {
		copy(c.order[j*c.stride:], s.Order(j))
	}
	c.size = s.size
	return c
}

// Size returns the number of rows.
func (s Subset) Size() int { return s.size }

// Presort returns what s is a subset of.
func (s Subset) Presort() *Presort { return s.pre }

// Order returns the rows of the set by ascending value of feature j. Shared,
// not to be written to.
func (s Subset) Order(j int) []int32 {
	at := j*s.stride + s.lo
	return s.order[at : at+s.size : at+s.size]
}

// own makes room for size rows per feature, reusing what is there.
func (s *Subset) own(pre *Presort, size int) {
	if s.shared {
		s.order = nil
	}
	stride := size + 1 // Filter writes one past the end
	s.order = slices.Grow(s.order[:0], pre.p*stride)[:pre.p*stride]
	s.pre, s.stride, s.lo, s.size, s.shared = pre, stride, 0, size, false
}

// Filter makes dst the rows i of s with node[i] == id, where node labels all
// rows of the Presort. (n) It reuses dst's memory, which must not be that of
// s.
func (s Subset) Filter(dst *Subset, node []int32, id int32) {
	size := 0
	if s.pre.p > 0 {
		for _, i := range s.Order(0) {
			if node[i] == id {
				size++
			}
		}
	}
	dst.own(s.pre, size)
	for j := range s.pre.p {
		out := dst.order[j*dst.stride : (j+1)*dst.stride]
		at := 0
		for _, i := range s.Order(j) { // no branch to mispredict
			out[at] = i
			if node[i] == id {
				at++
			}
		}
	}
}

// Partitioner holds the scratch memory of splitting: 5 bytes per row of the
// Presort. It is not safe for concurrent use.
type Partitioner struct {
	right []uint8 // (n) 1 where the row goes right; for rows outside the set, anything
	tmp   []int32 // (n)
}

// NewPartitioner returns the scratch memory for splitting subsets of pre.
func NewPartitioner(pre *Presort) *Partitioner {
	return &Partitioner{right: make([]uint8, pre.n), tmp: make([]int32, pre.n)}
}

// Split parts s after its first size rows in the order of feature j, in place:
// s itself must not be used afterwards. Both parts keep all orders. It panics
// where s is read-only. Where the size comes from a Best, that is the split.
func (p *Partitioner) Split(s Subset, j, size int) (left, right Subset) {
	if s.shared {
		panic("tree: Split of a read-only subset")
	}
	p.mark(s, j, size)
	for f := range s.pre.p {
		if f == j {
			continue // the first size rows already are the left part
		}
		rows := s.Order(f)
		l, r := 0, 0
		for _, i := range rows { // no branch to mispredict; l never overtakes the read
			goes := int(p.right[i])
			p.tmp[r] = i
			rows[l] = i
			r += goes
			l += 1 - goes
		}
		copy(rows[l:], p.tmp[:r])
	}
	left, right = s, s
	left.size = size
	right.lo += size
	right.size -= size
	return left, right
}

// mark notes the side of each row of s.
func (p *Partitioner) mark(s Subset, j, size int) {
	rows := s.Order(j)
	for _, i := range rows[:size] {
		p.right[i] = 0
	}
	for _, i := range rows[size:] {
		p.right[i] = 1
	}
}

// Training is training data laid out once for everything that searches trees in
// it: weights in their common unit, equal rows merged, features sorted. It is not
// written to and safe for concurrent use.
type Training struct {
	Source  *dataset.Dataset // as given
	Unit    dataset.Unit     // of the weights of Rows
	Rows    *dataset.Dataset // of Source, those of equal features and class made one
	Presort *Presort         // of Rows
}

// NewTraining lays ds out until ctx ends; its cause is the error then. Weights are
// whole numbers where they add up to at most dataset.MostUnits.
func NewTraining(ctx context.Context, ds *dataset.Dataset) (*Training, error) {
	inUnits, unit := ds.InUnits(dataset.MostUnits) // before merging: sums of whole numbers are exact
	rows, _ := inUnits.Merge()
	pre, err := NewPresortContext(ctx, rows)
	if err != nil {
		return nil, err
	}
	return &Training{Source: ds, Unit: unit, Rows: rows, Presort: pre}, nil
}

// InSource returns t, which was made of Rows, annotated with the source.
func (l *Training) InSource(t *Tree) *Tree {
	t = t.Clone()
	t.Annotate(l.Source)
	return t
}
