package localsearch

import (
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// data is the data of a search: merged rows, presorted.
type data struct {
	ds      *dataset.Dataset
	pre     *tree.Presort
	n, p, k int
	y       []int32   // (n)
	w       []float64 // (n)
	local   []int32   // (n) scratch: -1 outside of fill
}

func newData(ds *dataset.Dataset, pre *tree.Presort) *data {
	d := &data{ds: ds, pre: pre, n: ds.N(), p: ds.P(), k: ds.K(), w: ds.Weight}
	d.y, d.local = make([]int32, d.n), make([]int32, d.n)
	for i, y := range ds.Y {
		d.y[i], d.local[i] = int32(y), -1
	}
	return d
}

// varies says whether some feature has two values.
func (d *data) varies() bool {
	for j := range d.p {
		if len(d.pre.Values(j)) > 1 {
			return true
		}
	}
	return false
}

// rowSet is a set of rows, numbered from 0, in the order of each feature. An
// entry is a row's number times two, plus one where the next value is another
// one: a threshold may follow. It costs 4 bytes per row and feature.
type rowSet struct {
	n        int
	rows     []int32 // (n) as the data numbers them
	y        []int32
	w        []float64
	features []int32 // those with a threshold
	flat     []int32
}

// order returns the entries of feature j, one of features. (n)
func (s *rowSet) order(j int32) []int32 {
	stride := s.n + 1
	return s.flat[int(j)*stride : int(j)*stride+s.n]
}

// fill makes s the given rows: one pass over the data's order of each feature,
// in memory that is used again.
func (s *rowSet) fill(d *data, rows []int32) {
	s.n = len(rows)
	stride := s.n + 1 // the compaction writes one past the end
	s.rows = append(s.rows[:0], rows...)
	s.flat = slices.Grow(s.flat[:0], d.p*stride)[:d.p*stride]
	s.features, s.y, s.w = s.features[:0], s.y[:0], s.w[:0]
	for at, i := range rows {
		d.local[i] = int32(at)
		s.y, s.w = append(s.y, d.y[i]), append(s.w, d.w[i])
	}
	for j := range d.p {
		out := s.flat[j*stride : (j+1)*stride]
		at := 0
		for _, i := range d.pre.Order(j) { // no branch to mispredict
			l := d.local[i]
			out[at] = l
			at += 1 - int(uint32(l)>>31)
		}
		if s.mark(out[:s.n], d.pre.Ranks(j)) {
			s.features = append(s.features, int32(j))
		}
	}
	for _, i := range rows {
		d.local[i] = -1
	}
}

// mark turns row numbers into entries and says whether there is a threshold.
func (s *rowSet) mark(out, rank []int32) bool {
	if s.n == 0 {
		return false
	}
	here := rank[s.rows[out[0]]]
	changes := int32(0)
	for q := 1; q < len(out); q++ {
		next := rank[s.rows[out[q]]]
		var differs int32
		if next != here {
			differs = 1
		}
		changes |= differs
		out[q-1] = out[q-1]<<1 | differs
		here = next
	}
	out[s.n-1] <<= 1
	return changes != 0
}

// rankAfter returns the rank below which rows go left where the threshold follows
// position q of feature j: in the middle between the two ranks, for rows that
// come later.
func (s *rowSet) rankAfter(d *data, j int32, q int) int32 {
	rank, order := d.pre.Ranks(int(j)), s.order(j)
	a, b := rank[s.rows[order[q]>>1]], rank[s.rows[order[q+1]>>1]]
	return (a + b + 1) / 2
}
