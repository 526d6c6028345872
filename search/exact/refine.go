package exact

import (
	"context"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// refine searches again where weights or costs lie so far apart that rounding of the
// large ones hides differences of the small ones, with numbers near the tree's own.
//
// Let v be the value of the best tree known, c_qk >= 0 the cost of answering k at point q
// above the least one of the point. A tree that pays a cost of at least v is no better. So
// min(c_qk, v) for c_qk changes the value of no better tree, and leaves that of all others at
// v or more. All are then rounded down to multiples of a power of two, whose sums are
// exact: no tree costs more than before, so that the bound of this search holds, and what the
// multiples lost shows in the gap between the bound and the tree's value. The costs that
// are left add up to n v at most, whatever the data's are.
func (r *Result) refine(ctx context.Context, ds *dataset.Dataset, o *Options, begin time.Time) error {
	f := newRefinement(ds, o.Alpha)
	v, low := f.value(r.Tree), 0.0 // the value of the tree, and a bound on that of all trees
	proved := func() bool { return verify.Negligible(v-low, v+f.offset) }
	for better := true; better && !proved() && !r.spent(ctx, o); {
		s, unit := f.search(ctx, v, o, r.Stats.Work, begin)
		if s == nil {
			break
		}
		a, bound := s.refined(r.Tree, ds)
		r.Stats.add(&s.stats)
		low, better = max(low, bound*unit), false
		if a.value < math.Inf(1) {
			t, err := s.tree(a, ds)
			if err != nil {
				return err
			}
			if w := f.value(t); w < v {
				v, r.Tree, r.Improved, better = w, t, true, true
			}
		}
	}
	r.score(ds, o)
	r.Bound = min(r.Objective, (low+f.offset)/tree.ErrorScale(ds))
	switch {
	case proved():
		r.Status, r.Blurred, r.Bound = mio.Optimal, "", r.Objective
	case r.spent(ctx, o):
		r.Blurred = ""
		if r.Limit = mio.LimitOf(ctx); r.Limit == mio.NoLimit {
			r.Limit = mio.LimitIterations
		}
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	return nil
}

// spent reports whether a limit was reached.
func (r *Result) spent(ctx context.Context, o *Options) bool {
	return ctx.Err() != nil || o.WorkLimit > 0 && r.Stats.Work >= o.WorkLimit
}

// refined runs a search of a refinement, and bounds the values of its trees.
func (s *search) refined(start *tree.Tree, ds *dataset.Dataset) (a answer, bound float64) {
	value := s.p.value(start, ds)
	a = s.run(value)
	switch {
	case s.stopped:
		return a, a.lb
	case s.p.step > 0:
		return a, min(a.value, value)
	}
	return a, min(a.value, value) - s.p.tol - s.p.slack
}

// refinement is the data by rows of equal features, for refine.
type refinement struct {
	rows   *dataset.Dataset // one for each, with the weights by which leaves count them
	cost   []float64        // (n, K) of answers, the least of each point 0
	offset float64          // the least ones
	lambda float64
}

func newRefinement(ds *dataset.Dataset, alpha float64) *refinement {
	excess := ds.Excess()
	p := &refinement{lambda: alpha * tree.ErrorScale(ds)}
	p.rows, _ = addUpPoints(ds, excess)
	n, k := p.rows.N(), p.rows.K()
	p.cost = excess[:n*k]
	for q := range n {
		costs := p.cost[q*k : (q+1)*k]
		least := minOf(costs)
		for c := range costs {
			costs[c] -= least
		}
		p.offset += least
	}
	return p
}

// value is that of a tree, summed over what it pays.
func (f *refinement) value(t *tree.Tree) float64 {
	v, k := 0.0, f.rows.K()
	for q := range f.rows.N() {
		v += f.cost[q*k+t.Predict(f.rows.Row(q))]
	}
	if s := t.Splits(); s > 0 {
		v += f.lambda * float64(s)
	}
	return v
}

// search prepares one near v; nil where ctx ended.
func (f *refinement) search(ctx context.Context, v float64, o *Options, worked int64, begin time.Time) (s *search, unit float64) {
	l, unit := f.near(ctx, v)
	if l.pre == nil {
		return nil, 0
	}
	of := *o
	of.Presort, of.Start, of.CART, of.Progress = nil, nil, nil, nil
	of.Alpha = f.lambda / unit / tree.ErrorScale(l.rows)
	if o.WorkLimit > 0 {
		of.WorkLimit = o.WorkLimit - worked
	}
	return newSearch(ctx, newProblem(l, &of), &of, begin), unit
}

// near lays out the points with costs cut at v, in whole units of the size that is returned.
func (f *refinement) near(ctx context.Context, v float64) (l laidOut, unit float64) {
	n, k := f.rows.N(), f.rows.K()
	total := 0.0
	for q := range n {
		total += min(v, maxOf(f.cost[q*k:(q+1)*k]))
	}
	_, exponent := math.Frexp(total)
	exponent = max(exponent-51, -1074)
	rows := *f.rows
	rows.Y, rows.Weight, rows.Cost = make([]int, n), make([]float64, n), make([]float64, n*k)
	l = laidOut{rows: &rows, costs: &labelCosts{points: f.rows}, refined: true}
	l.unit = dataset.Unit{Size: 1, Whole: true}
	for q := range n {
		for c := range k {
			cost := math.Floor(math.Ldexp(min(v, f.cost[q*k+c]), -exponent))
			rows.Cost[q*k+c] = cost
			rows.Weight[q] = max(rows.Weight[q], cost)
		}
		rows.Y[q], _ = rows.CheapestClass(q)
		l.unit.Total += rows.Weight[q]
	}
	l.pre, _ = tree.NewPresortContext(ctx, &rows)
	return l, math.Ldexp(1, exponent)
}
