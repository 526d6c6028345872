package tree

import "slices"

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
