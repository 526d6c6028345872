package policy

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/pulse"
	"github.com/octgen/octgen/tree"
)

// random draws data with rewards: few values, so that rows and rewards tie, some negative, and
// weights.
func random(t *rapid.T) *dataset.Dataset {
	n, p, k := rapid.IntRange(1, 14).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(2, 4).Draw(t, "k")

	x, reward := make([]float64, n*p), make([]float64, n*k)
	for i := range x {
		x[i] = float64(rapid.IntRange(0, 3).Draw(t, "x"))
	}
	for i := range reward {
		reward[i] = float64(rapid.IntRange(-4, 4).Draw(t, "r"))
	}
	d, err := dataset.NewRewards(x, reward, []string{"a", "b", "c"}[:p], []string{"u", "v", "w", "z"}[:k])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGrow: a tree satisfies its limits, has the reported value, is never worse than the best
// single action, and is optimal at depth 1 without a penalty.
func TestGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := random(t)
		o := Options{
			Depth: rapid.IntRange(1, 4).Draw(t, "depth"), Penalty: float64(rapid.IntRange(0, 3).Draw(t, "penalty")),
			MinLeaf: float64(rapid.IntRange(0, 4).Draw(t, "minimum leaf")), MaxSplits: rapid.IntRange(0, 4).Draw(t, "splits"),
		}
		if o.MinLeaf > float64(d.N()) {
			o.MinLeaf = 0
		}
		r, err := Grow(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		e := r.Tree.Evaluate(d)
		if e.Excess != r.Excess {
			t.Fatalf("says %v, is %v", r.Excess, e.Excess)
		}
		if v := r.Excess + o.Penalty*float64(r.Tree.Splits()); v > d.Baseline() {
			t.Fatalf("%v, the best single action loses %v", v, d.Baseline())
		}
		if r.Tree.Depth() > o.Depth || o.MaxSplits > 0 && r.Tree.Splits() > o.MaxSplits {
			t.Fatalf("depth %d, %d splits", r.Tree.Depth(), r.Tree.Splits())
		}
		for _, n := range r.Tree.Nodes {
			w := 0.0
			for _, v := range n.Weight {
				w += v
			}
			if w == 0 || w < o.MinLeaf {
				t.Fatalf("a leaf weighs %v of %v", w, o.MinLeaf)
			}
		}
		if o.Depth == 1 && o.Penalty == 0 && o.MinLeaf <= 1 {
			if best := bestStump(d); r.Excess != best {
				t.Fatalf("loses %v, the best stump %v", r.Excess, best)
			}
		}
	})
}

// bestStump returns the minimum excess of a tree with at most one split, by enumeration.
func bestStump(d *dataset.Dataset) float64 {
	best := d.Baseline()
	for j := range d.P() {
		values := d.Distinct(j)
		for q := range len(values) - 1 {
			t := tree.NewLeaf(d, 0)
			t.Grow(0, tree.Univariate(j, tree.Midpoint(values[q], values[q+1])), 0, 0)
			t.Relabel(d)
			best = min(best, t.Evaluate(d).Excess)
		}
	}
	return best
}

// TestDescend: descent finds what greedy growth misses: the two features of an exclusive or, which
// are useless alone.
func TestDescend(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 400
	x, reward := make([]float64, 3*n), make([]float64, 2*n)
	for i := range n {
		for j := range 3 {
			x[3*i+j] = rng.Float64()
		}
		good := (x[3*i] < 0.5) != (x[3*i+1] < 0.5)
		if good {
			reward[2*i] = 1
		} else {
			reward[2*i+1] = 1
		}
	}
	d, err := dataset.NewRewards(x, reward, []string{"a", "b", "c"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	pre := tree.NewPresort(d)
	s := newSweeper(d, pre, 0, pulse.New(t.Context()))
	before, work := greedy(d, s, 2, 0), 0
	after, moves := descend(d, s, before, &work)
	if moves == 0 || excess(after) >= excess(before) {
		t.Fatalf("%d moves from %v to %v", moves, excess(before), excess(after))
	}
	r, err := Grow(t.Context(), d, Options{})
	if err != nil || r.Excess > 0 {
		t.Errorf("loses %v of %d rows, %v", r.Excess, n, err)
	}
}

// TestEnded: an ended context leaves the best single leaf.
func TestEnded(t *testing.T) {
	d, err := dataset.NewRewards([]float64{1, 2, 3}, []float64{0, 2, 0, 1, 1, 0}, []string{"a"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Grow(ctx, d, Options{})
	if err != nil || !r.Stopped || r.Tree.Splits() != 0 || r.Tree.Classes[r.Tree.Nodes[0].Class] != "v" || r.Excess != 1 {
		t.Fatalf("%+v, %v\n%v", r, err, r.Tree)
	}
}

func TestBadOptions(t *testing.T) {
	d, err := dataset.NewRewards([]float64{1, 2}, []float64{0, 2, 0, 1}, []string{"a"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	classes, err := dataset.New([]float64{1, 2}, []int{0, 1}, []string{"a"}, []string{"u", "v"})
	if err != nil {
		t.Fatal(err)
	}
	other := tree.NewPresort(d.Subset([]int{0}))
	for _, c := range []struct {
		d *dataset.Dataset
		o Options
	}{{d, Options{Depth: -1}}, {d, Options{Penalty: -1}}, {d, Options{MinLeaf: math.NaN()}}, {d, Options{MaxSplits: -1}}, {d, Options{Presort: other}}, {classes, Options{}}} {
		if _, err := Grow(context.Background(), c.d, c.o); err == nil {
			t.Errorf("%+v: no error", c.o)
		}
	}
}
