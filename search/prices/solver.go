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

	shape  *shape // of the best tree that keeps the rows; nil for none
	labels []int
	value  float64 // of it, in weight; +Inf for none
	bound  float64 // on the value of all trees that keep the rows
	prices []float64
	shown  bool       // that there is no tree, by looking at all
	hidden bool       // rounding keeps the window from saying whether there are better trees
	last   *tree.Tree // of the last evaluation
	shapes []*shape   // of evaluations, the last at the end
}

// take makes p, or the same with other costs, the problem.
func (s *solver) take(p *problem) {
	s.p, s.label = p, newLabeller(p)
	if s.o.labelSteps > 0 {
		s.label.most = s.o.labelSteps
	}
}

// stop says whether a limit was reached.
func (s *solver) stop() bool {
	return s.ctx.Err() != nil || s.o.WorkLimit > 0 && s.work >= s.o.WorkLimit
}

// spend books work on all points.
func (s *solver) spend(cells int) { s.work += int64(cells) }

// closed says whether the best tree is proved so.
func (s *solver) closed() bool { return s.value < math.Inf(1) && s.p.closes(s.bound, s.value) }

// raise takes a bound.
func (s *solver) raise(bound float64, prices []float64) {
	if bound > s.bound {
		s.bound, s.prices = bound, slices.Clone(prices)
		s.report()
	}
}

// consider labels the leaves of a shape as well as the rows allow, and keeps the tree
// where it is the best one. It says whether it is.
func (s *solver) consider(t *shape) bool {
	s.spend(s.p.n * s.p.depth)
	sums := s.p.sums(t)
	return s.p.admits(sums) && s.keepBest(t, sums)
}

// keepBest is consider for a shape that is admitted and whose sums are known.
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

// keep is keepBest with labels that keep all rows, as found: where the search for labels gives up, they
// may be better than all that it saw.
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
