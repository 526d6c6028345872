//go:build cgo && !nohighs

package oct

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
	_ "github.com/octgen/octgen/solvers/highs"
)

// bruteForce returns the least error weight of a tree with exactly s splits on
// the given rows, for s = 0..2^depth-1, by trying every tree; +Inf where there
// is none. Every leaf holds rows of weight at least minLeaf.
func bruteForce(d *dataset.Dataset, rows []int, depth int, minLeaf float64) []float64 {
	best := make([]float64, 1<<depth)
	for s := range best {
		best[s] = math.Inf(1)
	}
	class, weight := make([]float64, d.K()), 0.0
	for _, i := range rows {
		class[d.Y[i]] += d.Weight[i]
		weight += d.Weight[i]
	}
	if len(rows) == 0 || weight < minLeaf {
		return best
	}
	for _, w := range class {
		best[0] = min(best[0], weight-w)
	}
	if depth == 0 {
		return best
	}
	for j := range d.P() {
		for _, at := range rows { // split below the value of this row
			var left, right []int
			for _, i := range rows {
				if d.At(i, j) < d.At(at, j) {
					left = append(left, i)
				} else {
					right = append(right, i)
				}
			}
			if len(left) == 0 {
				continue
			}
			l := bruteForce(d, left, depth-1, minLeaf)
			r := bruteForce(d, right, depth-1, minLeaf)
			for a, la := range l {
				for b, rb := range r {
					best[a+b+1] = min(best[a+b+1], la+rb)
				}
			}
		}
	}
	return best
}

func bruteOptimum(d *dataset.Dataset, o Options, lhat float64) float64 {
	rows := make([]int, d.N())
	for i := range rows {
		rows[i] = i
	}
	best := math.Inf(1)
	for s, e := range bruteForce(d, rows, o.Depth, o.MinLeaf) {
		if o.MaxSplits == 0 || s <= o.MaxSplits {
			best = min(best, e/lhat+o.Alpha*float64(s))
		}
	}
	return best
}

// TestBruteForce compares the proven optimum of every encoding, tightenings on
// and off, with exhaustive search.
func TestBruteForce(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(3, 3))
	ctx := context.Background()
	solved := map[formulate.Encoding]int{}
	for trial := range 700 {
		o := randomOptions(rng, Encodings())
		if !ofTrees(o.Encoding) {
			o.Encoding = Threshold
		}
		n := 4 + rng.IntN(8)
		if o.Encoding != Threshold || o.Depth == 3 {
			n = 4 + rng.IntN(4)
		}
		d := formtest.Data(rng, n, 1+rng.IntN(2), 2+rng.IntN(2))
		f, err := o.Build(ctx, d)
		if !formtest.Built(t, err) {
			continue
		}
		want := bruteOptimum(d, o, f.Lhat())
		sol, err := solve(ctx, f.Model())
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		if math.IsInf(want, 1) {
			if sol.Status != mio.Infeasible {
				t.Fatalf("trial %d, %+v: %v, no tree exists", trial, o, sol.Status)
			}
			continue
		}
		solved[o.Encoding]++
		if sol.Status != mio.Optimal || math.Abs(sol.Objective-want) > 1e-6 {
			t.Fatalf("trial %d, %+v: %v with %v, brute force has %v", trial, o, sol.Status, sol.Objective, want)
		}
		tr, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatalf("trial %d, %+v: %v", trial, o, err)
		}
		if got := f.Objective(tr); math.Abs(got-want) > 1e-6 {
			t.Fatalf("trial %d, %+v: the decoded tree has %v, brute force %v", trial, o, got, want)
		}
	}
	t.Logf("solved: %v", solved)
	for _, e := range Encodings() {
		if ofTrees(e) && solved[e] < 60 {
			t.Errorf("solved %v, expected at least 60 of each", solved)
		}
	}
}

// ofTrees reports whether an encoding's optimum is that of trees and HiGHS takes its
// rows.
func ofTrees(e formulate.Encoding) bool {
	facts := FactsOf(e)
	return !facts.BelowTrees && !facts.Indicators
}
