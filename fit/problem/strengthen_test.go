package problem

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/tree"
)

// TestBoundsBelow: with any number of work units no bound is above the optimum of its side, by enumeration; with many
// it is the optimum; the same units give the same bounds.
func TestBoundsBelow(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 3))
	sides, positive := 0, 0
	for range datatest.Some(200) {
		d := datatest.Tied(rng, 12, 3)
		o := oct.Options{Depth: 2 + rng.IntN(2), Alpha: []float64{0, 0.05, 0.3}[rng.IntN(3)]}
		units := []int64{0, 50, 2000, 1e9}[rng.IntN(4)]
		got, err := boundsBelow(context.Background(), d, tree.NewPresort(d), o, units)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := boundsBelow(context.Background(), d, tree.NewPresort(d), o, units); err != nil || !reflect.DeepEqual(got, again) {
			t.Fatalf("%v, %v: not the same as before", again, err)
		}
		lhat := tree.ErrorScale(d)
		for j := range d.P() {
			seen := map[float64]bool{}
			for i := range d.N() {
				seen[d.Row(i)[j]] = true
			}
			if len(got.Left[j]) != len(seen) || len(got.Right[j]) != len(seen) {
				t.Fatalf("feature %d: bounds %v, %v for %d values", j, got.Left[j], got.Right[j], len(seen))
			}
			for value := range seen {
				c := 0
				for other := range seen {
					if other < value {
						c++
					}
				}
				if c == 0 {
					continue
				}
				for _, left := range []bool{true, false} {
					var rows []int
					for i := range d.N() {
						if (d.Row(i)[j] < value) == left {
							rows = append(rows, i)
						}
					}
					bound := got.Right[j][c]
					if left {
						bound = got.Left[j][c]
					}
					want := treetest.Optimum(treetest.Least(d.Subset(rows), nil, o.Depth-1, 0), d.N(), o.Alpha*lhat) / lhat
					if bound > want+1e-9 || units == 1e9 && math.Abs(bound-want) > 1e-9 {
						t.Fatalf("%+v, %d units, feature %d, value %v, left %v: bound %v, optimum %v", o, units, j, value, left, bound, want)
					}
					if sides++; bound > 0 {
						positive++
					}
				}
			}
		}
	}
	if sides < 300 || positive < 50 {
		t.Errorf("%d sides, %d with a positive bound", sides, positive)
	}
}
