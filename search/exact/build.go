package exact

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// tree makes the tree of an answer for the root.
func (s *search) tree(a answer, ds *dataset.Dataset) (*tree.Tree, error) {
	b := &builder{w: s.workers[0], tree: tree.NewLeaf(ds, 0)}
	b.w.stopped, b.w.limit, b.w.done = false, math.MaxInt64, func() bool { return false }
	if err := b.grow(0, s.root, &a); err != nil {
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
func (b *builder) grow(i int, nd *node, a *answer) error {
	if a.leaf {
		return nil
	}
	p := b.w.p
	low, high := nd.ranksBeside(int(a.feature), a.pos)
	values := p.values(int(a.feature))
	split := tree.Univariate(p.kept[a.feature], tree.Midpoint(values[low], values[high]))
	left, right := b.tree.Grow(i, split, 0, 0)
	l, r := newNode(p), newNode(p)
	lc, rc := child{header: &l.header, node: l, depth: 1}, child{header: &r.header, node: r, depth: 1}
	b.w.split.split(&lc, &rc, nd, int(a.feature), a.pos)
	if a.left == nil {
		var err error
		if a.left, err = b.stump(l, a.lvalue, a.lsplits); err != nil {
			return err
		}
		if a.right, err = b.stump(r, a.rvalue, a.rsplits); err != nil {
			return err
		}
	}
	if err := b.grow(left, l, a.left); err != nil {
		return err
	}
	return b.grow(right, r, a.right)
}

// stump finds the leaf or the stump of a known value.
func (b *builder) stump(nd *node, value float64, splits int32) (*answer, error) {
	p, pair := b.w.p, newPairNode(b.w.p)
	c := child{header: &pair.header, pair: pair, depth: int(splits), budget: int(splits)}
	b.w.split.whole(&c, nd)
	a := b.w.solve(c, p.above(value))
	if math.Abs(a.value-value) > p.tol+p.slack {
		return nil, fmt.Errorf("treesearch: internal error: a stump of value %v, then of %v", value, a.value)
	}
	if !a.leaf {
		a.left, a.right = &answer{leaf: true}, &answer{leaf: true}
	}
	return &a, nil
}
