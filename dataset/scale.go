package dataset

import (
	"math"
	"slices"
)

// Scaling selects a method of scaling features.
type Scaling string

const (
	// MinMax is (x - min) / (max - min): it maps training values to [0,1].
	MinMax Scaling = "minmax"
	// Rank is the index of the value among the distinct training values, divided by their
	// number minus one. It is linear between two training values, and 0 or 1 outside
	// their range.
	Rank Scaling = "rank"
	// Standard is (x - mean) / sd, with divisor n, over source rows: rows are weighted by
	// Count.
	Standard Scaling = "standard"
)

// Scaler maps each feature by a nondecreasing function that was fitted on training rows.
// A feature that is constant there is mapped to 0 everywhere.
type Scaler struct {
	Kind Scaling
	// MinMax and Standard: scaled = (x - Shift) / Scale, (p) each; Scale is 0
	// for a constant feature.
	Shift, Scale []float64
	// Rank: (p) the distinct training values, ascending.
	Values [][]float64
}

// FitScaler returns a scaler of the given kind for the rows of d. It panics if d has no
// rows or the kind is unknown.
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

// extents returns the minimum and maximum (p) of each feature.
func (d *Dataset) extents() (low, high []float64) {
	low, high = slices.Clone(d.Row(0)), slices.Clone(d.Row(0))
	for i := range d.N() {
		for j, v := range d.Row(i) {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	return low, high
}

// moments returns the mean and standard deviation (p) of each feature over source rows.
// It scales values by a power of two near the largest, which is exact and prevents
// overflow and underflow of squares.
func (d *Dataset) moments() (mean, sd []float64) {
	low, high := d.extents()
	exponent, unit := make([]int, len(low)), make([]float64, len(low))
	for j := range unit {
		_, e := math.Frexp(max(math.Abs(low[j]), math.Abs(high[j])))
		exponent[j] = max(e, -1022) // keeps the unit finite
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
		sum[j] /= total // the mean
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

// Constant reports whether feature j was constant in training.
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

// rankOf returns the rank in [0,1] of x among the values (at least two, ascending).
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

// Invert returns an x of feature j that Value maps to u, up to rounding, or the value of
// a constant feature. Ranks are clipped to [0,1].
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
