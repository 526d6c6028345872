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

// Numbers of rows and trees in row generation.
const (
	firstPerSplit = 12  // rows next to a hyperplane of the best tree, per side and class
	firstPerClass = 10  // minimum number of rows per class
	added         = 10  // misclassified rows added in a round
	guessed       = 100 // trees tried by alternating before a model is solved, after the best
)

// rowGeneration proves bounds by the optimum on a subset of the rows, which is at most that on all
// rows. Its models require a tree better than the best. An infeasible model proves the best tree
// optimal; otherwise its tree is evaluated on all rows, and some of its errors are added.
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
			return nil // the model has all misclassified rows: only the margin of all rows is missing
		}
	}
	return nil
}

// learn offers a tree of a model and adds some rows that it does not classify correctly. It reports
// whether this changed anything.
func (s *search) learn(ctx context.Context, in []bool, t *tree.Tree) bool {
	before := s.reach
	s.offer(ctx, t)
	return s.addFailing(in, t) > 0 || s.reach < before
}

// guess looks for a solution of the next model without solving it: a tree that is better on these
// rows than the best tree is on all. It returns nil if it finds none, although one may exist.
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

// program builds the model that requires a tree better on these rows than the best tree is on all.
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

// solveRows solves a model of some rows, applies its bound and returns its tree, with each split
// centred between the rows that it classifies correctly; nil for none.
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
		return nil, fmt.Errorf("tree for a subset of the rows: %w", err)
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

// addFailing adds rows that t does not classify correctly, one per leaf and class in turn: those
// that are deepest inside their leaf.
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

// depths returns a function that gives the depth of a row inside its leaf of t: the minimum
// distance, on scaled features, from the hyperplanes on its path.
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

// norm returns the 1-norm of a split's weights on scaled features.
func (s *search) norm(sp *tree.Split) (norm float64) {
	for _, t := range sp.Terms {
		if jx, is := slices.BinarySearch(s.active, t.Feature); is {
			norm += math.Abs(t.Weight) * s.width[jx]
		}
	}
	return norm
}

// firstRows returns the rows of the first model: those next to the best tree's hyperplanes, its
// errors, and some of each class.
func (s *search) firstRows() []bool {
	in := make([]bool, s.n())
	if s.low.Splits() > 0 {
		s.nearPlanes(in)
	}
	s.spreadRows(in)
	return in
}

// nearPlanes adds the rows next to the hyperplanes, per class and leaf, and the tree's errors.
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

// spreadRows adds rows of each class, evenly along their order, until there are enough of each.
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
