package fit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/score"
)

// candidate is a tree that competes in a tuning.
type candidate struct {
	tree       *tree.Tree
	errors     float64 // error weight on the training part; see candidates.loss
	complexity int     // splits, or features over all splits
	depth      int
}

// candidates are the trees of a tuning on its training part. Those that another
// one beats in errors, complexity and depth are left out.
type candidates struct {
	ds         *dataset.Dataset
	complexity func(*tree.Tree) int
	scale      float64               // Lhat; of numbers 1, since losses are parts of it
	tolerance  float64               // in weight: what counts as equal
	admits     func(*tree.Tree) bool // nil for all
	keep       *constraint.On        // which all of them hold; nil for none
	top        float64               // alpha from which the simplest tree is the best
	all        []candidate
}

// newCandidates begins with the constant trees: without constraints the best of them,
// else those that hold them, of which there may be none.
func newCandidates(ds *dataset.Dataset, complexity func(*tree.Tree) int, keep *constraint.On) *candidates {
	c := &candidates{ds: ds, complexity: complexity, scale: tree.ErrorScale(ds), tolerance: 1e-11 * ds.MostLoss(), keep: keep, top: 1}
	if ds.Kind() == dataset.Numbers {
		c.scale, c.tolerance = 1, 1e-11
	}
	if keep == nil {
		c.add(majorityLeaf(ds))
		return c
	}
	if ds.Kind() != dataset.Numbers {
		c.top = max(1, ds.MostLoss()/c.scale)
	}
	for _, price := range keep.FeatureCost {
		c.top += price
	}
	for k := range ds.K() {
		c.add(constantTree(ds, k))
	}
	return c
}

// loss is what a tree loses on the rows, and the price of the columns that it uses.
func (c *candidates) loss(t *tree.Tree) float64 {
	loss := score.LossOf(t, c.ds)
	if c.keep != nil {
		loss += c.keep.Price(t) * c.scale
	}
	return loss
}

// simplest is t without the splits that are of no use, unless a constraint needs one.
func (c *candidates) simplest(t *tree.Tree) *tree.Tree {
	if s := t.Simplify(c.ds); c.holds(s) {
		return s
	}
	return t.Collapse(c.ds)
}

// holds reports whether t keeps the constraints.
func (c *candidates) holds(t *tree.Tree) bool { return c.keep == nil || c.keep.Broken(t) == nil }

// addPruned adds t and its best subtrees of fewer splits.
func (c *candidates) addPruned(t *tree.Tree) {
	t = c.add(t)
	for splits := t.Splits() - 1; splits > 0; splits-- {
		c.add(cart.BestSubtree(c.ds, t, 0, -1, splits))
	}
}

// add adds t without the splits that are of no use, where it is admitted and holds the
// constraints, and returns it without them.
func (c *candidates) add(t *tree.Tree) *tree.Tree {
	t = c.simplest(t)
	n := candidate{tree: t, errors: c.loss(t), complexity: c.complexity(t), depth: t.Depth()}
	beats := func(a, b candidate) bool {
		return a.errors <= b.errors+c.tolerance && a.complexity <= b.complexity && a.depth <= b.depth
	}
	if slices.ContainsFunc(c.all, func(a candidate) bool { return beats(a, n) }) {
		return t
	}
	if c.admits != nil && !c.admits(t) || !c.holds(t) {
		return t
	}
	c.all = append(slices.DeleteFunc(c.all, func(a candidate) bool { return beats(n, a) }), n)
	return t
}

// value is what candidate a costs at alpha, in weight.
func (c *candidates) value(a candidate, alpha float64) float64 {
	return a.errors + alpha*c.scale*float64(a.complexity)
}

// best is the candidate of least value within the goal's limits; of equal ones
// that of the least complexity. Without constraints the single leaf is always within
// them; with some there may be none.
func (c *candidates) best(g tuneGoal) (best candidate, ok bool) {
	at := -1
	for i, a := range c.all {
		if a.depth > g.depth || g.most > 0 && a.complexity > g.most {
			continue
		}
		if at < 0 {
			at = i
			continue
		}
		d := c.value(a, g.alpha) - c.value(c.all[at], g.alpha)
		if d < -c.tolerance || d <= c.tolerance && a.complexity < c.all[at].complexity {
			at = i
		}
	}
	if at < 0 {
		return candidate{}, false
	}
	return c.all[at], true
}

// survivor is a candidate of the envelope: the best one for alpha from low to high.
type survivor struct {
	candidate
	low, high float64
}

// envelope returns the candidates that are best at some alpha in [0, top], by
// ascending alpha: the vertices of the lower convex hull of (complexity, errors).
// At alpha = 1 the single leaf is never worse than another tree; where it is
// best only there, the tree that is as good has the end of the range. Under constraints
// a constant tree may lose more than the single leaf, but no tree loses more than top
// times its scale.
func (c *candidates) envelope() []survivor {
	points := slices.Clone(c.all)
	slices.SortStableFunc(points, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.complexity, b.complexity), cmp.Compare(a.errors, b.errors))
	})
	slope := func(a, b candidate) float64 {
		return (a.errors - b.errors) / (float64(b.complexity-a.complexity) * c.scale)
	}
	var hull []candidate
	for _, p := range points {
		if n := len(hull); n > 0 && p.errors >= hull[n-1].errors-c.tolerance {
			continue
		}
		for n := len(hull); n > 1 && slope(hull[n-2], hull[n-1]) <= slope(hull[n-1], p)+c.tolerance/c.scale; n-- {
			hull = hull[:n-1]
		}
		hull = append(hull, p)
	}
	envelope := make([]survivor, 0, len(hull))
	low := 0.0
	for i := len(hull) - 1; i >= 0; i-- {
		high := c.top
		if i > 0 {
			high = min(c.top, slope(hull[i-1], hull[i]))
		}
		if high > low || i == len(hull)-1 {
			envelope = append(envelope, survivor{hull[i], low, high})
		}
		low = high
	}
	return envelope
}

// tuneGoal is a problem of a tuning: least error weight + alpha x Lhat x
// complexity, of depth and complexity at most.
type tuneGoal struct {
	depth int
	most  int // complexity; 0: no limit
	alpha float64
	time  time.Duration // 0: no limit
}

// within is ctx with so many tenths of the goal's time.
func (g *tuneGoal) within(ctx context.Context, tenths time.Duration) (context.Context, context.CancelFunc) {
	if g.time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(1, g.time*tenths/10))
}

// String is the goal in words.
func (g *tuneGoal) String() string {
	if g.most > 0 {
		return fmt.Sprintf("depth %d, complexity at most %d", g.depth, g.most)
	}
	return fmt.Sprintf("depth %v, alpha %.4g", problem.Depth(g.depth), g.alpha)
}

// solvedGoal is a goal with what was proved of it.
type solvedGoal struct {
	tuneGoal
	bound float64 // on the goal's value, in weight; -Inf for none
}

// splitLimit is most as the searches take it: 0 where the depth says as much.
func (g *tuneGoal) splitLimit() int {
	if g.most >= 1<<g.depth-1 {
		return 0
	}
	return g.most
}
