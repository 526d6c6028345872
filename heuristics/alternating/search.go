package alternating

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Search looks for the hyperplane tree with the smallest error, with a penalty on features, among
// those that keep the margin, as described in the package comment. It returns an error for options
// out of range and for invalid data. If ctx ends or a limit is reached, it returns the best tree so
// far, at least the single leaf, without an error.
func Search(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if _, timed := ctx.Deadline(); o.Work == 0 && o.Restarts == 0 && !timed {
		o.Work = DefaultWork
	}
	if o.Mu == 0 {
		o.Mu = hyperplane.DefaultMu
	}
	if o.Streams == 0 {
		o.Streams = defaultStreams
	}
	began := time.Now()
	l := o.Training
	if l == nil {
		var err error
		if l, err = tree.NewTraining(ctx, ds); err != nil {
			return leafOf(ctx, ds, began), nil // no time for more
		}
	}
	best, stats := searchAll(ctx, l, &o, began)
	t := l.InSource(best)
	t.Encoder = ds.Encoder
	return &Result{Tree: t, Stats: stats}, nil
}

// searchAll runs the streams. The result is the best tree, of equal ones that of the first stream.
// Of trees that attain Enough, it is the one found with the least work.
func searchAll(ctx context.Context, l *tree.Training, o *Options, began time.Time) (*tree.Tree, Stats) {
	var first atomic.Int64
	first.Store(math.MaxInt64)
	r := newRows(l.Rows, l.Presort, o.Mu, o.Rows)
	progress := o.improvements()
	all := make([]*searcher, o.Streams)
	var group sync.WaitGroup
	for k := range all {
		e := newSearcher(ctx, l, r, o, uint64(k), began, &first)
		e.progress = progress
		all[k] = e
		group.Go(func() { e.run(k) })
	}
	group.Wait()
	best := all[0]
	for _, e := range all[1:] {
		if e.bestWorth.better(best.bestWorth) || !best.bestWorth.better(e.bestWorth) && e.enough() && e.stats.BestAfter < best.stats.BestAfter {
			best = e
		}
	}
	best.widen()
	s := best.stats
	s.Objective, s.Work, s.Total = best.bestWorth.loss/best.scale, best.work, time.Since(began)
	if best.enough() {
		s.Limit = mio.NoLimit
		return best.bestTree, s // the progress of the other streams is not reproducible
	}
	for _, e := range all {
		if e != best {
			s.Restarts += e.stats.Restarts
			s.Improved += e.stats.Improved
			s.Programs += e.stats.Programs
			s.Work += e.work
		}
	}
	return best.bestTree, s
}

// improvements returns Progress for several streams: each improvement once.
func (o *Options) improvements() func(objective float64) {
	if o.Progress == nil {
		return nil
	}
	var one sync.Mutex
	best := math.Inf(1)
	return func(objective float64) {
		one.Lock()
		defer one.Unlock()
		if objective < best {
			best = objective
			o.Progress(objective)
		}
	}
}

// leafOf returns the single leaf as the result of a search that did not begin.
func leafOf(ctx context.Context, ds *dataset.Dataset, began time.Time) *Result {
	t := tree.NewLeaf(ds, 0)
	t.Relabel(ds)
	return &Result{Tree: t, Stats: Stats{Objective: t.Objective(ds, 0), Limit: mio.LimitOf(ctx), Total: time.Since(began)}}
}

// newSearcher returns one of the streams, with the single leaf as its best tree.
func newSearcher(ctx context.Context, l *tree.Training, r *rows, o *Options, stream uint64, began time.Time, first *atomic.Int64) *searcher {
	ds, scale := r.ds, tree.ErrorScale(l.Rows)
	e := &searcher{
		rows: r, Pulse: pulse.New(ctx), o: o, ctx: ctx, rng: rand.New(rand.NewPCG(o.Seed, 0x616c7465726e+stream)), // "altern"
		began: began, first: first, scale: scale, price: o.Alpha * scale, minLeaf: o.MinLeaf, noise: make([]float64, ds.N()),
	}
	if l.Unit.Size != 0 {
		e.minLeaf = l.Unit.LeastLeaf(o.MinLeaf)
	}
	for i := range e.noise {
		e.noise[i] = e.rng.Float64()
	}
	for _, w := range ds.Weight {
		e.total += w
	}
	e.bestTree, e.bestWorth = tree.NewLeaf(ds, 0), worth{broken: math.Inf(1)}
	e.note(e.empty())
	return e
}

// run descends from the starts assigned to this stream, then from kicks of the best tree and from
// random trees. All streams know all starts.
func (e *searcher) run(stream int) {
	if e.p == 0 || e.ds.Baseline() == 0 {
		return
	}
	var from []*state
	for _, t := range e.o.Starts {
		s := e.adopt(t)
		e.note(s)
		from = append(from, s)
	}
	for i, s := range from {
		if e.done() {
			return
		}
		if i%e.o.Streams == stream {
			e.descend(s)
		}
	}
	if !e.done() && e.o.Restarts >= 0 {
		e.restart(stream)
	}
}

// restart descends from random trees and, more often, from kicks of the best tree and of the
// current one, until a limit.
func (e *searcher) restart(stream int) {
	now := e.empty()
	e.scatter(now, 1)
	e.descend(now)
	nowWorth := e.worth(now)
	last := 0 // restart that found the best tree
	for (e.o.Restarts == 0 || e.stats.Restarts*e.o.Streams+stream < e.o.Restarts) && !e.done() {
		if e.stats.Restarts++; e.o.Patience > 0 && e.stats.Restarts-last > e.o.Patience/e.o.Streams {
			break
		}
		improved := e.stats.Improved
		s := new(state)
		if e.rng.Float64() < 0.7 {
			if s.copyOf(e.best); e.rng.Float64() < 0.5 {
				s.copyOf(now)
			}
			e.kick(s)
		} else {
			s = e.empty()
			e.scatter(s, 1)
		}
		e.descend(s)
		if e.stats.Improved > improved {
			last = e.stats.Restarts
		}
		if v := e.worth(s); !nowWorth.better(v) {
			now, nowWorth = s, v
		}
	}
	if !e.done() {
		e.stats.Limit = mio.LimitIterations
	}
}

// mostClasses is the number of most frequent classes at a node of the last level that are tried in
// pairs as the labels of its leaves.
const mostClasses = 3

// mostPasses is the maximum number of passes over all nodes in a descent.
const mostPasses = 20

// reoptimise optimises the plane of node t with the rest of the tree fixed, and at the last level
// also the labels of its leaves. It reports whether the tree improved.
func (e *searcher) reoptimise(s *state, t int) bool {
	rows := e.reaching(s, t)
	if len(rows) == 0 {
		return false
	}
	if 2*t >= s.leaves() {
		return e.reoptimiseLast(s, t, rows)
	}
	left, right := make([]float64, len(rows)), make([]float64, len(rows))
	for q, i := range rows {
		left[q], right[q] = e.cost(s, 2*t, i), e.cost(s, 2*t+1, i)
	}
	e.spend(2 * len(rows) * e.p * e.o.Depth)
	d := e.newNode(s, t, rows, left, right)
	before := d.cost
	d.solve()
	s.plane[t] = d.best
	return d.cost < before
}

// reoptimiseLast tries the current labels and the pairs of the most frequent classes.
func (e *searcher) reoptimiseLast(s *state, t int, rows []int32) bool {
	l, r := s.label[2*t], s.label[2*t+1]
	best := e.newNode(s, t, rows, e.wrongAs(rows, l), e.wrongAs(rows, r))
	before := best.cost
	classes := e.commonest(rows)
	for a := range classes {
		for b := a + 1; b < len(classes); b++ {
			d := e.newNode(s, t, rows, e.wrongAs(rows, classes[a]), e.wrongAs(rows, classes[b]))
			if d.solve(); d.cost < best.cost-leastGain*(1+best.cost) {
				best, l, r = d, classes[a], classes[b]
			}
			if e.over() {
				break
			}
		}
	}
	s.plane[t], s.label[2*t], s.label[2*t+1] = best.best, l, r
	return best.cost < before
}

// wrongAs returns for each row its weight if it is misclassified in a leaf of class k, else 0.
func (e *searcher) wrongAs(rows []int32, k int32) []float64 {
	c := make([]float64, len(rows))
	for q, i := range rows {
		if e.y[i] != k {
			c[q] = e.w[i]
		}
	}
	return c
}

// commonest returns the classes with the largest weights among the rows, one of them twice if there
// is only one.
func (e *searcher) commonest(rows []int32) []int32 {
	weight := e.classWeights(rows)
	var classes []int32
	for c, w := range weight {
		if w > 0 {
			classes = append(classes, int32(c))
		}
	}
	slices.SortStableFunc(classes, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
	if len(classes) == 1 {
		return append(classes, classes[0])
	}
	return classes[:min(len(classes), mostClasses)]
}

// settle re-optimises node after node, from the last level to the first, until none improves.
func (e *searcher) settle(s *state) {
	for range mostPasses {
		changed := false
		for t := s.leaves() - 1; t >= 1; t-- {
			if e.over() {
				return
			}
			if e.reoptimise(s, t) {
				changed = true
			}
		}
		e.note(s)
		if e.done() || !changed {
			return
		}
	}
}

// phases are the phases of a descent: the cost of a row within a margin, relative to a
// misclassified row, and the stake of rows with equal costs on both sides. At first a split can
// pass over rows, in the end it may not.
var phases = [...]struct{ within, idle float64 }{{1.5, 0.1}, {10, 1}, {1000, 1}}

// descend moves to a local optimum; at first it admits rows within margins.
func (e *searcher) descend(s *state) {
	for _, phase := range phases {
		e.within, e.idle = phase.within, phase.idle
		e.settle(s)
		if e.o.Right || e.done() || e.worth(s).broken == 0 {
			return
		}
	}
}

// kick gives a random node a random plane.
func (e *searcher) kick(s *state) {
	t := 1 + e.rng.IntN(s.leaves()-1)
	if rows := e.reaching(s, t); len(rows) > 1 {
		s.plane[t] = e.between(rows)
		if e.rng.Float64() < 0.5 {
			e.scatterBelow(s, t)
		}
	}
}

// scatter gives random planes to the nodes from t on.
func (e *searcher) scatter(s *state, t int) {
	if rows := e.reaching(s, t); len(rows) > 1 {
		s.plane[t] = e.between(rows)
	}
	e.scatterBelow(s, t)
}

func (e *searcher) scatterBelow(s *state, t int) {
	for c := 2 * t; c <= 2*t+1; c++ {
		if c < s.leaves() {
			e.scatter(s, c)
			continue
		}
		s.label[c] = e.heaviest(e.reaching(s, c))
	}
}

// heaviest returns the class with the largest weight among the rows.
func (e *searcher) heaviest(rows []int32) int32 {
	weight := e.classWeights(rows)
	return int32(slices.Index(weight, slices.Max(weight)))
}

// between returns a plane between two random rows, of different classes if possible, perpendicular
// to the line between them or to its projection on some features.
func (e *searcher) between(rows []int32) plane {
	i := rows[e.rng.IntN(len(rows))]
	k := rows[e.rng.IntN(len(rows))]
	for range 8 {
		if e.y[k] != e.y[i] {
			break
		}
		k = rows[e.rng.IntN(len(rows))]
	}
	s := plane{a: make([]float64, e.p)}
	few := e.rng.IntN(2) == 0
	norm := 0.0
	x, z := e.row(i), e.row(k)
	for j := range s.a {
		d := x[j] - z[j]
		if few && e.rng.IntN(e.p) >= 2 {
			continue
		}
		s.a[j] = d
		norm += math.Abs(d)
	}
	if norm == 0 {
		j := e.rng.IntN(e.p)
		s.a[j], norm = 1, 1
	}
	for j := range s.a {
		s.a[j] /= norm
		s.b += s.a[j] * (x[j] + z[j]) / 2
	}
	return s
}

// perNorm is the price of sum |u_j| when a margin is widened, in units of all weight: small enough
// that no row gives up a part of its margin for it.
const perNorm = 1e-7

// widen gives the hyperplanes of the best tree the widest margins on the features they use, with
// all rows on their sides: of equally good trees, the one that separates its rows best. It drops
// features that the widest margin does not need.
func (e *searcher) widen() {
	if e.o.Right || e.best == nil || e.Ended() {
		return
	}
	s := new(state)
	s.copyOf(e.best)
	for t := 1; t < s.leaves(); t++ {
		if pl := &s.plane[t]; pl.a != nil {
			if wide, ok := e.widest(pl, e.through(s, t)); ok {
				*pl = wide
			}
		}
	}
	if v := e.worth(s); v.broken > 0 || e.bestWorth.better(v) {
		return
	}
	if t, ok := e.tree(s); ok {
		e.best, e.bestWorth, e.bestTree = s, e.worth(s), t
	}
}

// widest returns the plane with the widest margin that separates the rows like now: it minimises
// sum |u_j| under s_i (u.x_i - b) >= 1.
func (e *searcher) widest(now *plane, rows []int32) (wide plane, ok bool) {
	same := make([]float64, len(rows)) // costs on both sides: all rows keep their sides
	h := (&node{searcher: e, rows: rows, left: same, right: same}).program(now)
	total, left := 0.0, 0
	for q, i := range rows {
		h.Weight[q] = e.w[i]
		total += e.w[i]
		if h.Sign[q] < 0 {
			left++
		}
	}
	if left == 0 || left == len(rows) {
		return plane{}, false
	}
	for j, a := range now.a {
		h.Price[j], h.Banned[j] = perNorm*total, a == 0
	}
	wide = plane{a: make([]float64, h.P)}
	if e.minimize(h, wide.a) == 0 || e.Ended() {
		return plane{}, false
	}
	below, above := math.Inf(-1), math.Inf(1)
	for q, i := range rows {
		if v := wide.value(e.row(i)); h.Sign[q] < 0 {
			below = max(below, v)
		} else {
			above = min(above, v)
		}
	}
	wide.b = below + (above-below)/2
	return wide, above-below >= 2*e.half
}
