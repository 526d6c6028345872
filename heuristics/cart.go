package heuristics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// CARTOptions are the settings of CART. The zero value grows by Gini until
// nothing can be split.
type CARTOptions struct {
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

	// Presort, where not nil, is the presorted dataset: for callers that have
	// it already. It is not written to.
	Presort *tree.Presort
}

// CARTStats says what CART did.
type CARTStats struct {
	Grown   int           // splits before pruning
	Sweeps  int           // nodes whose best split was looked for
	Stopped bool          // the context ended the growth; the tree is whole but smaller
	Presort time.Duration // sorting
	Total   time.Duration // all, with the sorting
}

// CARTResult is what CART returns. The tree is annotated with the training
// data; its leaves answer their majority class (the lowest of equal ones).
type CARTResult struct {
	Tree      *tree.Tree
	Estimates []PruneEstimate // with Folds: of each subtree of the sequence, the largest first
	Stats     CARTStats
}

// CART grows a univariate tree greedily (Breiman, Friedman, Olshen & Stone
// 1984): every node takes the split of the least loss by the criterion, until
// it is pure, too deep or too light, and, as in scikit-learn, also where that
// split gains nothing. Of equal splits it takes the lowest feature, then the
// lowest threshold. Classes, weights and Count are as in ds; MinLeaf and
// MinSplit are weights.
//
// It costs O(n p) for sorting and O(n p) per level: one sweep per feature over
// presorted rows, which are partitioned on the way down. Where ctx ends, the
// growth stops and the tree so far is the result.
func CART(ctx context.Context, ds *dataset.Dataset, o CARTOptions) (*CARTResult, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	begin := time.Now()
	res := &CARTResult{Tree: tree.NewLeaf(ds, 0)}
	pre := o.Presort
	if pre == nil {
		pre = tree.NewPresort(ds)
		res.Stats.Presort = time.Since(begin)
	}
	g := &cartGrowth{
		CARTOptions: o, ctx: ctx, ds: ds, pre: pre,
		sweeper: tree.NewSweeper(pre, o.Criterion, o.MinLeaf),
		parts:   tree.NewPartitioner(pre),
		tree:    res.Tree, stats: &res.Stats,
	}
	g.grow()
	res.Stats.Grown = res.Tree.Splits()
	if o.Complexity > 0 || o.Folds > 0 {
		path, err := CostComplexity(res.Tree, tree.Misclassification)
		if err != nil {
			return nil, err
		}
		alpha := o.Complexity
		if o.Folds > 0 {
			if alpha, err = o.chooseAlpha(ctx, ds, path, res); err != nil {
				return nil, err
			}
		}
		res.Tree = path.Subtree(alpha)
	}
	res.Stats.Total = time.Since(begin)
	return res, nil
}

// chooseAlpha returns the complexity that cross-validation chooses; less than
// 0, which prunes nothing, where the context ended it.
func (o *CARTOptions) chooseAlpha(ctx context.Context, ds *dataset.Dataset, path *PrunePath, res *CARTResult) (float64, error) {
	estimates, err := crossValidate(ctx, ds, *o, path)
	if err != nil {
		return 0, fmt.Errorf("cart: %w", err)
	}
	if estimates == nil {
		res.Stats.Stopped = true
		return -1, nil
	}
	res.Estimates = estimates
	risks := make([]float64, len(estimates))
	for i, e := range estimates {
		risks[i] = e.CVRisk
	}
	return estimates[simplestWithin(risks, o.PruneSE, inverseRows(ds, allRows(ds.N())))].Alpha, nil
}

func (o *CARTOptions) validate(ds *dataset.Dataset) error {
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
	case o.Presort != nil && (o.Presort.N() != ds.N() || o.Presort.P() != ds.P() || o.Presort.K() != ds.K()):
		return errors.New("cart: Presort is not of this dataset")
	}
	return nil
}

// cartGrowth is the state of one run.
type cartGrowth struct {
	CARTOptions
	ctx     context.Context
	ds      *dataset.Dataset
	pre     *tree.Presort
	sweeper *tree.Sweeper
	parts   *tree.Partitioner
	tree    *tree.Tree
	stats   *CARTStats
}

// cartNode is a leaf that may still be split.
type cartNode struct {
	at, depth int
	rows      tree.Subset
	loss      float64 // by the criterion
	weight    float64
}

// grow splits leaves, left before right, until none can be.
func (g *cartGrowth) grow() {
	all := g.pre.All()
	if g.MaxDepth != 1 {
		all = all.Clone() // to be partitioned in place
	}
	for stack := []cartNode{g.visit(0, 0, all)}; len(stack) > 0; {
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
func (g *cartGrowth) visit(at, depth int, rows tree.Subset) cartNode {
	if g.pre.P() > 0 {
		g.annotate(at, rows.Order(0))
	} else {
		g.tree.Relabel(g.ds) // the single leaf
	}
	n := cartNode{at: at, depth: depth, rows: rows}
	for _, w := range g.tree.Nodes[at].Weight {
		n.weight += w
	}
	n.loss = g.Criterion.Loss(g.tree.Nodes[at].Weight)
	return n
}

func (g *cartGrowth) splittable(n cartNode) bool {
	return n.rows.Size() > 1 && n.loss > 1e-12*n.weight &&
		(g.MaxDepth == 0 || n.depth < g.MaxDepth) &&
		tree.EnoughWeight(n.weight, max(g.MinSplit, 2*g.MinLeaf))
}

// annotate fills the weights, counts and class of a node.
func (g *cartGrowth) annotate(at int, rows []int32) {
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
