package exact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// noisyTree draws rows whose classes a random tree gives them, but for some: the
// bounds of its parts are close to their optima.
func noisyTree(rng *rand.Rand, n, p, depth int, noise float64) *dataset.Dataset {
	ds := &dataset.Dataset{Classes: []string{"a", "b"}}
	for j := range p {
		ds.Features = append(ds.Features, fmt.Sprintf("x%d", j+1))
	}
	feature, cut := make([]int, 1<<depth), make([]float64, 1<<depth)
	for i := range feature {
		feature[i], cut[i] = rng.IntN(p), rng.Float64()
	}
	for range n {
		at := len(ds.X)
		for range p {
			ds.X = append(ds.X, math.Round(rng.Float64()*64)/64)
		}
		node := 1
		for range depth {
			node *= 2
			if ds.X[at+feature[node/2]] >= cut[node/2] {
				node++
			}
		}
		y := node % 2
		if rng.Float64() < noise {
			y = 1 - y
		}
		ds.Y = append(ds.Y, y)
		ds.Weight, ds.Count = append(ds.Weight, 1), append(ds.Count, 1)
	}
	return ds
}

// TestBoundsOfParts: what a search below a target says of the least value is a
// bound on it, as those who close spans by it rely on; and without a tree it is as
// high as the target.
func TestBoundsOfParts(t *testing.T) {
	exhaustive := Rules{NoMonotone: true, NoSimilar: true, NoWhole: true, NoTarget: true, NoCache: true, NoPoints: true, NoClasses: true}
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		ds := noisyTree(rng, rapid.IntRange(8, 100).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "p"), 3, rapid.SampledFrom([]float64{0, 0.05, 0.15, 0.3}).Draw(t, "noise"))
		depth := rapid.IntRange(2, 4).Draw(t, "depth")
		o := Options{Depth: max(3, depth), Alpha: float64(rapid.IntRange(0, 40).Draw(t, "price")) / 4 / max(1, tree.Baseline(ds))}
		optimum := o
		optimum.Depth, optimum.Rules = depth, exhaustive
		if depth == 4 { // exhaustively it takes too long
			optimum.Rules = Rules{NoSimilar: true, NoTarget: true, NoCache: true}
		}
		want, err := Solve(context.Background(), ds, optimum)
		if err != nil {
			t.Fatal(err)
		}
		p := problemOf(ds, &o)
		ds, _ = ds.InUnits(dataset.MostUnits)
		least := p.value(want.Tree, ds)
		ub := least + rapid.SampledFrom([]float64{-2, -1, -0.5, 0, 0.25, 0.5, 1, 2, 3, math.Inf(1)}).Draw(t, "target")
		s := newSearch(context.Background(), p, &o, time.Now())
		w := s.workers[0]
		w.limit = math.MaxInt64
		c := child{header: &s.root.header, node: s.root, depth: o.Depth, budget: full(o.Depth)}
		if depth == 2 {
			c = w.lower(&c)
		}
		a := w.solve(c, ub)
		const tol = 1e-6
		switch {
		case a.lb > least+tol:
			t.Errorf("depth %d, target %v: the bound is %v, the optimum %v", depth, ub, a.lb, least)
		case !math.IsInf(a.value, 1) && math.Abs(a.value-least) > tol:
			t.Errorf("depth %d, target %v: value %v, the optimum is %v", depth, ub, a.value, least)
		case math.IsInf(a.value, 1) && (least < ub-p.step-tol || a.lb < ub-p.step-tol):
			t.Errorf("depth %d, target %v: nothing found and bound %v, the optimum is %v", depth, ub, a.lb, least)
		}
	})
}
