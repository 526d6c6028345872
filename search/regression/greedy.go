package regression

import (
	"context"
	"slices"
)

// Greedy returns the tree that takes the best split at each node, as CART does, as long as it pays its penalty. The end of ctx
// leaves the splits so far.
func Greedy(ctx context.Context, q Problem) *Node {
	r := prepare(ctx, &q)
	if r == nil || r.total == 0 {
		return leafNode
	}
	s := newSolver(ctx, &q, r)
	t, _ := s.greedy(s.all(s.most(), nil))
	return t
}

// leaf is one that the greedy tree may split.
type leaf struct {
	node  *Node
	set   *set
	depth int
	split *Node
	gain  float64
}

// greedy is the tree of a set, with its loss and penalties: the split of the largest gain first, as long as there are any and the
// limits allow it.
func (s *solver) greedy(a *set) (*Node, float64) {
	root := &Node{}
	value, splits := a.leaf(), a.splits
	var open []leaf
	add := func(n *Node, c *set, depth int) {
		if depth == 0 || c.leaf() <= s.tolerance {
			return
		}
		if v, _, t := s.stump(c, c.leaf()); t != nil && t.Left != nil {
			open = append(open, leaf{n, c, depth, t, c.leaf() - v})
		}
	}
	add(root, a, a.depth)
	for ; len(open) > 0 && splits > 0 && s.ctx.Err() == nil; splits-- {
		at := 0
		for i := range open {
			if open[i].gain > open[at].gain {
				at = i
			}
		}
		l := open[at]
		open = slices.Delete(open, at, at+1)
		value -= l.gain
		*l.node = Node{Feature: l.split.Feature, Threshold: l.split.Threshold, Left: &Node{}, Right: &Node{}}
		g, b := s.cutOf(l.set, l.split)
		for side, n := range []*Node{l.node.Left, l.node.Right} {
			c := &set{}
			s.take(l.set, g, b, side, c)
			s.compress(l.set, c)
			add(n, c, l.depth-1)
		}
	}
	return root, value
}

// cutOf is the cut of a set that a split makes: the feature of the set, -1 if it does not vary, and the last of its values that go left.
func (s *solver) cutOf(a *set, n *Node) (g, b int) {
	g = slices.Index(a.feat, int32(n.Feature))
	if g < 0 {
		return -1, 0
	}
	first, last := a.cuts(g)
	values := s.values[n.Feature]
	b = first
	for b < last && values[a.val[b+1]] < n.Threshold {
		b++
	}
	return g, b
}
