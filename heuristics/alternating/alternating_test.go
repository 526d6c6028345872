package alternating

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

func search(t rapid.TB, ds *dataset.Dataset, o Options) *Result {
	t.Helper()
	r, err := Search(context.Background(), ds, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// randomSearch draws a problem.
func randomSearch(t *rapid.T) (*dataset.Dataset, Options) {
	ds := datatest.Random(t, 25, 4, 4)
	o := Options{
		Depth: rapid.IntRange(1, 3).Draw(t, "depth"), Mu: rapid.SampledFrom([]float64{0, 0.0173, 0.0871, 0.2113}).Draw(t, "mu"),
		Alpha:     rapid.SampledFrom([]float64{0, 0, 0.01, 0.1, 1}).Draw(t, "alpha"),
		MaxSplits: rapid.SampledFrom([]int{0, 0, 1, 2, 3}).Draw(t, "maximum features"),
		Seed:      uint64(rapid.IntRange(0, 9).Draw(t, "seed")), Work: int64(rapid.IntRange(1, 300_000).Draw(t, "work")),
	}
	total := 0.0
	for _, w := range ds.Weight {
		total += w
	}
	o.MinLeaf = min(total, rapid.SampledFrom([]float64{0, 0, 1, 2.5}).Draw(t, "minimum leaf"))
	return ds, o
}

// TestAdmitted: every tree is feasible for the OCT-H model as it is, with the same objective.
func TestAdmitted(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds, o := randomSearch(t)
		r := search(t, ds, o)
		f, err := hyperplane.Options{
			Depth: o.Depth, Alpha: o.Alpha, MinLeaf: o.MinLeaf, MaxSplits: o.MaxSplits, Mu: o.Mu, Encoding: formulate.BigM,
		}.Build(context.Background(), ds)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			if r.Tree.Splits() > 0 {
				t.Fatal("a tree where the single leaf is best")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Start(context.Background(), r.Tree)
		if err != nil {
			t.Fatalf("%v\n%v", err, r.Tree)
		}
		if found := mio.Check(f.Model(), x, 1e-9); !found.Feasible {
			t.Fatalf("%v\n%v", found.Err(), r.Tree)
		}
		if want := f.Objective(r.Tree); math.Abs(r.Stats.Objective-want) > 1e-9 {
			t.Fatalf("objective %v, of the tree %v", r.Stats.Objective, want)
		}
	})
}

// TestRight: if only correct rows must keep the margin, the errors that count are at least those of
// the tree and at most those with the margin for all rows.
func TestRight(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds, o := randomSearch(t)
		all := search(t, ds, o)
		o.Right, o.Starts = true, []*tree.Tree{all.Tree}
		r := search(t, ds, o)
		if r.Stats.Objective > all.Stats.Objective+1e-9 {
			t.Fatalf("objective %v from a tree of %v", r.Stats.Objective, all.Stats.Objective)
		}
		o.Starts, o.Work = []*tree.Tree{r.Tree}, 1
		if again := search(t, ds, o); again.Stats.Objective > r.Stats.Objective+1e-9 {
			t.Fatalf("objective %v from a tree of %v\n%v", again.Stats.Objective, r.Stats.Objective, r.Tree)
		}
		features := 0
		for i := range r.Tree.Nodes {
			if s := r.Tree.Nodes[i].Split; s != nil {
				features += len(s.Terms)
			}
		}
		if own := tree.Objective(r.Tree.Evaluate(ds).ErrorWeight, tree.ErrorScale(ds), o.Alpha, features); own > r.Stats.Objective+1e-9 {
			t.Fatalf("the tree has %v, the search says %v\n%v", own, r.Stats.Objective, r.Tree)
		}
	})
}

// TestNoWorseThanStarts: the result is no worse than any admitted start, even without time for a
// search.
func TestNoWorseThanStarts(t *testing.T) {
	datatest.Check(t, func(t *rapid.T) {
		ds, o := randomSearch(t)
		best := math.Inf(1)
		for seed := range uint64(3) {
			p := o
			p.Seed = seed
			r := search(t, ds, p)
			o.Starts, best = append(o.Starts, r.Tree), min(best, r.Stats.Objective)
		}
		o.Work = 1
		if r := search(t, ds, o); r.Stats.Objective > best+1e-9 {
			t.Fatalf("objective %v, a start has %v", r.Stats.Objective, best)
		}
	})
}

// TestSame: the same seed and work give the same tree.
func TestSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds, o := randomSearch(t)
		if a, b := search(t, ds, o), search(t, ds, o); !a.Tree.Equal(b.Tree) || a.Stats.Work != b.Stats.Work {
			t.Fatalf("%v\n%v", a.Tree, b.Tree)
		}
	})
}

// TestReal: known minimum errors for the depth, with the margin of the paper.
func TestReal(t *testing.T) {
	for _, c := range []struct {
		name          string
		depth, errors int
	}{
		{"iris", 2, 1}, {"iris", 3, 0}, {"monks-1", 2, 1}, {"wine", 2, 0}, {"seeds", 2, 0}, {"banknote", 2, 0},
		{"soybean-small", 2, 0}, {"wdbc", 2, 0}, {"wdbc", 3, 0}, {"ionosphere", 2, 0}, {"ionosphere", 3, 0},
	} {
		ds := datatest.Load(t, c.name)
		r := search(t, ds, Options{Depth: c.depth, Enough: float64(c.errors) / tree.ErrorScale(ds)})
		if e := r.Tree.Evaluate(ds); int(e.Errors) != c.errors {
			t.Errorf("%s, depth %d: %v errors, there is a tree of %d", c.name, c.depth, e.Errors, c.errors)
		}
	}
}

// TestLimits: ended contexts leave the single leaf, or the start.
func TestLimits(t *testing.T) {
	ds := datatest.Load(t, "iris")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Search(ctx, ds, Options{Depth: 2})
	if err != nil || r.Tree.Splits() != 0 || r.Stats.Limit != mio.LimitInterrupt {
		t.Errorf("%v, %v splits, limit %v", err, r.Tree.Splits(), r.Stats.Limit)
	}
	full := search(t, ds, Options{Depth: 2, Work: 20_000_000})
	if full.Stats.Limit != mio.LimitIterations {
		t.Errorf("limit %v", full.Stats.Limit)
	}
	l, err := tree.NewTraining(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	r, err = Search(ctx, ds, Options{Depth: 2, Training: l, Starts: []*tree.Tree{full.Tree}})
	if err != nil || r.Stats.Objective != full.Stats.Objective {
		t.Errorf("%v, objective %v, of the start %v", err, r.Stats.Objective, full.Stats.Objective)
	}
	if r := search(t, ds, Options{Depth: 2, Enough: 0.01}); r.Stats.Limit != mio.NoLimit || r.Stats.Objective != 0.01 {
		t.Errorf("limit %v, objective %v", r.Stats.Limit, r.Stats.Objective)
	}
}

// TestOptions: options out of range are rejected.
func TestOptions(t *testing.T) {
	ds := datatest.Example(t, "iris")
	other := tree.NewLeaf(datatest.Example(t, "breast-cancer"), 0)
	for _, o := range []Options{
		{}, {Depth: 99}, {Depth: 1, Alpha: -1}, {Depth: 1, Alpha: math.Inf(1)}, {Depth: 1, MinLeaf: math.NaN()}, {Depth: 1, MaxSplits: -1},
		{Depth: 1, Mu: 2}, {Depth: 1, Work: -1}, {Depth: 1, Restarts: -2}, {Depth: 1, Starts: []*tree.Tree{other}},
		{Depth: 1, Training: new(tree.Training)},
	} {
		if _, err := Search(context.Background(), ds, o); err == nil {
			t.Errorf("%+v is not rejected", o)
		}
	}
}

// searcherOf returns a search of random data that has not begun.
func searcherOf(t *rapid.T) *searcher {
	ds, o := randomSearch(t)
	o.Mu, o.Work, o.MaxSplits, o.MinLeaf = 1e-4, 0, 0, 0
	l, err := tree.NewTraining(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	var first atomic.Int64
	first.Store(math.MaxInt64)
	return newSearcher(context.Background(), l, newRows(l.Rows, l.Presort, o.Mu, nil), &o, 0, time.Now(), &first)
}

// margins returns the minimum distance of the rows of each node to its plane, and the leaves of all
// rows.
func (e *searcher) margins(s *state) (margins []float64, ends []int) {
	margins, ends = make([]float64, s.leaves()), make([]int, e.n)
	for t := range margins {
		margins[t] = math.Inf(1)
	}
	for i := range ends {
		at := 1
		for at < s.leaves() {
			v := s.plane[at].value(e.row(int32(i)))
			if s.plane[at].a != nil {
				margins[at] = min(margins[at], math.Abs(v))
			}
			if at = 2 * at; v >= 0 {
				at++
			}
		}
		ends[i] = at
	}
	return margins, ends
}

// TestWiden: all rows stay in their leaves, no margin shrinks, no feature is added.
func TestWiden(t *testing.T) {
	wider := 0
	datatest.Check(t, func(t *rapid.T) {
		e := searcherOf(t)
		if e.p == 0 || e.n < 2 {
			return
		}
		s := e.empty()
		e.scatter(s, 1)
		for node := 1; node < s.leaves(); node++ {
			e.centre(s, node)
		}
		e.vacuous(s)
		if e.worth(s).broken > 0 {
			return
		}
		e.best, e.bestWorth = new(state), e.worth(s)
		e.best.copyOf(s)
		before, ends := e.margins(s)
		features := s.features()
		e.widen()
		after, stay := e.margins(e.best)
		for i := range ends {
			if ends[i] != stay[i] {
				t.Fatalf("row %d went to %d, now to %d", i, ends[i], stay[i])
			}
		}
		for node := 1; node < s.leaves(); node++ {
			if after[node] < before[node]-1e-6 {
				t.Fatalf("margin %v at node %d, it was %v", after[node], node, before[node])
			}
			if after[node] > before[node]+1e-6 {
				wider++
			}
		}
		if e.best.features() > features {
			t.Fatalf("%d features, it were %d", e.best.features(), features)
		}
	})
	if wider == 0 {
		t.Error("no margin became wider")
	}
}

// TestWidest: between the sides of a square, the margin of a tilted plane is widest when it is
// upright, without the second feature.
func TestWidest(t *testing.T) {
	ds, err := dataset.New([]float64{0, 0, 0, 1, 1, 0, 1, 1}, []int{0, 0, 1, 1}, []string{"x", "y"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := tree.NewTraining(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	e := newSearcher(context.Background(), l, newRows(l.Rows, l.Presort, 0.005, nil), &Options{Depth: 1}, 0, time.Now(), new(atomic.Int64))
	wide, ok := e.widest(&plane{a: []float64{0.6, 0.4}, b: 0.5}, []int32{0, 1, 2, 3})
	if !ok || math.Abs(wide.a[0]-1) > 1e-6 || wide.a[1] != 0 || math.Abs(wide.b-0.5) > 1e-6 {
		t.Errorf("%v, %v", wide, ok)
	}
}
