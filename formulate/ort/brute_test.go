//go:build cgo && !nohighs

package ort

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/search/regression"
	_ "github.com/octgen/octgen/solvers/highs"
)

// TestBruteForce: the optimum of the model of a quantile is that of the search, which is compared with enumeration; decoded, it
// is a tree of that loss.
func TestBruteForce(t *testing.T) {
	solve := formtest.Solver(t)
	rng := rand.New(rand.NewPCG(4, 4))
	for k := range datatest.Some(200) {
		o, d := randomOptions(rng), numbers(rng, 3+rng.IntN(6), 1+rng.IntN(2))
		if d.Quantile == 0 {
			d.Quantile = 0.5
		}
		o.Depth = min(o.Depth, 2)
		constrained(t, rng, &o, d)
		f, err := o.Build(t.Context(), d)
		if !formtest.Built(t, err) {
			continue
		}
		q := regression.Problem{
			X: d.X, P: d.P(), Y: d.Target, W: d.Weight, Quantile: d.Quantile, Depth: o.Depth, MaxSplits: o.MaxSplits, Penalty: o.Alpha, MinLeaf: o.MinLeaf,
		}
		if on := o.Constraints; on != nil {
			q.Forbidden, q.Columns, q.MaxColumns, q.ColumnCost = on.Forbidden, on.Columns.Of, on.MaxFeatures, on.FeatureCost
			if on.Fixed != nil && on.Fixed.Splits() > 0 {
				s := on.Fixed.Nodes[0].Split
				q.Fixed = &regression.Node{Feature: s.Terms[0].Feature, Threshold: s.Threshold, Left: &regression.Node{}, Right: &regression.Node{}}
			}
		}
		want := regression.Solve(t.Context(), q)
		sol, err := solve(t.Context(), f.Model())
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, w := range d.Weight {
			total += w
		}
		if total < o.MinLeaf {
			continue // the search leaves the single leaf
		}
		if want.Status == mio.Infeasible {
			if sol.Status != mio.Infeasible {
				t.Fatalf("%d: %+v: %v, no tree exists", k, o, sol.Status)
			}
			continue
		}
		if sol.Status != mio.Optimal || math.Abs(sol.Objective-want.Value) > 1e-6 {
			t.Fatalf("%d: %+v: %v, %v, want %v", k, o, sol.Status, sol.Objective, want.Value)
		}
		got, err := f.Decode(sol.Values)
		if err != nil {
			t.Fatal(err)
		}
		if v := f.Objective(got); math.Abs(v-want.Value) > 1e-6 {
			t.Fatalf("%d: %+v: the tree has %v, want %v", k, o, v, want.Value)
		}
	}
}
