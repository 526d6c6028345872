package tree

import "github.com/octgen/octgen/dataset"

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

// MergeLeaves returns t with equal-labelled sibling leaves merged into their
// parent, bottom up, as long as the parent is at least at the given depth (0
// for everywhere; the root has depth 0). It predicts as t does, everywhere.
// Annotations are kept.
func (t *Tree) MergeLeaves(minDepth int) *Tree {
	const mixed = -1
	depth := make([]int, len(t.Nodes))
	label := make([]int, len(t.Nodes)) // class of all leaves below, if it is one leaf in the result
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Split != nil {
			depth[n.Left], depth[n.Right] = depth[i]+1, depth[i]+1
		}
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		switch {
		case n.Split == nil:
			label[i] = n.Class
		case depth[i] >= minDepth && label[n.Left] == label[n.Right]:
			label[i] = label[n.Left]
		default:
			label[i] = mixed
		}
	}
	return t.rebuild(0, func(i int) Node {
		n := t.Nodes[i]
		if label[i] != mixed {
			n.Split, n.Class = nil, label[i]
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
