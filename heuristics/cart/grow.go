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

// Options are the settings of Grow. The zero value grows by Gini until nothing can
// be split.
type Options struct {
	Criterion tree.Criterion
	MaxDepth  int     // splits on the longest path; 0: no limit
	MinLeaf   float64 // least weight of a leaf (N_min); a leaf always has a row
	MinSplit  float64 // least weight of a node that is split; 0: two rows suffice

	// Complexity is the penalty per split of cost-complexity pruning, in units
	// of the error rate (as alpha of Prune): 0 prunes nothing.
	Complexity float64

	// Folds, where not 0, prunes by cross-validation with so many folds, dealt by
	// Seed (2 or more; 10 is Breiman's): the smallest subtree of the
	// cost-complexity sequence whose cross-validated risk is within PruneSE
	// standard errors of the least. 0 takes the least, 1 is Breiman's 1-SE rule.
	Folds   int
	PruneSE float64
	Seed    uint64

	// Presort, where not nil, is that of the dataset, for callers that have it already.
	// It stays theirs: it is only read, and may be read by others meanwhile.
	Presort *tree.Presort
}

// Stats says what Grow did.
type Stats struct {
	Grown   int           // splits before pruning
	Sweeps  int           // nodes whose best split was looked for
	Stopped bool          // the context ended the growth; the tree is whole but smaller
	Presort time.Duration // sorting
	Total   time.Duration // all, with the sorting
}

func (o *Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("cart: the dataset has no rows")
	case !o.Criterion.Valid():
		return fmt.Errorf("cart: criterion %v is unknown", o.Criterion)
	case o.MaxDepth < 0:
		return fmt.Errorf("cart: depth %d; 0 (no limit) or more is needed", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("cart: least leaf weight %v; 0 or more is needed", o.MinLeaf)
	case !(o.MinSplit >= 0):
		return fmt.Errorf("cart: least weight of a split node %v; 0 or more is needed", o.MinSplit)
	case !(o.Complexity >= 0):
		return fmt.Errorf("cart: complexity %v; 0 or more is needed", o.Complexity)
	case o.Folds < 0 || o.Folds == 1:
		return fmt.Errorf("cart: %d folds; 2 or more are needed, or 0 for no cross-validation", o.Folds)
	case o.Folds > 0 && o.Complexity > 0:
		return errors.New("cart: a complexity and cross-validation, which chooses it")
	case !(o.PruneSE >= 0):
		return fmt.Errorf("cart: %v standard errors; 0 or more are needed", o.PruneSE)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("cart: Presort is not of this dataset")
	}
	return nil
}

// growTree grows the tree that o asks for, without pruning it: at least the single
// leaf.
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
	if seen != ds { // leaves are wide enough, and labelled, by what ds says
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

// growth is the state of one run.
type growth struct {
	Options
	ctx     context.Context
	ds      *dataset.Dataset
	pre     *tree.Presort
	sweeper *tree.Sweeper
	parts   *tree.Partitioner
	tree    *tree.Tree
	stats   *Stats
	leaf    []float64 // (n) what rows weigh for leaves, where ds has altered weights; else nil
}

// openLeaf is a leaf that may still be split.
type openLeaf struct {
	at, depth int
	rows      tree.Subset
	loss      float64 // by the criterion
	weight    float64
	leaf      float64 // weight as leaves count it
}

// grow splits leaves, left before right, until none can be.
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

// annotate fills the weights, counts and class of a node.
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
