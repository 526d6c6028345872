package vertex

import (
	"errors"
	"fmt"
	"slices"

	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
)

// build makes the linear program of step 1, without costs and with row 0 free.
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

// rowCells is what two coefficients of a row cost, in numbers looked at.
const rowCells = 50

// bound makes delta the most error.
func (s *featureSearch) bound(delta float64) {
	lower, upper := slices.Clone(s.model.RowLower()), slices.Clone(s.model.RowUpper())
	upper[0] = delta
	s.model = s.model.WithRowBounds(lower, upper)
}

// leastPerturbed solves RLP-P.
func (s *featureSearch) leastPerturbed() (marginPlane, error) {
	if s.LP == nil {
		h, end := perturbedPlane(pulse.New(s.ctx), s.m, RLPOptions{Eps: s.Eps, Seed: s.Seed})
		h.clean()
		if end.stopped {
			return s.best, errStopped
		}
		return h, nil
	}
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

// program minimises the sum of price_j |w_j| among the planes whose error is at most delta.
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
		return marginPlane{}, fmt.Errorf("feature minimization: a linear program ended %s (%s)", sol.Status, sol.Raw)
	}
	h := marginPlane{make([]float64, s.m.p), sol.Values[2*s.m.p]}
	for j := range h.w {
		h.w[j] = sol.Values[j] - sol.Values[s.m.p+j]
	}
	return h, nil
}
