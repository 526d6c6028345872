package cart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Options are the settings of Grow. The zero value grows by Gini until no node can be split.
type Options struct {
	Criterion tree.Criterion
	MaxDepth  int     // maximum depth; 0: no limit
	MinLeaf   float64 // minimum weight of a leaf (N_min); a leaf always has a row
	MinSplit  float64 // minimum weight of a node to split; 0: two rows suffice

	// Complexity is the penalty per split in cost-complexity pruning, in units of the error rate
	// (alpha of Prune); 0 means no pruning.
	Complexity float64

	// Folds, if not 0, prunes by cross-validation with this many folds (2 or more; Breiman uses
	// 10), dealt by Seed: it selects the smallest subtree of the cost-complexity sequence whose
	// cross-validated risk is within PruneSE standard errors of the minimum. PruneSE 0 selects the
	// minimum, 1 is Breiman's 1-SE rule.
	Folds   int
	PruneSE float64
	Seed    uint64

	// Presort, if not nil, is the presort of the dataset. Grow only reads it; others may read it at
	// the same time.
	Presort *tree.Presort
}

// Stats describes a run of Grow.
type Stats struct {
	Grown   int           // splits before pruning
	Sweeps  int           // nodes whose best split was searched
	Stopped bool          // the context ended the growth; the tree is complete but smaller
	Presort time.Duration // sorting
	Total   time.Duration // total, including sorting
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("cart: the dataset has no rows")
	case !o.Criterion.Valid():
		return fmt.Errorf("cart: criterion %v is unknown", o.Criterion)
	case o.MaxDepth < 0:
		return fmt.Errorf("cart: maximum depth %d is negative", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("cart: minimum leaf weight %v is not a number >= 0", o.MinLeaf)
	case !(o.MinSplit >= 0):
		return fmt.Errorf("cart: minimum weight of a split node %v is not a number >= 0", o.MinSplit)
	case !(o.Complexity >= 0):
		return fmt.Errorf("cart: complexity %v is not a number >= 0", o.Complexity)
	case o.Folds < 0 || o.Folds == 1:
		return fmt.Errorf("cart: %d folds; want at least 2, or 0 for no cross-validation", o.Folds)
	case o.Folds > 0 && o.Complexity > 0:
		return errors.New("cart: complexity and cross-validation exclude each other")
	case !(o.PruneSE >= 0):
		return fmt.Errorf("cart: number of standard errors %v is not a number >= 0", o.PruneSE)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("cart: Presort does not match the dataset")
	}
	return nil
}

// growTree grows a tree by o without pruning it, at least the single leaf.
func growTree(ctx context.Context, ds *dataset.Dataset, o Options, stats *Stats) *tree.Tree {
	t := tree.NewLeaf(ds, 0)
	pre := o.Presort
	if pre == nil {
		begin := time.Now()
		var err error
		pre, err = tree.NewPresortContext(ctx, ds)
		stats.Presort = time.Since(begin)
		if err != nil {
			stats.Stopped = true
			t.Relabel(ds)
			return t
		}
	}
	seen, leaf := ds.AlteredPriors(), []float64(nil)
	if seen != ds { // ds decides which leaves are heavy enough and labels them
		pre, leaf = pre.WithLabels(seen.Y, seen.Weight), ds.Weight
	}
	g := &growth{
		Options: o, ctx: ctx, ds: seen, pre: pre,
		sweeper: tree.NewSweeper(pre, o.Criterion, o.MinLeaf),
		parts:   tree.NewPartitioner(pre),
		tree:    t, stats: stats, leaf: leaf,
	}
	g.sweeper.Leaf = leaf
	g.grow()
	stats.Grown = t.Splits()
	if seen != ds {
		t.Relabel(ds)
	}
	return t
}

// growth is the state of a run.
type growth struct {
	Options
	ctx     context.Context
	ds      *dataset.Dataset
	pre     *tree.Presort
	sweeper *tree.Sweeper
	parts   *tree.Partitioner
	tree    *tree.Tree
	stats   *Stats
	leaf    []float64 // (n) weights that leaves count, if ds has altered weights; else nil
}

// openLeaf is a leaf that may still be split.
type openLeaf struct {
	at, depth int
	rows      tree.Subset
	loss      float64 // by the criterion
	weight    float64
	leaf      float64 // weight that leaves count
}

// grow splits leaves, left before right, until none can be split.
func (g *growth) grow() {
	all := g.pre.All()
	if g.MaxDepth != 1 {
		all = all.Clone() // to be partitioned in place
	}
	for stack := []openLeaf{g.visit(0, 0, all)}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !g.splittable(n) {
			continue
		}
		if g.ctx.Err() != nil {
			g.stats.Stopped = true
			return
		}
		g.stats.Sweeps++
		best, ok := g.sweeper.Best(n.rows)
		if !ok {
			continue
		}
		left, right := g.tree.Grow(n.at, best.Split(), 0, 0)
		if n.depth+1 == g.MaxDepth {
			order := n.rows.Order(best.Feature)
			g.annotate(left, order[:best.Size])
			g.annotate(right, order[best.Size:])
			continue
		}
		l, r := g.parts.Split(n.rows, best.Feature, best.Size)
		stack = append(stack, g.visit(right, n.depth+1, r), g.visit(left, n.depth+1, l))
	}
}

// visit annotates the new leaf at index at.
func (g *growth) visit(at, depth int, rows tree.Subset) openLeaf {
	if g.pre.P() > 0 {
		g.annotate(at, rows.Order(0))
	} else {
		g.tree.Relabel(g.ds) // the single leaf
	}
	n := openLeaf{at: at, depth: depth, rows: rows}
	for _, w := range g.tree.Nodes[at].Weight {
		n.weight += w
	}
	n.leaf = n.weight
	if g.leaf != nil && g.pre.P() > 0 {
		n.leaf = 0
		for _, i := range rows.Order(0) {
			n.leaf += g.leaf[i]
		}
	}
	n.loss = g.Criterion.Loss(g.tree.Nodes[at].Weight)
	return n
}

func (g *growth) splittable(n openLeaf) bool {
	return n.rows.Size() > 1 && n.loss > 1e-12*n.weight &&
		(g.MaxDepth == 0 || n.depth < g.MaxDepth) &&
		tree.EnoughWeight(n.leaf, max(g.MinSplit, 2*g.MinLeaf))
}

// annotate sets the weights, counts and class of a node.
func (g *growth) annotate(at int, rows []int32) {
	k := g.ds.K()
	flat := make([]float64, 2*k)
	n := &g.tree.Nodes[at]
	n.Weight, n.Count = flat[:k:k], flat[k:]
	for _, i := range rows {
		y := g.ds.Y[i]
		n.Weight[y] += g.ds.Weight[i]
		n.Count[y] += g.ds.Count[i]
	}
	most := math.Inf(-1)
	for c, w := range n.Weight {
		if w > most {
			n.Class, most = c, w
		}
	}
}
