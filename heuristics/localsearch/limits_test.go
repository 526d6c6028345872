package localsearch

import (
	"context"
	"testing"
	"time"

	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/tree"
)

// TestAlwaysATree: whenever the context ends there is a tree that keeps the limits, no
// worse than the single leaf, and better ones as it goes on.
func TestAlwaysATree(t *testing.T) {
	for _, o := range []Options{
		{Depth: 3, Work: 2e6},
		{Depth: 3, MinLeaf: 20, Alpha: 0.01, Work: 2e6},
		{Depth: 2, MinLeaf: 5, Hyperplanes: true, Work: 4e6},
	} {
		ds := datatest.Example(t, "breast-cancer")
		if o.Hyperplanes {
			ds = datatest.Example(t, "iris")
		}
		objectives := map[float64]bool{}
		for looks := 0; ; looks += 1 + looks/3 {
			res, err := Search(datatest.NewLooks(looks), ds, o)
			if err != nil {
				t.Fatal(err)
			}
			if bad := obeys(ds, res.Tree, o); bad != "" || res.Stats.Objective > 1 {
				t.Fatalf("%+v, look %d: objective %v %s", o, looks, res.Stats.Objective, bad)
			}
			objectives[res.Stats.Objective] = true
			if res.Stats.Limit != mio.LimitInterrupt {
				break
			}
			if looks > 1e7 {
				t.Fatal("it has not come to its end")
			}
		}
		if len(objectives) < 2 {
			t.Errorf("%+v: the objectives %v", o, objectives)
		}
	}
}

// TestDeadlineOfContext: a deadline is a limit of time, and the only one: without it
// there would be DefaultWork.
func TestDeadlineOfContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	ds := datatest.Example(t, "breast-cancer")
	res, err := Search(ctx, ds, Options{Depth: 4, MinLeaf: 20})
	if err != nil || res.Stats.Limit != mio.LimitTime {
		t.Fatalf("%+v, %v", res.Stats, err)
	}
}

// TestPresort: data that are merged and presorted give the tree that they give without.
func TestPresort(t *testing.T) {
	ds := drawnData(t, 6, 400, 2, 2, true) // with equal rows
	merged, _ := ds.Merge()
	if merged.N() == ds.N() {
		t.Fatal("nothing to merge")
	}
	for _, planes := range []bool{false, true} {
		o := Options{Depth: 3, Work: 1e6, Hyperplanes: planes}
		own, err := Search(context.Background(), ds, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Presort = tree.NewPresort(merged)
		shared, err := Search(context.Background(), merged, o)
		if err != nil || !shared.Tree.Equal(own.Tree) || shared.Stats.Objective != own.Stats.Objective {
			t.Errorf("hyperplanes %v: another tree (%v)", planes, err)
		}
		o.Presort = tree.NewPresort(ds)
		if apart, err := Search(context.Background(), ds, o); err != nil || apart.Stats.Objective > 1 {
			t.Errorf("rows apart: %v", err)
		}
		if _, err := Search(context.Background(), merged, o); err == nil {
			t.Error("another dataset's presort is accepted")
		}
	}
}
