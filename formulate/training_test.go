package formulate_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/gto"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/formulate/linear"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mps"
	"github.com/octgen/octgen/tree"
	"pgregory.net/rapid"
)

// builders build a small model of each formulation from data, with or without a layout.
var builders = map[string]func(*dataset.Dataset, *tree.Training) (formulate.Formulation, error){
	"oct": func(ds *dataset.Dataset, l *tree.Training) (formulate.Formulation, error) {
		return oct.Options{Depth: 2, Training: l}.Build(context.Background(), ds)
	},
	"big-M": func(ds *dataset.Dataset, l *tree.Training) (formulate.Formulation, error) {
		return oct.Options{Depth: 2, Encoding: formulate.BigM, MinLeaf: 1, Training: l}.Build(context.Background(), ds)
	},
	"oct-h": func(ds *dataset.Dataset, l *tree.Training) (formulate.Formulation, error) {
		return hyperplane.Options{Depth: 1, Training: l}.Build(context.Background(), ds)
	},
	"gto": func(ds *dataset.Dataset, l *tree.Training) (formulate.Formulation, error) {
		return gto.Options{Depth: 1, Training: l}.Build(context.Background(), ds)
	},
	"rlp": func(ds *dataset.Dataset, l *tree.Training) (formulate.Formulation, error) {
		return linear.RLPOptions{Training: l}.Build(context.Background(), ds)
	},
	"fm": func(ds *dataset.Dataset, l *tree.Training) (formulate.Formulation, error) {
		return linear.FMOptions{Delta: 0.5, Training: l}.Build(context.Background(), ds)
	},
	"lfm": func(ds *dataset.Dataset, l *tree.Training) (formulate.Formulation, error) {
		return linear.LFMOptions{Lambda: 0.5, Training: l}.Build(context.Background(), ds)
	},
}

// TestTraining: the model is the same whether Build lays out the data or gets the layout, even if
// rows weigh more units than the model may have.
func TestTraining(t *testing.T) {
	datatest.Check(t, func(r *rapid.T) {
		ds := datatest.Random(r, 12, 3, 3)
		factor := rapid.SampledFrom([]float64{1, 0.25, 1 << 20}).Draw(r, "factor")
		for i := range ds.Weight {
			ds.Weight[i] *= factor
		}
		if rapid.Bool().Draw(r, "many units") {
			ds.Weight[0] *= 1 << 18
		}
		l, err := tree.NewTraining(context.Background(), ds)
		if err != nil {
			r.Fatal(err)
		}
		for name, build := range builders {
			own, err := build(ds, nil)
			given, givenErr := build(ds, l)
			if (err == nil) != (givenErr == nil) || err != nil && err.Error() != givenErr.Error() {
				r.Fatalf("%s: %v, and with the layout %v", name, err, givenErr)
			}
			if err == nil && !bytes.Equal(written(r, own), written(r, given)) {
				r.Fatalf("%s differs with the layout given", name)
			}
		}
	})
}

func written(r *rapid.T, f formulate.Formulation) []byte {
	var b bytes.Buffer
	if _, err := mps.Write(&b, f.Model(), mps.Options{}); err != nil {
		r.Fatal(err)
	}
	return b.Bytes()
}

func TestTrainingOfOtherData(t *testing.T) {
	ds, other := datatest.Example(t, "iris"), datatest.Example(t, "iris")
	l, err := tree.NewTraining(context.Background(), other)
	if err != nil {
		t.Fatal(err)
	}
	for name, build := range builders {
		if _, err := build(ds, l); err == nil || errors.Is(err, formulate.ErrSingleLeaf) {
			t.Errorf("%s takes the layout of other data: %v", name, err)
		}
	}
}
