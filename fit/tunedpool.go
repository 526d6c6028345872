package fit

import (
	"cmp"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// candidate is a tree that competes in a tuning.
type candidate struct {
	tree       *tree.Tree
	errors     float64 // error weight on the training part; with costs, the excess
	complexity int     // splits, or features over all splits
	depth      int
}

// candidates are the trees of a tuning on its training part. Those that another
// one beats in errors, complexity and depth are left out.
type candidates struct {
	ds         *dataset.Dataset
	complexity func(*tree.Tree) int
	scale      float64               // Lhat
	tolerance  float64               // in weight: what counts as equal
	admits     func(*tree.Tree) bool // nil for all
	all        []candidate
}

func newCandidates(ds *dataset.Dataset, complexity func(*tree.Tree) int) *candidates {
	c := &candidates{ds: ds, complexity: complexity, scale: tree.ErrorScale(ds), tolerance: 1e-11 * mostLoss(ds)}
	c.add(majorityLeaf(ds))
	return c
}

// mostLoss is more than a tree can lose on ds: all weight; with costs, the excess of the
// dearest answers.
func mostLoss(ds *dataset.Dataset) float64 {
	if ds.Cost == nil {
		return sum(ds.Weight)
	}
	total := 0.0
	for row := range slices.Chunk(ds.Excess(), ds.K()) {
		total += slices.Max(row)
	}
	return total
}

// addPruned adds t and its best subtrees of fewer splits.
func (c *candidates) addPruned(t *tree.Tree) {
	t = c.add(t)
	for splits := t.Splits() - 1; splits > 0; splits-- {
		c.add(cart.BestSubtree(c.ds, t, 0, -1, splits))
	}
}

// add adds t without the splits that are of no use, where it is admitted, and returns it
// without them.
func (c *candidates) add(t *tree.Tree) *tree.Tree {
	t = t.Simplify(c.ds)
	n := candidate{tree: t, errors: t.Evaluate(c.ds).Excess, complexity: c.complexity(t), depth: t.Depth()}
	beats := func(a, b candidate) bool {
		return a.errors <= b.errors+c.tolerance && a.complexity <= b.complexity && a.depth <= b.depth
	}
	if slices.ContainsFunc(c.all, func(a candidate) bool { return beats(a, n) }) {
		return t
	}
	if c.admits != nil && !c.admits(t) {
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
// that of the least complexity. The single leaf is always within them.
func (c *candidates) best(g tuneGoal) candidate {
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
	return c.all[at]
}

// survivor is a candidate of the envelope: the best one for alpha from low to high.
type survivor struct {
	candidate
	low, high float64
}

// envelope returns the candidates that are best at some alpha in [0, 1], by
// ascending alpha: the vertices of the lower convex hull of (complexity, errors).
// At alpha = 1 the single leaf is never worse than another tree; where it is
// best only there, the tree that is as good has the end of the range.
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
		high := 1.0
		if i > 0 {
			high = min(1, slope(hull[i-1], hull[i]))
		}
		if high > low || i == len(hull)-1 {
			envelope = append(envelope, survivor{hull[i], low, high})
		}
		low = high
	}
	return envelope
}
