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

// C45Options are the settings of C45. The zero value has those of the book.
type C45Options struct {
	MaxDepth   int     // splits on the longest path; 0: no limit
	MinLeaf    float64 // least weight of a side of a split; 0: 2
	Confidence float64 // of pessimistic pruning, between 0 and 1; 0: 0.25
	NoPruning  bool

	// ThresholdCost subtracts log2(candidate thresholds)/N from the gain of a
	// split, as Release 8 does (Quinlan 1996); the book's Release 5 does not.
	ThresholdCost bool

	// Presort, where not nil, is the presorted dataset; see Options.
	Presort *tree.Presort
}

// C45Stats says what C45 did.
type C45Stats struct {
	Grown   int  // splits before pruning
	Raised  int  // subtrees that took their parent's place
	Stopped bool // the context ended the growth; the tree is whole but smaller
	Total   time.Duration
}

// C45Result is what C45 returns. The tree is annotated with the training data;
// its leaves answer their majority class (the lowest of equal ones).
type C45Result struct {
	Tree  *tree.Tree
	Stats C45Stats
}

// C45 grows a univariate tree as C4.5 does for numeric features (Quinlan 1993,
// C4.5: Programs for Machine Learning):
//
//  1. each feature has the threshold of its largest information gain, among
//     those with enough weight on both sides: a tenth of the mean weight per
//     class, at least MinLeaf and, above that, at most 25;
//  2. of the features whose gain is at least the mean of the positive gains, the
//     node takes that of the largest gain ratio, gain / entropy of the sides'
//     weights; it is a leaf where no gain is positive, and where the splits below
//     it save no training error;
//  3. pruning goes from the leaves to the root and compares, by the pessimistic
//     errors of section 4.2 (the upper limit of the error rate at the given
//     confidence, AddErrs of the program), the subtree with a leaf and with its
//     larger branch raised in its place; a leaf wins where it is worse by no
//     more than 0.1 rows, then a branch likewise.
//
// A threshold is the midpoint between two values, as everywhere here; C4.5
// takes the largest value not above it. A leaf by pruning counts all rows that
// reach it. Missing values are the business of the dataset.
//
// Growing costs O(n p) for sorting and O(n p) per level; pruning O(n) per level,
// and again for each subtree raised. Where ctx ends, the growth and the pruning stop
// and the tree so far is the result, the single leaf at least.
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

// withoutUseless turns branch nodes whose leaves err as much as they would
// themselves into leaves, from the last to the first. t is relabelled.
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
		return fmt.Errorf("c45: depth %d; 0 (no limit) or more is needed", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("c45: least leaf weight %v; 0 (2) or more is needed", o.MinLeaf)
	case !(o.Confidence > 0 && o.Confidence < 1):
		return fmt.Errorf("c45: confidence %v; a number between 0 and 1 is needed", o.Confidence)
	case o.Presort != nil && !o.Presort.Fits(ds):
		return errors.New("c45: Presort is not of this dataset")
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
	gain float64 // in bits per unit of weight; 0 where there is none
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

// split chooses among the features' best thresholds by gain ratio.
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

// thresholdCost is log2(thresholds of feature j in rows) / weight.
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

// pessimism prunes a tree by its pessimistic errors, in place.
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

// prune prunes below node at, which rows reach, and returns its pessimistic
// errors; what the context has not left time for stays. The rows come back in another
// order.
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
		return p.prune(at, rows) // its rows are others now
	}
	return subtree
}

// errors returns the pessimistic errors of the subtree at a node as it is, its
// leaves relabelled, if rows reached it.
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

// majority returns the class of most weight in rows (class where there are
// none), their weight and that of the other classes.
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

// partition puts the rows that go left before the others and returns their number.
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

// PessimisticErrors is C4.5's estimate of the errors on weight new rows of a leaf
// that errs on errs of as many training rows: weight times the upper confidence
// limit of its error rate, as AddErrs of the program computes it. Exact,
// weight (1 - confidence^(1/weight)), without errors; by the normal
// approximation of the binomial with a correction for continuity from one error
// on; linear between. confidence is between 0 and 1; 0.25 is C4.5's.
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
