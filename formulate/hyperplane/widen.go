package hyperplane

import (
	"context"
	"errors"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// Widen returns a tree that sends the training rows as t does and keeps the margin: a
// split whose margin is below Mu, on its own features too, gets the hyperplane of greatest
// margin on all of them. formulate.ErrNoStart is wrapped where that is below Mu as well.
// So a univariate tree whose values lie close together may be a start. It needs Options.LP.
func (f *Formulation) Widen(ctx context.Context, t *tree.Tree) (*tree.Tree, error) {
	c := t.Collapse(f.g.DS)
	return c, f.widen(ctx, c, 0, f.all())
}

// widen is Widen of the subtree at node i, which the rows reach.
func (f *Formulation) widen(ctx context.Context, c *tree.Tree, i int, rows []int) error {
	n := &c.Nodes[i]
	if n.Leaf() {
		return nil
	}
	left, right := f.divided(n.Split, rows)
	_, err := f.fitPlane(ctx, f.opts.LP, n.Split, left, right)
	if errors.Is(err, errMargin) && f.opts.LP != nil {
		err = f.widenSplit(ctx, n, left, right)
	}
	switch {
	case errors.Is(err, errMargin):
		return point.NoStart(i, "no split between its rows has margin %v: %v", f.mu, err)
	case err != nil:
		return err
	}
	if err := f.widen(ctx, c, n.Left, left); err != nil {
		return err
	}
	return f.widen(ctx, c, n.Right, right)
}

// widenSplit replaces the split of n by one on all features.
func (f *Formulation) widenSplit(ctx context.Context, n *tree.Node, left, right []int) error {
	pl := &plane{a: make([]float64, f.p())}
	for jx := range pl.a {
		pl.a[jx] = 1
	}
	if err := f.recentre(ctx, f.opts.LP, pl, left, right); err != nil {
		return err
	}
	for jx, v := range pl.a {
		if v < noise && v > -noise {
			pl.a[jx] = 0
		}
	}
	if !f.settle(pl, left, right) {
		return errMargin
	}
	s, _, _, ok := f.split(pl.a, left, right)
	if !ok {
		return errMargin
	}
	n.Split = s
	return nil
}
