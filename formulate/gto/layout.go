package gto

import "slices"

// layout numbers the nodes of a structure as the paper does: decisions 0..D-1
// (d+1 in names), then leaves 0..D (D+1+k in names), each level by level from
// left to right. A slot is a side of a decision: 2d for left, 2d+1 for right.
type layout struct {
	decisions int
	left      []int // (D) child: a decision, or ^leaf
	right     []int
	leaves    []leaf // (D+1)
	classes   []class
}

type leaf struct {
	class int
	path  []int // slots from the root
}

// class is what the rows of one class need.
type class struct {
	leaves []int // its leaves: theta_k of the paper
	slots  []side
}

// side is a side that some leaf of the class asks for.
type side struct {
	slot   int
	leaves []int // positions in class.leaves of those on that side
	all    bool  // these are all leaves of the class
}

func newLayout(s *Structure, k int) *layout {
	l := &layout{classes: make([]class, k)}
	type place struct {
		s    *Structure
		path []int
	}
	queue := []place{{s, nil}}
	decisions, leaves := 0, 0 // numbered so far
	number := func(s *Structure) int {
		if s.Leaf() {
			leaves++
			return ^(leaves - 1)
		}
		decisions++
		return decisions - 1
	}
	number(s)
	for ; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.s.Leaf() {
			l.classes[at.s.Class].leaves = append(l.classes[at.s.Class].leaves, len(l.leaves))
			l.leaves = append(l.leaves, leaf{at.s.Class, at.path})
			continue
		}
		d := l.decisions
		l.decisions++
		l.left, l.right = append(l.left, number(at.s.Left)), append(l.right, number(at.s.Right))
		queue = append(queue,
			place{at.s.Left, append(slices.Clip(at.path), 2*d)},
			place{at.s.Right, append(slices.Clip(at.path), 2*d+1)})
	}
	for c := range l.classes {
		l.classes[c].collect(l)
	}
	return l
}

// collect lists the slots on the paths to the leaves of the class.
func (c *class) collect(l *layout) {
	beneath := map[int][]int{}
	for q, k := range c.leaves {
		for _, s := range l.leaves[k].path {
			beneath[s] = append(beneath[s], q)
		}
	}
	for s := range 2 * l.decisions {
		if q := beneath[s]; q != nil {
			c.slots = append(c.slots, side{s, q, len(q) == len(c.leaves)})
		}
	}
}

// slotOf returns the position of a slot in c.slots.
func (c *class) slotOf(slot int) int {
	at, _ := slices.BinarySearchFunc(c.slots, slot, func(s side, want int) int { return s.slot - want })
	return at
}

// choice says that rows of the class have more than one leaf to be right at.
func (c *class) choice() bool { return len(c.leaves) > 1 }

// products is the number of products of leaf errors of a row of the class.
func (c *class) products() int { return max(len(c.leaves)-1, 0) }
