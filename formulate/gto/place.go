package gto

import (
	"fmt"

	"github.com/octgen/octgen/formulate/internal/point"
	"github.com/octgen/octgen/tree"
)

// placement says what a decision of the structure is in a tree laid over it.
type placement struct {
	node    int  // branch node of the tree; -1 for none
	swapped bool // the node's left is the decision's right
	right   bool // where there is no node: all rows go right
}

// plane returns the decision in standardised units.
func (p placement) plane(g *data, t *tree.Tree, box float64) plane {
	h := plane{w: make([]float64, g.p)}
	switch {
	case p.node < 0 && p.right:
		h.gamma = -1
		return h
	case p.node < 0:
		h.gamma = 1
		return h
	}
	s := t.Nodes[p.node].Split
	at := make(map[int]int, g.p)
	for jx, j := range g.active {
		at[j] = jx
	}
	h.gamma = s.Threshold
	for _, term := range s.Terms {
		h.gamma -= term.Weight * g.mean[term.Feature]
		if jx, varies := at[term.Feature]; varies {
			h.w[jx] = term.Weight * g.sd[term.Feature]
		}
	}
	if p.swapped {
		h = h.scaled(-1, max(box, h.size()))
	}
	return h
}

// place lays t over the structure, nil where that cannot be done: node upon
// decision as it stands, or with its sides swapped, or the whole subtree beyond
// one side of a decision that the tree lacks; a leaf upon a leaf of its class.
// The first way that works is taken, the order being the one just given.
func (f *Formulation) place(t *tree.Tree) []placement {
	e := &embedding{l: f.layout, t: t, fits: map[[2]int]bool{}, out: make([]placement, f.layout.decisions)}
	for d := range e.out {
		e.out[d].node = -1
	}
	if !e.fit(0, e.root()) {
		return nil
	}
	e.lay(0, e.root())
	return e.out
}

// embedding looks for a way to lay t over a structure. There are few pairs of
// a node and a decision (or ^leaf), and what fits is kept for each.
type embedding struct {
	l    *layout
	t    *tree.Tree
	fits map[[2]int]bool
	out  []placement
}

func (e *embedding) root() int {
	if e.l.decisions == 0 {
		return ^0
	}
	return 0
}

// way is one of the ways of place: what comes to lie upon the left and right
// child of a decision; -1 for nothing.
type way struct{ left, right int }

func (e *embedding) ways(node int) []way {
	n := &e.t.Nodes[node]
	if n.Leaf() {
		return []way{{node, -1}, {-1, node}}
	}
	return []way{{n.Left, n.Right}, {n.Right, n.Left}, {node, -1}, {-1, node}}
}

// fit reports whether the subtree of t at node can lie upon a decision or ^leaf.
func (e *embedding) fit(node, upon int) bool {
	if node < 0 {
		return true
	}
	if upon < 0 {
		n := &e.t.Nodes[node]
		return n.Leaf() && n.Class == e.l.leaves[^upon].class
	}
	key := [2]int{node, upon}
	ok, known := e.fits[key]
	if !known {
		for _, w := range e.ways(node) {
			if ok = e.fit(w.left, e.l.left[upon]) && e.fit(w.right, e.l.right[upon]); ok {
				break
			}
		}
		e.fits[key] = ok
	}
	return ok
}

// lay fills in out for a pair that fits.
func (e *embedding) lay(node, upon int) {
	if node < 0 || upon < 0 {
		return
	}
	for k, w := range e.ways(node) {
		if !e.fit(w.left, e.l.left[upon]) || !e.fit(w.right, e.l.right[upon]) {
			continue
		}
		if w.left >= 0 && w.right >= 0 {
			e.out[upon] = placement{node: node, swapped: k == 1}
		} else {
			e.out[upon] = placement{node: -1, right: w.left < 0}
		}
		e.lay(w.left, e.l.left[upon])
		e.lay(w.right, e.l.right[upon])
		return
	}
}

// misfit names the first node of t, from the root, none of whose subtree can be
// laid anywhere, or else the root.
func (f *Formulation) misfit(t *tree.Tree) error {
	e := &embedding{l: f.layout, t: t, fits: map[[2]int]bool{}}
	text := f.opts.Structure.Text(f.g.ds.Classes)
	worst := 0
	for node := range t.Nodes {
		if !e.anywhere(node) {
			worst = node // children come after their parent: the last one is a smallest subtree
		}
	}
	what := "its subtree"
	if n := &t.Nodes[worst]; n.Leaf() {
		what = fmt.Sprintf("its leaf of class %q", t.Classes[n.Class])
	}
	return point.NoStart(worst, "%s fits nowhere in the structure %s", what, text)
}

func (e *embedding) anywhere(node int) bool {
	for d := range e.l.decisions {
		if e.fit(node, d) {
			return true
		}
	}
	for k := range e.l.leaves {
		if e.fit(node, ^k) {
			return true
		}
	}
	return false
}
