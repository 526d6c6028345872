package cart

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/tree"
)

// TestAlwaysATree: whenever the context ends there is a whole tree, annotated, no worse
// than the single leaf, and trees of several sizes on the way to that without an end.
func TestAlwaysATree(t *testing.T) {
	ds := datatest.Example(t, "breast-cancer")
	for name, grow := range map[string]func(ctx context.Context) (*tree.Tree, bool, error){
		"cart":        func(ctx context.Context) (*tree.Tree, bool, error) { return grown(Grow(ctx, ds, Options{})) },
		"cart, folds": func(ctx context.Context) (*tree.Tree, bool, error) { return grown(Grow(ctx, ds, Options{Folds: 3})) },
		"c45": func(ctx context.Context) (*tree.Tree, bool, error) {
			res, err := C45(ctx, ds, C45Options{})
			if err != nil {
				return nil, false, err
			}
			return res.Tree, res.Stats.Stopped, nil
		},
	} {
		sizes := map[int]bool{}
		for looks := 0; ; looks += 1 + looks/8 {
			tr, stopped, err := grow(datatest.NewLooks(looks))
			if err != nil {
				t.Fatalf("%s, look %d: %v", name, looks, err)
			}
			sizes[tr.Splits()] = true
			check(t, name, ds, tr)
			if !stopped {
				break
			}
			if looks > 1000 {
				t.Fatalf("%s has not come to its end", name)
			}
		}
		if len(sizes) < 4 {
			t.Errorf("%s: trees of %d sizes", name, len(sizes))
		}
	}
}

func grown(res *Result, err error) (*tree.Tree, bool, error) {
	if err != nil {
		return nil, false, err
	}
	return res.Tree, res.Stats.Stopped, nil
}

func check(t *testing.T, name string, ds *dataset.Dataset, tr *tree.Tree) {
	t.Helper()
	if err := tr.Validate(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	again := tr.Clone()
	again.Relabel(ds)
	if d := cmp.Diff(again, tr); d != "" {
		t.Fatalf("%s: annotations (-want +got):\n%s", name, d)
	}
	if e := tr.Evaluate(ds).ErrorWeight; e > tree.Baseline(ds) {
		t.Fatalf("%s: %v errors, the single leaf has %v", name, e, tree.Baseline(ds))
	}
}
