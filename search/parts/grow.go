package parts

import (
	"github.com/octgen/octgen/search/clauses"
	"github.com/octgen/octgen/tree"
)

// grow returns the tree of the assignment that satisfies all clauses.
func (q *placing) grow() *tree.Tree {
	t := tree.NewLeaf(q.src, q.label(1))
	q.growAt(t, 0, 1)
	return t
}

// growAt grows the split of node v at a leaf of t.
func (q *placing) growAt(t *tree.Tree, leaf, v int) {
	s := q.spots[v]
	var on [2][]int32
	for _, c := range s.columns {
		on[c&1] = append(on[c&1], c>>1)
	}
	last := v >= q.lastNodes()
	if len(on[0]) == 0 || len(on[1]) == 0 {
		if !last && len(on[0])+len(on[1]) > 0 {
			q.growAt(t, leaf, 2*v+side(float64(len(on[1])-len(on[0]))))
		}
		return
	}
	s.sep.Widest(s.columns) // if it gives up there is the last one
	split := q.cut(s.sep.Plane, on[0], on[1])
	if split == nil {
		return
	}
	if last {
		t.Grow(leaf, split, s.pair[0], s.pair[1])
		return
	}
	t.Grow(leaf, split, q.label(2*v), q.label(2*v+1))
	left, right := t.Nodes[leaf].Left, t.Nodes[leaf].Right
	q.growAt(t, left, 2*v)
	q.growAt(t, right, 2*v+1)
}

// label is the class of a correct row under node v; 0 for none.
func (q *placing) label(v int) int {
	for i := range q.n() {
		if l := q.under(i, v); q.solver.Value(l.Var()) == (l == clauses.True(l.Var())) {
			return q.class(i)
		}
	}
	return 0
}
