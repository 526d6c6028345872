package localsearch

import (
	"context"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// offers keeps the best of the trees that there are before a search, so that its
// answer is never worse than any of them, however early it ends.
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

// add makes t a tree of the data that is no deeper than allowed, has no vacuous split
// and thresholds half way between the rows on their two sides. Without the splits that
// do not keep the margin, it is kept where the limits admit it and it is the best so far.
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

// beat says whether the best offer is better than t.
func (f *offers) beat(t *tree.Tree) bool {
	return f.objective < f.o.objective(t, f.ds)-1e-12*(1+f.objective)
}

// cutAt turns the branch nodes of t at that depth into leaves.
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

// admits says whether the limits on splits and leaves admit t, which is annotated.
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

// complexity counts the splits of t, or the features in them.
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

// grow adds CART's trees by each criterion, pruned to the best subtree for the
// objective, until ctx ends.
func (f *offers) grow(ctx context.Context, pre *tree.Presort) {
	most := -1
	if f.o.MaxSplits > 0 {
		most = f.o.MaxSplits
	}
	for _, c := range []tree.Criterion{tree.Gini, tree.Entropy, tree.Misclassification} {
		res, err := f.o.CART(ctx, f.ds, cart.Options{Criterion: c, MaxDepth: f.o.Depth, MinLeaf: f.o.MinLeaf, Presort: pre})
		if err != nil {
			panic(err) // the options were checked
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

// addStump adds the best univariate split whose sides are the margin apart, if there
// is one: where values are dense all of CART's may be too thin.
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
