package cart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// C45Options are the settings of C45. The zero value has the defaults of the book.
type C45Options struct {
	MaxDepth   int     // maximum depth; 0: no limit
	MinLeaf    float64 // minimum weight of a side of a split; 0: 2
	Confidence float64 // of pessimistic pruning, between 0 and 1; 0: 0.25
	NoPruning  bool

	// ThresholdCost subtracts log2(candidate thresholds)/N from the gain of a split, as in Release
	// 8 (Quinlan 1996); the book describes Release 5, which does not.
	ThresholdCost bool

	// Presort, if not nil, is the presorted dataset; see Options.
	Presort *tree.Presort
}

// C45Stats describes a run of C45.
type C45Stats struct {
	Grown   int  // splits before pruning
	Raised  int  // subtrees that replaced their parent
	Stopped bool // the context ended the growth; the tree is complete but smaller
	Total   time.Duration
}

// C45Result is the result of C45. The tree is annotated with the training data; its leaves predict
// their majority class (the lowest of equal ones).
type C45Result struct {
	Tree  *tree.Tree
	Stats C45Stats
}

// C45 grows a univariate tree as C4.5 does for numeric features (Quinlan 1993, C4.5: Programs for
// Machine Learning):
//
//  1. Each feature gets the threshold with the largest information gain among those with enough
//     weight on both sides: a tenth of the mean weight per class, but at least MinLeaf and at most
//     max(25, MinLeaf).
//  2. Among the features whose gain is at least the mean of the positive gains, the node takes
//     the one with the largest gain ratio, gain / entropy of the sides' weights. The node is a leaf
//     if no gain is positive, or if the splits below it save no training error.
//  3. Pruning goes from the leaves to the root. By the pessimistic errors of section 4.2 (the
//     upper limit of the error rate at the given confidence, AddErrs of the program), it compares
//     the subtree with a leaf and with its larger branch raised in its place. A leaf wins if it is
//     worse by at most 0.1 rows, then a branch likewise.
//
// A threshold is the midpoint between two values, as everywhere in octgen; C4.5 takes the largest
// value not above it. A leaf created by pruning counts all rows that reach it. The dataset must
// handle missing values.
//
// Growing costs O(n p) for sorting and O(n p) per level; pruning costs O(n) per level, and again
// for each raised subtree. If ctx ends, growth and pruning stop and the result is the tree so far,
// at least the single leaf.
func C45(ctx context.Context, ds *dataset.Dataset, o C45Options) (*C45Result, error) {
	if o.MinLeaf == 0 {
		o.MinLeaf = 2
	}
	if o.Confidence == 0 {
		o.Confidence = 0.25
	}
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	begin := time.Now()
	res := &C45Result{Tree: tree.NewLeaf(ds, 0)}
	pre := o.Presort
	if pre == nil {
		var err error
		if pre, err = tree.NewPresortContext(ctx, ds); err != nil {
			res.Tree.Relabel(ds)
			res.Stats.Stopped, res.Stats.Total = true, time.Since(begin)
			return res, nil
		}
	}
	g := &c45Growth{
		C45Options: o, ctx: ctx, ds: ds, sweeper: tree.NewSweeper(pre, tree.Entropy, o.MinLeaf),
		parts: tree.NewPartitioner(pre), tree: res.Tree, stats: &res.Stats,
		best: make([]c45Split, ds.P()),
	}
	g.grow(pre)
	res.Tree.Relabel(ds)
	res.Tree = withoutUseless(res.Tree)
	res.Stats.Grown = res.Tree.Splits()
	if !o.NoPruning {
		p := newPessimism(ctx, res.Tree, ds, o.Confidence)
		p.prune(0, allRows(ds.N()))
		res.Tree, res.Stats.Raised = p.tree.Subtree(0), p.raised
		res.Stats.Stopped = res.Stats.Stopped || p.Ended()
	}
	res.Tree.Relabel(ds)
	res.Stats.Total = time.Since(begin)
	return res, nil
}

// withoutUseless replaces branch nodes whose leaves make as many errors as the node itself by
// leaves, from the last to the first. t is relabelled.
func withoutUseless(t *tree.Tree) *tree.Tree {
	errs := make([]float64, len(t.Nodes))
	cut := make([]bool, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &t.Nodes[i]
		weight := 0.0
		for k, w := range n.Weight {
			weight += w
			if k != n.Class {
				errs[i] += w
			}
		}
		if n.Leaf() {
			continue
		}
		if below := errs[n.Left] + errs[n.Right]; below >= errs[i]-1e-12*weight {
			cut[i] = true
		} else {
			errs[i] = below
		}
	}
	return t.Prune(func(i int) bool { return cut[i] })
}

func (o *C45Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("c45: the dataset has no rows")
	case o.MaxDepth < 0:
		return fmt.Errorf("c45: maximum depth %d is negative", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("c45: minimum leaf weight %v is not a number >= 0", o.MinLeaf)
	case !(o.Confidence > 0 && o.Confidence < 1):
		return fmt.Errorf("c45: confidence %v is not between 0 and 1", o.Confidence)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("c45: Presort does not match the dataset")
	}
	return nil
}

// c45Growth is the state of one run.
type c45Growth struct {
	C45Options
	ctx     context.Context
	ds      *dataset.Dataset
	sweeper *tree.Sweeper
	parts   *tree.Partitioner
	tree    *tree.Tree
	stats   *C45Stats
	best    []c45Split // (p) scratch
}

// c45Split is the best threshold of one feature.
type c45Split struct {
	tree.Best
	gain float64 // in bits per unit of weight; 0 for no threshold
}

// c45Node is a leaf that may still be split.
type c45Node struct {
	at, depth int
	rows      tree.Subset
}

func (g *c45Growth) grow(pre *tree.Presort) {
	if pre.P() == 0 {
		return
	}
	classes := make([]float64, g.ds.K())
	for stack := []c45Node{{0, 0, pre.All().Clone()}}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.MaxDepth > 0 && n.depth >= g.MaxDepth {
			continue
		}
		if g.ctx.Err() != nil {
			g.stats.Stopped = true
			return
		}
		g.sweeper.ClassWeights(classes, n.rows)
		best, ok := g.split(n.rows, classes)
		if !ok {
			continue
		}
		left, right := g.tree.Grow(n.at, best.Split(), 0, 0)
		l, r := g.parts.Split(n.rows, best.Feature, best.Size)
		stack = append(stack, c45Node{right, n.depth + 1, r}, c45Node{left, n.depth + 1, l})
	}
}

// split chooses among the best thresholds of the features by gain ratio.
func (g *c45Growth) split(rows tree.Subset, classes []float64) (tree.Best, bool) {
	weight, most := 0.0, 0.0
	for _, w := range classes {
		weight += w
		most = max(most, w)
	}
	if most == weight || !tree.EnoughWeight(weight, 2*g.MinLeaf) {
		return tree.Best{}, false
	}
	g.sweeper.MinLeaf = max(g.MinLeaf, min(25, 0.1*weight/float64(len(classes))))
	loss := tree.Entropy.Loss(classes)
	sum, gains := 0.0, 0
	for j := range g.best {
		g.best[j] = c45Split{}
		b, ok := g.sweeper.BestOn(rows, j)
		if !ok {
			continue
		}
		gain := (loss - b.Loss) / weight
		if g.ThresholdCost {
			gain -= g.thresholdCost(rows, j, weight)
		}
		if gain > 1e-10 {
			g.best[j] = c45Split{b, gain}
			sum += gain
			gains++
		}
	}
	if gains == 0 {
		return tree.Best{}, false
	}
	mean, ratio, at := sum/float64(gains), -1.0, 0
	for j, b := range g.best {
		if b.gain <= 0 || b.gain < mean-1e-10 {
			continue
		}
		sides := tree.Entropy.Loss([]float64{b.LeftWeight, weight - b.LeftWeight}) / weight
		if r := b.gain / sides; r > ratio+1e-12 {
			ratio, at = r, j
		}
	}
	return g.best[at].Best, true
}

// thresholdCost returns log2(thresholds of feature j in rows) / weight.
func (g *c45Growth) thresholdCost(rows tree.Subset, j int, weight float64) float64 {
	ranks := rows.Presort().Ranks(j)
	order := rows.Order(j)
	candidates := 0
	for q := 1; q < len(order); q++ {
		if ranks[order[q]] != ranks[order[q-1]] {
			candidates++
		}
	}
	return math.Log2(float64(max(1, candidates))) / weight
}

// pessimism prunes a tree in place by its pessimistic errors.
type pessimism struct {
	tree  *tree.Tree
	ds    *dataset.Dataset
	level float64 // confidence
	*pulse.Pulse
	raised int
	buffer []int32
}

func newPessimism(ctx context.Context, t *tree.Tree, ds *dataset.Dataset, confidence float64) *pessimism {
	return &pessimism{tree: t, ds: ds, level: confidence, Pulse: pulse.New(ctx), buffer: make([]int32, ds.N())}
}

// prune prunes the subtree at node at, which rows reach, and returns its pessimistic errors. If the
// context ends, the rest of the subtree remains. It reorders rows.
func (p *pessimism) prune(at int, rows []int32) float64 {
	if p.Spend(4 * len(rows)) {
		return 0
	}
	n := &p.tree.Nodes[at]
	class, weight, errs := p.majority(n.Class, rows)
	n.Class = class
	leaf := PessimisticErrors(weight, errs, p.level)
	if n.Leaf() {
		return leaf
	}
	size := p.partition(n.Split, rows)
	subtree := p.prune(n.Left, rows[:size]) + p.prune(n.Right, rows[size:])
	larger := n.Left
	if p.weight(rows[size:]) > p.weight(rows[:size]) {
		larger = n.Right
	}
	branch := p.errors(larger, rows)
	if p.Ended() {
		return 0
	}
	const slack = 0.1 // as in the program, in rows
	switch {
	case leaf <= subtree+slack && leaf <= branch+slack:
		n.Split, n.Left, n.Right = nil, 0, 0
		return leaf
	case branch <= subtree+slack:
		up := &p.tree.Nodes[larger]
		n.Split, n.Left, n.Right, n.Class = up.Split, up.Left, up.Right, up.Class
		p.raised++
		return p.prune(at, rows) // its rows have changed
	}
	return subtree
}

// errors returns the pessimistic errors of the subtree at a node for these rows, with relabelled
// leaves.
func (p *pessimism) errors(at int, rows []int32) float64 {
	if p.Spend(4 * len(rows)) {
		return 0
	}
	n := &p.tree.Nodes[at]
	if n.Leaf() {
		_, weight, errs := p.majority(n.Class, rows)
		return PessimisticErrors(weight, errs, p.level)
	}
	size := p.partition(n.Split, rows)
	return p.errors(n.Left, rows[:size]) + p.errors(n.Right, rows[size:])
}

// majority returns the class with the largest weight in rows (class if there are none), the weight
// of the rows, and the weight of the other classes.
func (p *pessimism) majority(class int, rows []int32) (most int, weight, errs float64) {
	classes := make([]float64, p.ds.K())
	for _, r := range rows {
		classes[p.ds.Y[r]] += p.ds.Weight[r]
	}
	most = class
	for k, w := range classes {
		weight += w
		if w > classes[most] || w == classes[most] && k < most && w > 0 {
			most = k
		}
	}
	for k, w := range classes {
		if k != most {
			errs += w
		}
	}
	return most, weight, errs
}

func (p *pessimism) weight(rows []int32) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += p.ds.Weight[r]
	}
	return sum
}

// partition moves the rows that go left to the front and returns their number.
func (p *pessimism) partition(s *tree.Split, rows []int32) int {
	size, right := 0, 0
	for _, r := range rows {
		if s.Left(p.ds.Row(int(r))) {
			rows[size] = r
			size++
		} else {
			p.buffer[right] = r
			right++
		}
	}
	copy(rows[size:], p.buffer[:right])
	return size
}

// PessimisticErrors returns C4.5's estimate of the errors on weight new rows of a leaf that
// misclassifies errs of as many training rows: weight times the upper confidence limit of its error
// rate, as in AddErrs of the program. It is exact without errors, weight (1 -
// confidence^(1/weight)); from one error on, it uses the normal approximation of the binomial
// distribution with a continuity correction; in between it is linear. confidence is between 0 and
// 1; C4.5 uses 0.25.
func PessimisticErrors(weight, errs, confidence float64) float64 {
	if weight <= 0 {
		return 0
	}
	none := weight * (1 - math.Pow(confidence, 1/weight))
	switch {
	case errs < 1e-6:
		return none
	case errs < 0.9999 && weight >= 1:
		return none + errs*(PessimisticErrors(weight, 1, confidence)-none)
	case errs+0.5 >= weight:
		return errs + 0.67*(weight-errs)
	}
	z := max(0, math.Sqrt2*math.Erfinv(1-2*confidence))
	c := z * z
	limit := (errs + 0.5 + c/2 + math.Sqrt(c*((errs+0.5)*(1-(errs+0.5)/weight)+c/4))) / (weight + c)
	return weight * limit
}
