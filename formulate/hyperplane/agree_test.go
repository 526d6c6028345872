//go:build cgo && !nohighs

package hyperplane

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
)

// optimum solves to the proof; +Inf where there is no tree.
func optimum(t *testing.T, d *dataset.Dataset, o Options) float64 {
	t.Helper()
	f, err := o.Build(context.Background(), d)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	sol, err := formtest.Solver(t)(context.Background(), f.Model())
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	switch sol.Status {
	case mio.Infeasible:
		return math.Inf(1)
	case mio.Optimal:
		return sol.Objective
	}
	t.Fatalf("%+v: %v", o, sol.Status)
	return 0
}

// TestEncodingsAgree: soct has the optimum of bigm, with any tightenings; served has at
// most that of soct, a program of some rows at most that of all, and none where the
// cutoff is below its optimum.
func TestEncodingsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	apart, fewer := 0, 0
	for trial := range 40 {
		o := randomOptions(rng, SOCT)
		o.Depth, o.Mu = 1+trial%2, []float64{0.0173, 0.0871, 0.2113}[rng.IntN(3)]
		d := formtest.Data(rng, []int{20, 9}[trial%2], 1+rng.IntN(3), 2+rng.IntN(2))
		data, err := o.Data(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		published := o
		published.Encoding, published.Without = formulate.BigM, nil
		soct := optimum(t, d, o)
		if bigm := optimum(t, d, published); !near(soct, bigm) {
			t.Fatalf("%+v: soct has %v, bigm %v", o, soct, bigm)
		}
		o.Margin, o.Encoding, o.MinLeaf = Right, Served, 0
		served := optimum(t, d, o)
		if served > soct+1e-6 {
			t.Fatalf("%+v: served has %v, soct %v", o, served, soct)
		}
		if served < soct-1e-6 {
			apart++
		}
		for i := range data.Len() {
			if rng.IntN(3) > 0 {
				o.Rows = append(o.Rows, int32(i))
			}
		}
		if o.Rows == nil {
			continue
		}
		some := optimum(t, d, o)
		if some > served+1e-6 {
			t.Fatalf("%+v: some rows have %v, all %v", o, some, served)
		}
		if some < served-1e-6 {
			fewer++
		}
		if o.Cutoff = some + 0.01; !near(optimum(t, d, o), some) {
			t.Fatalf("%+v: the optimum is %v", o, some)
		}
		if o.Cutoff = some - 0.01; o.Cutoff > 0 && !math.IsInf(optimum(t, d, o), 1) {
			t.Fatalf("%+v: the optimum is %v", o, some)
		}
	}
	if apart < 3 || fewer < 3 {
		t.Errorf("served was below soct %d times, some rows below all %d times: the test tests little", apart, fewer)
	}
}

// TestOneRowAtDepthThree: one-row, which acts on two nodes
// there, leaves the optimum as it is.
func TestOneRowAtDepthThree(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 5))
	errors := 0
	for range 12 {
		o := Options{Depth: 3, Mu: []float64{0.0871, 0.2113, 0.4}[rng.IntN(3)], Encoding: SOCT}
		o.Alpha = []float64{0, 0.01, 0.1}[rng.IntN(3)]
		if rng.IntN(2) == 0 {
			o.Margin, o.Encoding = Right, Served
		}
		d := formtest.Data(rng, 7, 1+rng.IntN(2), 2+rng.IntN(2))
		if _, err := o.Data(context.Background(), d); err != nil {
			continue
		}
		with := optimum(t, d, o)
		o.Without = []string{OneRow}
		if without := optimum(t, d, o); !near(with, without) {
			t.Fatalf("%+v: with one-row %v, without %v", o, with, without)
		}
		if with > 1e-6 {
			errors++
		}
	}
	if errors < 4 {
		t.Errorf("only %d optima were above 0", errors)
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-6 }

// TestRecentre: rows stay where they were, and margins become no less.
func TestRecentre(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 5))
	wider := 0
	for range 60 {
		d := formtest.Data(rng, 4+rng.IntN(20), 1+rng.IntN(3), 2)
		data, err := Options{Depth: 2}.Data(context.Background(), d)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var rows []int32
		for i := range data.Len() {
			rows = append(rows, int32(i))
		}
		tr := randomHyperTree(rng, d, 2).Collapse(d)
		centred, err := data.Recentre(context.Background(), formtest.Solver(t), tr, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.N() {
			if a, b := tr.Find(d.Row(i)), centred.Find(d.Row(i)); a != b {
				t.Fatalf("row %d was in leaf %d and is in %d", i, a, b)
			}
		}
		before, after := data.LeastMargin(tr), data.LeastMargin(centred)
		if after < before-1e-6 {
			t.Fatalf("the least margin was %v and is %v", before, after)
		}
		if after > before+1e-6 {
			wider++
		}
		if after > data.mu+1e-5 && data.WrongWeight(centred) > tr.Evaluate(data.g.DS).ErrorWeight+1e-9 {
			t.Fatalf("with the margin %v rows of weight %v are not right, %v are wrong", after, data.WrongWeight(centred), tr.Evaluate(data.g.DS).ErrorWeight)
		}
	}
	if wider < 10 {
		t.Errorf("only %d trees had a greater margin", wider)
	}
}
