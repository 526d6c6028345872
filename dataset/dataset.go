// Package dataset loads, validates, encodes, scales and splits labelled data.
//
// A CSV file has a header line and one case per line. Blanks around a field do
// not count; an empty field or ? is missing. See [LoadOptions] for the choices,
// [Encoder] for how columns become features, and [Error] for what a bad file is
// answered with.
package dataset

import (
	"cmp"
	"fmt"
	"math"
)

// Dataset is n labelled rows of p numeric features with K classes. All slices
// belong to the dataset; functions that take one do not write to it, and
// functions of this package that return one return a copy.
//
// Every value of X is finite and at most MaxAbs in size, so that differences and
// midpoints of values are finite too. A Dataset speaks the data's own units: scaling is
// the business of the formulations that need it.
type Dataset struct {
	X      []float64 // (n, p) row-major
	Y      []int     // (n) class, 0..K-1
	Weight []float64 // (n) training weight, > 0, default 1; they add up to at most MaxAbs
	Count  []float64 // (n) number of source rows that a row stands for, default 1
	Line   []int     // (n) line of the source file where the row begins; nil for data made in memory

	// Reward is (n, K) row-major what it earns to take action k on row i, without the
	// row's weight; nil where rows have classes. Classes are the actions then, Y the one of
	// the greatest reward and Cost what is lost against it: see rewards.go.
	Reward []float64

	// Cost is (n, K) row-major what it costs to answer class k on row i, the row's
	// weight included: finite, >= 0. nil is classification: Weight where k is not Y, else
	// 0. Weight counts the row for the least weight of a leaf either way. See cost.go.
	Cost []float64

	Features []string // (p) names, different from each other
	Classes  []string // (K) names, different from each other
	Groups   []Group  // columns by which rows are compared; nil for none

	// Encoder turns raw records into rows of X; nil for data made in memory.
	Encoder *Encoder
	Source  Source
	Reading *Reading // what was read of a training file; nil for parts of one, and for all else
}

// Source says where a dataset came from.
type Source struct {
	File   string // as the user named it; "-" for standard input; empty for data made in memory
	SHA256 string // of the file's bytes as stored (before gunzip), hex
	Rows   int    // data rows in the file, dropped ones included
}

// MaxAbs is the largest size of a value in X and the largest sum of weights.
const MaxAbs = 1e300

// New returns the dataset of rows x (n, p row-major) with classes y (n), all
// weights and counts 1. It takes over the slices. The error of Validate is
// returned.
func New(x []float64, y []int, features, classes []string) (*Dataset, error) {
	d := &Dataset{
		X: x, Y: y, Weight: ones(len(y)), Count: ones(len(y)),
		Features: features, Classes: classes,
	}
	return d, d.Validate()
}

// Validate returns an error that names the first breach of the rules that the
// fields of Dataset state, nil where there is none.
func (d *Dataset) Validate() error {
	n, p, k := d.N(), d.P(), d.K()
	switch {
	case n == 0:
		return fmt.Errorf("dataset: no rows")
	case n > math.MaxInt32:
		return fmt.Errorf("dataset: %d rows; at most %d are supported", n, math.MaxInt32)
	case len(d.X) != n*p:
		return fmt.Errorf("dataset: X has %d values; want %d rows x %d features = %d", len(d.X), n, p, n*p)
	case len(d.Weight) != n:
		return fmt.Errorf("dataset: %d weights for %d rows", len(d.Weight), n)
	case len(d.Count) != n:
		return fmt.Errorf("dataset: %d counts for %d rows", len(d.Count), n)
	case d.Line != nil && len(d.Line) != n:
		return fmt.Errorf("dataset: %d line numbers for %d rows", len(d.Line), n)
	}
	if name, ok := firstRepeated(d.Features); ok {
		return fmt.Errorf("dataset: two features are named %q", name)
	}
	if name, ok := firstRepeated(d.Classes); ok {
		return fmt.Errorf("dataset: two classes are named %q", name)
	}
	for i, v := range d.X {
		if !(math.Abs(v) <= MaxAbs) {
			return fmt.Errorf("dataset: row %d, feature %q: %v is not a finite number of size at most %g",
				i/p, d.Features[i%p], v, MaxAbs)
		}
	}
	total := 0.0
	for i, y := range d.Y {
		if y < 0 || y >= k {
			return fmt.Errorf("dataset: row %d: class %d; want 0..%d", i, y, k-1)
		}
		if !(d.Weight[i] > 0) || math.IsInf(d.Weight[i], 0) {
			return fmt.Errorf("dataset: row %d: weight %v; want a positive finite number", i, d.Weight[i])
		}
		if !(d.Count[i] > 0) || math.IsInf(d.Count[i], 0) {
			return fmt.Errorf("dataset: row %d: count %v; want a positive finite number", i, d.Count[i])
		}
		total += d.Weight[i]
	}
	if total > MaxAbs {
		return fmt.Errorf("dataset: the weights add up to more than %g", MaxAbs)
	}
	if err := cmp.Or(d.validateRewards(), d.validateGroups()); err != nil {
		return err
	}
	return d.validateCosts()
}

// N returns the number of rows.
func (d *Dataset) N() int { return len(d.Y) }

// P returns the number of features.
func (d *Dataset) P() int { return len(d.Features) }

// K returns the number of classes.
func (d *Dataset) K() int { return len(d.Classes) }

// Row returns row i of X, shared.
func (d *Dataset) Row(i int) []float64 {
	p := d.P()
	return d.X[i*p : (i+1)*p : (i+1)*p]
}

// At returns the value of feature j in row i.
func (d *Dataset) At(i, j int) float64 { return d.X[i*d.P()+j] }

// ClassWeights returns the total weight per class (K).
func (d *Dataset) ClassWeights() []float64 {
	w := make([]float64, d.K())
	for i, y := range d.Y {
		w[y] += d.Weight[i]
	}
	return w
}

// ClassCounts returns the number of source rows per class (K).
func (d *Dataset) ClassCounts() []float64 {
	c := make([]float64, d.K())
	for i, y := range d.Y {
		c[y] += d.Count[i]
	}
	return c
}

func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// firstRepeated returns the first name that an earlier one equals.
func firstRepeated(names []string) (string, bool) {
	seen := make(map[string]struct{}, len(names))
	for _, name := range names {
		if _, ok := seen[name]; ok {
			return name, true
		}
		seen[name] = struct{}{}
	}
	return "", false
}
