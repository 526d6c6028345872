package exact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"pgregory.net/rapid"
)

// noisyTree draws rows classified by a random tree, with noise: the bounds of its sides are close
// to their optima.
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

// TestBoundsOfParts: a search below a target returns a valid lower bound, as closing spans
// requires; if it finds no tree, the bound reaches the target.
func TestBoundsOfParts(t *testing.T) {
	exhaustive := Rules{NoMonotone: true, NoSimilar: true, NoWhole: true, NoTarget: true, NoCache: true, NoPoints: true, NoClasses: true}
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		ds := noisyTree(rng, rapid.IntRange(8, 100).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "p"), 3, rapid.SampledFrom([]float64{0, 0.05, 0.15, 0.3}).Draw(t, "noise"))
		depth := rapid.IntRange(2, 4).Draw(t, "depth")
		o := Options{Depth: max(3, depth), Alpha: float64(rapid.IntRange(0, 40).Draw(t, "price")) / 4 / max(1, ds.Baseline())}
		optimum := o
		optimum.Depth, optimum.Rules = depth, exhaustive
		if depth == 4 { // enumeration takes too long
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

// TestAlike: the bounds from the sides of a cut on those of other features' cuts are valid; brute
// force gives the optima.
func TestAlike(t *testing.T) {
	raised := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		ds := binaryData(rng, rapid.IntRange(4, 40).Draw(t, "n"), rapid.IntRange(2, 8).Draw(t, "binary"), 0,
			rapid.IntRange(2, 3).Draw(t, "K"), rapid.SampledFrom([]int{1, 3}).Draw(t, "weights"))
		o := Options{Depth: 3, MaxSplits: rapid.SampledFrom([]int{0, 3, 4, 5}).Draw(t, "splits"), Alpha: rapid.SampledFrom([]float64{0, 0.05}).Draw(t, "alpha")}
		p := problemOf(ds, &o)
		if !p.pure {
			t.Skip("constant features")
		}
		s := newSearch(context.Background(), p, &o, time.Now())
		splits, depth := o.budget()
		c := child{header: &s.root.header, node: s.root, depth: depth, budget: splits, top: true}
		fr := newFrontier(p, &s.stats, &c, math.Inf(1), 0, 0, nil)
		least := func(f int, one uint64, budget int32) float64 {
			rows := []int{}
			for _, i := range rowsWhere(p, func(i uint32) bool { return p.bits.one(i, f) == one }) {
				rows = append(rows, int(i))
			}
			if len(rows) == 0 {
				return 0
			}
			return bruteForce(p.rows, rows, depthFor(depth-1, int(budget)), int(budget), p.lambda, 0)
		}
		for range rapid.IntRange(1, 3).Draw(t, "evaluated") {
			sp, ok := fr.pop()
			if !ok {
				break
			}
			at := cut{span: sp, pos: 1, way: fr.ways[sp.arm]}
			at.left.lb, at.right.lb = least(int(sp.feature), 0, at.way.left), least(int(sp.feature), 1, at.way.right)
			s.workers[0].compare(fr, &at)
		}
		for _, sp := range fr.open {
			way := fr.ways[sp.arm]
			left, right := least(int(sp.feature), 0, way.left), least(int(sp.feature), 1, way.right)
			const tol = 1e-9
			if sp.a.l > left+tol || sp.b.r > right+tol || sp.bound > p.lambda+left+right+tol {
				t.Errorf("feature %d: bounds %v, %v, together %v; the parts' optima are %v and %v", sp.feature, sp.a.l, sp.b.r, sp.bound, left, right)
			}
			if sp.a.l > 0 || sp.b.r > 0 {
				raised++
			}
		}
	})
	if raised == 0 {
		t.Error("no bound was raised")
	}
}

// TestEarlyBound: a search on binary features that ends by a work limit has a valid bound, which
// improves before all cuts of the root are evaluated.
func TestEarlyBound(t *testing.T) {
	ds := thresholds(noisyTree(rand.New(rand.NewPCG(3, 4)), 300, 4, 4, 0.25), 8)
	all := solve(t, ds, Options{Depth: 4})
	first, last := math.NaN(), 0.0
	for part := 1; part < 10; part++ {
		r := solve(t, ds, Options{Depth: 4, WorkLimit: all.Stats.Work * int64(part) / 10})
		if r.Bound > all.Objective+1e-12 {
			t.Errorf("after %d tenths of the work the bound is %v, the optimum %v", part, r.Bound, all.Objective)
		}
		if r.Status == mio.Optimal {
			break
		}
		if part == 1 {
			first = r.Bound
		}
		last = max(last, r.Bound)
	}
	if !(last > first) {
		t.Errorf("the bound was %v, and %v at the end", first, last)
	}
}

// thresholds replaces each feature, with values from 0 to 1, by indicators of at least 1/n, 2/n,
// ...
func thresholds(ds *dataset.Dataset, n int) *dataset.Dataset {
	d := &dataset.Dataset{Classes: ds.Classes, Y: ds.Y, Weight: ds.Weight, Count: ds.Count}
	for i := range ds.N() {
		for j := range ds.P() {
			for k := 1; k < n; k++ {
				x := 0.0
				if ds.At(i, j) >= float64(k)/float64(n) {
					x = 1
				}
				d.X = append(d.X, x)
			}
		}
	}
	for j := range ds.P() * (n - 1) {
		d.Features = append(d.Features, fmt.Sprintf("x%d", j+1))
	}
	return d
}
