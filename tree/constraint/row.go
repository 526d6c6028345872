package constraint

import (
	"math"

	"github.com/octgen/octgen/dataset"
)

// tolerance is by how much of its rate a constraint may be missed and is held.
const tolerance = 1e-9

// Row is a linear form of predictions: sum_i G[i] q_i,Class <= H, over the rows of the
// dataset that it was bound to.
//
// Where all weights are whole numbers the sum has values of a lattice only, and H is one
// of them, the greatest that holds. A program writes H + Slack, half a step beyond, so
// that no solver's tolerance decides what holds.
type Row struct {
	Name  string    // of the row in programs: letters, digits, "_"
	Text  string    // of the constraint
	Class int       // whose predictions are counted
	G     []float64 // (n)
	H     float64
	Slack float64
}

// Sum is the row's left side for the classes that the rows are predicted (n).
func (r *Row) Sum(predicted []int) float64 {
	sum := 0.0
	for i, k := range predicted {
		if k == r.Class {
			sum += r.G[i]
		}
	}
	return sum
}

// leastStep is the step of a lattice below which a solver's tolerances could jump it.
const leastStep = 1e-4

// settle puts H on the lattice of the given step, 0 for none, at the greatest value that
// is within reach of the tolerance, scale being what the row's rate was multiplied by.
func (r *Row) settle(step, scale float64) {
	h := r.H + scale*tolerance
	if step < leastStep {
		r.H = h
		return
	}
	r.H = math.Floor(h/step+1e-9) * step
	r.Slack = step / 2
}

// whole reports whether all weights are whole numbers whose sums are exact.
func whole(d *dataset.Dataset) bool {
	total := 0.0
	for _, w := range d.Weight {
		if w != math.Trunc(w) {
			return false
		}
		total += w
	}
	return total <= dataset.MostUnits
}

// parts is the least b of 1, 10, 100, ... of which v is a whole number of parts 1/b; 0
// where none up to a million is.
func parts(v float64) float64 {
	for b := 1.0; b <= 1e6; b *= 10 {
		if math.Abs(v*b-math.Round(v*b)) < 1e-9 {
			return b
		}
	}
	return 0
}

func gcd(a, b float64) float64 {
	for b != 0 {
		a, b = b, math.Mod(a, b)
	}
	return a
}
