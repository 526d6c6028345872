package hyperplane

import (
	"context"
	"errors"
	"math"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Start returns the point of the model that stands for norm(t).
func (f *Formulation) Start(ctx context.Context, t *tree.Tree) ([]float64, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	c := t.Collapse(f.g.DS)
	if n := c.Terms(); f.opts.MaxSplits > 0 && n > f.opts.MaxSplits {
		return nil, point.NoStart(0, "its splits use %d features in all, at most %d are allowed", n, f.opts.MaxSplits)
	}
	h := &hyperTree{planes: make([]*plane, f.leaf.Leaves()), label: make([]int32, 2*f.leaf.Leaves()), at: make([]int, f.g.N)}
	rows := make([]int, f.g.N)
	for i := range rows {
		rows[i] = i
	}
	if err := f.place(ctx, h, c, 0, 1, rows); err != nil {
		return nil, err
	}
	v := make([]float64, f.leaf.End())
	for n, pl := range h.planes {
		if pl == nil {
			continue
		}
		v[f.colD(n)], v[f.colB(n)] = 1, pl.b
		for jx, a := range pl.a {
			if a != 0 {
				v[f.colA(jx, n)], v[f.colAhat(jx, n)], v[f.colS(jx, n)] = a, math.Abs(a), 1
			}
		}
	}
	f.leaf.Start(v, h.at, h.label)
	return v, nil
}

// hyperTree is a tree of hyperplanes over the full tree in heap order.
type hyperTree struct {
	planes []*plane // (T) nil where a branch node does not split
	label  []int32  // (2T)
	at     []int    // (n) leaf of each row
}

// place lays the subtree of c at node i, reached by the given rows, over the
// heap at node n.
func (f *Formulation) place(ctx context.Context, h *hyperTree, c *tree.Tree, i, n int, rows []int) error {
	node := &c.Nodes[i]
	if node.Leaf() {
		for n < f.leaf.Leaves() {
			n = 2*n + 1
		}
		if err := f.g.CheckLeaf(i, node); err != nil {
			return err
		}
		h.label[n] = int32(node.Class)
		for _, r := range rows {
			h.at[r] = n
		}
		return nil
	}
	if n >= f.leaf.Leaves() {
		return point.NoStart(i, "the split is at depth %d, at most %d levels are allowed", f.opts.Depth+1, f.opts.Depth)
	}
	var left, right []int
	for _, r := range rows {
		if node.Split.Left(f.g.DS.Row(r)) {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	pl, err := f.fitPlane(ctx, node.Split, left, right)
	if errors.Is(err, errMargin) {
		return point.NoStart(i, "no split on its features has margin %v: %v", f.opts.Mu, err)
	}
	if err != nil {
		return err
	}
	h.planes[n] = pl
	if err := f.place(ctx, h, c, node.Left, 2*n, left); err != nil {
		return err
	}
	return f.place(ctx, h, c, node.Right, 2*n+1, right)
}
