package vertex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/heuristics/hinge"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// FeatureMinOptions are the settings of FeatureMin. The zero value is FM_RLP of the paper.
type FeatureMinOptions struct {
	Perturbed bool    // use the error of RLP-P instead of RLP: FM_RLP-P
	Eps       float64 // of RLP-P, in (0, 1); 0: linear.DefaultEps
	Slack     float64 // >= 1, maximum error relative to the minimum; 0: linear.DefaultSlack
	Delta     float64 // maximum error; 0: Slack times the minimum
	// Seed is the seed of RLP.
	Seed uint64
	// LP solves the linear programs. If its context ends, it returns a solution with a Limit, or
	// the context's error; the time it takes for that (a solver's Grace) adds to the deadline. If
	// LP is nil, FeatureMin solves them itself, to other optima if there are several.
	LP mio.SolveFunc
	// Notify, if not nil, is called after every linear program with the number of features tried
	// and the objective of (8), 0 if they suffice.
	Notify func(nu int, objective float64)
}

// FeatureMinStats describes a run of FeatureMin.
type FeatureMinStats struct {
	LPs     int   // linear programs
	Tried   []int // numbers of features, in the order tried
	Stopped bool  // a limit was reached or the context ended: the result is the best split so far
	Total   time.Duration
}

// FeatureMinResult is the result of FeatureMin.
type FeatureMinResult struct {
	Tree     *tree.Tree // one split, annotated
	Features int        // number of features with nonzero weight
	Error    float64    // RLP or RLP-P error of the split, at most Delta up to the solver's tolerances
	Least    float64    // minimum error of any split; error of Tree if RLP itself was stopped
	Delta    float64    // bound on the error
	Stats    FeatureMinStats
}

// FeatureMin is feature minimization with bounded accuracy by the parametric Frank-Wolfe method of
// Bredensteiner & Bennett (1996): a linear split with few features whose error, RLP's (4) or
// RLP-P's (10), is at most delta, Slack times the minimum. It is a heuristic for the problem that
// linear.FM solves exactly, with the classes, units and weights of linear.RLP.
//
// Algorithm 4.1, for a number of features nu, with r = nu/p at first:
//
//  1. w minimises |w|.(e - r) among the planes with error <= delta (a linear program).
//  2. r is 1 on the nu largest |w_j|, else 0.
//  3. Repeat while |w|.(e - r) falls; f(nu) is the last value.
//
// Algorithm 4.2 searches the smallest nu with f(nu) = 0: nu = 1, then p/2, then halfway down after
// a success, and a secant step on f, or halfway up, after a failure.
//
// The first r is an addition to the paper: with equal r, the first program minimises |w|_1, which
// already gives few features.
//
// FeatureMin returns an error that wraps formulate.ErrSingleLeaf for data for which the single leaf
// is optimal, and formulate.ErrNoStart for a Delta below the minimum error. If ctx or the time
// limit ends it, the result is the best split so far, or the single leaf.
func FeatureMin(ctx context.Context, ds *dataset.Dataset, o FeatureMinOptions) (*FeatureMinResult, error) {
	begin := time.Now()
	if err := o.complete(); err != nil {
		return nil, err
	}
	m, classA, err := heavierAgainstRest(ds)
	if err != nil {
		return nil, fmt.Errorf("feature minimization: %w", err)
	}
	s := &featureSearch{FeatureMinOptions: o, ctx: ctx, m: m, best: marginPlane{w: make([]float64, m.p)}}
	s.shares()
	least, err := s.minimise()
	if err != nil && !errors.Is(err, errStopped) {
		return nil, err
	}
	s.stats.Stopped = err != nil
	res := &FeatureMinResult{Error: s.errorOf(s.best), Stats: s.stats}
	if res.Least = least; math.IsInf(least, 1) {
		res.Least = res.Error
	}
	res.Delta = cmp.Or(o.Delta, o.Slack*res.Least)
	res.Features = s.best.features()
	res.Tree, err = rlpTree(ds, m, s.best, classA)
	res.Stats.Total = time.Since(begin)
	return res, err
}

// heavierAgainstRest returns the rows with the heaviest class as one and all others as the other.
func heavierAgainstRest(ds *dataset.Dataset) (m *marginRows, classA int, err error) {
	weights := ds.ClassWeights()
	classA = slices.Index(weights, slices.Max(weights))
	m, err = newMarginRows(twoClasses(ds, func(y int) bool { return y == classA }))
	return m, classA, err
}

// features returns the number of features with a weight.
func (h marginPlane) features() (n int) {
	for _, w := range h.w {
		if w != 0 {
			n++
		}
	}
	return n
}

func (o *FeatureMinOptions) complete() error {
	if o.Slack == 0 {
		o.Slack = linear.DefaultSlack
	}
	if o.Perturbed && o.Eps == 0 {
		o.Eps = linear.DefaultEps
	}
	switch {
	case o.Perturbed && !(o.Eps > 0 && o.Eps < 1):
		return fmt.Errorf("feature minimization: eps is %v, expected a number between 0 and 1", o.Eps)
	case !o.Perturbed && o.Eps != 0:
		return fmt.Errorf("feature minimization: eps is %v, but only RLP-P has an eps", o.Eps)
	case !(o.Slack >= 1) || math.IsInf(o.Slack, 1):
		return fmt.Errorf("feature minimization: slack is %v, expected a finite number >= 1", o.Slack)
	case !(o.Delta >= 0):
		return fmt.Errorf("feature minimization: delta is %v, expected 0 (default) or more", o.Delta)
	}
	return nil
}

// featureSearch is the state of a run.
type featureSearch struct {
	FeatureMinOptions
	ctx   context.Context
	m     *marginRows
	model *mio.Model    // error <= delta in row 0; columns w+ (p), w- (p), gamma, u (n); nil without LP
	own   *boundedError // without LP
	share []float64     // (n) omega_i divided by the weight of its class
	best  marginPlane
	stats FeatureMinStats
}

// errStopped ends a search early.
var errStopped = errors.New("stopped")

// minimise runs the whole method and returns the minimum error; it returns errStopped, with the
// best plane so far, if the context ended it.
func (s *featureSearch) minimise() (least float64, err error) {
	least = math.Inf(1)
	own := !s.Perturbed || s.LP == nil
	if own {
		h, end := planeOf(pulse.New(s.ctx), s.m, RLPOptions{Eps: s.Eps, Seed: s.Seed})
		h.clean()
		if end.stopped && s.Perturbed {
			return least, errStopped
		}
		s.best, least = h, end.value
		if end.stopped {
			return least, errStopped
		}
	}
	if s.LP != nil {
		if err := s.build(); err != nil {
			return least, err
		}
	}
	if !own {
		if s.best, err = s.leastPerturbed(); err != nil {
			return least, err
		}
		least = s.errorOf(s.best)
	}
	delta := cmp.Or(s.Delta, s.Slack*least)
	switch {
	case delta < least*(1-1e-9):
		return least, fmt.Errorf("feature minimization: %w: no split has an error of at most %v; the minimum is %v", formulate.ErrNoStart, delta, least)
	case s.LP != nil:
		s.bound(delta)
	default:
		if s.own = s.boundedError(delta); s.own == nil {
			return least, errStopped
		}
	}
	return least, s.search()
}

// shares computes share.
func (s *featureSearch) shares() {
	total := s.m.ds.ClassWeights()
	for i, y := range s.m.ds.Y {
		s.share = append(s.share, s.m.ds.Weight[i]/total[y])
	}
}

// errorOf returns the RLP-P error of a plane; with eps 0 the RLP error.
func (s *featureSearch) errorOf(h marginPlane) float64 {
	v := 0.0
	for i, y := range s.m.ds.Y {
		a := h.activity(s.m.row(i))
		v += (1 - s.Eps) * s.share[i] * max(0, 1-float64(2*y-1)*a)
	}
	for _, w := range h.w {
		v += s.Eps * math.Abs(w)
	}
	return v
}

// search is Algorithm 4.2.
func (s *featureSearch) search() error {
	p := s.m.p
	low, high := 1, p
	atLow, err := s.try(1)
	if err != nil || atLow == 0 {
		return err
	}
	for nu := clampInt((p+1)/2, low+1, high-1); high > low+1; { // p/2 and halves rounded up
		f, err := s.try(nu)
		if err != nil {
			return err
		}
		next := -1
		if f == 0 {
			high = nu
		} else {
			if f != atLow {
				next = int(math.Round(float64(nu) - f*float64(nu-low)/(f-atLow)))
			}
			low, atLow = nu, f
		}
		if next <= low || next >= high {
			next = (low + high + 1) / 2
		}
		nu = clampInt(next, low+1, high-1)
	}
	return nil
}

func clampInt(v, low, high int) int { return max(low, min(v, high)) }

// try is Algorithm 4.1; it keeps the plane if nu features suffice.
func (s *featureSearch) try(nu int) (float64, error) {
	s.stats.Tried = append(s.stats.Tried, nu)
	p := s.m.p
	keep := make([]float64, p)
	for j := range keep {
		keep[j] = float64(nu) / float64(p)
	}
	price, last := make([]float64, p), math.Inf(1)
	for {
		for j, r := range keep {
			price[j] = 1 - r
		}
		h, err := s.program(price)
		if err != nil {
			return 0, err
		}
		f := s.dropSmall(h, nu, keep)
		if f == 0 && s.own != nil {
			on, keeps, stopped := s.own.onFew(h)
			if stopped {
				return 0, errStopped
			}
			if h = on; !keeps {
				f = featureNoise // the dropped weights were not rounding noise
			}
		}
		if s.Notify != nil {
			s.Notify(nu, f)
		}
		if f == 0 {
			s.best = h
			return 0, nil
		}
		if f >= last*(1-1e-9) {
			return f, nil
		}
		last = f
	}
}

// featureNoise is the sum of the weights beyond nu features, relative to all weights, that counts
// as 0: a solver's tolerance.
const featureNoise = 1e-7

// dropSmall is step 2: it marks the nu largest weights and returns the sum of the others, or drops
// them and returns 0 if that sum is noise.
func (s *featureSearch) dropSmall(h marginPlane, nu int, keep []float64) float64 {
	order := make([]int, len(h.w))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := math.Abs(h.w[a]), math.Abs(h.w[b]); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	clear(keep)
	all, beyond := 0.0, 0.0
	for k, j := range order {
		size := math.Abs(h.w[j])
		all += size
		if k < nu {
			keep[j] = 1
		} else {
			beyond += size
		}
	}
	if beyond > featureNoise*all {
		return beyond
	}
	for j := range h.w {
		if keep[j] == 0 || math.Abs(h.w[j]) <= featureNoise*all {
			h.w[j] = 0
		}
	}
	return 0
}

// build builds the linear program of step 1, without costs and with row 0 free.
func (s *featureSearch) build() error {
	b := mio.NewBuilder("fm")
	b.OmitNames()
	m := s.m
	for range 2 * m.p {
		b.AddCol(0, 0, mio.Inf, mio.Continuous, "w")
	}
	gamma := b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "gamma")
	bound := b.AddRow(-mio.Inf, mio.Inf, "error")
	for j := range 2 * m.p {
		if s.Eps > 0 {
			b.Add(bound, mio.Col(j), s.Eps)
		}
	}
	looks := pulse.New(s.ctx)
	for i, y := range m.ds.Y {
		if looks.Spend(rowCells * m.p) {
			return errStopped
		}
		u := b.AddCol(0, 0, mio.Inf, mio.Continuous, "u")
		r := b.AddRow(1, mio.Inf, "side")
		sign := float64(2*y - 1)
		b.Add(r, u, 1)
		b.Add(r, gamma, -sign)
		for j, x := range m.row(i) {
			if x != 0 {
				b.Add(r, mio.Col(j), sign*x)
				b.Add(r, mio.Col(m.p+j), -sign*x)
			}
		}
		b.Add(bound, u, (1-s.Eps)*s.share[i])
	}
	var err error
	s.model, err = b.Model()
	return err
}

// rowCells is the work for two coefficients of a row, in numbers visited.
const rowCells = 50

// bound sets the maximum error to delta.
func (s *featureSearch) bound(delta float64) {
	lower, upper := slices.Clone(s.model.RowLower()), slices.Clone(s.model.RowUpper())
	upper[0] = delta
	s.model = s.model.WithRowBounds(lower, upper)
}

// leastPerturbed solves RLP-P by LP.
func (s *featureSearch) leastPerturbed() (marginPlane, error) {
	cost := make([]float64, s.model.NumCols())
	for j := range 2 * s.m.p {
		cost[j] = s.Eps
	}
	for i, share := range s.share {
		cost[2*s.m.p+1+i] = (1 - s.Eps) * share
	}
	h, err := s.solve(cost)
	if err != nil {
		return s.best, err
	}
	h.clean()
	return h, nil
}

// program minimises the sum of price_j |w_j| among the planes with error at most delta.
func (s *featureSearch) program(price []float64) (marginPlane, error) {
	if s.own != nil {
		s.stats.LPs++
		h, stopped := s.own.program(price)
		if stopped {
			return h, errStopped
		}
		return h, nil
	}
	p, cost := s.m.p, make([]float64, s.model.NumCols())
	for j, c := range price {
		cost[j], cost[p+j] = c, c
	}
	return s.solve(cost)
}

// solve minimises the costs.
func (s *featureSearch) solve(cost []float64) (marginPlane, error) {
	if s.ctx.Err() != nil {
		return marginPlane{}, errStopped
	}
	sol, err := s.LP(s.ctx, s.model.WithCost(mio.Minimize, 0, cost))
	s.stats.LPs++
	switch {
	case err != nil && s.ctx.Err() != nil && errors.Is(err, s.ctx.Err()):
		return marginPlane{}, errStopped
	case err != nil:
		return marginPlane{}, fmt.Errorf("feature minimization: %w", err)
	case sol.Limit != mio.NoLimit:
		return marginPlane{}, errStopped
	case sol.Status != mio.Optimal:
		return marginPlane{}, fmt.Errorf("feature minimization: a linear program ended with status %s (%s)", sol.Status, sol.Raw)
	}
	h := marginPlane{make([]float64, s.m.p), sol.Values[2*s.m.p]}
	for j := range h.w {
		h.w[j] = sol.Values[j] - sol.Values[s.m.p+j]
	}
	return h, nil
}

// boundedError solves step 1 of Algorithm 4.1 without a solver,
//
//	min over w, gamma  C(w) = sum_j c_j |w_j|   subject to E(w, gamma) <= delta
//
// with c >= 0 and the error E of RLP or RLP-P. Both functions are convex, so for the multiplier mu
// >= 0 of the constraint the optimum minimises C + mu E. Between two planes that minimise it for
// the same mu, both C and E are linear: if one of the two satisfies the constraint and the other
// does not, the point between them with E = delta is optimal. The multiplier comes from a secant
// method (Eisner & Severance 1976): given a plane that satisfies the constraint and one that does
// not, the line through their points (E, C) has the slope -mu. A plane below the line replaces the
// one on its side; in the end, none is below it. Each step is a descent from the last vertex.
type boundedError struct {
	*featureSearch
	hinges *hinge.Program
	delta  float64
	least  marginPlane // plane with the minimum error, at most delta
}

// boundedError returns the state for delta, nil if the context has ended.
func (s *featureSearch) boundedError(delta float64) *boundedError {
	h := s.m.hinges(pulse.New(s.ctx), s.Seed)
	if h == nil {
		return nil
	}
	return &boundedError{s, h, delta, s.best}
}

// minimum returns a plane that minimises mu times the error plus prices.
func (b *boundedError) minimum(mu float64, price []float64) (marginPlane, descentEnd) {
	h, per := b.hinges, 1/(1+mu)
	for i, share := range b.share {
		h.Weight[i] = per * mu * (1 - b.Eps) * share
	}
	for j, c := range price {
		h.Price[j] = per * (c + mu*b.Eps)
	}
	return solved(h, math.MaxInt)
}

// boundTolerance is the amount by which an error may exceed delta; parametricGain is the relative
// distance by which a plane must be below the line. Both allow for rounding in prices and descents.
const (
	boundTolerance  = 1e-8
	parametricGain  = 1e-6
	parametricSteps = 200
)

// program returns an optimum for these prices; stopped reports that the context ended first.
func (b *boundedError) program(price []float64) (_ marginPlane, stopped bool) {
	within := b.least
	if b.costOf(within, price) == 0 {
		return within, false
	}
	beyond, stopped := b.free(price)
	if stopped || b.errorOf(beyond) <= b.delta+boundTolerance {
		return beyond, stopped
	}
	for range parametricSteps {
		cw, ew, cb, eb := b.costOf(within, price), b.errorOf(within), b.costOf(beyond, price), b.errorOf(beyond)
		if cw <= cb || eb <= ew { // rounding
			break
		}
		mu := (cw - cb) / (eb - ew)
		h, end := b.minimum(mu, price)
		if end.stopped {
			return within, true
		}
		e := b.errorOf(h)
		if b.costOf(h, price)+mu*e >= (cw+mu*ew)*(1-parametricGain) {
			break
		}
		if e <= b.delta+boundTolerance {
			within = h
		} else {
			beyond = h
		}
	}
	return b.between(within, beyond), false
}

// between returns the plane between the two whose error is delta.
func (b *boundedError) between(within, beyond marginPlane) marginPlane {
	ew, eb := b.errorOf(within), b.errorOf(beyond)
	t := max(0, min(1, (b.delta-ew)/(eb-ew)))
	if !(t > 0) {
		return within
	}
	h := marginPlane{make([]float64, len(within.w)), within.gamma + t*(beyond.gamma-within.gamma)}
	for j, w := range within.w {
		h.w[j] = w + t*(beyond.w[j]-w)
	}
	return h
}

func (b *boundedError) costOf(h marginPlane, price []float64) float64 {
	c := 0.0
	for j, w := range h.w {
		c += price[j] * math.Abs(w)
	}
	return c
}

// onFew returns the plane with the minimum error on the features of h; keeps reports whether it is
// within delta.
func (b *boundedError) onFew(h marginPlane) (on marginPlane, keeps, stopped bool) {
	price := make([]float64, len(h.w))
	for j, w := range h.w {
		if w == 0 {
			price[j] = 1
		}
	}
	on, stopped = b.free(price)
	return on, b.errorOf(on) <= b.delta+boundTolerance, stopped
}

// free returns the plane with the minimum error on the features without a price.
func (b *boundedError) free(price []float64) (_ marginPlane, stopped bool) {
	h := marginPlane{w: make([]float64, b.m.p)}
	if !slices.Contains(price, 0) {
		return h, false
	}
	p := b.m.hinges(b.hinges.Pulse, b.Seed)
	if p == nil {
		return h, true
	}
	for i := range p.Weight {
		p.Weight[i] *= 1 - b.Eps
	}
	for j, c := range price {
		p.Price[j], p.Banned[j] = b.Eps, c != 0
	}
	h, end := solved(p, math.MaxInt)
	return h, end.stopped
}
