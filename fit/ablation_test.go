//go:build cgo && !nohighs

package fit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/formulate"
	"github.com/octgen/octgen/mio"
	"github.com/octgen/octgen/solvers"
)

// TestAblation prints the table of docs/oct.md: seconds to proof at depth 2 and
// alpha 0, with parts of the threshold encoding switched off. Every variant
// that ends optimal must have the same errors. Part of the long studies.
func TestAblation(t *testing.T) {
	if !long() {
		t.Skip("a long study: set OCTGEN_LONG=1")
	}
	const limit = 100 * time.Second
	old := formulate.Tightenings{NoLabelPairs: true, NoGroupPoints: true}
	without := func(base formulate.Tightenings, f func(*formulate.Tightenings)) formulate.Tightenings {
		f(&base)
		return base
	}
	type tight = formulate.Tightenings
	variants := []struct {
		name  string
		tight tight
		start string
	}{
		{"all", tight{}, "auto"},
		{"all, no start", tight{}, "none"},
		{"no blocks", tight{NoBlocks: true}, "auto"},
		{"no group-points", tight{NoGroupPoints: true}, "auto"},
		{"no thin-last", tight{NoThinLast: true}, "auto"},
		{"no continuous-last", tight{NoContinuousLast: true}, "auto"},
		{"no label-pairs", tight{NoLabelPairs: true}, "auto"},
		{"no label-pairs, group-points", old, "auto"},
		{"nor sibling-labels", without(old, func(t *tight) { t.NoSiblingLabels = true }), "auto"},
		{"nor thin-last", without(old, func(t *tight) { t.NoSiblingLabels, t.NoThinLast = true, true }), "auto"},
		{"nor continuous-last", without(old, func(t *tight) { t.NoSiblingLabels, t.NoThinLast, t.NoContinuousLast = true, true, true }), "auto"},
	}
	sets := []string{"iris", "monks-1", "hayes-roth", "teaching-assistant", "balance-scale", "seeds", "wine"}
	table := "| | " + strings.Join(sets, " | ") + " |\n|---" + strings.Repeat("|---:", len(sets)) + "|\n"
	errors := map[string]float64{}
	for _, v := range variants {
		row := "| " + v.name
		for _, set := range sets {
			res, err := fit.Run(context.Background(), data(t, set), fit.Options{
				OCT:   formulate.OCTOptions{Depth: 2, MinLeaf: 1, Tighten: v.tight},
				Start: v.start,
				Solve: solvers.Options{TimeLimit: limit},
			})
			switch {
			case err != nil:
				t.Errorf("%s, %s: %v", v.name, set, err)
				row += " | failed"
			case res.Solver.Status != mio.Optimal.String():
				row += fmt.Sprintf(" | gap %.0f %%", 100**res.Solver.Gap)
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
