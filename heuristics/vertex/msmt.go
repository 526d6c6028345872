package vertex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// MSMTOptions are the settings of MSMT. The zero value has the paper's settings.
type MSMTOptions struct {
	MaxSplits  int     // 0: 10
	MaxDepth   int     // maximum depth; 0: no limit
	MinSplit   float64 // minimum weight of a node to split; 0: twice the number of unknowns of a plane
	Purity     float64 // fraction of the heaviest class at which a node is no longer split, in (0, 1]; 0: 0.95
	MinLeaf    float64 // minimum weight of a leaf; a leaf always has a row
	Pruning    Pruning // "": Pessimistic
	Confidence float64 // CF of ErrorBased and Charged, in (0, 1); 0: 0.25
	// Split, if not nil, finds the splits instead of RLP.
	Split SplitFunc
	Seed  uint64 // of RLP's perturbation
}

// SplitFunc splits data of two classes: 0 should go left and 1 right. It returns nil if there is no
// split. stopped reports that the context ended the search, which may still have found a split.
type SplitFunc func(ctx context.Context, ds *dataset.Dataset) (s *tree.Split, stopped bool, err error)

// MSMTStats describes a run of MSMT.
type MSMTStats struct {
	Grown   int  // splits before pruning
	Steps   int  // pivots of all RLPs
	Stopped bool // a limit was reached or the context ended; the tree is complete but smaller
	Total   time.Duration
}

// MSMTResult is the result of MSMT. The tree is annotated with the training data; its leaves
// predict their majority class.
type MSMTResult struct {
	Tree  *tree.Tree
	Stats MSMTStats
}

// MSMT is the multisurface method tree of Bennett (1992), section 3:
//
//  1. Of the leaves that can be split, take the most impure one, by its weight times the entropy
//     of its classes (ID3's information), and split it by RLP.
//  2. Repeat until no leaf can be split or there are MaxSplits splits.
//  3. Prune (Pruning). The paper cites Quinlan (1987) and C4.5 for "the pessimistic pruning
//     strategy"; the default is the first.
//
// The paper does not split a node with "mostly points of one class" or "too few" of them. MSMT does
// not split from Purity on, nor below MinSplit, by default 2(p+1) rows, for which a plane separates
// half of all labellings (Cover 1965). It does not split a leaf if a side would be empty or lighter
// than MinLeaf.
//
// The paper has two classes; with more, RLP separates the heaviest class of the node from the rest,
// which goes left. Data of one class give a single leaf. MSMT costs one RLP per split.
func MSMT(ctx context.Context, ds *dataset.Dataset, o MSMTOptions) (*MSMTResult, error) {
	begin := time.Now()
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	g := &msmtGrowth{MSMTOptions: o, ds: ds, tree: tree.NewLeaf(ds, 0)}
	all := make([]int, ds.N())
	for i := range all {
		all[i] = i
	}
	g.add(0, 0, all)
	if err := g.grow(ctx); err != nil {
		return nil, err
	}
	g.tree.Relabel(ds)
	g.stats.Grown = g.tree.Splits()
	res := &MSMTResult{Tree: g.Pruning.prune(g.tree, g.Confidence), Stats: g.stats}
	res.Stats.Total = time.Since(begin)
	return res, nil
}

func (o *MSMTOptions) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("msmt: the dataset has no rows")
	case o.MaxSplits < 0 || o.MaxDepth < 0:
		return errors.New("msmt: limits must not be negative (0: default)")
	case !(o.MinSplit >= 0) || !(o.MinLeaf >= 0):
		return fmt.Errorf("msmt: minimum weights %v and %v must be numbers >= 0", o.MinSplit, o.MinLeaf)
	case !(o.Purity >= 0 && o.Purity <= 1):
		return fmt.Errorf("msmt: purity %v is not between 0 and 1", o.Purity)
	case !(o.Confidence >= 0 && o.Confidence < 1):
		return fmt.Errorf("msmt: confidence %v is not between 0 and 1", o.Confidence)
	}
	for k, v := range ds.X {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("msmt: feature %q of row %d cannot be standardised: %v is not finite", ds.Features[k%ds.P()], k/ds.P(), v)
		}
	}
	if o.MaxSplits == 0 {
		o.MaxSplits = 10
	}
	if o.MinSplit == 0 {
		o.MinSplit = 2 * float64(ds.P()+1)
	}
	if o.Purity == 0 {
		o.Purity = 0.95
	}
	if o.Pruning == "" {
		o.Pruning = Pessimistic
	}
	if o.Confidence == 0 {
		o.Confidence = 0.25
	}
	if err := o.Pruning.validate(); err != nil {
		return fmt.Errorf("msmt: %w", err)
	}
	return nil
}

// msmtGrowth is the state of a run.
type msmtGrowth struct {
	MSMTOptions
	ds    *dataset.Dataset
	tree  *tree.Tree
	open  []msmtLeaf // leaves that may be split
	stats MSMTStats
}

type msmtLeaf struct {
	node, depth int
	rows        []int
	impurity    float64 // weight times entropy
	heaviest    int
}

// add opens the new leaf at node, if it can be split.
func (g *msmtGrowth) add(node, depth int, rows []int) {
	weights, total := make([]float64, g.ds.K()), 0.0
	for _, i := range rows {
		weights[g.ds.Y[i]] += g.ds.Weight[i]
		total += g.ds.Weight[i]
	}
	l := msmtLeaf{node: node, depth: depth, rows: rows, heaviest: slices.Index(weights, slices.Max(weights))}
	for _, w := range weights {
		if w > 0 {
			l.impurity -= w * math.Log2(w/total)
		}
	}
	if weights[l.heaviest] >= g.Purity*total || !tree.EnoughWeight(total, max(g.MinSplit, 2*g.MinLeaf)) || g.MaxDepth > 0 && depth >= g.MaxDepth {
		return
	}
	g.open = append(g.open, l)
}

func (g *msmtGrowth) grow(ctx context.Context) error {
	for g.tree.Splits() < g.MaxSplits && len(g.open) > 0 {
		if ctx.Err() != nil {
			g.stats.Stopped = true
			return nil
		}
		at := 0
		for k := range g.open {
			if g.open[k].impurity > g.open[at].impurity {
				at = k
			}
		}
		l := g.open[at]
		g.open = slices.Delete(g.open, at, at+1)
		if err := g.split(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

// split splits a leaf if that leaves enough rows on both sides.
func (g *msmtGrowth) split(ctx context.Context, l msmtLeaf) error {
	find := g.Split
	if find == nil {
		find = g.byRLP
	}
	s, stopped, err := find(ctx, twoClasses(g.ds.Subset(l.rows), func(y int) bool { return y == l.heaviest }))
	g.stats.Stopped = g.stats.Stopped || stopped
	if s == nil || err != nil {
		return err
	}
	var sides [2][]int
	var weight [2]float64
	for _, i := range l.rows {
		side := 1
		if s.Left(g.ds.Row(i)) {
			side = 0
		}
		sides[side] = append(sides[side], i)
		weight[side] += g.ds.Weight[i]
	}
	for side := range 2 {
		if len(sides[side]) == 0 || !tree.EnoughWeight(weight[side], g.MinLeaf) {
			return nil
		}
	}
	left, right := g.tree.Grow(l.node, s, 0, 0)
	g.add(left, l.depth+1, sides[0])
	g.add(right, l.depth+1, sides[1])
	return nil
}

// byRLP returns the split of the paper.
func (g *msmtGrowth) byRLP(ctx context.Context, ds *dataset.Dataset) (*tree.Split, bool, error) {
	m, err := newMarginRows(ds)
	if errors.Is(err, formulate.ErrSingleLeaf) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("msmt: %w", err)
	}
	h, end := planeOf(pulse.New(ctx), m, RLPOptions{Seed: g.Seed})
	g.stats.Steps += end.steps
	if end.stopped {
		return nil, true, nil
	}
	h.clean()
	s, err := m.split(h)
	if err != nil {
		return nil, false, fmt.Errorf("msmt: %w", err)
	}
	return s, false, nil
}

// Pruning is the pruning method of MSMT. The zero value is Pessimistic.
type Pruning string

const (
	// Pessimistic is the pruning of Quinlan (1987), section 2.3, which Bennett (1992) cites: from
	// the root down, a subtree with L leaves that misclassify J of N rows becomes a leaf, which
	// misclassifies E, if
	//
	//	E + 1/2 <= J + L/2 + sqrt((J + L/2) (N - J - L/2) / N)
	//
	// that is, if it is within one standard error of the subtree's errors, with half an error added
	// per leaf.
	Pessimistic Pruning = "pessimistic"
	// ErrorBased is the pruning of C4.5 (Quinlan 1993): from the leaves up, a subtree becomes a
	// leaf if the upper confidence limit of its errors is at most that of its leaves together.
	ErrorBased Pruning = "error-based"
	// Charged is ErrorBased with half an error added for each weight of a split, since a plane fits
	// p+1 numbers to its rows, while C4.5's splits fit one. It is specific to octgen.
	Charged Pruning = "charged"
	// Unpruned does not prune.
	Unpruned Pruning = "none"
)

// Prunings lists the names, the default first.
func Prunings() []Pruning { return []Pruning{Pessimistic, ErrorBased, Charged, Unpruned} }

// charge is the number of errors that Charged adds per weight.
const charge = 0.5

// prune returns a pruned copy of an annotated tree. Weights count as rows.
func (p Pruning) prune(t *tree.Tree, confidence float64) *tree.Tree {
	switch p {
	case Pessimistic:
		return pruneByStandardError(t)
	case ErrorBased:
		return pruneByConfidence(t, confidence, 0)
	case Charged:
		return pruneByConfidence(t, confidence, charge)
	}
	return t
}

// validate returns an error for an unknown name.
func (p Pruning) validate() error {
	if slices.Contains(Prunings(), p) {
		return nil
	}
	return fmt.Errorf("pruning %q is not one of %q", p, Prunings())
}

// pruneByStandardError is Pessimistic. It judges a subtree by all the leaves with which it was
// grown, so that the order of its nodes does not matter.
func pruneByStandardError(t *tree.Tree) *tree.Tree {
	leaves, below := make([]float64, len(t.Nodes)), make([]float64, len(t.Nodes))
	cut := make([]bool, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		total, own := errorsAsLeaf(n)
		if n.Leaf() {
			leaves[i], below[i] = 1, own
			continue
		}
		leaves[i] = leaves[n.Left] + leaves[n.Right]
		below[i] = below[n.Left] + below[n.Right]
		corrected := below[i] + leaves[i]/2
		se := math.Sqrt(corrected * max(total-corrected, 0) / total)
		cut[i] = own+0.5 <= corrected+se+1e-9
	}
	return t.Prune(func(i int) bool { return cut[i] })
}

// pruneByConfidence is ErrorBased with charge errors added for each weight of a split.
func pruneByConfidence(t *tree.Tree, confidence, charge float64) *tree.Tree {
	estimate := make([]float64, len(t.Nodes))
	cut := make([]bool, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		total, own := errorsAsLeaf(n)
		estimate[i] = cart.PessimisticErrors(total, own, confidence)
		if n.Leaf() {
			continue
		}
		if below := estimate[n.Left] + estimate[n.Right] + charge*float64(len(n.Split.Terms)); below < estimate[i]-1e-9 {
			estimate[i] = below
		} else {
			cut[i] = true
		}
	}
	return t.Prune(func(i int) bool { return cut[i] })
}

// errorsAsLeaf returns the weight of a node and that of all classes except the heaviest.
func errorsAsLeaf(n *tree.Node) (total, errs float64) {
	most := 0.0
	for _, w := range n.Weight {
		total += w
		most = max(most, w)
	}
	return total, total - most
}
