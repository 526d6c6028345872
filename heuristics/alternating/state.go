package alternating

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// searcher is a search in progress.
type searcher struct {
	*rows
	*pulse.Pulse
	o       *Options
	ctx     context.Context
	first   *atomic.Int64 // smallest work after which a stream had a tree that attains Enough
	rng     *rand.Rand
	price   float64 // penalty per feature, in weight
	scale   float64 // Lhat: weight per unit of the objective
	minLeaf float64
	total   float64
	within  float64   // cost of a row within a margin, relative to a misclassified row
	idle    float64   // stake of a row with equal costs on both sides
	noise   []float64 // (n) in [0, 1)

	best      *state
	bestWorth worth
	bestTree  *tree.Tree
	stats     Stats
	progress  func(objective float64) // nil for no reports
	began     time.Time
	work      int64
}

// leastGain is the relative improvement of a cost above which it counts as more than rounding.
const leastGain = 1e-9

// spend counts work, in numbers visited.
func (e *searcher) spend(cells int) {
	e.work += int64(cells)
	e.Spend(cells)
}

// over reports whether a limit was reached.
func (e *searcher) over() bool {
	switch {
	case e.stats.Limit != mio.NoLimit:
	case e.Ended() || e.ctx.Err() != nil:
		e.stats.Limit = mio.LimitOf(e.ctx)
	case e.o.Work > 0 && e.work >= e.o.Work/int64(e.o.Streams):
		e.stats.Limit = mio.LimitIterations
	case e.work > e.first.Load():
		e.stats.Limit = mio.LimitIterations // another stream has the result
	default:
		return false
	}
	return true
}

// state is a full tree of the depth in heap order: planes 1..T-1, leaves T..2T-1.
type state struct {
	plane []plane // (T)
	label []int32 // (2T)
}

func (s *state) leaves() int { return len(s.plane) }

func (s *state) copyOf(o *state) {
	s.plane = append(s.plane[:0], o.plane...) // planes are replaced, never modified
	s.label = append(s.label[:0], o.label...)
}

// worth is the value of a tree: admitted trees come before all others.
type worth struct {
	broken float64 // weight within margins (unless only correct rows keep them), weight missing in leaves, excess features
	loss   float64 // error weight + penalty for features
}

func (v worth) better(o worth) bool {
	if v.broken != o.broken {
		return v.broken < o.broken
	}
	return v.loss < o.loss-leastGain*(1+o.loss)
}

// cost returns the cost of row i in the subtree at node t, in weight: its weight in a wrong leaf.
// Within a margin it costs the same if only correct rows keep it, otherwise more.
func (e *searcher) cost(s *state, t int, i int32) float64 {
	x, c := e.row(i), 0.0
	for t < s.leaves() {
		pl := &s.plane[t]
		v := pl.value(x)
		if e.thin(pl, v) {
			if e.o.Right {
				return e.w[i]
			}
			c += e.within * e.w[i]
		}
		if t = 2 * t; v >= 0 {
			t++
		}
	}
	if s.label[t] != e.y[i] {
		c += e.w[i]
	}
	return c
}

// thin reports whether a row with this value is within the margin.
func (e *searcher) thin(s *plane, value float64) bool {
	return s.a != nil && value > -e.half && value < e.half
}

// reaching returns the rows at node t, by the signs of the planes above it. If only correct rows
// keep margins, rows within a margin above t are misclassified in any case and are left out.
func (e *searcher) reaching(s *state, t int) []int32 { return e.rowsAt(s, t, e.o.Right) }

// through returns all rows at node t.
func (e *searcher) through(s *state, t int) []int32 { return e.rowsAt(s, t, false) }

// rowsAt returns the rows at node t, with or without those within margins above it.
func (e *searcher) rowsAt(s *state, t int, only bool) []int32 {
	var path []int
	for u := t; u > 1; u /= 2 {
		path = append(path, u)
	}
	slices.Reverse(path)
	var at []int32
rows:
	for i := range int32(e.n) {
		for _, u := range path {
			pl := &s.plane[u/2]
			v := pl.value(e.row(i))
			if only && e.thin(pl, v) {
				continue rows
			}
			if (v >= 0) != (u%2 == 1) {
				continue rows
			}
		}
		at = append(at, i)
	}
	e.spend(e.n * e.p)
	return at
}

// classWeights returns the class weights of some rows.
func (e *searcher) classWeights(rows []int32) []float64 {
	weight := make([]float64, e.k)
	for _, i := range rows {
		weight[e.y[i]] += e.w[i]
	}
	return weight
}

// features returns the number of features over all splits.
func (s *state) features() int {
	n := 0
	for t := range s.plane {
		n += s.plane[t].features()
	}
	return n
}

// worth returns the value of a tree.
func (e *searcher) worth(s *state) worth {
	var v worth
	weight := make([]float64, 2*s.leaves())
	for i := range int32(e.n) {
		x := e.row(i)
		t, thin := 1, false
		for t < s.leaves() {
			pl := &s.plane[t]
			d := pl.value(x)
			thin = thin || e.thin(pl, d)
			if t = 2 * t; d >= 0 {
				t++
			}
		}
		weight[t] += e.w[i]
		if thin && !e.o.Right {
			v.broken += e.w[i]
		}
		if s.label[t] != e.y[i] || thin && e.o.Right {
			v.loss += e.w[i]
		}
	}
	e.spend(e.n * e.p * e.o.Depth)
	for _, w := range weight {
		if w > 0 && !tree.EnoughWeight(w, e.minLeaf) {
			v.broken += e.minLeaf - w
		}
	}
	f := s.features()
	if e.o.MaxSplits > 0 && f > e.o.MaxSplits {
		v.broken += float64(f-e.o.MaxSplits) * e.total
	}
	v.loss += e.price * float64(f)
	return v
}

// adopt lays a tree over the heap and cuts it at the maximum depth.
func (e *searcher) adopt(t *tree.Tree) *state {
	s := e.empty()
	t = t.Clone()
	t.Annotate(e.ds)
	e.adoptAt(s, t, 0, 1)
	for node := 1; node < s.leaves() && !e.o.Right; node++ {
		e.centre(s, node)
	}
	return s
}

// centre moves the threshold of a plane halfway between the rows on its sides.
func (e *searcher) centre(s *state, node int) {
	pl, below, above := &s.plane[node], math.Inf(-1), math.Inf(1)
	if pl.a == nil {
		return
	}
	for _, i := range e.through(s, node) {
		if v := pl.value(e.row(i)); v < 0 {
			below = max(below, v)
		} else {
			above = min(above, v)
		}
	}
	if !math.IsInf(above-below, 0) {
		pl.b += below + (above-below)/2
	}
}

func (e *searcher) adoptAt(s *state, t *tree.Tree, at, node int) {
	n := &t.Nodes[at]
	if node >= s.leaves() {
		s.label[node] = int32(n.Class)
		if !n.Leaf() {
			s.label[node] = int32(slices.Index(n.Weight, slices.Max(n.Weight)))
		}
		return
	}
	if n.Leaf() {
		for u := node; u < 2*s.leaves(); u = 2*u + 1 {
			s.label[u] = int32(n.Class)
		}
		return
	}
	s.plane[node] = e.planeOf(n.Split)
	e.adoptAt(s, t, n.Left, 2*node)
	e.adoptAt(s, t, n.Right, 2*node+1)
}

// empty returns the single leaf of the heaviest class.
func (e *searcher) empty() *state {
	weights := e.ds.ClassWeights()
	k := int32(slices.Index(weights, slices.Max(weights)))
	s := &state{plane: make([]plane, 1<<e.o.Depth), label: make([]int32, 2<<e.o.Depth)}
	for t := range s.label {
		s.label[t] = k
	}
	return s
}

// tree converts a state to a tree of the data, dropping splits that separate no rows. ok is false
// if rounding makes a split in the data's units vacuous.
func (e *searcher) tree(s *state) (t *tree.Tree, ok bool) {
	t = tree.NewLeaf(e.ds, 0)
	all := make([]int32, e.n)
	for i := range all {
		all[i] = int32(i)
	}
	if !e.emit(s, t, 0, 1, all) {
		return nil, false
	}
	return t.Collapse(e.ds), true
}

func (e *searcher) emit(s *state, t *tree.Tree, at, node int, rows []int32) bool {
	for node < s.leaves() {
		var left, right []int32
		for _, i := range rows {
			if s.plane[node].value(e.row(i)) < 0 {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		switch {
		case len(left) == 0:
			node = 2*node + 1
			continue
		case len(right) == 0:
			node = 2 * node
			continue
		}
		split, exchanged, ok := e.split(&s.plane[node], left, right, !e.o.Right)
		if !ok {
			return false
		}
		first, second := 2*node, 2*node+1
		if exchanged {
			first, second, left, right = second, first, right, left
		}
		l, r := t.Grow(at, split, 0, 0)
		return e.emit(s, t, l, first, left) && e.emit(s, t, r, second, right)
	}
	t.Nodes[at].Class = int(s.label[node])
	return true
}

// vacuous makes planes with an empty side constant, so that their features do not count.
func (e *searcher) vacuous(s *state) {
	for t := 1; t < s.leaves(); t++ {
		pl := &s.plane[t]
		if pl.a == nil {
			continue
		}
		left, right := false, false
		for _, i := range e.through(s, t) {
			if pl.value(e.row(i)) < 0 {
				left = true
			} else {
				right = true
			}
		}
		switch {
		case !right:
			*pl = plane{b: 1}
		case !left:
			*pl = plane{}
		}
	}
}

// note keeps a tree that improves on the best.
func (e *searcher) note(s *state) {
	e.vacuous(s)
	v := e.worth(s)
	if v.broken > 0 || !v.better(e.bestWorth) {
		return
	}
	t, ok := e.tree(s)
	if !ok {
		return
	}
	e.best, e.bestWorth, e.bestTree = new(state), v, t
	e.best.copyOf(s)
	e.stats.Improved++
	e.stats.BestAfter, e.stats.Best = e.work, time.Since(e.began)
	if e.progress != nil {
		e.progress(v.loss / e.scale)
	}
}

// done reports whether the search can end.
func (e *searcher) done() bool {
	return e.enough() || e.over()
}

// enough reports whether the best tree attains Enough, and tells the other streams.
func (e *searcher) enough() bool {
	if e.bestWorth.loss/e.scale > e.o.Enough+leastGain {
		return false
	}
	for at := e.first.Load(); e.stats.BestAfter < at && !e.first.CompareAndSwap(at, e.stats.BestAfter); {
		at = e.first.Load()
	}
	return true
}
