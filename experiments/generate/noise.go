package generate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/octgen/octgen/dataset"
)

// Noise is what is done to points after the tree has classified them. It has a
// random stream of its own: the points beneath, the tree and the test points are
// those of the same settings without noise.
type Noise struct {
	// Labels is the share of the rows, 0 to 1, whose class is changed, to another
	// one drawn uniformly; of n rows exactly round(Labels n).
	Labels float64
	// Features f adds to each value its own noise, uniform in [-f, f); so values
	// may leave the unit cube. The classes are those of the points before.
	Features float64
	// Test has the test rows drawn with the same noise; else they have none.
	Test bool
}

func (z Noise) validate(classes int) error {
	switch {
	case !(z.Labels >= 0 && z.Labels <= 1):
		return fmt.Errorf("generate: label noise of %v, expected 0 to 1", z.Labels)
	case z.Labels > 0 && classes < 2:
		return fmt.Errorf("generate: label noise with %d class, expected 2 or more", classes)
	case !(z.Features >= 0 && z.Features <= dataset.MaxAbs/2):
		return fmt.Errorf("generate: feature noise of %v, expected 0 or more", z.Features)
	}
	return nil
}

// add changes the training rows and, where asked for, the test rows, if any.
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
