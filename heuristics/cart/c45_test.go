package cart

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

func mustC45(t interface{ Fatal(...any) }, ds *dataset.Dataset, o C45Options) *C45Result {
	res, err := C45(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestPessimisticErrors: the book's figures (section 4.2) are exact binomial limits; the program
// approximates those with errors.
func TestPessimisticErrors(t *testing.T) {
	for _, c := range []struct{ weight, errs, want, tolerance float64 }{
		{6, 0, 6 * 0.206, 0.005}, {9, 0, 9 * 0.143, 0.005}, {1, 0, 0.75, 1e-9},
		{16, 1, 16 * 0.157, 0.05}, {168, 1, 168 * 0.016, 0.12}, {2, 2, 2, 1e-9}, {0, 0, 0, 0},
	} {
		if got := PessimisticErrors(c.weight, c.errs, 0.25); math.Abs(got-c.want) > c.tolerance {
			t.Errorf("PessimisticErrors(%v, %v) = %v, want %v", c.weight, c.errs, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.Float64Range(1, 1000).Draw(t, "weight")
		e := rapid.Float64Range(0, 1).Draw(t, "errors") * w
		cf := rapid.Float64Range(0.01, 0.49).Draw(t, "confidence")
		got := PessimisticErrors(w, e, cf)
		if !(got >= e && got <= w*(1+1e-12)) {
			t.Fatalf("%v pessimistic errors of %v on %v rows", got, e, w)
		}
		if more := PessimisticErrors(w, e, cf/2); more < got-1e-9 {
			t.Fatalf("%v errors at confidence %v, %v at half of it", got, cf, more)
		}
	})
}

// bruteGainRatio returns the split of ds by steps 1 and 2 of C45.
func bruteGainRatio(ds *dataset.Dataset, minLeaf float64) (feature int, threshold float64) {
	type candidate struct{ gain, ratio, threshold float64 }
	classes := ds.ClassWeights()
	weight := sumOf(classes)
	least := max(minLeaf, min(25, weight/float64(len(classes))/10))
	best := make([]candidate, ds.P())
	sum, n := 0.0, 0.0
	entropy := func(weight []float64) float64 { return tree.Entropy.Loss(weight) / sumOf(weight) }
	for j := range ds.P() {
		values := ds.Distinct(j)
		for q := 1; q < len(values); q++ {
			left, right := make([]float64, ds.K()), make([]float64, ds.K())
			for i, y := range ds.Y {
				if ds.At(i, j) < values[q] {
					left[y] += ds.Weight[i]
				} else {
					right[y] += ds.Weight[i]
				}
			}
			l, r := sumOf(left), sumOf(right)
			if l < least || r < least {
				continue
			}
			gain := entropy(classes) - l/weight*entropy(left) - r/weight*entropy(right)
			if gain > best[j].gain+1e-10 {
				best[j] = candidate{gain, gain / entropy([]float64{l, r}), tree.Midpoint(values[q-1], values[q])}
			}
		}
		if best[j].gain > 0 {
			sum += best[j].gain
			n++
		}
	}
	feature = -1
	for j, c := range best {
		if c.gain > 0 && c.gain >= sum/n-1e-10 && (feature < 0 || c.ratio > best[feature].ratio+1e-12) {
			feature = j
		}
	}
	if feature < 0 {
		return -1, 0
	}
	return feature, best[feature].threshold
}

func TestC45SplitsByGainRatio(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 30, 4, 3)
		minLeaf := float64(rapid.IntRange(1, 6).Draw(t, "minLeaf")) / 2
		feature, threshold := bruteGainRatio(ds, minLeaf)
		g := &c45Growth{C45Options: C45Options{MinLeaf: minLeaf}, ds: ds, best: make([]c45Split, ds.P())}
		pre := tree.NewPresort(ds)
		g.sweeper = tree.NewSweeper(pre, tree.Entropy, minLeaf)
		got, ok := g.split(pre.All(), ds.ClassWeights())
		if sumOf(ds.ClassWeights()) < 2*minLeaf {
			feature = -1
		}
		if ok != (feature >= 0) || ok && (got.Feature != feature || got.Threshold != threshold) {
			t.Fatalf("split %+v (%v), want x%d < %v", got, ok, feature, threshold)
		}
	})
}

// pessimistic returns the pessimistic errors of an annotated tree.
func pessimistic(tr *tree.Tree, confidence float64) float64 {
	sum := 0.0
	for i := range tr.Nodes {
		if n := &tr.Nodes[i]; n.Leaf() {
			sum += PessimisticErrors(sumOf(n.Weight), sumOf(n.Weight)-n.Weight[n.Class], confidence)
		}
	}
	return sum
}

func TestC45Prunes(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 40, 4, 3)
		o := C45Options{MinLeaf: 1, Confidence: rapid.SampledFrom([]float64{0.05, 0.25, 0.45}).Draw(t, "confidence"), MaxDepth: rapid.IntRange(0, 5).Draw(t, "depth")}
		pruned := mustC45(t, ds, o)
		o.NoPruning = true
		full := mustC45(t, ds, o)
		if full.Tree.Splits() != full.Stats.Grown || pruned.Stats.Grown != full.Stats.Grown {
			t.Fatalf("grown %d, of %d splits", full.Stats.Grown, full.Tree.Splits())
		}
		for _, tr := range []*tree.Tree{pruned.Tree, full.Tree} {
			if err := tr.Validate(); err != nil {
				t.Fatal(err)
			}
			annotated := tr.Clone()
			annotated.Relabel(ds)
			if d := cmp.Diff(annotated, tr); d != "" {
				t.Fatalf("annotations (-want +got):\n%s", d)
			}
			if o.MaxDepth > 0 && tr.Depth() > o.MaxDepth {
				t.Fatalf("depth %d, want at most %d", tr.Depth(), o.MaxDepth)
			}
		}
		// Each decision costs at most 0.1 rows.
		slack := 0.1*float64(full.Tree.Splits()) + 1e-9
		if got, was := pessimistic(pruned.Tree, o.Confidence), pessimistic(full.Tree, o.Confidence); pruned.Tree.Splits() > full.Tree.Splits() || got > was+slack {
			t.Fatalf("pruned from %d splits and %v errors to %d and %v", full.Tree.Splits(), was, pruned.Tree.Splits(), got)
		}
	})
}

func TestC45RaisesSubtrees(t *testing.T) {
	raised := 0
	for _, name := range []string{"pima", "bupa", "heart-cleveland"} {
		raised += mustC45(t, datatest.Load(t, name), C45Options{}).Stats.Raised
	}
	if raised == 0 {
		t.Error("no subtree was raised on any of the sets: the test shows nothing")
	}
}

func TestC45Options(t *testing.T) {
	ds := &dataset.Dataset{
		X: []float64{1, 2}, Y: []int{0, 1}, Weight: []float64{1, 1}, Count: []float64{1, 1},
		Features: []string{"x"}, Classes: []string{"a", "b"},
	}
	other := ds.Subset([]int{0})
	for _, c := range []struct {
		o    C45Options
		want string
	}{
		{C45Options{MaxDepth: -1}, "c45: maximum depth -1"},
		{C45Options{MinLeaf: math.NaN()}, "c45: minimum leaf weight NaN"},
		{C45Options{Confidence: 1}, "c45: confidence 1"},
		{C45Options{Presort: tree.NewPresort(other)}, "c45: Presort does not match the dataset"},
	} {
		if _, err := C45(context.Background(), ds, c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s...", c.o, err, c.want)
		}
	}
	if _, err := C45(context.Background(), &dataset.Dataset{}, C45Options{}); err == nil {
		t.Error("no rows, no error")
	}
	none := *ds
	none.X, none.Features = nil, nil
	for name, d := range map[string]*dataset.Dataset{"no features": &none, "one row": other, "too few rows": ds} {
		if tr := mustC45(t, d, C45Options{}).Tree; tr.Splits() != 0 || sumOf(tr.Nodes[0].Weight) != float64(d.N()) {
			t.Errorf("%s:\n%v", name, tr)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if res, err := C45(ctx, ds, C45Options{MinLeaf: 1}); err != nil || !res.Stats.Stopped || res.Tree.Splits() != 0 {
		t.Errorf("cancelled: %+v, %v", res, err)
	}
	// 20 noise values: Release 8 requires more of a threshold among many.
	noise := &dataset.Dataset{Features: []string{"x"}, Classes: []string{"a", "b"}}
	for i := range 20 {
		noise.X, noise.Y = append(noise.X, float64(i)), append(noise.Y, []int{0, 1, 1, 0}[i%4])
		noise.Weight, noise.Count = append(noise.Weight, 1), append(noise.Count, 1)
	}
	if mustC45(t, noise, C45Options{NoPruning: true}).Tree.Splits() == 0 {
		t.Error("without the cost of thresholds noise is not split: the next line shows nothing")
	}
	if tr := mustC45(t, noise, C45Options{NoPruning: true, ThresholdCost: true}).Tree; tr.Splits() != 0 {
		t.Errorf("with the cost of thresholds noise is split:\n%v", tr)
	}
}

func BenchmarkC45(b *testing.B) {
	for _, name := range []string{"iris", "pima", "spambase"} {
		b.Run(name, func(b *testing.B) {
			ds := datatest.Load(b, name)
			b.ReportAllocs()
			for b.Loop() {
				mustC45(b, ds, C45Options{})
			}
		})
	}
}
