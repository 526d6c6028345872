package cart

import (
	"context"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Result is what Grow returns. The tree is annotated with the training data; its
// leaves answer their majority class (the lowest of equal ones).
type Result struct {
	Tree      *tree.Tree
	Estimates []Estimate // with Folds: of each subtree of the sequence, the largest first
	Stats     Stats
}

// Grow grows a univariate tree greedily, as CART does (Breiman, Friedman, Olshen &
// Stone 1984): every node takes the split of the least loss by the criterion, until
// it is pure, too deep or too light, and, as in scikit-learn, also where that split
// gains nothing. Of equal splits it takes the lowest feature, then the lowest
// threshold. Classes, weights and Count are as in ds; MinLeaf and MinSplit are
// weights.
//
// Data with costs are grown by CART's altered priors (dataset.Dataset.AlteredPriors);
// labels and pruning are by the costs themselves.
//
// It costs O(n p) for sorting and O(n p) per level: one sweep per feature over
// presorted rows, which are partitioned on the way down. Where ctx ends, the
// growth stops and the tree so far is the result.
func Grow(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	begin := time.Now()
	res := &Result{}
	res.Tree = growTree(ctx, ds, o, &res.Stats)
	if o.Complexity > 0 || o.Folds > 0 {
		if err := res.prune(ctx, ds, o); err != nil {
			return nil, err
		}
	}
	res.Stats.Total = time.Since(begin)
	return res, nil
}

// Grower grows trees as Grow does. Its results may be shared: they are only read.
type Grower func(context.Context, *dataset.Dataset, Options) (*Result, error)

// prune takes the subtree for the complexity that is given, or that
// cross-validation chooses; all of the tree where the context ended that.
func (r *Result) prune(ctx context.Context, ds *dataset.Dataset, o Options) error {
	path, err := CostComplexity(r.Tree, tree.Misclassification)
	if err != nil {
		return err
	}
	if o.Folds == 0 {
		r.Tree = path.Subtree(o.Complexity)
		return nil
	}
	r.Estimates, err = crossValidate(ctx, ds, o, path)
	if err != nil {
		return fmt.Errorf("cart: %w", err)
	}
	if r.Estimates == nil {
		r.Stats.Stopped = true
		return nil
	}
	risks := make([]float64, len(r.Estimates))
	for i, e := range r.Estimates {
		risks[i] = e.CVRisk
	}
	chosen := simplestWithin(risks, o.PruneSE, inverseRows(ds, allRows(ds.N())))
	r.Tree = path.Subtree(r.Estimates[chosen].Alpha)
	return nil
}
