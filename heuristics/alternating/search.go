package alternating

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// Search looks for the tree of hyperplanes of least error, with a price on features,
// among those that keep the margin, as the comment of the package says. Errors are
// options out of range and data that is not valid. An ended ctx or a limit is none: the
// best tree so far is the result, the single leaf at least.
func Search(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if _, timed := ctx.Deadline(); o.Work == 0 && o.Restarts == 0 && o.TimeLimit == 0 && !timed {
		o.Work = DefaultWork
	}
	if o.Mu == 0 {
		o.Mu = hyperplane.DefaultMu
	}
	if o.Streams == 0 {
		o.Streams = defaultStreams
	}
	began := time.Now()
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	l := o.Training
	if l == nil {
		var err error
		if l, err = tree.NewTraining(ctx, ds); err != nil {
			return leafOf(ctx, ds, began), nil // there was no time for more
		}
	}
	best, stats := searchAll(ctx, l, &o, began)
	t := l.InSource(best)
	t.Encoder = ds.Encoder
	return &Result{Tree: t, Stats: stats}, nil
}

// searchAll runs the streams. The best tree is the answer, of equal ones that of the first
// stream; of trees that are good enough that which took least work.
func searchAll(ctx context.Context, l *tree.Training, o *Options, began time.Time) (*tree.Tree, Stats) {
	var first atomic.Int64
	first.Store(math.MaxInt64)
	r := newRows(l.Rows, l.Presort, o.Mu)
	progress := o.improvements()
	all := make([]*searcher, o.Streams)
	var group sync.WaitGroup
	for k := range all {
		e := newSearcher(ctx, l, r, o, uint64(k))
		e.began, e.first, e.progress = began, &first, progress
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
		return best.bestTree, s // how far the others have come is chance
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

// improvements is Progress for several streams: each better tree once.
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

// leafOf is the single leaf as the result of a search that did not begin.
func leafOf(ctx context.Context, ds *dataset.Dataset, began time.Time) *Result {
	t := tree.NewLeaf(ds, 0)
	t.Relabel(ds)
	return &Result{Tree: t, Stats: Stats{Objective: t.Objective(ds, 0), Limit: mio.LimitOf(ctx), Total: time.Since(began)}}
}

// newSearcher is one of the streams, with the single leaf for its best tree.
func newSearcher(ctx context.Context, l *tree.Training, r *rows, o *Options, stream uint64) *searcher {
	ds, scale := l.Rows, tree.ErrorScale(l.Rows)
	e := &searcher{
		rows: r, Pulse: pulse.New(ctx), o: o, ctx: ctx, rng: rand.New(rand.NewPCG(o.Seed, 0x616c7465726e+stream)), // "altern"
		scale: scale, price: o.Alpha * scale, minLeaf: o.MinLeaf, noise: make([]float64, ds.N()),
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

// run descends from the starts, of which every stream has its own, then from kicks of the
// best tree and random ones. All streams know all starts.
func (e *searcher) run(stream int) {
	if e.p == 0 || tree.Baseline(e.ds) == 0 {
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

// restart descends from random trees and, more often, from kicks of the best tree and of
// the one where it is now, until a limit.
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
