package parts

import (
	"context"
	"math"

	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/search/clauses"
	"github.com/octgen/octgen/tree"
)

const (
	mostPlacedDepth   = 4
	mostPlacedClasses = 30      // whose triples are clauses
	mostPlaced        = 1 << 18 // conflicts at depth 1, where subsystems prove more if there are many errors; at most a minute
)

// placing is the proof by clauses on where rows are (see the package comment). Row i has a variable for being wrong and one for each
// node v = 2, ..., 2^depth - 1 of the full tree, in heap order: it is correct, and under v. After these, the last nodes have one for each class.
type placing struct {
	*search
	solver *clauses.Solver // nil before it begins
	beat   *pulse.Pulse
	spots  []*spot // of the nodes; nil for node 0, which is none
	told   int     // literals that check has seen

	found   int  // sets of rows that no hyperplane has on their sides
	settled bool // a tree was as good as the clauses allow, but is not for all rows: rounding, or the margin
}

// placed reports whether clauses are tried.
func (s *search) placed() bool {
	return s.depth <= mostPlacedDepth && s.alpha == 0 && s.o.Form.MaxSplits == 0 && s.layout.whole && s.total <= verify.MaxUnits &&
		s.p() > 0 && s.p() <= mostPlacedFeatures && s.ds.K() <= mostPlacedClasses && s.with(hyperplane.Clauses)
}

// places is the proof by clauses, not begun.
func (s *search) places() *placing { return &placing{search: s} }

// placeAll proves bounds by showing of one number of errors after the other that it is not enough, until ctx ends.
func (q *placing) placeAll(ctx context.Context) error {
	if q.solver == nil {
		q.start(ctx)
	}
	*q.beat = *pulse.New(ctx)
	for !q.settled && !q.closed(q.bound) && q.within(ctx, math.Round(q.units(q.bound))) {
	}
	return nil
}

// within looks for a tree with at most so many errors, or proves that there is none; false if it was stopped.
func (q *placing) within(ctx context.Context, errors float64) bool {
	q.rounds++
	status := q.solver.Solve(q.beat, errors)
	switch status {
	case clauses.Impossible:
		q.proveErrors(verify.ByClauses, errors+1)
	case clauses.Satisfiable:
		before := q.reach
		q.offer(ctx, q.grow())
		q.settled = q.reach >= before
	case clauses.Stopped:
	}
	q.rows = q.found
	return status != clauses.Stopped
}

// start states what holds whatever hyperplanes there are.
func (q *placing) start(ctx context.Context) {
	q.beat, q.spots = pulse.New(ctx), make([]*spot, 1<<q.depth)
	weight := make([]float64, q.n()*q.perRow()+q.lastNodes()*q.ds.K())
	for i := range q.n() {
		weight[i*q.perRow()] = q.weight(i)
	}
	q.solver = clauses.New(weight, clauses.Theory{Check: q.check, Undo: q.undo, Prefer: q.prefer})
	if q.depth == 1 {
		q.solver.Most = mostPlaced
	}
	for v := 1; v < len(q.spots); v++ {
		q.spots[v] = &spot{beat: q.beat, sep: clauses.NewSeparator(q.beat, q.x, q.p(), q.mu*closer)}
	}
	q.stateRows()
	q.stateClasses()
	q.stateNear(ctx)
}

func (q *placing) perRow() int    { return 1<<q.depth - 1 }
func (q *placing) lastNodes() int { return 1 << (q.depth - 1) }

// under is that row i is correct and under node v.
func (q *placing) under(i, v int) clauses.Lit {
	if v == 1 {
		return clauses.False(i * q.perRow())
	}
	return clauses.True(i*q.perRow() + v - 1)
}

// has is that rows of a class are correct under a last node.
func (q *placing) has(v, class int) clauses.Lit {
	return clauses.True(q.n()*q.perRow() + (v-q.lastNodes())*q.ds.K() + class)
}

// stateRows states that a correct row under a node is under one of its children, and no other is. One row is never on the right of the root, nor of
// its left child, since the sides of a split can be exchanged.
func (q *placing) stateRows() {
	for i := range q.n() {
		for v := 1; v < q.lastNodes(); v++ {
			here, left, right := q.under(i, v), q.under(i, 2*v), q.under(i, 2*v+1)
			q.solver.Add(here.Not(), left, right)
			q.solver.Add(left.Not(), here)
			q.solver.Add(right.Not(), here)
			q.solver.Add(left.Not(), right.Not())
		}
	}
	fixed := q.middleRow()
	for v := 1; v < q.lastNodes(); v *= 2 {
		q.solver.Add(q.under(fixed, 2*v+1).Not())
	}
}

// middleRow is the row nearest to the mean of all.
func (q *placing) middleRow() int {
	mean := make([]float64, q.p())
	for i := range q.n() {
		for j, v := range q.row(i) {
			mean[j] += v / float64(q.n())
		}
	}
	best, least := 0, math.Inf(1)
	for i := range q.n() {
		far := 0.0
		for j, v := range q.row(i) {
			far += math.Abs(v - mean[j])
		}
		if far < least {
			best, least = i, far
		}
	}
	return best
}

// stateClasses states that the correct rows under a last node have at most two classes.
func (q *placing) stateClasses() {
	k := q.ds.K()
	if k < 3 {
		return
	}
	for v := q.lastNodes(); v < 2*q.lastNodes(); v++ {
		for i := range q.n() {
			q.solver.Add(q.under(i, v).Not(), q.has(v, q.class(i)))
		}
		for a := range k {
			for b := range a {
				for c := range b {
					q.solver.Add(q.has(v, a).Not(), q.has(v, b).Not(), q.has(v, c).Not())
				}
			}
		}
	}
}

// stateNear states that of two rows of different classes closer than mu, one is wrong.
func (q *placing) stateNear(ctx context.Context) {
	near := q.neighbours(ctx, q.all())
	for _, i := range q.all() {
		for _, k := range near[i] {
			if i < k {
				q.solver.Add(q.under(int(i), 1).Not(), q.under(int(k), 1).Not())
			}
		}
	}
}

// check shows new literals to the splits, and returns clauses that they violate.
func (q *placing) check(fresh []clauses.Lit) [][]clauses.Lit {
	for _, l := range fresh {
		q.show(l)
		q.told++
	}
	for v := 1; v < len(q.spots); v++ {
		if few := q.part(v); few != nil {
			q.found++
			return q.notAll(few)
		}
	}
	return nil
}

func (q *placing) show(l clauses.Lit) {
	i, v := l.Var()/q.perRow(), l.Var()%q.perRow()+1
	if i >= q.n() || l != q.under(i, v) {
		return
	}
	if v > 1 {
		q.spots[v/2].add(clauses.Column(i, v%2 == 1), q.told)
	}
	if v >= q.lastNodes() {
		q.spots[v].add(clauses.Column(i, false), q.told)
	}
}

func (q *placing) undo(kept int) {
	q.told = kept
	for _, s := range q.spots[1:] {
		s.undo(kept)
	}
}

// part finds a hyperplane for a split, or columns that no hyperplane has on their sides.
func (q *placing) part(v int) []int32 {
	s := q.spots[v]
	if s.good == len(s.columns) {
		return nil
	}
	if v >= q.lastNodes() && !q.turn(s) {
		s.good = len(s.columns)
		return nil
	}
	return q.inseparable(s)
}

// turn puts the columns of a last node on the sides of their classes; false for fewer than two classes.
func (q *placing) turn(s *spot) bool {
	low, high := math.MaxInt, -1
	for _, c := range s.columns {
		k := q.class(int(c >> 1))
		low, high = min(low, k), max(high, k)
	}
	if s.pair != [2]int{low, high} {
		s.pair, s.good = [2]int{low, high}, 0
	}
	for k := s.good; k < len(s.columns); k++ {
		i := int(s.columns[k] >> 1)
		s.columns[k] = clauses.Column(i, q.class(i) == high && low < high)
	}
	return low < high
}

// notAll states for all splits that not all columns are on their sides.
func (q *placing) notAll(few []int32) (all [][]clauses.Lit) {
	for v := 1; v < q.lastNodes(); v++ {
		for turned := range int32(2) {
			var lits []clauses.Lit
			for _, c := range few {
				lits = append(lits, q.under(int(c>>1), 2*v+int(c&1^turned)).Not())
			}
			all = append(all, lits)
		}
	}
	if q.twoClasses(few) {
		for v := q.lastNodes(); v < 2*q.lastNodes(); v++ {
			var lits []clauses.Lit
			for _, c := range few {
				lits = append(lits, q.under(int(c>>1), v).Not())
			}
			all = append(all, lits)
		}
	}
	return all
}

// twoClasses reports whether each side has one class, not the same.
func (q *placing) twoClasses(few []int32) bool {
	classes := [2]int{-1, -1}
	for _, c := range few {
		k := q.class(int(c >> 1))
		if classes[c&1] < 0 {
			classes[c&1] = k
		}
		if classes[c&1] != k {
			return false
		}
	}
	return classes[0] != classes[1]
}

// prefer tries rows first as correct, where the hyperplanes have them.
func (q *placing) prefer(variable int) bool {
	i, v := variable/q.perRow(), variable%q.perRow()+1
	if i >= q.n() || v == 1 {
		return false
	}
	for ; v > 1; v /= 2 {
		s := q.spots[v/2].sep
		if right := dot(s.Plane, q.row(i)) > s.Offset; right != (v%2 == 1) {
			return false
		}
	}
	return true
}

// grow returns the tree of the assignment that satisfies all clauses.
func (q *placing) grow() *tree.Tree {
	t := tree.NewLeaf(q.src, q.label(1))
	q.growAt(t, 0, 1)
	return t
}

// growAt grows the split of node v at a leaf of t.
func (q *placing) growAt(t *tree.Tree, leaf, v int) {
	s := q.spots[v]
	var on [2][]int32
	for _, c := range s.columns {
		on[c&1] = append(on[c&1], c>>1)
	}
	last := v >= q.lastNodes()
	if len(on[0]) == 0 || len(on[1]) == 0 {
		if !last && len(on[0])+len(on[1]) > 0 {
			q.growAt(t, leaf, 2*v+side(float64(len(on[1])-len(on[0]))))
		}
		return
	}
	s.sep.Widest(s.columns) // if it gives up there is the last one
	split := q.cut(s.sep.Plane, on[0], on[1])
	if split == nil {
		return
	}
	if last {
		t.Grow(leaf, split, s.pair[0], s.pair[1])
		return
	}
	t.Grow(leaf, split, q.label(2*v), q.label(2*v+1))
	left, right := t.Nodes[leaf].Left, t.Nodes[leaf].Right
	q.growAt(t, left, 2*v)
	q.growAt(t, right, 2*v+1)
}

// label is the class of a correct row under node v; 0 for none.
func (q *placing) label(v int) int {
	for i := range q.n() {
		if l := q.under(i, v); q.solver.Value(l.Var()) == (l == clauses.True(l.Var())) {
			return q.class(i)
		}
	}
	return 0
}
