package fit

import (
	"context"

	"github.com/octgen/octgen/method"
	"github.com/octgen/octgen/mio"
)

// baseline is that of m, nil for CART itself, for methods whose trees have no such
// limits or which choose them, and where ctx ends before the tree is grown.
func (j *job) baseline(ctx context.Context, m method.Method) *Baseline {
	if j.data.Reward != nil {
		return j.singleAction()
	}
	shaped, ok := m.(method.Shaped)
	if _, itself := m.(*method.CART); itself || !ok {
		return nil
	}
	cart := &method.CART{Shape: shaped.Grows()}
	g, err := cart.Grow(ctx, j.data, method.Task{})
	if err != nil || g.Limit != mio.NoLimit {
		return nil
	}
	b := &Baseline{Method: cart.Info().Name, Errors: g.Tree.Evaluate(j.data.Dataset).Errors}
	if j.Test != nil {
		wrong := g.Tree.Evaluate(j.Test).Errors
		b.TestErrors = &wrong
	}
	return b
}
