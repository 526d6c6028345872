// Package tree is the decision tree itself: splits, prediction, losses and the
// OCT objective, the presorted best-split sweep, and the forms in which a tree
// is read (text, DOT, SVG, JSON). Trees speak the data's own units.
package tree

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
)

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

	// Value is the number that the node answers, the weighted mean of its training rows; nil if the tree has classes.
	Value *float64
}

// Tree is a binary decision tree of any shape. Nodes[0] is the root; every
// other node is the child of exactly one node, and children come after their
// parent. A tree is not changed once made, but for Annotate.
type Tree struct {
	Nodes    []Node
	Features []string // (p) names
	Classes  []string // (K) names
	Encoder  *dataset.Encoder
	Fit      *Fit // how it came about; nil for a tree of which nothing is known
}

// IsRegression reports whether the tree predicts numbers.
func (t *Tree) IsRegression() bool { return t.Nodes[0].Value != nil }

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

// Value returns the number that a tree of numbers predicts for x (p values).
func (t *Tree) Value(x []float64) float64 { return *t.Nodes[t.Find(x)].Value }

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

// ShapeError is a violation of the contract of Tree.
type ShapeError struct {
	Node  int    // index, -1 where no node is to blame
	Field string // such as "left" or "split.terms[1].weight", as in tree.json
	Msg   string // what is wrong and what would be right
}

func (e *ShapeError) Error() string {
	if e.Node < 0 {
		return fmt.Sprintf("tree: %s: %s", e.Field, e.Msg)
	}
	if e.Field == "" {
		return fmt.Sprintf("tree: node %d: %s", e.Node, e.Msg)
	}
	return fmt.Sprintf("tree: node %d: %s: %s", e.Node, e.Field, e.Msg)
}

// Validate checks everything the types of this package promise: the shape of
// the tree, indices, classes, finite numbers, and names. The error is a
// *ShapeError that names the first offender.
func (t *Tree) Validate() error {
	if e := t.validate(); e != nil {
		return e // not e directly: a nil *ShapeError is not a nil error
	}
	return nil
}

func (t *Tree) validate() *ShapeError {
	if e := validateNames("features", t.Features); e != nil {
		return e
	}
	if e := validateNames("classes", t.Classes); e != nil {
		return e
	}
	switch {
	case len(t.Classes) == 0:
		return &ShapeError{-1, "classes", "empty; a tree has at least one class"}
	case len(t.Nodes) == 0:
		return &ShapeError{-1, "nodes", "empty; a tree has at least one node"}
	}
	if e := t.validateEncoder(); e != nil {
		return e
	}
	parent := make([]int, len(t.Nodes))
	for i := range parent {
		parent[i] = -1
	}
	for i := range t.Nodes {
		if e := t.validateNode(i, parent); e != nil {
			return e
		}
	}
	for i := 1; i < len(parent); i++ {
		if parent[i] < 0 {
			return &ShapeError{i, "", "no node has it as a child; only node 0, the root, has no parent"}
		}
	}
	return nil
}

func (t *Tree) validateNode(i int, parent []int) *ShapeError {
	n := &t.Nodes[i]
	fail := func(field, format string, args ...any) *ShapeError {
		return &ShapeError{i, field, fmt.Sprintf(format, args...)}
	}
	if n.Class < 0 || n.Class >= len(t.Classes) {
		return fail("class", "%d is out of range; classes are 0 to %d", n.Class, len(t.Classes)-1)
	}
	for _, a := range []struct {
		name string
		v    []float64
	}{{"weight", n.Weight}, {"count", n.Count}} {
		if a.v != nil && len(a.v) != len(t.Classes) {
			return fail(a.name, "%d numbers; there are %d classes", len(a.v), len(t.Classes))
		}
		for k, v := range a.v {
			if !finite(v) || v < 0 {
				return fail(fmt.Sprintf("%s[%d]", a.name, k), "%v; a finite number of at least 0 is needed", v)
			}
		}
	}
	if n.Reward != nil && len(n.Reward) != len(t.Classes) {
		return fail("reward", "%d numbers; there are %d actions", len(n.Reward), len(t.Classes))
	}
	for k, v := range n.Reward {
		if !finite(v) {
			return fail(fmt.Sprintf("reward[%d]", k), "%v; a finite number is needed", v)
		}
	}
	switch {
	case (n.Value != nil) != (t.Nodes[0].Value != nil):
		return fail("value", "all nodes of a tree have one, or none")
	case n.Value != nil && (!finite(*n.Value) || len(t.Classes) != 1):
		return fail("value", "a finite number is needed, of a tree with one class, the name of what is predicted")
	}
	if n.Split == nil {
		if n.Left != 0 || n.Right != 0 {
			return fail("left", "a node without a split has no children")
		}
		return nil
	}
	if e := t.validateSplit(i); e != nil {
		return e
	}
	for _, c := range []struct {
		name string
		at   int
	}{{"left", n.Left}, {"right", n.Right}} {
		switch {
		case c.at < 0 || c.at >= len(t.Nodes):
			return fail(c.name, "%d is not a node; nodes are 0 to %d", c.at, len(t.Nodes)-1)
		case c.at <= i:
			return fail(c.name, "%d does not come after its parent %d", c.at, i)
		case parent[c.at] >= 0:
			return fail(c.name, "%d is already a child of node %d", c.at, parent[c.at])
		}
		parent[c.at] = i
	}
	return nil
}

func (t *Tree) validateSplit(i int) *ShapeError {
	s := t.Nodes[i].Split
	if !finite(s.Threshold) {
		return &ShapeError{i, "split.threshold", fmt.Sprintf("%v is not finite", s.Threshold)}
	}
	if len(s.Terms) == 0 {
		return &ShapeError{i, "split.terms", "empty; a split has at least one term"}
	}
	last := -1
	for k, term := range s.Terms {
		fail := func(field, format string, args ...any) *ShapeError {
			return &ShapeError{i, fmt.Sprintf("split.terms[%d].%s", k, field), fmt.Sprintf(format, args...)}
		}
		switch {
		case term.Feature < 0 || term.Feature >= len(t.Features):
			return fail("feature", "%d is out of range; there are %d features", term.Feature, len(t.Features))
		case term.Feature <= last:
			return fail("feature", "%d does not ascend after %d", term.Feature, last)
		case !finite(term.Weight) || term.Weight == 0:
			return fail("weight", "%v; a finite number other than 0 is needed", term.Weight)
		}
		last = term.Feature
	}
	return nil
}

func (t *Tree) validateEncoder() *ShapeError {
	e := t.Encoder
	if e == nil {
		return nil
	}
	if err := e.Validate(); err != nil {
		return &ShapeError{-1, "encoder", strings.TrimPrefix(err.Error(), "encoder: ")}
	}
	if !slices.Equal(e.Classes, t.Classes) {
		return &ShapeError{-1, "encoder.classes", fmt.Sprintf("%q differ from the tree's classes %q", e.Classes, t.Classes)}
	}
	if e.Regression != t.IsRegression() {
		return &ShapeError{-1, "encoder.regression", fmt.Sprintf("%v, but the nodes do not have values accordingly", e.Regression)}
	}
	if f := e.Features(); !slices.Equal(f, t.Features) {
		return &ShapeError{-1, "encoder.columns", fmt.Sprintf("they make the features %q; the tree's are %q", f, t.Features)}
	}
	return nil
}

func validateNames(field string, names []string) *ShapeError {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if !utf8.ValidString(name) {
			return &ShapeError{-1, fmt.Sprintf("%s[%d]", field, i), fmt.Sprintf("%q is not UTF-8", name)}
		}
		if j, twice := seen[name]; twice {
			return &ShapeError{-1, fmt.Sprintf("%s[%d]", field, i), fmt.Sprintf("%q is also number %d; names differ from each other", name, j)}
		}
		seen[name] = i
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// PredictRecord returns the class, by name, of one record of raw data: texts by the
// names of the source columns, as a line of a file would have them. It is read as
// [dataset.Encoder.EncodeRecord] says, with the encoder that the tree was fitted with;
// unknown says what becomes of a category that training did not have, "" refuses it.
// The errors are that function's; a tree without an encoder cannot read raw data, which
// is an error, too.
func (t *Tree) PredictRecord(record map[string]string, unknown dataset.UnknownPolicy) (class string, err error) {
	if t.Encoder == nil {
		return "", errors.New("tree: the tree has no encoder, so it cannot read raw data")
	}
	x, err := t.Encoder.EncodeRecord(record, unknown)
	if err != nil {
		return "", err
	}
	return t.Classes[t.Predict(x)], nil
}
