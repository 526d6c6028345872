// Package policy grows univariate trees of little cost where each answer has a cost of its
// own on each row (dataset.Dataset.Cost), as policies have:
//
//	minimise  sum_i (c_i,a(i) - min_k c_ik)  +  Penalty * splits
//
// Grow begins greedily, once freely and once with each feature at the root, improves one
// split after the other with all else fixed, cuts back, and takes the best. It proves nothing: it is the heuristic of the method policy and the start of its
// exact search.
package policy

import (
	"context"
	"errors"
	"fmt"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// Options are the settings of Grow. The zero value is a tree of depth 2 whose splits cost
// nothing.
type Options struct {
	Depth     int     // splits on the longest path; 0: 2
	Penalty   float64 // cost of a split, in the unit of the costs
	MinLeaf   float64 // least weight of a leaf; a leaf always has a row
	MaxSplits int     // 0: no limit

	// Presort, where not nil, is that of the dataset. It stays the caller's and is only
	// read.
	Presort *tree.Presort
}

// Result is what Grow returns.
type Result struct {
	Tree    *tree.Tree // annotated
	Excess  float64    // what its answers cost above the least cost of each row
	Grown   int        // splits before it was cut back
	Moves   int        // splits that were changed for better ones
	Stopped bool       // the context ended it
}

func (o *Options) validate(ds *dataset.Dataset) error {
	if o.Depth == 0 {
		o.Depth = 2
	}
	switch {
	case ds.N() == 0:
		return errors.New("policy: the dataset has no rows")
	case ds.Kind() == dataset.Errors:
		return errors.New("policy: the dataset has no costs")
	case o.Depth < 0:
		return fmt.Errorf("policy: depth %d; 1 or more is needed", o.Depth)
	case !(o.Penalty >= 0):
		return fmt.Errorf("policy: a split costs %v; 0 or more is needed", o.Penalty)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("policy: least leaf weight %v; 0 or more is needed", o.MinLeaf)
	case o.MaxSplits < 0:
		return fmt.Errorf("policy: at most %d splits; 0 (no limit) or more is needed", o.MaxSplits)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("policy: Presort is not of this dataset")
	}
	return nil
}

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
