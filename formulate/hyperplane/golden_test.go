package hyperplane_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mps"
)

// TestGolden compares the models of tiny data, small enough to be read against the
// equations, with files.
func TestGolden(t *testing.T) {
	for name, o := range map[string]hyperplane.Options{
		"bigm":      {Depth: 1, Alpha: 0.25, MinLeaf: 1, MaxSplits: 1},
		"indicator": {Depth: 1, Alpha: 0.25, Mu: 0.125, Encoding: formulate.Indicator},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := o.Build(context.Background(), formtest.Tiny(t))
			if err != nil {
				t.Fatal(err)
			}
			formtest.Golden(t, name, f.Model(), mps.Options{})
		})
	}
}
