package generate

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// OCT draws data from a random full tree of depth Depth, in the manner of the ground truth
// experiments of Bertsimas & Dunn, Optimal classification trees (2017), section 5. Points are
// uniform in the unit cube and classified by a tree with univariate splits (or hyperplanes). Noise
// changes the features or labels of the training points.
//
// A univariate split has a feature drawn uniformly and a threshold uniform within the box of its
// node. A hyperplane has SplitFeatures features drawn uniformly, weights uniform in [-1, 1), and
// passes through a point uniform between two training points of its node. A split is drawn again if
// the leaves below it could not all have the fraction MinLeafShare of the training points (before
// noise). Sibling leaves have different classes, every class has a leaf, and every split separates
// classes: at least a quarter of the points of its node, projected onto its boundary, lie between
// different classes. Otherwise the classes are uniform.
//
// The fractions, the point through which a hyperplane passes, the definition of separation, and the
// distributions that the paper leaves open are specific to octgen.
type OCT struct {
	Features int // 1 or more
	Rows     int // training points, 2 or more
	TestRows int // test points, 0 or more

	Depth         int     // of the tree, with all leaves at that depth; default 2, at most 16
	Classes       int     // default 2, at most the 2^Depth leaves
	Hyperplanes   bool    // hyperplane splits
	SplitFeatures int     // of each hyperplane; default all
	MinLeafShare  float64 // fraction of the training points in each leaf; default a quarter of 2^-Depth, at most 2^-Depth; always at least one point
	Noise         Noise
	Seed          uint64
}

// maxSplitDraws is the maximum number of draws of a split that leaves both sides enough points.
// With the default fraction a few draws suffice; fractions near the maximum need many.
const maxSplitDraws = 10_000

// Replicate returns g with the seed Seed + r.
func (g OCT) Replicate(r int) Generator {
	g.Seed += uint64(r)
	return g
}

// Data implements Generator.
func (g OCT) Data() (train, test *dataset.Dataset, truth *tree.Tree, err error) {
	g.setDefaults()
	if err := g.validate(); err != nil {
		return nil, nil, nil, err
	}
	stream := func(n uint64) *rand.Rand { return rand.New(rand.NewPCG(g.Seed, 0x6f6374+n)) }
	x := cube(stream(0), g.Rows, g.Features)
	if truth, err = g.tree(stream(1), x); err != nil {
		return nil, nil, nil, err
	}
	if train, err = classify(truth, x); err != nil {
		return nil, nil, nil, err
	}
	if test, err = classify(truth, cube(stream(2), g.TestRows, g.Features)); err != nil {
		return nil, nil, nil, err
	}
	g.Noise.add(train, test, g.Seed)
	truth.Annotate(train)
	return train, test, truth, nil
}

func (g *OCT) setDefaults() {
	g.Depth = cmp.Or(g.Depth, 2)
	g.Classes = cmp.Or(g.Classes, 2)
	g.SplitFeatures = cmp.Or(g.SplitFeatures, g.Features)
	g.MinLeafShare = cmp.Or(g.MinLeafShare, math.Ldexp(0.25, -g.Depth))
}

// minRows returns the minimum number of training points of a leaf.
func (g *OCT) minRows() int { return max(1, int(math.Ceil(g.MinLeafShare*float64(g.Rows)))) }

func (g *OCT) validate() error {
	if err := checkSize(g.Features, g.Rows, g.TestRows); err != nil {
		return err
	}
	if g.Depth < 1 || g.Depth > 16 {
		return fmt.Errorf("generate: depth %d, expected 1 to 16", g.Depth)
	}
	leaves := 1 << g.Depth
	switch {
	case g.Classes < 2 || g.Classes > leaves:
		return fmt.Errorf("generate: %d classes, expected 2 to the %d leaves of depth %d", g.Classes, leaves, g.Depth)
	case g.SplitFeatures < 1 || g.SplitFeatures > g.Features:
		return fmt.Errorf("generate: %d features of a split, expected 1 to %d", g.SplitFeatures, g.Features)
	case !(g.MinLeafShare >= 0 && g.MinLeafShare <= 1/float64(leaves)):
		return fmt.Errorf("generate: minimum fraction %v of a leaf, expected 0 to %v at depth %d", g.MinLeafShare, 1/float64(leaves), g.Depth)
	case leaves*g.minRows() > g.Rows:
		return fmt.Errorf("generate: %d rows, expected %d or more: %d leaves with at least %d each", g.Rows, leaves*g.minRows(), leaves, g.minRows())
	}
	return g.Noise.validate(g.Classes)
}

// octNode is a node to split.
type octNode struct {
	index     int
	rows      []int // training points that reach it
	low, high []float64
	depth     int
}

// tree draws the splits, level by level from the root, then the classes.
func (g *OCT) tree(rng *rand.Rand, x []float64) (*tree.Tree, error) {
	t := &tree.Tree{Nodes: make([]tree.Node, 1), Features: featureNames(g.Features), Classes: classNames(g.Classes)}
	root := octNode{low: make([]float64, g.Features), high: slices.Repeat([]float64{1}, g.Features)}
	for i := range g.Rows {
		root.rows = append(root.rows, i)
	}
	var leaves []int
	var rows [][]int
	for queue := []octNode{root}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		rows = append(rows, at.rows) // nodes are ordered level by level
		if at.depth == g.Depth {
			leaves = append(leaves, at.index)
			continue
		}
		s, left, right, err := g.split(rng, &at, x)
		if err != nil {
			return nil, err
		}
		l, r := at.child(left), at.child(right)
		if !g.Hyperplanes {
			j := s.Terms[0].Feature
			l.high[j], r.low[j] = s.Threshold, s.Threshold
		}
		l.index, r.index = t.Grow(at.index, s, 0, 0)
		queue = append(queue, l, r)
	}
	l := octLabels{tree: t, leaves: leaves, rows: rows, x: x, classes: g.Classes}
	return t, l.draw(rng)
}

func (n *octNode) child(rows []int) octNode {
	return octNode{
		rows: rows, depth: n.depth + 1,
		low: slices.Clone(n.low), high: slices.Clone(n.high),
	}
}

// split draws a split of n that leaves enough points to the leaves on both sides, and returns these
// points.
func (g *OCT) split(rng *rand.Rand, n *octNode, x []float64) (s *tree.Split, left, right []int, err error) {
	need := g.minRows() << (g.Depth - n.depth - 1)
	for range maxSplitDraws {
		if g.Hyperplanes {
			s = g.drawHyperplane(rng, n, x)
		} else {
			j := rng.IntN(g.Features)
			s = tree.Univariate(j, n.low[j]+rng.Float64()*(n.high[j]-n.low[j]))
		}
		left, right = left[:0], right[:0]
		for _, i := range n.rows {
			if s.Left(x[i*g.Features : (i+1)*g.Features]) {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		if len(left) >= need && len(right) >= need {
			return s, left, right, nil
		}
	}
	return nil, nil, nil, fmt.Errorf("generate: none of %d splits left at least %d of %d points on both sides: use a smaller minimum fraction of a leaf", maxSplitDraws, need, len(n.rows))
}

// drawHyperplane draws a hyperplane through the region of n, which is convex.
func (g *OCT) drawHyperplane(rng *rand.Rand, n *octNode, x []float64) *tree.Split {
	features := rng.Perm(g.Features)[:g.SplitFeatures]
	slices.Sort(features)
	s := hyperplane(rng, features)
	a, b := n.rows[rng.IntN(len(n.rows))]*g.Features, n.rows[rng.IntN(len(n.rows))]*g.Features
	part := rng.Float64()
	for _, term := range s.Terms {
		s.Threshold += term.Weight * ((1-part)*x[a+term.Feature] + part*x[b+term.Feature])
	}
	return s
}

// classNames returns A, B, ..., or c1, c2, ... if there are not enough letters.
func classNames(k int) []string {
	names := make([]string, k)
	for c := range names {
		names[c] = fmt.Sprintf("c%d", c+1)
		if k <= 26 {
			names[c] = string(rune('A' + c))
		}
	}
	return names
}

// minContrast is the minimum fraction of a split's boundary on whose two sides the classes differ.
// Without it, some trees have upper splits that separate nothing and are equal to smaller trees: x1
// < 0.4 below both sides of x2 < 0.8, with the same classes.
const minContrast = 0.25

// maxLabels and maxSwaps limit the search for such classes.
const (
	maxLabels = 1000
	maxSwaps  = 50
)

// octLabels assigns classes to the leaves of a tree.
type octLabels struct {
	tree    *tree.Tree
	leaves  []int   // from left to right
	rows    [][]int // training points that reach each node
	x       []float64
	classes int
}

// draw draws classes for the leaves so that all classes are used and every split separates classes.
func (l *octLabels) draw(rng *rand.Rand) error {
	for range maxLabels {
		for k, class := range drawLabels(rng, len(l.leaves), l.classes) {
			l.tree.Nodes[l.leaves[k]].Class = class
		}
		if l.separate(rng) && l.allUsed() {
			return nil
		}
	}
	return fmt.Errorf("generate: none of %d labellings has %d classes in %d leaves such that every split separates some", maxLabels, l.classes, len(l.leaves))
}

func (l *octLabels) allUsed() bool {
	used := make([]bool, l.classes)
	for _, leaf := range l.leaves {
		used[l.tree.Nodes[leaf].Class] = true
	}
	return !slices.Contains(used, false)
}

// drawLabels draws classes for leaves whose siblings are neighbours: each class once anywhere, then
// at random, with different siblings.
func drawLabels(rng *rand.Rand, leaves, classes int) []int {
	class := make([]int, leaves)
	order := rng.Perm(leaves)
	for i, leaf := range order {
		class[leaf] = -1
		if i < classes {
			class[leaf] = i
		}
	}
	for _, leaf := range order[classes:] {
		if other := class[leaf^1]; other < 0 {
			class[leaf] = rng.IntN(classes)
		} else {
			class[leaf] = (other + 1 + rng.IntN(classes-1)) % classes
		}
	}
	return class
}

// separate renames the classes on the right of each split that separates too little, from the
// bottom up: the separation of the splits below does not change.
func (l *octLabels) separate(rng *rand.Rand) bool {
	for i := len(l.tree.Nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &l.tree.Nodes[i]
		for swaps := 0; !n.Leaf() && l.contrast(i) < minContrast; swaps++ {
			if swaps == maxSwaps {
				return false
			}
			l.rename(n.Right, rng.Perm(l.classes))
		}
	}
	return true
}

func (l *octLabels) rename(i int, to []int) {
	n := &l.tree.Nodes[i]
	if n.Leaf() {
		n.Class = to[n.Class]
		return
	}
	l.rename(n.Left, to)
	l.rename(n.Right, to)
}

// contrast returns the fraction of the training points of a branch node that, projected onto the
// boundary of its split, lie between different classes.
func (l *octLabels) contrast(i int) float64 {
	n := &l.tree.Nodes[i]
	p := len(l.tree.Features)
	z := make([]float64, p)
	differ := 0
	for _, row := range l.rows[i] {
		copy(z, l.x[row*p:(row+1)*p])
		project(z, n.Split)
		if l.below(n.Left, z) != l.below(n.Right, z) {
			differ++
		}
	}
	return float64(differ) / float64(len(l.rows[i]))
}

// project moves z to the nearest point on the boundary of s.
func project(z []float64, s *tree.Split) {
	over, norm := -s.Threshold, 0.0
	for _, t := range s.Terms {
		over += t.Weight * z[t.Feature]
		norm += t.Weight * t.Weight
	}
	for _, t := range s.Terms {
		z[t.Feature] -= over / norm * t.Weight
	}
}

// below returns the class of z by the subtree at node i.
func (l *octLabels) below(i int, z []float64) int {
	n := &l.tree.Nodes[i]
	for !n.Leaf() {
		if n.Split.Left(z) {
			n = &l.tree.Nodes[n.Left]
		} else {
			n = &l.tree.Nodes[n.Right]
		}
	}
	return n.Class
}
