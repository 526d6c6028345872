//go:build cgo && !nohighs

package parts

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/mio"
)

// model returns the polyhedron of certificates as a separate model.
func (p *parting) model(t *testing.T, cost []float64) *mio.Model {
	b := mio.NewBuilder("certificates")
	left, right := b.AddRow(1, 1, ""), b.AddRow(1, 1, "")
	m := p.s.mu * closer
	features := make([]mio.Row, p.s.p())
	for jx := range features {
		features[jx] = b.AddRow(-m, m, "")
	}
	for q, i := range p.rows {
		c := b.AddCol(cost[q], 0, mio.Inf, mio.Continuous, "")
		if p.signs[q] < 0 {
			b.Add(left, c, 1)
		} else {
			b.Add(right, c, 1)
		}
		for jx, x := range p.s.row(int(i)) {
			b.Add(features[jx], c, p.signs[q]*x)
		}
	}
	model, err := b.Model()
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// TestVertex: the cheapest certificate costs as much as a solver's, also when started from the
// basis of other costs; it does not exist if the solver finds none.
func TestVertex(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 9))
	ctx := context.Background()
	some, none := 0, 0
	for trial := range 60 {
		_, o, _ := instance(t, rng, trial)
		ds := randomData(rng, 8+rng.IntN(12))
		s, err := begin(ctx, ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if s.p() == 0 {
			continue
		}
		p := s.newParting(0, 1)
		for range 4 {
			cost := make([]float64, len(p.rows))
			for q := range cost {
				cost[q] = rng.Float64() * float64(rng.IntN(3))
			}
			sol, err := o.Solve(ctx, p.model(t, cost), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			lambda := p.vertex(cost, nil, trial%2 == 0)
			if (lambda != nil) != (sol.Status == mio.Optimal) {
				t.Fatalf("trial %d: a certificate %v, the solver says %v", trial, lambda != nil, sol.Status)
			}
			if lambda == nil {
				none++
				continue
			}
			some++
			paid := 0.0
			for q, l := range lambda {
				paid += cost[q] * l
			}
			if math.Abs(paid-sol.Objective) > 1e-7 {
				t.Fatalf("trial %d: a certificate of cost %v, the solver has %v", trial, paid, sol.Objective)
			}
			if sub := p.check(lambda); sub == nil || len(sub.but) > 0 {
				t.Fatalf("trial %d: the certificate is invalid: %v", trial, sub)
			}
		}
	}
	if some < 60 || none < 8 {
		t.Errorf("%d certificates, none in %d trials", some, none)
	}
}

// TestCheck: rows that a hyperplane separates have no certificate, for any multipliers.
func TestCheck(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 10))
	seen := 0
	for trial := range 200 {
		ds, o, _ := instance(t, rng, trial)
		s, err := begin(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if s.p() == 0 {
			continue
		}
		p := s.newParting(0, 1)
		if len(p.rows) == 0 || !p.parts() {
			continue
		}
		lambda := make([]float64, len(p.rows))
		for q := range lambda {
			lambda[q] = rng.Float64() * float64(rng.IntN(2))
		}
		if sub := p.check(lambda); sub != nil && len(sub.but) == 0 {
			t.Fatalf("trial %d: %v are a certificate of rows that a plane parts", trial, lambda)
		}
		seen++
	}
	if seen < 20 {
		t.Errorf("only %d sets of rows that a plane parts", seen)
	}
}
