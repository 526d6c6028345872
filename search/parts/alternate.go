package parts

import (
	"cmp"
	"context"
	"slices"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/tree"
)

// heap is a full tree of the depth in heap order, root 1, that is being improved.
type heap struct {
	split []*tree.Split // (leaves) nil: all rows go right
	label []int         // (2 leaves) of the leaves
}

func (h *heap) leaves() int { return len(h.split) }

// from is the leaf that x reaches from node n.
func (h *heap) from(n int, x []float64) int {
	for n < h.leaves() {
		if sp := h.split[n]; sp != nil && sp.Left(x) {
			n *= 2
		} else {
			n = 2*n + 1
		}
	}
	return n
}

// heapOf lays a tree over the full one.
func (s *search) heapOf(t *tree.Tree) *heap {
	leaves := 1 << s.depth
	h := &heap{split: make([]*tree.Split, leaves), label: make([]int, 2*leaves)}
	var place func(k, n int)
	place = func(k, n int) {
		node := &t.Nodes[k]
		switch {
		case n >= leaves:
			h.label[n] = node.Class
		case node.Split == nil:
			place(k, 2*n)
			place(k, 2*n+1)
		default:
			h.split[n] = node.Split
			place(node.Left, 2*n)
			place(node.Right, 2*n+1)
		}
	}
	place(0, 1)
	return h
}

// tree is h without splits that are none.
func (s *search) treeOf(h *heap) *tree.Tree {
	t := tree.NewLeaf(s.src, 0)
	var grow func(k, n int)
	grow = func(k, n int) {
		for n < h.leaves() && h.split[n] == nil {
			n = 2*n + 1
		}
		t.Nodes[k].Class = h.label[n]
		if n >= h.leaves() {
			return
		}
		left, right := t.Grow(k, h.split[n], 0, 0)
		grow(left, 2*n)
		grow(right, 2*n+1)
	}
	grow(0, 1)
	return t
}

// idleSweeps end alternating: over all nodes without a better tree.
const idleSweeps = 2

// alternates says whether alternating suits the problem: it knows no price or limit of
// features.
func (s *search) alternates() bool { return s.alpha == 0 && s.o.Form.MaxSplits == 0 && s.p() > 0 }

// alternate improves a tree of the block's rows: each split in turn, those of the last
// level first, becomes a plane for the rows that are right on one of its sides only,
// found by giving up rows until the others can be parted. It ends where the errors are
// at most enough, and returns the best tree.
func (s *search) alternate(ctx context.Context, t *tree.Tree, enough float64) (*tree.Tree, float64) {
	h := s.heapOf(t)
	best := s.right(t)
	for idle := 0; idle < idleSweeps && best > enough && ctx.Err() == nil; idle++ {
		for n := h.leaves() - 1; n >= 1 && best > enough; n-- {
			for _, labels := range s.labelsAt(h, n) {
				c := s.renew(ctx, h, n, labels)
				if c == nil {
					continue
				}
				if v := s.right(s.treeOf(c)); v < best {
					h, best, idle = c, v, -1
				}
			}
		}
	}
	return s.treeOf(h), best
}

// labelsAt are the pairs of labels to try below node n: those of the two commonest
// classes of three where it is of the last level, else what it has.
func (s *search) labelsAt(h *heap, n int) [][2]int {
	if 2*n < h.leaves() {
		return [][2]int{{}}
	}
	weight := make([]float64, s.ds.K())
	for i := range s.n() {
		if h.from(1, s.ds.Row(i))/2 == n {
			weight[s.class(i)] += s.weight(i)
		}
	}
	classes := make([]int, len(weight))
	for c := range classes {
		classes[c] = c
	}
	slices.SortStableFunc(classes, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	pairs := [][2]int{{classes[0], classes[1]}}
	if len(classes) > 2 && weight[classes[2]] > 0 {
		pairs = append(pairs, [2]int{classes[0], classes[2]}, [2]int{classes[1], classes[2]})
	}
	return pairs
}

// renew is h with another plane at node n, with these labels below it where it is of
// the last level; nil for none.
func (s *search) renew(ctx context.Context, h *heap, n int, labels [2]int) *heap {
	c := &heap{split: slices.Clone(h.split), label: slices.Clone(h.label)}
	if 2*n >= h.leaves() {
		c.label[2*n], c.label[2*n+1] = labels[0], labels[1]
	}
	p := &parting{s: s}
	for i := range s.n() {
		x := s.ds.Row(i)
		if !above(n, h.from(1, x)) {
			continue
		}
		left, right := c.label[c.from(2*n, x)] == s.class(i), c.label[c.from(2*n+1, x)] == s.class(i)
		if left != right {
			p.rows = append(p.rows, int32(i))
			p.signs = append(p.signs, 1)
			if left {
				p.signs[len(p.signs)-1] = -1
			}
		}
	}
	pt := s.partMost(ctx, p)
	if pt == nil {
		return nil
	}
	split, err := s.widest(ctx, p, pt, nil)
	if err != nil || split == nil {
		return nil
	}
	c.split[n] = split
	return c
}

// above says whether leaf t is below node n.
func above(n, t int) bool {
	for t > n {
		t /= 2
	}
	return t == n
}

// random is a tree whose root is a plane half way between two rows of different
// classes.
func (s *search) random() *tree.Tree {
	i := s.rng.IntN(s.n())
	k := i
	for range 50 {
		if k = s.rng.IntN(s.n()); s.class(k) != s.class(i) {
			break
		}
	}
	a := make([]float64, s.p())
	for jx := range a {
		a[jx] = s.row(k)[jx] - s.row(i)[jx]
	}
	t := tree.NewLeaf(s.src, s.class(i))
	if sp := s.cut(a, []int32{int32(i)}, []int32{int32(k)}); sp != nil {
		t.Grow(0, sp, s.class(i), s.class(k))
	}
	return t
}

// offer takes t, and what it becomes by alternating and by the caller.
func (s *search) offer(ctx context.Context, t *tree.Tree) {
	if t == nil {
		return
	}
	if s.alternates() && s.depth > 1 {
		s.takeSettled(ctx, t.Collapse(s.src))
		t, _ = s.alternate(ctx, t, s.bound)
	}
	t = t.Collapse(s.src)
	s.takeSettled(ctx, t)
	if s.o.Improve != nil && ctx.Err() == nil {
		s.take(s.o.Improve(ctx, t))
	}
}

// takeSettled takes t; where it is not admitted as it is, with planes from which all
// rows keep the margin.
func (s *search) takeSettled(ctx context.Context, t *tree.Tree) {
	s.take(t)
	if s.o.Form.Margin == hyperplane.Right || s.data == nil || s.right(t) >= s.objective || s.o.Admits(t) {
		return
	}
	s.take(s.settled(ctx, t))
}

// settled is a tree that is right about the rows that t is right about with the margin,
// and whose other rows keep it, too: from the root down each of these goes where it went,
// or else to the other side. Nil: none was found.
func (s *search) settled(ctx context.Context, t *tree.Tree) *tree.Tree {
	t = t.Clone()
	right := s.data.Route(t)
	at := make([][]int32, len(t.Nodes))
	at[0] = s.all()
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if n.Split == nil || len(at[k]) == 0 {
			continue
		}
		p := s.sidesFor(ctx, n.Split, at[k], right)
		if p == nil {
			return nil
		}
		split, err := s.widest(ctx, p, &point{given: make([]float64, len(p.rows))}, nil)
		if err != nil {
			return nil
		}
		if split != nil {
			n.Split = split
		}
		for q, i := range p.rows {
			child := n.Left
			if p.signs[q] > 0 {
				child = n.Right
			}
			at[child] = append(at[child], i)
		}
	}
	return t
}

// sidesFor chooses for each row the side that a plane can have it on with the margin,
// those that count first and as sp has them. Nil where that fails.
func (s *search) sidesFor(ctx context.Context, sp *tree.Split, rows []int32, right []bool) *parting {
	p := &parting{s: s}
	add := func(i int32, sign float64) {
		p.rows, p.signs, p.laid = append(p.rows, i), append(p.signs, sign), false
	}
	for _, first := range []bool{true, false} {
		for _, i := range rows {
			if right[s.ids[i]] == first {
				add(i, signOf(sp, s.ds.Row(int(i))))
			}
		}
	}
	if p.parts() {
		return p
	}
	all := p.rows
	p.rows, p.signs, p.laid = nil, nil, false
	for _, i := range all {
		sign := signOf(sp, s.ds.Row(int(i)))
		add(i, sign)
		if right[s.ids[i]] || p.parts() {
			continue
		}
		p.signs[len(p.signs)-1], p.laid = -sign, false
		if !p.parts() || ctx.Err() != nil {
			return nil
		}
	}
	return p
}

// signOf is -1 for a row that sp sends left, else 1.
func signOf(sp *tree.Split, x []float64) float64 {
	if sp.Left(x) {
		return -1
	}
	return 1
}
