package metric_test

import (
	"math"
	"testing"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/fit"
)

func number(v float64) *float64 { return &v }

// TestOf: each figure by hand, and none where there is nothing to count.
func TestOf(t *testing.T) {
	full := &fit.Result{
		Train:  &fit.Scores{Rows: 20, Errors: 3, Splits: 4, Depth: 2, FeaturesUsed: 5, Objective: number(0.25)},
		Test:   &fit.Scores{Rows: 10, Errors: 1},
		Solver: &fit.Solver{Status: "optimal", Gap: number(0.125), Limit: "time"},
	}
	recovery := &generate.Recovery{TrueDiscovery: 75, FalseDiscovery: 20}
	want := map[string]float64{
		"test_error": 10, "train_error": 15, "splits": 4, "depth": 2, "features": 5, "objective": 0.25, "proved": 100, "gap": 12.5,
		"time_limited": 100, "true_discovery": 75, "false_discovery": 20,
	}
	seen := 0
	for _, m := range metric.All() {
		if got := m.Of(full, recovery); got != want[m.Name] || m.Doc == "" {
			t.Errorf("%s: %v, want %v", m.Name, got, want[m.Name])
		} else {
			seen++
		}
		if got := m.Of(&fit.Result{}, nil); !math.IsNaN(got) && (m.Name != "time_limited" || got != 0) {
			t.Errorf("%s of nothing: %v", m.Name, got)
		}
	}
	if seen != len(want) || len(metric.Names()) != len(want) {
		t.Errorf("%d metrics of %d", seen, len(want))
	}
}

// TestLimit: native methods have limits of their own.
func TestLimit(t *testing.T) {
	native := &fit.Result{Heuristic: &fit.Heuristic{Limit: "time"}}
	if metric.Limit(native) != "time" || metric.Limit(nil) != "" || metric.Limit(&fit.Result{}) != "" {
		t.Error(metric.Limit(native))
	}
	if metric.Proved(nil) || metric.Proved(native) || metric.Proved(&fit.Result{Solver: &fit.Solver{Status: "feasible"}}) {
		t.Error("proved without a proof")
	}
}
