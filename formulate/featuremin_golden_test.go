package formulate_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mps"
)

// TestGoldenLinearSplits compares the models of tiny data, whose first class is
// A, with files that were read line by line against the equations.
func TestGoldenLinearSplits(t *testing.T) {
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
		"fm-sos1":      fm{Delta: 0.5, Encoding: formulate.SOS1},
		"lfm-mio":      lfm{Nu: 1, Box: 10},
		"lfm-bilinear": lfm{Nu: 1, Perturbed: true, Encoding: formulate.Bilinear},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := o.build(context.Background(), tiny(t))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if _, err := mps.Write(&got, f.Model(), mps.Options{}); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".mps")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("differs from %s (-want +got):\n%s", file, diff)
			}
		})
	}
}

type (
	rlp formulate.RLPOptions
	fm  formulate.FMOptions
	lfm formulate.LFMOptions
)

func (o rlp) build(ctx context.Context, d *dataset.Dataset) (formulate.Formulation, error) {
	return formulate.RLPOptions(o).Build(ctx, d)
}

func (o fm) build(ctx context.Context, d *dataset.Dataset) (formulate.Formulation, error) {
	return formulate.FMOptions(o).Build(ctx, d)
}

func (o lfm) build(ctx context.Context, d *dataset.Dataset) (formulate.Formulation, error) {
	return formulate.LFMOptions(o).Build(ctx, d)
}
