package problem

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/heuristics/cart"
	"github.com/octgen/octgen/tree"
)

// noisy is data whose classes no tree of depth 2 separates, with weights that have no
// common unit.
func noisy(t *testing.T) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 14))
	x, y := make([]float64, 0, 120), make([]int, 40)
	for i := range y {
		y[i] = rng.IntN(3)
		for range 3 {
			x = append(x, float64(rng.IntN(8)))
		}
	}
	ds, err := dataset.New(x, y, []string{"a", "b", "c"}, []string{"u", "v", "w"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ds.Weight {
		ds.Weight[i] = 1 + rng.Float64()
	}
	return ds
}

// TestGrowCART: the algorithms that begin with CART's trees have them from the data,
// so that in one fit each is grown once, and none is changed by those that share it.
func TestGrowCART(t *testing.T) {
	ctx, ds := context.Background(), noisy(t)
	on := func(m Method, d *Data) *Problem {
		p, err := m.On(ctx, d, 0)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	oct := &OCT{Shape: Shape{Price: Price{Alpha: 0.01}, Leaves: Leaves{MinLeaf: 2}, Levels: Levels{Depth: 2}}}
	grow := func(m Method) func(*Data) error {
		return func(d *Data) error {
			_, err := on(m, d).Grow(ctx, Task{For: on(oct, d), Seed: 5, Work: 10_000})
			return err
		}
	}
	users := []struct {
		name  string
		trees int // of CART's
		run   func(*Data) error
	}{
		{"cart", 1, grow(new(CART))},
		{"treesearch", 1, grow(new(Treesearch))},
		{"oct's search", 1, func(d *Data) error { _, err := on(oct, d).Search(ctx, SearchOptions{}); return err }},
		{"local-search", 3, grow(new(LocalSearch))},
	}
	all := NewData(ds)
	var first map[cartTree]*tree.Tree
	for _, u := range users {
		own := NewData(ds)
		for _, d := range []*Data{own, all} {
			if err := u.run(d); err != nil {
				t.Fatalf("%s: %v", u.name, err)
			}
		}
		if len(own.grown) != u.trees {
			t.Errorf("%s has %d trees from the data, want %d", u.name, len(own.grown), u.trees)
		}
		if first == nil {
			first = copies(all)
		}
	}
	var by []int
	for which := range all.grown {
		by = append(by, int(which.o.Criterion))
	}
	slices.Sort(by)
	if want := []int{int(tree.Gini), int(tree.Entropy), int(tree.Misclassification)}; !slices.Equal(by, want) {
		t.Errorf("trees were grown by the criteria %v, want each of %v once", by, want)
	}
	for which, was := range first {
		if d := cmp.Diff(was, all.grown[which].Tree); d != "" {
			t.Errorf("a shared tree was changed (-grown +now):\n%s", d)
		}
	}
}

// copies are the trees of CART that d has.
func copies(d *Data) map[cartTree]*tree.Tree {
	all := make(map[cartTree]*tree.Tree)
	for which, res := range d.grown {
		all[which] = res.Tree.Clone()
	}
	return all
}

// TestGrowCARTStopped: what an ended context left of a tree is no tree for later.
func TestGrowCARTStopped(t *testing.T) {
	d, o := NewData(noisy(t)), cart.Options{MaxDepth: 2}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		splits int
	}{{ended, 0}, {context.Background(), 3}} {
		res, err := d.GrowCART(c.ctx, d.Dataset, o)
		if err != nil || res.Tree.Splits() != c.splits {
			t.Errorf("%v, %v, want %d splits", res, err, c.splits)
		}
	}
	if _, err := d.GrowCART(context.Background(), d.Dataset, cart.Options{MaxDepth: -1}); err == nil {
		t.Error("no error for a depth of -1")
	}
}
