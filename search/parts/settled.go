package parts

import (
	"context"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/search/clauses"
	"github.com/octgen/octgen/tree"
)

// settlingWork is the square of the number of features times the number of conflicts of rows near to a split.
const settlingWork = 100_000

const (
	alternateWork = 50_000_000 // work limit of one alternation, about half a second
	improving     = 20         // restarts when improving a tree found
)

// alternate improves a tree by alternating optimisation over its nodes, in the problem of margin
// right on some merged rows, until its objective is at most enough, with restarts from other trees.
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

// offer considers t and its improvements by alternating and by the caller.
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

// takeSettled considers t; if it is not admitted as it is, with hyperplanes from which all rows keep the margin.
func (s *search) takeSettled(ctx context.Context, t *tree.Tree) {
	s.take(t)
	if s.o.Form.Margin == hyperplane.Right || s.data == nil || s.right(t) >= s.objective || s.o.Admits(t) {
		return
	}
	s.take(s.settled(ctx, t))
}

// settled returns a tree that correctly classifies the rows that t classifies correctly with the margin, and in which all
// other rows also keep the margin, on whatever sides. It returns nil if it finds none.
func (s *search) settled(ctx context.Context, t *tree.Tree) *tree.Tree {
	t = t.Clone()
	right := s.data.Route(t)
	at := make([][]int32, len(t.Nodes))
	at[0] = s.all()
	var sep *clauses.Separator
	if s.p() <= mostPlacedFeatures {
		sep = clauses.NewSeparator(pulse.New(ctx), s.x, s.p(), s.mu*closer)
	}
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if n.Split == nil || len(at[k]) == 0 {
			continue
		}
		slices.Sort(at[k])
		split, sides := s.moved(ctx, sep, n.Split, at[k], right)
		if sides == nil {
			return nil
		}
		if split != nil {
			n.Split = split
		}
		at[n.Left], at[n.Right] = sides[0], sides[1]
	}
	return t
}

// moved moves a split so that all rows keep the margin, and returns their sides; nil if it finds none.
func (s *search) moved(ctx context.Context, sep *clauses.Separator, sp *tree.Split, rows []int32, right []bool) (*tree.Split, *[2][]int32) {
	if sep != nil {
		beat := pulse.New(ctx)
		q := &settling{search: s, rows: rows, spot: &spot{beat: beat, sep: sep}}
		sides := q.sort(beat, sp, right)
		if sides == nil {
			return nil, nil
		}
		if len(sides[0]) == 0 || len(sides[1]) == 0 {
			return nil, sides // sp stays, with all rows on one side
		}
		return s.cut(sep.Plane, sides[0], sides[1]), sides
	}
	p := s.sidesFor(ctx, sp, rows, right)
	if p == nil {
		return nil, nil
	}
	split, err := s.widest(ctx, p, &point{given: make([]float64, len(p.rows))}, nil)
	if err != nil {
		return nil, nil
	}
	sides := &[2][]int32{}
	for q, i := range p.rows {
		k := side(p.signs[q])
		sides[k] = append(sides[k], i)
	}
	return split, sides
}

// sidesFor is one pass, where there are too many features for a search. It chooses for each row a side on which a hyperplane can
// have it with the margin: first the rows that count, on their sides by sp. It returns nil if that fails.
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

// signOf returns -1 for a row that sp sends left, else 1.
func signOf(sp *tree.Split, x []float64) float64 {
	if sp.Left(x) {
		return -1
	}
	return 1
}

// settling moves one split so that all its rows keep the margin. Row k of rows has variable k: it is on the left.
type settling struct {
	*search
	rows []int32
	free []int32 // rows that may be on either side
	spot *spot
}

// sort returns the rows on the left and on the right of a hyperplane near to which no row is, those that count on their sides by sp; nil if it
// finds none.
func (q *settling) sort(beat *pulse.Pulse, sp *tree.Split, right []bool) *[2][]int32 {
	solver := clauses.New(make([]float64, len(q.rows)), clauses.Theory{Check: q.check, Undo: q.spot.undo, Prefer: q.prefer})
	solver.Most = min(max(settlingWork/(q.p()*q.p()), 10), 1000)
	var has [2]bool
	for k, i := range q.rows {
		if !right[q.ids[i]] {
			q.free = append(q.free, int32(k))
			continue
		}
		d := side(signOf(sp, q.ds.Row(int(i))))
		has[d] = true
		solver.Add(on(k, d))
	}
	for side, is := range has {
		if !is {
			if far := q.farthest(sp, side); far >= 0 {
				solver.Add(on(int(far), side))
			}
		}
	}
	if solver.Solve(beat, 0) != clauses.Satisfiable {
		return nil
	}
	sides := &[2][]int32{}
	for _, c := range q.spot.columns {
		sides[c&1] = append(sides[c&1], c>>1)
	}
	q.spot.sep.Widest(q.spot.columns) // if it gives up there is the last one
	return sides
}

// on is that the k-th row is on a side.
func on(k, side int) clauses.Lit { return clauses.True(k) ^ clauses.Lit(side) }

// check shows new sides of rows to the split, and returns the clause that they violate.
func (q *settling) check(fresh []clauses.Lit) [][]clauses.Lit {
	for _, l := range fresh {
		q.spot.add(clauses.Column(int(q.rows[l.Var()]), l&1 == 1), len(q.spot.columns))
	}
	few := q.inseparable(q.spot)
	if few == nil {
		return nil
	}
	var lits []clauses.Lit
	for _, c := range few {
		k, _ := slices.BinarySearch(q.rows, c>>1)
		lits = append(lits, on(k, int(c&1)).Not())
	}
	return [][]clauses.Lit{lits}
}

// prefer tries the side of the last hyperplane first.
func (q *settling) prefer(k int) bool {
	return dot(q.spot.sep.Plane, q.row(int(q.rows[k]))) <= q.spot.sep.Offset
}

// farthest returns the number of the free row farthest from a split on one side; -1 for none.
func (q *settling) farthest(sp *tree.Split, from int) int32 {
	far, most := int32(-1), math.Inf(-1)
	for _, k := range q.free {
		i := q.rows[k]
		if u := math.Abs(valueOf(sp, q.ds.Row(int(i))) - sp.Threshold); side(signOf(sp, q.ds.Row(int(i)))) == from && u > most {
			far, most = k, u
		}
	}
	return far
}

// valueOf is what a split compares with its threshold.
func valueOf(sp *tree.Split, x []float64) (v float64) {
	for _, t := range sp.Terms {
		v += t.Weight * x[t.Feature]
	}
	return v
}
