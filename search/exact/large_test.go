package exact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/large"
	"github.com/octgen/octgen/tree"
)

// fewValues returns n rows whose p features have up to most values, and noisy classes.
func fewValues(rng *rand.Rand, n, p, most int) *dataset.Dataset {
	x, y := make([]float64, n*p), make([]int, n)
	for j := range p {
		values := 2 + rng.IntN(most-1)
		for i := range n {
			x[i*p+j] = float64(rng.IntN(values)) - 3
		}
	}
	noise := 0.3 * rng.Float64()
	a, b := float64(rng.IntN(most)/2-3), float64(rng.IntN(most)/2-3)
	for i := range y {
		if (x[i*p] < a) != (x[i*p+p-1] < b) != (rng.Float64() < noise) {
			y[i] = 1
		}
	}
	ds, err := dataset.New(x, y, []string{"a", "b", "c", "d"}[:p], []string{"no", "yes"})
	if err != nil {
		panic(err)
	}
	if rng.IntN(2) == 0 {
		for i := range ds.Weight {
			ds.Weight[i] = float64(1 + rng.IntN(5))
		}
	}
	return ds
}

// TestLarge holds the search by sums against the search by rows.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	cases := 60
	if testing.Short() {
		cases = 20
	}
	for i := range cases {
		most := []int{3, 12, 150}[i%3]
		ds := fewValues(rng, 300+rng.IntN(1500), 2+rng.IntN(3), most)
		o := Options{Depth: 2 + rng.IntN(2), Workers: 1 + rng.IntN(2)}
		if rng.IntN(2) == 0 {
			o.Alpha = 0.1 * rng.Float64()
		}
		units, unit := ds.InUnits(dataset.MostUnits)
		if large.New(units) == nil {
			continue // few rows of many values, or binary features alone
		}
		got, err := solveLarge(context.Background(), units, unit, o, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		byRows := o
		byRows.Presort = tree.NewPresort(ds)
		want, err := Solve(context.Background(), ds, byRows)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != mio.Optimal || math.Abs(got.Objective-want.Objective) > 1e-9 {
			t.Fatalf("case %d: %v with objective %v, want %v (depth %d, alpha %v)", i, got.Status, got.Objective, want.Objective, o.Depth, o.Alpha)
		}
		o.WorkLimit = 1 + rng.Int64N(2*got.Stats.Work)
		if o.Depth == 3 && rng.IntN(2) == 0 {
			o.WorkLimit = 1 // after the trees of two levels
		}
		part, err := solveLarge(context.Background(), units, unit, o, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 3 - o.Workers
		again, err := solveLarge(context.Background(), units, unit, o, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if again.Bound != part.Bound || again.Tree.String() != part.Tree.String() || again.Stats != part.Stats {
			t.Fatalf("case %d: %d workers give another result than %d", i, o.Workers, 3-o.Workers)
		}
		if part.Bound > want.Objective+1e-9 || part.Objective < want.Objective-1e-9 {
			t.Fatalf("case %d: with a work limit, bound %v and objective %v around the optimum %v", i, part.Bound, part.Objective, want.Objective)
		}
	}
}
