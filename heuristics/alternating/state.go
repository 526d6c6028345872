package alternating

import (
	"slices"

	"github.com/octgen/octgen/tree"
)

// state is a full tree of the depth in heap order: planes 1..T-1, leaves T..2T-1.
type state struct {
	plane []plane // (T)
	label []int32 // (2T)
}

func (s *state) leaves() int { return len(s.plane) }

func (s *state) copyOf(o *state) {
	s.plane = append(s.plane[:0], o.plane...) // planes are replaced, not written to
	s.label = append(s.label[:0], o.label...)
}

// worth is the value of a tree: what is admitted comes before what is not.
type worth struct {
	broken float64 // weight within margins (unless only right rows keep them) and missing in leaves; features too many
	loss   float64 // error weight + price of features
}

func (v worth) better(o worth) bool {
	if v.broken != o.broken {
		return v.broken < o.broken
	}
	return v.loss < o.loss-leastGain*(1+o.loss)
}

// cost of row i in the subtree at node t, in weight: 1 for a wrong leaf; within a
// margin 1 as well where only right rows keep it, else more than a wrong row.
func (e *searcher) cost(s *state, t int, i int32) float64 {
	x, c := e.row(i), 0.0
	for t < s.leaves() {
		pl := &s.plane[t]
		v := pl.value(x)
		if e.thin(pl, v) {
			if e.o.Right {
				return e.w[i]
			}
			c += e.within * e.w[i]
		}
		if t = 2 * t; v >= 0 {
			t++
		}
	}
	if s.label[t] != e.y[i] {
		c += e.w[i]
	}
	return c
}

// thin reports whether a row of this value is within the margin.
func (e *searcher) thin(s *plane, value float64) bool {
	return s.a != nil && value > -e.half && value < e.half
}

// reaching returns the rows at node t, by the signs of the planes above it. Where only
// right rows keep margins, those within one above it are wrong whatever t does, and left
// out.
func (e *searcher) reaching(s *state, t int) []int32 { return e.rowsAt(s, t, e.o.Right) }

// through returns all rows at node t.
func (e *searcher) through(s *state, t int) []int32 { return e.rowsAt(s, t, false) }

// rowsAt returns the rows at node t, with or without those within margins above it.
func (e *searcher) rowsAt(s *state, t int, only bool) []int32 {
	var path []int
	for u := t; u > 1; u /= 2 {
		path = append(path, u)
	}
	slices.Reverse(path)
	var at []int32
rows:
	for i := range int32(e.n) {
		for _, u := range path {
			pl := &s.plane[u/2]
			v := pl.value(e.row(i))
			if only && e.thin(pl, v) {
				continue rows
			}
			if (v >= 0) != (u%2 == 1) {
				continue rows
			}
		}
		at = append(at, i)
	}
	e.spend(e.n * e.p)
	return at
}

// classWeights are those of some rows.
func (e *searcher) classWeights(rows []int32) []float64 {
	weight := make([]float64, e.k)
	for _, i := range rows {
		weight[e.y[i]] += e.w[i]
	}
	return weight
}

// features over all splits.
func (s *state) features() int {
	n := 0
	for t := range s.plane {
		n += s.plane[t].features()
	}
	return n
}

// worth of a tree.
func (e *searcher) worth(s *state) worth {
	var v worth
	weight := make([]float64, 2*s.leaves())
	for i := range int32(e.n) {
		x := e.row(i)
		t, thin := 1, false
		for t < s.leaves() {
			pl := &s.plane[t]
			d := pl.value(x)
			thin = thin || e.thin(pl, d)
			if t = 2 * t; d >= 0 {
				t++
			}
		}
		weight[t] += e.w[i]
		if thin && !e.o.Right {
			v.broken += e.w[i]
		}
		if s.label[t] != e.y[i] || thin && e.o.Right {
			v.loss += e.w[i]
		}
	}
	e.spend(e.n * e.p * e.o.Depth)
	for _, w := range weight {
		if w > 0 && !tree.EnoughWeight(w, e.minLeaf) {
			v.broken += e.minLeaf - w
		}
	}
	f := s.features()
	if e.o.MaxSplits > 0 && f > e.o.MaxSplits {
		v.broken += float64(f-e.o.MaxSplits) * e.total
	}
	v.loss += e.price * float64(f)
	return v
}
