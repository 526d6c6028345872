package localsearch

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// run searches until a limit, or until nothing can be better.
func (s *lsPlaneSearch) run(starts []*tree.Tree) {
	s.nodes = []planeNode{{}}
	s.descendLoss()
	s.keep() // the single leaf
	for begun := 0; s.budget.begin(); begun++ {
		kicks := s.construct(starts, begun)
		s.descend()
		if s.keep() {
			return
		}
		s.local = copyPlanes(s.local, s.nodes)
		least := s.loss
		for failed := 0; failed < kicks && !s.budget.over(); failed++ {
			if !s.kick() {
				break
			}
			s.budget.stats.Kicks++
			s.descend()
			if s.loss > least+s.tolerance {
				s.nodes = copyPlanes(s.nodes, s.local)
				s.loss = least
				continue
			}
			if s.loss < least-s.tolerance {
				failed = -1
			}
			least = s.loss
			s.local = copyPlanes(s.local, s.nodes)
			if s.keep() {
				return
			}
		}
	}
}

// keep notes the tree where it is the best so far, and says whether nothing can
// be better. A tree with rows within a margin never is, since the single leaf
// is kept first and loses less.
func (s *lsPlaneSearch) keep() bool {
	if s.loss < s.bestLoss-s.tolerance {
		s.best = copyPlanes(s.best, s.nodes)
		s.bestLoss = s.loss
		s.budget.improved(s.loss / s.scale)
	}
	return s.budget.over() || s.bestLoss <= s.known+s.tolerance
}

// construct makes the next tree to begin from, and returns the number of kicks in
// a row that may fail. First come, without kicks, the last of the starts, which
// is the best, the single leaf, and the other starts; then the best tree and
// random splits at the root in turn.
func (s *lsPlaneSearch) construct(starts []*tree.Tree, begun int) (kicks int) {
	s.nodes = s.nodes[:0]
	switch {
	case begun == 1:
		s.nodes = append(s.nodes, planeNode{})
	case begun <= len(starts):
		s.adopt(starts[len(starts)-max(1, begun)], 0, 0)
	case (begun-len(starts))%2 == 1:
		s.nodes = copyPlanes(s.nodes, s.best)
		kicks = patience
	default:
		s.nodes = append(s.nodes, planeNode{})
		s.kick()
		kicks = patience / 3
	}
	rows := slices.Clone(s.everything)
	if least := s.tidy(0, rows); s.minLeaf && least < s.floor || s.opts.MaxSplits > 0 && s.complexity(0) > s.opts.MaxSplits {
		s.nodes = append(s.nodes[:0], planeNode{})
	}
	for i := range s.nodes {
		s.nodes[i].done = false
	}
	return kicks
}

// adopt adds node i of t as a node at the given depth.
func (s *lsPlaneSearch) adopt(t *tree.Tree, i, depth int) {
	n := &t.Nodes[i]
	at := len(s.nodes)
	s.nodes = append(s.nodes, planeNode{class: int32(n.Class)})
	if n.Leaf() || depth == s.opts.Depth {
		return
	}
	p, ok := s.scaled(n.Split)
	if !ok {
		return
	}
	left := int32(len(s.nodes))
	s.adopt(t, n.Left, depth+1)
	right := int32(len(s.nodes))
	s.adopt(t, n.Right, depth+1)
	s.nodes[at].plane, s.nodes[at].left, s.nodes[at].right = p, left, right
}

// scaled is a split on scaled features with sum |a| = 1; false where it has no
// feature that varies.
func (s *lsPlaneSearch) scaled(split *tree.Split) (lsPlane, bool) {
	p := lsPlane{a: make([]float64, len(s.active)), b: split.Threshold}
	norm := 0.0
	for _, term := range split.Terms {
		jx, ok := slices.BinarySearch(s.active, int32(term.Feature))
		if !ok {
			return p, false
		}
		p.a[jx] = term.Weight * s.span[jx]
		p.b -= term.Weight * s.low[jx]
		norm += math.Abs(p.a[jx])
	}
	for jx := range p.a {
		p.a[jx] /= norm
	}
	p.b /= norm
	return p, norm > 0 && !math.IsInf(norm, 0) && !math.IsNaN(p.b) && !math.IsInf(p.b, 0)
}

// visit lists the nodes with their parents and depths, in preorder.
func (s *lsPlaneSearch) visit() []lsVisit {
	s.visits = s.visits[:0]
	var walk func(node, parent int32, depth int)
	walk = func(node, parent int32, depth int) {
		at := int32(len(s.visits))
		s.visits = append(s.visits, lsVisit{node, parent, depth})
		if n := &s.nodes[node]; !n.leaf() {
			walk(n.left, at, depth+1)
			walk(n.right, at, depth+1)
		}
	}
	walk(0, -1, 0)
	return s.visits
}

// rowsAt returns the rows that reach visit v.
func (s *lsPlaneSearch) rowsAt(visits []lsVisit, v int32) []int32 {
	rows := append(s.scratch[:0], s.everything...)
	s.scratch = rows
	var path []int32
	for ; v >= 0; v = visits[v].parent {
		path = append(path, visits[v].node)
	}
	for q := len(path) - 1; q > 0; q-- {
		left := s.route(path[q], rows)
		if s.nodes[path[q]].left == path[q-1] {
			rows = rows[:left]
		} else {
			rows = rows[left:]
		}
	}
	return rows
}

// descendLoss sets the loss of the tree.
func (s *lsPlaneSearch) descendLoss() {
	rows := append(s.scratch[:0], s.everything...)
	s.scratch = rows
	s.tidy(0, rows)
	s.loss = s.lossAt(0, s.everything)
}

// descend improves nodes, the deepest first, until none can be.
func (s *lsPlaneSearch) descend() {
	s.descendLoss()
	for !s.budget.over() && s.loss > s.known+s.tolerance {
		visits := s.visit()
		chosen, depth, equal := int32(-1), -1, 0
		for v := range visits {
			if visits[v].depth < depth || s.nodes[visits[v].node].done {
				continue
			}
			if visits[v].depth > depth {
				depth, equal = visits[v].depth, 0
			}
			equal++
			if s.rng.IntN(equal) == 0 {
				chosen = int32(v)
			}
		}
		if chosen < 0 {
			return
		}
		i := visits[chosen].node
		if !s.improveNode(i, depth, slices.Clone(s.rowsAt(visits, chosen))) {
			s.nodes[i].done = true
			continue
		}
		s.reopen(i)
		for v := visits[chosen].parent; v >= 0; v = visits[v].parent {
			s.nodes[visits[v].node].done = false
		}
	}
}

// reopen marks the subtree of node i as not yet optimised.
func (s *lsPlaneSearch) reopen(i int32) {
	n := &s.nodes[i]
	n.done = false
	if !n.leaf() {
		s.reopen(n.left)
		s.reopen(n.right)
	}
}

// kick gives a random node a random univariate split, or one on two features,
// and says whether it could.
func (s *lsPlaneSearch) kick() bool {
	for range 20 {
		visits := s.visit()
		v := int32(s.rng.IntN(len(visits)))
		i := visits[v].node
		if visits[v].depth == s.opts.Depth || s.room(i) < 1 {
			continue
		}
		rows := s.rowsAt(visits, v)
		p := s.randomPlane(rows, s.room(i))
		if left := s.countLeft(&p, rows); left == 0 || left == len(rows) {
			continue
		}
		s.reopen(0)
		if s.nodes[i].leaf() {
			s.nodes[i].left, s.nodes[i].right = int32(len(s.nodes)), int32(len(s.nodes)+1)
			s.nodes = append(s.nodes, planeNode{}, planeNode{})
		}
		s.nodes[i].plane = p
		s.nodes[i].done = true // what is below it comes first
		return true
	}
	return false
}

// randomPlane separates two random rows on one or two features.
func (s *lsPlaneSearch) randomPlane(rows []int32, room int) lsPlane {
	p := lsPlane{a: make([]float64, len(s.active))}
	i, k := rows[s.rng.IntN(len(rows))], rows[s.rng.IntN(len(rows))]
	norm := 0.0
	for range min(1+s.rng.IntN(2), room) {
		jx := s.rng.IntN(len(s.active))
		norm -= math.Abs(p.a[jx])
		p.a[jx] = 2*s.rng.Float64() - 1
		norm += math.Abs(p.a[jx])
	}
	for jx := range p.a {
		p.a[jx] /= norm
		p.b += p.a[jx] * (s.column[jx][i] + s.column[jx][k]) / 2
	}
	return p
}

func (s *lsPlaneSearch) countLeft(p *lsPlane, rows []int32) int {
	n := 0
	for _, i := range rows {
		if s.value(p, i) < 0 {
			n++
		}
	}
	return n
}

// result is the best tree in the data's units, as a tree of ds.
func (s *lsPlaneSearch) result(ds *dataset.Dataset) *tree.Tree {
	if s.best == nil {
		return leafOf(ds)
	}
	t := tree.NewLeaf(ds, 0)
	s.nodes = copyPlanes(s.nodes, s.best)
	s.emit(t, 0, 0, slices.Clone(s.everything))
	t.Annotate(ds)
	return t
}

// emit makes node at of t what node i is, with the threshold half way between
// the rows on its two sides. A split whose sides are not apart in the data's
// units becomes a leaf.
func (s *lsPlaneSearch) emit(t *tree.Tree, at int, i int32, rows []int32) {
	n := &s.nodes[i]
	if n.leaf() {
		t.Nodes[at].Class = int(n.class)
		return
	}
	split, flip := s.unscaled(&n.plane)
	q := s.route(i, rows)
	l, r, left, right := n.left, n.right, rows[:q], rows[q:]
	if flip {
		l, r, left, right = r, l, right, left
	}
	below, above := math.Inf(-1), math.Inf(1)
	value := func(i int32) float64 {
		v := 0.0
		for _, term := range split.Terms {
			v += term.Weight * s.ds.At(int(i), term.Feature)
		}
		return v
	}
	for _, k := range left {
		below = max(below, value(k))
	}
	for _, k := range right {
		above = min(above, value(k))
	}
	if !(below < above) {
		class, _ := s.majority(rows)
		t.Nodes[at].Class = int(class)
		return
	}
	split.Threshold = tree.Midpoint(below, above)
	a, b := t.Grow(at, split, 0, 0)
	s.emit(t, a, l, left)
	s.emit(t, b, r, right)
}

// unscaled is the plane as a split of the data's units, without its threshold;
// flip says that its sides are exchanged, so that a univariate split is x_j < b.
func (s *lsPlaneSearch) unscaled(p *lsPlane) (split *tree.Split, flip bool) {
	split = &tree.Split{}
	for jx, a := range p.a {
		if a != 0 {
			split.Terms = append(split.Terms, tree.Term{Feature: int(s.active[jx]), Weight: a / s.span[jx]})
		}
	}
	if len(split.Terms) == 1 {
		flip = split.Terms[0].Weight < 0
		split.Terms[0].Weight = 1
	}
	return split, flip
}
