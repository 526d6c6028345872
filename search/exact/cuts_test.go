package exact

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// TestCuts compares the cuts below a limit with the optima on both sides of every cut.
func TestCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(39, 5))
	listed := 0
	for i := range 40 {
		ds := rewards(rng, 12+rng.IntN(12), 2+rng.IntN(2), 2+rng.IntN(2), 0.3)
		ds, _ = addUpPoints(ds, ds.Excess())
		ds.Loss = dataset.Loss{Cost: ds.Cost}
		for row := range ds.N() {
			costs := ds.CostsOf(row)
			least := minOf(costs)
			for k := range costs {
				costs[k] -= least
			}
		}
		o := Options{Depth: 2 + i%3/2, Alpha: []float64{0, 0.02}[rng.IntN(2)], Presort: tree.NewPresort(ds)}
		best, err := Solve(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		scale := tree.ErrorScale(ds)
		below := best.Objective*scale*(1+rng.Float64()) + 0.01
		cuts, _, ended, err := Cuts(context.Background(), ds, o, below)
		if p := problemOf(ds, &o); o.Depth == 2 && ended && p.gain != nil && p.wide == nil {
			continue // no lanes
		}
		if err != nil || ended {
			t.Fatal(ended, err)
		}
		type at struct {
			feature int
			rank    int32
		}
		found := map[at]Cut{}
		for _, c := range cuts {
			found[at{c.Feature, c.Rank}] = c
		}
		side := func(rows []int) float64 {
			part := ds.Subset(rows)
			if bestLeaf(part).value == 0 {
				return 0
			}
			s := tree.ErrorScale(part)
			r, err := Solve(context.Background(), part, Options{Depth: o.Depth - 1, Alpha: o.Alpha * scale / s})
			if err != nil {
				t.Fatal(err)
			}
			return r.Objective * s
		}
		p := problemOf(ds, &o)
		for f := range p.p {
			for rank := range p.values(f)[1:] {
				var rows [2][]int
				for row, r := range p.ranks(f) {
					if int(r) <= rank {
						rows[0] = append(rows[0], row)
					} else {
						rows[1] = append(rows[1], row)
					}
				}
				l, r := side(rows[0]), side(rows[1])
				v := o.Alpha*scale + l + r
				c, is := found[at{p.kept[f], int32(rank)}]
				switch {
				case is && (c.Left > l+1e-9 || c.Right > r+1e-9 || v+1e-9 < below && c.Left+c.Right < l+r-1e-9):
					t.Fatalf("case %d: the cut %d of feature %d has the sides %v and %v, want %v and %v", i, rank, f, c.Left, c.Right, l, r)
				case is:
					listed++
				case v+1e-9 < below:
					t.Fatalf("case %d: the cut %d of feature %d, of value %v below %v, is missing", i, rank, f, v, below)
				}
			}
		}
	}
	if listed < 40 {
		t.Errorf("%d cuts in all", listed)
	}
}
