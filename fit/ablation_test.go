//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/internal/datatest"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestAblation prints docs/tables/oct-ablation.md: seconds to proof at depth 2 and
// alpha 0, with parts of the threshold encoding switched off. Every variant
// that ends optimal must have the same errors. Part of the long studies.
func TestAblation(t *testing.T) {
	datatest.Long(t)
	const limit = 100 * time.Second
	type names = []string
	variants := []struct {
		name    string
		without names
		start   string
	}{
		{"all", nil, "auto"},
		{"all, no start", nil, "none"},
		{"no blocks", names{"blocks"}, "auto"},
		{"no group-points", names{"group-points"}, "auto"},
		{"no thin-last", names{"thin-last"}, "auto"},
		{"no continuous-last", names{"continuous-last"}, "auto"},
		{"no label-pairs", names{"label-pairs"}, "auto"},
		{"no label-pairs, group-points", names{"label-pairs", "group-points"}, "auto"},
		{"nor sibling-labels", names{"label-pairs", "group-points", "sibling-labels"}, "auto"},
		{"nor thin-last", names{"label-pairs", "group-points", "sibling-labels", "thin-last"}, "auto"},
		{"nor continuous-last", names{"label-pairs", "group-points", "sibling-labels", "thin-last", "continuous-last"}, "auto"},
	}
	sets := []string{"iris", "monks-1", "hayes-roth", "teaching-assistant", "balance-scale", "seeds", "wine"}
	table := "| | " + strings.Join(sets, " | ") + " |\n|---" + strings.Repeat("|---:", len(sets)) + "|\n"
	errors := map[string]float64{}
	for _, v := range variants {
		row := "| " + v.name
		for _, set := range sets {
			res, err := fit.Run(context.Background(), data(t, set), fit.Options{
				Method: &problem.OCT{Shape: shape(2, 0, 1), Encoded: problem.Encoded{Encoding: "threshold"}, Reduced: problem.Reduced{Without: v.without}}, Engine: problem.MIO,
				Start: v.start,
				Solve: solvers.Options{TimeLimit: limit},
			})
			switch {
			case err != nil:
				t.Errorf("%s, %s: %v", v.name, set, err)
				row += " | failed"
			case res.Status != mio.Optimal.String():
				row += fmt.Sprintf(" | gap %.0f %%", 100**res.Gap)
			default:
				if e, ok := errors[set]; ok && e != res.Train.Errors {
					t.Errorf("%s, %s: %v errors, another variant proved %v", v.name, set, res.Train.Errors, e)
				}
				errors[set] = res.Train.Errors
				row += fmt.Sprintf(" | %.1f", res.Solver.Seconds)
			}
		}
		table += row + " |\n"
		t.Log(row)
	}
	t.Log("\n" + table)
}
