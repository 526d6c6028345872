package fit

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// planeShrink is the part of the features that recursive elimination keeps.
const planeShrink = 0.75

// growPlanes puts MSMT's trees and their subtrees into the pool: on all features,
// then again and again on the three quarters that mattered most (recursive feature
// elimination, Guyon et al. 2002), so that there are trees of every complexity.
// They need no margin of mu, which on features of long tails few planes have; a descent from
// each makes trees that keep it.
func (t *tuning) growPlanes(ctx context.Context) error {
	o := vertex.MSMTOptions{MaxDepth: t.Depth, MinLeaf: t.MinLeaf, Pruning: vertex.Unpruned, Seed: t.seed}
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

// descentWork, for each number of the data, is enough for most descents on large data.
const descentWork = 2000

// alternateOn descends from a tree to one that keeps the margin, on the features that it may
// use.
func (t *tuning) alternateOn(ctx context.Context, features []int, grown *tree.Tree) error {
	few := t.train.WithFeatures(features)
	work := max(tunePlaneWork, descentWork*int64(few.N()*few.P()))
	res, err := alternating.Search(ctx, few, alternating.Options{
		Depth: t.Depth, MinLeaf: t.MinLeaf, Mu: t.Mu, Starts: []*tree.Tree{grown}, Restarts: -1, Seed: t.seed, Work: t.workLimit(work),
	})
	if err != nil {
		return badInput(err)
	}
	t.work += res.Stats.Work
	t.enter(res.Tree.Remap(t.train, features))
	return nil
}

// solvePlanes is solveBy by alternating over the nodes.
func (t *tuning) solvePlanes(ctx context.Context, g tuneGoal) error {
	res, err := problem.Alternate(ctx, t.data, alternating.Options{
		Depth: g.depth, Alpha: g.alpha, MinLeaf: t.MinLeaf, MaxSplits: g.most, Mu: t.Mu,
		Starts: t.startsOf(g), Seed: t.seed + uint64(t.solves), Work: t.workLimit(tunePlaneWork), TimeLimit: g.time,
	})
	switch {
	case outOfTime(ctx, err):
		t.stopped(mio.LimitOf(ctx))
		return nil
	case err != nil:
		return badInput(err)
	}
	t.work += res.Stats.Work
	t.enter(res.Tree)
	t.stopped(res.Stats.Limit)
	return nil
}

// startsOf are the best tree for the goal of those that compete, the best of all, and
// those of the envelope.
func (t *tuning) startsOf(g tuneGoal) []*tree.Tree {
	var all []*tree.Tree
	add := func(x *tree.Tree) {
		if x.Splits() > 0 && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	for _, pool := range []*candidates{t.pool, t.starts} {
		if best, ok := pool.best(g); ok {
			add(best.tree)
		}
	}
	for _, s := range t.pool.envelope() {
		if s.depth <= g.depth {
			add(s.tree)
		}
	}
	return all
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
