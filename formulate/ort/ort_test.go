package ort

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/tree"
	"github.com/octgen/octgen/tree/constraint"
)

// numbers returns n rows of p features on a coarse grid, with weights at times; for squared errors, or those of a quantile.
func numbers(rng *rand.Rand, n, p int) *dataset.Dataset {
	d := formtest.Data(rng, n, p, 1)
	scale := []float64{1, 1, 1e-3, 1e5}[rng.IntN(4)]
	for range n {
		d.Target = append(d.Target, float64(rng.IntN(6)-2)*scale)
	}
	d.Quantile = []float64{0, 0, 0.5, 0.9}[rng.IntN(4)]
	return d
}

func randomOptions(rng *rand.Rand) Options {
	o := Options{Depth: 1 + rng.IntN(3), Alpha: []float64{0, 0, 0.01, 0.2}[rng.IntN(4)], MinLeaf: []float64{0, 0, 1, 2}[rng.IntN(4)]}
	if rng.IntN(3) == 0 {
		o.MaxSplits = 1 + rng.IntN(4)
	}
	return o
}

// constrained adds constraints to the options at times.
func constrained(t *testing.T, rng *rand.Rand, o *Options, d *dataset.Dataset) {
	t.Helper()
	var c constraint.Options
	if rng.IntN(4) == 0 {
		c.Forbid = []string{"f0"}
	}
	if rng.IntN(4) == 0 {
		c.MaxFeatures = 1 + rng.IntN(2)
	}
	if rng.IntN(4) == 0 {
		c.FeatureCost = []string{"f0=0.1"}
	}
	if fixed := formtest.Tree(rng, d, 1); rng.IntN(4) == 0 && c.Forbid == nil {
		c.FixTree = fixed
	}
	s, err := constraint.Parse(c)
	if err != nil {
		t.Fatal(err)
	}
	if s.Empty() {
		return
	}
	if o.Constraints, err = s.On(d); err != nil {
		t.Fatal(err)
	}
}

func TestClosedFormSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		o, d := randomOptions(rng), numbers(rng, 3+rng.IntN(40), 1+rng.IntN(4))
		constrained(t, rng, &o, d)
		f, err := o.Build(t.Context(), d)
		if !formtest.Built(t, err) {
			continue
		}
		formtest.CheckSize(t, o, f.Model(), f.size())
	}
}

// TestStartProperty: any tree's start is feasible, its objective is that of the tree with the best answers, and it decodes to it.
func TestStartProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	started := 0
	for range datatest.Some(4000) {
		o, d := randomOptions(rng), numbers(rng, 3+rng.IntN(20), 1+rng.IntN(3))
		constrained(t, rng, &o, d)
		f, err := o.Build(t.Context(), d)
		if !formtest.Built(t, err) {
			continue
		}
		given := formtest.Tree(rng, d, o.Depth)
		x, err := f.Start(t.Context(), given)
		if err != nil {
			continue
		}
		started++
		if r := mio.Check(f.Model(), x, 1e-9); !r.Feasible {
			t.Fatalf("%+v: the start breaks the model: %v", o, r)
		}
		norm := given.Collapse(d)
		norm.Annotate(d)
		if got, want := f.Model().Objective(x), f.Objective(norm); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%+v: objective %v, that of the tree %v", o, got, want)
		}
		decoded, err := f.Decode(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.N() {
			if got, want := *decoded.Nodes[decoded.Find(d.Row(i))].Value, *norm.Nodes[norm.Find(d.Row(i))].Value; got != want {
				t.Fatalf("%+v: row %d: %v, want %v", o, i, got, want)
			}
		}
		if v := f.Objective(decoded); v > f.Model().Objective(x)+1e-9 {
			t.Fatalf("%+v: decoded %v, point %v", o, v, f.Model().Objective(x))
		}
	}
	if started < datatest.Some(4000)/4 {
		t.Errorf("%d starts", started)
	}
}

// TestRefused: data and trees that no model has.
func TestRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	d := numbers(rng, 10, 2)
	classes := formtest.Data(rng, 10, 2, 2)
	constant := *d
	constant.Target = make([]float64, d.N())
	for name, c := range map[string]struct {
		o    Options
		d    *dataset.Dataset
		want error
	}{
		"classes":  {Options{Depth: 1}, classes, nil},
		"depth":    {Options{}, d, nil},
		"alpha":    {Options{Depth: 1, Alpha: -1}, d, nil},
		"leaf":     {Options{Depth: 1, MinLeaf: math.NaN()}, d, nil},
		"splits":   {Options{Depth: 1, MaxSplits: -1}, d, nil},
		"constant": {Options{Depth: 1}, &constant, formulate.ErrSingleLeaf},
	} {
		if _, err := c.o.Build(context.Background(), c.d); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := Options{Depth: 1}.Build(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	deep := tree.NewLeaf(d, 0)
	low, high := slices.Min(f.d.values[0]), slices.Max(f.d.values[0])
	_, r := deep.Grow(0, tree.Univariate(0, low+0.01), 0, 0)
	deep.Grow(r, tree.Univariate(0, high-0.01), 0, 0)
	if _, err := f.Start(t.Context(), deep); deep.Collapse(d).Depth() < 2 || !errors.Is(err, formulate.ErrNoStart) {
		t.Errorf("a deep tree of %d levels: %v", deep.Collapse(d).Depth(), err)
	}
	x := make([]float64, f.Model().NumCols())
	x[f.colD(1)] = 1
	if _, err := f.Decode(x); !errors.Is(err, formulate.ErrDecode) {
		t.Errorf("a split on no feature: %v", err)
	}
	if _, err := f.Decode(x[1:]); !errors.Is(err, formulate.ErrDecode) {
		t.Errorf("a short point: %v", err)
	}
}

// TestGolden: the models of six rows, to be compared with the equations by eye.
func TestGolden(t *testing.T) {
	for name, quantile := range map[string]float64{"squared": 0, "median": 0.5} {
		d := *formtest.Tiny(t)
		d.Classes, d.Y = []string{"y"}, make([]int, d.N())
		d.Target, d.Quantile = []float64{0, 4, 2, 8, 6, 3}, quantile
		f, err := Options{Depth: 1, Alpha: 0.01, MinLeaf: 1, MaxSplits: 1}.Build(t.Context(), &d)
		if err != nil {
			t.Fatal(err)
		}
		formtest.Golden(t, name, f.Model(), mps.Options{})
	}
}
