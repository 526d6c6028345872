package problem

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/search/exact"
	"github.com/octgen/octgen/tree"
)

// TestLocalSearchOfCosts: with costs of any number of classes and a least leaf the local
// search has a tree within the limits that costs no less than the best, and no more than
// the single leaf; at depth 1 it is the best.
func TestLocalSearchOfCosts(t *testing.T) {
	improved := 0
	datatest.Check(t, func(t *rapid.T) {
		ds := datatest.Random(t, 12, 3, 4)
		total := 0.0
		for _, w := range ds.Weight {
			total += w
		}
		for range ds.N() * ds.K() {
			ds.Cost = append(ds.Cost, rapid.SampledFrom([]float64{0, 0, 0.3, 1, 2.5}).Draw(t, "cost"))
		}
		shape := Shape{Levels: Levels{Depth(rapid.IntRange(1, 3).Draw(t, "depth"))}, Price: Price{Alpha: rapid.SampledFrom([]float64{0, 0.05}).Draw(t, "alpha")}}
		shape.MinLeaf = min(total, rapid.SampledFrom([]float64{0, 1, 2.5}).Draw(t, "least leaf"))
		g, err := (&LocalSearch{Shape: shape, Restarted: Restarted{Restarts: 1}}).grow(context.Background(), NewData(ds), Task{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		best, err := exact.Solve(context.Background(), ds, exact.Options{Depth: shape.Greatest(), Alpha: shape.Alpha, MinLeaf: shape.MinLeaf})
		if err != nil {
			t.Fatal(err)
		}
		value := func(of *tree.Tree) float64 { return of.Objective(ds, shape.Alpha) }
		leaf := tree.NewLeaf(ds, 0)
		leaf.Relabel(ds)
		if v := value(g.Tree); v < best.Objective-1e-9 || v > value(leaf)+1e-9 || shape.Greatest() == 1 && math.Abs(v-best.Objective) > 1e-9 {
			t.Fatalf("objective %v; the best tree has %v, the single leaf %v", v, best.Objective, value(leaf))
		}
		if g.Tree.Depth() > shape.Greatest() {
			t.Fatalf("depth %d, at most %d", g.Tree.Depth(), shape.Greatest())
		}
		for i := range g.Tree.Nodes {
			weight := 0.0
			for _, w := range g.Tree.Nodes[i].Weight {
				weight += w
			}
			if n := &g.Tree.Nodes[i]; n.Leaf() && !tree.EnoughWeight(weight, shape.MinLeaf) {
				t.Fatalf("a leaf of weight %v, at least %v", weight, shape.MinLeaf)
			}
		}
		if g.Tree.Splits() > 0 {
			improved++
		}
	})
	if improved == 0 {
		t.Error("no tree splits")
	}
}

// TestStartWork: a start of few rows has as much less work.
func TestStartWork(t *testing.T) {
	for _, c := range []struct {
		rows  int
		named bool
		want  int64
	}{{10, false, autoStartWork / 100}, {10, true, namedStartWork / 100}, {1000, false, autoStartWork}, {4000, true, namedStartWork}} {
		ds := &dataset.Dataset{Features: []string{"a", "b"}, X: make([]float64, 2*c.rows), Y: make([]int, c.rows)}
		if got := new(LocalSearch).options(&Data{Dataset: ds}, Task{For: new(Problem), Named: c.named}).Work; got != c.want {
			t.Errorf("%d rows, named %v: work %d, want %d", c.rows, c.named, got, c.want)
		}
	}
}

// TestSameEachTime: what ends by itself has no restarts to name.
func TestSameEachTime(t *testing.T) {
	if text := sameEachTime(true); strings.Contains(text, "restarts") || !strings.Contains(text, "--depth") {
		t.Error(text)
	}
	if text := sameEachTime(false); !strings.Contains(text, "--restarts") {
		t.Error(text)
	}
}
