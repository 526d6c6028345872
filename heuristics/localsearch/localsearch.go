package localsearch

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/tree"
)

// Result is what Search returns. The tree is annotated with the
// training data, has no vacuous split, and its thresholds lie half way between
// the training rows on their two sides.
type Result struct {
	Tree  *tree.Tree
	Stats Stats
}

// Search improves trees for the exact objective of OCT (problem (24) of
// Bertsimas & Dunn 2017) or OCT-H (their section 4) by coordinate descent over
// the nodes, from CART trees and random restarts (Dunn, Optimal trees for
// prediction and prescription, 2018, section 2.3). All of ds's weights and
// classes count; rows with equal features and class are merged first.
//
// A univariate tree is a local optimum where none of these moves improves it:
//
//   - one node: its split is re-optimised given the two subtrees below it,
//     either way round, by one sweep over the presorted rows of each feature
//     (what matters of a row is whether the left and the right subtree classify
//     it correctly: O(n p)); above two leaves the sweep is over the best
//     labels. Or the node gives way to a leaf or to one of its subtrees;
//   - a node and its two children together, given all the others: for each
//     split of the node, both children are re-optimised by sweeps. Intervals of
//     thresholds that cannot improve are passed over by the bounds of
//     Brita, van der Linden & Demirović (2025): the loss of one side never falls
//     as it gains rows, nor rises by more than their weight. At the last two
//     levels that is the best subtree of depth 2.
//
// A local optimum is kicked by a random split at a random node, a few times,
// and then the search begins anew. At depth 1 and 2, where MinLeaf is at most
// the least weight of a row and there is no MaxSplits, the first local optimum
// is optimal and ends the search; so does a tree with only the errors that rows
// with equal features force on every tree, at alpha 0.
//
// Hyperplane splits are searched as the comment of hyperplanes says, from the best
// univariate tree that a fifth of the limits finds.
//
// Errors are options out of range and data that is not valid. An ended ctx or a
// limit is none: the best tree so far is the result.
func Search(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if o.Work == 0 && o.Restarts == 0 && o.TimeLimit == 0 {
		o.Work = DefaultWork
	}
	if o.Hyperplanes && o.Mu == 0 {
		o.Mu = formulate.DefaultMu
	}
	began := time.Now()
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	b := &budget{ctx: ctx, work: o.Work, restarts: o.Restarts, progress: o.Progress, began: began}
	merged, _ := ds.Merge()
	there := newOffers(merged, &o)
	if single(merged) {
		return finish(ds, there.best, &o, b), nil
	}
	p := newProblem(newData(merged), &o)
	starts, err := startTrees(ctx, p, &o, there)
	if err != nil {
		return nil, err
	}
	found := search(p, &o, b, starts)
	if there.beat(found) {
		found, b.stats.BestAfter, b.stats.Best = there.best, 0, 0
	}
	return finish(ds, found, &o, b), nil
}

// startTrees are the trees to begin from: those given, and CART's.
func startTrees(ctx context.Context, p *problem, o *Options, there *offers) ([]*tree.Tree, error) {
	grown, err := cartTrees(ctx, p.ds, p.pre, o)
	if err != nil {
		return nil, err
	}
	var starts []*tree.Tree
	for _, t := range slices.Concat(o.Starts, grown) {
		starts = append(starts, there.add(t))
	}
	return starts, nil
}

// search is a search of either kind; its tree is one of the merged rows.
func search(p *problem, o *Options, b *budget, starts []*tree.Tree) *tree.Tree {
	rng := rand.New(rand.NewPCG(o.Seed, 0x6c6f63616c)) // the second word is "local"
	if !o.Hyperplanes {
		u := newUnivariate(p, b, rng)
		e := newEngine(u.state, u)
		e.run(starts)
		return e.result()
	}
	first := b.part(len(starts) + 1)
	u := newUnivariate(p, first, rng)
	univariate := newEngine(u.state, u)
	univariate.run(starts)
	first.end()
	b.stats.Work = first.stats.Work

	h := newHyperplanes(p, b, rng, o.Mu)
	e := newEngine(h.state, h)
	e.keepLeaf()
	e.run(append(slices.Clone(starts), univariate.result()))
	return e.result()
}

// single says whether the leaf is the only tree worth having.
func single(ds *dataset.Dataset) bool {
	_, kept := ds.DropConstant()
	return tree.Baseline(ds) <= 0 || len(kept) == 0
}

// finish is the result of a tree of the merged rows: all figures recomputed.
func finish(ds *dataset.Dataset, t *tree.Tree, o *Options, b *budget) *Result {
	t = t.Clone()
	t.Encoder = ds.Encoder
	t.Annotate(ds)
	b.stats.Objective = o.objective(t, ds)
	b.stats.Total = time.Since(b.began)
	return &Result{Tree: t, Stats: b.stats}
}
