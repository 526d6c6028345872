package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/internal/datatest"
)

// TestImprove: local search never beats the optimum, keeps the constraints, and is no worse than the greedy tree.
func TestImprove(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	optimal, all := 0, 0
	for k := range datatest.Some(800) {
		n, p, depth := 10+r.IntN(30), 1+r.IntN(4), 1+r.IntN(4)
		q := Problem{P: p, Depth: depth}
		for range n {
			for f := range p {
				q.X = append(q.X, float64(r.IntN(4+5*f)))
			}
			q.Y = append(q.Y, r.NormFloat64())
		}
		for f := range p {
			q.Columns = append(q.Columns, f)
		}
		q.Penalty, q.MinLeaf = 0.1*r.Float64()*float64(r.IntN(2)), float64(r.IntN(4))
		q.MaxSplits = r.IntN(2) * r.IntN(6)
		q.Quantile = []float64{0, 0, 0.5, 0.9}[r.IntN(4)]
		if r.IntN(4) == 0 {
			q.Fixed = someSplits(r, &q, q.all(), min(depth, 2))
		}
		if r.IntN(4) == 0 {
			q.MaxColumns = 1 + r.IntN(p)
		}
		if r.IntN(4) == 0 && depth < 4 {
			for range p {
				q.Monotone = append(q.Monotone, int8(r.IntN(3)-1))
			}
		}
		best, tree := Solve(t.Context(), q), Improve(t.Context(), q, Moves{Seed: uint64(k)})
		if tree == nil {
			if best.Tree != nil && q.Fixed == nil {
				t.Fatalf("%d: no tree, problem %+v", k, q)
			}
			continue
		}
		sst, _ := loss(&q, leafNode, q.all())
		sse, least := loss(&q, tree, q.all())
		value := sse/sst + q.Penalty*float64(tree.Splits())
		_, _, ordered := holds(&q, tree, q.all())
		if value < best.Value-1e-9 || value > best.Start+1e-9 || !ordered || least < q.MinLeaf && tree.Splits() > 0 || q.MaxSplits > 0 && tree.Splits() > q.MaxSplits || !tree.within(depth) {
			t.Fatalf("%d: value %v, optimum %v, greedy %v, in order %v, least leaf %v, %d splits, problem %+v", k, value, best.Value, best.Start, ordered, least, tree.Splits(), q)
		}
		if all++; math.Abs(value-best.Value) < 1e-9 {
			optimal++
		}
	}
	if optimal < all/2 {
		t.Errorf("%d of %d trees are optimal", optimal, all)
	}
	t.Logf("%d of %d trees are optimal", optimal, all)
}

// TestImproveSets: on real data a local search finds most optima.
func TestImproveSets(t *testing.T) {
	for _, name := range []string{"servo", "airfoil", "yacht", "optical", "enb-cool", "quantbnb-qsar"} {
		q := read(t, "regression/"+name+".csv")
		q.Depth = 3
		best, tree := Solve(t.Context(), *q), Improve(t.Context(), *q, Moves{})
		sst, _ := loss(q, leafNode, q.all())
		sse, _ := loss(q, tree, q.all())
		if v := sse / sst; v < best.Value-1e-9 || v > best.Start {
			t.Errorf("%s: %v, optimum %v, greedy %v", name, v, best.Value, best.Start)
		} else {
			t.Logf("%s: %v, optimum %v, greedy %v", name, v, best.Value, best.Start)
		}
	}
}
