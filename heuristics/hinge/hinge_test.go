//go:build cgo && !nohighs

package hinge

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
	_ "github.com/octgen/octgen/solvers/highs"
)

// TestAgainstSolver: the optimum agrees with a solver's, from scratch and from the vertex of other
// weights, margins and prices; without a reach, it is proved.
func TestAgainstSolver(t *testing.T) {
	s, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err) // the solver is built in
	}
	rng := rand.New(rand.NewPCG(5, 8))
	for trial := range 400 {
		n, p := 1+rng.IntN(25), 1+rng.IntN(5)
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = make([]float64, p)
			for j := range rows[i] {
				if rows[i][j] = rng.Float64(); trial%2 == 0 {
					rows[i][j] = float64(rng.IntN(4)) / 3
				}
			}
		}
		h := New(pulse.New(context.Background()), rows, p)
		h.Reach = []float64{math.Inf(1), 5, 40}[rng.IntN(3)]
		free := math.IsInf(h.Reach, 1)
		for i := range n {
			h.Sign[i], h.Margin[i], h.Noise[i] = float64(2*rng.IntN(2)-1), 1, rng.Float64()
		}
		price := []float64{0, 0.1, 1}[rng.IntN(3)]
		started := free && price == 0 && trial%3 == 0
		if started {
			start := make([]float64, p)
			for j := range start {
				start[j] = rng.NormFloat64()
			}
			h.Start(start, rng.NormFloat64())
		}
		for round := range 4 {
			for i := range n {
				if h.Weight[i] = float64(rng.IntN(5)); free && round > 1 {
					h.Margin[i] = 1 + rng.Float64()
				}
			}
			for j := range p {
				if h.Price[j] = price; free && !started && round > 2 {
					h.Price[j] = rng.Float64()
				}
			}
			want := highsValue(t, s, h)
			if free {
				got, bound, end := h.MinimizeExactly(math.MaxInt)
				if end != Optimal || math.Abs(got-want) > 1e-7*(1+want) || got-bound > 1e-9*(1+got) {
					t.Fatalf("trial %d, round %d: n %d, p %d, price %v: %v (%v), bound %v, the solver has %v", trial, round, n, p, price, got, end, bound, want)
				}
			} else if end := h.Minimize(1e-7, math.MaxInt); end != Optimal || math.Abs(h.Value()-want) > 1e-5*(1+want) {
				t.Fatalf("trial %d, round %d: n %d, p %d, price %v, reach %v: %v (%v), the solver has %v", trial, round, n, p, price, h.Reach, h.Value(), end, want)
			}
		}
	}
}

func highsValue(t *testing.T, s solvers.Solver, h *Program) float64 {
	b := mio.NewBuilder("hinges")
	u, off := make([]mio.Col, h.P), b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "")
	norm := b.AddRow(-mio.Inf, h.Reach, "")
	for j := range u {
		plus, minus := b.AddCol(h.Price[j], 0, mio.Inf, mio.Continuous, ""), b.AddCol(h.Price[j], 0, mio.Inf, mio.Continuous, "")
		u[j] = b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "")
		r := b.AddRow(0, 0, "")
		b.Add(r, u[j], 1)
		b.Add(r, plus, -1)
		b.Add(r, minus, 1)
		b.Add(norm, plus, 1)
		b.Add(norm, minus, 1)
	}
	for i, w := range h.Weight {
		xi := b.AddCol(w, 0, mio.Inf, mio.Continuous, "")
		r := b.AddRow(h.Margin[i], mio.Inf, "")
		b.Add(r, xi, 1)
		b.Add(r, off, -h.Sign[i])
		for j, x := range h.row[i] {
			if x != 0 {
				b.Add(r, u[j], h.Sign[i]*x)
			}
		}
	}
	m, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	sol, err := s.Solve(context.Background(), m, solvers.Options{})
	if err != nil || sol.Status != mio.Optimal {
		t.Fatal(err, sol)
	}
	return sol.Objective
}
