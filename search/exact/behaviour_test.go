package exact

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

func solve(t testing.TB, ds *dataset.Dataset, o Options) *Result {
	t.Helper()
	return solveWithin(t, time.Hour, ds, o)
}

// solveWithin is solve with a deadline.
func solveWithin(t testing.TB, limit time.Duration, ds *dataset.Dataset, o Options) *Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	r, err := Solve(ctx, ds, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestWorkers: any number of workers gives the same tree, figures and counters, if the search ends
// by proof or by a work limit.
func TestWorkers(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"wdbc", Options{Depth: 3}},
		{"bupa", Options{Depth: 3, Alpha: 0.01, MinLeaf: 5}},
		{"heart-cleveland", Options{Depth: 4, MaxSplits: 6}},
		{"image-segmentation", Options{Depth: 4, WorkLimit: 5e6}},
		{"seeds", Options{Depth: 4, CacheMemory: 1 << 14}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := datatest.Load(t, c.name)
			one := solve(t, ds, c.o)
			if c.o.WorkLimit > 0 && (one.Status != mio.Feasible || one.Limit != mio.LimitIterations) {
				t.Errorf("%v by limit %v after %d cell visits", one.Status, one.Limit, one.Stats.Work)
			}
			for _, workers := range []int{3, 2, 8}[:datatest.Some(3)] {
				o := c.o
				o.Workers = workers
				many := solve(t, ds, o)
				if diff := cmp.Diff(one, many, cmpopts.IgnoreFields(Result{}, "Runtime"), cmpopts.EquateNaNs(), cmp.AllowUnexported(tree.Tree{})); diff != "" {
					t.Errorf("%d workers:\n%s", workers, diff)
				}
			}
		})
	}
}

// TestPermuted: the optimum does not depend on the order of rows, features and
// classes.
func TestPermuted(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for _, name := range []string{"hayes-roth", "seeds", "sonar", "teaching-assistant"} {
		ds := datatest.Load(t, name)
		o := Options{Depth: 3, Alpha: 0.005, MinLeaf: 2}
		want := solve(t, ds, o)
		p := permuted(ds, random)
		if got := solve(t, p, o); math.Abs(got.Objective-want.Objective) > 1e-9 {
			t.Errorf("%s: %v, permuted %v", name, want.Objective, got.Objective)
		}
	}
}

func permuted(ds *dataset.Dataset, random *rand.Rand) *dataset.Dataset {
	rows, features, classes := random.Perm(ds.N()), random.Perm(ds.P()), random.Perm(ds.K())
	p := &dataset.Dataset{Features: ds.Features, Classes: ds.Classes}
	for _, i := range rows {
		for _, j := range features {
			p.X = append(p.X, ds.At(i, j))
		}
		p.Y = append(p.Y, classes[ds.Y[i]])
		p.Weight = append(p.Weight, ds.Weight[i])
		p.Count = append(p.Count, ds.Count[i])
	}
	return p
}

// TestDeeper: relaxing depth, splits or the minimum leaf weight never raises the optimum.
func TestDeeper(t *testing.T) {
	for _, name := range []string{"bupa", "hayes-roth", "dermatology"} {
		ds := datatest.Load(t, name)
		last := math.Inf(1)
		for depth := 1; depth <= 4; depth++ {
			r := solve(t, ds, Options{Depth: depth, Alpha: 0.002})
			if r.Objective > last+1e-12 {
				t.Errorf("%s: depth %d has objective %v, depth %d had %v", name, depth, r.Objective, depth-1, last)
			}
			last = r.Objective
		}
		last = math.Inf(1)
		for splits := 1; splits <= 7; splits++ {
			r := solve(t, ds, Options{Depth: 3, MaxSplits: splits})
			if r.Objective > last+1e-12 || r.Splits > splits {
				t.Errorf("%s: %d of at most %d splits, objective %v after %v", name, r.Splits, splits, r.Objective, last)
			}
			last = r.Objective
		}
		last = 0
		for _, least := range []float64{0, 2, 5, 20} {
			r := solve(t, ds, Options{Depth: 3, MinLeaf: least})
			if r.Objective < last-1e-12 {
				t.Errorf("%s: minimum leaf weight %v has objective %v after %v", name, least, r.Objective, last)
			}
			last = r.Objective
		}
	}
}

// TestRepeatedRows: repeated rows are rows of weight two.
func TestRepeatedRows(t *testing.T) {
	ds := datatest.Load(t, "monks-3")
	twice := ds.Subset(append(upTo(ds.N()), upTo(ds.N())...))
	heavy := ds.Subset(upTo(ds.N()))
	for i := range heavy.Weight {
		heavy.Weight[i] = 2
	}
	o := Options{Depth: 3, Alpha: 0.01, MinLeaf: 6}
	a, b := solve(t, twice, o), solve(t, heavy, o)
	if a.Weight != b.Weight || math.Abs(a.Objective-b.Objective) > 1e-12 || a.Stats != b.Stats {
		t.Errorf("twice: %v, %+v\nheavy: %v, %+v", a.Weight, a.Stats, b.Weight, b.Stats)
	}
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestCacheMemory: a small cache costs time, but never changes the result.
func TestCacheMemory(t *testing.T) {
	ds := datatest.Load(t, "balance-scale") // few values: the same sets of rows recur often
	free := solve(t, ds, Options{Depth: 4})
	if free.Stats.CacheHits == 0 {
		t.Error("no set of rows came up twice")
	}
	for _, memory := range []int64{1, 1 << 12, 1 << 16, -1} {
		r := solve(t, ds, Options{Depth: 4, CacheMemory: memory})
		if r.Status != mio.Optimal || r.Errors != free.Errors {
			t.Errorf("%d bytes: %v errors, %v; without limit %v", memory, r.Errors, r.Status, free.Errors)
		}
		if limit := max(0, memory) / 64; r.Stats.CacheSize > limit {
			t.Errorf("%d bytes: %d sets remembered", memory, r.Stats.CacheSize)
		}
	}
}

// TestLimits: however early the search ends, it returns a tree and a bound below the optimum.
func TestLimits(t *testing.T) {
	ds := datatest.Load(t, "pima")
	optimum := solve(t, ds, Options{Depth: 3}).Objective
	check := func(name string, r *Result, limit mio.Limit) {
		t.Helper()
		if r.Limit != limit || r.Status != mio.Feasible {
			t.Errorf("%s: %v, limit %v", name, r.Status, r.Limit)
		}
		if r.Bound > optimum+1e-12 || r.Objective < optimum-1e-12 || r.Objective > r.Start || r.Bound < 0 {
			t.Errorf("%s: bound %v, objective %v, start %v; optimum %v", name, r.Bound, r.Objective, r.Start, optimum)
		}
		if want := mio.Gap(r.Objective, r.Bound); r.Gap != want {
			t.Errorf("%s: gap %v, not %v", name, r.Gap, want)
		}
		if got := r.Tree.Objective(ds, 0); got != r.Objective {
			t.Errorf("%s: the tree's objective is %v, not %v", name, got, r.Objective)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Solve(cancelled, ds, Options{Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	check("cancelled", r, mio.LimitInterrupt)
	check("time", solveWithin(t, time.Nanosecond, ds, Options{Depth: 3}), mio.LimitTime)
	for _, work := range []int64{1, 1e4, 1e5, 1e6, 3e6} {
		check("work", solve(t, ds, Options{Depth: 3, WorkLimit: work}), mio.LimitIterations)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	r, err = Solve(ctx, ds, Options{Depth: 3, Progress: func(p Progress) {
		if p.Stats.Cuts > 40 {
			interrupt()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	check("interrupt", r, mio.LimitInterrupt)
}

// TestProgress: the incumbent falls, the bound of the last level rises, and they
// meet.
func TestProgress(t *testing.T) {
	ds := datatest.Load(t, "climate-model-crashes")
	var all []Progress
	r := solve(t, ds, Options{Depth: 3, Progress: func(p Progress) { all = append(all, p) }})
	if len(all) < 3 {
		t.Fatalf("%d reports", len(all))
	}
	for i, p := range all {
		if p.Bound > p.Objective || p.Bound > r.Objective+1e-12 || p.Objective < r.Objective-1e-12 {
			t.Errorf("report %d: objective %v, bound %v; optimum %v", i, p.Objective, p.Bound, r.Objective)
		}
		if i > 0 && (p.Objective > all[i-1].Objective || p.Bound < all[i-1].Bound) {
			t.Errorf("report %d: objective %v after %v, bound %v after %v", i, p.Objective, all[i-1].Objective, p.Bound, all[i-1].Bound)
		}
	}
}

// TestStart: a warm start is kept if it is optimal, ignored if it is infeasible, and never returned
// if there is a better tree.
func TestStart(t *testing.T) {
	ds := datatest.Load(t, "seeds")
	o := Options{Depth: 3, Alpha: 0.01}
	best := solve(t, ds, o)
	o.Start = best.Tree
	if r := solve(t, ds, o); r.Improved || r.Start != best.Objective || r.Status != mio.Optimal {
		t.Errorf("from the optimum: improved %v, start %v of %v, %v", r.Improved, r.Start, best.Objective, r.Status)
	}
	o.Depth = 2
	if r := solve(t, ds, o); r.Tree.Depth() > 2 || r.Status != mio.Optimal {
		t.Errorf("from a tree that is too deep: depth %d, %v", r.Tree.Depth(), r.Status)
	}
}

func TestInput(t *testing.T) {
	ds, err := dataset.New([]float64{1, 2, 3}, []int{0, 1, 0}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "depth is 0, expected 1 to 16"},
		{Options{Depth: 17}, "depth is 17"},
		{Options{Depth: 1, Alpha: -1}, "alpha is -1"},
		{Options{Depth: 1, Alpha: math.NaN()}, "alpha is NaN"},
		{Options{Depth: 1, MinLeaf: math.Inf(1)}, "minimum leaf weight is +Inf"},
		{Options{Depth: 1, MinLeaf: 4}, "minimum leaf weight is 4, but all rows together weigh 3"},
		{Options{Depth: 1, MaxSplits: -1}, "number of splits is -1"},
		{Options{Depth: 1, WorkLimit: -1}, "must not be negative"},
	} {
		if _, err := Solve(context.Background(), ds, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, not one with %q", c.o, err, c.want)
		}
	}
	if _, err := Solve(context.Background(), &dataset.Dataset{Features: []string{"x"}, Classes: []string{"a"}}, Options{Depth: 1}); err == nil {
		t.Error("no rows: no error")
	}
}

// TestCases: edge cases of data.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		name   string
		x      []float64
		p      int
		y      []int
		errors float64
	}{
		{"one row", []float64{1}, 1, []int{0}, 0},
		{"one class", []float64{1, 2, 3}, 1, []int{0, 0, 0}, 0},
		{"constant", []float64{1, 1, 1}, 1, []int{0, 1, 0}, 1},
		{"one point", []float64{1, 2, 1, 2}, 2, []int{0, 1}, 1},
		{"more classes than leaves", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 1, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 2},
		{"neighbours", []float64{1, math.Nextafter(1, 2), math.Nextafter(math.Nextafter(1, 2), 2)}, 1, []int{0, 1, 0}, 0},
		{"huge and tiny", []float64{-1e300, -1e-300, 0, 1e-300, 1e300}, 1, []int{0, 1, 0, 1, 0}, 0},
		{"exclusive or", []float64{0, 0, 0, 1, 1, 0, 1, 1}, 2, []int{0, 1, 1, 0}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			classes := strings.Split("abcdefghij", "")
			ds, err := dataset.New(c.x, c.y, []string{"u", "v"}[:c.p], classes)
			if err != nil {
				t.Fatal(err)
			}
			r := solve(t, ds, Options{Depth: 3})
			if r.Errors != c.errors || r.Status != mio.Optimal || r.Gap != 0 {
				t.Errorf("%v errors, %v, gap %v; expected %v", r.Errors, r.Status, r.Gap, c.errors)
			}
		})
	}
}

// TestJSON: tree.json accepts a tree of the search.
func TestJSON(t *testing.T) {
	r := solve(t, datatest.Load(t, "iris"), Options{Depth: 3})
	var out bytes.Buffer
	if err := r.Tree.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.ReadJSON(&out); err != nil {
		t.Fatal(err)
	}
}

// TestLargeWholeWeights: whole weights whose sums leave no digits for fractions.
func TestLargeWholeWeights(t *testing.T) {
	for _, scale := range []float64{1, 1e6, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e18} {
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, 7))
			ds := noisyTree(rng, 40, 3, 2, 0.2)
			for i := range ds.Weight {
				ds.Weight[i] = float64(1 + rng.IntN(3))
			}
			for _, alpha := range []float64{0, 0.01} {
				o := Options{Depth: 3, Alpha: alpha, MinLeaf: 1}
				want, err := Solve(context.Background(), ds, o)
				if err != nil {
					t.Fatal(err)
				}
				large := *ds
				large.Weight = nil
				for _, w := range ds.Weight {
					large.Weight = append(large.Weight, scale*w)
				}
				o.MinLeaf = scale
				got, err := Solve(context.Background(), &large, o)
				if err != nil {
					t.Fatalf("weights times %v, alpha %v: %v", scale, alpha, err)
				}
				if math.Abs(got.Objective-want.Objective) > 1e-9 || got.Status != want.Status {
					t.Errorf("weights times %v, alpha %v: objective %v, want %v", scale, alpha, got.Objective, want.Objective)
				}
			}
		}
	}
}

// TestAlwaysATree: whenever the context ends, there is a tree and a bound below it, and trees
// improve over time.
func TestAlwaysATree(t *testing.T) {
	ds := datatest.Load(t, "pima")
	for _, o := range []Options{{Depth: 3}, {Depth: 2, MinLeaf: 20}, {Depth: 1, Alpha: 0.01}} {
		best := solve(t, ds, o)
		objectives := map[float64]bool{}
		for looks := 0; ; looks += 1 + looks/3 {
			r, err := Solve(datatest.NewLooks(looks), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Tree.Validate(); err != nil || r.Bound > best.Objective+1e-9 || r.Objective < best.Objective-1e-9 || r.Objective > 1 {
				t.Fatalf("%+v, look %d: objective %v, bound %v; the optimum is %v; %v", o, looks, r.Objective, r.Bound, best.Objective, err)
			}
			objectives[r.Objective] = true
			if r.Status == mio.Optimal {
				break
			}
			if r.Limit != mio.LimitInterrupt {
				t.Fatalf("%+v, look %d: limit %q", o, looks, r.Limit)
			}
		}
		if len(objectives) < 2 {
			t.Errorf("%+v: the objectives %v", o, objectives)
		}
	}
}

// TestPresort: merged and presorted data give the same tree as without Presort; unmerged rows, with
// constant features and points of several classes, give the same objective.
func TestPresort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := randomData(t, 20, 3, 3)
		o := Options{Depth: rapid.IntRange(1, 3).Draw(t, "depth"), Alpha: 0.01}
		want, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		merged, _ := ds.Merge()
		for _, d := range []*dataset.Dataset{merged, ds} {
			o.Presort = tree.NewPresort(d)
			got, err := Solve(context.Background(), d, o)
			if err != nil || math.Abs(got.Objective-want.Objective) > 1e-9 || got.Status != want.Status {
				t.Fatalf("%v, %v (%v); want %v, %v", got.Objective, got.Status, err, want.Objective, want.Status)
			}
			if d == merged && !got.Tree.Equal(want.Tree) {
				t.Fatal("another tree")
			}
		}
	})
}

// TestAffordableBudget: a deep search with a penalty has the optimum of the depth that the penalty
// leaves, and of the search without that rule.
func TestAffordableBudget(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(38, 1))
	capped := 0
	for range 30 {
		ds := datatest.Tied(rng, 12, 5)
		alpha := []float64{0.05, 0.1, 0.2, 0.35}[rng.IntN(4)]
		deep, err := Solve(ctx, ds, Options{Depth: 5, Alpha: alpha})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := Solve(ctx, ds, Options{Depth: 5, Alpha: alpha, Rules: Rules{NoPoints: true}})
		if err != nil {
			t.Fatal(err)
		}
		if deep.Status != mio.Optimal || math.Abs(deep.Objective-plain.Objective) > 1e-9 {
			t.Fatalf("%v with objective %v, without the rule %v", deep.Status, deep.Objective, plain.Objective)
		}
		if deep.Start/alpha < 5 {
			capped++
		}
		if depth := int(deep.Objective/alpha + 1e-9); deep.Tree.Depth() > depth {
			t.Fatalf("depth %d for objective %v at alpha %v", deep.Tree.Depth(), deep.Objective, alpha)
		}
	}
	if capped < 10 {
		t.Errorf("the rule limits the depth of %d searches only", capped)
	}
}
