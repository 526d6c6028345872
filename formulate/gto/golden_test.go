package gto_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mio"
)

// TestGoldenMPS compares the models of tiny data, one per objective, encoding and norm, with files
// that were checked line by line against the equations.
func TestGoldenMPS(t *testing.T) {
	// Class x is at two leaves on both sides of the root, z at two leaves of one decision deeper, y
	// at one leaf.
	structure, err := gto.ParseStructure("((x,y),(z,(x,z)))", []string{"x", "y", "z"})
	if err != nil {
		t.Fatal(err)
	}
	three, err := gto.ParseStructure("((x,y),(x,(x,z)))", []string{"x", "y", "z"})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]gto.Options{
		"minimum-mio":         {Objective: gto.MinimumError, Encoding: formulate.MIO},
		"minimum-mio-p2":      {Objective: gto.MinimumError, Encoding: formulate.MIO, Norm: 2},
		"minimum-indicator":   {Objective: gto.MinimumError, Encoding: formulate.Indicator},
		"minimum-bilinear":    {Objective: gto.MinimumError, Encoding: formulate.Bilinear},
		"minimum-bilinear-p2": {Objective: gto.MinimumError, Encoding: formulate.Bilinear, Norm: 2},
		"count-mio":           {Objective: gto.CountError, Encoding: formulate.MIO},
		"count-indicator":     {Objective: gto.CountError, Encoding: formulate.Indicator},
		"product-bilinear":    {Objective: gto.ProductError, Encoding: formulate.Bilinear},
		"product-bilinear-p2": {Objective: gto.ProductError, Encoding: formulate.Bilinear, Norm: 2},
		"product-multilinear": {Objective: gto.ProductError, Structure: three},
	} {
		t.Run(name, func(t *testing.T) {
			if o.Structure == nil {
				o.Structure = structure
			}
			o.Box = 10
			d := formtest.Tiny(t)
			d.Weight[0] = 2.5
			f, err := o.Build(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			formtest.Golden(t, name, f.Model(), formtest.Dialect(f.Model()))
		})
	}
}

// TestTruth: on points of a random tree with three decisions, that tree is feasible with objective
// 0 for all errors, encodings and norms.
func TestTruth(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(10) {
		d, _, truth, err := generate.GTO{Features: 2 + int(seed), Rows: 200, Seed: seed}.Data()
		if err != nil {
			t.Fatal(err)
		}
		for _, objective := range gto.Objectives() {
			for _, e := range gto.Needs(objective) {
				for _, norm := range []int{1, 2} {
					o := gto.Options{Objective: objective, Encoding: e.Encoding, Norm: norm, Box: 1e9, OmitNames: true}
					zeroAtTruth(ctx, t, o, d, func(f *gto.Formulation) ([]float64, error) { return f.Start(ctx, truth) })
				}
			}
		}
	}
}

func zeroAtTruth(ctx context.Context, t *testing.T, o gto.Options, d *dataset.Dataset, start func(*gto.Formulation) ([]float64, error)) {
	t.Helper()
	f, err := o.Build(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	x, err := start(f)
	if err != nil {
		t.Fatal(err)
	}
	// Margins of 1 come from weights up to 1e5 here; only their rounding error remains.
	r := mio.Check(f.Model(), x, 1e-6)
	if !r.Feasible || r.Objective > 1e-6 {
		t.Errorf("%s, %s, p = %d: the true tree has the objective %v, %v", o.Objective, o.Encoding, o.Norm, r.Objective, r.Err())
	}
	back, err := f.Decode(x)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Objective(back); got > 1e-6 {
		t.Errorf("%s, %s, p = %d: the decoded tree has the objective %v", o.Objective, o.Encoding, o.Norm, got)
	}
	if e := back.Evaluate(d).Errors; e != 0 {
		t.Errorf("%s, %s, p = %d: the decoded tree has %v errors", o.Objective, o.Encoding, o.Norm, e)
	}
	if !f.BoxExact(r.Objective) {
		t.Errorf("%s: an error of 0 is optimal in any box, but BoxExact reports false", o.Objective)
	}
}
