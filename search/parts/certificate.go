package parts

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octgen/octgen/heuristics/hinge"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
)

// subsystem is a set of rows that no hyperplane has on the required sides with the margin, unless
// it uses a feature of but.
type subsystem struct {
	rows []int32 // positions in the parting's rows, ascending
	but  []int   // features, ascending: one of these is needed to separate the rows
}

// parting is the question which rows a hyperplane can have on their sides: left rows need a.x <= b
// - mu, right rows a.x >= b, with sum |a_j| <= 1.
type parting struct {
	s      *search
	rows   []int32   // ascending
	signs  []float64 // -1 for left rows, 1 for right rows
	laid   bool
	used   string         // features of hinges, as a key
	hinges *hinge.Program // its multipliers are certificates; nil if there are none
}

// newParting requires rows of class left on the left and rows of class right on the right; it
// excludes all others.
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

// vertex returns the multipliers of the cheapest certificate at the given costs >= 0 of rows,
// unless the method gives up: a vertex of the polyhedron
//
//	sum_left lambda_i = 1;  sum_right lambda_i = 1;  lambda >= 0
//	-mu' <= sum_i sign_i lambda_i x_ij <= mu'   for all features j used (nil: all), mu' just below mu
//
// It returns nil if the polyhedron is empty: a hyperplane has all rows on their sides. If near is
// set, the costs are close to those of the previous call, and the search continues from there.
//
// By duality, the minimum cost is the maximum of l + r - mu' sum |w_j| subject to sign_i w.x_i + l
// <= cost_i for left rows i and sign_i w.x_i + r <= cost_i for right rows. No lambda_i is above 1,
// so a hinge of weight 2 can replace each of these constraints. In terms of package hinge, r is -b,
// and l + r is minus the weight of a feature that is 1 on the left and 0 on the right.
func (p *parting) vertex(cost []float64, use []bool, near bool) []float64 {
	if key := fmt.Sprint(use); !p.laid || key != p.used {
		p.laid, p.used, p.hinges = true, key, p.program(use)
	}
	if p.hinges == nil {
		return nil
	}
	if !near {
		p.hinges.Reset()
	}
	for q, c := range cost {
		p.hinges.Margin[q] = -c
	}
	if p.hinges.Minimize(costNoise, math.MaxInt) == hinge.Unbounded {
		p.hinges = nil
		return nil
	}
	lambda := make([]float64, len(p.rows))
	p.hinges.Multipliers(lambda)
	return lambda
}

// costNoise perturbs the costs of rows, so that no two certificates cost the same.
const costNoise = 1e-8

// program returns the problem of vertex, without costs; nil if one side has no rows.
func (p *parting) program(use []bool) *hinge.Program {
	if !slices.Contains(p.signs, -1) || !slices.Contains(p.signs, 1) {
		return nil
	}
	f := p.s.p()
	rows := make([][]float64, len(p.rows))
	for q, i := range p.rows {
		rows[q] = append(slices.Clone(p.s.row(int(i))), 0)
		if p.signs[q] < 0 {
			rows[q][f] = 1
		}
	}
	h, rng := hinge.New(pulse.New(context.Background()), rows, f+1), rand.New(rand.NewPCG(0, 14))
	for q, sign := range p.signs {
		h.Sign[q], h.Weight[q], h.Noise[q] = -sign, 2, rng.Float64()
	}
	for jx := range f {
		h.Price[jx], h.Banned[jx] = p.s.mu*closer, use != nil && !use[jx]
	}
	h.Pull = make([]float64, f+2)
	h.Pull[f] = 1
	return h
}

// parts reports whether a hyperplane has all rows on their sides.
func (p *parting) parts() bool { return p.vertex(make([]float64, len(p.rows)), nil, false) == nil }

// find returns vertex as a subsystem; nil also if it fails the exact check.
func (p *parting) find(cost []float64, use []bool) *subsystem {
	lambda := p.vertex(cost, use, false)
	if lambda == nil {
		return nil
	}
	return p.check(lambda)
}

// leastLambda is the multiplier below which a row does not count as part of a certificate.
const leastLambda = 1e-7

// check makes a subsystem of a certificate by recomputing what it proves: the rows with a
// multiplier, scaled to sum 1 on each side, and the features in which they differ. With these
// multipliers, the rows' inequalities add up to
//
//	mu <= sum_j a_j v_j <= max_j |v_j|   over features used, v = sum_i sign_i lambda_i x_i
//
// This is false if no |v_j| of a used feature reaches mu.
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

// plane returns the hyperplane with the maximum margin between rows, given as positions, on the
// features used, and the margin; nil if one side is empty.
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
