package solfile

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/mio"
)

// TestRounding: a feasible point, rounded to the digits that a solver writes,
// violates the model by no more than Rounding says; a point of short numbers is
// exact. No format forgives everything.
func TestRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(Formats()).Draw(t, "format")
		known, err := lookup(f)
		if err != nil || known.digits < 6 {
			t.Fatalf("%s: %d digits, %v", f, known.digits, err)
		}
		b := mio.NewBuilder("rounding")
		n := rapid.IntRange(1, 6).Draw(t, "columns")
		x := make([]float64, n)
		for j := range x {
			x[j] = rapid.Float64Range(-1e4, 1e4).Draw(t, "value")
			b.AddCol(0, x[j], x[j], mio.Continuous, "") // rounding violates this bound
		}
		activity := 0.0
		r := b.AddRow(0, 0, "")
		for j := range x {
			c := rapid.Float64Range(-100, 100).Draw(t, "coefficient")
			b.Add(r, mio.Col(j), c)
			activity += c * x[j]
		}
		b.SetRowBounds(r, activity, activity)
		m, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		rounded := make([]float64, n)
		for j, v := range x {
			if rounded[j], err = strconv.ParseFloat(strconv.FormatFloat(v, 'g', known.digits, 64), 64); err != nil {
				t.Fatal(err)
			}
		}
		// Where the rounded value is an integer, only the original says that it was not.
		tol := max(Rounding(f, m, rounded), Rounding(f, m, x)) + 1e-9
		if rep := mio.Check(m, rounded, tol); !rep.Feasible {
			t.Fatalf("%v, allowed %v", rep.Err(), tol)
		}
		for j, v := range x {
			rounded[j] = math.Round(v)
		}
		if got := Rounding(f, m, rounded); got != 0 {
			t.Fatalf("integers are rounded by %v", got)
		}
	})
}
