package parts

import (
	"context"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/tree"
)

const (
	alternateWork = 50_000_000 // ends an alternation, after about half a second
	improving     = 20         // restarts of that of a tree found
)

// alternate improves a tree by alternating over its nodes, in the problem of margin right on
// some merged rows, until its objective is at most enough; with restarts from others.
func (s *search) alternate(ctx context.Context, t *tree.Tree, rows []int32, restarts int, enough float64) *tree.Tree {
	r, err := alternating.Search(ctx, s.origin, alternating.Options{
		Depth: s.depth, Alpha: s.alpha, MaxSplits: s.o.Form.MaxSplits, Mu: s.mu, Right: true,
		Starts: []*tree.Tree{t}, Restarts: restarts, Work: alternateWork, Streams: 1, Seed: s.rng.Uint64(), Rows: rows, Training: s.training, Enough: enough,
	})
	if err != nil {
		return t
	}
	return r.Tree
}

// offer takes t, and what it becomes by alternating and by the caller.
func (s *search) offer(ctx context.Context, t *tree.Tree) {
	if t == nil {
		return
	}
	if s.depth > 1 && s.p() > 0 {
		s.takeSettled(ctx, t.Collapse(s.src))
		t = s.alternate(ctx, t, s.ids, improving, s.bound)
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
