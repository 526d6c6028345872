package localsearch

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	octh "github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// Result is the result of Search. The tree is annotated with the training data, has no vacuous
// split, and its thresholds lie halfway between the training rows on their two sides.
type Result struct {
	Tree  *tree.Tree
	Stats Stats
}

// Search improves trees for the exact objective of OCT (problem (24) of Bertsimas & Dunn 2017) or
// OCT-H (their section 4) by coordinate descent over the nodes, from CART trees and random restarts
// (Dunn, Optimal trees for prediction and prescription, 2018, section 2.3). All weights and classes
// of ds count; rows with equal features and class are merged first, unless Presort is given.
//
// A univariate tree is a local optimum if none of these moves improves it:
//
//   - one node: its split is re-optimised given the two subtrees below it, in either order, by one
//     sweep over the presorted rows of each feature. All that matters of a row is whether the left
//     and the right subtree classify it correctly: O(n p). Above two leaves, the sweep uses the
//     best labels. Alternatively, a leaf or one of its subtrees replaces the node;
//   - a node and its two children together, given all others: for each split of the node, sweeps
//     re-optimise both children. The bounds of Brita, van der Linden & Demirović (2025) skip
//     intervals of thresholds that cannot improve: the loss of one side never falls as it gains
//     rows, nor rises by more than their weight. At the last two levels, this is the best subtree
//     of depth 2.
//
// A local optimum is kicked several times by a random split at a random node; then the search
// restarts. At depths 1 and 2, if MinLeaf is at most the minimum weight of a row and there is no
// MaxSplits, the first local optimum is optimal and ends the search. At alpha 0, so does a tree
// that makes only the errors that rows with equal features force on every tree.
//
// Hyperplane splits are searched as described at hyperplanes, from the best univariate tree that a
// fifth of the limits finds.
//
// Search returns an error for options out of range and for invalid data. If ctx ends or a limit is
// reached, it returns the best tree so far without an error.
func Search(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if _, timed := ctx.Deadline(); o.Work == 0 && o.Restarts == 0 && !timed {
		o.Work = DefaultWork
	}
	if o.Hyperplanes && o.Mu == 0 {
		o.Mu = octh.DefaultMu
	}
	if o.CART == nil {
		o.CART = cart.Grow
	}
	began := time.Now()
	b := &budget{ctx: ctx, work: o.Work, restarts: o.Restarts, progress: o.Progress, began: began}
	merged := ds
	if o.Presort == nil {
		merged, _ = ds.Merge()
	}
	there := newOffers(merged, &o)
	for _, t := range o.Starts {
		there.add(t)
	}
	if merged.Baseline() > 0 {
		improve(there, b)
	}
	return finish(ds, there.best, &o, b), nil
}

// improve adds the CART trees to the existing trees, and the result of a search from all of them.
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

// search runs a search of either kind from the existing trees.
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

// finish returns the result for a tree of the merged rows: it recomputes all figures.
func finish(ds *dataset.Dataset, t *tree.Tree, o *Options, b *budget) *Result {
	t = t.Clone()
	t.Encoder = ds.Encoder
	t.Annotate(ds)
	b.stats.Objective = o.objective(t, ds)
	b.stats.Total = time.Since(b.began)
	return &Result{Tree: t, Stats: b.stats}
}

// offers keeps the best of the trees known before a search, so that its result is never worse than
// any of them, however early it ends.
type offers struct {
	spans     // of the merged rows
	o         *Options
	trees     []*tree.Tree // in the order they came
	best      *tree.Tree
	objective float64
}

// newOffers begins with the single leaf.
func newOffers(ds *dataset.Dataset, o *Options) *offers {
	leaf := leafOf(ds)
	return &offers{spans: spans{ds, map[int][2]float64{}}, o: o, best: leaf, objective: o.objective(leaf, ds)}
}

// add converts t to a tree of the data within the maximum depth, without vacuous splits, and with
// thresholds halfway between the rows on their two sides. It also drops splits that violate the
// margin, and keeps the tree if it satisfies the limits and is the best so far.
func (f *offers) add(t *tree.Tree) {
	t = cutAt(t, f.ds, f.o.Depth).Collapse(f.ds)
	t.Relabel(f.ds)
	f.trees = append(f.trees, t)
	if thin := f.centre(t, f.o.Mu); len(thin) > 0 {
		t = t.Prune(func(i int) bool { return thin[i] }).Collapse(f.ds)
		t.Relabel(f.ds)
	}
	if !f.o.admits(t) {
		return
	}
	if v := f.o.objective(t, f.ds); v < f.objective {
		f.best, f.objective = t, v
	}
}

// beat reports whether the best offer is better than t.
func (f *offers) beat(t *tree.Tree) bool {
	return f.objective < f.o.objective(t, f.ds)-1e-12*(1+f.objective)
}

// cutAt replaces the branch nodes of t at that depth by leaves.
func cutAt(t *tree.Tree, ds *dataset.Dataset, most int) *tree.Tree {
	t = t.Clone()
	t.Annotate(ds)
	depth := make([]int, len(t.Nodes))
	for i := range t.Nodes {
		if n := &t.Nodes[i]; !n.Leaf() {
			depth[n.Left], depth[n.Right] = depth[i]+1, depth[i]+1
		}
	}
	return t.Prune(func(i int) bool { return depth[i] >= most })
}

// admits reports whether t, which is annotated, satisfies the limits on splits and leaves.
func (o *Options) admits(t *tree.Tree) bool {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			if !o.Hyperplanes && !n.Split.IsUnivariate() {
				return false
			}
			continue
		}
		weight := 0.0
		for _, w := range n.Weight {
			weight += w
		}
		if !tree.EnoughWeight(weight, o.MinLeaf) {
			return false
		}
	}
	return o.MaxSplits == 0 || o.complexity(t) <= o.MaxSplits
}

// complexity returns the number of splits of t, or of the features in them.
func (o *Options) complexity(t *tree.Tree) int {
	if !o.Hyperplanes {
		return t.Splits()
	}
	terms := 0
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			terms += len(s.Terms)
		}
	}
	return terms
}

func (o *Options) objective(t *tree.Tree, ds *dataset.Dataset) float64 {
	return t.Evaluate(ds).ErrorWeight/tree.ErrorScale(ds) + o.Alpha*float64(o.complexity(t))
}

// grow adds the CART trees by each criterion, pruned to the best subtree for the objective, until
// ctx ends.
func (f *offers) grow(ctx context.Context, pre *tree.Presort) {
	most := -1
	if f.o.MaxSplits > 0 {
		most = f.o.MaxSplits
	}
	for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
		res, err := f.o.CART(ctx, f.ds, cart.Options{Criterion: c, MaxDepth: f.o.Depth, MinLeaf: f.o.MinLeaf, Presort: pre})
		if err != nil {
			panic(err) // the options were validated
		}
		f.add(cart.BestSubtree(f.ds, res.Tree, f.o.Alpha, f.o.Depth, most))
		if ctx.Err() != nil {
			return
		}
	}
	if f.o.Mu > 0 && f.best.Splits() == 0 {
		f.addStump(pre)
	}
}

// addStump adds the best univariate split whose sides are the margin apart, if there is one: for
// dense values, all CART splits may violate the margin.
func (f *offers) addStump(pre *tree.Presort) {
	total := f.ds.ClassWeights()
	left, right := make([]float64, len(total)), make([]float64, len(total))
	var best *tree.Split
	most := 0.0 // weight that the two leaves classify correctly
	for j := range f.ds.P() {
		values, order := pre.Values(j), pre.Order(j)
		margin := f.o.Mu * (values[len(values)-1] - values[0])
		clear(left)
		copy(right, total)
		for q, i := range order[:len(order)-1] {
			y, w := f.ds.Y[i], f.ds.Weight[i]
			left[y] += w
			right[y] -= w
			r := pre.Ranks(j)[i]
			if r == pre.Ranks(j)[order[q+1]] || values[r+1]-values[r] < margin {
				continue
			}
			if correct := slices.Max(left) + slices.Max(right); correct > most {
				most, best = correct, tree.Univariate(j, pre.Threshold(j, int(r)))
			}
		}
	}
	if best == nil {
		return
	}
	t := tree.NewLeaf(f.ds, 0)
	t.Grow(0, best, 0, 0)
	f.add(t)
}

// spans caches the ranges of the features of a dataset.
type spans struct {
	ds     *dataset.Dataset
	ranges map[int][2]float64 // minimum and maximum of a feature
}

// centre moves the thresholds of t, whose splits all separate the rows that reach them, halfway
// between these rows. It returns the nodes whose splits violate the margin mu; none if mu is 0.
func (s *spans) centre(t *tree.Tree, mu float64) (thin map[int]bool) {
	thin = make(map[int]bool)
	rows := make([]int, s.ds.N())
	for i := range rows {
		rows[i] = i
	}
	var walk func(node int, rows []int)
	walk = func(node int, rows []int) {
		n := &t.Nodes[node]
		if n.Leaf() {
			return
		}
		var left, right []int
		for _, i := range rows {
			if n.Split.Left(s.ds.Row(i)) {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		if below, above := s.sides(n.Split.Terms, left, right); below < above {
			n.Split = &tree.Split{Terms: n.Split.Terms, Threshold: tree.Midpoint(below, above)}
		}
		if mu > 0 && !s.keepsMargin(mu, n.Split.Terms, left, right) {
			thin[node] = true
		}
		walk(n.Left, left)
		walk(n.Right, right)
	}
	walk(0, rows)
	return thin
}

// sides returns the maximum of the sum of terms on the left and the minimum on the right.
func (s *spans) sides(terms []tree.Term, left, right []int) (below, above float64) {
	value := func(i int) float64 {
		x, v := s.ds.Row(i), 0.0
		for _, term := range terms {
			v += term.Weight * x[term.Feature]
		}
		return v
	}
	return extremes(value, left, right)
}

// keepsMargin reports whether the sides are mu apart on features scaled to [0, 1] with sum |a| = 1;
// it matches OCT-H to the last bit.
func (s *spans) keepsMargin(mu float64, terms []tree.Term, left, right []int) bool {
	low, width, a := make([]float64, len(terms)), make([]float64, len(terms)), make([]float64, len(terms))
	for k, term := range terms {
		r := s.rangeOf(term.Feature)
		low[k], width[k] = r[0], r[1]-r[0]
		a[k] = term.Weight * width[k]
	}
	if !octh.Normalise(a) {
		return false
	}
	below, above := extremes(func(i int) float64 {
		x, v := s.ds.Row(i), 0.0
		for k, term := range terms {
			if width[k] > 0 {
				v += a[k] * ((x[term.Feature] - low[k]) / width[k])
			}
		}
		return v
	}, left, right)
	return below+mu <= above
}

func extremes(value func(i int) float64, left, right []int) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(1)
	for _, i := range left {
		below = max(below, value(i))
	}
	for _, i := range right {
		above = min(above, value(i))
	}
	return below, above
}

// rangeOf returns the minimum and the maximum of feature j.
func (s *spans) rangeOf(j int) [2]float64 {
	r, known := s.ranges[j]
	if !known {
		r = [2]float64{math.Inf(1), math.Inf(-1)}
		for i := range s.ds.N() {
			v := s.ds.At(i, j)
			r[0], r[1] = min(r[0], v), max(r[1], v)
		}
		s.ranges[j] = r
	}
	return r
}
