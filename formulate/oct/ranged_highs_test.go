//go:build cgo && !nohighs

package oct

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
)

// TestRangedBruteForce: the model of a range has the optimum of all trees of two levels whose root
// splits in it, and is infeasible if that is above the cutoff.
func TestRangedBruteForce(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(19, 10))
	ctx := context.Background()
	none, solved := 0, 0
	for range 200 {
		d, rows := randomDivision(t, rng)
		for _, r := range d.Ranges(rows, rng.IntN(20)) {
			want := math.Inf(1)
			for _, c := range d.Thresholds(rows, r.Feature) {
				if r.From <= c && c <= r.To {
					left, right, _ := d.Sides(rows, Range{r.Feature, c, c})
					want = min(want, d.Price()+stumpValue(d, left)+stumpValue(d, right))
				}
			}
			most := want + []float64{-0.01, 0.01, 1, d.Total()}[rng.IntN(4)]
			p, err := d.Program(ctx, rows, r, most)
			if err != nil {
				t.Fatal(err)
			}
			sol, err := solve(ctx, p.Model())
			if err != nil {
				t.Fatal(err)
			}
			if most < want {
				if none++; sol.Status != mio.Infeasible {
					t.Fatalf("%v with at most %v: %v, the minimum is %v", r, most, sol.Status, want)
				}
				continue
			}
			solved++
			if sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
				t.Fatalf("%v: %v with %v, brute force has %v", r, sol.Status, sol.Objective, want)
			}
			tr, value, err := p.Decode(sol.Values)
			if err != nil || math.Abs(value-want) > 1e-9 {
				t.Fatalf("%v: decoded %v, %v, brute force has %v", r, value, err, want)
			}
			if got := treeValue(d, rows, tr.Splits(), func(i int32) int { return tr.Predict(d.g.DS.Row(int(i))) }); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v: the tree is worth %v, not %v", r, got, want)
			}
		}
	}
	if none < 50 || solved < 200 {
		t.Errorf("%d programs without a tree, %d with one", none, solved)
	}
}

// treeValue returns the value on some rows of a tree with that many splits.
func treeValue(d *Division, rows []int32, splits int, predict func(int32) int) float64 {
	v := d.Price() * float64(splits)
	for _, i := range rows {
		if predict(i) != int(d.g.Y[i]) {
			v += d.g.W[i]
		}
	}
	return v
}
