package parts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/alternating"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Rows that are looked at in row generation.
const (
	firstPerSplit = 12  // rows next to a plane of the best tree, of each side and class
	firstPerClass = 10  // rows of each class, at the least
	added         = 10  // rows that fail, in a round
	guessed       = 100 // trees that are alternated before a program is solved, after the best
)

// rowGeneration proves by the optimum of some of the rows, which is at most that of
// all: programs that ask for a tree better than the best. One that has none proves the
// best; else its tree is counted on all rows, and some that it fails on are added.
func (s *search) rowGeneration(ctx context.Context) error {
	if s.p() == 0 || s.total > verify.MaxUnits {
		return nil
	}
	if s.in == nil {
		s.in = s.firstRows()
	}
	in := s.in
	for !s.done(ctx) {
		if t := s.guess(ctx, in); t != nil && s.learn(ctx, in, t) {
			continue
		}
		f, err := s.program(ctx, in)
		if errors.Is(err, formulate.ErrSingleLeaf) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		t, err := s.solveRows(ctx, f)
		if err != nil || t == nil {
			return err
		}
		if !s.learn(ctx, in, t) {
			return nil // only wrong rows that the program knows: what is missing is that all rows keep the margin
		}
	}
	return nil
}

// learn offers a tree of the rows of a program and adds some that it fails on. It
// reports whether anything came of it.
func (s *search) learn(ctx context.Context, in []bool, t *tree.Tree) bool {
	before := s.reach
	s.offer(ctx, t)
	return s.addFailing(in, t) > 0 || s.reach < before
}

// guess looks for what a program would be asked for without solving it: a tree on these
// rows that is better than the best on all. Nil: none was found, as there may be.
func (s *search) guess(ctx context.Context, in []bool) *tree.Tree {
	var rows []int32
	for i, is := range in {
		if is {
			rows = append(rows, int32(i))
		}
	}
	b := s.of(rows)
	t := s.alternate(ctx, s.low, b.ids, guessed, s.better())
	if tree.Objective(b.wrong(t), s.lhat, s.alpha, t.Terms()) > s.better() {
		return nil
	}
	return t
}

// program asks for a tree of these rows that is better than the best of all.
func (s *search) program(ctx context.Context, in []bool) (*hyperplane.Formulation, error) {
	o := s.o.Form
	o.Margin, o.Encoding, o.MinLeaf, o.OmitNames = hyperplane.Right, hyperplane.Served, 0, true
	o.Without = slices.DeleteFunc(slices.Clone(o.Without), func(name string) bool { return slices.Contains(hyperplane.Proofs(), name) })
	o.Cutoff, o.LP = s.better(), s.lp
	o.Rows = []int32{}
	for i, is := range in {
		if is {
			o.Rows = append(o.Rows, s.ids[i])
		}
	}
	slices.Sort(o.Rows)
	s.rows = len(o.Rows)
	return o.Build(ctx, s.origin)
}

// solveRows solves a program of some rows, takes its bound in and returns its tree,
// each split centred between the rows that it is right about; nil for none.
func (s *search) solveRows(ctx context.Context, f *hyperplane.Formulation) (*tree.Tree, error) {
	sol, err := s.o.Solve(ctx, f.Model(), Limits{AbsGap: s.grid.AbsGap(), Plain: true})
	if err != nil {
		return nil, err
	}
	s.rounds++
	if sol.Status == mio.Infeasible {
		s.prove(verify.ByRows, s.noneBetter())
		return nil, nil
	}
	s.prove(verify.ByRows, min(s.roundUpObjective(sol.Bound), s.noneBetter()))
	if !sol.Status.HasSolution() {
		return nil, nil
	}
	t, err := f.Decode(sol.Values)
	if errors.Is(err, formulate.ErrDecode) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the tree of some rows: %w", err)
	}
	var right []int32
	is := s.data.Route(t)
	for _, i := range f.Options().Rows {
		if is[i] {
			right = append(right, i)
		}
	}
	if c, err := s.data.Recentre(ctx, s.lp, t, right); err == nil {
		return c, nil
	}
	return t, nil // no time for it
}

// addFailing adds rows that t is not right about, in turn one of each leaf and class:
// those that lack the most.
func (s *search) addFailing(in []bool, t *tree.Tree) int {
	right := s.data.Route(t)
	type place struct{ leaf, class int }
	groups := map[place][]int32{}
	var order []place
	for i, id := range s.ids {
		if in[i] || right[id] {
			continue
		}
		g := place{t.Find(s.ds.Row(i)), s.class(i)}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], int32(i))
	}
	slices.SortFunc(order, func(a, b place) int { return cmp.Or(cmp.Compare(a.leaf, b.leaf), cmp.Compare(a.class, b.class)) })
	depth := s.depths(t)
	for _, g := range order {
		slices.SortStableFunc(groups[g], func(a, b int32) int { return cmp.Compare(depth(b), depth(a)) })
	}
	n := 0
	for found := true; found && n < added; {
		found = false
		for _, g := range order {
			if rows := groups[g]; len(rows) > 0 && n < added {
				in[rows[0]] = true
				groups[g] = rows[1:]
				n++
				found = true
			}
		}
	}
	return n
}

// depths returns by how much a row is inside its leaf of t: the least distance, on
// scaled features, of the planes on its path.
func (s *search) depths(t *tree.Tree) func(int32) float64 {
	norm := make([]float64, len(t.Nodes))
	for k := range t.Nodes {
		if sp := t.Nodes[k].Split; sp != nil {
			norm[k] = s.norm(sp)
		}
	}
	return func(i int32) float64 {
		least := math.Inf(1)
		x := s.ds.Row(int(i))
		for k := 0; t.Nodes[k].Split != nil; {
			n := &t.Nodes[k]
			least = min(least, math.Abs(valueOf(n.Split, x)-n.Split.Threshold)/norm[k])
			if n.Split.Left(x) {
				k = n.Left
			} else {
				k = n.Right
			}
		}
		return least
	}
}

func valueOf(sp *tree.Split, x []float64) (v float64) {
	for _, t := range sp.Terms {
		v += t.Weight * x[t.Feature]
	}
	return v
}

// norm is the sum of a split's weights on scaled features.
func (s *search) norm(sp *tree.Split) (norm float64) {
	for _, t := range sp.Terms {
		if jx, is := slices.BinarySearch(s.active, t.Feature); is {
			norm += math.Abs(t.Weight) * s.width[jx]
		}
	}
	return norm
}

// firstRows are the rows of the first program: those next to the best tree's planes
// and those that it fails on, and some of each class.
func (s *search) firstRows() []bool {
	in := make([]bool, s.n())
	if s.low.Splits() > 0 {
		s.nearPlanes(in)
	}
	s.spreadRows(in)
	return in
}

// nearPlanes adds the rows next to the planes, of each class in each leaf, and those that
// the tree is not right about.
func (s *search) nearPlanes(in []bool) {
	right := s.data.Route(s.low)
	depth := s.depths(s.low)
	type place struct{ leaf, class int }
	groups := map[place][]int32{}
	wrong := 0
	for i, id := range s.ids {
		g := place{s.low.Find(s.ds.Row(i)), s.class(i)}
		groups[g] = append(groups[g], int32(i))
		if !right[id] && wrong < 3*firstPerSplit {
			in[i] = true
			wrong++
		}
	}
	for _, rows := range groups {
		slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(depth(a), depth(b)) })
		for _, i := range rows[:min(len(rows), firstPerSplit)] {
			in[i] = true
		}
	}
}

// spreadRows adds rows of each class, evenly along their order, until there are some of
// each.
func (s *search) spreadRows(in []bool) {
	of := make([][]int32, s.ds.K())
	for i := range in {
		of[s.class(i)] = append(of[s.class(i)], int32(i))
	}
	for _, rows := range of {
		has := 0
		for _, i := range rows {
			if in[i] {
				has++
			}
		}
		want := min(firstPerClass, len(rows))
		for k := 0; has < want && k < want; k++ {
			if i := rows[k*len(rows)/want]; !in[i] {
				in[i] = true
				has++
			}
		}
	}
}

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
