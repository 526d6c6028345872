package oct_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/formulate/oct"
	"github.com/octgen/octgen/mps"
)

// TestGolden compares the models of tiny data, small enough to be checked against the equations by
// eye, with files; every encoding has a file of its name.
func TestGolden(t *testing.T) {
	plain := oct.Tightenings{NoContinuousLast: true, NoThinLast: true, NoSiblingLabels: true, NoGroupPoints: true, NoLabelPairs: true}
	models := map[string]oct.Options{
		"threshold":       {Depth: 2, Alpha: 0.5, MinLeaf: 1},
		"threshold-plain": {Depth: 1, Alpha: 0.5, MinLeaf: 1, Tighten: plain},
		"threshold-least": {Depth: 1, Alpha: 0.5, MinLeaf: 2, MaxSplits: 1},
		"threshold-stump": {Depth: 1, Alpha: 0.5, MinLeaf: 1},
		"flow":            {Depth: 1, Alpha: 0.5, MinLeaf: 1, Encoding: oct.Flow},
		"flow-least":      {Depth: 1, Alpha: 0.5, MinLeaf: 2, MaxSplits: 1, Encoding: oct.Flow},
		"cut":             {Depth: 1, Alpha: 0.5, MaxSplits: 1, Encoding: oct.Cut},
		"binoct":          {Depth: 1, Alpha: 0.5, MinLeaf: 1, Encoding: oct.BinOCT},
		"binoct-least":    {Depth: 1, Alpha: 0.5, MinLeaf: 2, MaxSplits: 1, Encoding: oct.BinOCT},
		"bigm-minmax":     {Depth: 1, Alpha: 0.5, MaxSplits: 1, Encoding: formulate.BigM, Scale: oct.MinMaxScale},
		"bigm-published":  {Depth: 1, MinLeaf: 1, Encoding: oct.BigMPublished},
	}
	for _, e := range oct.Encodings() {
		if _, named := models[string(e)]; !named {
			models[string(e)] = oct.Options{Depth: 1, Alpha: 0.5, MinLeaf: 2, Encoding: e}
		}
	}
	for name, o := range models {
		t.Run(name, func(t *testing.T) {
			f, err := o.Build(context.Background(), formtest.Tiny(t))
			if err != nil {
				t.Fatal(err)
			}
			formtest.Golden(t, name, f.Model(), mps.Options{})
		})
	}
}
