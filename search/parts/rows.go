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
