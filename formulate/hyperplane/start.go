package hyperplane

import (
	"context"
	"errors"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Start returns the point of the model that stands for norm(t).
func (f *Formulation) Start(ctx context.Context, t *tree.Tree) ([]float64, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	c := t.Collapse(f.g.DS)
	if n := c.Terms(); f.maxSplits > 0 && n > f.maxSplits {
		return nil, point.NoStart(0, "its splits use %d features in all, at most %d are allowed", n, f.maxSplits)
	}
	if err := f.checkConstraints(c); err != nil {
		return nil, err
	}
	var h *heapTree
	var err error
	if f.opts.Margin == Right {
		h, err = f.placeRight(ctx, c)
	} else {
		h = f.newHeap()
		err = f.place(ctx, h, c, 0, 1, f.all())
	}
	if err != nil {
		return nil, err
	}
	return f.enc.start(h), nil
}

// place lays the subtree of c at node i, reached by the given rows, over the
// heap at node n.
func (f *Formulation) place(ctx context.Context, h *heapTree, c *tree.Tree, i, n int, rows []int) error {
	node := &c.Nodes[i]
	if node.Leaf() {
		if err := f.g.CheckLeaf(i, node); err != nil {
			return err
		}
		f.setLeaf(h, c, i, n, rows)
		return nil
	}
	if err := f.tooDeep(i, n); err != nil {
		return err
	}
	left, right := f.divided(node.Split, rows)
	pl, err := f.fitPlane(ctx, f.opts.LP, node.Split, left, right)
	if errors.Is(err, errMargin) {
		return point.NoStart(i, "no split on its features has margin %v: %v", f.mu, err)
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
