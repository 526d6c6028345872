package exact

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
	"pgregory.net/rapid"
)

// binaryData draws rows with binary features, some of them repeated or complements, and with others
// of more values; the classes depend on a few of them.
func binaryData(rng *rand.Rand, n, binary, others, classes, weights int) *dataset.Dataset {
	ds := &dataset.Dataset{}
	for c := range classes {
		ds.Classes = append(ds.Classes, fmt.Sprintf("c%d", c))
	}
	p := binary + others
	for j := range p {
		ds.Features = append(ds.Features, fmt.Sprintf("x%d", j+1))
	}
	for range n {
		row := make([]float64, p)
		for j := range row {
			switch {
			case j >= binary:
				row[j] = float64(rng.IntN(6))
			case j%7 == 6:
				row[j] = 1 - row[j-1]
			case rng.IntN(3) == 0:
				row[j] = 1
			}
		}
		y := rng.IntN(classes)
		if rng.IntN(4) > 0 {
			y = (int(row[0]) + int(row[p/2])*int(row[p-1])) % classes
		}
		ds.X, ds.Y = append(ds.X, row...), append(ds.Y, y)
		ds.Weight, ds.Count = append(ds.Weight, float64(1+rng.IntN(weights))), append(ds.Count, 1)
	}
	return ds
}

// TestBinaryBruteForce: on binary features, alone and alongside others, the optimum equals that of
// brute force and that of the search without counts and lanes.
func TestBinaryBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		others := rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "others")
		binary := rapid.IntRange(1, 12).Draw(t, "binary")
		if others > 0 {
			binary += leastBinary
		}
		ds := binaryData(rng, rapid.IntRange(2, 40).Draw(t, "n"), binary, others,
			rapid.IntRange(2, 4).Draw(t, "K"), rapid.SampledFrom([]int{1, 3, 900}).Draw(t, "weights"))
		o := Options{
			Depth: rapid.IntRange(1, 4).Draw(t, "depth"), Alpha: rapid.SampledFrom([]float64{0, 0, 0.01, 0.2}).Draw(t, "alpha"),
			MinLeaf:   rapid.SampledFrom([]float64{0, 0, 2, 5}).Draw(t, "minimum leaf"),
			MaxSplits: rapid.SampledFrom([]int{0, 0, 1, 2, 3, 4, 6}).Draw(t, "splits"),
		}
		got, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Skip("no leaf is heavy enough")
		}
		scalar := o
		scalar.scalar = true
		want, err := Solve(context.Background(), ds, scalar)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != mio.Optimal || math.Abs(got.Objective-want.Objective) > 1e-9 {
			t.Errorf("objective %v, %v; without counts %v", got.Objective, got.Status, want.Objective)
		}
		if o.Depth > 2 {
			return
		}
		all := make([]int, ds.N())
		for i := range all {
			all[i] = i
		}
		splits, depth := o.budget()
		lambda := o.Alpha * tree.ErrorScale(ds)
		least := bruteForce(ds, all, depth, splits, lambda, o.MinLeaf)
		if value := got.Weight + lambda*float64(got.Splits); math.Abs(value-least) > 1e-6 {
			t.Errorf("value %v; the minimum is %v", value, least)
		}
	})
}

// TestBinaryWorkers: on binary features, the number of workers changes nothing.
func TestBinaryWorkers(t *testing.T) {
	for _, c := range []struct {
		others, classes, weights int
		o                        Options
	}{
		{0, 2, 1, Options{Depth: 4}},
		{0, 3, 5, Options{Depth: 3, MinLeaf: 7}},
		{3, 2, 1, Options{Depth: 3, Alpha: 0.002}},
		{0, 2, 3, Options{Depth: 4, WorkLimit: 1e6}},
		{0, 2, 1, Options{Depth: 4, MaxSplits: 9, CacheMemory: 1 << 14}},
	} {
		ds := binaryData(rand.New(rand.NewPCG(3, 4)), 300, 30, c.others, c.classes, c.weights)
		one := solve(t, ds, c.o)
		for _, workers := range []int{2, 5} {
			o := c.o
			o.Workers = workers
			many := solve(t, ds, o)
			if diff := cmp.Diff(one, many, cmpopts.IgnoreFields(Result{}, "Runtime"), cmpopts.EquateNaNs(), cmp.AllowUnexported(tree.Tree{})); diff != "" {
				t.Errorf("%+v, %d workers:\n%s", c, workers, diff)
			}
		}
	}
}

// TestRepeats: repeated features and complements change no optimum and are not searched.
func TestRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ds := binaryData(rng, 120, 6, 2, 2, 2)
	doubled := &dataset.Dataset{Classes: ds.Classes, Y: ds.Y, Weight: ds.Weight, Count: ds.Count}
	for j := range 2 * ds.P() {
		doubled.Features = append(doubled.Features, fmt.Sprintf("x%d", j+1))
	}
	for i := range ds.N() {
		for j := range ds.P() {
			doubled.X = append(doubled.X, ds.At(i, j))
		}
		for j := range ds.P() {
			doubled.X = append(doubled.X, 7-3*ds.At(i, j))
		}
	}
	o := Options{Depth: 3}
	a, b := problemOf(ds, &o), problemOf(doubled, &o)
	if diff := cmp.Diff(a.kept, b.kept); diff != "" {
		t.Error(diff)
	}
	if got, want := solve(t, doubled, o).Objective, solve(t, ds, o).Objective; got != want {
		t.Errorf("%v, without the repeats %v", got, want)
	}
}

// TestPairCounts: both routines agree with counting row by row on parts of nodes, and find the best
// stumps.
func TestPairCounts(t *testing.T) {
	vectors := vectorPairs
	defer func() { vectorPairs = vectors }()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		ds := binaryData(rng, rapid.IntRange(2, 400).Draw(t, "n"), rapid.IntRange(1, 40).Draw(t, "binary"), 0,
			rapid.IntRange(2, 5).Draw(t, "K"), rapid.SampledFrom([]int{1, 2, 100000}).Draw(t, "weights"))
		p := problemOf(ds, &Options{Depth: 3})
		if p.bits == nil {
			t.Skip("constant features")
		}
		root := p.root()
		f := rapid.IntRange(0, p.p-1).Draw(t, "feature")
		right := rapid.Bool().Draw(t, "right")
		var left, other child
		l, r := newPairNode(p), newPairNode(p)
		left, other = child{header: &l.header, pair: l}, child{header: &r.header, pair: r}
		newSplitter(p).split(&left, &other, root, f, 1)
		nd := l
		if right {
			nd = r
		}
		for _, vectorPairs = range []bool{vectors, false} {
			c := newCounter(p)
			if rapid.Bool().Draw(t, "from the other part") {
				c.load(l)
				c.load(r)
			}
			counts := c.load(nd)
			c.evaluate(counts, nd.class)
			in := rowsWhere(p, func(i uint32) bool { return p.bits.one(i, f) == 1 == right })
			g, h := rapid.IntRange(0, p.p-1).Draw(t, "g"), rapid.IntRange(0, p.p-1).Draw(t, "h")
			for class := range p.k {
				want := 0.0
				for _, i := range in {
					if int(p.class[i]) == class && p.bits.one(i, g)&p.bits.one(i, h) == 1 {
						want += p.weight[i]
					}
				}
				if got := c.pair(counts, class, g, h); float64(got) != want {
					t.Fatalf("vectors %v: class %d, features %d and %d: %d; want %v", vectorPairs, class, g, h, got, want)
				}
			}
			for side := range uint64(2) {
				want := bestStump(p, in, g, side)
				if got := float64(c.right[side][g]); got != want {
					t.Fatalf("vectors %v: where feature %d is %d a stump is right on %v; want %v", vectorPairs, g, side, got, want)
				}
			}
		}
	})
}

func rowsWhere(p *problem, in func(i uint32) bool) []uint32 {
	var rows []uint32
	for i := range uint32(p.n) {
		if in(i) {
			rows = append(rows, i)
		}
	}
	return rows
}

// bestStump returns the maximum weight that a stump classifies correctly among the rows with a
// given value of a feature.
func bestStump(p *problem, rows []uint32, feature int, value uint64) float64 {
	best := 0.0
	for g := range p.p {
		leaves := [2][]float64{make([]float64, p.k), make([]float64, p.k)}
		for _, i := range rows {
			if p.bits.one(i, feature) == value {
				leaves[p.bits.one(i, g)][p.class[i]] += p.weight[i]
			}
		}
		best = max(best, maxOf(leaves[0])+maxOf(leaves[1]))
	}
	return best
}

func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var a, b [64]uint64
	for i := range a {
		a[i] = rng.Uint64()
	}
	b = a
	transpose64(&b)
	for i, w := range b {
		for j := range a {
			if w>>j&1 != a[j]>>i&1 {
				t.Fatalf("row %d, column %d", i, j)
			}
		}
	}
}
