package oct

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/tree/constraint"
)

// costly is grouped data with costs of answers: those of a matrix, or of each row its own,
// in whole numbers or not, where the right answer is not always the cheapest.
func costly(rng *rand.Rand) *dataset.Dataset {
	d := grouped(rng)
	k, byRow, real := d.K(), rng.IntN(2) == 0, rng.IntN(3) == 0
	draw := func() float64 {
		if real {
			return 3 * rng.Float64()
		}
		return float64(rng.IntN(5)) / 2
	}
	matrix := make([]float64, k*k)
	for at := range matrix {
		matrix[at] = draw()
	}
	for i, y := range d.Y {
		for c := range k {
			v := matrix[y*k+c]
			if byRow {
				v = draw()
			}
			d.Cost = append(d.Cost, v*d.Weight[i])
		}
	}
	return d
}

// combinations are no kind of constraint, each kind alone, and all pairs.
func combinations() [][]int {
	all := [][]int{nil}
	for a := range constraintKinds {
		all = append(all, []int{a})
		for b := range a {
			all = append(all, []int{b, a})
		}
	}
	return all
}

// TestPricedPoints: with costs of answers, with and without constraints, sizes are those in
// closed form; trees that hold the constraints are points of the program, of their
// objective, and come back as they are; those that do not are refused.
func TestPricedPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	var c pointCount
	for trial := range 12 {
		for _, kinds := range combinations() {
			o := randomOptions(rng, constrainedEncodings())
			d := costly(rng)
			o.Constraints = constraintsOf(t, rng, d, &o, kinds)
			c.try(t, rng, o, d, trial < 3)
		}
	}
	c.report(t, 60)
}

// TestUnpriced: an encoding without the predictions of all rows refuses costs, and names
// those that have them. Where one answer is the cheapest everywhere, there is nothing to
// formulate but under constraints.
func TestUnpriced(t *testing.T) {
	d, ctx := formtest.Tiny(t), context.Background()
	for _, y := range d.Y {
		costs := []float64{1, 2, 1}
		costs[y] = 0
		d.Cost = append(d.Cost, costs...)
	}
	for _, e := range []formulate.Encoding{BinOCT, BigMPublished, formulate.Indicator} {
		_, err := Options{Depth: 1, Encoding: e}.Build(ctx, d)
		if want := "formulate: the encoding " + string(e) + " has no costs of answers; threshold, flow, cut, bigm have"; err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
	for at := range d.Cost {
		d.Cost[at] = float64(at % d.K())
	}
	if _, err := (Options{Depth: 1}).Build(ctx, d); !errors.Is(err, formulate.ErrSingleLeaf) {
		t.Errorf("one answer is the cheapest for all rows: %v", err)
	}
	s, err := constraint.Parse(constraint.Options{Share: []string{"x<=0.5"}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Options{Depth: 1, Constraints: s}.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	if f.Lhat() != 1 {
		t.Errorf("where the single leaf costs nothing the divisor is %v; want 1", f.Lhat())
	}
}
