package regression

import (
	"context"
	"math"

	"github.com/octgen/octgen/tree"
)

// Greedy returns the tree that takes the best split at each node, as CART does, as long as it pays its penalty. The end of ctx
// leaves the splits so far.
func Greedy(ctx context.Context, q Problem) *Node {
	r := prepare(ctx, &q)
	if r == nil || r.total == 0 {
		return leafNode
	}
	s := newSolver(ctx, &q, r)
	t, _ := s.greedy(s.all(q.Depth), q.Depth)
	return t
}

// greedy is the tree of a set, with its loss and penalties.
func (s *solver) greedy(a *set, depth int) (*Node, float64) {
	if depth == 0 || s.ctx.Err() != nil || a.leaf() <= s.tolerance {
		return leafNode, a.leaf()
	}
	_, _, t := s.stump(a, math.Inf(1))
	if t.Left == nil {
		return leafNode, a.leaf()
	}
	n, value := &Node{Feature: t.Feature, Threshold: t.Threshold}, s.penalty
	g := 0
	for int(a.feat[g]) != t.Feature {
		g++
	}
	b := int(a.off[g])
	for tree.Midpoint(s.values[t.Feature][a.val[b]], s.values[t.Feature][a.val[b+1]]) != t.Threshold {
		b++
	}
	for side, to := range []**Node{&n.Left, &n.Right} {
		c := &set{}
		s.take(a, g, b, side, c)
		s.compress(a, c)
		below, v := s.greedy(c, depth-1)
		*to, value = below, value+v
	}
	return n, value
}
