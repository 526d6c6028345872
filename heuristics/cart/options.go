package cart

import (
	"errors"
	"fmt"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Options are the settings of Grow. The zero value grows by Gini until nothing can
// be split.
type Options struct {
	Criterion tree.Criterion
	MaxDepth  int     // splits on the longest path; 0: no limit
	MinLeaf   float64 // least weight of a leaf (N_min); a leaf always has a row
	MinSplit  float64 // least weight of a node that is split; 0: two rows suffice

	// Complexity is the penalty per split of cost-complexity pruning, in units
	// of the error rate (as alpha of Prune): 0 prunes nothing.
	Complexity float64

	// Folds, where not 0, prunes by cross-validation with so many folds, dealt by
	// Seed (2 or more; 10 is Breiman's): the smallest subtree of the
	// cost-complexity sequence whose cross-validated risk is within PruneSE
	// standard errors of the least. 0 takes the least, 1 is Breiman's 1-SE rule.
	Folds   int
	PruneSE float64
	Seed    uint64

	// Presort, where not nil, is that of the dataset, for callers that have it already.
	// It stays theirs: it is only read, and may be read by others meanwhile.
	Presort *tree.Presort
}

// Stats says what Grow did.
type Stats struct {
	Grown   int           // splits before pruning
	Sweeps  int           // nodes whose best split was looked for
	Stopped bool          // the context ended the growth; the tree is whole but smaller
	Presort time.Duration // sorting
	Total   time.Duration // all, with the sorting
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("cart: the dataset has no rows")
	case !o.Criterion.Valid():
		return fmt.Errorf("cart: criterion %v is unknown", o.Criterion)
	case o.MaxDepth < 0:
		return fmt.Errorf("cart: depth %d; 0 (no limit) or more is needed", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("cart: least leaf weight %v; 0 or more is needed", o.MinLeaf)
	case !(o.MinSplit >= 0):
		return fmt.Errorf("cart: least weight of a split node %v; 0 or more is needed", o.MinSplit)
	case !(o.Complexity >= 0):
		return fmt.Errorf("cart: complexity %v; 0 or more is needed", o.Complexity)
	case o.Folds < 0 || o.Folds == 1:
		return fmt.Errorf("cart: %d folds; 2 or more are needed, or 0 for no cross-validation", o.Folds)
	case o.Folds > 0 && o.Complexity > 0:
		return errors.New("cart: a complexity and cross-validation, which chooses it")
	case !(o.PruneSE >= 0):
		return fmt.Errorf("cart: %v standard errors; 0 or more are needed", o.PruneSE)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("cart: Presort is not of this dataset")
	}
	return nil
}
