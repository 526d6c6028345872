// Package tree is the decision tree itself: splits, prediction, losses and the
// OCT objective, the presorted best-split sweep, and the forms in which a tree
// is read (text, DOT, SVG, JSON). Trees speak the data's own units.
package tree

import "github.com/octgen/octgen/dataset"

// Term is one feature of a split with its nonzero weight.
type Term struct {
	Feature int
	Weight  float64
}

// Split is a hyperplane: x goes left iff sum of Weight*x[Feature] < Threshold.
// Terms ascend by feature, weights are nonzero. A univariate split has the one
// term {j, 1}.
type Split struct {
	Terms     []Term
	Threshold float64
}

// Univariate returns the split x_j < threshold.
func Univariate(j int, threshold float64) *Split {
	return &Split{Terms: []Term{{Feature: j, Weight: 1}}, Threshold: threshold}
}

// IsUnivariate reports whether s has the form x_j < threshold.
func (s *Split) IsUnivariate() bool { return len(s.Terms) == 1 && s.Terms[0].Weight == 1 }

// Left reports whether x (p values) goes left.
func (s *Split) Left(x []float64) bool {
	if s.IsUnivariate() { // no product: infinities of scale cannot arise
		return x[s.Terms[0].Feature] < s.Threshold
	}
	return s.sum(x) < s.Threshold
}

// sum is the weighted sum of the features of x, each product rounded before it is added:
// the conversion keeps processors that could fuse the two from answering otherwise.
func (s *Split) sum(x []float64) float64 {
	v := 0.0
	for _, t := range s.Terms {
		v += float64(t.Weight * x[t.Feature])
	}
	return v
}

// Node is a branch node or a leaf.
type Node struct {
	Split       *Split    // nil for a leaf
	Left, Right int       // indices of the children; 0 for a leaf
	Class       int       // predicted class at a leaf; at a branch node the majority class
	Weight      []float64 // (K) training weight per class that reaches the node
	Count       []float64 // (K) training rows per class that reach the node

	// Excess is (K) what each class costs as the answer for the training rows that reach
	// the node, above the least cost of each; nil where the data have no costs.
	Excess []float64

	// Reward is (K) what each action earns if it is taken for the training rows that reach
	// the node, by weight; nil where the data have no rewards.
	Reward []float64
}

// Tree is a binary decision tree of any shape. Nodes[0] is the root; every
// other node is the child of exactly one node, and children come after their
// parent. A tree is not changed once made, but for Annotate.
type Tree struct {
	Nodes    []Node
	Features []string // (p) names
	Classes  []string // (K) names
	Encoder  *dataset.Encoder
}

// Leaf reports whether n has no split.
func (n *Node) Leaf() bool { return n.Split == nil }

// Find returns the index of the leaf that x (p values) reaches.
func (t *Tree) Find(x []float64) int {
	i := 0
	for n := &t.Nodes[0]; n.Split != nil; n = &t.Nodes[i] {
		if n.Split.Left(x) {
			i = n.Left
		} else {
			i = n.Right
		}
	}
	return i
}

// Predict returns the class of x (p values).
func (t *Tree) Predict(x []float64) int { return t.Nodes[t.Find(x)].Class }

// Splits returns the number of branch nodes.
func (t *Tree) Splits() int {
	n := 0
	for i := range t.Nodes {
		if t.Nodes[i].Split != nil {
			n++
		}
	}
	return n
}

// Terms returns the number of features over all splits: the complexity of trees of
// hyperplanes, sum of s in OCT-H. Of a univariate tree it is Splits.
func (t *Tree) Terms() int {
	n := 0
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			n += len(s.Terms)
		}
	}
	return n
}

// Depth returns the number of splits on the longest path; 0 for a single leaf.
func (t *Tree) Depth() int {
	depth := make([]int, len(t.Nodes))
	deepest := 0
	for i := range t.Nodes { // children come after their parent
		if n := &t.Nodes[i]; n.Split != nil {
			depth[n.Left], depth[n.Right] = depth[i]+1, depth[i]+1
			deepest = max(deepest, depth[i]+1)
		}
	}
	return deepest
}
