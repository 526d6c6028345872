package formulate_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mps"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tiny is six rows, two of them equal, with two features and three classes.
func tiny(t *testing.T) *dataset.Dataset {
	t.Helper()
	d, err := dataset.New([]float64{
		1, 5,
		2, 5,
		2, 7,
		4, 7,
		4, 7,
		4, 5,
	}, []int{0, 1, 0, 2, 2, 1}, []string{"a", "b"}, []string{"x", "y", "z"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// oct and octH build what the golden files hold.
type (
	oct  formulate.OCTOptions
	octH formulate.OCTHOptions
)

func (o oct) build(t *testing.T, d *dataset.Dataset) formulate.Formulation {
	f, err := formulate.OCTOptions(o).Build(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (o octH) build(t *testing.T, d *dataset.Dataset) formulate.Formulation {
	f, err := formulate.OCTHOptions(o).Build(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestGoldenMPS compares the models of tiny data, small enough to be read against
// the equations, with files.
func TestGoldenMPS(t *testing.T) {
	plain := formulate.Tightenings{NoContinuousLast: true, NoThinLast: true, NoSiblingLabels: true, NoGroupPoints: true, NoLabelPairs: true}
	type options interface {
		build(t *testing.T, d *dataset.Dataset) formulate.Formulation
	}
	for name, o := range map[string]options{
		"oct-indicator":       oct{Depth: 1, Alpha: 0.5, MinLeaf: 2, Encoding: formulate.Indicator},
		"oct-h":               octH{Depth: 1, Alpha: 0.25, MinLeaf: 1, MaxSplits: 1},
		"oct-h-indicator":     octH{Depth: 1, Alpha: 0.25, Mu: 0.125, Encoding: formulate.Indicator},
		"oct-threshold":       oct{Depth: 2, Alpha: 0.5, MinLeaf: 1},
		"oct-threshold-plain": oct{Depth: 1, Alpha: 0.5, MinLeaf: 1, Tighten: plain},
		"oct-threshold-least": oct{Depth: 1, Alpha: 0.5, MinLeaf: 2, MaxSplits: 1},
		"oct-threshold-stump": oct{Depth: 1, Alpha: 0.5, MinLeaf: 1},
		"oct-bigm":            oct{Depth: 1, Alpha: 0.5, MinLeaf: 2, Encoding: formulate.BigM},
		"oct-bigm-minmax":     oct{Depth: 1, Alpha: 0.5, MaxSplits: 1, Encoding: formulate.BigM, Scale: formulate.MinMaxScale},
		"oct-bigm-published":  oct{Depth: 1, MinLeaf: 1, Encoding: formulate.BigMPublished},
	} {
		t.Run(name, func(t *testing.T) {
			f := o.build(t, tiny(t))
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
