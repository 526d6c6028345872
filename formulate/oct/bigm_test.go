package oct_test

import (
	"context"
	"strings"
	"testing"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/formulate/oct"
)

// TestMinMaxCollapse: min-max scaling that brings values of a feature closer together than solvers
// can distinguish is rejected; the error names the feature and the scale that works. Ranks always
// work.
func TestMinMaxCollapse(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		want   string // "" for a model
	}{
		"equal":     {[]float64{1e300, 5e-324, 1e-320}, `feature "far": its values 5e-324 and 1e-320 are 0 apart`},
		"near":      {[]float64{1e300, 5e-324, 1e15}, `feature "far": its values 5e-324 and 1e+15 are 1e-285 apart after min-max scaling to [0, 1]; solvers need 5e-06: use --scale rank`},
		"below":     {[]float64{0, 4, 1e6}, `feature "far": its values 0 and 4 are 4e-06 apart`},
		"at":        {[]float64{0, 5, 1e6}, ""},
		"far apart": {[]float64{0, 1e299, 1e300}, ""},
	} {
		ds, err := dataset.New([]float64{1, c.values[0], 2, c.values[1], 3, c.values[2]}, []int{0, 1, 0}, []string{"even", "far"}, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []formulate.Encoding{formulate.BigM, oct.BigMPublished, formulate.Indicator} {
			_, err := oct.Options{Depth: 1, Encoding: e, Scale: oct.MinMaxScale}.Build(context.Background(), ds)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s, %s: %v\nwant %q", name, e, err, c.want)
			}
			if _, err := (oct.Options{Depth: 1, Encoding: e}).Build(context.Background(), ds); err != nil {
				t.Errorf("%s, %s by rank: %v", name, e, err)
			}
		}
	}
}
