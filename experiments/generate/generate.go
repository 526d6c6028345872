// Package generate draws the artificial data of the source papers together with the true tree, and
// measures how much of that tree another one recovers. The same settings and seed give the same
// data.
package generate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Generator draws data and their true tree.
type Generator interface {
	// Data returns the training points with their noise, the test points (nil for none), and the
	// true tree, annotated with the training points: without noise it makes no error on either. It
	// returns an error for settings out of range.
	Data() (train, test *dataset.Dataset, truth *tree.Tree, err error)
	// Replicate returns the generator of the r-th dataset, r = 0, 1, ...: the same settings with
	// the seed Seed + r.
	Replicate(r int) Generator
}

// maxValues is the maximum number of values of a dataset: 8 GB.
const maxValues = 1 << 30

// checkSize returns an error for sizes that no dataset can have.
func checkSize(features, rows, testRows int) error {
	switch {
	case features < 1:
		return fmt.Errorf("generate: %d features, expected 1 or more", features)
	case rows < 2:
		return fmt.Errorf("generate: %d rows, expected 2 or more", rows)
	case testRows < 0:
		return fmt.Errorf("generate: %d test rows, expected 0 or more", testRows)
	case features > maxValues/max(rows, testRows):
		return fmt.Errorf("generate: %d features of %d rows, expected at most %d values", features, max(rows, testRows), maxValues)
	}
	return nil
}

// featureNames returns x1, x2, ...
func featureNames(p int) []string {
	names := make([]string, p)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j+1)
	}
	return names
}

// uniform returns a number in [-1, 1).
func uniform(rng *rand.Rand) float64 { return 2*rng.Float64() - 1 }

// cube draws n points of the unit cube, row-major.
func cube(rng *rand.Rand, n, p int) []float64 {
	x := make([]float64, n*p)
	for i := range x {
		x[i] = rng.Float64()
	}
	return x
}

// hyperplane draws a split on the features with weights in [-1, 1).
func hyperplane(rng *rand.Rand, features []int) *tree.Split {
	s := &tree.Split{}
	for _, j := range features {
		if w := uniform(rng); w != 0 {
			s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
		}
	}
	if s.Terms == nil { // all weights are 0: practically impossible, but not a split
		s.Terms = []tree.Term{{Feature: features[0], Weight: 1}}
	}
	return s
}

// classify returns the dataset of points x with the classes predicted by t, nil for no points.
func classify(t *tree.Tree, x []float64) (*dataset.Dataset, error) {
	if len(x) == 0 {
		return nil, nil
	}
	p := len(t.Features)
	y := make([]int, len(x)/p)
	for i := range y {
		y[i] = t.Predict(x[i*p : (i+1)*p])
	}
	return dataset.New(x, y, t.Features, t.Classes)
}

// Noise changes points after the tree has classified them. It has its own random stream: the
// original points, the tree and the test points do not depend on it.
type Noise struct {
	// Labels is the fraction of the rows, 0 to 1, whose class is changed to another one drawn
	// uniformly; of n rows exactly round(Labels n).
	Labels float64
	// Features f adds independent noise, uniform in [-f, f), to each value, so that values may
	// leave the unit cube. The classes are those of the original points.
	Features float64
	// Test adds the same noise to the test rows; otherwise they have none.
	Test bool
}

func (z Noise) validate(classes int) error {
	switch {
	case !(z.Labels >= 0 && z.Labels <= 1):
		return fmt.Errorf("generate: label noise %v, expected 0 to 1", z.Labels)
	case z.Labels > 0 && classes < 2:
		return fmt.Errorf("generate: label noise with %d class, expected 2 or more", classes)
	case !(z.Features >= 0 && z.Features <= dataset.MaxAbs/2):
		return fmt.Errorf("generate: feature noise %v, expected 0 or more", z.Features)
	}
	return nil
}

// add changes the training rows and, with z.Test, the test rows, if any.
func (z Noise) add(train, test *dataset.Dataset, seed uint64) {
	z.change(train, rand.New(rand.NewPCG(seed, 0x6e6f697365)))
	if z.Test && test != nil {
		z.change(test, rand.New(rand.NewPCG(seed, 0x6e6f69736574)))
	}
}

func (z Noise) change(ds *dataset.Dataset, rng *rand.Rand) {
	order := rng.Perm(ds.N())
	for _, i := range order[:int(math.Round(z.Labels*float64(ds.N())))] {
		ds.Y[i] = (ds.Y[i] + 1 + rng.IntN(ds.K()-1)) % ds.K()
	}
	if z.Features == 0 {
		return
	}
	for i := range ds.X {
		ds.X[i] += z.Features * uniform(rng)
	}
}
