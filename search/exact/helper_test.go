package exact

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// randomData draws rows with many ties and repeated points. Weights are 1,
// quarters, or of no common unit.
func randomData(t *rapid.T, maxRows, maxFeatures, maxClasses int) *dataset.Dataset {
	n := rapid.IntRange(1, maxRows).Draw(t, "n")
	p := rapid.IntRange(1, maxFeatures).Draw(t, "p")
	k := rapid.IntRange(1, maxClasses).Draw(t, "k")
	values := rapid.IntRange(1, maxRows).Draw(t, "values")
	kind := rapid.IntRange(0, 2).Draw(t, "weights")
	ds := &dataset.Dataset{}
	for j := range p {
		ds.Features = append(ds.Features, fmt.Sprintf("x%d", j+1))
	}
	for c := range k {
		ds.Classes = append(ds.Classes, fmt.Sprintf("c%d", c+1))
	}
	for range n {
		for range p {
			ds.X = append(ds.X, float64(rapid.IntRange(0, values).Draw(t, "x")))
		}
		ds.Y = append(ds.Y, rapid.IntRange(0, k-1).Draw(t, "y"))
		w := 1.0
		switch kind {
		case 1:
			w = float64(rapid.IntRange(1, 9).Draw(t, "w")) / 4
		case 2:
			w = math.Sqrt(float64(rapid.IntRange(1, 9).Draw(t, "w")))
		}
		ds.Weight = append(ds.Weight, w)
		ds.Count = append(ds.Count, 1)
	}
	return ds
}

// bruteForce returns the least excess cost plus lambda per split of trees on rows with at
// most the given depth and splits, by trying every split; +Inf where no leaf is heavy
// enough.
func bruteForce(ds *dataset.Dataset, rows []int, depth, splits int, lambda, minLeaf float64) float64 {
	return everyTree(ds, ds.Excess(), rows, depth, splits, lambda, minLeaf)
}

func everyTree(ds *dataset.Dataset, excess []float64, rows []int, depth, splits int, lambda, minLeaf float64) float64 {
	costs, weight := make([]float64, ds.K()), 0.0
	for _, i := range rows {
		weight += ds.Weight[i]
		for c := range costs {
			costs[c] += excess[i*ds.K()+c]
		}
	}
	best := math.Inf(1)
	if len(rows) > 0 && tree.EnoughWeight(weight, minLeaf) {
		best = slices.Min(costs)
	}
	if depth == 0 || splits == 0 || len(rows) < 2 {
		return best
	}
	most := min(splits-1, full(depth-1))
	for j := range ds.P() {
		for _, i := range rows {
			var left, right []int
			for _, q := range rows {
				if ds.At(q, j) < ds.At(i, j) {
					left = append(left, q)
				} else {
					right = append(right, q)
				}
			}
			if len(left) == 0 {
				continue
			}
			for l := max(0, splits-1-most); l <= most; l++ { // splits on the left
				best = min(best, lambda+everyTree(ds, excess, left, depth-1, l, lambda, minLeaf)+
					everyTree(ds, excess, right, depth-1, min(most, splits-1-l), lambda, minLeaf))
			}
		}
	}
	return best
}

// problemOf is ds as a search sees it.
func problemOf(ds *dataset.Dataset, o *Options) *problem {
	inUnits, unit := ds.InUnits(dataset.MostUnits)
	return newProblem(layOut(context.Background(), inUnits, unit, o), o)
}

// reference is a line of the proven optima.
type reference struct {
	name    string
	depth   int
	errors  float64
	seconds float64 // of ConTree; NaN where it was not run
}

func references(t testing.TB) []reference {
	t.Helper()
	var all []reference
	for _, l := range datatest.Reference(t, "univariate-optima") {
		number := func(column int) float64 {
			if l[column] == "" {
				return math.NaN()
			}
			v, err := strconv.ParseFloat(l[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		all = append(all, reference{l[0], int(number(4)), number(5), number(7)})
	}
	return all
}
