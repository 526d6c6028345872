package method

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/octgen/octgen/constraint"
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/lagrange"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/treesearch"
	"github.com/octgen/octgen/verify"
)

// searchConstrained searches univariate trees of a shape under constraints: by prices of
// those on rates, and what these leave open part by part. Splits that have to stay it does
// not know.
func searchConstrained(ctx context.Context, d *Data, s Shape, on *constraint.On, o SearchOptions) (*Found, error) {
	opts := lagrange.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits,
		Rows: on.Rows, Purity: on.Purity, Monotone: on.Monotone, Rank: on.Rank,
		WorkLimit: o.Work, Workers: cmp.Or(o.Workers, runtime.GOMAXPROCS(0)),
	}
	if _, unit := d.InUnits(dataset.MostUnits); unit.Whole && d.Cost == nil {
		opts.Step = unit.Size
	}
	start := "the single leaf"
	if o.Start != nil && univariateTree(o.Start.Tree) {
		start, opts.Start = o.Start.Name, []*tree.Tree{o.Start.Tree}
	}
	if o.Progress != nil {
		opts.Progress = func(p lagrange.Progress) {
			o.Progress(treesearch.Progress{Objective: p.Objective, Bound: p.Bound, Seconds: p.Seconds})
		}
	}
	ds, features := d.Dataset, []int(nil)
	if on.Forbidden != nil {
		features = []int{} // none is not all
		for j, forbidden := range on.Forbidden {
			if !forbidden {
				features = append(features, j)
			}
		}
		ds = ds.WithFeatures(features)
		start, opts.Start = "the single leaf", nil
		opts.Monotone = among(opts.Monotone, features)
	}
	if ds.P() > 0 && (on.MaxFeatures > 0 || on.FeatureCost != nil) {
		opts.Columns, opts.MaxColumns, opts.ColumnCost = on.Columns.Of, on.MaxFeatures, on.FeatureCost
		if features != nil {
			opts.Columns = among(opts.Columns, features)
		}
		opts.Columns, opts.ColumnCost = renumbered(opts.Columns, opts.ColumnCost)
	}
	r, err := lagrange.Solve(ctx, ds, opts)
	if err != nil {
		return nil, err
	}
	f := &Found{
		Name: "lagrange", Tree: r.Tree, Status: r.Status, Limit: r.Limit, Objective: r.Objective, Bound: r.Bound,
		Raw:  fmt.Sprintf("%d searches of all trees at prices of the constraints", r.Evaluations),
		Work: r.Work, Seconds: r.Runtime.Seconds(), Start: start, StartObjective: math.NaN(), Prover: verify.ByLagrangian,
	}
	if len(on.Rows) == 0 {
		f.Prover, f.Raw = verify.BySearch, ""
	}
	if f.Tree != nil && features != nil {
		f.Tree = f.Tree.Remap(d.Dataset, features)
		f.Tree.Annotate(d.Dataset)
	}
	if f.Tree == nil && f.Status != mio.Infeasible {
		f.fallBack(d, on)
	}
	return f, nil
}

// fallBack takes the best constant tree that holds the constraints, where a limit came
// before the search had looked at any.
func (f *Found) fallBack(d *Data, on *constraint.On) {
	for k := range d.K() {
		leaf := tree.NewLeaf(d.Dataset, k)
		leaf.Annotate(d.Dataset)
		if on.Broken(leaf) != nil {
			continue
		}
		if v := leaf.Objective(d.Dataset, 0); f.Tree == nil || v < f.Objective {
			f.Tree, f.Objective, f.Status = leaf, v, mio.Feasible
		}
	}
}

// among are the values of some of the features.
func among[T any](of []T, features []int) []T {
	if of == nil {
		return nil
	}
	some := make([]T, len(features))
	for i, j := range features {
		some[i] = of[j]
	}
	return some
}

// renumbered numbers the columns that features come from without gaps.
func renumbered(of []int, price []float64) ([]int, []float64) {
	number, out := map[int]int{}, make([]int, len(of))
	var prices []float64
	for j, c := range of {
		if _, known := number[c]; !known {
			number[c] = len(number)
			if price != nil {
				prices = append(prices, price[c])
			}
		}
		out[j] = number[c]
	}
	return out, prices
}

func univariateTree(t *tree.Tree) bool {
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil && !s.IsUnivariate() {
			return false
		}
	}
	return true
}
