package exact

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
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

// annealed runs annealing alone for some work and returns its tree and the value it claims.
func annealed(t *testing.T, p *problem, depth int, seed uint64, work int64) (*tree.Tree, float64) {
	t.Helper()
	a := newAnnealer(p, p.root(), depth, seed, func() bool { return false }, newShared(1<<20))
	a.run(work, 0, nil)
	if a.keep == nil {
		t.Fatal("no tree")
	}
	best, err := a.tree(p.rows)
	if err != nil {
		t.Fatal(err)
	}
	return best, a.best
}

// TestAnnealedTrees checks that annealing claims the value that its tree has, keeps the limits, and is
// never below a proven optimum.
func TestAnnealedTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 1))
	for i := range 150 {
		ds := smallData(rng, i)
		o := Options{Depth: 3 + i%2, Alpha: []float64{0, 0.01, 0.1}[rng.IntN(3)], MinLeaf: float64(rng.IntN(4)), NoAnneal: true}
		best, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		p := problemOf(ds, &o)
		if p.p == 0 {
			continue
		}
		got, value := annealed(t, p, o.Depth, uint64(i), 1<<20)
		if v := p.value(got, p.rows); v-value > p.tol+p.slack || value-v > p.tol+p.slack {
			t.Errorf("case %d: annealing claims %v; the tree has %v", i, value, v)
		}
		got.Annotate(ds)
		if !o.admits(got, ds, full(o.Depth)) {
			t.Errorf("case %d: the tree breaks a limit", i)
		}
		if p.objective(value) < best.Objective-1e-9 {
			t.Errorf("case %d: annealing found %v below the optimum %v", i, p.objective(value), best.Objective)
		}
	}
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
	rng := rand.New(rand.NewPCG(39, 2))
	for i := range 60 {
		ds := smallData(rng, i)
		o := Options{Depth: 5, Alpha: []float64{0, 0.003}[i%2], MinLeaf: float64(rng.IntN(3)), NoAnneal: i%3 == 0}
		best, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		p := problemOf(ds, &o)
		if p.p == 0 {
			continue
		}
		s := newSearch(context.Background(), p, &o, time.Now())
		s.depth = o.Depth
		c := child{header: &s.root.header, node: s.root, depth: o.Depth, budget: full(o.Depth), top: true}
		a := answer{value: c.leaf(), leaf: true}
		s.deepen(c, &a, c.leaf())
		if v := p.objective(a.value); v-best.Objective > 1e-9 || best.Objective-v > 1e-9 {
			t.Errorf("case %d: deepening %v, plain %v", i, v, best.Objective)
		}
		if off := p.tol + p.slack; a.lb > a.value+off || o.MinLeaf <= 1 && a.lb < p.thr(a.value)-off {
			t.Errorf("case %d: bound %v of %v", i, a.lb, a.value)
		}
	}
}
