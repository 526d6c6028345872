package exact

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Solve finds the best tree for ds. Weights and counts refer to ds. Equal rows are merged unless
// Presort is given (with costs, rows of equal features are always merged); constant features are
// dropped. If ctx ends, or a time or work limit is reached, the result has that status; this is
// never an error and never loses the best tree found. There always is one, at least the single
// leaf.
//
// Solve returns an error if an option is out of range, or if there are more than 67 million
// distinct rows or 32,767 classes. It also returns an error if no tree is feasible: MinLeaf exceeds
// the total weight or the weight of the rows at a leaf of Fixed, or Fixed is too deep or has too
// many splits.
//
// The time to a proof grows about linearly with the rows and with a power of about 2(D-1) of the
// features. Memory is about 16 bytes per cell and level, per worker, plus the cache.
func Solve(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	begin := time.Now()
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if ds.TooFarApart() {
		return unsearchable(ds, &o), nil
	}
	if capped := o.capped(ds); capped != nil {
		return solveCapped(ctx, ds, capped, o)
	}
	if o.Fixed != nil {
		if f := o.Fixed.Collapse(ds); f.Splits() > 0 {
			return solveBelow(ctx, ds, f, o, begin)
		}
	}
	inUnits, unit := ds.InUnits(dataset.MostUnits)
	o.MinLeaf = unit.LeastLeaf(o.MinLeaf)
	if o.Presort != nil && inUnits != ds {
		o.Presort = o.Presort.WithWeights(inUnits.Weight)
	}
	r, err := solveInUnits(ctx, inUnits, unit, o, begin)
	if err != nil || inUnits == ds {
		return r, err
	}
	r.Tree = r.Tree.Clone()
	r.Tree.Annotate(ds)
	e := r.Tree.Evaluate(ds)
	r.Weight, r.Cost = e.ErrorWeight, e.Cost
	return r, nil
}

// capped returns ds with weights capped at the minimum leaf weight, and with errors as costs, if
// rounding of sums of the original weights hides which leaves are heavy enough; otherwise nil. A
// row of that weight is enough for its leaf, so the feasible trees and their costs are the same.
func (o *Options) capped(ds *dataset.Dataset) *dataset.Dataset {
	if o.MinLeaf == 0 || tree.EnoughWeight(minOf(ds.Weight), o.MinLeaf) || !leavesBlur(ds.Weight, o.MinLeaf) {
		return nil
	}
	d := *ds
	d.Weight = slices.Clone(ds.Weight)
	for i, w := range d.Weight {
		d.Weight[i] = min(w, o.MinLeaf)
	}
	if leavesBlur(d.Weight, o.MinLeaf) {
		return nil
	}
	if d.Cost == nil {
		d.Cost = ds.Excess()
	}
	return &d
}

// solveCapped is Solve on the capped data, whose trees have the same values.
func solveCapped(ctx context.Context, ds, capped *dataset.Dataset, o Options) (*Result, error) {
	o.Presort = nil
	r, err := Solve(ctx, capped, o)
	if err != nil {
		return nil, err
	}
	r.Tree = r.Tree.Clone()
	r.Tree.Annotate(ds)
	e := r.Tree.Evaluate(ds)
	r.Errors, r.Weight, r.Cost = e.Errors, e.ErrorWeight, e.Cost
	return r, nil
}

// unsearchable returns the single leaf, or the fixed splits, without any proof.
func unsearchable(ds *dataset.Dataset, o *Options) *Result {
	r := &Result{Tree: tree.NewLeaf(ds, 0), Status: mio.Feasible, Blurred: tooFarApart}
	if o.Fixed != nil {
		r.Tree = o.Fixed.Collapse(ds)
	}
	r.Tree.Relabel(ds)
	r.score(ds, o)
	r.Start, r.Gap = r.Objective, mio.Gap(r.Objective, 0)
	return r
}

// solveInUnits is Solve on data whose weights, like the minimum leaf weight, are in units.
func solveInUnits(ctx context.Context, ds *dataset.Dataset, unit dataset.Unit, o Options, begin time.Time) (*Result, error) {
	if o.Presort == nil && Large(ds, &o) {
		if r, err := solveLarge(ctx, ds, unit, o, begin); r != nil || err != nil {
			return r, err
		}
	}
	l := layOut(ctx, ds, unit, &o)
	if err := tooLarge(l.rows); err != nil {
		return nil, err
	}
	start, err := o.start(ctx, ds, l)
	if err != nil {
		return nil, err
	}
	if l.rows.N() < ds.N() {
		start.Annotate(ds)
	}
	r := &Result{Start: start.Objective(ds, o.Alpha), Tree: start}
	if ctx.Err() != nil {
		r.unsearched(ctx, ds, &o)
	} else if err := r.search(ctx, ds, newProblem(l, &o), &o, begin); err != nil {
		return nil, err
	} else if r.Blurred == tooFarApart && !o.Rough {
		if err := r.refine(ctx, ds, &o, begin); err != nil {
			return nil, err
		}
	}
	r.Runtime = time.Since(begin)
	return r, nil
}

// search proves the warm start optimal or finds a better tree.
func (r *Result) search(ctx context.Context, ds *dataset.Dataset, p *problem, o *Options, begin time.Time) error {
	s := newSearch(ctx, p, o, begin)
	startValue := p.value(r.Tree, ds)
	cancel := s.shareOut()
	defer cancel()
	a := s.run(startValue)
	value := startValue
	err := r.improve(p, &value, a.value, func() (*tree.Tree, error) { return s.tree(a, ds) })
	annealed := func() error {
		return r.improve(p, &value, s.annealed, func() (*tree.Tree, error) { return s.anneal.tree(ds) })
	}
	if err == nil {
		err = annealed()
	}
	a.lb = max(a.lb, min(s.floor, value))
	if err == nil && s.goOn(r.Tree, value, a.lb) {
		err = annealed()
	}
	if err != nil {
		return err
	}
	r.Stats = s.stats
	r.Stats.CacheSize = int64(s.cache.size())
	if s.stopped {
		r.Limit = s.limit()
	}
	return r.finish(p, ds, o, a, value)
}

// improve takes the tree that build returns if its value v is below *value, that of r.Tree.
func (r *Result) improve(p *problem, value *float64, v float64, build func() (*tree.Tree, error)) error {
	if v >= p.thr(*value) {
		return nil
	}
	t, err := build()
	if err == nil {
		r.Tree, r.Improved, *value = t, true, v
	}
	return err
}

// unsearched is the result if ctx ended before the search: 0 is a lower bound on the errors.
func (r *Result) unsearched(ctx context.Context, ds *dataset.Dataset, o *Options) {
	r.score(ds, o)
	r.Status, r.Limit = mio.Feasible, mio.LimitOf(ctx)
	if r.Objective == 0 {
		r.Status, r.Limit = mio.Optimal, mio.NoLimit
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
}

// score sets the results that follow from the tree alone.
func (r *Result) score(ds *dataset.Dataset, o *Options) {
	e := r.Tree.Evaluate(ds)
	r.Errors, r.Weight, r.Cost, r.Splits = e.Errors, e.ErrorWeight, e.Cost, r.Tree.Splits()
	r.Objective = r.Tree.Objective(ds, o.Alpha)
}

// start returns the tree with which the search begins: Options.Start if it is feasible, else CART's
// best subtree. Without pre, and at worst, that is a single leaf.
func (o *Options) start(ctx context.Context, of *dataset.Dataset, l laidOut) (*tree.Tree, error) {
	ds, pre, alpha := l.rows, l.pre, o.Alpha
	if l.costs != nil {
		ds = l.costs.points
		alpha *= tree.ErrorScale(of) / tree.ErrorScale(ds) // points have less excess cost than their rows
	}
	splits, _ := o.budget()
	if o.Start != nil {
		t := o.Start.Collapse(ds)
		if o.admits(t, ds, splits) {
			return t, nil
		}
	}
	if pre == nil {
		leaf := tree.NewLeaf(ds, 0)
		leaf.Relabel(ds)
		return leaf, nil
	}
	grow := o.CART
	if grow == nil || l.costs != nil { // these rows exist only here
		grow = cart.Grow
	}
	c, err := grow(ctx, ds, cart.Options{MaxDepth: o.Depth, MinLeaf: o.MinLeaf, Presort: pre})
	if err != nil {
		return nil, err
	}
	return cart.BestSubtree(ds, c.Tree, alpha, o.Depth, splits), nil
}

// admits reports whether t is feasible.
func (o *Options) admits(t *tree.Tree, ds *dataset.Dataset, splits int) bool {
	if t.Depth() > o.Depth || t.Splits() > splits {
		return false
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Leaf() {
			if !n.Split.IsUnivariate() {
				return false
			}
			continue
		}
		weight := 0.0
		for _, w := range n.Weight {
			weight += w
		}
		if !tree.EnoughWeight(weight, o.MinLeaf) {
			return false
		}
	}
	return true
}

// finish scores the tree on the data and compares the score with the value from the search.
func (r *Result) finish(p *problem, ds *dataset.Dataset, o *Options, a answer, value float64) error {
	r.score(ds, o)
	got := p.value(r.Tree, ds)
	if math.Abs(got-value) > p.tol+p.slack {
		return fmt.Errorf("treesearch: internal error: the tree has value %v, the search computed %v", got, value)
	}
	r.Bound = min(r.Objective, p.objective(a.lb))
	closed := a.lb >= p.thr(value)-p.slack
	switch {
	case closed || r.Limit == mio.NoLimit:
		r.Status, r.Bound, r.Limit = mio.Optimal, r.Objective, mio.NoLimit
	default:
		r.Status = mio.Feasible
	}
	if !closed && r.Status == mio.Optimal && p.minLeaf == 0 {
		// a.lb bounds f0, which equals f unless leaves have a minimum weight
		return fmt.Errorf("treesearch: internal error: a completed search has bound %v below its value %v", a.lb, value)
	}
	off := p.blur(value)
	switch {
	case r.Status != mio.Optimal || r.Objective <= 0: // no tree costs less than 0
	case p.leafBlurred:
		r.Status, r.Blurred, r.Bound = mio.Feasible, leavesTooFarApart, max(0, p.objective(a.lb-off))
	case off > 0:
		r.Status, r.Blurred, r.Bound = mio.Feasible, tooFarApart, max(0, r.Objective-off/p.baseline)
	}
	r.Gap = mio.Gap(r.Objective, r.Bound)
	return nil
}

// Values of Result.Blurred.
const (
	tooFarApart       = "weights or costs lie too far apart for double precision"
	leavesTooFarApart = "weights lie too far apart for double precision to compare leaves with the minimum leaf weight"
)

// refine repeats the search if weights or costs lie so far apart that rounding of large numbers
// hides differences of small ones. The new numbers are of the size of the tree's value.
//
// Let v be the value of the best tree known, and c_qk >= 0 the cost of predicting class k at point
// q minus the minimum cost of the point. Claim: replacing c_qk by min(c_qk, v) keeps the value of
// every better tree, and the value of every other tree stays at v or more. Proof: a tree that pays
// a single cost of at least v is no better. All costs are then rounded down to multiples of a power
// of two, whose sums are exact. No tree costs more than before, so the bound of this search is
// valid, and the loss by rounding shows in the gap between the bound and the tree's value. The
// remaining costs add up to at most n v, whatever the original costs.
func (r *Result) refine(ctx context.Context, ds *dataset.Dataset, o *Options, begin time.Time) error {
	f := newRefinement(ds, o.Alpha)
	v, low := f.value(r.Tree), 0.0 // the value of the tree, and a lower bound on all trees
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

// refined runs a search of a refinement and bounds the values of its trees.
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

// refinement holds the data as merged rows of equal features, for refine.
type refinement struct {
	rows   *dataset.Dataset // one per point, with the weights that leaves count
	cost   []float64        // (n, K) of predictions, the minimum of each point 0
	offset float64          // the sum of the subtracted minima
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

// value returns the value of a tree, summed over the costs it pays.
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

// search prepares a search near v; nil if ctx ended.
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

// near lays out the points with costs capped at v, in whole multiples of the returned unit.
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
