package dataset_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"pgregory.net/rapid"
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

// imputed is the mean that a column of these fields, and one more that is empty,
// gets; with weights nil there is no weight column.
func imputed(t interface{ Fatalf(string, ...any) }, fields, weights []string) float64 {
	var text strings.Builder
	fmt.Fprintln(&text, "x,w,class")
	for i, f := range fields {
		w := "1"
		if weights != nil {
			w = weights[i]
		}
		fmt.Fprintf(&text, "%s,%s,%s\n", f, w, []string{"a", "b"}[i%2])
	}
	fmt.Fprintln(&text, ",1,a")
	d, err := dataset.Read(strings.NewReader(text.String()), "x.csv", dataset.LoadOptions{Target: "class", Missing: dataset.MissingMean, Weight: "w"})
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	// The row that is filled has weight 1 and no share in the mean.
	return d.At(d.N()-1, 0)
}

// TestImputedMeanExact: sums of whole numbers and short decimals are divided once.
func TestImputedMeanExact(t *testing.T) {
	for _, c := range []struct {
		fields, weights string
		want            float64
	}{
		{"-1 -1 -1 1 0 -1 -1 2 -1 1 2", "", 0}, // a running mean gives 2.8e-17
		{"0.1 0.2 0.3", "", 0.2},
		{"-3 1", "0.1 0.3", 0},
		{"-0.3 0.1", "1 3", 0},
		{"1 2", "1 2", 5. / 3},
		{"1e300 1e300 -1e300", "", 1e300 / 3},
		{"1e300 1 -1e300", "", 1. / 3},
		{"1e-300 3e-300", "1e-300 1e-300", 2e-300},
		{"9007199254740993 -9007199254740991", "", .5}, // the first is read as ...992
		{"0 0", "", 0},
		{"7", "", 7},
	} {
		var weights []string
		if c.weights != "" {
			weights = strings.Fields(c.weights)
		}
		if got := imputed(t, strings.Fields(c.fields), weights); got != c.want {
			t.Errorf("%s (%s): mean %v; want %v", c.fields, c.weights, got, c.want)
		}
	}
}

// TestImputedMeanRational compares with exact fractions of the decimals, and with
// the rows in another order.
func TestImputedMeanRational(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, 4).Draw(t, "places")
		n := rapid.IntRange(1, 30).Draw(t, "n")
		fields, weights := make([]string, n), make([]string, n)
		sum, total := new(big.Rat), new(big.Rat)
		for i := range n {
			fields[i] = strconv.FormatFloat(float64(rapid.IntRange(-3000, 3000).Draw(t, "value"))/math.Pow10(places), 'g', -1, 64)
			weights[i] = strconv.FormatFloat(float64(rapid.IntRange(1, 40).Draw(t, "weight"))/10, 'g', -1, 64)
			v, _ := new(big.Rat).SetString(fields[i])
			w, _ := new(big.Rat).SetString(weights[i])
			sum.Add(sum, new(big.Rat).Mul(v, w))
			total.Add(total, w)
		}
		want, _ := sum.Quo(sum, total).Float64()
		if got := imputed(t, fields, weights); got != want {
			t.Fatalf("values %v, weights %v: mean %v; want %v", fields, weights, got, want)
		}
		rand.New(rand.NewPCG(1, uint64(n))).Shuffle(n, func(i, j int) {
			fields[i], fields[j], weights[i], weights[j] = fields[j], fields[i], weights[j], weights[i]
		})
		if got := imputed(t, fields, weights); got != want {
			t.Fatalf("in another order: mean %v; want %v", got, want)
		}
	})
}

// TestImputedCategoryTie: of categories of equal weight the first is put, though the
// sum of the other's weights, rounded at each step, is larger.
func TestImputedCategoryTie(t *testing.T) {
	const text = "x,w,class\nb,0.1,p\nb,0.2,q\na,0.3,p\n,1,q\n"
	d, err := dataset.Read(strings.NewReader(text), "x.csv", dataset.LoadOptions{Target: "class", Missing: dataset.MissingMean, Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if got := *d.Encoder.Columns[0].ImputeCategory; got != "a" {
		t.Errorf("category %q is put for a missing field; want a", got)
	}
}

// TestBalancedTie: classes of equal weight have equal factors.
func TestBalancedTie(t *testing.T) {
	const text = "x,w,class\n1,0.1,p\n2,0.2,p\n3,0.3,q\n"
	d, err := dataset.Read(strings.NewReader(text), "x.csv", dataset.LoadOptions{Target: "class", Weight: "w", ClassWeight: "balanced"})
	if err != nil {
		t.Fatal(err)
	}
	if f := d.Encoder.ClassWeight; f[0] != 1 || f[1] != 1 {
		t.Errorf("factors %v; want 1, 1", f)
	}
}

// TestLeastLeaf: the minimum leaf weight in whole units is the smallest sufficient number of them;
// other units keep fractions.
func TestLeastLeaf(t *testing.T) {
	for _, c := range []struct {
		unit dataset.Unit
		nmin float64
		want float64
	}{
		{dataset.Unit{Size: 1, Whole: true}, 0, 0},
		{dataset.Unit{Size: 1, Whole: true}, 3, 3},
		{dataset.Unit{Size: 1, Whole: true}, 2.5, 3},
		{dataset.Unit{Size: 1, Whole: true}, 2.001, 3},
		{dataset.Unit{Size: 1, Whole: true}, 3 + 1e-12, 3}, // rounding
		{dataset.Unit{Size: 2, Whole: true}, 3, 2},
		{dataset.Unit{Size: 0.1, Whole: true}, 0.3, 3}, // 0.3/0.1 < 3
		{dataset.Unit{Size: 0.7, Whole: true}, 2.1, 3}, // 2.1/0.7 > 3
		{dataset.Unit{Size: 2}, 3, 1.5},
	} {
		if got := c.unit.LeastLeaf(c.nmin); got != c.want {
			t.Errorf("%v in units of %v: %v, want %v", c.nmin, c.unit.Size, got, c.want)
		}
	}
}
