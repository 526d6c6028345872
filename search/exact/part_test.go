package exact

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octgen/octgen/dataset"
)

// TestParts searches all rows in parts and compares the sum of their optima with the optimum of all.
func TestParts(t *testing.T) {
	positive := 0
	solved(t, 60, func(rng *rand.Rand, i int) Options {
		return Options{Depth: 3, Alpha: []float64{0, 0.05}[i%2], MinLeaf: float64(rng.IntN(3)), NoAnneal: true}
	}, func(i int, ds *dataset.Dataset, o Options, p *problem, best *Result) {
		if p.cost != nil {
			return
		}
		s := newSearch(context.Background(), p, &o, time.Now())
		s.depth = o.Depth
		x := &parts{rows: rand.New(rand.NewPCG(uint64(i), 1)).Perm(p.n), size: p.n / (1 + i%3)}
		for x.next+x.size <= p.n {
			s.searchPart(x, 1<<40)
		}
		if optimum := p.value(best.Tree, p.rows); s.floor > optimum+p.tol+p.slack {
			t.Errorf("case %d: parts prove %v, the optimum is %v", i, s.floor, optimum)
		}
		if s.floor > 0 {
			positive++
		}
	})
	if positive == 0 {
		t.Error("no bound was above 0")
	}
}
