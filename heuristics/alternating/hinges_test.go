//go:build cgo && !nohighs

package alternating

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

// TestHingesAgainstSolver: the program of a split has the optimum that a solver finds.
func TestHingesAgainstSolver(t *testing.T) {
	s, err := solvers.Lookup("highs")
	if err != nil {
		t.Fatal(err) // it is built in
	}
	rng := rand.New(rand.NewPCG(5, 8))
	for trial := range 400 {
		n, p := 1+rng.IntN(25), 1+rng.IntN(5)
		h := newHinges(pulse.New(context.Background()), n, p)
		grid := trial%2 == 0
		for i := range h.x {
			if h.x[i] = rng.Float64(); grid {
				h.x[i] = float64(rng.IntN(4)) / 3
			}
		}
		for i := range n {
			h.sign[i], h.weight[i], h.margin[i] = float64(2*rng.IntN(2)-1), float64(rng.IntN(4)), 1+jitter*rng.Float64()
		}
		h.price = []float64{0, 0.1, 1}[rng.IntN(3)]
		h.reach = []float64{math.Inf(1), 5, 40}[rng.IntN(3)]
		for round := range 3 { // the later ones from the vertex of the one before
			h.minimize()
			got, want := h.value(), highsValue(t, s, h)
			if math.Abs(got-want) > 1e-5*(1+want) {
				t.Fatalf("trial %d, round %d: n %d, p %d, price %v, reach %v: %v, the solver has %v", trial, round, n, p, h.price, h.reach, got, want)
			}
			for i := range h.weight {
				h.weight[i] = float64(rng.IntN(5))
			}
		}
	}
}

// value is the function at the present point.
func (h *hinges) value() float64 {
	v := 0.0
	for _, u := range h.u[:h.p] {
		v += h.price * math.Abs(u)
	}
	for i, w := range h.weight {
		v += w * max(0, 1-h.act[i])
	}
	return v
}

func highsValue(t *testing.T, s solvers.Solver, h *hinges) float64 {
	b := mio.NewBuilder("hinges")
	u, off := make([]mio.Col, h.p), b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "")
	norm := b.AddRow(-mio.Inf, h.reach, "")
	for j := range u {
		plus, minus := b.AddCol(h.price, 0, mio.Inf, mio.Continuous, ""), b.AddCol(h.price, 0, mio.Inf, mio.Continuous, "")
		u[j] = b.AddCol(0, -mio.Inf, mio.Inf, mio.Continuous, "")
		r := b.AddRow(0, 0, "")
		b.Add(r, u[j], 1)
		b.Add(r, plus, -1)
		b.Add(r, minus, 1)
		b.Add(norm, plus, 1)
		b.Add(norm, minus, 1)
	}
	for i, w := range h.weight {
		xi := b.AddCol(w, 0, mio.Inf, mio.Continuous, "")
		r := b.AddRow(1, mio.Inf, "")
		b.Add(r, xi, 1)
		b.Add(r, off, -h.sign[i])
		for j := range u {
			if x := h.x[j*h.n+i]; x != 0 {
				b.Add(r, u[j], h.sign[i]*x)
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
