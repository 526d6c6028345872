//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate"
)

// TestSearchAgreesWithHiGHS: HiGHS on the threshold encoding, from nothing, and
// the native search prove the same optimum at a price of splits; with least
// leaves and most splits too.
func TestSearchAgreesWithHiGHS(t *testing.T) {
	cases := []struct {
		dataset string
		o       formulate.OCTOptions
	}{
		{"iris", formulate.OCTOptions{Depth: 2, Alpha: 0.01}},
		{"iris", formulate.OCTOptions{Depth: 2, Alpha: 0.05}},
		{"monks-1", formulate.OCTOptions{Depth: 2, Alpha: 0.01}},
		{"monks-1", formulate.OCTOptions{Depth: 2, Alpha: 0.1}},
		{"monks-2", formulate.OCTOptions{Depth: 2, Alpha: 0.02}},
		{"monks-3", formulate.OCTOptions{Depth: 2, Alpha: 0.02}},
		{"monks-3", formulate.OCTOptions{Depth: 2, Alpha: 0.3}},
		{"hayes-roth", formulate.OCTOptions{Depth: 2, Alpha: 0.01}},
		{"hayes-roth", formulate.OCTOptions{Depth: 2, Alpha: 0.05, MaxSplits: 2}},
		{"teaching-assistant", formulate.OCTOptions{Depth: 2, Alpha: 0.02}},
		{"balance-scale", formulate.OCTOptions{Depth: 2, Alpha: 0.02}},
		{"soybean-small", formulate.OCTOptions{Depth: 2, Alpha: 0.01}},
		{"echocardiogram", formulate.OCTOptions{Depth: 2, Alpha: 0.02}},
		{"fertility", formulate.OCTOptions{Depth: 2, Alpha: 0.05}},
		{"spect-heart", formulate.OCTOptions{Depth: 2, Alpha: 0.02}},
		{"spect-heart", formulate.OCTOptions{Depth: 2, Alpha: 0.02, MinLeaf: 8}},
		{"wine", formulate.OCTOptions{Depth: 1, Alpha: 0.01}},
		{"pima", formulate.OCTOptions{Depth: 1, Alpha: 0.01}},
		{"sonar", formulate.OCTOptions{Depth: 1, Alpha: 0.1}},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s/depth=%d/alpha=%v", c.dataset, c.o.Depth, c.o.Alpha), func(t *testing.T) {
			res, err := fit.Run(context.Background(), data(t, c.dataset), fit.Options{Method: "oct", OCT: c.o, Solver: "highs", Start: "none", CrossCheck: true})
			if err != nil {
				t.Fatal(err)
			}
			if x := res.CrossCheck; res.Solver.Status != "optimal" || x.Status != "optimal" || !x.Agrees {
				t.Errorf("HiGHS %s, search %+v", res.Solver.Status, x)
			}
		})
	}
}
