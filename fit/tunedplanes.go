package fit

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/tree"
)

// planeShrink is the part of the features that recursive elimination keeps.
const planeShrink = 0.75

// growPlanes puts MSMT's trees and their subtrees into the pool: on all features,
// then again and again on the three quarters that mattered most (recursive feature
// elimination, Guyon et al. 2002), so that there are trees of every complexity.
// Unlike the trees of local search they need no margin of mu, which on features of
// long tails few planes have.
func (t *tuning) growPlanes(ctx context.Context) error {
	o := vertex.MSMTOptions{MaxDepth: t.Depth, MinLeaf: t.MinLeaf, NoPruning: true, Seed: t.seed}
	share := budgetOf(ctx, tuneShare, 1)
	ctx, cancel := share.next(ctx)
	defer cancel()
	_, features := t.train.DropConstant()
	for len(features) > 1 && ctx.Err() == nil {
		res, err := vertex.MSMT(ctx, t.train.WithFeatures(features), o)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			return nil
		}
		if outOfTime(ctx, err) {
			return nil
		}
		if err != nil {
			return badInput(err)
		}
		grown := res.Tree.Remap(t.train, features)
		t.enter(grown)
		if err := t.alternateOn(ctx, features, res.Tree); err != nil {
			return err
		}
		features = t.mostUsed(grown, features)
	}
	return nil
}

// alternateOn begins alternating at a tree, on the features that it may use, where it does
// not keep the margin itself: without a restart.
func (t *tuning) alternateOn(ctx context.Context, features []int, grown *tree.Tree) error {
	few := t.train.WithFeatures(features)
	res, err := alternating.Search(ctx, few, alternating.Options{
		Depth: t.Depth, MinLeaf: t.MinLeaf, Mu: t.Mu, Starts: []*tree.Tree{grown}, Restarts: -1, Seed: t.seed, Work: t.workLimit(tunePlaneWork),
	})
	if err != nil {
		return badInput(err)
	}
	t.work += res.Stats.Work
	t.enter(res.Tree.Remap(t.train, features))
	return nil
}

// mostUsed returns those of the features that weigh most in the splits of a tree,
// ascending: by the sum of |weight| x standard deviation x rows at the split.
func (t *tuning) mostUsed(grown *tree.Tree, features []int) []int {
	ds := t.train
	grown.Annotate(ds)
	sum := make([]float64, ds.P())
	for i := range grown.Nodes {
		n := &grown.Nodes[i]
		if n.Split == nil {
			continue
		}
		rows, norm := 0.0, 0.0
		for _, c := range n.Count {
			rows += c
		}
		part := make([]float64, len(n.Split.Terms))
		for k, term := range n.Split.Terms {
			part[k] = math.Abs(term.Weight) * t.deviation(term.Feature)
			norm += part[k]
		}
		for k, term := range n.Split.Terms {
			sum[term.Feature] += rows * part[k] / norm
		}
	}
	order := slices.Clone(features)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sum[b], sum[a]) })
	order = order[:min(len(order)-1, int(math.Ceil(planeShrink*float64(len(order)))))]
	slices.Sort(order)
	return order
}

// deviation is the standard deviation of feature j on the training part.
func (t *tuning) deviation(j int) float64 {
	mean, n := 0.0, float64(t.train.N())
	for i := range t.train.N() {
		mean += t.train.At(i, j) / n
	}
	square := 0.0
	for i := range t.train.N() {
		d := t.train.At(i, j) - mean
		square += d * d / n
	}
	return math.Sqrt(square)
}
