package decompose

import (
	"context"
	"fmt"
	"slices"

	"github.com/octgen/octgen/mio"
)

type hitting struct {
	p      *parting
	left   int // labels
	right  int
	offset float64 // objective of all rows of other classes
	priced bool
	subs   []*subsystem
	seen   map[string]bool
	bound  float64 // on the objective, of trees of these labels with a split
}

func (s *search) newHitting(left, right int) *hitting {
	h := &hitting{p: s.newParting(left, right), left: left, right: right, seen: map[string]bool{}, priced: s.alpha > 0 || s.o.Form.MaxSplits > 0}
	for i := range s.n() {
		if c := s.class(i); c != left && c != right {
			h.offset += s.weight(i) / s.lhat
		}
	}
	return h
}

func (h *hitting) add(sub *subsystem) bool {
	if !h.priced && len(sub.but) > 0 {
		return false // it holds on features that are none: the numbers were too close
	}
	key := fmt.Sprint(sub.rows, sub.but)
	if h.seen[key] {
		return false
	}
	h.seen[key] = true
	h.subs = append(h.subs, sub)
	return true
}

type point struct {
	given []float64 // (rows) y
	used  []float64 // (features) s; nil for all 1
}

type kind int

const (
	linear    kind = iota // the optimum of its own linear relaxation
	anyPoint              // a point better than the best tree, or that there is none
	bestPoint             // the optimum of such points
)

func (h *hitting) model(k kind) (m *mio.Model, col []mio.Col, err error) {
	b := mio.NewBuilder("hitting-set")
	b.OmitNames()
	b.AddOffset(h.offset)
	typ := mio.Binary
	if k == linear {
		typ = mio.Continuous
	}
	s := h.p.s
	col = make([]mio.Col, len(h.p.rows))
	for q := range col {
		col[q] = -1
	}
	h.featureColumns(b, typ)
	for _, sub := range h.subs {
		r := b.AddRow(1, mio.Inf, "")
		for _, q := range sub.rows {
			if col[q] < 0 {
				col[q] = b.AddCol(s.weight(int(h.p.rows[q]))/s.lhat, 0, 1, typ, "")
			}
			b.Add(r, col[q], 1)
		}
		for _, j := range sub.but {
			b.Add(r, mio.Col(j), 1)
		}
	}
	if k != linear {
		h.cutoffRow(b, col)
	}
	m, err = b.Model()
	return m, col, err
}

func (h *hitting) featureColumns(b *mio.Builder, typ mio.VarType) {
	if !h.priced {
		return
	}
	s := h.p.s
	most := float64(s.p())
	if c := s.o.Form.MaxSplits; c > 0 {
		most = min(most, float64(c))
	}
	r := b.AddRow(1, most, "")
	for range s.p() {
		b.Add(r, b.AddCol(s.alpha, 0, 1, typ, ""), 1)
	}
}

func (h *hitting) cutoffRow(b *mio.Builder, col []mio.Col) {
	s := h.p.s
	r := b.AddRow(-mio.Inf, s.better()-h.offset, "cutoff")
	for q, c := range col {
		if c >= 0 {
			b.Add(r, c, s.weight(int(h.p.rows[q]))/s.lhat)
		}
	}
	if h.priced && s.alpha > 0 {
		for j := range s.p() {
			b.Add(r, mio.Col(j), s.alpha)
		}
	}
}

func (h *hitting) solve(ctx context.Context, k kind) (*point, error) {
	m, col, err := h.model(k)
	if err != nil {
		return nil, err
	}
	s := h.p.s
	l := Limits{First: k == anyPoint}
	if k == bestPoint {
		l.AbsGap = s.grid.AbsGap()
	}
	sol, err := s.o.Solve(ctx, m, l)
	if err != nil {
		return nil, err
	}
	s.rounds++
	bound := s.roundUpObjective(sol.Bound)
	if sol.Status == mio.Infeasible {
		bound = s.noneBetter()
	}
	if k == linear && sol.Status != mio.Optimal && sol.Status != mio.Infeasible {
		return nil, nil
	}
	h.bound = max(h.bound, bound)
	if !sol.Status.HasSolution() {
		return nil, nil
	}
	pt := &point{given: make([]float64, len(col))}
	for q, c := range col {
		if c >= 0 {
			pt.given[q] = sol.Values[c]
		}
	}
	if h.priced {
		pt.used = slices.Clone(sol.Values[:s.p()])
	}
	return pt, nil
}

func (s *search) roundUpObjective(bound float64) float64 {
	if s.grid != nil {
		return s.grid.RoundUp(bound)
	}
	return bound - s.slack()
}

func (pt *point) violation(sub *subsystem) float64 {
	v := 1.0
	for _, q := range sub.rows {
		v -= pt.given[q]
	}
	for _, j := range sub.but {
		if pt.used != nil {
			v -= pt.used[j]
		}
	}
	return v
}

func (pt *point) features() []bool {
	if pt.used == nil {
		return nil
	}
	use := make([]bool, len(pt.used))
	for j, v := range pt.used {
		use[j] = v > 1e-6
	}
	return use
}
