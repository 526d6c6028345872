package exact

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// TestBelowBruteForce: with fixed splits, the tree is the best of all trees that contain them, with
// weights, costs, penalties, minimum leaf weights and few splits.
func TestBelowBruteForce(t *testing.T) {
	solved, none, shared := 0, 0, 0
	datatest.Times(t, 50, func(t *rapid.T) {
		ds := randomData(t, 9, 3, 3)
		if rapid.IntRange(0, 3).Draw(t, "costs of answers") == 0 {
			ds.Cost = make([]float64, ds.N()*ds.K())
			for i := range ds.Cost {
				ds.Cost[i] = rapid.SampledFrom([]float64{0, 0, 0.3, 1, 2.5}).Draw(t, "cost")
			}
		}
		o := Options{Depth: rapid.IntRange(1, 3).Draw(t, "depth"), Alpha: rapid.SampledFrom([]float64{0, 0, 0.03, 0.2}).Draw(t, "alpha")}
		o.MaxSplits = rapid.IntRange(0, 5).Draw(t, "splits")
		o.MinLeaf = min(sum(ds.Weight), rapid.SampledFrom([]float64{0, 0, 0, 1.5, 3}).Draw(t, "minimum leaf"))
		o.Fixed = treetest.Upper(t, ds, o.Depth, 4)
		if rapid.Bool().Draw(t, "presorted") {
			o.Presort = tree.NewPresort(ds)
		}
		splits := o.MaxSplits
		if splits == 0 {
			splits = full(o.Depth)
		}
		scale := tree.ErrorScale(ds)
		want := treetest.Optimum(treetest.Least(ds, o.Fixed, o.Depth, o.MinLeaf), splits, o.Alpha*scale)
		r, err := Solve(context.Background(), ds, o)
		switch {
		case math.IsInf(want, 1) && err == nil:
			t.Fatalf("a tree with objective %v, but none is feasible", r.Objective)
		case math.IsInf(want, 1):
			none++
			return
		case err != nil:
			t.Fatal(err)
		}
		if math.Abs(r.Objective*scale-want) > 1e-9*max(1, want) || r.Bound > r.Objective || r.Bound*scale < want-1e-6*max(1, want) {
			t.Fatalf("%v, objective %v, bound %v; the best is %v", r.Status, r.Objective, r.Bound, want/scale)
		}
		if r.Tree.Depth() > o.Depth || r.Tree.Splits() > splits || math.Abs(r.Tree.Objective(ds, o.Alpha)-r.Objective) > 1e-12*max(1, r.Objective) {
			t.Fatalf("a tree of depth %d with %d splits and objective %v, not %v", r.Tree.Depth(), r.Tree.Splits(), r.Tree.Objective(ds, o.Alpha), r.Objective)
		}
		solved++
		if o.MaxSplits > 0 && r.Splits == o.MaxSplits {
			shared++
		}
	})
	t.Logf("solved %d, %d of them with the maximum number of splits; %d without a tree", solved, shared, none)
}

// TestBelowLimits: a limit leaves a tree and a valid bound; the work limit is reproducible.
func TestBelowLimits(t *testing.T) {
	ds := datatest.Load(t, "seeds")
	fixed := tree.NewLeaf(ds, 0)
	l, _ := fixed.Grow(0, tree.Univariate(0, 14), 0, 0)
	fixed.Grow(l, tree.Univariate(5, 3.5), 0, 0)
	o := Options{Depth: 4, Alpha: 0.01, Fixed: fixed}
	best := solve(t, ds, o)
	if best.Status != mio.Optimal {
		t.Fatalf("%v by %v", best.Status, best.Limit)
	}
	for _, work := range []int64{1, 1e5, 2e6} {
		o.WorkLimit = work
		r := solve(t, ds, o)
		if r.Bound > best.Objective || r.Objective < best.Objective-1e-12 || r.Bound > r.Objective {
			t.Errorf("work %d: objective %v, bound %v; the best has %v", work, r.Objective, r.Bound, best.Objective)
		}
		if r.Status != mio.Optimal && r.Limit != mio.LimitIterations {
			t.Errorf("work %d: %v by %v", work, r.Status, r.Limit)
		}
		if again := solve(t, ds, o); !again.Tree.Equal(r.Tree) || again.Bound != r.Bound {
			t.Errorf("work %d: another tree or bound the second time", work)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o.WorkLimit = 0
	r, err := Solve(ctx, ds, o)
	if err != nil || r.Status != mio.Feasible || r.Limit != mio.LimitInterrupt || r.Tree.Splits() < 2 {
		t.Errorf("interrupted before it began: %v %v, error %v", r.Status, r.Limit, err)
	}
}
