package problem

import (
	"context"

	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// What algorithms that grow trees share.

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
	return &Grown{Name: name, Tree: t, Limit: stopped(ctx, was), Outcome: &Outcome{GrownSplits: &splits}}
}

// stopped says what stopped an algorithm that was.
func stopped(ctx context.Context, was bool) mio.Limit {
	if !was {
		return mio.NoLimit
	}
	return mio.LimitOf(ctx)
}
