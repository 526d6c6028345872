package dataset_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
)

func weighted(t *testing.T, w ...float64) *dataset.Dataset {
	t.Helper()
	d, err := dataset.New(make([]float64, len(w)), make([]int, len(w)), []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	d.Weight = w
	return d
}

func TestInUnits(t *testing.T) {
	for _, c := range []struct {
		name  string
		w     []float64
		want  []float64
		size  float64
		whole bool
	}{
		{"ones", []float64{1, 1}, []float64{1, 1}, 1, true},
		{"large", []float64{1e5, 1e5}, []float64{1, 1}, 1e5, true},
		{"no common divisor", []float64{2, 3}, []float64{2, 3}, 1, true},
		{"common divisor", []float64{6, 4, 10}, []float64{3, 2, 5}, 2, true},
		{"fractions", []float64{0.5, 0.75}, []float64{2, 3}, 0.25, true},
		{"decimals", []float64{0.1, 0.2, 0.3}, []float64{1, 2, 3}, 0.1, true},
		{"tiny", []float64{2e-9, 3e-9}, []float64{2, 3}, 1e-9, true},
		{"too many units", []float64{1, 1e6}, []float64{1, 1e6}, 1, false},
		{"the least where there are too many", []float64{3, 3e6 + 1}, []float64{1, 1e6 + 1./3}, 3, false},
		{"no unit", []float64{1, math.Pi}, []float64{1, math.Pi}, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, u := weighted(t, c.w...).InUnits(1e5)
			if math.Abs(u.Size-c.size) > 1e-15*c.size || u.Whole != c.whole {
				t.Errorf("unit %v, whole %v; want %v, %v", u.Size, u.Whole, c.size, c.whole)
			}
			if c.whole && !slices.Equal(d.Weight, c.want) {
				t.Errorf("weights %v; want exactly %v", d.Weight, c.want)
			}
			for i := range c.want {
				if math.Abs(d.Weight[i]-c.want[i]) > 1e-9 {
					t.Errorf("weight %v; want %v", d.Weight[i], c.want[i])
				}
			}
		})
	}
}

// TestInUnitsOfScaledWeights: the weights in units do not depend on a factor, to
// the bit where they are whole or the factor is a power of two.
func TestInUnitsOfScaledWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		w := make([]float64, 1+rng.IntN(30))
		kind := rng.IntN(3)
		for i := range w {
			switch kind {
			case 0:
				w[i] = float64(1 + rng.IntN(9))
			case 1:
				w[i] = float64(1+rng.IntN(40)) / 20
			default:
				w[i] = 0.1 + rng.Float64()
			}
		}
		d, u := weighted(t, w...).InUnits(1e5)
		c := math.Pow(10, -9+21*rng.Float64())
		if rng.IntN(2) == 0 {
			c = math.Exp2(math.Round(math.Log2(c)))
		}
		scaled := slices.Clone(w)
		for i := range scaled {
			scaled[i] *= c
		}
		e, v := weighted(t, scaled...).InUnits(1e5)
		if u.Whole != v.Whole {
			t.Fatalf("weights %v are whole: %v; times %v: %v", w, u.Whole, c, v.Whole)
		}
		if frac, _ := math.Frexp(c); u.Whole || frac == 0.5 {
			if diff := cmp.Diff(d.Weight, e.Weight); diff != "" {
				t.Fatalf("weights %v times %v: %s", w, c, diff)
			}
		}
		for _, nmin := range []float64{0, 1, 2.5, 7} {
			if a, b := u.LeastLeaf(nmin), v.LeastLeaf(nmin*c); u.Whole && a != b || math.Abs(a-b) > 1e-9*a {
				t.Fatalf("weights %v: N_min %v is %v units; times %v: %v", w, nmin, a, c, b)
			}
		}
	}
}
