package prices

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree/constraint"
)

// rateRows draws rows as of recall, precision and shares, with limits that some trees just reach.
func rateRows(rng *rand.Rand, ds *dataset.Dataset) []constraint.Row {
	var rows []constraint.Row
	for range 1 + rng.IntN(2) {
		class, a, b := rng.IntN(2), float64(rng.IntN(5)-2), float64(rng.IntN(5)-2)
		r := constraint.Row{Class: class, G: make([]float64, ds.N()), Text: "rate"}
		whole := 0.0
		for i, y := range ds.Y {
			r.G[i] = [2]float64{a, b}[y]
			whole += r.G[i]
		}
		r.H = math.Round(whole*rng.Float64()) - float64(rng.IntN(4))
		rows = append(rows, r)
	}
	return rows
}

// TestTwoLevels compares the enumeration by rates with all trees.
func TestTwoLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 3))
	feasible, infeasible := 0, 0
	for i := range 400 {
		n, p := 4+rng.IntN(7), 1+rng.IntN(2)
		x, y := make([]float64, n*p), make([]int, n)
		for j := range x {
			x[j] = float64(rng.IntN(4))
		}
		for j := range y {
			if rng.IntN(3) == 0 {
				y[j] = 1
			}
		}
		ds, err := dataset.New(x, y, []string{"u", "v"}[:p], []string{"no", "yes"})
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Depth: 2, Rows: rateRows(rng, ds), Step: 1}
		if i%3 == 0 {
			o.Alpha, o.Step = 0.1, 0
		}
		pr, err := newProblem(context.Background(), ds, &o)
		if err != nil {
			t.Fatal(err)
		}
		s := &solver{ctx: context.Background(), o: &o, began: time.Now(), value: math.Inf(1), bound: math.Inf(-1)}
		s.take(pr)
		e := newRates(pr)
		if e == nil {
			continue
		}
		all := make([]int, n)
		for r := range all {
			all[r] = r
		}
		want := math.Inf(1)
		for _, list := range everyTree(ds, all, 2, 3, pr.price, &o) {
			for _, tr := range list {
				ok := true
				for c := range o.Rows {
					ok = ok && tr.g[c] <= o.Rows[c].H+1e-9
				}
				if ok {
					want = min(want, tr.value)
				}
			}
		}
		s.consider(pr.first())
		done := s.twoLevels()
		switch {
		case math.IsInf(want, 1):
			infeasible++
			if s.shape != nil {
				t.Fatalf("case %d: a tree of value %v where there is none", i, s.value)
			}
		case s.bound > want+1e-9 || s.value < want-1e-9:
			t.Fatalf("case %d: bound %v and value %v around the optimum %v (%v)", i, s.bound, s.value, want, o.Rows)
		default:
			feasible++
			if done && math.Abs(s.value-want) > 1e-9 {
				t.Fatalf("case %d: value %v, the optimum is %v", i, s.value, want)
			}
		}
		if !done && !e.lower {
			t.Fatalf("case %d: nothing was proved (bound %v, value %v, optimum %v, %v)", i, s.bound, s.value, want, o.Rows)
		}
	}
	if min(feasible, infeasible) < 20 {
		t.Errorf("%d feasible and %d infeasible problems", feasible, infeasible)
	}
}
