package linear_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/mps"
)

// TestGolden compares the models of tiny data, whose first class is A, with files that were checked
// line by line against the equations.
func TestGolden(t *testing.T) {
	type options interface {
		build(context.Context, *dataset.Dataset) (formulate.Formulation, error)
	}
	for name, o := range map[string]options{
		"rlp":          rlp{},
		"rlp-p":        rlp{Perturbed: true},
		"fm-mio":       fm{Delta: 0.5, Box: 10},
		"fm-mio-p":     fm{Delta: 0.5, Perturbed: true},
		"fm-mio-nu":    fm{Delta: 0.5, Box: 10, Nu: 1},
		"fm-bilinear":  fm{Delta: 0.5, Nu: 1, Encoding: formulate.Bilinear},
		"fm-indicator": fm{Delta: 0.5, Encoding: formulate.Indicator},
		"fm-sos1":      fm{Delta: 0.5, Encoding: linear.SOS1},
		"lfm-mio":      lfm{Nu: 1, Box: 10},
		"lfm-price":    lfm{Price: 0.25, Encoding: linear.SOS1},
		"lfm-bilinear": lfm{Nu: 1, Perturbed: true, Encoding: formulate.Bilinear},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := o.build(context.Background(), formtest.Tiny(t))
			if err != nil {
				t.Fatal(err)
			}
			formtest.Golden(t, name, f.Model(), mps.Options{})
		})
	}
}

type (
	rlp linear.RLPOptions
	fm  linear.FMOptions
	lfm linear.LFMOptions
)

func (o rlp) build(ctx context.Context, d *dataset.Dataset) (formulate.Formulation, error) {
	return linear.RLPOptions(o).Build(ctx, d)
}

func (o fm) build(ctx context.Context, d *dataset.Dataset) (formulate.Formulation, error) {
	return linear.FMOptions(o).Build(ctx, d)
}

func (o lfm) build(ctx context.Context, d *dataset.Dataset) (formulate.Formulation, error) {
	return linear.LFMOptions(o).Build(ctx, d)
}
