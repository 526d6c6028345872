package parts

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// hitting is the relaxation of the best hyperplane for two classes by the subsystems found:
//
//	min  offset + (1/Lhat) sum_i w_i y_i + alpha sum_j s_j
//	sum_{i in I} y_i + sum_{j in B} s_j >= 1    for each subsystem (I, B)
//	1 <= sum_j s_j <= C                         if features are penalised or limited
//
// y_i: row i is given up; s_j: feature j is used, 1 without penalties and limits.
type hitting struct {
	p      *parting
	left   int // labels
	right  int
	offset float64 // objective of all rows of other classes
	priced bool
	subs   []*subsystem
	seen   map[string]bool
	bound  float64 // lower bound on the objective of trees with these labels and a split
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

// add adds a subsystem and reports whether it is new.
func (h *hitting) add(sub *subsystem) bool {
	if !h.priced && len(sub.but) > 0 {
		return false // it holds without any feature: the numbers were too close
	}
	key := fmt.Sprint(sub.rows, sub.but)
	if h.seen[key] {
		return false
	}
	h.seen[key] = true
	h.subs = append(h.subs, sub)
	return true
}

// point is a solution of the relaxation, by positions and features.
type point struct {
	given []float64 // (rows) y
	used  []float64 // (features) s; nil for all 1
}

// kind is the question to the relaxation.
type kind int

const (
	linear    kind = iota // the optimum of its own linear relaxation
	anyPoint              // a point better than the best tree, or a proof that there is none
	bestPoint             // the optimum over such points
)

// model builds the relaxation. col is the column of each position, -1 if the row is in no
// subsystem.
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

// featureColumns adds s_j, the first columns, and 1 <= sum_j s_j <= C.
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

// cutoffRow requires an objective at least one step below that of the best tree.
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

// solve applies the bound of the relaxation and returns a point; nil if there was no time for one,
// or none exists.
func (h *hitting) solve(ctx context.Context, k kind) (*point, error) {
	m, col, err := h.model(k)
	if err != nil {
		return nil, err
	}
	s := h.p.s
	l := Limits{First: k == anyPoint, Certain: true}
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

// roundUpObjective subtracts tolerances from a bound and rounds it up to the next value of the
// objective.
func (s *search) roundUpObjective(bound float64) float64 {
	if s.grid != nil {
		return s.grid.RoundUp(bound)
	}
	return bound - s.slack()
}

// violation returns by how much the point fails to hit the subsystem.
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

// features returns the features that the point uses; nil for all.
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

// value returns the objective of a point of the relaxation.
func (h *hitting) value(pt *point) float64 {
	v := h.offset
	for q, y := range pt.given {
		v += y * h.p.s.weight(int(h.p.rows[q])) / h.p.s.lhat
	}
	for _, u := range pt.used {
		v += u * h.p.s.alpha
	}
	return v
}

// within returns a subsystem of rows that pt keeps, nil if they can be separated: first at random
// costs, which may include rows given up, then excluding these.
func (s *search) within(h *hitting, pt *point, use []bool) *subsystem {
	cost := make([]float64, len(pt.given))
	for q, y := range pt.given {
		cost[q] = 100*y + s.rng.ExpFloat64()
	}
	for range 2 {
		sub := h.p.find(cost, use)
		if sub == nil {
			return nil
		}
		kept := true
		for _, q := range sub.rows {
			kept = kept && pt.given[q] < 0.5
		}
		if kept && (h.priced || len(sub.but) == 0) {
			return sub
		}
		copy(cost, pt.given)
	}
	return nil
}

// lightest returns the row of a subsystem to give up: a light one that is in many others.
func (s *search) lightest(h *hitting, sub *subsystem) int32 {
	best, least := sub.rows[0], math.Inf(1)
	for _, q := range sub.rows {
		score := s.weight(int(h.p.rows[q])) / float64(1+h.often(q)) * (1 + 0.5*s.rng.Float64())
		if score < least {
			best, least = q, score
		}
	}
	return best
}

// often returns the number of subsystems found that contain a row.
func (h *hitting) often(q int32) (n int) {
	for _, sub := range h.subs {
		if _, is := slices.BinarySearch(sub.rows, q); is {
			n++
		}
	}
	return n
}

// widest returns the hyperplane with the maximum margin between the rows that pt keeps, as a split;
// nil if they are all on one side.
func (s *search) widest(ctx context.Context, p *parting, pt *point, use []bool) (*tree.Split, error) {
	var kept []int32
	var sides [2][]int32
	for q, y := range pt.given {
		if y < 0.5 {
			kept = append(kept, int32(q))
			d := side(p.signs[q])
			sides[d] = append(sides[d], p.rows[q])
		}
	}
	if len(sides[0]) == 0 || len(sides[1]) == 0 {
		return nil, nil
	}
	a, _, err := p.plane(ctx, kept, use)
	if err != nil || a == nil {
		return nil, err
	}
	return s.cut(a, sides[0], sides[1]), nil
}
