// Package dataset loads, validates, encodes, scales and splits labelled data.
package dataset

// Dataset is n labelled rows of p numeric features with K classes. All slices
// belong to the dataset; functions that take one do not write to it, and
// functions of this package that return one return a copy.
//
// Every value of X is finite. A Dataset speaks the data's own units: scaling is
// the business of the formulations that need it.
type Dataset struct {
	X      []float64 // (n, p) row-major
	Y      []int     // (n) class, 0..K-1
	Weight []float64 // (n) training weight, > 0, default 1
	Count  []float64 // (n) number of source rows that a row stands for, default 1

	Features []string // (p) names, different from each other
	Classes  []string // (K) names, different from each other

	// Encoder turns raw records into rows of X; nil for data made in memory.
	Encoder *Encoder
	Source  Source
}

// Source says where a dataset came from.
type Source struct {
	File   string // as the user named it; "-" for standard input; empty for data made in memory
	SHA256 string // of the file's bytes as stored (before gunzip), hex
	Rows   int    // data rows in the file, dropped ones included
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
