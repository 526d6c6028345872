package large

import (
	"math"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Options are the parameters of a search.
type Options struct {
	Depth     int     // 2 or 3
	Lambda    float64 // penalty per split
	Step, Tol float64 // a better value is better by at least Step; values that differ by less than Tol count as equal
	Workers   int     // goroutines; 0 means one
	WorkLimit int64   // visits of ranks and rows; 0 means no limit

	Done     func() bool                            // ends the search; nil: never
	Progress func(value, bound float64, work int64) // nil for none
}

// Split is a split of the best tree after a rank of a feature. At is its node, numbered like a heap: 1 is the
// root, 2v and 2v+1 are the children of v.
type Split struct{ At, Feature, Rank int }

// Result is the result of a search.
type Result struct {
	Splits []Split // of the best tree, parents first; nil if no tree is below the value asked for
	Value  float64 // of the tree; +Inf without one
	Bound  float64 // on the values of all trees, or the value asked for
	Work   int64   // visits of rows, ranks and groups of ranks
	Cuts   int64   // evaluated
	Sets   int64   // of which the best tree of two levels was sought
	Ended  bool    // by Done or WorkLimit
}

// triple is a tree of three levels.
type triple struct {
	value         float64
	feature, rank int32 // of the root; feature -1: left is the tree
	left, right   pair
}

// root are the cuts of a feature at the root, for three levels.
type root struct {
	feature int
	left    []float64 // (ranks) bounds on the left side of the cut after each rank
	right   []float64
	done    []bool // evaluated
	best    triple

	began int64 // work of the worker at the beginning of a round
	short bool  // the work that was left did not suffice
}

// search is the search of three levels.
type search struct {
	d       *Data
	o       Options
	m       model
	workers []*growing
	ub      float64
	best    triple
	roots   []root
	r       Result
	ended   atomic.Bool
}

// Solve finds the best tree with a value below ub, or proves that there is none.
func Solve(d *Data, o Options, ub float64) Result {
	s := &search{d: d, o: o, m: model{o.Lambda, o.Step, o.Tol}, ub: ub, best: triple{value: math.Inf(1), feature: -1}}
	if o.Done == nil {
		s.o.Done = func() bool { return false }
	}
	stop := func() bool { return s.ended.Load() }
	for range min(max(1, o.Workers), d.p) {
		s.workers = append(s.workers, newGrowing(d, s.m, stop))
	}
	bound := s.whole()
	if o.Depth > 2 {
		bound = 0 // the other is of trees of two levels
		if !s.stop() {
			bound = s.threeLevels()
		}
	}
	s.r.Bound = min(bound, s.ub)
	if s.ended.Load() {
		s.r.Ended = true
	} else {
		s.r.Bound = s.ub
	}
	if s.r.Value = s.best.value; s.best.value < math.Inf(1) {
		s.r.Splits = s.best.splits()
	}
	return s.r
}

func (s *search) stop() bool {
	if s.o.WorkLimit > 0 && s.r.Work >= s.o.WorkLimit {
		s.ended.Store(true)
	}
	return s.over()
}

// over reports whether Done, or a limit that was seen before, ends the search.
func (s *search) over() bool {
	if s.o.Done() {
		s.ended.Store(true)
	}
	return s.ended.Load()
}

// spent reports whether a worker has done as much work for x as it may.
func (x *root) spent(g *growing, most int64) bool {
	x.short = g.cutter.work-x.began >= most
	return x.short
}

// collect adds the counters of a worker.
func (s *search) collect(g *growing) {
	s.r.Work += g.cutter.work
	s.r.Cuts += g.seen.cuts
	s.r.Sets += g.seen.sets
	g.cutter.work, g.seen = 0, counts{}
}

// whole finds the best tree of two levels.
func (s *search) whole() float64 {
	g := s.workers[0]
	g.begin(0, false)
	g.include(int32(len(s.d.values[0])) - 1)
	t, bound := g.search(s.ub)
	s.collect(g)
	if t.value < s.m.thr(s.ub) {
		s.ub, s.best = t.value, triple{value: t.value, feature: -1, left: t}
	}
	return bound
}

// threeLevels finds the best tree of three levels and returns a bound on all.
func (s *search) threeLevels() float64 {
	for h := range s.d.p {
		count := len(s.d.values[h])
		s.roots = append(s.roots, root{feature: h, left: make([]float64, count), right: make([]float64, count), done: make([]bool, count), best: triple{value: math.Inf(1)}})
	}
	for _, parts := range []int{32, 256, s.d.n} {
		s.round(func(x *root) []int32 { return x.dividing(s.d, x.open(&s.m, s.ub), parts) })
		if s.stop() {
			break
		}
	}
	return s.bound()
}

// round evaluates cuts of each feature.
func (s *search) round(cuts func(*root) []int32) {
	idle := make(chan *growing, len(s.workers))
	for _, g := range s.workers {
		idle <- g
	}
	var group errgroup.Group
	ub, most := s.ub, int64(math.MaxInt64)
	if s.o.WorkLimit > 0 { // the same for each feature, whichever worker is first
		most = (s.o.WorkLimit - s.r.Work) / int64(len(s.roots))
	}
	for h := range s.roots {
		g := <-idle
		group.Go(func() error {
			s.evaluate(g, &s.roots[h], cuts(&s.roots[h]), ub, most)
			idle <- g
			return nil
		})
	}
	_ = group.Wait() // no task fails
	for _, g := range s.workers {
		s.collect(g)
	}
	for h := range s.roots {
		x := &s.roots[h]
		if x.short {
			s.ended.Store(true)
		}
		if x.best.value < s.m.thr(s.ub) {
			s.ub, s.best = x.best.value, x.best
		}
	}
	if s.o.Progress != nil {
		s.o.Progress(s.best.value, s.bound(), s.r.Work)
	}
}

// evaluate evaluates cuts at the root, by ascending rank.
func (s *search) evaluate(g *growing, x *root, cuts []int32, ub float64, most int64) {
	x.began, x.short = g.cutter.work, false
	trees := make([]pair, len(cuts))
	g.begin(x.feature, false)
	g.follow()
	for i, r := range cuts {
		g.include(r)
		t, bound := g.search(ub - s.m.lambda - x.right[r])
		if x.spent(g, most) || s.over() {
			return
		}
		trees[i] = t
		x.left[r] = max(x.left[r], bound)
	}
	g.begin(x.feature, true)
	g.following = true
	for i := len(cuts) - 1; i >= 0; i-- {
		r := cuts[i]
		if s.m.lambda+x.left[r]+x.right[r] >= s.m.thr(ub) {
			x.done[r] = true
			continue
		}
		g.include(r)
		t, bound := g.search(ub - s.m.lambda - x.left[r])
		if x.spent(g, most) || s.over() {
			return
		}
		x.right[r], x.done[r] = max(x.right[r], bound), true
		if v := s.m.lambda + trees[i].value + t.value; v < s.m.thr(ub) {
			ub, x.best = v, triple{value: v, feature: int32(x.feature), rank: r, left: trees[i], right: t}
		}
	}
}

// dividing returns those of the cuts that divide the rows into so many parts of about the same size.
func (x *root) dividing(d *Data, cuts []int32, parts int) []int32 {
	if parts >= d.n {
		return cuts
	}
	var some []int32
	part := func(row int32) int64 { return int64(row) * int64(parts) / int64(d.n) }
	for _, r := range cuts {
		if start := d.start[x.feature]; part(start[r+1]) > part(start[r]) {
			some = append(some, r)
		}
	}
	return some
}

// open spreads the bounds of the evaluated cuts and returns the others that may have a value below ub.
func (x *root) open(m *model, ub float64) []int32 {
	count := len(x.left) - 1
	for r := 1; r < count; r++ {
		x.left[r] = max(x.left[r], x.left[r-1])
	}
	for r := count - 2; r >= 0; r-- {
		x.right[r] = max(x.right[r], x.right[r+1])
	}
	var cuts []int32
	for r := range count {
		if x.done[r] {
			continue
		}
		if m.lambda+x.left[r]+x.right[r] >= m.thr(ub) {
			x.done[r] = true
			continue
		}
		cuts = append(cuts, int32(r))
	}
	return cuts
}

// bound returns the bound on all trees of three levels.
func (s *search) bound() float64 {
	bound := s.ub
	for i := range s.roots {
		x := &s.roots[i]
		x.open(&s.m, s.ub)
		for r := range len(x.left) - 1 {
			if !x.done[r] {
				bound = min(bound, s.m.lambda+x.left[r]+x.right[r])
			}
		}
	}
	return bound
}

// splits returns the splits of a tree.
func (t *triple) splits() []Split {
	if t.feature < 0 {
		return t.left.splits(1)
	}
	nodes := []Split{{1, int(t.feature), int(t.rank)}}
	return append(append(nodes, t.left.splits(2)...), t.right.splits(3)...)
}

func (t *pair) splits(at int) []Split {
	if t.feature < 0 {
		return nil
	}
	nodes := []Split{{at, int(t.feature), int(t.rank)}}
	for i, s := range [2]stump{t.left, t.right} {
		if s.feature >= 0 {
			nodes = append(nodes, Split{2*at + i, int(s.feature), int(s.rank)})
		}
	}
	return nodes
}
