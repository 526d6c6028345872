package problem

import (
	"context"
	"fmt"
	"math"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/search/prices"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// searchConstrained searches univariate trees of a shape under constraints: by prices of
// those on rates, and what these leave open part by part. Where there are only columns
// without a split and splits that stay, one search says all.
func searchConstrained(ctx context.Context, d *Data, s Shape, c Cache, on *constraint.On, o SearchOptions) (*Found, error) {
	ds, features, fixed := d.Dataset, []int(nil), on.Fixed
	if on.Forbidden != nil {
		features = []int{} // none is not all
		for j, forbidden := range on.Forbidden {
			if !forbidden {
				features = append(features, j)
			}
		}
		ds = ds.WithFeatures(features)
		o.Start = nil
		if fixed != nil {
			fixed = fixed.Onto(ds, features)
		}
	}
	if why := impossible(fixed, ds, s); why != "" {
		return &Found{Name: "treesearch", Status: mio.Infeasible, Raw: why, Objective: math.Inf(1), Bound: math.Inf(1), StartObjective: math.NaN(), Prover: verify.BySearch}, nil
	}
	var f *Found
	var err error
	switch {
	case alone(on) && ds.P() > 0:
		if features != nil {
			d = &Data{Dataset: ds}
		}
		f, err = searchTrees(ctx, d, s, c, fixed, o)
	case fixed != nil && !univariateTree(fixed): // of hyperplanes, below which prices search nothing
		f = &Found{Name: "treesearch", Status: mio.NoSolution, Objective: math.Inf(1), Bound: math.Inf(-1), StartObjective: math.NaN(), Prover: verify.BySearch,
			Unproved: "the search has no trees below hyperplanes that stay"}
	default:
		f, err = searchPriced(ctx, ds, s, fixed, features, on, o)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case f.Tree == nil && f.Status != mio.Infeasible:
		if t := Fallback(on.Data, on); t != nil { // a limit came before the search had looked at any
			f.Tree, f.Objective, f.Status = t, t.Objective(on.Data, s.Alpha)+on.Price(t), mio.Feasible
		}
	case f.Tree != nil:
		if features != nil {
			f.Tree = f.Tree.Remap(on.Data, features)
		}
		f.Tree = on.Kept(f.Tree)
		f.Tree.Annotate(on.Data)
	}
	return f, nil
}

// alone reports whether only columns without a split and splits that stay are asked for.
func alone(on *constraint.On) bool {
	return len(on.Rows) == 0 && on.Purity == 0 && on.Monotone == nil && on.MaxFeatures == 0 && on.FeatureCost == nil
}

// impossible says why no tree of a shape has the splits of fixed that part rows of ds,
// "" where one has, or nothing is fixed.
func impossible(fixed *tree.Tree, ds *dataset.Dataset, s Shape) string {
	if fixed == nil {
		return ""
	}
	fixed = fixed.Collapse(ds)
	l := s.limits((*tree.Tree).Splits)
	switch n := fixed.Splits(); {
	case l.Broken(fixed, ds) == nil:
		return ""
	case s.MaxSplits > 0 && n > s.MaxSplits:
		return fmt.Sprintf("%d splits are fixed, but --max-splits allows %d", n, s.MaxSplits)
	case fixed.Depth() > l.Depth:
		return fmt.Sprintf("the fixed splits have %d levels, but --depth allows %d", fixed.Depth(), l.Depth)
	}
	return fmt.Sprintf("the rows at a leaf of the fixed splits weigh less than --min-leaf %v", s.MinLeaf)
}

// searchPriced is searchConstrained on ds, which has the given features of the data, nil
// for all, by prices and parts.
func searchPriced(ctx context.Context, ds *dataset.Dataset, s Shape, fixed *tree.Tree, features []int, on *constraint.On, o SearchOptions) (*Found, error) {
	if n, k := ds.N(), ds.K(); n*k > dataset.MostCosts {
		return nil, fmt.Errorf("constraints on the predictions of %d rows of %d classes need %d prices, one for each row and class, more than the maximum of %d; use fewer rows or classes",
			n, k, n*k, dataset.MostCosts)
	}
	opts := prices.Options{
		Depth: s.Greatest(), Alpha: s.Alpha, MinLeaf: s.MinLeaf, MaxSplits: s.MaxSplits,
		Rows: on.Rows, Purity: on.Purity, Monotone: on.Monotone, Rank: on.Rank,
		WorkLimit: o.Work, Workers: searchWorkers(o.Workers), Fixed: fixed,
	}
	if unit := ds.LossUnit(); unit.Whole {
		opts.Step = unit.Size
	}
	start := "the single leaf"
	if o.Start != nil && univariateTree(o.Start.Tree) {
		start, opts.Start = o.Start.Name, []*tree.Tree{o.Start.Tree}
	}
	if o.Progress != nil {
		opts.Progress = func(p prices.Progress) {
			o.Progress(exact.Progress{Objective: p.Objective, Bound: p.Bound, Seconds: p.Seconds})
		}
	}
	if features != nil {
		opts.Monotone = among(opts.Monotone, features)
	}
	if ds.P() > 0 && (on.MaxFeatures > 0 || on.FeatureCost != nil) {
		opts.Columns, opts.MaxColumns, opts.ColumnCost = on.Columns.Of, on.MaxFeatures, on.FeatureCost
		if features != nil {
			opts.Columns = among(opts.Columns, features)
		}
		opts.Columns, opts.ColumnCost = renumbered(opts.Columns, opts.ColumnCost)
	}
	r, err := prices.Solve(ctx, ds, opts)
	if err != nil {
		return nil, err
	}
	f := &Found{
		Name: "lagrange", Tree: r.Tree, Status: r.Status, Limit: r.Limit, Objective: r.Objective, Bound: r.Bound,
		Raw:  fmt.Sprintf("%d searches of all trees at prices of the constraints", r.Evaluations),
		Work: r.Work, Seconds: r.Runtime.Seconds(), Start: start, StartObjective: math.NaN(), Prover: verify.ByLagrangian,
		Unproved: r.Blurred,
	}
	if len(on.Rows) == 0 {
		f.Prover, f.Raw = verify.BySearch, ""
	}
	return f, nil
}

// Fallback is the tree that is there before any engine ran: that of the splits that stay with the
// best class of each leaf, else the constant tree of least error weight or cost, which holds the
// constraints (nil for none of them). The result is nil if no such tree holds them.
func Fallback(ds *dataset.Dataset, on *constraint.On) *tree.Tree {
	if on == nil {
		t := tree.NewLeaf(ds, 0)
		t.Relabel(ds)
		return t
	}
	if on.Fixed != nil {
		t := on.Fixed.Collapse(ds)
		if t.Relabel(ds); t.Splits() > 0 && on.Broken(t) == nil {
			return t
		}
	}
	var best *tree.Tree
	least := math.Inf(1)
	for k := range ds.K() {
		t := tree.NewLeaf(ds, k)
		t.Annotate(ds)
		if v := t.Evaluate(ds).Excess; v < least && on.Broken(t) == nil {
			best, least = t, v
		}
	}
	return best
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
