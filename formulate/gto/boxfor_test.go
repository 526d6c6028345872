package gto

import (
	"context"
	"math"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// TestBoxFor: two rows of different classes that nearly touch need weights beyond DefaultBox; the
// model with the box of BoxFor admits their tree as it is, that with DefaultBox does not.
func TestBoxFor(t *testing.T) {
	ctx := context.Background()
	ds, err := dataset.New([]float64{0, 0.4999, 0.5001, 1}, []int{0, 0, 1, 1}, []string{"x"}, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	exact := tree.NewLeaf(ds, 0)
	exact.Grow(0, &tree.Split{Terms: []tree.Term{{Feature: 0, Weight: 1e4}}, Threshold: 5e3}, 0, 1)
	exact.Annotate(ds)
	for _, objective := range Objectives() {
		o := Options{Objective: objective, Depth: 1}
		box, err := o.BoxFor(ctx, ds, []*tree.Tree{tree.NewLeaf(ds, 0), exact})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			box  float64
			want bool
		}{{DefaultBox, false}, {box, true}} {
			o.Box = c.box
			f, err := o.Build(ctx, ds)
			if err != nil {
				t.Fatal(err)
			}
			x, err := f.Start(ctx, exact)
			if err != nil {
				t.Fatal(err)
			}
			if v := f.Model().Objective(x); (math.Abs(v) < 1e-6) != c.want {
				t.Errorf("%s, box %v: the start has error %v", objective, c.box, v)
			}
		}
		o.Box = 0
		if box, err := o.BoxFor(ctx, ds, nil); err != nil || box != DefaultBox {
			t.Errorf("%s: box %v without trees, %v", objective, box, err)
		}
	}
	for v, want := range map[float64]float64{123: 130, 1.2e5: 1.3e5, 129.9999: 130} {
		if got := roundUp(v); math.Abs(got-want) > 1e-9*want {
			t.Errorf("roundUp(%v) = %v, want %v", v, got, want)
		}
	}
}
