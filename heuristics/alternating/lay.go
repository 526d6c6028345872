package alternating

import (
	"math"
	"slices"

	"github.com/octgen/octgen/tree"
)

// adopt lays a tree over the heap, what is deeper cut off.
func (e *searcher) adopt(t *tree.Tree) *state {
	s := e.empty()
	t = t.Clone()
	t.Annotate(e.ds)
	e.adoptAt(s, t, 0, 1)
	for node := 1; node < s.leaves() && !e.o.Right; node++ {
		e.centre(s, node)
	}
	return s
}

// centre puts the threshold of a plane half way between the rows on its sides.
func (e *searcher) centre(s *state, node int) {
	pl, below, above := &s.plane[node], math.Inf(-1), math.Inf(1)
	if pl.a == nil {
		return
	}
	for _, i := range e.through(s, node) {
		if v := pl.value(e.row(i)); v < 0 {
			below = max(below, v)
		} else {
			above = min(above, v)
		}
	}
	if !math.IsInf(above-below, 0) {
		pl.b += below + (above-below)/2
	}
}

func (e *searcher) adoptAt(s *state, t *tree.Tree, at, node int) {
	n := &t.Nodes[at]
	if node >= s.leaves() {
		s.label[node] = int32(n.Class)
		if !n.Leaf() {
			s.label[node] = int32(slices.Index(n.Weight, slices.Max(n.Weight)))
		}
		return
	}
	if n.Leaf() {
		for u := node; u < 2*s.leaves(); u = 2*u + 1 {
			s.label[u] = int32(n.Class)
		}
		return
	}
	s.plane[node] = e.planeOf(n.Split)
	e.adoptAt(s, t, n.Left, 2*node)
	e.adoptAt(s, t, n.Right, 2*node+1)
}

// empty is the single leaf of the heaviest class.
func (e *searcher) empty() *state {
	weights := e.ds.ClassWeights()
	k := int32(slices.Index(weights, slices.Max(weights)))
	s := &state{plane: make([]plane, 1<<e.o.Depth), label: make([]int32, 2<<e.o.Depth)}
	for t := range s.label {
		s.label[t] = k
	}
	return s
}

// tree is a state as a tree of the data, without splits that part nothing. What rounding
// makes of a split in the data's units may be none: then ok is false.
func (e *searcher) tree(s *state) (t *tree.Tree, ok bool) {
	t = tree.NewLeaf(e.ds, 0)
	all := make([]int32, e.n)
	for i := range all {
		all[i] = int32(i)
	}
	if !e.emit(s, t, 0, 1, all) {
		return nil, false
	}
	return t.Collapse(e.ds), true
}

func (e *searcher) emit(s *state, t *tree.Tree, at, node int, rows []int32) bool {
	for node < s.leaves() {
		var left, right []int32
		for _, i := range rows {
			if s.plane[node].value(e.row(i)) < 0 {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		switch {
		case len(left) == 0:
			node = 2*node + 1
			continue
		case len(right) == 0:
			node = 2 * node
			continue
		}
		split, exchanged, ok := e.split(&s.plane[node], left, right, !e.o.Right)
		if !ok {
			return false
		}
		first, second := 2*node, 2*node+1
		if exchanged {
			first, second, left, right = second, first, right, left
		}
		l, r := t.Grow(at, split, 0, 0)
		return e.emit(s, t, l, first, left) && e.emit(s, t, r, second, right)
	}
	t.Nodes[at].Class = int(s.label[node])
	return true
}
