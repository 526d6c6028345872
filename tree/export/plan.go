package export

import (
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// plan is a tree over the fields of its source columns, which is what every target
// writes: encoded features are gone, and so are splits that send all rows one way.
type plan struct {
	inputs  []input // the columns that the splits ask for, in the encoder's order
	nodes   []node  // 0 is the root; children come after their parent
	classes []string
	target  string  // the class column
	columns []input // all columns
	policy  bool    // classes are actions
}

// node is a branch node or a leaf.
type node struct {
	test        *test     // nil at a leaf
	left, right int       // children; left where the test holds
	class       int       // at a leaf
	shares      []float64 // at a leaf: share of each class in the training weight; 1 for class where no row came; of a policy the mean reward of each action, 0 where no row came
	counts      []float64 // at a leaf: training rows of each class
	rows        float64   // training rows that reach the node
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
)

// newPlan makes the plan of t, a valid tree, whose categories beyond those of training are treated
// as unknown says.
func newPlan(t *tree.Tree, unknown dataset.UnknownPolicy) (*plan, error) {
	inputs, features, err := newInputs(t, unknown)
	if err != nil {
		return nil, err
	}
	p := &plan{classes: t.Classes, inputs: inputs, columns: inputs, target: "class", policy: t.IsPolicy()}
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

// add appends the node at of the tree with all that is below, and returns its index.
func (p *plan) add(at int, b *builder) int {
	n := &b.tree.Nodes[at]
	index := len(p.nodes)
	if n.Leaf() {
		p.nodes = append(p.nodes, node{class: n.Class, shares: values(b.tree, n), counts: counts(n, len(p.classes)), rows: sum(n.Count), source: at})
		return index
	}
	q, allLeft := b.test(n.Split)
	switch {
	case q == nil && allLeft:
		return p.add(n.Left, b)
	case q == nil:
		return p.add(n.Right, b)
	}
	p.nodes = append(p.nodes, node{test: q, class: n.Class, rows: sum(n.Count), source: at})
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
