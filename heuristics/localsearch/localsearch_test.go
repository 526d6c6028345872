package localsearch

import (
	"bytes"
	"context"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	octh "github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/treetest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// obeys returns the limits that a tree violates.
func obeys(ds *dataset.Dataset, t *tree.Tree, o Options) string {
	if err := t.Validate(); err != nil {
		return err.Error()
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		weight := 0.0
		for _, w := range n.Weight {
			weight += w
		}
		if n.Leaf() && (!tree.EnoughWeight(weight, o.MinLeaf) || weight == 0) {
			return "a leaf is too light"
		}
	}
	complexity := t.Splits()
	if o.Hyperplanes {
		complexity = featuresInSplits(t)
	}
	switch {
	case t.Depth() > o.Depth:
		return "too deep"
	case o.MaxSplits > 0 && complexity > o.MaxSplits:
		return "too many splits"
	}
	return ""
}

func featuresInSplits(t *tree.Tree) int {
	n := 0
	for i := range t.Nodes {
		if s := t.Nodes[i].Split; s != nil {
			n += len(s.Terms)
		}
	}
	return n
}

func drawOptions(t *rapid.T) Options {
	o := Options{
		Depth:    rapid.IntRange(1, 3).Draw(t, "depth"),
		Alpha:    rapid.SampledFrom([]float64{0, 0.01, 0.1, 0.3}).Draw(t, "alpha"),
		MinLeaf:  rapid.SampledFrom([]float64{0, 0, 0, 1, 2.5}).Draw(t, "minimum leaf"),
		Seed:     rapid.Uint64Range(0, 5).Draw(t, "seed"),
		Restarts: rapid.IntRange(1, 12).Draw(t, "restarts"),
	}
	if rapid.IntRange(0, 3).Draw(t, "limited") == 0 {
		o.MaxSplits = rapid.IntRange(1, 5).Draw(t, "maximum splits")
	}
	return o
}

// TestBruteForce: the result is never below the minimum objective, satisfies its limits, and is
// optimal where the documentation says so; elsewhere it must be optimal in most cases.
func TestBruteForce(t *testing.T) {
	tried, reached := 0, 0
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 10, 3, 3)
		o := drawOptions(t)
		res, err := Search(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		least := math.Inf(1)
		for _, w := range ds.Weight {
			total += w
			least = min(least, w)
		}
		if total < o.MinLeaf {
			return // no feasible tree
		}
		if bad := obeys(ds, res.Tree, o); bad != "" {
			t.Fatal(bad)
		}
		if want := res.Tree.Objective(ds, o.Alpha); math.Abs(res.Stats.Objective-want) > 1e-12 {
			t.Fatalf("says objective %v, the tree has %v", res.Stats.Objective, want)
		}
		most := o.MaxSplits
		if most == 0 {
			most = 7
		}
		scale := tree.ErrorScale(ds)
		want := treetest.Optimum(treetest.Least(ds, nil, o.Depth, o.MinLeaf), most, o.Alpha*scale) / scale
		if res.Stats.Objective < want-1e-9 {
			t.Fatalf("objective %v is below the minimum %v", res.Stats.Objective, want)
		}
		exact := o.Depth <= 2 && o.MinLeaf <= least && o.MaxSplits == 0
		optimal := res.Stats.Objective <= want+1e-9
		if (exact || res.Stats.Limit == mio.NoLimit) && !optimal {
			t.Fatalf("objective %v, the minimum is %v; limit %q", res.Stats.Objective, want, res.Stats.Limit)
		}
		tried++
		if optimal {
			reached++
		}
	})
	if reached < tried*95/100 {
		t.Errorf("%d of %d optima reached", reached, tried)
	}
	t.Logf("%d of %d optima reached", reached, tried)
}

// TestStarts: the result is never worse than a feasible start, the same for the same seed, and
// invariant under scaling of weights and monotone maps of features.
func TestStarts(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 25, 4, 3)
		o := drawOptions(t)
		o.MaxSplits = 0
		grown, err := cart.Grow(context.Background(), ds, cart.Options{MaxDepth: o.Depth, MinLeaf: o.MinLeaf, Criterion: tree.Entropy})
		if err != nil {
			t.Fatal(err)
		}
		o.Starts = []*tree.Tree{grown.Tree}
		run := func(ds *dataset.Dataset, o Options) *Result {
			res, err := Search(context.Background(), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		res := run(ds, o)
		if bound := grown.Tree.Objective(ds, o.Alpha); res.Stats.Objective > bound+1e-9 {
			t.Fatalf("objective %v, the start has %v", res.Stats.Objective, bound)
		}
		if !run(ds, o).Tree.Equal(res.Tree) {
			t.Fatal("another tree from the same seed")
		}
		scaled := *ds
		scaled.Weight, scaled.X = nil, nil
		for _, w := range ds.Weight {
			scaled.Weight = append(scaled.Weight, 8*w)
		}
		for _, x := range ds.X {
			scaled.X = append(scaled.X, x*x*x+1)
		}
		o.Starts, o.MinLeaf, o.Depth = nil, 0, min(o.Depth, 2) // exact there
		a, b := run(&scaled, o), run(ds, o)
		if math.Abs(a.Stats.Objective-b.Stats.Objective) > 1e-9 {
			t.Fatalf("objective %v, with other units %v", b.Stats.Objective, a.Stats.Objective)
		}
	})
}

// TestHyperplanes: OCT-H accepts every tree as a warm start, without a linear program and with the
// objective that the search reports; the tree is never worse than the single leaf.
func TestHyperplanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 14, 3, 3)
		o := drawOptions(t)
		o.Hyperplanes, o.Restarts = true, 3
		o.Depth = min(o.Depth, 2)
		o.Mu = rapid.SampledFrom([]float64{0, 0.005, 0.1, 0.3}).Draw(t, "mu")
		res, err := Search(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, w := range ds.Weight {
			total += w
		}
		if total < o.MinLeaf {
			return
		}
		if bad := obeys(ds, res.Tree, o); bad != "" {
			t.Fatal(bad)
		}
		if res.Stats.Objective > 1+1e-9 {
			t.Fatalf("objective %v is worse than the single leaf's", res.Stats.Objective)
		}
		again, err := Search(context.Background(), ds, o)
		if err != nil || !again.Tree.Equal(res.Tree) {
			t.Fatalf("another tree from the same seed (%v)", err)
		}
		f, err := octh.Options{Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits, Mu: o.Mu}.Build(context.Background(), ds)
		if err != nil {
			return // one class or no feature: nothing to formulate
		}
		x, err := f.Start(context.Background(), res.Tree)
		if err != nil {
			t.Fatal(err)
		}
		if rep := mio.Check(f.Model(), x, 1e-9); !rep.Feasible {
			t.Fatal(rep.Err())
		}
		if got := f.Model().Objective(x); math.Abs(got-res.Stats.Objective) > 1e-9 {
			t.Fatalf("the model says objective %v, the search %v", got, res.Stats.Objective)
		}
	})
}

// TestPlaneLine: the costs at the ends and at the best point are correct, and no point of a fine
// grid costs less, unless within less than the minimum width.
func TestPlaneLine(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 260).Draw(t, "rows")
		l := &planeLine{half: rapid.SampledFrom([]float64{0.01, 0.1, 0.5}).Draw(t, "half")}
		l.resize(n)
		seed := rapid.Uint64().Draw(t, "seed")
		draw := func() float64 { // few values, so that events coincide
			seed = seed*6364136223846793005 + 1442695040888963407
			return float64(seed>>33%17)/8 - 1
		}
		for i := range n {
			l.from[i], l.to[i] = draw(), draw()
			l.left[i], l.right[i] = 1+draw(), 1+draw()
			l.within[i] = 2 + draw()
		}
		at := func(x float64) float64 {
			cost := 0.0
			for i := range n {
				cost += l.price(i, l.from[i]+x*(l.to[i]-l.from[i]))
			}
			return cost
		}
		first, last, best := l.search()
		if math.Abs(first-at(0)) > 1e-9 || math.Abs(last-at(1)) > 1e-9 {
			t.Fatalf("ends cost %v and %v, said %v and %v", at(0), at(1), first, last)
		}
		if math.Abs(best.cost-at(best.t)) > 1e-9 {
			t.Fatalf("at %v the cost is %v, said %v", best.t, at(best.t), best.cost)
		}
		for k := range 997 {
			if x := (float64(k) + 0.37) / 997; at(x) < best.cost-1e-6 {
				t.Fatalf("at %v the cost is %v, the best found is %v", x, at(x), best.cost)
			}
		}
	})
}

// TestCases: data without any split, and limits before the first step.
func TestCases(t *testing.T) {
	data := func(x []float64, y []int, classes ...string) *dataset.Dataset {
		names := []string{"a", "b"}[:len(x)/len(y)]
		ds, err := dataset.New(x, y, names, classes)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	xor := data([]float64{0, 0, 0, 1, 1, 0, 1, 1}, []int{0, 1, 1, 0}, "no", "yes")
	for _, c := range []struct {
		name      string
		ctx       context.Context
		ds        *dataset.Dataset
		opts      Options
		objective float64
		limit     mio.Limit
	}{
		{"one class", context.Background(), data([]float64{1, 2, 3}, []int{0, 0, 0}, "no", "yes"), Options{}, 0, mio.NoLimit},
		{"one row", context.Background(), data([]float64{1}, []int{1}, "no", "yes"), Options{}, 0, mio.NoLimit},
		{"constant features", context.Background(), data([]float64{1, 2, 1, 2}, []int{0, 1}, "no", "yes"), Options{}, 1, mio.NoLimit},
		{"points of two classes", context.Background(), data([]float64{1, 1, 2, 2}, []int{0, 1, 1, 0}, "no", "yes"), Options{}, 1, mio.NoLimit},
		{"xor", context.Background(), xor, Options{}, 0, mio.NoLimit},
		{"more classes than leaves", context.Background(), data([]float64{1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4}, "a", "b", "c", "d", "e"), Options{}, 0.25, mio.NoLimit},
		{"huge and tiny", context.Background(), data([]float64{-1e300, 1e300, 5e-324, 1e-300}, []int{0, 0, 1, 0}, "no", "yes"), Options{}, 0, mio.NoLimit},
		{"cancelled", ended, xor, Options{}, 1, mio.LimitInterrupt},
		{"no time", late, xor, Options{}, 1, mio.LimitTime},
		{"hyperplanes, one class", context.Background(), data([]float64{1, 2, 3}, []int{0, 0, 0}, "no", "yes"), Options{Hyperplanes: true}, 0, mio.NoLimit},
		{"hyperplanes, xor", context.Background(), xor, Options{Hyperplanes: true}, 0, mio.NoLimit},
		{"hyperplanes, huge", context.Background(), data([]float64{-1e300, 1e300}, []int{0, 1}, "no", "yes"), Options{Hyperplanes: true}, 0, mio.NoLimit},
		{"hyperplanes, cancelled", ended, xor, Options{Hyperplanes: true}, 1, mio.LimitInterrupt},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opts.Depth = 2
			res, err := Search(c.ctx, c.ds, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if res.Stats.Objective != c.objective || res.Stats.Limit != c.limit {
				t.Errorf("objective %v, limit %q; want %v, %q", res.Stats.Objective, res.Stats.Limit, c.objective, c.limit)
			}
			if bad := obeys(c.ds, res.Tree, c.opts); bad != "" {
				t.Error(bad)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2}, []int{0, 1}, []string{"a"}, []string{"no", "yes"})
	if err != nil {
		t.Fatal(err)
	}
	other := tree.NewLeaf(ds, 0)
	other.Features = []string{"b"}
	for want, o := range map[string]Options{
		"local search: depth is 0, expected 1 to 16":                                              {},
		"local search: alpha is NaN, expected a finite number >= 0":                               {Depth: 1, Alpha: math.NaN()},
		"local search: the minimum leaf weight is -1, expected a finite number >= 0":              {Depth: 1, MinLeaf: -1},
		"local search: the maximum number of splits is -1, expected 1 or more, or 0 for no limit": {Depth: 1, MaxSplits: -1},
		"local search: mu 2; want 0 to 1 (0: the default 0.005)":                                  {Depth: 1, Mu: 2, Hyperplanes: true},
		"local search: mu is only for hyperplane splits":                                          {Depth: 1, Mu: 0.1},
		"local search: limits must not be negative (0: no limit)":                                 {Depth: 1, Work: -1},
		"local search: features or classes of start 0 do not match the data":                      {Depth: 1, Starts: []*tree.Tree{other}},
	} {
		if _, err := Search(context.Background(), ds, o); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := Search(context.Background(), &dataset.Dataset{}, Options{Depth: 1}); err == nil {
		t.Error("no error without rows")
	}
}

// TestBytes: the same seed gives the same file.
func TestBytes(t *testing.T) {
	ds := datatest.Load(t, "heart-cleveland")
	var files [2]bytes.Buffer
	for i := range files {
		res, err := Search(context.Background(), ds, Options{Depth: 3, Alpha: 0.01, MinLeaf: 3, Seed: 7, Work: 2e7})
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Tree.WriteJSON(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(files[0].String(), files[1].String()); d != "" {
		t.Error(d)
	}
}

// TestAlwaysATree: whenever the context ends, there is a tree within the limits, no worse than the
// single leaf, and trees improve over time.
func TestAlwaysATree(t *testing.T) {
	for _, o := range []Options{
		{Depth: 3, Work: 2e6},
		{Depth: 3, MinLeaf: 20, Alpha: 0.01, Work: 2e6},
		{Depth: 2, MinLeaf: 5, Hyperplanes: true, Work: 4e6},
	} {
		ds := datatest.Example(t, "breast-cancer")
		if o.Hyperplanes {
			ds = datatest.Example(t, "iris")
		}
		objectives := map[float64]bool{}
		for looks := 0; ; looks += 1 + looks/3 {
			res, err := Search(datatest.NewLooks(looks), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			if bad := obeys(ds, res.Tree, o); bad != "" || res.Stats.Objective > 1 {
				t.Fatalf("%+v, look %d: objective %v %s", o, looks, res.Stats.Objective, bad)
			}
			objectives[res.Stats.Objective] = true
			if res.Stats.Limit != mio.LimitInterrupt {
				break
			}
			if looks > 1e7 {
				t.Fatal("it has not come to its end")
			}
		}
		if len(objectives) < 2 {
			t.Errorf("%+v: the objectives %v", o, objectives)
		}
	}
}

// TestDeadlineOfContext: a deadline is a time limit, and the only limit; without it, DefaultWork
// would apply.
func TestDeadlineOfContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	ds := datatest.Example(t, "breast-cancer")
	res, err := Search(ctx, ds, Options{Depth: 4, MinLeaf: 20})
	if err != nil || res.Stats.Limit != mio.LimitTime {
		t.Fatalf("%+v, %v", res.Stats, err)
	}
}

// TestPresort: merged and presorted data give the same tree as without Presort.
func TestPresort(t *testing.T) {
	ds := drawnData(t, 6, 400, 2, 2, true) // with equal rows
	merged, _ := ds.Merge()
	if merged.N() == ds.N() {
		t.Fatal("nothing to merge")
	}
	for _, planes := range []bool{false, true} {
		o := Options{Depth: 3, Work: 1e6, Hyperplanes: planes}
		own, err := Search(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Presort = tree.NewPresort(merged)
		shared, err := Search(context.Background(), merged, o)
		if err != nil || !shared.Tree.Equal(own.Tree) || shared.Stats.Objective != own.Stats.Objective {
			t.Errorf("hyperplanes %v: another tree (%v)", planes, err)
		}
		o.Presort = tree.NewPresort(ds)
		if apart, err := Search(context.Background(), ds, o); err != nil || apart.Stats.Objective > 1 {
			t.Errorf("rows apart: %v", err)
		}
		if _, err := Search(context.Background(), merged, o); err == nil {
			t.Error("another dataset's presort is accepted")
		}
	}
}
