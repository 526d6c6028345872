package solfile

import (
	"math"

	"github.com/octgen/octgen/mio"
)

// Rounding returns by how much the digits that the solver of format f writes
// may violate a row or bound of m at the point x: what is to be added to the tolerance of
// [mio.Check] for values that were read from its file. Integers count as exact.
// CBC writes 8 digits, which is what this is for; of the others it is next to
// nothing. Of what is no format nothing is forgiven.
func Rounding(f Format, m *mio.Model, x []float64) float64 {
	known, err := lookup(f)
	if err != nil {
		return 0
	}
	errs := make([]float64, len(x))
	for j, v := range x {
		errs[j] = roundingOf(v, known.digits)
	}
	activity := make([]float64, m.NumRows())
	for j, e := range errs {
		rows, coefs := m.Column(j)
		for k, i := range rows {
			activity[i] += e * math.Abs(coefs[k])
		}
	}
	for _, t := range m.QuadRows() {
		activity[t.Row] += math.Abs(t.Value) * (errs[t.I]*math.Abs(x[t.J]) + errs[t.J]*math.Abs(x[t.I]))
	}
	worst := 0.0
	for _, e := range errs { // of bounds
		worst = max(worst, e)
	}
	for _, a := range activity {
		worst = max(worst, a)
	}
	return worst
}

// roundingOf is half a unit of the last of n digits of v, 0 for an integer.
func roundingOf(v float64, n int) float64 {
	if v == math.Trunc(v) {
		return 0
	}
	return 0.5 * math.Pow(10, math.Floor(math.Log10(math.Abs(v)))+1-float64(n))
}
