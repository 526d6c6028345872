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
