package dataset

import (
	"math"
	"slices"
)

// Scaling names a way to scale features.
type Scaling string

const (
	// MinMax is (x - min) / (max - min): training values fall in [0,1].
	MinMax Scaling = "minmax"
	// Rank is the value's index among the distinct training values, divided by
	// their number less one. Between two of them it is linear, outside it is 0
	// or 1.
	Rank Scaling = "rank"
	// Standard is (x - mean) / sd, with the divisor n, over source rows: rows
	// count by Count.
	Standard Scaling = "standard"
)

// Scaler maps features, each on its own, by functions that never decrease and
// that were fitted on training rows. A feature that is constant there becomes 0
// everywhere.
type Scaler struct {
	Kind Scaling
	// MinMax and Standard: scaled = (x - Shift) / Scale, (p) each; Scale is 0
	// for a constant feature.
	Shift, Scale []float64
	// Rank: (p) the distinct training values, ascending.
	Values [][]float64
}

// FitScaler returns the scaler of the given kind for the rows of d, of which there
// must be one at least. An unknown kind is a programmer's error.
func FitScaler(kind Scaling, d *Dataset) *Scaler {
	if d.N() == 0 {
		panic("dataset: FitScaler on a dataset without rows")
	}
	s := &Scaler{Kind: kind}
	switch kind {
	case MinMax:
		low, high := d.extents()
		for j := range high {
			high[j] -= low[j]
		}
		s.Shift, s.Scale = low, high
	case Standard:
		s.Shift, s.Scale = d.moments()
	case Rank:
		s.Values = make([][]float64, d.P())
		for j := range s.Values {
			s.Values[j] = d.Distinct(j)
		}
	default:
		panic("dataset: unknown scaling " + string(kind))
	}
	return s
}

// extents returns the least and the largest value of each feature. (p)
func (d *Dataset) extents() (low, high []float64) {
	low, high = slices.Clone(d.Row(0)), slices.Clone(d.Row(0))
	for i := range d.N() {
		for j, v := range d.Row(i) {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	return low, high
}

// moments returns mean and standard deviation of each feature over source rows. (p)
// Values are taken in units of a power of two near the largest, which costs no digit
// and keeps squares from overflowing or vanishing.
func (d *Dataset) moments() (mean, sd []float64) {
	low, high := d.extents()
	exponent, unit := make([]int, len(low)), make([]float64, len(low))
	for j := range unit {
		_, e := math.Frexp(max(math.Abs(low[j]), math.Abs(high[j])))
		exponent[j] = max(e, -1022) // so that the unit is finite
		unit[j] = math.Ldexp(1, -exponent[j])
	}
	total := 0.0
	sum, squares := make([]float64, len(low)), make([]float64, len(low))
	for i := range d.N() {
		total += d.Count[i]
		for j, v := range d.Row(i) {
			sum[j] += d.Count[i] * (v * unit[j])
		}
	}
	for j := range sum {
		sum[j] /= total // the centre
	}
	for i := range d.N() {
		for j, v := range d.Row(i) {
			v = v*unit[j] - sum[j]
			squares[j] += d.Count[i] * v * v
		}
	}
	for j := range sum {
		if low[j] == high[j] {
			sum[j], squares[j] = low[j], 0
			continue
		}
		sum[j] = math.Ldexp(sum[j], exponent[j])
		squares[j] = math.Ldexp(math.Sqrt(squares[j]/total), exponent[j])
	}
	return sum, squares
}

// Constant reports whether feature j had one value only.
func (s *Scaler) Constant(j int) bool {
	if s.Kind == Rank {
		return len(s.Values[j]) == 1
	}
	return s.Scale[j] == 0
}

// Value returns the scaled x of feature j.
func (s *Scaler) Value(j int, x float64) float64 {
	switch {
	case s.Constant(j):
		return 0
	case s.Kind == Rank:
		return rankOf(s.Values[j], x)
	}
	return (x - s.Shift[j]) / s.Scale[j]
}

// rankOf returns the rank in [0,1] of x among the values (two or more, ascending).
func rankOf(values []float64, x float64) float64 {
	last := len(values) - 1
	at, found := slices.BinarySearch(values, x)
	switch {
	case found:
		return float64(at) / float64(last)
	case at == 0:
		return 0
	case at > last:
		return 1
	}
	part := (x - values[at-1]) / (values[at] - values[at-1])
	return (float64(at-1) + part) / float64(last)
}

// Invert returns an x of feature j that Value maps to u, up to rounding; of a
// constant feature its value. Ranks outside [0,1] are taken for the nearest.
func (s *Scaler) Invert(j int, u float64) float64 {
	switch {
	case s.Kind == Rank:
		return valueAt(s.Values[j], u)
	case s.Constant(j):
		return s.Shift[j]
	}
	return s.Shift[j] + u*s.Scale[j]
}

// valueAt is the inverse of rankOf.
func valueAt(values []float64, u float64) float64 {
	last := len(values) - 1
	position := u * float64(last)
	switch {
	case !(position > 0):
		return values[0]
	case position >= float64(last):
		return values[last]
	}
	at := int(position)
	part := position - float64(at)
	return values[at] + part*(values[at+1]-values[at])
}
