package vertex

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/octgen/octgen/dataset"
)

// LimitedOptions are the settings of LimitedFeatures.
type LimitedOptions struct {
	Nu   int     // most features, at least 1
	Eps  float64 // of RLP-P, in (0, 1); 0: the error of RLP
	Seed uint64  // of RLP
}

// LimitedFeatures seeks the linear split of least error on at most nu features: Algorithm 4.1 of
// Bredensteiner & Bennett (1996) for problem (9),
//
//	min over w, gamma, r  E(w, gamma) + alpha |w|.(e - r)   subject to 0 <= r <= e, e.r <= nu
//
// with the error E of RLP or RLP-P, alternately over w, a descent, and r, which is 1 on the nu largest
// |w_j|. The paper leaves alpha and the first r open: r is nu/p for all features, and alpha doubles
// until no weight is beyond nu features. Each w gives a split of least error on its nu largest
// features; the result is the best of these. It is a heuristic for what linear.LFM solves exactly,
// with the classes, units and weights of linear.RLP.
//
// Errors and the end by ctx are those of FeatureMin; the result's Delta is +Inf.
func LimitedFeatures(ctx context.Context, ds *dataset.Dataset, o LimitedOptions) (*FeatureMinResult, error) {
	begin := time.Now()
	if o.Nu < 1 || !(o.Eps >= 0 && o.Eps < 1) {
		return nil, fmt.Errorf("limited features: nu is %d and eps %v, expected nu of at least 1 and eps within [0, 1)", o.Nu, o.Eps)
	}
	m, classA, err := heavierAgainstRest(ds)
	if err != nil {
		return nil, fmt.Errorf("limited features: %w", err)
	}
	s := &featureSearch{FeatureMinOptions: FeatureMinOptions{Perturbed: o.Eps > 0, Eps: o.Eps, Seed: o.Seed}, ctx: ctx, m: m, best: marginPlane{w: make([]float64, m.p)}}
	s.shares()
	res := &FeatureMinResult{Delta: math.Inf(1)}
	res.Least = s.limited(min(o.Nu, m.p))
	res.Error, res.Features, res.Stats = s.errorOf(s.best), s.best.features(), s.stats
	res.Tree, err = rlpTree(ds, m, s.best, classA)
	res.Stats.Total = time.Since(begin)
	return res, err
}

const (
	firstAlpha = 1.0 / 64
	lastAlpha  = 1 << 20
)

// limited sets best and returns the least error of any split; Stats says where ctx ended it.
func (s *featureSearch) limited(nu int) (least float64) {
	b := s.boundedError(math.Inf(1))
	if b == nil {
		s.stats.Stopped = true
		return s.errorOf(s.best)
	}
	all, stopped := b.free(make([]float64, s.m.p))
	least, s.stats.Stopped = s.errorOf(all), stopped
	found := math.Inf(1)
	keep, price := make([]float64, s.m.p), make([]float64, s.m.p)
	take := func(h marginPlane) bool { // the split on the features of h
		s.stats.LPs++
		on, _, stopped := b.onFew(h)
		if e := s.errorOf(on); !stopped && e < found {
			s.best, found = on, e
		}
		return !stopped
	}
	s.dropSmall(all, nu, keep)
	if s.stats.Stopped || !take(onlyKept(all, keep)) {
		s.stats.Stopped = true
		return least
	}
	for alpha := firstAlpha; alpha <= lastAlpha; alpha *= 2 {
		for j := range keep {
			keep[j] = float64(nu) / float64(s.m.p)
		}
		beyond, last := 0.0, math.Inf(1)
		for {
			for j, r := range keep {
				price[j] = 1 - r
			}
			s.stats.LPs++
			h, end := b.minimum(1/alpha, price)
			if end.stopped {
				s.stats.Stopped = true
				return least
			}
			beyond = s.dropSmall(h, nu, keep)
			if value := s.errorOf(h) + alpha*beyond; value < last*(1-1e-9) {
				last = value
				if !take(onlyKept(h, keep)) {
					s.stats.Stopped = true
					return least
				}
				continue
			}
			break
		}
		if beyond == 0 {
			break
		}
	}
	return least
}

// onlyKept returns h without the weights that keep does not mark.
func onlyKept(h marginPlane, keep []float64) marginPlane {
	few := marginPlane{make([]float64, len(h.w)), h.gamma}
	for j, r := range keep {
		if r == 1 {
			few.w[j] = h.w[j]
		}
	}
	return few
}
