package exact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// weighted gives rows weights of a kind: whole numbers that add up to less than 2^15, to more, or
// to more than 2^31; weights without a common unit; weights of very different sizes.
func weighted(rng *rand.Rand, ds *dataset.Dataset, kind int) {
	for i := range ds.Weight {
		switch kind {
		case 0:
			ds.Weight[i] = float64(1 + rng.IntN(9))
		case 1:
			ds.Weight[i] = float64(1 + rng.IntN(5000))
		case 2:
			ds.Weight[i] = float64(1 + rng.IntN(1<<31))
		case 3:
			ds.Weight[i] = 1 + rng.Float64()
		case 4:
			ds.Weight[i] = math.Exp(12 * rng.NormFloat64())
		}
	}
}

const weightKinds = 5

// TestLanes: sweeps of 32 or 16 cuts give the values of the scalar routines, cut by cut; with
// rounded weights, values that are lower by at most the amount rounded off.
func TestLanes(t *testing.T) {
	if !lanesAvailable {
		t.Skip("no lanes on this machine")
	}
	kinds, rounded := map[laneKind]bool{}, 0
	datatest.Times(t, 5, func(t *rapid.T) {
		ds := randomData(t, 120, 4, 5)
		weighted(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), ds, rapid.IntRange(0, weightKinds-1).Draw(t, "kind of weights"))
		p := problemOf(ds, &Options{Depth: 2})
		if p.p == 0 || p.k < 2 || p.bits != nil {
			return
		}
		w := newWorker(p, 2, func() bool { return false }, newShared(0))
		nd := newPairNode(p)
		c := child{header: &nd.header, pair: nd, depth: 2, budget: 3}
		w.split.whole(&c, p.root())
		kinds[nd.lanes] = true
		for range nd.lanes.slots() {
			f := rapid.IntRange(0, p.p-1).Draw(t, "feature")
			var at []int32
			for pos := nd.nextCut(f, int32(rapid.IntRange(1, int(nd.count[f])).Draw(t, "cut"))); pos < nd.count[f] && len(at) < slotLanes; pos = nd.nextCut(f, pos+1) {
				at = append(at, pos)
			}
			if len(at) > 0 {
				w.batch.add(nd, f, at)
			}
		}
		if w.batch.used == 0 {
			return
		}
		w.batch.evaluate(nd, 0)
		off, slack := 0.0, 1e-12*p.total
		if p.bounds(nd) {
			rounded++
			off = float64(p.n) * p.grain
		}
		near := func(what string, lanes, exact side) {
			for _, v := range [2][2]float64{{lanes.leaf, exact.leaf}, {lanes.stump, exact.stump}} {
				if v[0] > v[1]+slack || v[0] < v[1]-off-slack {
					t.Fatalf("%s: lanes %v, scalar %v", what, lanes, exact)
				}
			}
		}
		for l := range w.batch.used * slotLanes {
			f, pos := int(w.batch.cuts[l].feature), w.batch.cuts[l].pos
			left, right := w.scalar.exact(nd, f, pos)
			near(fmt.Sprintf("left of cut %d of feature %d", pos, f), w.batch.left[l], left)
			near(fmt.Sprintf("right of cut %d of feature %d", pos, f), w.batch.right[l], right)
			if l, r := w.scalar.sides(nd, f, pos, 0); math.Abs(min(left.leaf, l.errors)-left.stump) > slack || math.Abs(min(right.leaf, r.errors)-right.stump) > slack {
				t.Fatalf("cut %d of feature %d: %v, %v; row by row %v, %v", pos, f, left, right, l, r)
			}
			sum := 0.0
			for i := range nd.n {
				if r := nd.rows[i]; w.scalar.inLeft[r] {
					sum += p.weight[r]
				}
			}
			if got := w.batch.leftWeight(l); got > sum+slack || got < sum-off-slack {
				t.Fatalf("cut %d of feature %d: left weight %v, not %v", pos, f, got, sum)
			}
		}
	})
	if len(kinds) != 2 || rounded == 0 {
		t.Errorf("kinds of lanes %v, rounded %d times", kinds, rounded)
	}
}

// TestLaneWeights: lanes of any width find the optimum of the scalar routine, including weights at
// the limits of their widths, and any number of workers gives the same result.
func TestLaneWeights(t *testing.T) {
	check := func(name string, ds *dataset.Dataset, o Options) {
		t.Helper()
		got := solve(t, ds, o)
		scalar := o
		scalar.scalar = true
		want := solve(t, ds, scalar)
		if math.Abs(got.Objective-want.Objective) > 1e-10 || got.Status != want.Status || math.Abs(got.Bound-want.Bound) > 1e-10 {
			t.Errorf("%s, %+v: objective %v, %v, bound %v; without lanes %v, %v, %v", name, o, got.Objective, got.Status, got.Bound, want.Objective, want.Status, want.Bound)
		}
		o.Workers = 3
		if many := solve(t, ds, o); many.Objective != got.Objective || many.Stats != got.Stats || !many.Tree.Equal(got.Tree) {
			t.Errorf("%s, %+v: another tree with three workers", name, o)
		}
	}
	for seed := range uint64(datatest.Some(8)) {
		rng := rand.New(rand.NewPCG(seed, 9))
		for kind := range weightKinds {
			ds := noisyTree(rng, 150, 4, 3, 0.2)
			if seed%2 == 1 {
				ds.Classes = append(ds.Classes, "c")
				for i := range ds.Y {
					if rng.IntN(3) == 0 {
						ds.Y[i] = 2
					}
				}
			}
			weighted(rng, ds, kind)
			total := sum(ds.Weight)
			for _, o := range []Options{{Depth: 3}, {Depth: 2, Alpha: 0.01, MinLeaf: total / 30}, {Depth: 3, MaxSplits: 4, MinLeaf: total / 100}} {
				check(fmt.Sprintf("kind %d", kind), ds, o)
			}
		}
		for _, border := range []float64{1 << 15, 1 << 16, 1 << 30, 1 << 31, 1 << 32} {
			for off := -2.0; off <= 2; off++ {
				ds := noisyTree(rng, 40, 2, 2, 0.2)
				weighted(rng, ds, 0)
				ds.Weight[0] = 1
				ds.Weight[1] = border + off + ds.Weight[1] - sum(ds.Weight)
				check(fmt.Sprintf("total %v", sum(ds.Weight)), ds, Options{Depth: 2})
			}
		}
	}
}

// TestRoundedBruteForce compares Solve with brute force for weights that the lanes round.
func TestRoundedBruteForce(t *testing.T) {
	datatest.Times(t, 20, func(t *rapid.T) {
		ds := randomData(t, 12, 2, 3)
		weighted(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2)), ds, rapid.IntRange(2, 3).Draw(t, "kind of weights"))
		total := sum(ds.Weight)
		o := Options{
			Depth: rapid.IntRange(2, 3).Draw(t, "depth"), Alpha: rapid.SampledFrom([]float64{0, 0.02}).Draw(t, "alpha"),
			MinLeaf: rapid.SampledFrom([]float64{0, 0, total / 10}).Draw(t, "minimum leaf"),
		}
		r, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		rows := upTo(ds.N())
		scale := tree.ErrorScale(ds)
		want := bruteForce(ds, rows, o.Depth, full(o.Depth), o.Alpha*scale, o.MinLeaf) / scale
		if math.Abs(r.Objective-want) > 1e-11*total/scale || r.Status != mio.Optimal {
			t.Fatalf("objective %v, %v; brute force %v", r.Objective, r.Status, want)
		}
	})
}

// TestCostLanes: with costs, sweeps of 16 cuts give the values of the scalar routine, cut by cut;
// with rounded costs, values that are lower by at most the amount rounded off. After the random
// cases come fixed ones of the same kind, so that there always are enough.
func TestCostLanes(t *testing.T) {
	if !lanesAvailable {
		t.Skip("no lanes on this machine")
	}
	draw := func(t *rapid.T) *dataset.Dataset {
		ds := randomData(t, 60, 4, 6)
		drawCosts(t, ds)
		return ds
	}
	datatest.Times(t, 5, func(t *rapid.T) {
		checkCostLanes(t, draw(t), func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") })
	})
	checked, rounded := 0, 0
	for seed := range 100 {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		sides, bounds := checkCostLanes(t, rapid.Custom(draw).Example(seed), rng.IntN)
		checked += sides
		if bounds {
			rounded += sides
		}
	}
	if checked < 1000 || rounded < 100 {
		t.Errorf("%d sides of fixed cases checked, %d of them rounded", checked, rounded)
	}
}

// checkCostLanes compares a sweep of cuts of ds with the scalar routine. choose(n) is one of 0 to
// n-1. It returns the number of sides compared and whether their costs were rounded.
func checkCostLanes(t rapid.TB, ds *dataset.Dataset, choose func(n int) int) (sides int, bounds bool) {
	t.Helper()
	p := problemOf(ds, &Options{Depth: 2})
	if p.p == 0 || p.gain == nil || p.total == 0 {
		return 0, false
	}
	w := newWorker(p, 2, func() bool { return false }, newShared(0))
	nd := newPairNode(p)
	c := child{header: &nd.header, pair: nd, depth: 2, budget: 3}
	w.split.whole(&c, p.root())
	for range nd.lanes.slots() {
		f := choose(p.p)
		var at []int32
		for pos := nd.nextCut(f, int32(1+choose(int(nd.count[f])))); pos < nd.count[f] && len(at) < slotLanes; pos = nd.nextCut(f, pos+1) {
			at = append(at, pos)
		}
		if len(at) > 0 {
			w.batch.add(nd, f, at)
		}
	}
	if w.batch.used == 0 {
		return 0, false
	}
	w.batch.evaluate(nd, 0)
	off, slack := 0.0, 1e-12*p.total
	if bounds = p.bounds(nd); bounds {
		off = float64(p.n) * p.grain
	}
	for l := range w.batch.used * slotLanes {
		f, pos := int(w.batch.cuts[l].feature), w.batch.cuts[l].pos
		parts := w.costs.parts(w.costs.sides(nd, f, pos, 0))
		for i, lanes := range [2]side{w.batch.left[l], w.batch.right[l]} {
			sides++
			for _, v := range [2][2]float64{{lanes.leaf, parts[i].leaf}, {lanes.stump, parts[i].stump}} {
				if v[0] > v[1]+slack || v[0] < v[1]-off-slack {
					t.Fatalf("cut %d of feature %d, side %d: lanes %v, scalar %v", pos, f, i, lanes, parts[i])
				}
			}
		}
		if got, want := w.batch.leftWeight(l), w.costs.leftWeight(); got > want+slack || got < want-off-slack {
			t.Fatalf("cut %d of feature %d: left weight %v, not %v", pos, f, got, want)
		}
	}
	return sides, bounds
}
