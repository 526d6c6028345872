package heuristics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// PerturbOrder is the order in which OC1 perturbs the coefficients of a
// hyperplane (section 2.1 of the paper).
type PerturbOrder int

const (
	Sequential PerturbOrder = iota // Seq: in turn, until none of them moves
	BestFirst                      // Best: the one that improves most, until it stays
	Random50                       // 50 times a random one
)

var orderNames = [...]string{"seq", "best", "r-50"}

// String returns the name that ParsePerturbOrder reads.
func (o PerturbOrder) String() string {
	if o < 0 || int(o) >= len(orderNames) {
		return fmt.Sprintf("PerturbOrder(%d)", int(o))
	}
	return orderNames[o]
}

// ParsePerturbOrder returns the order of that name: seq, best or r-50.
func ParsePerturbOrder(name string) (PerturbOrder, error) {
	for o, s := range orderNames {
		if s == name {
			return PerturbOrder(o), nil
		}
	}
	return 0, fmt.Errorf("order %q is not one of seq, best, r-50", name)
}

// OC1Options are the settings of OC1. The zero value has the defaults of the
// authors' program.
type OC1Options struct {
	Impurity Impurity
	Order    PerturbOrder
	Restarts int // initial hyperplanes per node; 0: 20
	Jumps    int // random directions tried at a local minimum; 0: 5, negative: none

	// AxisOnly admits univariate splits only.
	AxisOnly bool
	// RowsPerFeature is the number of rows per feature from which on a node may
	// have an oblique split; with fewer, almost any plane separates. 0: 2;
	// negative: always.
	RowsPerFeature float64

	MaxDepth  int     // splits on the longest path; 0: no limit
	MinLeaf   float64 // least weight of a leaf; a leaf always has a row
	MinSplit  float64 // least weight of a node that is split; 0: two rows suffice
	Threshold float64 // a node whose impurity (Impurity.Node) is at most this is a leaf

	// Holdout is the part of the rows that is kept from growing, to choose among
	// the cost-complexity subtrees the one with the least errors there. 0: 0.1;
	// negative: the tree is not pruned.
	Holdout float64
	// PruneSE takes the smallest of these subtrees within so many standard errors
	// of the least. 0: a half; negative: the least.
	PruneSE float64

	Seed      uint64
	TimeLimit time.Duration   // 0: none
	Progress  func(*OC1Stats) // after each node; nil for none
}

// OC1Stats says what OC1 did.
type OC1Stats struct {
	Nodes         int   // nodes whose split was looked for
	Oblique       int   // of these, those that got an oblique split
	Perturbations int64 // one-dimensional searches
	Grown         int   // splits before pruning
	Stopped       bool  // the context or the time limit ended the growth; the tree is whole but smaller
	Total         time.Duration
}

// OC1Result is what OC1 returns. The tree is annotated with all training data;
// its leaves answer their majority class (the lowest of equal ones).
type OC1Result struct {
	Tree  *tree.Tree
	Stats OC1Stats
}

// OC1 grows a tree of hyperplanes (Murthy, Kasif, Salzberg & Beigel 1993). At
// each node that is not pure:
//
//  1. find the best univariate split by the impurity;
//  2. from it, and from Restarts-1 random hyperplanes, each moved first to its
//     best constant: perturb the coefficients in the given order. Perturbing
//     coefficient m (Figure 1) computes for each row the value of a_m at which it
//     changes sides, sorts these, and moves a_m to the best split of that order
//     where it is better; where it is as good, with probability exp(-stagnant);
//  3. at a local minimum go along up to Jumps random directions, to the best
//     split on the way, the same way; back to 2 where it is better;
//  4. take the best hyperplane if it is better than the univariate split, without
//     the features that it can spare.
//
// Features are standardised at each node, so that units do not matter. The
// threshold of a split is moved to the middle between the nearest training
// rows on both sides, which changes no training row's side.
//
// Beside what the paper has: step 1 and the rule of RowsPerFeature, which are of
// the authors' later program, and its pruning by holdout (Breiman's
// cost-complexity sequence, here by half a standard error); features that can
// be spared; rows of negative x_m, which cross the other way;
// K classes and weights for all impurities.
//
// A perturbation costs O(n) (radix sort of n single-precision numbers and one
// sweep) and a random direction O(n p), where n counts the node's rows. Equal
// seeds give equal trees, unless a limit ended the growth.
func OC1(ctx context.Context, ds *dataset.Dataset, o OC1Options) (*OC1Result, error) {
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
	g := &oc1Growth{OC1Options: o, ctx: ctx, ds: ds, begin: begin, tree: tree.NewLeaf(ds, 0)}
	g.run(grow)
	g.stats.Grown = g.tree.Splits()
	res := &OC1Result{Tree: g.tree}
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

func (o *OC1Options) defaults() {
	if o.Restarts == 0 {
		o.Restarts = 20
	}
	switch {
	case o.Jumps == 0:
		o.Jumps = 5
	case o.Jumps < 0:
		o.Jumps = 0
	}
	if o.RowsPerFeature == 0 {
		o.RowsPerFeature = 2
	}
	if o.Holdout == 0 {
		o.Holdout = 0.1
	}
	switch {
	case o.PruneSE == 0:
		o.PruneSE = 0.5
	case o.PruneSE < 0:
		o.PruneSE = 0
	}
}

func (o *OC1Options) validate(ds *dataset.Dataset) error {
	switch {
	case ds.N() == 0:
		return errors.New("oc1: the dataset has no rows")
	case !o.Impurity.Valid():
		return fmt.Errorf("oc1: impurity %v is unknown", o.Impurity)
	case o.Order < 0 || int(o.Order) >= len(orderNames):
		return fmt.Errorf("oc1: order %v is unknown", o.Order)
	case o.Restarts < 0:
		return fmt.Errorf("oc1: %d restarts; 0 (20) or more are needed", o.Restarts)
	case o.MaxDepth < 0:
		return fmt.Errorf("oc1: depth %d; 0 (no limit) or more is needed", o.MaxDepth)
	case !(o.MinLeaf >= 0):
		return fmt.Errorf("oc1: least leaf weight %v; 0 or more is needed", o.MinLeaf)
	case !(o.MinSplit >= 0):
		return fmt.Errorf("oc1: least weight of a split node %v; 0 or more is needed", o.MinSplit)
	case !(o.Threshold >= 0):
		return fmt.Errorf("oc1: impurity threshold %v; 0 or more is needed", o.Threshold)
	case math.IsNaN(o.RowsPerFeature):
		return errors.New("oc1: rows per feature NaN; want a number")
	case math.IsNaN(o.PruneSE):
		return errors.New("oc1: standard errors of pruning NaN; want a number")
	case !(o.Holdout < 1):
		return fmt.Errorf("oc1: holdout %v; a number below 1 is needed (negative: no pruning)", o.Holdout)
	}
	return nil
}

func allRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// oc1Growth is the state of one run.
type oc1Growth struct {
	OC1Options
	ctx    context.Context
	ds     *dataset.Dataset
	begin  time.Time
	tree   *tree.Tree
	stats  OC1Stats
	pre    *tree.Presort
	search *planeSearch
	value  []float64 // (n) of the split at hand, by position in the node
	buffer []int32   // (n)
}

// oc1Node is a leaf that may still be split.
type oc1Node struct {
	at, depth int
	rows      []int32
}

func (g *oc1Growth) run(rows []int32) {
	g.pre = tree.NewPresort(g.ds)
	g.search = newPlaneSearch(g.ds, &g.OC1Options, rand.New(rand.NewPCG(g.Seed, 0x6f6331))) // the second word is "oc1"
	g.value, g.buffer = make([]float64, g.ds.N()), make([]int32, g.ds.N())
	g.annotate(0, rows)
	for stack := []oc1Node{{0, 0, rows}}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !g.splittable(n) {
			continue
		}
		if g.stop() {
			return
		}
		split, size := g.split(n)
		if g.Progress != nil {
			s := g.stats
			s.Perturbations, s.Total = g.search.perturbations, time.Since(g.begin)
			g.Progress(&s)
		}
		if split == nil {
			continue
		}
		left, right := g.tree.Grow(n.at, split, 0, 0)
		g.annotate(left, n.rows[:size])
		g.annotate(right, n.rows[size:])
		stack = append(stack, oc1Node{right, n.depth + 1, n.rows[size:]}, oc1Node{left, n.depth + 1, n.rows[:size]})
	}
	g.stats.Perturbations = g.search.perturbations
}

// stop reports whether a limit ends the growth.
func (g *oc1Growth) stop() bool {
	if !g.stats.Stopped && (g.ctx.Err() != nil || g.TimeLimit > 0 && time.Since(g.begin) >= g.TimeLimit) {
		g.stats.Stopped = true
	}
	return g.stats.Stopped
}

func (g *oc1Growth) splittable(n oc1Node) bool {
	weight, most := 0.0, 0.0
	for _, w := range g.tree.Nodes[n.at].Weight {
		weight += w
		most = max(most, w)
	}
	return len(n.rows) > 1 && most < weight && (g.MaxDepth == 0 || n.depth < g.MaxDepth) &&
		tree.EnoughWeight(weight, max(g.MinSplit, 2*g.MinLeaf)) &&
		g.Impurity.Node(g.tree.Nodes[n.at].Weight) > g.Threshold
}

// split finds the split of n and puts the rows that go left, size of them,
// before the others. nil: there is none.
func (g *oc1Growth) split(n oc1Node) (split *tree.Split, size int) {
	g.stats.Nodes++
	s := g.search
	s.enter(n.rows, g.tree.Nodes[n.at].Weight)
	axis := s.axis(g.pre.Ranks)
	if axis.feature < 0 {
		return nil, 0
	}
	univariate := g.axisSplit(n.rows, axis)
	if g.AxisOnly || axis.score >= s.sweep.perfect-s.sweep.equal || float64(len(n.rows)) < g.RowsPerFeature*float64(g.ds.P()) {
		return univariate, g.partition(n.rows, univariate)
	}
	s.prepare()
	if len(s.features) > 1 && s.search(axis, univariate.Threshold, g.Restarts, g.stop) {
		if split := g.obliqueSplit(n.rows); split != nil {
			if size := g.partition(n.rows, split); size > 0 {
				g.stats.Oblique++
				return split, size
			}
		}
	}
	return univariate, g.partition(n.rows, univariate)
}

// axisSplit is the split of the search between two training values.
func (g *oc1Growth) axisSplit(rows []int32, a axisSplit) *tree.Split {
	rank, values := g.pre.Ranks(a.feature), g.pre.Values(a.feature)
	sorted := g.buffer[:len(rows)]
	for i, r := range rows {
		sorted[i] = rank[r]
	}
	slices.Sort(sorted)
	return tree.Univariate(a.feature, tree.Midpoint(values[sorted[a.size-1]], values[sorted[a.size]]))
}

// obliqueSplit is the best hyperplane in the data's own units; nil where they
// are beyond what floating point can hold, or a side would be empty or too
// light.
func (g *oc1Growth) obliqueSplit(rows []int32) *tree.Split {
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
	// The largest weight is 1; what underflowed is no term.
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
		return nil // a univariate split turned round: never better than the best one
	}
	return split
}

// partition puts the rows that go left before the others, each side in its
// order, and returns their number; 0 where a side is empty or too light.
func (g *oc1Growth) partition(rows []int32, split *tree.Split) int {
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

// annotate fills the weights of a node from the rows it was grown on.
func (g *oc1Growth) annotate(at int, rows []int32) {
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
