package regression

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/mio"
)

// solver is a search under way.
type solver struct {
	*rows
	ctx       context.Context
	problem   *Problem
	penalty   float64 // in units of the scaled loss
	tolerance float64
	minLeaf   float64

	keys     [][2]uint64
	byNumber []int // rows by their mean
	frames   []*set
	local    []int32
	varying  []int
	kernel   kernel
	leaves   [2][]leafValue
	last     [2]set // sides of cuts whose sides have one level
	chain    chain
	quantile *quantiles // nil for squared errors
	cache    map[uint64]*entry
	cached   int
	root     *set
	stats    Stats
	stopped  bool
	limit    mio.Limit
	due      int // work until the next look at the clock
}

// resolution is what values are proved to, relative to the loss of a single leaf: differences below it are rounding.
const resolution = 1e-13

// Solve returns the best tree. The end of ctx, or of the limit on work, leaves the best one so far, with a bound.
func Solve(ctx context.Context, q Problem) *Result {
	r := prepare(ctx, &q)
	res := &Result{Tree: leafNode, Value: 1, Start: 1, Status: mio.Feasible}
	switch {
	case r == nil:
		res.Limit = mio.LimitOf(ctx)
		return res
	case r.total == 0:
		return &Result{Tree: leafNode, Status: mio.Optimal}
	}
	s := newSolver(ctx, &q, r)
	root := s.all(s.most(), nil)
	if s.total == 0 { // all numbers are equal
		return &Result{Tree: leafNode, Status: mio.Optimal}
	}
	start, best := s.start(root)
	if start != nil {
		s.report(best, 0)
	}
	find := func(best float64) (float64, float64, *Node) { return s.searchFrom(root, best) }
	if q.columned() {
		find = s.withColumns
	}
	value, low, t := find(best)
	if t == nil {
		t, value = start, best
	}
	share := func(v float64) float64 { return (v + r.within) / r.total }
	*res = Result{Tree: t, Value: share(value), Start: share(best), Bound: share(value), Status: mio.Optimal, Stats: s.stats}
	if start == nil {
		res.Start = math.NaN()
	}
	switch {
	case s.stopped:
		res.Bound, res.Limit, res.Status = min(res.Value, share(low)), s.limit, mio.Feasible
		if t == nil {
			res.Status = mio.NoSolution
		}
	case t == nil:
		res.Status = mio.Infeasible
	}
	return res
}

// Greedy returns the tree that takes the best split at each node, as CART does, as long as it pays its penalty: below the splits
// that stay. Of other constraints it keeps those on features. The end of ctx leaves the splits so far. It is nil if the limits do not
// admit the splits that stay.
func Greedy(ctx context.Context, q Problem) *Node {
	r := prepare(ctx, &q)
	if r == nil || r.total == 0 {
		return leafNode
	}
	s := newSolver(ctx, &q, r)
	t, _ := s.greedy(s.all(s.most(), nil))
	return t
}

// Improve returns the best tree of a local search (Dunn 2018, section 2.3), nil if it knows none that keeps the constraints: node by
// node the split is chosen anew, the splits below it as they are, and of the two last levels the tree is the best one. The
// end of ctx leaves the best tree so far.
func Improve(ctx context.Context, q Problem, m Moves) *Node {
	r := prepare(ctx, &q)
	if r == nil || r.total == 0 {
		return m.Begin
	}
	s := newSolver(ctx, &q, r)
	root := s.all(s.most(), nil)
	if s.total == 0 {
		return m.Begin
	}
	if m.Begin == nil {
		if m.Begin, _ = s.start(root); m.Begin == nil {
			return nil
		}
	}
	best, _ := s.improved(root, m.Begin, m)
	return best
}

// start is the best tree that is known at the beginning, with its value: nil and infinite if none is.
func (s *solver) start(root *set) (best *Node, value float64) {
	greedy, value := s.greedy(root)
	if q := s.problem; q.Begin == nil && !q.constrained() && !q.columned() {
		return greedy, value
	}
	known := []*Node{greedy, s.problem.Begin, s.problem.Fixed}
	if s.problem.Fixed == nil {
		known = append(known, leafNode)
	}
	value = math.Inf(1)
	for _, t := range known {
		if t != nil {
			if v := s.worth(root, t); v < value {
				best, value = t, v
			}
		}
	}
	if q := s.problem; best != nil && root.depth > 2 && (q.Monotone != nil || q.columned()) { // of which the greedy tree knows nothing
		return s.improved(s.all(s.most(), nil), best, Moves{Restarts: 6})
	}
	return best, value
}

func newSolver(ctx context.Context, q *Problem, r *rows) *solver {
	s := &solver{
		rows: r, ctx: ctx, problem: q, penalty: q.Penalty * r.total, tolerance: resolution * r.total, minLeaf: q.MinLeaf,
		keys: make([][2]uint64, r.n), byNumber: make([]int, r.n), local: make([]int32, r.n), cache: make(map[uint64]*entry),
	}
	least := math.Inf(1)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // hashes
	for i := range s.keys {
		s.keys[i] = [2]uint64{random.Uint64(), random.Uint64()}
		s.byNumber[i] = i
		least = min(least, r.of[i].w)
	}
	if s.minLeaf <= least {
		s.minLeaf = 0 // every leaf has it
	}
	mean := func(i int) float64 { return r.of[i].s / r.of[i].w }
	slices.SortFunc(s.byNumber, func(a, b int) int {
		switch x, y := mean(a), mean(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a - b
	})
	s.chain.in = make([]bool, r.n)
	if q.Quantile > 0 {
		s.quantile = &quantiles{q: q.Quantile, y: make([]float64, r.n)}
		for i := range s.quantile.y {
			s.quantile.y[i] = mean(i)
		}
	}
	return s
}

// all is the set of all rows, without the features of columns that are out.
func (s *solver) all(l limits, out []bool) *set {
	features := s.features(out)
	p := len(features)
	whole := &set{m: s.n, p: p, id: make([]int32, s.n), row: s.of, order: make([]int32, s.n*p), bucket: make([]int32, s.n*p)}
	first := int32(0)
	for k, f := range features {
		o := whole.order[k*s.n : (k+1)*s.n]
		next := make([]int32, len(s.values[f])+1) // where the rows of each rank go
		for i := range o {
			r := s.rank[i*s.p+f]
			whole.bucket[i*p+k] = first + r
			next[r+1]++
		}
		for r := range s.values[f] {
			next[r+1] += next[r]
		}
		for i := range o {
			r := s.rank[i*s.p+f]
			o[next[r]] = int32(i)
			next[r]++
		}
		for v := range s.values[f] {
			whole.val = append(whole.val, int32(v))
		}
		whole.feat = append(whole.feat, int32(f))
		first += int32(len(s.values[f]))
	}
	root := &set{m: s.n, id: whole.id, row: slices.Clone(s.of)}
	root.limits = l
	for i, r := range s.of {
		whole.id[i] = int32(i)
		s.local[i] = int32(i)
		root.w, root.s, root.q = root.w+r.w, root.s+r.s, root.q+r.s*r.s/r.w
	}
	s.compress(whole, root)
	if s.number(root); s.quantile != nil {
		s.total = root.leaf()
		s.penalty, s.tolerance = s.problem.Penalty*s.total, resolution*s.total
	}
	return root
}

// features are those that splits may use, without those of columns that are out.
func (s *solver) features(out []bool) (all []int) {
	q := s.problem
	for f := range s.p {
		if (out == nil || !out[q.Columns[f]]) && (q.Forbidden == nil || !q.Forbidden[f]) {
			all = append(all, f)
		}
	}
	return all
}

// most are the limits of a tree: one of s splits is no deeper, and pays for them what it saves at most.
func (s *solver) most() limits {
	depth := min(s.problem.Depth, s.n-1)
	if s.problem.Penalty > 0 {
		depth = int(min(float64(depth), 1/s.problem.Penalty))
	}
	return limited(depth, s.problem.MaxSplits)
}

// frame is the memory of the set that is solved at a depth.
func (s *solver) frame(d int) *set {
	for len(s.frames) <= d {
		s.frames = append(s.frames, &set{})
	}
	return s.frames[d]
}

// perLook is how many values are looked at between two looks at the clock: about a millisecond.
const perLook = 1 << 20

// spend counts values that were looked at, and looks whether a limit ends the search from time to time.
func (s *solver) spend(values int) {
	s.stats.Work += int64(values)
	if s.due -= values; s.due < 0 || s.problem.WorkLimit > 0 && s.stats.Work > s.problem.WorkLimit {
		s.due = perLook
		s.work()
	}
}

// work looks whether a limit ends the search.
func (s *solver) work() {
	switch {
	case s.stopped:
	case s.problem.WorkLimit > 0 && s.stats.Work > s.problem.WorkLimit:
		s.stopped, s.limit = true, mio.LimitIterations
	case s.ctx.Err() != nil:
		s.stopped, s.limit = true, mio.LimitOf(s.ctx)
	}
}

// report tells how far the search is.
func (s *solver) report(value, bound float64) {
	if s.problem.Progress != nil {
		s.problem.Progress((value+s.within)/s.total, (bound+s.within)/s.total, s.stats.Nodes+s.stats.Kernels)
	}
}
