package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
)

// choice is the trees that a page shows of a data first: that of the best method with a
// proof, and CART's beside it.
type choice struct {
	best, beside string // methods; beside may be ""
	split        string
	proved       bool
}

// choose finds the trees of a data that are shown first; false where it has none.
//
// The best is the method of least mean test error among those that have proved trees, or
// among all where none has. Of its splits the one is shown, proved if one is, whose test
// error is nearest to the mean: the best one would promise too much.
func (s *Summary) choose(data string) (choice, bool) {
	var all, others, proving []string
	for _, m := range s.Spec.MethodNames() {
		records := s.shown(data, m)
		if len(records) == 0 {
			continue
		}
		all = append(all, m)
		if !isCART(records) {
			others = append(others, m)
			if slices.ContainsFunc(records, provedTree) {
				proving = append(proving, m)
			}
		}
	}
	for _, of := range [][]string{proving, others, all} {
		if len(of) > 0 {
			c := choice{best: s.leastError(data, of)}
			c.beside = s.besideOf(data, c.best, all)
			c.split, c.proved = s.typical(data, c)
			return c, true
		}
	}
	return choice{}, false
}

// shown returns the records of a method on one data whose trees can be shown.
func (s *Summary) shown(data, method string) []*run.Record {
	return slices.DeleteFunc(s.of(data, method), func(r *run.Record) bool { return !s.trees[r.ID] })
}

func provedTree(r *run.Record) bool { return metric.Proved(r.Result) }

// isCART says whether the trees are CART's.
func isCART(records []*run.Record) bool {
	return slices.Contains([]string{"cart", "cart-tuned"}, records[0].Result.Method)
}

// leastError is the method of the best mean, the first of equal ones.
func (s *Summary) leastError(data string, of []string) string {
	return slices.MinFunc(of, func(a, b string) int { return cmp.Compare(s.meanError(data, a), s.meanError(data, b)) })
}

// meanError is what a method is judged by, such that less is better: +Inf for none.
func (s *Summary) meanError(data, method string) float64 {
	j := s.judge()
	if r := s.find(data, method, j.metric); r.N > 0 {
		return j.better(r.Mean)
	}
	return math.Inf(1)
}

// besideOf is the method whose tree stands beside that of best: its baseline where that is
// CART, else the best CART, else its baseline; "" for none.
func (s *Summary) besideOf(data, best string, all []string) string {
	baseline := s.Spec.BaselineOf(best)
	carts := slices.DeleteFunc(slices.Clone(all), func(m string) bool { return m == best || !isCART(s.shown(data, m)) })
	switch {
	case slices.Contains(carts, baseline):
		return baseline
	case len(carts) > 0:
		return s.leastError(data, carts)
	case slices.Contains(all, baseline):
		return baseline
	}
	return ""
}

// typical is the split that stands for all.
func (s *Summary) typical(data string, c choice) (split string, proved bool) {
	mean, j := s.meanError(data, c.best), s.judge()
	of := s.find(data, c.best, j.metric).values
	beside := s.shown(data, c.beside)
	r := slices.MinFunc(s.shown(data, c.best), func(a, b *run.Record) int {
		lacks := func(r *run.Record) bool {
			return !slices.ContainsFunc(beside, func(b *run.Record) bool { return b.Split == r.Split })
		}
		away := func(r *run.Record) float64 {
			if v, ok := of[r.Split]; ok && finite(v) {
				return math.Abs(j.better(v) - mean)
			}
			return math.Inf(1)
		}
		return cmp.Or(first(provedTree(a), provedTree(b)), first(!lacks(a), !lacks(b)), cmp.Compare(away(a), away(b)))
	})
	return r.Split, provedTree(r)
}

// first orders what holds before what does not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
