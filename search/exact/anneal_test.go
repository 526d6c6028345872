package exact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
)

// smallData returns data of one of four kinds: numbers, binary features, both, and rewards.
func smallData(rng *rand.Rand, i int) *dataset.Dataset {
	n := 20 + rng.IntN(40)
	switch i % 4 {
	case 0:
		return noisyTree(rng, n, 3, 3, 0.2)
	case 1:
		return binaryData(rng, n, 8, 0, 2+rng.IntN(2), 2)
	case 2:
		return binaryData(rng, n, 8, 2, 2, 1)
	}
	return rewards(rng, n, 3, 2+rng.IntN(2), 0.3)
}

// solved calls check with small problems and their proven optima.
func solved(t *testing.T, count int, options func(rng *rand.Rand, i int) Options, check func(i int, ds *dataset.Dataset, o Options, p *problem, best *Result)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(39, uint64(count)))
	for i := range count {
		ds, o := smallData(rng, i), options(rng, i)
		best, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		if best.Status != mio.Optimal {
			t.Fatalf("case %d: %v", i, best.Status)
		}
		if p := problemOf(ds, &o); p.p > 0 {
			check(i, ds, o, p, best)
		}
	}
}

// TestAnnealedTrees checks that annealing claims the value that its tree has, keeps the limits, is never
// below a proven optimum, and keeps an optimum that it is given.
func TestAnnealedTrees(t *testing.T) {
	solved(t, 150, func(rng *rand.Rand, i int) Options {
		return Options{Depth: 3 + i%2, Alpha: []float64{0, 0.01, 0.1}[rng.IntN(3)], MinLeaf: float64(rng.IntN(4)), NoAnneal: true}
	}, func(i int, ds *dataset.Dataset, o Options, p *problem, best *Result) {
		off, optimum := p.tol+p.slack, p.value(best.Tree, p.rows)
		a := newAnnealer(p, p.root(), o.Depth, uint64(i), func() bool { return false }, newShared(1<<20))
		for _, given := range []bool{false, true} {
			a.run(a.w.stats.Work+1<<19, 0, nil)
			if given {
				a.adopt(best.Tree, optimum)
			}
			got, err := a.tree(p.rows)
			if err != nil {
				t.Fatal(err)
			}
			if v := p.value(got, p.rows); math.Abs(v-a.best) > off {
				t.Errorf("case %d: annealing claims %v; the tree has %v", i, a.best, v)
			}
			got.Annotate(ds)
			if !o.admits(got, ds, full(o.Depth)) {
				t.Errorf("case %d: the tree breaks a limit", i)
			}
			if a.best < optimum-off || given && a.best > optimum+off {
				t.Errorf("case %d: annealing has %v, the optimum is %v (given: %v)", i, a.best, optimum, given)
			}
		}
	})
}

// TestAnnealingIsReproducible solves twice with a limit of work, with one and two workers, and within a
// limit of time.
func TestAnnealingIsReproducible(t *testing.T) {
	ds := datatest.Load(t, "pima")
	run := func(workers int, anneal bool) *Result {
		r, err := Solve(context.Background(), ds, Options{Depth: 5, WorkLimit: 1 << 27, Workers: workers, Seed: 7, NoAnneal: !anneal})
		if err != nil {
			t.Fatal(err)
		}
		if r.Limit != mio.LimitIterations || (r.Stats.Annealing > 0) != anneal {
			t.Errorf("limit %v, annealing %d", r.Limit, r.Stats.Annealing)
		}
		return r
	}
	one, two, none := run(1, true), run(2, true), run(1, false)
	if one.Tree.String() != two.Tree.String() || one.Stats != two.Stats || one.Bound != two.Bound {
		t.Error("two workers give another result than one")
	}
	if one.Objective >= none.Objective {
		t.Errorf("with annealing %v, without %v", one.Objective, none.Objective)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r, err := Solve(ctx, ds, Options{Depth: 6})
	if err != nil || r.Limit != mio.LimitTime || r.Stats.Annealing == 0 {
		t.Errorf("within a second: limit %v, annealing %d, %v", r.Limit, r.Stats.Annealing, err)
	}
}

// TestDeepening compares deepening from the start with the plain search.
func TestDeepening(t *testing.T) {
	solved(t, 60, func(rng *rand.Rand, i int) Options {
		return Options{Depth: 5, Alpha: []float64{0, 0.003}[i%2], MinLeaf: float64(rng.IntN(3))}
	}, func(i int, _ *dataset.Dataset, o Options, p *problem, best *Result) {
		s := newSearch(context.Background(), p, &o, time.Now())
		s.depth = o.Depth
		c := child{header: &s.root.header, node: s.root, depth: o.Depth, budget: full(o.Depth), top: true}
		a := answer{value: c.leaf(), leaf: true}
		s.deepen(c, &a, c.leaf())
		off, optimum := p.tol+p.slack, p.value(best.Tree, p.rows)
		if math.Abs(a.value-optimum) > off {
			t.Errorf("case %d: deepening %v, plain %v", i, a.value, optimum)
		}
		if a.lb > a.value+off || o.MinLeaf <= 1 && a.lb < p.thr(a.value)-off {
			t.Errorf("case %d: bound %v of %v", i, a.lb, a.value)
		}
	})
}
