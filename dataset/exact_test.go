package dataset_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
)

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
