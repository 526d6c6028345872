package regression

import (
	"math"
	"slices"
)

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
	value, splits := a.leaf(), a.splits-s.problem.Fixed.Splits()
	var open []leaf
	add := func(n *Node, c *set, depth int) {
		if depth == 0 || c.leaf() <= s.tolerance {
			return
		}
		if v, _, t := s.stump(c, c.leaf()); t != nil && t.Left != nil {
			open = append(open, leaf{n, c, depth, t, c.leaf() - v})
		}
	}
	var keep func(n *Node, c *set, depth int, fixed *Node) bool
	keep = func(n *Node, c *set, depth int, fixed *Node) bool {
		if fixed == nil || fixed.Left == nil {
			add(n, c, depth)
			return true
		}
		*n = Node{Feature: fixed.Feature, Threshold: fixed.Threshold, Left: &Node{}, Right: &Node{}}
		sides := s.sides(c, fixed)
		value += s.penalty - c.leaf() + sides[0].leaf() + sides[1].leaf()
		return depth > 0 && min(sides[0].w, sides[1].w) >= s.minLeaf &&
			keep(n.Left, sides[0], depth-1, fixed.Left) && keep(n.Right, sides[1], depth-1, fixed.Right)
	}
	if !keep(root, a, a.depth, s.problem.Fixed) || splits < 0 {
		return nil, math.Inf(1)
	}
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
		sides := s.sides(l.set, l.split)
		add(l.node.Left, sides[0], l.depth-1)
		add(l.node.Right, sides[1], l.depth-1)
	}
	return root, value
}

// sides are the rows of a set on the sides of a split that parts them.
func (s *solver) sides(a *set, n *Node) (sides [2]*set) {
	g, b := s.cutOf(a, n)
	for side := range sides {
		c := &set{}
		s.take(a, g, b, side, c)
		s.compress(a, c)
		sides[side] = c
	}
	return sides
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
