package hyperplane_test

import (
	"context"
	"testing"

	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/hyperplane"
	"github.com/octgen/octgen/formulate/internal/formtest"
	"github.com/octgen/octgen/mps"
)

// TestGolden compares the models of tiny data, small enough to be checked against the equations by
// eye, with files.
func TestGolden(t *testing.T) {
	for name, o := range map[string]hyperplane.Options{
		"soct":      {Depth: 2, MinLeaf: 2},
		"soct-two":  {Depth: 1, Alpha: 0.25, MaxSplits: 1},
		"served":    {Depth: 2, Alpha: 0.25, Margin: hyperplane.Right},
		"served-at": {Depth: 1, Margin: hyperplane.Right, Rows: []int32{0, 2, 3}, Cutoff: 0.25, Without: []string{hyperplane.LabelOrder, hyperplane.Centring, hyperplane.IntegralLabels}},
		"bigm":      {Depth: 1, Alpha: 0.25, MinLeaf: 1, MaxSplits: 1, Encoding: formulate.BigM},
		"indicator": {Depth: 1, Alpha: 0.25, Mu: 0.125, Encoding: formulate.Indicator},
	} {
		t.Run(name, func(t *testing.T) {
			d := formtest.Tiny(t)
			if name == "soct-two" { // with two classes labels are constants
				d = d.Subset([]int{0, 1, 2, 5})
				d.Classes = d.Classes[:2]
			}
			f, err := o.Build(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			formtest.Golden(t, name, f.Model(), mps.Options{})
		})
	}
}
