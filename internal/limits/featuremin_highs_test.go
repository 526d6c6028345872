//go:build cgo && !nohighs

package limits

import (
	"context"
	"time"

	"github.com/octgen/octgen/dataset"
	fitted "github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs"
	"github.com/octgen/octgen/tree"
)

func init() {
	for name, perturbed := range map[string]bool{"fm-rlp": false, "fm-rlp-p": true} {
		methods = append(methods, method{name, func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
			solver, err := solvers.Lookup("highs")
			if err != nil {
				return nil, err
			}
			lp := solvers.Func(solver, solvers.Options{Threads: 1, Grace: 100 * time.Millisecond})
			res, err := vertex.FeatureMin(ctx, ds, vertex.FeatureMinOptions{Perturbed: perturbed, LP: lp})
			return of(res, err, func() *tree.Tree { return res.Tree })
		}})
	}
	methods = append(methods, method{"fm-tree", func(ctx context.Context, ds *dataset.Dataset) (*tree.Tree, error) {
		solver, err := solvers.Lookup("highs")
		if err != nil {
			return nil, err
		}
		lp := solvers.Func(solver, solvers.Options{Threads: 1, Grace: 100 * time.Millisecond})
		p, err := new(fitted.FMTree).On(ctx, fitted.NewData(ds), 0)
		if err != nil {
			return nil, err
		}
		g, err := p.Grow(ctx, fitted.Task{LP: lp})
		return of(g, err, func() *tree.Tree { return g.Tree })
	}})
}
