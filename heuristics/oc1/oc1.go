// Package oc1 implements OC1, which grows hyperplane trees by perturbing coefficients: Murthy,
// Kasif, Salzberg & Beigel, OC1: A randomized algorithm for building oblique decision trees, 1993;
// with the impurities of Breiman, Friedman, Olshen & Stone 1984, Quinlan 1986 and Heath 1992, which
// the paper compares.
package oc1

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// Result is the result of Grow. The tree is annotated with all training data; its leaves predict
// their majority class (the lowest of equal ones).
type Result struct {
	Tree  *tree.Tree
	Stats Stats
}

// Grow grows a hyperplane tree by OC1 (Murthy, Kasif, Salzberg & Beigel 1993). At each node that is
// not pure:
//
//  1. Find the best univariate split by the impurity.
//  2. Start from it, and from Restarts-1 random hyperplanes, each moved first to its best
//     constant. Perturb the coefficients in the given order. Perturbing coefficient m (Figure 1)
//     computes for each row the value of a_m at which it changes sides, sorts these values, and
//     moves a_m to the best split in that order if it is better; if it is equal, with probability
//     exp(-stagnant).
//  3. At a local minimum, move along up to Jumps random directions, to the best split on each
//     line, in the same way; return to 2 after an improvement.
//  4. Take the best hyperplane if it is better than the univariate split, without the features
//     that it does not need.
//
// Features are standardised at each node, so that units do not matter. The threshold of a split is
// moved halfway between the nearest training rows on both sides, which changes no training row's
// side.
//
// Additions to the paper: step 1, the rule of RowsPerFeature, and pruning by holdout come from the
// authors' later program. (Pruning uses Breiman's cost-complexity sequence, here with half a
// standard error.) Other additions drop features that are not needed, handle rows of negative x_m,
// which cross the other way, and support K classes and weights for all impurities. Options.Paper
// disables the first three additions; the others do not change results of the paper or, like the
// scaling, concern what the paper leaves open.
//
// A perturbation costs O(n) (radix sort of n single-precision numbers and one sweep) and a random
// direction O(n p), where n is the number of the node's rows. Equal seeds give equal trees, unless
// a limit ended the growth.
func Grow(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	o.defaults()
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	begin := time.Now()
	grow, hold := allRows(ds.N()), []int(nil)
	if o.Holdout > 0 && ds.N() >= 2 {
		train, test, err := ds.Holdout(o.Holdout, o.Seed)
		if err != nil {
			return nil, err
		}
		hold = test
		grow = grow[:0]
		for _, i := range train {
			grow = append(grow, int32(i))
		}
	}
	g := &growth{Options: o, ctx: ctx, ds: ds, tree: tree.NewLeaf(ds, 0)}
	g.run(grow)
	g.stats.Grown = g.tree.Splits()
	res := &Result{Tree: g.tree}
	if hold != nil && g.stats.Grown > 0 {
		pruned, err := cart.PruneByHoldout(g.tree, ds, hold, o.PruneSE)
		if err != nil {
			return nil, err
		}
		res.Tree = pruned
	}
	res.Tree.Relabel(ds)
	g.stats.Total = time.Since(begin)
	res.Stats = g.stats
	return res, nil
}

func allRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// growth is the state of a run.
type growth struct {
	Options
	ctx    context.Context
	ds     *dataset.Dataset
	tree   *tree.Tree
	stats  Stats
	pre    *tree.Presort
	search *planeSearch
	value  []float64 // (n) of the current split, by position in the node
	buffer []int32   // (n)
}

// openLeaf is a leaf that may still be split.
type openLeaf struct {
	at, depth int
	rows      []int32
}

func (g *growth) run(rows []int32) {
	if g.pre = g.Presort; g.pre == nil {
		var err error
		if g.pre, err = tree.NewPresortContext(g.ctx, g.ds); err != nil {
			g.stats.Stopped = true
			return
		}
	}
	g.search = newPlaneSearch(g.ctx, g.ds, &g.Options, rand.New(rand.NewPCG(g.Seed, 0x6f6331))) // the second word is "oc1"
	g.value, g.buffer = make([]float64, g.ds.N()), make([]int32, g.ds.N())
	g.annotate(0, rows)
	stack := []openLeaf{{0, 0, rows}}
	for len(stack) > 0 && g.ctx.Err() == nil {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !g.splittable(n) {
			continue
		}
		split, size := g.split(n)
		if split == nil {
			continue
		}
		left, right := g.tree.Grow(n.at, split, 0, 0)
		g.annotate(left, n.rows[:size])
		g.annotate(right, n.rows[size:])
		stack = append(stack, openLeaf{right, n.depth + 1, n.rows[size:]}, openLeaf{left, n.depth + 1, n.rows[:size]})
	}
	g.stats.Stopped = len(stack) > 0 || g.search.Ended()
	g.stats.Perturbations = g.search.perturbations
}

func (g *growth) splittable(n openLeaf) bool {
	weight, most := 0.0, 0.0
	for _, w := range g.tree.Nodes[n.at].Weight {
		weight += w
		most = max(most, w)
	}
	return len(n.rows) > 1 && most < weight && (g.MaxDepth == 0 || n.depth < g.MaxDepth) &&
		tree.EnoughWeight(weight, max(g.MinSplit, 2*g.MinLeaf)) &&
		g.Impurity.node(g.tree.Nodes[n.at].Weight) > g.Threshold
}

// split finds the split of n and moves the rows that go left, size of them, to the front. It
// returns nil if there is none.
func (g *growth) split(n openLeaf) (split *tree.Split, size int) {
	g.stats.Nodes++
	s := g.search
	s.enter(n.rows, g.tree.Nodes[n.at].Weight)
	if g.Paper {
		return g.paperSplit(n.rows)
	}
	axis := s.axis(g.pre.Ranks)
	if axis.feature < 0 {
		return nil, 0
	}
	univariate := g.axisSplit(n.rows, axis)
	if g.AxisOnly || axis.score >= s.sweep.perfect-s.sweep.equal || float64(len(n.rows)) < g.RowsPerFeature*float64(g.ds.P()) {
		return univariate, g.partition(n.rows, univariate)
	}
	if s.prepare() && len(s.features) > 1 && s.search(axis, univariate.Threshold, g.Restarts) {
		if split := g.obliqueSplit(n.rows); split != nil {
			if size := g.partition(n.rows, split); size > 0 {
				g.stats.Oblique++
				return split, size
			}
		}
	}
	return univariate, g.partition(n.rows, univariate)
}

// paperSplit is split without univariate splits: nil if no random start reached a plane with rows
// on both sides.
func (g *growth) paperSplit(rows []int32) (split *tree.Split, size int) {
	if s := g.search; !s.prepare() || len(s.features) == 0 || !s.searchAtRandom(g.Restarts) {
		return nil, 0
	}
	if split = g.obliqueSplit(rows); split == nil {
		return nil, 0
	}
	if size = g.partition(rows, split); size == 0 {
		return nil, 0
	}
	g.stats.Oblique++
	return split, size
}

// axisSplit returns the univariate split of the search, between two training values.
func (g *growth) axisSplit(rows []int32, a axisSplit) *tree.Split {
	rank, values := g.pre.Ranks(a.feature), g.pre.Values(a.feature)
	sorted := g.buffer[:len(rows)]
	for i, r := range rows {
		sorted[i] = rank[r]
	}
	slices.Sort(sorted)
	return tree.Univariate(a.feature, tree.Midpoint(values[sorted[a.size-1]], values[sorted[a.size]]))
}

// obliqueSplit returns the best hyperplane in the data's units; nil if they exceed the
// floating-point range, or if a side would be empty or too light.
func (g *growth) obliqueSplit(rows []int32) *tree.Split {
	s := g.search
	d := len(s.features)
	split := &tree.Split{}
	most := 0.0
	for m, j := range s.features {
		if w := s.best[m] / s.scale[m]; w != 0 {
			split.Terms = append(split.Terms, tree.Term{Feature: j, Weight: w})
			most = max(most, math.Abs(w))
		}
	}
	if len(split.Terms) == 0 || math.IsInf(most, 0) {
		return nil
	}
	b := -s.best[d] / most
	for m := range s.features {
		b += s.best[m] / s.scale[m] / most * s.origin[m]
	}
	for i := range split.Terms {
		split.Terms[i].Weight /= most
	}
	// The largest weight is 1; weights that underflowed are dropped.
	split.Terms = slices.DeleteFunc(split.Terms, func(t tree.Term) bool { return t.Weight == 0 })
	lo, hi := math.Inf(-1), math.Inf(1)
	for _, r := range rows {
		v := 0.0
		x := g.ds.Row(int(r))
		for _, t := range split.Terms {
			v += t.Weight * x[t.Feature]
		}
		if v < b {
			lo = max(lo, v)
		} else {
			hi = min(hi, v)
		}
	}
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) || !(lo < hi) {
		return nil
	}
	split.Threshold = tree.Midpoint(lo, hi)
	if len(split.Terms) == 1 && split.Terms[0].Weight == -1 {
		return nil // a mirrored univariate split: never better than the best one
	}
	return split
}

// partition moves the rows that go left to the front, keeps the order on each side, and returns
// their number; 0 if a side is empty or too light.
func (g *growth) partition(rows []int32, split *tree.Split) int {
	size, right, leftWeight, rightWeight := 0, 0, 0.0, 0.0
	for _, r := range rows {
		if split.Left(g.ds.Row(int(r))) {
			rows[size] = r
			size++
			leftWeight += g.ds.Weight[r]
		} else {
			g.buffer[right] = r
			right++
			rightWeight += g.ds.Weight[r]
		}
	}
	copy(rows[size:], g.buffer[:right])
	if size == 0 || right == 0 || !tree.EnoughWeight(leftWeight, g.MinLeaf) || !tree.EnoughWeight(rightWeight, g.MinLeaf) {
		return 0
	}
	return size
}

// annotate sets the weights of a node from the rows on which it was grown.
func (g *growth) annotate(at int, rows []int32) {
	n := &g.tree.Nodes[at]
	n.Weight = make([]float64, g.ds.K())
	for _, r := range rows {
		n.Weight[g.ds.Y[r]] += g.ds.Weight[r]
	}
	most := math.Inf(-1)
	for k, w := range n.Weight {
		if w > most {
			n.Class, most = k, w
		}
	}
}
