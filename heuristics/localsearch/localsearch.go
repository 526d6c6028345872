package localsearch

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/octgen/octgen/dataset"
	octh "github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/cart"
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
// classes count; rows with equal features and class are merged first, unless Presort is given.
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
	if _, timed := ctx.Deadline(); o.Work == 0 && o.Restarts == 0 && o.TimeLimit == 0 && !timed {
		o.Work = DefaultWork
	}
	if o.Hyperplanes && o.Mu == 0 {
		o.Mu = octh.DefaultMu
	}
	if o.CART == nil {
		o.CART = cart.Grow
	}
	began := time.Now()
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	b := &budget{ctx: ctx, work: o.Work, restarts: o.Restarts, progress: o.Progress, began: began}
	merged := ds
	if o.Presort == nil {
		merged, _ = ds.Merge()
	}
	there := newOffers(merged, &o)
	for _, t := range o.Starts {
		there.add(t)
	}
	if tree.Baseline(merged) > 0 {
		improve(there, b)
	}
	return finish(ds, there.best, &o, b), nil
}

// improve adds the trees of CART to those that are there, and what the search finds
// from them all.
func improve(there *offers, b *budget) {
	pre := there.o.Presort
	if pre == nil {
		var err error
		if pre, err = tree.NewPresortContext(b.ctx, there.ds); err != nil {
			b.over()
			return
		}
	}
	d := newData(there.ds, pre)
	if !d.varies() {
		return
	}
	there.grow(b.ctx, pre)
	if b.over() {
		return
	}
	if found := search(newProblem(d, there.o), there, b); there.beat(found) {
		b.stats.BestAfter, b.stats.Best = 0, 0
	} else {
		there.best = found
	}
}

// search is a search of either kind from the trees that are there.
func search(p *problem, there *offers, b *budget) *tree.Tree {
	rng := rand.New(rand.NewPCG(there.o.Seed, 0x6c6f63616c)) // the second word is "local"
	if !there.o.Hyperplanes {
		return univariateTree(p, there.trees, b, rng)
	}
	first := b.part(len(there.trees) + 1)
	there.add(univariateTree(p, there.trees, first, rng))
	first.end()
	b.stats.Work = first.stats.Work
	h := newHyperplanes(p, b, rng, there.o.Mu)
	if h == nil {
		return there.best
	}
	e := newEngine(h.state, h)
	e.keepLeaf()
	e.run(there.trees)
	return e.result()
}

func univariateTree(p *problem, starts []*tree.Tree, b *budget, rng *rand.Rand) *tree.Tree {
	u := newUnivariate(p, b, rng)
	e := newEngine(u.state, u)
	e.run(starts)
	return e.result()
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
