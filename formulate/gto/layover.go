package gto

import (
	"context"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// LayOver returns t laid over the structure of the options, norm(t) of Formulation:
// the tree that a start of the formulation stands for, without building that. Where
// ctx ends, its decisions are scaled less well. Errors: those of Build, and
// formulate.ErrNoStart for a tree that does not fit.
func (o Options) LayOver(ctx context.Context, ds *dataset.Dataset, t *tree.Tree) (*tree.Tree, error) {
	f, err := o.prepare(ds)
	if err != nil {
		return nil, err
	}
	planes, err := f.norm(ctx, t)
	if err != nil {
		return nil, err
	}
	return f.toTree(planes)
}
