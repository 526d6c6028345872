package method

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
	return Info{Name: "cart", Doc: "CART, pruned to the best subtree for alpha or by cross-validation (Breiman et al. 1984)"}
}

// Validate refuses what no data make right.
func (m *CART) Validate() error {
	if m.PruneSE.PruneSE != nil && m.PruneFolds == 0 {
		return wrong("prune-se", "needs --prune-folds beside it")
	}
	_, err := m.criterion()
	return err
}

// criterion is what a split minimises.
func (c Criterion) criterion() (tree.Criterion, error) {
	if c.Criterion == "" {
		return tree.Gini, nil
	}
	k, err := tree.ParseCriterion(c.Criterion)
	if err != nil {
		return k, wrong("criterion", ": %w", err)
	}
	return k, nil
}

// Grow grows and prunes a tree.
func (m *CART) Grow(ctx context.Context, d *Data, t Task) (*Grown, error) {
	s := t.shape(m.Shape)
	l, err := d.Training(ctx)
	if err != nil {
		return nil, err
	}
	if m.PruneFolds > 0 { // which deals source rows to folds
		l = &tree.Training{Source: d.Dataset, Rows: d.Dataset}
	}
	o := cart.Options{MaxDepth: s.Greatest(), MinLeaf: leastLeaf(l, s.MinLeaf), Folds: m.PruneFolds, Seed: t.Seed, Presort: l.Presort}
	if o.Criterion, err = m.criterion(); err != nil {
		return nil, err
	}
	if m.PruneSE.PruneSE != nil {
		o.PruneSE = *m.PruneSE.PruneSE
	}
	res, err := cart.Grow(ctx, l.Rows, o)
	if err != nil {
		return nil, err
	}
	return bestSubtree(ctx, d, s, "cart", l.InSource(res.Tree), res.Stats.Grown, res.Stats.Stopped), nil
}

// leastLeaf is a least leaf weight in the units of rows laid out, if they are in units.
func leastLeaf(l *tree.Training, nmin float64) float64 {
	if l.Unit.Size == 0 {
		return nmin
	}
	return l.Unit.LeastLeaf(nmin)
}

// shape is that of the trees wanted: of the program that is to be started, else of
// the algorithm's own options.
func (t *Task) shape(own Shape) Shape {
	if t.For != nil {
		return t.For.Trees()
	}
	return own
}

// bestSubtree is what a greedy algorithm grew, cut back to the best subtree for
// alpha and max-splits.
func bestSubtree(ctx context.Context, d *Data, s Shape, name string, t *tree.Tree, splits int, was bool) *Grown {
	if s.Alpha > 0 || s.MaxSplits > 0 {
		limit := -1
		if s.MaxSplits > 0 {
			limit = s.MaxSplits
		}
		t = cart.BestSubtree(d.Dataset, t, s.Alpha, s.Greatest(), limit)
	}
	return &Grown{Name: name, Tree: t, Outcome: &Outcome{GrownSplits: &splits, Limit: stopped(ctx, was)}}
}
