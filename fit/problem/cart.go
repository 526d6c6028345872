package problem

import (
	"context"

	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// CART grows greedily and prunes (Breiman et al. 1984).
type CART struct {
	Shape
	Criterion
	PruneSE
	PruneFolds int `min:"2" placeholder:"N" group:"Native" help:"cart: prune by cross-validation with so many folds."`
}

var _ Algorithm = (*CART)(nil)

func init() { register(func() Method { return new(CART) }) }

// Info describes the method.
func (*CART) Info() Info {
	return Info{Costs: true, Name: "cart", Doc: "CART, pruned to the best subtree for alpha or by cross-validation (Breiman et al. 1984)"}
}

// Validate refuses what no data make right.
func (m *CART) Validate() error {
	if m.PruneSE.PruneSE != nil && m.PruneFolds == 0 {
		return wrong("prune-se", "needs --prune-folds beside it")
	}
	_, err := m.criterion()
	return err
}

// Grow grows and prunes a tree.
func (m *CART) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	var seed uint64
	if m.PruneFolds > 0 { // source rows are dealt to folds
		l, seed = &tree.Training{Source: d.Dataset, Rows: d.Dataset}, t.Seed
	}
	o := cart.Options{MaxDepth: s.Greatest(), MinLeaf: leastLeaf(l, s.MinLeaf), Folds: m.PruneFolds, Seed: seed, Presort: l.Presort}
	if o.Criterion, err = m.criterion(); err != nil {
		return nil, err
	}
	if m.PruneSE.PruneSE != nil {
		o.PruneSE = *m.PruneSE.PruneSE
	}
	res, err := d.GrowCART(ctx, l.Rows, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "cart", l.InSource(res.Tree), res.Stats.Grown, res.Stats.Stopped), nil
}
