package linear

import (
	"math"
	"slices"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate/internal/merged"
	"github.com/octgen/octgen/tree"
)

// twoSets is the training data of linear splits: the point set A, the rows of the heaviest class
// (of equal ones the first), and the point set B, all others; rows of a set with equal features
// merged; features standardised (divisor n), constant ones dropped. Rows are numbered 0..n-1, those
// of A first.
type twoSets struct {
	src    *dataset.Dataset // as given; annotates decoded trees
	ds     *dataset.Dataset // merged rows of all classes, features and weights in the data's units
	classA int
	scaler *dataset.Scaler // dataset.Standard, all features

	active []int       // the p non-constant features, ascending
	n, nA  int         // total number of rows, rows of A
	x      []float64   // (n, p) row-major, standardised
	raw    [][]float64 // (n) features in the data's units, shared
	share  []float64   // (n) omega_i / m for a row of A, omega_i / k for a row of B
	// reach[j] is the maximum by which dropping w_j = 1 can change the RLP error: (1/m) sum_A
	// omega_i |x_ij| + (1/k) sum_B omega_i |x_ij|. (p)
	reach []float64
	zeros int64 // of x
}

// noise is the absolute value below which a standardised value counts as the rounding of 0.
const noise = 1e-12

func newTwoSets(ds *dataset.Dataset, l *tree.Training) (*twoSets, error) {
	rows, _, err := merged.Rows(ds, l)
	if err != nil {
		return nil, err
	}
	d := &twoSets{src: ds, ds: rows, scaler: dataset.FitScaler(dataset.Standard, ds)}
	for j := range ds.P() {
		if !d.scaler.Constant(j) {
			d.active = append(d.active, j)
		}
	}
	if len(d.active) == 0 {
		return nil, merged.ErrNoFeature
	}
	weights := rows.ClassWeights()
	d.classA = slices.Index(weights, slices.Max(weights))
	d.fill(d.sets())
	return d, nil
}

// sets returns the merged data with the two classes A and B.
func (d *twoSets) sets() *dataset.Dataset {
	two := *d.ds
	two.Classes = []string{"A", "B"}
	two.Y = make([]int, d.ds.N())
	for i, y := range d.ds.Y {
		if y != d.classA {
			two.Y[i] = 1
		}
	}
	if d.ds.K() == 2 {
		return &two
	}
	merged, _ := two.Merge()
	return merged
}

func (d *twoSets) fill(two *dataset.Dataset) {
	d.n = two.N()
	weight := two.ClassWeights()
	for set := range 2 {
		for i, y := range two.Y {
			if y != set {
				continue
			}
			d.raw = append(d.raw, two.Row(i))
			d.share = append(d.share, two.Weight[i]/weight[set])
		}
		if set == 0 {
			d.nA = len(d.raw)
		}
	}
	d.x = make([]float64, 0, d.n*len(d.active))
	d.reach = make([]float64, len(d.active))
	for i, row := range d.raw {
		for jx, j := range d.active {
			v := d.scaler.Value(j, row[j])
			if math.Abs(v) < noise {
				v = 0
				d.zeros++
			}
			d.x = append(d.x, v)
			d.reach[jx] += d.share[i] * math.Abs(v)
		}
	}
}

func (d *twoSets) p() int              { return len(d.active) }
func (d *twoSets) row(i int) []float64 { return d.x[i*d.p() : (i+1)*d.p()] }
func (d *twoSets) inA(i int) bool      { return i < d.nA }

// side returns +1 for the rows of A and -1 for those of B: row i is on its own side of the plane,
// with the required margin, if side (x.w - gamma) >= 1.
func (d *twoSets) side(i int) float64 {
	if d.inA(i) {
		return 1
	}
	return -1
}
