//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"fmt"
	"github.com/octgen/octgen/internal/datatest"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
)

// TestSearchAgreesWithHiGHS: HiGHS on the threshold encoding, from nothing, and
// the native search prove the same optimum at a price of splits; with least
// leaves and most splits too.
func TestSearchAgreesWithHiGHS(t *testing.T) {
	cases := []struct {
		dataset string
		shape   problem.Shape
	}{
		{"iris", shape(2, 0.01, 0)},
		{"iris", shape(2, 0.05, 0)},
		{"monks-1", shape(2, 0.01, 0)},
		{"monks-1", shape(2, 0.1, 0)},
		{"monks-2", shape(2, 0.02, 0)},
		{"monks-3", shape(2, 0.02, 0)},
		{"monks-3", shape(2, 0.3, 0)},
		{"hayes-roth", shape(2, 0.01, 0)},
		{"hayes-roth", atMost(2, shape(2, 0.05, 0))},
		{"teaching-assistant", shape(2, 0.02, 0)},
		{"balance-scale", shape(2, 0.02, 0)},
		{"soybean-small", shape(2, 0.01, 0)},
		{"echocardiogram", shape(2, 0.02, 0)},
		{"fertility", shape(2, 0.05, 0)},
		{"spect-heart", shape(2, 0.02, 0)},
		{"spect-heart", shape(2, 0.02, 8)},
		{"wine", shape(1, 0.01, 0)},
		{"pima", shape(1, 0.01, 0)},
		{"sonar", shape(1, 0.1, 0)},
	}
	for at, c := range cases {
		if at%5 != 0 && !datatest.All() {
			continue
		}
		t.Run(fmt.Sprintf("%s/depth=%d/alpha=%v", c.dataset, c.shape.Depth, c.shape.Alpha), func(t *testing.T) {
			res, err := fit.Run(context.Background(), data(t, c.dataset), fit.Options{
				Method: &problem.OCT{Shape: c.shape, Encoded: problem.Encoded{Encoding: "threshold"}}, Solver: "highs", Start: "none", CrossCheck: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			if x := res.CrossCheck; res.Engine != string(problem.MIO) || res.Solver.Status != "optimal" || x.Status != "optimal" || !x.Agrees {
				t.Errorf("HiGHS %s, search %+v", res.Solver.Status, x)
			}
		})
	}
}
