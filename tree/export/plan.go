package export

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// plan is a tree over the fields of its source columns, which is what every target
// writes: encoded features are gone, and so are splits that send all rows one way.
type plan struct {
	inputs  []input // the columns that the splits ask for, in the encoder's order
	nodes   []node  // 0 is the root; children come after their parent
	classes []string
	target  string   // the class column
	columns []input  // all columns
	policy  bool     // classes are actions
	numbers bool     // numbers are predicted
	about   []string // where the tree comes from, a line each; of printable ASCII
}

// node is a branch node or a leaf.
type node struct {
	test        *test     // nil at a leaf
	left, right int       // children; left where the test holds
	class       int       // at a leaf
	shares      []float64 // at a leaf: share of each class in the training weight; 1 for class where no row came; of a policy the mean reward of each action, 0 where no row came
	counts      []float64 // at a leaf: training rows of each class
	rows        float64   // training rows that reach the node
	value       float64   // of trees that predict numbers
	source      int       // index of the node in tree.json
}

// testKind says what a test asks.
type testKind uint8

const (
	isBelow   testKind = iota // the number of input is less than threshold
	isAmong                   // the category of input is in set or, with except, is not
	isMissing                 // the field of input is missing or, with except, is not
	isSumLess                 // the weighted sum of terms, added in their order, is less than threshold
)

// test is what a branch node asks of a row.
type test struct {
	kind      testKind
	input     int
	threshold float64
	set       []int // categories, ascending
	except    bool
	last      bool // of isBelow: a missing field is not less
	routed    bool // of isBelow: a missing field has a side
	terms     []term
}

// term is a part of a weighted sum.
type term struct {
	weight   float64
	input    int
	value    valueKind
	category int // of aMark
}

// valueKind says which number an input gives to a sum.
type valueKind uint8

const (
	aNumber valueKind = iota // the number itself
	aGap                     // 1 where the field is missing, else 0
	aMark                    // 1 where the category is the one given, else 0
	anIndex                  // the index of the category, -1 for none of them
	aMember                  // 1 where the category is in a set, else 0; of features only
)

// newPlan makes the plan of t, a valid tree, whose categories beyond those of training are treated
// as unknown says.
func newPlan(t *tree.Tree, unknown dataset.UnknownPolicy) (*plan, error) {
	inputs, features, err := newInputs(t, unknown)
	if err != nil {
		return nil, err
	}
	p := &plan{classes: t.Classes, inputs: inputs, columns: inputs, target: "class", policy: t.IsPolicy(), numbers: t.IsRegression(), about: about(t)}
	switch {
	case p.policy:
		p.target = "action"
	case t.Encoder != nil:
		p.target = t.Encoder.Target
	}
	p.add(0, &builder{t, inputs, features})
	p.dropUnasked()
	return p, nil
}

// about says where a tree comes from and what is proved of it, nil where that is not known. No line ends a comment in any
// language.
func about(t *tree.Tree) []string {
	f := t.Fit
	if f == nil {
		return nil
	}
	from := "Fitted by the method " + f.Method
	if f.Data != "" {
		from = "Fitted to " + f.Data + " by the method " + f.Method
	}
	certainty, _ := f.Certainty()
	lines := []string{from + ".", certainty}
	for i, line := range lines {
		line = strconv.QuoteToASCII(line)
		line = strings.NewReplacer("*/", "* /", "--", "- -", `\\`, "/", `\"`, "'").Replace(line[1 : len(line)-1])
		lines[i] = strings.ReplaceAll(line, `\`, "/")
	}
	return lines
}

// comment writes a line for each line about the tree, after the prefix.
func (p *plan) comment(out io.StringWriter, prefix string) {
	for _, line := range p.about {
		_, _ = out.WriteString(prefix + line + "\n") // the writer keeps its error
	}
}

// blockComment writes a comment in C's form for each line about the tree.
func (p *plan) blockComment(out io.StringWriter) {
	for _, line := range p.about {
		_, _ = out.WriteString("/* " + line + " */\n")
	}
}

// add appends the node at of the tree with all that is below, and returns its index.
func (p *plan) add(at int, b *builder) int {
	n := &b.tree.Nodes[at]
	index := len(p.nodes)
	value := 0.0
	if n.Value != nil {
		value = *n.Value
	}
	if n.Leaf() {
		p.nodes = append(p.nodes, node{class: n.Class, shares: values(b.tree, n), counts: counts(n, len(p.classes)), rows: sum(n.Count), source: at, value: value})
		return index
	}
	q, allLeft := b.test(n.Split)
	switch {
	case q == nil && allLeft:
		return p.add(n.Left, b)
	case q == nil:
		return p.add(n.Right, b)
	}
	p.nodes = append(p.nodes, node{test: q, class: n.Class, rows: sum(n.Count), source: at, value: value})
	left, right := p.add(n.Left, b), p.add(n.Right, b)
	p.nodes[index].left, p.nodes[index].right = left, right
	return index
}

// dropUnasked leaves the inputs that tests ask for.
func (p *plan) dropUnasked() {
	place := make([]int, len(p.inputs))
	p.eachInput(func(in *int) { place[*in] = 1 })
	var kept []input
	for i, in := range p.inputs {
		if place[i] == 1 {
			place[i] = len(kept)
			kept = append(kept, in)
		}
	}
	p.inputs = kept
	p.eachInput(func(in *int) { *in = place[*in] })
}

// eachInput calls do with every place where a test names an input.
func (p *plan) eachInput(do func(in *int)) {
	for i := range p.nodes {
		q := p.nodes[i].test
		switch {
		case q == nil:
		case q.kind == isSumLess:
			for k := range q.terms {
				do(&q.terms[k].input)
			}
		default:
			do(&q.input)
		}
	}
}

// shares returns the share of each of k classes in the training weight at the leaf n.
func shares(n *tree.Node, k int) []float64 {
	share := make([]float64, k)
	all := sum(n.Weight)
	if !(all > 0) {
		share[n.Class] = 1
		return share
	}
	for k, w := range n.Weight {
		share[k] = w / all
	}
	return share
}

// counts returns the training rows of each of k classes at the leaf n.
func counts(n *tree.Node, k int) []float64 {
	if n.Count == nil {
		return make([]float64, k)
	}
	return n.Count
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// depth returns the number of tests on the longest path.
func (p *plan) depth() int {
	below := make([]int, len(p.nodes))
	for i := len(p.nodes) - 1; i >= 0; i-- {
		if n := &p.nodes[i]; n.test != nil {
			below[i] = 1 + max(below[n.left], below[n.right])
		}
	}
	return below[0]
}

// leaves returns the leaves in the order of the nodes, and for each node its place
// among them.
func (p *plan) leaves() (leaves []*node, place []int) {
	place = make([]int, len(p.nodes))
	for i := range p.nodes {
		if n := &p.nodes[i]; n.test == nil {
			place[i] = len(leaves)
			leaves = append(leaves, n)
		}
	}
	return leaves, place
}

// hasSum reports whether a test is a weighted sum.
func (p *plan) hasSum() bool {
	for i := range p.nodes {
		if q := p.nodes[i].test; q != nil && q.kind == isSumLess {
			return true
		}
	}
	return false
}

// hasMark reports whether a sum has a 0/1 term.
func (p *plan) hasMark() bool {
	for i := range p.nodes {
		q := p.nodes[i].test
		if q != nil && slices.ContainsFunc(q.terms, func(t term) bool { return t.value == aMark || t.value == aGap }) {
			return true
		}
	}
	return false
}

// feature is what a feature of the tree is made of.
type feature struct {
	input    int
	value    valueKind
	category int
	set      []int // of aMember
	last     bool  // a number whose missing fields are above all others
}

// newInputs returns all columns of t as inputs, and what its features are made of.
func newInputs(t *tree.Tree, unknown dataset.UnknownPolicy) ([]input, []feature, error) {
	var inputs []input
	var features []feature
	if t.Encoder == nil {
		for j, name := range t.Features {
			inputs = append(inputs, input{name: name, missing: []string{missingText}, fillCategory: unfilled})
			features = append(features, feature{input: j})
		}
		return inputs, features, nil
	}
	if err := checkCodes(t.Encoder.Codes); err != nil {
		return nil, nil, err
	}
	index := make(map[*dataset.SourceColumn]int)
	for i := range t.Encoder.Columns {
		c := &t.Encoder.Columns[i]
		index[c] = i
		inputs = append(inputs, columnInput(t.Encoder, c, unknown))
	}
	for _, m := range t.Encoder.Meanings() {
		features = append(features, feature{index[m.Column], meaningValue(m), m.Category, m.Set, m.Last})
	}
	return inputs, features, nil
}

// checkCodes refuses codes in place of numbers: a target that takes a number cannot
// know how it was spelled.
func checkCodes(codes map[string]float64) error {
	for _, c := range sortedCodes(codes) {
		if _, err := strconv.ParseFloat(c.text, 64); err == nil {
			return fmt.Errorf("the tree was fitted with the code %s=%s, which replaces a number; such trees are not exported", c.text, shortest(c.value))
		}
	}
	return nil
}

func meaningValue(m dataset.Meaning) valueKind {
	switch {
	case m.Category >= 0:
		return aMark
	case m.Set != nil:
		return aMember
	case m.Missing:
		return aGap
	case m.Column.Kind == dataset.Ordinal:
		return anIndex
	}
	return aNumber
}

// builder makes the tests of a plan.
type builder struct {
	tree     *tree.Tree
	inputs   []input
	features []feature
}

// test returns the test of split s, which holds of the rows that go left; nil where
// all rows go the same way, which is then left or not.
func (b *builder) test(s *tree.Split) (q *test, allLeft bool) {
	first := b.features[s.Terms[0].Feature]
	switch {
	case s.IsUnivariate() && first.value == aNumber && b.inputs[first.input].route && math.Abs(s.Threshold) > dataset.MostRouted:
		return &test{kind: isMissing, input: first.input, except: first.last}, false
	case s.IsUnivariate() && first.last:
		return &test{kind: isBelow, input: first.input, threshold: s.Threshold, last: true, routed: true}, false
	case s.IsUnivariate() && first.value == aNumber:
		return &test{kind: isBelow, input: first.input, threshold: s.Threshold, routed: b.inputs[first.input].route}, false
	case len(s.Terms) == 1 && first.value != aNumber:
		return b.discrete(first, func(v float64) bool { return s.Terms[0].Weight*v < s.Threshold })
	}
	q = &test{kind: isSumLess, threshold: s.Threshold}
	for _, t := range s.Terms {
		f := b.features[t.Feature]
		if f.value == aGap && b.inputs[f.input].coded {
			continue // 0, always
		}
		if f.value == aMember { // at most one of them is 1
			for _, k := range f.set {
				q.terms = append(q.terms, term{t.Weight, f.input, aMark, k})
			}
			continue
		}
		q.terms = append(q.terms, term{t.Weight, f.input, f.value, f.category})
	}
	if len(q.terms) == 0 {
		return nil, 0 < s.Threshold
	}
	return q, false
}

// discrete returns the test of a split on one feature with few values, those that
// left is true of going left.
func (b *builder) discrete(f feature, left func(v float64) bool) (*test, bool) {
	in := &b.inputs[f.input]
	if f.value == aGap {
		if in.coded || left(0) == left(1) {
			return nil, left(0)
		}
		return &test{kind: isMissing, input: f.input, except: left(0)}, false
	}
	goesLeft := func(category int) bool {
		switch {
		case f.value == anIndex:
			return left(float64(category))
		case f.value == aMember && slices.Contains(f.set, category), f.value == aMark && category == f.category:
			return left(1)
		}
		return left(0)
	}
	var sides [2][]int // the categories that go right and left
	for k := range in.categories {
		to := side(goesLeft(k))
		sides[to] = append(sides[to], k)
	}
	if in.admits {
		outside := goesLeft(noCategory)
		inside := sides[side(!outside)] // the categories that do not go where unknown texts go
		if len(inside) == 0 {
			return nil, outside
		}
		return &test{kind: isAmong, input: f.input, set: inside, except: outside}, false
	}
	switch right, left := sides[0], sides[1]; {
	case len(right) == 0 || len(left) == 0:
		return nil, len(right) == 0
	case len(right) < len(left):
		return &test{kind: isAmong, input: f.input, set: right, except: true}, false
	default:
		return &test{kind: isAmong, input: f.input, set: left}, false
	}
}

func side(left bool) int {
	if left {
		return 1
	}
	return 0
}

// deepest is how many levels of a tree targets indent. Programs and statements do not nest
// more of them either: what reads programs has limits (Python 100 blocks, SQLite expressions
// of height 1000, some C compilers 256 brackets).
const deepest = 40

// branches says how a branch node is written: a block for the rows that go to inner, then,
// beside it, what is written for the others, who go to next.
type branches struct {
	inner, next int
	negated     bool // the rows of inner are those that the test does not hold of
}

// nesting returns the branches of each branch node. Blocks are for the rows that a test
// holds of. In trees of more than deepest levels they are for the smaller of the two
// subtrees, so that no more than log2(nodes) of them stand in each other.
func (p *plan) nesting() (of []branches, deep bool) {
	of = make([]branches, len(p.nodes))
	deep = p.depth() > deepest
	size := p.sizes()
	for i := range p.nodes {
		n := &p.nodes[i]
		if of[i] = (branches{inner: n.left, next: n.right}); deep && n.test != nil && size[n.left] > size[n.right] {
			of[i] = branches{n.right, n.left, true}
		}
	}
	return of, deep
}

// sizes returns the number of nodes of each subtree.
func (p *plan) sizes() []int {
	size := make([]int, len(p.nodes))
	for i := len(p.nodes) - 1; i >= 0; i-- { // children come after their parent
		if n := &p.nodes[i]; n.test != nil {
			size[i] = size[n.left] + size[n.right]
		}
		size[i]++
	}
	return size
}

// policyWords are the words of policies in place of those of classes: in comments and in
// the names that programs have.
var policyWords = strings.NewReplacer(
	"predict_proba", "predict_rewards",
	"the share of each", "the mean reward of each",
	"The share of each", "The mean reward of each",
	"in the training weight of", "on the training rows of",
	"a class", "an action",
	"CLASSES", "ACTIONS", "Classes", "Actions", "classes", "actions",
	"leafClass", "leafAction", "leafShares", "leafRewards",
	"class", "action", "shares", "rewards", "share", "reward",
)

// say is a text of octgen's own, which has nothing of the user's in it, in the words of
// the tree: of a policy classes are actions, and shares their mean rewards.
func (p *plan) say(text string) string {
	switch {
	case p.numbers:
		return numberWords.Replace(text)
	case !p.policy:
		return text
	}
	return policyWords.Replace(text)
}

// values are what is said of each class at the leaf n: its share, of an action its mean
// reward.
func values(t *tree.Tree, n *tree.Node) []float64 {
	k := len(t.Classes)
	if !t.IsPolicy() {
		return shares(n, k)
	}
	if mean := n.MeanRewards(); mean != nil {
		return mean
	}
	return make([]float64, k)
}
