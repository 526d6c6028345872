package squares

import (
	"context"
	"math"
)

// Greedy returns the tree that takes the best split at each node, as CART does, as long as it pays its penalty. The end of ctx
// leaves the splits so far.
func Greedy(ctx context.Context, q Problem) *Node {
	r := prepare(ctx, &q)
	if r == nil || r.total == 0 {
		return leafNode
	}
	s := newSolver(ctx, &q, r)
	return s.greedy(s.all(q.Depth), q.Depth)
}

// greedy is the tree of a set.
func (s *solver) greedy(a *set, depth int) *Node {
	if depth == 0 || s.ctx.Err() != nil || a.leaf() <= s.tolerance {
		return leafNode
	}
	_, _, t := s.stump(a, math.Inf(1))
	if t.Left == nil {
		return leafNode
	}
	n := &Node{Feature: t.Feature, Threshold: t.Threshold}
	g, b := 0, 0
	for int(a.feat[g]) != t.Feature {
		g++
	}
	for b = int(a.off[g]); midpoint(s.values[t.Feature][a.val[b]], s.values[t.Feature][a.val[b+1]]) != t.Threshold; b++ {
	}
	for side, to := range []**Node{&n.Left, &n.Right} {
		c := &set{}
		s.take(a, g, b, side, c)
		s.compress(a, c)
		*to = s.greedy(c, depth-1)
	}
	return n
}
