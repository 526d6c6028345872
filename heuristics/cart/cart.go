package cart

import (
	"context"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Result is the result of Grow. The tree is annotated with the training data; its leaves predict
// their majority class (the lowest of equal ones).
type Result struct {
	Tree      *tree.Tree
	Estimates []Estimate // with Folds: for each subtree of the sequence, the largest first
	Stats     Stats
}

// Grow grows a univariate tree greedily by CART (Breiman, Friedman, Olshen & Stone 1984). Every
// node takes the split with the smallest loss by the criterion until it is pure, too deep or too
// light, or, as in scikit-learn, that split has no gain. Ties go to the lowest feature, then the
// lowest threshold. Classes, weights and Count are those of ds; MinLeaf and MinSplit are weights.
//
// Data with costs are grown with CART's altered priors (dataset.Dataset.AlteredPriors); labels and
// pruning use the costs themselves.
//
// Grow costs O(n p) for sorting and O(n p) per level: one sweep per feature over presorted rows,
// which are partitioned on the way down. If ctx ends, growth stops and the result is the tree so
// far.
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

// Grower grows trees like Grow. Its results may be shared and must not be modified.
type Grower func(context.Context, *dataset.Dataset, Options) (*Result, error)

// prune selects the subtree for the given complexity, or the one that cross-validation chooses; the
// whole tree if the context ended cross-validation.
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
