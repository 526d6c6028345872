package treesearch

import (
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// tree makes the tree of an answer for the root. Answers hold only a root; the
// splits below it are found by solving its children again, which is little
// beside the search, since their values are known. No limit applies.
func (s *search) tree(a answer, ds *dataset.Dataset) (*tree.Tree, error) {
	b := &builder{w: s.workers[0], tree: tree.NewLeaf(ds, 0)}
	b.w.stopped, b.w.limit, b.w.done = false, 1<<62, func() bool { return false }
	if err := b.grow(0, s.root, a); err != nil {
		return nil, err
	}
	b.tree.Relabel(ds)
	return b.tree, nil
}

type builder struct {
	w    *worker
	tree *tree.Tree
}

// grow makes the node at index i what a says of the rows of nd.
func (b *builder) grow(i int, nd *node, a answer) error {
	if a.leaf {
		return nil
	}
	p := b.w.p
	at := nd.order(int(a.feature))
	low, high := int(at[a.pos-1]>>32), int(at[a.pos]>>32)
	values := p.pre.Values(int(a.feature))
	split := tree.Univariate(p.kept[a.feature], tree.Midpoint(values[low], values[high]))
	left, right := b.tree.Grow(i, split, 0, 0)
	l, r := newNode(p), newNode(p)
	lc := child{header: &l.header, node: l, depth: int(a.depth) - 1, budget: int(a.left)}
	rc := child{header: &r.header, node: r, depth: int(a.depth) - 1, budget: int(a.right)}
	b.w.split.split(&lc, &rc, nd, int(a.feature), a.pos)
	if err := b.child(left, lc, a.lvalue); err != nil {
		return err
	}
	return b.child(right, rc, a.rvalue)
}

// child solves c, whose value is known, and grows the node at index at.
func (b *builder) child(at int, c child, value float64) error {
	p := b.w.p
	nd := c.node
	c.depth = depthFor(c.depth, c.budget)
	if c.depth == 1 || c.depth == 2 {
		c.pair, c.node = newPairNode(p), nil
		c.header = &c.pair.header
		b.w.split.whole(&c, nd)
	}
	a := b.w.solve(c, p.above(value))
	if a.value > value+p.slack {
		return fmt.Errorf("treesearch: internal error: a subtree of value %v, then of %v", value/p.scale, a.value/p.scale)
	}
	return b.grow(at, nd, a)
}
