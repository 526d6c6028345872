package tree

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
)

// NewLeaf returns the tree that answers class everywhere, with the names and
// the encoder of ds (shared). Grow makes larger trees of it.
func NewLeaf(ds *dataset.Dataset, class int) *Tree {
	return &Tree{
		Nodes:    []Node{{Class: class}},
		Features: ds.Features,
		Classes:  ds.Classes,
		Encoder:  ds.Encoder,
	}
}

// Grow turns the leaf at index leaf into a branch node with split s, whose
// children are new leaves of the given classes, and returns their indices. It
// is for whoever makes the tree; s is kept, not copied. It panics where the
// node is no leaf.
func (t *Tree) Grow(leaf int, s *Split, leftClass, rightClass int) (left, right int) {
	if t.Nodes[leaf].Split != nil {
		panic("tree: Grow: the node is not a leaf")
	}
	left = len(t.Nodes)
	right = left + 1
	t.Nodes = append(t.Nodes, Node{Class: leftClass}, Node{Class: rightClass})
	n := &t.Nodes[leaf]
	n.Split, n.Left, n.Right = s, left, right
	return left, right
}

// Onto is the reverse of Remap: t, which uses none but the given features, as a tree of ds,
// which is its data WithFeatures(features).
func (t *Tree) Onto(ds *dataset.Dataset, features []int) *Tree {
	to := make([]int, len(t.Features))
	for i, j := range features {
		to[j] = i
	}
	return t.Remap(ds, to)
}

// Graft puts u, a tree of the same features and classes, in the place of the leaf at index
// leaf. Training weights of u are not kept: Annotate counts anew. It panics where the node is
// no leaf.
func (t *Tree) Graft(leaf int, u *Tree) {
	at := make([]int, len(u.Nodes)) // children come after their parent
	at[0] = leaf
	for i := range u.Nodes {
		n := &u.Nodes[i]
		t.Nodes[at[i]].Class = n.Class
		if n.Split != nil {
			at[n.Left], at[n.Right] = t.Grow(at[i], n.Split, 0, 0)
		}
	}
}

// Clone returns a copy that shares only what is never written to: splits,
// names and the encoder.
func (t *Tree) Clone() *Tree {
	c := *t
	c.Nodes = slices.Clone(t.Nodes)
	for i := range c.Nodes {
		c.Nodes[i].Weight = slices.Clone(c.Nodes[i].Weight)
		c.Nodes[i].Count = slices.Clone(c.Nodes[i].Count)
		c.Nodes[i].Excess = slices.Clone(c.Nodes[i].Excess)
		c.Nodes[i].Reward = slices.Clone(c.Nodes[i].Reward)
	}
	return &c
}

// Equal reports whether t and u are the same tree: the same shape, splits (bit
// for bit, except that 0 equals -0), answers of leaves and names. The order of the
// nodes in the slice, the annotations and the encoder do not matter.
func (t *Tree) Equal(u *Tree) bool {
	if !slices.Equal(t.Features, u.Features) || !slices.Equal(t.Classes, u.Classes) {
		return false
	}
	type pair struct{ a, b int }
	for stack := []pair{{0, 0}}; len(stack) > 0; {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		a, b := &t.Nodes[p.a], &u.Nodes[p.b]
		switch {
		case a.Leaf() != b.Leaf():
			return false
		case a.Leaf():
			if !a.answersAs(b) {
				return false
			}
		case a.Split.Threshold != b.Split.Threshold || !slices.Equal(a.Split.Terms, b.Split.Terms):
			return false
		default:
			stack = append(stack, pair{a.Left, b.Left}, pair{a.Right, b.Right})
		}
	}
	return true
}

// FeaturesUsed returns the features that some split uses, ascending.
func (t *Tree) FeaturesUsed() []int {
	var used []int
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			for _, term := range s.Terms {
				used = append(used, term.Feature)
			}
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}

// Remap returns t, fitted on ds.WithFeatures(features), as a tree of ds: its
// feature j becomes features[j], and names and encoder become those of ds.
// Training weights are kept.
func (t *Tree) Remap(ds *dataset.Dataset, features []int) *Tree {
	out := t.Clone()
	out.Features, out.Classes, out.Encoder = ds.Features, ds.Classes, ds.Encoder
	for i := range out.Nodes {
		s := out.Nodes[i].Split
		if s == nil {
			continue
		}
		terms := make([]Term, len(s.Terms))
		for k, term := range s.Terms {
			terms[k] = Term{features[term.Feature], term.Weight}
		}
		slices.SortFunc(terms, func(a, b Term) int { return a.Feature - b.Feature })
		out.Nodes[i].Split = &Split{Terms: terms, Threshold: s.Threshold}
	}
	return out
}

// Subtree returns the tree below and including node i, compactly indexed.
func (t *Tree) Subtree(i int) *Tree {
	return t.rebuild(i, func(at int) Node { return t.Nodes[at] })
}

// answersAs reports whether two leaves have the same class or number.
func (n *Node) answersAs(m *Node) bool {
	return n.Class == m.Class && (n.Value == nil) == (m.Value == nil) && (n.Value == nil || *n.Value == *m.Value)
}

// rebuild returns the tree rooted at what resolve makes of node root, in
// preorder. resolve returns the node that takes the place of node i: its
// children are indices of t, and without a split it becomes a leaf. Class and
// training weights are copied.
func (t *Tree) rebuild(root int, resolve func(i int) Node) *Tree {
	out := &Tree{Features: t.Features, Classes: t.Classes, Encoder: t.Encoder}
	type place struct {
		node, parent int // node of t; parent in out, -1 for the root
		right        bool
	}
	for stack := []place{{root, -1, false}}; len(stack) > 0; {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := resolve(p.node)
		at := len(out.Nodes)
		if p.parent >= 0 {
			if p.right {
				out.Nodes[p.parent].Right = at
			} else {
				out.Nodes[p.parent].Left = at
			}
		}
		if n.Split != nil {
			stack = append(stack, place{n.Right, at, true}, place{n.Left, at, false})
		}
		out.Nodes = append(out.Nodes, Node{
			Split: n.Split, Class: n.Class,
			Weight: slices.Clone(n.Weight), Count: slices.Clone(n.Count), Excess: slices.Clone(n.Excess), Reward: slices.Clone(n.Reward), Value: n.Value,
		})
	}
	return out
}

// Collapse returns t without its vacuous splits on ds: a split that sends no
// row of ds to one side gives way to the other side's subtree. The result
// predicts every row of ds as t does and is annotated with ds. A leaf of it is
// a leaf of t.
func (t *Tree) Collapse(ds *dataset.Dataset) *Tree {
	t.mustFit(ds)
	reached := make([]bool, len(t.Nodes))
	for i := range ds.N() {
		reached[t.Find(ds.Row(i))] = true
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		if n := &t.Nodes[i]; n.Split != nil {
			reached[i] = reached[n.Left] || reached[n.Right]
		}
	}
	out := t.rebuild(0, func(i int) Node {
		for {
			n := &t.Nodes[i]
			switch {
			case n.Split == nil || reached[n.Left] && reached[n.Right]:
				return *n
			case reached[n.Right]:
				i = n.Right
			default: // also where no row reaches n at all
				i = n.Left
			}
		}
	})
	out.Annotate(ds)
	return out
}

// Recentred returns t, a univariate tree without vacuous splits on ds, with every threshold at the midpoint between the values of
// the rows on the two sides of its node. The rows of ds keep their sides.
func (t *Tree) Recentred(ds *dataset.Dataset) *Tree {
	t = t.Clone()
	below := make([]float64, len(t.Nodes))
	above := make([]float64, len(t.Nodes))
	for i := range t.Nodes {
		below[i], above[i] = math.Inf(-1), math.Inf(1)
	}
	for i := range ds.N() {
		x := ds.Row(i)
		for at := 0; t.Nodes[at].Split != nil; {
			n := &t.Nodes[at]
			if v := x[n.Split.Terms[0].Feature]; v < n.Split.Threshold {
				below[at], at = max(below[at], v), n.Left
			} else {
				above[at], at = min(above[at], v), n.Right
			}
		}
	}
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			t.Nodes[i].Split = Univariate(s.Terms[0].Feature, Midpoint(below[i], above[i]))
		}
	}
	return t
}

// MergeLeaves returns t with sibling leaves of the same answer merged into their
// parent, bottom up, as long as the parent is at least at the given depth (0
// for everywhere; the root has depth 0). It predicts as t does, everywhere.
// Annotations are kept.
func (t *Tree) MergeLeaves(minDepth int) *Tree {
	const mixed = -1
	depth := make([]int, len(t.Nodes))
	leaf := make([]int, len(t.Nodes)) // a leaf below, whose answer all others have, if it is one leaf in the result
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Split != nil {
			depth[n.Left], depth[n.Right] = depth[i]+1, depth[i]+1
		}
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		switch {
		case n.Split == nil:
			leaf[i] = i
		case depth[i] >= minDepth && leaf[n.Left] != mixed && leaf[n.Right] != mixed && t.Nodes[leaf[n.Left]].answersAs(&t.Nodes[leaf[n.Right]]):
			leaf[i] = leaf[n.Left]
		default:
			leaf[i] = mixed
		}
	}
	return t.rebuild(0, func(i int) Node {
		n := t.Nodes[i]
		if at := leaf[i]; at != mixed {
			n.Split, n.Class, n.Value = nil, t.Nodes[at].Class, t.Nodes[at].Value
		}
		return n
	})
}

// Simplify returns the smallest tree that Collapse and MergeLeaves make of t:
// it predicts every row of ds as t does, with no vacuous split and no two
// sibling leaves of the same class, annotated with ds.
func (t *Tree) Simplify(ds *dataset.Dataset) *Tree { return t.Collapse(ds).MergeLeaves(0) }

// Prune returns t with the branch nodes for which cut answers true turned into
// leaves of their Class (which Annotate sets). Annotations are kept; indices
// become compact.
func (t *Tree) Prune(cut func(node int) bool) *Tree {
	return t.rebuild(0, func(i int) Node {
		n := t.Nodes[i]
		if n.Split != nil && cut(i) {
			n.Split = nil
		}
		return n
	})
}
