package dataset_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

var scalings = []dataset.Scaling{dataset.MinMax, dataset.Rank, dataset.Standard}

func TestScalersByHand(t *testing.T) {
	// The second feature is constant, the third row counts twice.
	d := &dataset.Dataset{
		X: []float64{1, 7, 3, 7, 6, 7}, Y: []int{0, 0, 0},
		Weight: []float64{1, 1, 1}, Count: []float64{1, 1, 2},
		Features: []string{"a", "b"}, Classes: []string{"c"},
	}
	sd := math.Sqrt((9. + 1 + 4 + 4) / 4) // mean 4
	for _, c := range []struct {
		kind dataset.Scaling
		want []float64
		at   map[float64]float64 // values that training did not have
	}{
		{dataset.MinMax, []float64{0, 0, .4, 0, 1, 0}, map[float64]float64{2: .2, -4: -1, 11: 2}},
		{dataset.Rank, []float64{0, 0, .5, 0, 1, 0}, map[float64]float64{2: .25, 4.5: .75, -4: 0, 11: 1}},
		{dataset.Standard, []float64{-3 / sd, 0, -1 / sd, 0, 2 / sd, 0}, map[float64]float64{4: 0, 8: 4 / sd}},
	} {
		s := dataset.FitScaler(c.kind, d)
		if diff := cmp.Diff(c.want, scaled(s, d)); diff != "" {
			t.Errorf("%s:\n%s", c.kind, diff)
		}
		for x, want := range c.at {
			if got := s.Value(0, x); got != want {
				t.Errorf("%s: %v becomes %v; want %v", c.kind, x, got, want)
			}
		}
		if s.Constant(0) || !s.Constant(1) || s.Value(1, 9) != 0 || s.Invert(1, .3) != 7 {
			t.Errorf("%s: the constant feature is not handled", c.kind)
		}
	}
}

// TestScalers: scaled values are finite, in the stated range, in the order of the
// values, and Invert leads back.
func TestScalers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDataset(t)
		kind := rapid.SampledFrom(scalings).Draw(t, "kind")
		s := dataset.FitScaler(kind, d)
		for j := range d.P() {
			distinct := d.Distinct(j)
			width := distinct[len(distinct)-1] - distinct[0]
			size := max(math.Abs(distinct[0]), math.Abs(distinct[len(distinct)-1]))
			for i, x := range distinct {
				u := s.Value(j, x)
				if math.IsNaN(u) || math.IsInf(u, 0) || kind != dataset.Standard && (u < 0 || u > 1) {
					t.Fatalf("%s: %v becomes %v", kind, x, u)
				}
				if kind == dataset.Rank && len(distinct) > 1 && u != float64(i)/float64(len(distinct)-1) {
					t.Fatalf("rank of %v in %v is %v", x, distinct, u)
				}
				if i > 0 && s.Value(j, distinct[i-1]) > u {
					t.Fatalf("%s: not monotone at %v", kind, x)
				}
				if back := s.Invert(j, u); math.Abs(back-x) > 1e-12*max(width, size) {
					t.Fatalf("%s: %v becomes %v, and that %v", kind, x, u, back)
				}
			}
			if kind == dataset.Standard && !s.Constant(j) {
				checkMoments(t, d, j, scaled(s, d))
			}
		}
	})
}

// scaled are the features of d, scaled. (n, p) row-major
func scaled(s *dataset.Scaler, d *dataset.Dataset) []float64 {
	x := make([]float64, len(d.X))
	for at, v := range d.X {
		x[at] = s.Value(at%d.P(), v)
	}
	return x
}

// checkMoments: mean 0 and variance 1 over source rows.
func checkMoments(t *rapid.T, d *dataset.Dataset, j int, scaled []float64) {
	total, sum, squares := 0.0, 0.0, 0.0
	for i := range d.N() {
		v := scaled[i*d.P()+j]
		total += d.Count[i]
		sum += d.Count[i] * v
		squares += d.Count[i] * v * v
	}
	distinct := d.Distinct(j)
	narrow := (distinct[len(distinct)-1] - distinct[0]) / max(math.Abs(distinct[0]), math.Abs(distinct[len(distinct)-1]))
	if narrow < 1e-6 {
		return // values that nearly coincide cannot be centred to many digits
	}
	if math.Abs(sum/total) > 1e-8 || math.Abs(squares/total-1) > 1e-8 {
		t.Fatalf("feature %d: mean %v, mean square %v", j, sum/total, squares/total)
	}
}
