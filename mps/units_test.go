package mps_test

import (
	"math"
	"testing"

	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"pgregory.net/rapid"
)

// WholeUnits: the objective of every point is the old one times the factor, in whole numbers, and
// the map takes it back.
func TestWholeUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		errors := float64(rapid.IntRange(1, 500).Draw(t, "baseline"))
		alpha := float64(rapid.IntRange(1, 99).Draw(t, "digits")) * 1e-8
		b := mio.NewBuilder("units")
		n := rapid.IntRange(1, 6).Draw(t, "columns")
		x := make([]float64, n+1)
		for j := range n {
			b.AddBinary(float64(rapid.IntRange(-3, 3).Draw(t, "errors"))/errors, "e", j)
			x[j] = float64(rapid.IntRange(0, 1).Draw(t, "x"))
		}
		b.AddBinary(alpha, "split")
		x[n] = 1
		b.AddOffset(rapid.Float64Range(-2, 2).Draw(t, "offset"))
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		units, scale := mps.WholeUnits(m)
		if scale == 0 {
			t.Skip("no common unit within 10,000 multiples of the least cost")
		}
		for j, c := range units.Costs() {
			if c != math.Trunc(c) {
				t.Fatalf("cost %d is %v, want a whole number", j, c)
			}
		}
		back := (&mps.Map{Sign: 1, Scale: scale}).ModelObjective(units.Objective(x))
		if want := m.Objective(x); math.Abs(back-want) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Fatalf("objective %v after the way there and back, want %v", back, want)
		}
	})
}

func TestWholeUnitsLeaves(t *testing.T) {
	for name, costs := range map[string][]float64{
		"costs that solvers see":  {0.02, 0.01},
		"costs without a unit":    {math.Pi, 1e-7},
		"an objective of nothing": {0, 0},
	} {
		b := mio.NewBuilder(name)
		for j, c := range costs {
			b.AddBinary(c, "x", j)
		}
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		if got, scale := mps.WholeUnits(m); scale != 0 || got != m {
			t.Errorf("%s: multiplied by %v", name, scale)
		}
	}
}
