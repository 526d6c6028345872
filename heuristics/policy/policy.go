// Package policy grows univariate policy trees, in which each action has a cost on each row
// (dataset.Dataset.Cost):
//
//	minimise  sum_i (c_i,a(i) - min_k c_ik)  +  Penalty * splits
//
// Grow begins greedily, once unrestricted and once with each feature at the root. It then improves
// one split after the other with all else fixed, prunes, and takes the best tree. It is the
// heuristic of the method policy and the warm start of its exact search, without a proof of
// optimality.
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

// Options are the settings of Grow. The zero value gives a tree of depth 2 without a penalty on
// splits.
type Options struct {
	Depth     int     // maximum depth; 0: 2
	Penalty   float64 // penalty per split, in the unit of the costs
	MinLeaf   float64 // minimum weight of a leaf; a leaf always has a row
	MaxSplits int     // maximum number of splits; 0: no limit

	// Presort, if not nil, is the presort of the dataset. Grow only reads it.
	Presort *tree.Presort
}

// Result is the result of Grow.
type Result struct {
	Tree    *tree.Tree // annotated
	Excess  float64    // cost of its actions above the minimum cost of each row
	Grown   int        // splits before pruning
	Moves   int        // splits replaced by better ones
	Stopped bool       // the context ended the run
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
		return fmt.Errorf("policy: maximum depth %d is less than 1", o.Depth)
	case !(o.Penalty >= 0):
		return fmt.Errorf("policy: penalty per split %v is not a number >= 0", o.Penalty)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("policy: minimum leaf weight %v is not a number >= 0", o.MinLeaf)
	case o.MaxSplits < 0:
		return fmt.Errorf("policy: maximum number of splits %d is negative", o.MaxSplits)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("policy: Presort does not match the dataset")
	}
	return nil
}

// Grow grows a tree for the costs of ds. If ctx ends, it returns the best tree so far, at least the
// single leaf, without an error.
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
			break // all were tried
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

// mostRoots is the maximum number of features at the root of a start, in addition to the greedy
// one.
const mostRoots = 32

// value returns the objective of Grow.
func value(t *tree.Tree, o *Options) float64 { return excess(t) + o.Penalty*float64(t.Splits()) }

// cutBack returns the best tree obtained from t by replacing splits by leaves, within the maximum
// number of splits.
func cutBack(ds *dataset.Dataset, t *tree.Tree, o *Options) *tree.Tree {
	limit := -1
	if o.MaxSplits > 0 {
		limit = o.MaxSplits
	}
	return cart.BestSubtree(ds, t, o.Penalty/tree.ErrorScale(ds), o.Depth, limit)
}
