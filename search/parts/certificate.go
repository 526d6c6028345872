package parts

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

// subsystem is a set of rows that no plane on features outside of but has on the sides
// asked for, with the margin.
type subsystem struct {
	rows []int32 // positions in the parting's rows, ascending
	but  []int   // features, ascending: it takes one of these to part the rows
}

// parting asks which rows a plane can have on their sides: those that belong left at
// a.x <= b - mu, those that belong right at a.x >= b, with sum |a_j| <= 1.
type parting struct {
	s        *search
	rows     []int32   // ascending
	signs    []float64 // -1 for rows that belong left, 1 for those that belong right
	laid     bool
	used     string   // features of polyhedron, as a key
	vertices *simplex // the polyhedron of certificates; nil for an empty one
}

// newParting asks that rows of one class are left, those of the other right; others
// are not in it.
func (s *search) newParting(left, right int) *parting {
	p := &parting{s: s}
	for i := range s.n() {
		switch s.class(i) {
		case left:
			p.rows, p.signs = append(p.rows, int32(i)), append(p.signs, -1)
		case right:
			p.rows, p.signs = append(p.rows, int32(i)), append(p.signs, 1)
		}
	}
	return p
}

// certificates is the polyhedron whose points prove that rows cannot all be on their
// sides, of the features used (nil: all):
//
//	sum_left lambda_i = 1;  sum_right lambda_i = 1;  lambda >= 0
//	sum_i sign_i lambda_i x_ij = v_j;   -mu' <= v_j <= mu'   for all features j used, mu' just below mu
//
// at a vertex of it: columns lambda, v and, to begin with, what v lacks. It is nil where
// the polyhedron is empty: a plane has all rows on their sides.
func (p *parting) certificates(use []bool) *simplex {
	key := fmt.Sprint(use)
	if p.laid && key == p.used {
		return p.vertices
	}
	p.laid, p.used, p.vertices = true, key, nil
	f, first := p.s.p(), [2]int{-1, -1}
	if !slices.Contains(p.signs, -1) || !slices.Contains(p.signs, 1) {
		return nil
	}
	s := &simplex{rows: f + 2}
	add := func(col []float64, low, high, x float64) {
		s.cols, s.low, s.high, s.x = append(s.cols, col), append(s.low, low), append(s.high, high), append(s.x, x)
	}
	for q, i := range p.rows {
		col := make([]float64, f+2)
		sign := p.signs[q]
		for jx, x := range p.s.row(int(i)) {
			col[jx] = sign * x
		}
		d := side(sign)
		col[f+d] = 1
		x := 0.0
		if first[d] < 0 {
			first[d], x = q, 1
		}
		add(col, 0, math.Inf(1), x)
	}
	s.basis = make([]int, f+2)
	for jx := range f {
		apart := s.cols[first[0]][jx] + s.cols[first[1]][jx]
		m := math.Inf(1)
		if use == nil || use[jx] {
			m = p.s.mu * closer
		}
		col, lack := make([]float64, f+2), make([]float64, f+2)
		col[jx], lack[jx] = -1, -1
		v := max(-m, min(m, apart))
		add(col, -m, m, v)
		if apart < v {
			lack[jx] = 1
		}
		add(lack, 0, math.Inf(1), math.Abs(apart-v))
		s.basis[jx] = len(p.rows) + 2*jx
		if apart != v {
			s.basis[jx]++
		}
	}
	s.basis[f], s.basis[f+1] = first[0], first[1]
	if p.enterPolyhedron(s) {
		p.vertices = s
	}
	return p.vertices
}

// enterPolyhedron makes what v lacks as small as it can be, and says whether that is
// nothing.
func (p *parting) enterPolyhedron(s *simplex) bool {
	s.in = make([]int, len(s.cols))
	for j := range s.in {
		s.in[j] = -1
	}
	s.inverse = make([][]float64, s.rows)
	for r, c := range s.basis {
		s.in[c] = r
		s.inverse[r] = make([]float64, s.rows)
	}
	s.refactor()
	cost := make([]float64, len(s.cols))
	for j := len(p.rows) + 1; j < len(cost); j += 2 {
		cost[j] = 1
	}
	s.minimize(cost, mostPivots(s))
	lack := 0.0
	for j := len(p.rows) + 1; j < len(cost); j += 2 {
		lack += s.x[j]
		s.high[j] = 0
	}
	return lack <= 1e-9
}

func mostPivots(s *simplex) int { return 200 + 40*s.rows }

// vertex returns the multipliers of a certificate that is cheap at these costs of rows:
// the cheapest, unless the method gave up; nil where there is none.
func (p *parting) vertex(cost []float64, use []bool) []float64 {
	s := p.certificates(use)
	if s == nil {
		return nil
	}
	all := make([]float64, len(s.cols))
	copy(all, cost)
	s.minimize(all, mostPivots(s))
	return s.x[:len(p.rows)]
}

// find is vertex as a subsystem; nil where it does not hold in exact terms, too.
func (p *parting) find(cost []float64, use []bool) *subsystem {
	lambda := p.vertex(cost, use)
	if lambda == nil {
		return nil
	}
	return p.check(lambda)
}

// leastLambda is the multiplier below which a row is taken for one that a certificate
// has not.
const leastLambda = 1e-7

// check makes a subsystem of a certificate by computing anew what it proves: the rows
// with a multiplier, scaled to 1 on each side, and the features in which they are apart.
// With these multipliers the rows' own inequalities add up to
//
//	mu <= sum_j a_j v_j <= max_j |v_j|   over features used, v = sum_i sign_i lambda_i x_i
//
// which is false where no |v_j| of a feature used reaches mu.
func (p *parting) check(lambda []float64) *subsystem {
	var total [2]float64
	sub := &subsystem{}
	for q, l := range lambda {
		if l > leastLambda {
			sub.rows = append(sub.rows, int32(q))
			total[side(p.signs[q])] += l
		}
	}
	if total[0] == 0 || total[1] == 0 {
		return nil
	}
	v := make([]float64, p.s.p())
	for _, q := range sub.rows {
		sign := p.signs[q]
		l := sign * lambda[q] / total[side(sign)]
		for jx, x := range p.s.row(int(p.rows[q])) {
			v[jx] += l * x
		}
	}
	for jx := range v {
		if math.Abs(v[jx]) > p.s.mu*(1+closer)/2 {
			sub.but = append(sub.but, jx)
		}
	}
	return sub
}

func side(sign float64) int {
	if sign > 0 {
		return 1
	}
	return 0
}

// plane returns the plane of the greatest margin between rows, given as positions, on
// the features used, and the margin; nil where a side is empty.
//
//	max gamma;  a.x_i + gamma <= b left;  a.x_i >= b right;  a = up - down;  sum (up + down) <= 1
func (p *parting) plane(ctx context.Context, rows []int32, use []bool) ([]float64, float64, error) {
	b := mio.NewBuilder("max-margin")
	b.OmitNames()
	b.SetSense(mio.Maximize)
	gamma := b.AddCol(1, -2, 2, mio.Continuous, "")
	off := b.AddCol(0, -1, 1, mio.Continuous, "")
	norm := b.AddRow(-mio.Inf, 1, "")
	up := make([]mio.Col, p.s.p())
	for jx := range up {
		high := 1.0
		if use != nil && !use[jx] {
			high = 0
		}
		up[jx] = b.AddCol(0, 0, high, mio.Continuous, "")
		b.Add(norm, up[jx], 1)
		b.Add(norm, b.AddCol(0, 0, high, mio.Continuous, ""), 1)
	}
	for _, q := range rows {
		lower, upper, sign := -mio.Inf, 0.0, p.signs[q]
		if sign > 0 {
			lower, upper = 0, mio.Inf
		}
		r := b.AddRow(lower, upper, "")
		if sign < 0 {
			b.Add(r, gamma, 1)
		}
		b.Add(r, off, -1)
		for jx, x := range p.s.row(int(p.rows[q])) {
			if x != 0 {
				b.Add(r, up[jx], x)
				b.Add(r, up[jx]+1, -x)
			}
		}
	}
	m, err := b.Model()
	if err != nil {
		return nil, 0, err
	}
	sol, err := p.s.o.Solve(ctx, m, Limits{})
	if err != nil || !sol.Status.HasSolution() {
		return nil, 0, err
	}
	a := make([]float64, p.s.p())
	for jx, c := range up {
		a[jx] = sol.Values[c] - sol.Values[c+1]
	}
	return a, sol.Values[gamma], nil
}

// simplex is the primal simplex method for
//
//	min c x   A x = b,  low <= x <= high
//
// with few rows, many columns and costs that change: the basis of one solve begins the
// next. It is dense and simple. What it finds is only believed after it was computed
// anew from the data ([parting.check]), so that its tolerances bear on which
// certificates are found, not on what they prove.
type simplex struct {
	rows      int
	cols      [][]float64 // columns of A
	low, high []float64
	basis     []int       // (rows) columns in the basis
	in        []int       // (cols) the row of the basis that a column has, -1 for none
	x         []float64   // (cols)
	inverse   [][]float64 // of the basis matrix
	pivots    int
}

const (
	reducedCost  = 1e-9 // below which a column does not improve
	leastPivot   = 1e-9
	refactorEach = 60 // pivots
)

// enter makes a column basic in a row, of which the inverse is changed.
func (s *simplex) enter(col, row int, direction []float64) {
	s.in[s.basis[row]] = -1
	s.basis[row], s.in[col] = col, row
	p := direction[row]
	own := s.inverse[row]
	for k := range own {
		own[k] /= p
	}
	for r, other := range s.inverse {
		if f := direction[r]; r != row && f != 0 {
			for k, v := range own {
				other[k] -= f * v
			}
		}
	}
	if s.pivots++; s.pivots%refactorEach == 0 {
		s.refactor()
	}
}

// refactor inverts the basis matrix anew, by elimination with row exchanges. A matrix
// that has become singular leaves the inverse as it is.
func (s *simplex) refactor() {
	n := s.rows
	m := make([][]float64, n)
	for r := range m {
		m[r] = make([]float64, 2*n)
		for k, c := range s.basis {
			m[r][k] = s.cols[c][r]
		}
		m[r][n+r] = 1
	}
	for k := range n {
		best := k
		for r := k + 1; r < n; r++ {
			if math.Abs(m[r][k]) > math.Abs(m[best][k]) {
				best = r
			}
		}
		if math.Abs(m[best][k]) < 1e-12 {
			return
		}
		m[k], m[best] = m[best], m[k]
		p := m[k][k]
		for q := k; q < 2*n; q++ {
			m[k][q] /= p
		}
		for r := range n {
			if f := m[r][k]; r != k && f != 0 {
				for q := k; q < 2*n; q++ {
					m[r][q] -= f * m[k][q]
				}
			}
		}
	}
	for r := range m {
		copy(s.inverse[r], m[r][n:])
	}
}

// minimize descends from the present basis; false where it gave up after so many
// pivots.
func (s *simplex) minimize(cost []float64, most int) bool {
	dual, direction := make([]float64, s.rows), make([]float64, s.rows)
	for step := range most {
		for k := range dual {
			dual[k] = 0
		}
		for r, c := range s.basis {
			if v := cost[c]; v != 0 {
				for k, w := range s.inverse[r] {
					dual[k] += v * w
				}
			}
		}
		col, up := s.price(cost, dual, step > most/2)
		if col < 0 {
			return true
		}
		for r := range direction {
			direction[r] = dotOf(s.inverse[r], s.cols[col])
		}
		s.move(col, up, direction)
	}
	return false
}

// price returns the column of the best reduced cost and whether it is to rise, -1 where
// none improves; the first that improves where first is set, so that nothing cycles.
func (s *simplex) price(cost, dual []float64, first bool) (col int, up bool) {
	col = -1
	best := reducedCost
	for j, a := range s.cols {
		if s.in[j] >= 0 || s.low[j] == s.high[j] {
			continue
		}
		d := cost[j] - dotOf(dual, a)
		if gain := math.Abs(d); gain > best && (d < 0 && s.x[j] < s.high[j] || d > 0 && s.x[j] > s.low[j]) {
			best, col, up = gain, j, d < 0
			if first {
				break
			}
		}
	}
	return col, up
}

// move lets a column rise or fall until it or a basic column meets a bound.
func (s *simplex) move(col int, up bool, direction []float64) {
	sign := 1.0
	if !up {
		sign = -1
	}
	length, row := s.high[col]-s.low[col], -1
	for r, d := range direction {
		d *= sign
		c := s.basis[r]
		room := math.Inf(1)
		switch {
		case d > leastPivot:
			room = (s.x[c] - s.low[c]) / d
		case d < -leastPivot:
			room = (s.x[c] - s.high[c]) / d
		}
		room = max(0, room)
		if room < length-1e-12 || row >= 0 && room <= length+1e-12 && math.Abs(direction[r]) > math.Abs(direction[row]) {
			length, row = min(length, room), r
		}
	}
	if math.IsInf(length, 1) {
		return // cannot be: all columns that cost have bounds
	}
	s.x[col] += sign * length
	for r, d := range direction {
		s.x[s.basis[r]] -= sign * length * d
	}
	if row < 0 { // from one bound to the other
		if up {
			s.x[col] = s.high[col]
		} else {
			s.x[col] = s.low[col]
		}
		return
	}
	out := s.basis[row]
	if s.x[out]-s.low[out] < s.high[out]-s.x[out] {
		s.x[out] = s.low[out]
	} else {
		s.x[out] = s.high[out]
	}
	s.enter(col, row, direction)
}

func dotOf(a, b []float64) (v float64) {
	for k, w := range b {
		v += a[k] * w
	}
	return v
}
