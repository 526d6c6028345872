package prices

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/octgen/octgen/tree"
)

// solver is a run of Solve.
type solver struct {
	ctx   context.Context
	p     *problem
	o     *Options
	label *labeller
	began time.Time

	work        int64
	evaluations int

	shape  *shape // of the best feasible tree; nil for none
	labels []int
	value  float64 // its value, in weight; +Inf for none
	bound  float64 // lower bound on the value of all feasible trees
	prices []float64
	shown  bool       // enumeration showed that there is no tree
	hidden bool       // rounding hides whether the window has better trees
	last   *tree.Tree // of the last evaluation
	shapes []*shape   // of evaluations, the last at the end
}

// take makes p the problem; p may be the same problem with other costs.
func (s *solver) take(p *problem) {
	s.p, s.label = p, newLabeller(p)
	if s.o.labelSteps > 0 {
		s.label.most = s.o.labelSteps
	}
}

// stop reports whether a limit was reached.
func (s *solver) stop() bool {
	return s.ctx.Err() != nil || s.o.WorkLimit > 0 && s.work >= s.o.WorkLimit
}

// spend counts work.
func (s *solver) spend(cells int) { s.work += int64(cells) }

// known returns the value below which trees are of interest.
func (s *solver) known() float64 {
	if s.o.cutoff > 0 {
		return min(s.value, s.o.cutoff*s.p.scale)
	}
	return s.value
}

// closed reports whether no tree is of interest any more: the best one is proved optimal.
func (s *solver) closed() bool { return s.known() < math.Inf(1) && s.p.closes(s.bound, s.known()) }

// raise raises the bound.
func (s *solver) raise(bound float64, prices []float64) {
	if bound > s.bound {
		s.bound, s.prices = bound, slices.Clone(prices)
		s.report()
	}
}

// consider labels the leaves of a shape as well as the rows allow, and keeps the tree if it is the
// best so far. It reports whether it is.
func (s *solver) consider(t *shape) bool {
	s.spend(s.p.n * s.p.depth)
	sums := s.p.sums(t)
	return s.p.admits(sums) && s.keepBest(t, sums)
}

// keepBest is consider for an admitted shape whose sums are known.
func (s *solver) keepBest(t *shape, sums *sums) bool {
	price := s.p.price * float64(t.splits())
	s.label.order(t)
	labels, cost := s.label.solve(sums, s.value-price, 0)
	if labels == nil {
		return false
	}
	s.shape, s.labels, s.value = t.clone(), slices.Clone(labels), cost+price
	s.report()
	return true
}

// keep is keepBest with given labels that satisfy all rows. If the search for labels gives up,
// these may be better than all the labels it saw.
func (s *solver) keep(t *shape, sums *sums, labels []int) bool {
	value := s.p.price * float64(t.splits())
	for l, k := range labels {
		value += sums.cost[l*s.p.k+k]
	}
	if value >= s.value*(1-same) {
		return false
	}
	s.shape, s.labels, s.value = t.clone(), slices.Clone(labels), value
	s.report()
	return true
}

func (s *solver) report() {
	if s.o.Progress == nil {
		return
	}
	s.o.Progress(Progress{
		Objective: s.value / s.p.scale, Bound: min(s.value, max(0, s.p.possibleValue(s.bound))) / s.p.scale, Seconds: time.Since(s.began).Seconds(),
	})
}
