package policy

import (
	"context"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// Grow grows a tree for the costs of ds. An ended ctx is no error: the tree is the best by
// then, the single leaf at least.
func Grow(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	pre := o.Presort
	if pre == nil {
		var err error
		if pre, err = tree.NewPresortContext(ctx, ds); err != nil {
			leaf := tree.NewLeaf(ds, 0)
			leaf.Relabel(ds)
			return &Result{Tree: leaf, Excess: excess(leaf), Stopped: true}, nil
		}
	}
	p := pulse.New(ctx)
	s := newSweeper(ds, pre, o.MinLeaf, p)
	r, work := &Result{}, 0
	for root := -1; root < min(ds.P(), mostRoots) && work <= mostWork; root++ {
		t := greedy(ds, s, o.Depth, root)
		work += ds.N() * ds.P() * min(o.Depth, 1+t.Splits())
		if root >= 0 && (o.Depth == 1 || t.Splits() == 0) || p.Ended() && r.Tree != nil {
			break // all has been tried
		}
		grown := t.Splits()
		t, moves := descend(ds, s, t, &work)
		t = cutBack(ds, t, &o)
		if r.Tree == nil || value(t, &o) < value(r.Tree, &o) {
			r.Tree, r.Grown, r.Moves = t, grown, moves
		}
	}
	r.Excess, r.Stopped = excess(r.Tree), p.Ended()
	return r, nil
}

// mostRoots is the number of features that a tree is begun with, beside the greedy one.
const mostRoots = 32

// value is what Grow minimises.
func value(t *tree.Tree, o *Options) float64 { return excess(t) + o.Penalty*float64(t.Splits()) }

// cutBack is the best tree that comes from t by making leaves of splits, within the most
// splits.
func cutBack(ds *dataset.Dataset, t *tree.Tree, o *Options) *tree.Tree {
	limit := -1
	if o.MaxSplits > 0 {
		limit = o.MaxSplits
	}
	return cart.BestSubtree(ds, t, o.Penalty/tree.ErrorScale(ds), o.Depth, limit)
}
