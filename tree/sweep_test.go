package tree

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"pgregory.net/rapid"
)

var criteria = []Criterion{Gini, Entropy, Misclassification}

func TestPresort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	special := []float64{0, math.Copysign(0, -1), -1, 1, math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324}
	for _, n := range []int{1, 2, fewKeys, fewKeys + 1, 1000, manyKeys + 1} {
		const p = 4
		ds := &dataset.Dataset{Features: names("x", p), Classes: names("c", 2)}
		for i := range n {
			ds.X = append(ds.X, r.NormFloat64()*math.Pow(10, float64(r.IntN(40)-20)), float64(r.IntN(5)), special[r.IntN(len(special))], float64(i/3))
			ds.Y = append(ds.Y, r.IntN(2))
			ds.Weight, ds.Count = append(ds.Weight, 1), append(ds.Count, 1)
		}
		pre := NewPresort(ds)
		for j := range p {
			want := make([]int32, n)
			for i := range want {
				want[i] = int32(i)
			}
			slices.SortStableFunc(want, func(a, b int32) int {
				x, y := ds.At(int(a), j), ds.At(int(b), j)
				switch {
				case x < y:
					return -1
				case x > y:
					return 1
				}
				return 0
			})
			if !slices.Equal(want, pre.Order(j)) {
				t.Fatalf("n=%d, feature %d: wrong order", n, j)
			}
			values := pre.Values(j)
			for v := 1; v < len(values); v++ {
				if !(values[v-1] < values[v]) {
					t.Fatalf("values %v do not ascend", values[v-1:v+1])
				}
			}
			for i, rank := range pre.Ranks(j) {
				if values[rank] != ds.At(i, j) {
					t.Fatalf("n=%d, feature %d, row %d: rank %d is %v, not %v", n, j, i, rank, values[rank], ds.At(i, j))
				}
			}
		}
	}
}

// bruteBest tries every pair of distinct values of every feature.
func bruteBest(ds *dataset.Dataset, rows []int, c Criterion, minLeaf float64) (Best, bool) {
	best, found := Best{Feature: -1, Loss: math.Inf(1)}, false
	for j := range ds.P() {
		values := []float64{}
		for _, i := range rows {
			values = append(values, ds.At(i, j))
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for v := 1; v < len(values); v++ {
			threshold := Midpoint(values[v-1], values[v])
			left, right := make([]float64, ds.K()), make([]float64, ds.K())
			size := 0
			for _, i := range rows {
				if ds.At(i, j) < threshold {
					left[ds.Y[i]] += ds.Weight[i]
					size++
				} else {
					right[ds.Y[i]] += ds.Weight[i]
				}
			}
			if !EnoughWeight(sum(left), minLeaf) || !EnoughWeight(sum(right), minLeaf) {
				continue
			}
			loss := c.Loss(left) + c.Loss(right)
			if loss < best.Loss-1e-10 {
				best = Best{Feature: j, Size: size, Threshold: threshold, Loss: loss, LeftWeight: sum(left)}
				found = true
			}
		}
	}
	return best, found
}

func TestBestAgainstBruteForce(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 30, 4, 4)
		minLeaf := float64(rapid.IntRange(0, 6).Draw(t, "minLeaf")) / 2
		c := rapid.SampledFrom(criteria).Draw(t, "criterion")
		pre := NewPresort(ds)
		sweeper, parts := NewSweeper(pre, c, minLeaf), NewPartitioner(pre)
		rows := make([]int, ds.N())
		for i := range rows {
			rows[i] = i
		}
		// Down a random path of best splits, so that subsets are met, too.
		for s := pre.All().Clone(); ; {
			want, ok := bruteBest(ds, rows, c, minLeaf)
			got, gotOK := sweeper.Best(s)
			if ok != gotOK {
				t.Fatalf("found: %v, want %v", gotOK, ok)
			}
			if !ok {
				return
			}
			if math.Abs(got.Loss-want.Loss) > 1e-9 {
				t.Fatalf("loss %v, want %v", got.Loss, want.Loss)
			}
			got.Loss, got.Rank, got.NextRank = want.Loss, 0, 0
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("Best (-want +got):\n%s", d)
			}
			on, _ := sweeper.BestOn(s, got.Feature)
			if on.Threshold != got.Threshold {
				t.Fatalf("BestOn gives threshold %v, Best %v", on.Threshold, got.Threshold)
			}
			l, r := parts.Split(s, got.Feature, got.Size)
			goRight := rapid.Bool().Draw(t, "right")
			rows = slices.DeleteFunc(rows, func(i int) bool { return (ds.At(i, got.Feature) >= got.Threshold) != goRight })
			if s = l; goRight {
				s = r
			}
		}
	})
}

// The loss of Misclassification is what the labelled tree of depth 1 errs.
func TestLabels(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 20, 3, 4)
		pre := NewPresort(ds)
		sweeper := NewSweeper(pre, Misclassification, 0)
		best, ok := sweeper.Best(pre.All())
		if !ok {
			return
		}
		tr := NewLeaf(ds, 0)
		l, r := sweeper.Labels(pre.All(), best)
		tr.Grow(0, best.Split(), l, r)
		if got := tr.Evaluate(ds).ErrorWeight; got != best.Loss {
			t.Fatalf("the tree errs %v, the sweep says %v", got, best.Loss)
		}
		if best.Threshold != pre.Threshold(best.Feature, best.Rank) || best.NextRank != best.Rank+1 {
			t.Fatalf("ranks %d and %d do not make threshold %v", best.Rank, best.NextRank, best.Threshold)
		}
	})
}

// Fractional weights: sums in another order differ in the last bits, and must
// not decide between equal splits.
func TestRoundingDoesNotDecideTies(t *testing.T) {
	for _, c := range criteria {
		ds := &dataset.Dataset{Features: names("x", 2), Classes: names("c", 2)}
		const n = 50
		for i := range n {
			ds.X = append(ds.X, float64(i), float64((i*7)%n)) // another order, ...
			ds.Y = append(ds.Y, i%2)
			ds.Weight, ds.Count = append(ds.Weight, 0.1+0.2*float64(i%3)), append(ds.Count, 1)
		}
		for i := range n { // ... yet the same best split by class on both
			ds.X[2*i] += 1000 * float64(ds.Y[i])
			ds.X[2*i+1] += 1000 * float64(ds.Y[i])
		}
		pre := NewPresort(ds)
		best, ok := NewSweeper(pre, c, 0).Best(pre.All())
		if !ok || best.Feature != 0 || best.Size != n/2 || best.Loss > 1e-12 {
			t.Errorf("%v: %+v, want the split of feature 0 between the classes", c, best)
		}
	}
}

func TestSubsets(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		ds := randomData(t, 25, 3, 2)
		pre := NewPresort(ds)
		parts := NewPartitioner(pre)
		j := rapid.IntRange(0, ds.P()-1).Draw(t, "feature")
		size := rapid.IntRange(0, ds.N()).Draw(t, "size")
		node := make([]int32, ds.N())
		for _, i := range pre.Order(j)[size:] {
			node[i] = 1
		}
		want := func(f int, id int32) []int32 {
			var rows []int32
			for _, i := range pre.Order(f) {
				if node[i] == id {
					rows = append(rows, i)
				}
			}
			return rows
		}
		var l2, r2 Subset
		whole := pre.All()
		whole.Filter(&l2, node, 0)
		whole.Filter(&r2, node, 1)
		l1, r1 := parts.Split(whole.Clone(), j, size)
		for f := range ds.P() {
			for id, same := range [][]Subset{{l1, l2}, {r1, r2}} {
				for k, s := range same {
					if !slices.Equal(want(f, int32(id)), s.Order(f)) {
						t.Fatalf("part %d, feature %d, way %d: %v, want %v", id, f, k, s.Order(f), want(f, int32(id)))
					}
				}
			}
		}
	})
}

func TestSweepAllocatesNothing(t *testing.T) {
	ds := blobs(500, 5, 3)
	pre := NewPresort(ds)
	left := make([]int32, ds.N())
	var l Subset
	for _, c := range criteria {
		sweeper := NewSweeper(pre, c, 1)
		step := func() {
			best, _ := sweeper.Best(pre.All())
			clear(left)
			for _, i := range pre.Order(best.Feature)[:best.Size] {
				left[i] = 1
			}
			pre.All().Filter(&l, left, 1)
		}
		step()
		if a := testing.AllocsPerRun(10, step); a != 0 {
			t.Errorf("%v: %v allocations per node", c, a)
		}
	}
}

// blobs is n rows of p continuous features around K centres.
func blobs(n, p, k int) *dataset.Dataset {
	r := rand.New(rand.NewPCG(7, 7))
	ds := &dataset.Dataset{Features: names("x", p), Classes: names("c", k)}
	for range n {
		y := r.IntN(k)
		for j := range p {
			ds.X = append(ds.X, r.NormFloat64()+float64((y+j)%k))
		}
		ds.Y = append(ds.Y, y)
		ds.Weight, ds.Count = append(ds.Weight, 1), append(ds.Count, 1)
	}
	return ds
}

// TestPresortContext: what ends during the sorting is an error, what ends after it is
// not; sorting by all processors gives the same orders.
func TestPresortContext(t *testing.T) {
	ds := blobs(300, 5, 3)
	want := NewPresort(ds)
	for looks := range 8 {
		got, err := NewPresortContext(datatest.NewLooks(looks), ds)
		if looks < 5 && (got != nil || !errors.Is(err, context.Canceled)) {
			t.Errorf("after %d looks: %v, %v", looks, got, err)
		}
		if looks > 5 && (err != nil || !slices.Equal(got.order, want.order)) {
			t.Errorf("after %d looks: %v", looks, err)
		}
	}
	ended, cancel := context.WithTimeout(context.Background(), -1)
	defer cancel()
	if _, err := NewPresortContext(ended, ds); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("past its deadline: %v", err)
	}
	big := blobs(manyCells/7, 8, 2)
	pre := NewPresort(big)
	for j := range big.P() {
		order := pre.Order(j)
		for q := 1; q < len(order); q++ {
			if a, b := big.At(int(order[q-1]), j), big.At(int(order[q]), j); a > b || a == b && order[q-1] > order[q] {
				t.Fatalf("feature %d: %v of row %d before %v of row %d", j, a, order[q-1], b, order[q])
			}
		}
	}
}

func BenchmarkPresort(b *testing.B) {
	ds := blobs(10000, 20, 3)
	b.ReportAllocs()
	for b.Loop() {
		NewPresort(ds)
	}
	perCell(b, ds)
}

func BenchmarkBest(b *testing.B) {
	for _, k := range []int{2, 3, 10} {
		ds := blobs(10000, 20, k)
		pre := NewPresort(ds)
		for _, c := range criteria {
			b.Run(fmt.Sprintf("%v/K=%d", c, k), func(b *testing.B) {
				sweeper := NewSweeper(pre, c, 1)
				b.ReportAllocs()
				for b.Loop() {
					sweeper.Best(pre.All())
				}
				perCell(b, ds)
			})
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	ds := blobs(10000, 20, 2)
	pre := NewPresort(ds)
	parts := NewPartitioner(pre)
	b.ReportAllocs()
	for b.Loop() {
		parts.Split(pre.All().Clone(), 0, ds.N()/2)
	}
	perCell(b, ds)
}

func perCell(b *testing.B, ds *dataset.Dataset) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ds.X)), "ns/cell")
}
