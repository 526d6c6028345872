package vertex

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/internal/pulse"
)

// TestPurifyKeepsRightRows is theorem 4.1: the extreme point misclassifies no row that the start
// classifies correctly; the start is random or has rows exactly on their margins.
func TestPurifyKeepsRightRows(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(41, 4))
	starts := map[string]int{}
	for round := range 300 {
		ds := gtoData(t, rng, 6+rng.IntN(20), 1+rng.IntN(3), 2)
		p, err := GTOStart{Depth: 1 + rng.IntN(2), Random: round%2 == 0, Seed: uint64(round)}.prepare(ctx, ds)
		if errors.Is(err, formulate.ErrSingleLeaf) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		e := newGTOError(p.m, p.layout, gto.CountError)
		right := rightRows(e, p.planes)
		v := newGTOVertex(pulse.New(ctx), p.m, e, p.planes, uint64(round))
		got := rightRows(e, v.decisions())
		for i, was := range right {
			if was && !got[i] {
				t.Fatalf("round %d: row %d was right", round, i)
			}
			if was {
				starts[map[bool]string{true: "random", false: "greedy"}[round%2 == 0]]++
			}
		}
	}
	if starts["random"] < 50 || starts["greedy"] < 500 {
		t.Errorf("too few right rows: %v", starts)
	}
}

// rightRows returns which rows have no error at some leaf of their class.
func rightRows(e *gtoError, planes []marginPlane) []bool {
	right := make([]bool, e.m.n)
	act := make([]float64, e.m.n)
	for d, h := range planes {
		for i := range act {
			act[i] = h.activity(e.m.row(i))
		}
		e.set(d, act)
	}
	for c := range e.layout.leaves {
		for i := e.m.first[c]; i < e.m.first[c+1]; i++ {
			right[i] = e.pointError(c, i) == 0
		}
	}
	return right
}

// TestRandomStart: a random start depends on the seed, needs no tree and is rejected together with
// one; both searches end no worse than it.
func TestRandomStart(t *testing.T) {
	ctx := context.Background()
	ds := datatest.Example(t, "iris")
	for seed := range uint64(3) {
		o := GTOStart{Random: true, Seed: seed}
		e, err := EPTS(ctx, ds, EPTSOptions{GTOStart: o, Tabu: TabuOptions{Iterations: 50}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := FrankWolfe(ctx, ds, FrankWolfeOptions{GTOStart: o})
		if err != nil {
			t.Fatal(err)
		}
		if e.Objective > e.Stats.Start || f.Objective > f.Stats.Start {
			t.Errorf("seed %d: EPTS %v from %v, Frank-Wolfe %v from %v", seed, e.Objective, e.Stats.Start, f.Objective, f.Stats.Start)
		}
		o.Tree = e.Tree
		if _, err := EPTS(ctx, ds, EPTSOptions{GTOStart: o}); err == nil {
			t.Error("a random start together with a tree is accepted")
		}
	}
	a, _ := GTOStart{Random: true, Seed: 1}.prepare(ctx, ds)
	b, _ := GTOStart{Random: true, Seed: 2}.prepare(ctx, ds)
	if a.planes[0].w[0] == b.planes[0].w[0] {
		t.Error("two seeds start at the same decisions")
	}
}
