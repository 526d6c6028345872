package sparse

import (
	"fmt"
	"sort"

	"github.com/octgen/octgen/tree"
)

// everyPoint lists the points of the data.
func (s *search) everyPoint() []int32 {
	points := make([]int32, len(s.p.first))
	for q := range points {
		points[q] = int32(q)
	}
	return points
}

// build builds the best tree in the table for a node, below node at of t. points are those of the
// data that reach it.
func (s *search) build(t *tree.Tree, at int, nd *node, points []int32) error {
	e := s.memo.find(nd.key)
	if e == nil || e.bin < 0 || s.lambda+s.errors(nd.cells) <= 2*s.lambda {
		return nil
	}
	p, bin, ub := s.p, e.bin, e.ub
	f := sort.Search(p.p, func(f int) bool { return p.start[f+1] > bin })
	var left, right node
	left.cells, right.cells = make([]int64, s.width), make([]int64, s.width)
	for _, i := range nd.rows {
		side := &left
		if p.bin[f][i] > bin {
			side = &right
		}
		side.rows = append(side.rows, i)
		side.key = side.key.xor(p.key[i])
		s.addRow(side.cells, int(i))
	}
	if s.valueOf(&left)+s.valueOf(&right) > ub { // found by segmentation: the sides are not in the table
		for _, side := range []*node{&left, &right} {
			s.solve(side, nil, infinite, 0)
		}
	}
	if v := s.valueOf(&left) + s.valueOf(&right); v > ub {
		return fmt.Errorf("sparse: internal error: a node had value %d, now %d", ub, v)
	}
	ranks, values := p.points.Ranks(p.feature[f]), p.points.Values(p.feature[f])
	var sides [2][]int32
	low, high := int32(-1), int32(len(values))
	for _, q := range points {
		if r := ranks[q]; r <= p.last[bin] {
			sides[0], low = append(sides[0], q), max(low, r)
		} else {
			sides[1], high = append(sides[1], q), min(high, r)
		}
	}
	l, r := t.Grow(at, tree.Univariate(p.feature[f], tree.Midpoint(values[low], values[high])), 0, 0)
	if err := s.build(t, l, &left, sides[0]); err != nil {
		return err
	}
	return s.build(t, r, &right, sides[1])
}

// valueOf is the value of the tree that the table has for a node.
func (s *search) valueOf(nd *node) int64 {
	if e := s.memo.find(nd.key); e != nil {
		return e.ub
	}
	return s.lambda + s.errors(nd.cells)
}
