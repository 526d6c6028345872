package prices

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mio/verify"
	"github.com/octgen/octgen/tree"
)

// Solve searches for the best tree for ds that satisfies the rows of o and bounds the objective of
// all such trees. If ctx ends, or a time or work limit is reached, the result has that status; this
// is never an error. Solve returns an error if an option is out of range or the rows do not match
// ds.
func Solve(ctx context.Context, ds *dataset.Dataset, o Options) (*Result, error) {
	began := time.Now()
	if err := o.validate(ds); err != nil {
		return nil, err
	}
	if ds.TooFarApart() {
		return &Result{Objective: math.Inf(1), Gap: math.Inf(1), Status: mio.NoSolution, Blurred: tooFarApart}, nil
	}
	if o.MaxColumns > 0 || o.ColumnCost != nil {
		return solveColumns(ctx, ds, o, began)
	}
	r := &Result{Objective: math.Inf(1), Status: mio.NoSolution}
	p, err := newProblem(ctx, ds, &o)
	if err != nil {
		if ctx.Err() == nil {
			return nil, err
		}
		r.Limit, r.Gap, r.Runtime = mio.LimitOf(ctx), math.Inf(1), time.Since(began)
		return r, nil
	}
	s := &solver{ctx: ctx, o: &o, began: began, value: math.Inf(1), bound: math.Inf(-1)}
	s.take(p)
	if err := s.run(); err != nil {
		return nil, err
	}
	for s.blurred() {
		s.take(p.near(s.value))
		before := s.value
		if err := s.again(); err != nil {
			return nil, err
		}
		if !(s.value < before) {
			break
		}
	}
	return r, s.finish(r, ds)
}

// Values of Result.Blurred.
const (
	tooFarApart = "weights or costs lie too far apart for double precision"
	leftOpen    = "the constraints leave more trees open than the search can enumerate; --engine mio may prove optimality"
)

// blurred reports whether the search completed with an unproved tree whose value is small compared
// with the rounding of all costs.
func (s *solver) blurred() bool {
	return s.shape != nil && s.value > 0 && !s.closed() && !s.stop() && s.p.step == 0 &&
		!verify.Negligible(s.p.gain(s.value), s.value)
}

// again repeats run near the value of the best tree.
func (s *solver) again() error {
	s.shapes = append(s.shapes[:0], s.shape)
	if err := s.dual(); err != nil || s.closed() {
		return err
	}
	s.polish(0)
	s.enumerate()
	return nil
}

// run performs the whole search, until the best tree is proved or a limit is reached.
func (s *solver) run() error {
	if !s.p.possible() {
		s.bound, s.shown = math.Inf(1), true
		return nil
	}
	s.consider(s.p.first())
	if s.p.n < 2 || s.p.pre.P() == 0 { // there is no other shape
		s.bound, s.shown = s.value, s.shape == nil
		return nil
	}
	for _, t := range s.o.Start {
		if shape := s.p.admitted(t); shape != nil {
			s.shapes = append(s.shapes, shape)
			s.consider(shape)
		}
	}
	if err := s.dual(); err != nil || s.closed() {
		return err
	}
	if s.shape == nil && len(s.p.dims) > 0 && !s.stop() {
		if err := s.feasible(); err != nil || s.bound == math.Inf(1) {
			return err
		}
	}
	if s.o.quick {
		s.polish(0)
		return nil
	}
	if s.twoLevels() {
		return nil
	}
	s.polish(0)
	s.enumerate()
	s.polish(mostKicks)
	return nil
}

// enumerate enumerates the window of the best tree: first with the rows that have a price, then
// also with those that its trees violate.
func (s *solver) enumerate() {
	prices := s.prices
	if prices == nil || s.closed() {
		return
	}
	var active []int
	for d, u := range prices {
		switch m := &s.p.dims[d]; {
		case u > 0:
			active = append(active, m.up)
		case u < 0:
			active = append(active, m.down)
		}
	}
	most := mostActive - 1 // the number of splits may be a sum
	if s.p.signs != nil {
		most -= 2
	}
	for len(active) <= most && !s.closed() && !s.stop() {
		f := newFrontier(s, prices, active, math.MaxInt64/2)
		bound, ended := f.run()
		s.shown = bound == math.Inf(1)
		s.raise(bound, prices)
		if !ended || s.closed() {
			return
		}
		known := len(active)
		for _, r := range f.broken {
			if !slices.Contains(active, r) {
				active = append(active, r)
			}
		}
		if len(active) == known { // only rounding leaves a gap
			s.hidden = s.hidden || f.violator != nil
			return
		}
		s.shapes = append(s.shapes, f.violator)
	}
}

// mostPrice is the maximum price, per unit of its dim.
const mostPrice = 64

// dual maximises L.
func (s *solver) dual() error {
	worst := s.p.worst()
	took := func(e *evaluation) bool {
		s.took(e)
		if e.bound > worst {
			s.bound = math.Inf(1)
			return false
		}
		s.raise(e.bound, e.u)
		return !s.closed()
	}
	if len(s.o.first) == len(s.p.dims) && len(s.o.first) > 0 {
		e, err := s.evaluate(s.o.first, 1)
		if err != nil || !took(e) {
			return err
		}
	}
	best, err := s.maximise(1, mostPrice, took)
	if err == nil {
		s.label.setPrices(best.u)
	}
	return err
}

// feasible searches for prices at which every tree violates the rows, and for feasible trees along
// the way.
func (s *solver) feasible() error {
	_, err := s.maximise(0, 1, func(e *evaluation) bool {
		s.took(e)
		if e.bound > 0 {
			s.bound, s.prices = math.Inf(1), e.u
			return false
		}
		return s.shape == nil
	})
	return err
}

// maximise maximises over all prices up to most.
func (s *solver) maximise(costs, most float64, took func(*evaluation) bool) (*evaluation, error) {
	if len(s.p.dims) == 1 {
		return s.climb(costs, most, took)
	}
	return s.ascend(make([]float64, len(s.p.dims)), costs, most, took)
}

// took stores the results of an evaluation.
func (s *solver) took(e *evaluation) {
	s.shapes = append(s.shapes, e.shape)
	s.label.setPrices(e.u)
	s.consider(e.shape)
}

// finish scores the result on the data.
func (s *solver) finish(r *Result, ds *dataset.Dataset) error {
	p := s.p
	r.u = s.prices
	r.Evaluations, r.Work, r.Runtime = s.evaluations, s.work, time.Since(s.began)
	r.Bound = max(0, p.possibleValue(s.bound)) / p.scale
	for i := range p.rows {
		r.Prices = append(r.Prices, 0)
		for d, m := range p.dims {
			if s.prices != nil && (m.up == i && s.prices[d] > 0 || m.down == i && s.prices[d] < 0) {
				r.Prices[i] = math.Abs(s.prices[d])
			}
		}
	}
	switch {
	case s.bound == math.Inf(1):
		if s.shape != nil {
			return fmt.Errorf("prices: internal error: proved infeasible, but a tree satisfies the constraints")
		}
		r.Status, r.Bound = mio.Infeasible, math.Inf(1)
		for i, v := range r.Prices {
			if v > 0 || s.shown {
				r.Broken = append(r.Broken, p.rows[i].text)
			}
		}
		return nil
	case s.shape == nil:
		r.Status, r.Gap = mio.NoSolution, math.Inf(1)
	default:
		r.Tree = p.tree(s.shape, s.labels)
		if err := s.check(r.Tree, ds); err != nil {
			return err
		}
		r.Objective = tree.Objective(r.Tree.Evaluate(ds).Excess, p.scale, s.o.Alpha, r.Tree.Splits())
		if math.IsInf(r.Objective, 1) {
			return fmt.Errorf("prices: costs lie too far apart: the best tree under the constraints costs %g, the best single leaf, by which the objective divides, %g", s.value, p.scale)
		}
		r.Status = mio.Feasible
		if s.closed() {
			r.Status, r.Bound = mio.Optimal, r.Objective
		}
		r.Bound = min(r.Bound, r.Objective)
		r.Gap = mio.Gap(r.Objective, r.Bound)
	}
	if r.Status != mio.Optimal {
		r.Limit = mio.LimitOf(s.ctx)
		if r.Limit == mio.NoLimit && s.stop() {
			r.Limit = mio.LimitIterations
		}
		switch {
		case r.Limit != mio.NoLimit:
		case s.o.quick || s.closed(): // by the cutoff
		case s.hidden || s.blurred():
			r.Blurred = tooFarApart
		default:
			r.Blurred = leftOpen
		}
	}
	return nil
}

// check verifies the tree's constraint sums row by row.
func (s *solver) check(t *tree.Tree, ds *dataset.Dataset) error {
	predicted := make([]int, ds.N())
	for i := range predicted {
		predicted[i] = t.Predict(ds.Row(i))
	}
	for i := range s.o.Rows {
		r := &s.o.Rows[i]
		sum := r.Sum(predicted)
		if sum > s.p.rows[i].h+s.p.rows[i].noise {
			return fmt.Errorf("prices: internal error: a tree violates %s: %v, at most %v", r.Text, sum, s.p.rows[i].h)
		}
	}
	value := t.Evaluate(ds).Excess + s.p.price*float64(t.Splits())
	if !verify.Same(value, s.value) {
		return fmt.Errorf("prices: internal error: a tree costs %v, not %v", value, s.value)
	}
	return nil
}
