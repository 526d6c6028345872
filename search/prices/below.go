package prices

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/tree"
)

// setFixed lays the splits that stay out: those of t that part points.
func (p *problem) setFixed(t *tree.Tree) error {
	if t == nil {
		return nil
	}
	if t = t.Collapse(p.points); t.Splits() == 0 {
		return nil
	}
	if depth := t.Depth(); depth > p.depth {
		return fmt.Errorf("lagrange: the splits that stay have depth %d; the greatest is %d", depth, p.depth)
	}
	p.fixed = t
	p.base = p.shapeOf(t)
	p.mark(p.base)
	return nil
}

// possible says whether there is a shape at all: the splits that stay are no more than the
// limit and leave enough to every leaf.
func (p *problem) possible() bool {
	return p.base == nil || p.base.splits() <= p.splits && p.admits(p.sums(p.base))
}

// first is the shape to begin with: the splits that stay, or the single leaf.
func (p *problem) first() *shape {
	if p.base != nil {
		return p.base.clone()
	}
	return &shape{nodes: []node{{feature: -1}}, leaves: []int32{0}}
}

// mark marks the splits of a shape that stay; it begins with those of base.
func (p *problem) mark(t *shape) {
	if p.base == nil {
		return
	}
	var down func(b, at int32)
	down = func(b, at int32) {
		of, n := &p.base.nodes[b], &t.nodes[at]
		if of.feature < 0 {
			return
		}
		n.stays = true
		down(of.left, n.left)
		down(of.right, n.right)
	}
	down(0, 0)
}

// admitted is the shape of a tree to begin with: what it does at each leaf of the splits
// that stay, as far as the depth allows; nil where it is no tree of the problem.
func (p *problem) admitted(t *tree.Tree) *shape {
	if p.base != nil {
		rows := make([][]int, len(p.fixed.Nodes))
		for q := range p.n {
			leaf := p.fixed.Find(p.points.Row(q))
			rows[leaf] = append(rows[leaf], q)
		}
		whole := p.fixed.Clone()
		for leaf := range p.fixed.Nodes {
			if p.fixed.Nodes[leaf].Leaf() {
				whole.Graft(leaf, t.Collapse(p.points.Subset(rows[leaf])))
			}
		}
		t = whole
	}
	if t.Depth() > p.depth || t.Splits() > p.splits {
		return nil
	}
	return p.shapeOf(t)
}

// fixedPart is the part of the points at a node of the splits that stay, and at its leaves
// with the levels that are left; least is the least priced cost of its trees.
type fixedPart struct {
	nd            *part
	feature, rank int32 // -1: a leaf
	depth         int
	least         float64
	left, right   *fixedPart
}

// lay lays out what is at and below a node of base. What it says of costs counts only where
// nothing has failed.
func (f *frontier) lay(nd *part, at int32, depth int) *fixedPart {
	n := &f.p.base.nodes[at]
	x := &fixedPart{nd: nd, feature: n.feature, rank: n.rank, depth: depth}
	switch {
	case n.feature >= 0:
		left, right := f.split(nd, int(n.feature), n.rank)
		x.left, x.right = f.lay(left, n.left, depth-1), f.lay(right, n.right, depth-1)
		x.least = x.left.least + x.right.least + f.p.price
	case depth == 0:
		x.least = f.leaf(nd)
	default:
		x.least = f.leastTree(nd, depth, math.Inf(1))
	}
	return x
}

// grown emits the trees of a part that are of priced cost below limit; of parts as good as
// each other, one.
func (f *frontier) grown(x *fixedPart, limit float64, emit func(*outcome)) {
	switch {
	case x.feature >= 0:
		l, r := &front{active: f.sums}, &front{active: f.sums}
		limit -= f.p.price
		f.grown(x.left, limit-x.right.least, l.offer)
		f.grown(x.right, limit-x.left.least, r.offer)
		f.pairs(l, r, rootCut{feature: int(x.feature), rank: x.rank}, limit, emit)
	case x.depth >= 2:
		f.trees(x.nd, x.depth, limit, emit)
	default:
		for _, q := range x.nd.order[0] {
			f.side[q] = 0
		}
		if x.depth == 0 {
			f.leaves(x.nd, 0, limit, emit)
		} else {
			f.stumps(x.nd, 0, limit, emit)
		}
	}
}

// runBelow is run where splits stay.
func (f *frontier) runBelow() (bound float64, ended bool) {
	x := f.lay(f.root(), 0, f.p.depth)
	if f.failed {
		return math.Inf(-1), false
	}
	if x.least < f.below {
		f.grown(x, f.below, f.offer)
	}
	if f.failed {
		return f.unpaid(x.least), false
	}
	return f.end()
}
