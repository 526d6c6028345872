package localsearch

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	octh "github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/heuristics/vertex"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// drawPlanes draws a tree of hyperplanes on few features through points of ds.
func drawPlanes(t *rapid.T, ds *dataset.Dataset, depth int) *tree.Tree {
	tr := tree.NewLeaf(ds, 0)
	var grow func(node, depth int)
	grow = func(node, depth int) {
		if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
			return
		}
		s := &tree.Split{}
		a, b := rapid.IntRange(0, ds.N()-1).Draw(t, "a"), rapid.IntRange(0, ds.N()-1).Draw(t, "b")
		for j := range ds.P() {
			w := float64(rapid.IntRange(-2, 2).Draw(t, "weight"))
			if w == 0 {
				continue
			}
			s.Terms = append(s.Terms, tree.Term{Feature: j, Weight: w})
			s.Threshold += w * (ds.At(a, j) + ds.At(b, j)) / 2
		}
		if len(s.Terms) == 0 {
			return
		}
		l, r := tr.Grow(node, s, 0, 0)
		grow(l, depth-1)
		grow(r, depth-1)
	}
	grow(0, depth)
	tr.Relabel(ds)
	return tr
}

// TestNoWorseThanStart: whatever the limits allow, the result is no worse than a start that OCT-H,
// or OCT, admits as it is.
func TestNoWorseThanStart(t *testing.T) {
	ctx := context.Background()
	admitted, improved := 0, 0
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 14, 3, 3)
		o := drawOptions(t)
		o.Hyperplanes = rapid.Bool().Draw(t, "hyperplanes")
		o.Work = int64(rapid.IntRange(1, 3).Draw(t, "work"))
		o.Work *= o.Work * o.Work * 100
		if o.Hyperplanes {
			o.Mu = rapid.SampledFrom([]float64{0, 0.005, 0.1, 0.25}).Draw(t, "mu")
		}
		var f formulate.Formulation
		var err error
		if o.Hyperplanes {
			f, err = octh.Options{Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits, Mu: o.Mu}.Build(ctx, ds)
		} else {
			f, err = oct.Options{Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits}.Build(ctx, ds)
		}
		total := 0.0
		for _, w := range ds.Weight {
			total += w
		}
		if err != nil || total < o.MinLeaf {
			return // nothing to split, or no feasible tree
		}
		least := 2.0
		for range rapid.IntRange(1, 3).Draw(t, "starts") {
			start := drawPlanes(t, ds, o.Depth)
			o.Starts = append(o.Starts, start)
			if _, err := f.Start(ctx, start); err == nil {
				least = min(least, f.Objective(start.Collapse(ds)))
				admitted++
			}
		}
		res, err := Search(ctx, ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if res.Stats.Objective > least+1e-9 {
			t.Fatalf("objective %v; a start has %v", res.Stats.Objective, least)
		}
		if _, err := f.Start(ctx, res.Tree); err != nil {
			t.Fatal(err)
		}
		if res.Stats.Objective < least-1e-9 {
			improved++
		}
	})
	if admitted < datatest.Some(100) || improved < datatest.Some(100) {
		t.Errorf("%d starts were admitted, %d trees better", admitted, improved)
	}
}

// TestNoWorseThanStartRealData: starts without errors, on data for which the search alone stays at
// the single leaf.
func TestNoWorseThanStartRealData(t *testing.T) {
	ctx := context.Background()
	for name, mu := range map[string]float64{"wdbc": 2e-5, "banknote": 9e-4} {
		ds := datatest.Load(t, name)
		start, err := vertex.EPTS(ctx, ds, vertex.EPTSOptions{FewestErrors: true, Tabu: vertex.TabuOptions{Iterations: 3000}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := octh.Options{Depth: 2, MinLeaf: 1, Mu: mu}.Build(ctx, ds)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Start(ctx, start.Tree); err != nil || start.Tree.Evaluate(ds).Errors > 0 {
			t.Fatalf("%s: the start: %v, %v errors", name, err, start.Tree.Evaluate(ds).Errors)
		}
		for _, work := range []int64{1, 1e6} {
			res, err := Search(ctx, ds, Options{Depth: 2, MinLeaf: 1, Mu: mu, Hyperplanes: true, Starts: []*tree.Tree{start.Tree}, Work: work})
			if err != nil {
				t.Fatal(err)
			}
			if e := res.Tree.Evaluate(ds).Errors; e > 0 {
				t.Errorf("%s, work %d: %v errors, the warm start has 0", name, work, e)
			}
			if _, err := f.Start(ctx, res.Tree); err != nil {
				t.Errorf("%s, work %d: %v", name, work, err)
			}
		}
	}
}
