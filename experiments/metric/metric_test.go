package metric_test

import (
	"math"
	"testing"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/score"
)

func number(v float64) *float64 { return &v }

// TestOf: each figure by hand, and none where there is nothing to count.
func TestOf(t *testing.T) {
	full := &fit.Result{
		Train: &fit.Scores{Rows: 20, Errors: 3, Splits: 4, Depth: 2, FeaturesUsed: 5, Objective: number(0.25), Cost: number(10)},
		Test: &fit.Scores{Rows: 10, Errors: 1, Cost: number(7.5), Figures: score.Figures{
			BalancedError: number(0.25), AUC: number(0.75), LogLoss: number(0.5),
			PerClass: []score.Class{{Recall: number(0.5), F1: number(0.5)}, {Recall: number(0.25), F1: number(0.25)}, {}},
		}},
		Status: "optimal", Gap: number(0.125), Solver: &fit.Solver{Status: "feasible", Limit: "time"},
	}
	recovery := &generate.Recovery{TrueDiscovery: 75, FalseDiscovery: 20}
	want := map[string]float64{
		"test_error": 10, "train_error": 15, "test_balanced_error": 25, "test_f1": 37.5, "test_least_recall": 25, "test_auc": 75, "test_log_loss": 0.5, "test_cost": 0.75, "train_cost": 0.5, "splits": 4, "depth": 2, "features": 5, "objective": 0.25, "proved": 100, "gap": 12.5,
		"time_limited": 100, "true_discovery": 75, "false_discovery": 20,
	}
	policy := &fit.Result{Train: &fit.Scores{Rows: 2, Errors: 1}, Test: &fit.Scores{Rows: 2, Errors: 1}}
	policy.Train.Reward = &score.Rewards{Earned: score.Earned{Mean: 1.5}}
	policy.Test.Reward = &score.Rewards{Earned: score.Earned{Mean: -0.5}}
	rewards := map[string]float64{"train_reward": 1.5, "test_reward": -0.5}
	seen := 0
	for _, m := range metric.All() {
		if mean, has := rewards[m.Name]; has {
			if got := m.Of(policy, nil); got != mean || !math.IsNaN(m.Of(full, recovery)) || !m.More {
				t.Errorf("%s: %v, of classes %v", m.Name, got, m.Of(full, recovery))
			}
			continue
		}
		if got := m.Of(policy, nil); (m.Name == metric.TestError || m.Name == "train_error") && !math.IsNaN(got) {
			t.Errorf("%s of a policy: %v", m.Name, got)
		}
		if got := m.Of(full, recovery); got != want[m.Name] || m.Doc == "" {
			t.Errorf("%s: %v, want %v", m.Name, got, want[m.Name])
		} else {
			seen++
		}
		if got := m.Of(&fit.Result{Test: &fit.Scores{}}, nil); !math.IsNaN(got) && m.Name != "time_limited" {
			t.Errorf("%s of an older run: %v", m.Name, got)
		}
		if got := m.Of(&fit.Result{}, nil); !math.IsNaN(got) && (m.Name != "time_limited" || got != 0) {
			t.Errorf("%s of nothing: %v", m.Name, got)
		}
	}
	if seen != len(want) || len(metric.All()) != len(want)+len(rewards) {
		t.Errorf("%d metrics of %d", seen, len(want))
	}
}

// TestLimit: native methods have limits of their own.
func TestLimit(t *testing.T) {
	native := &fit.Result{Heuristic: &fit.Heuristic{Limit: "time"}}
	if metric.Limit(native) != "time" || metric.Limit(nil) != "" || metric.Limit(&fit.Result{}) != "" {
		t.Error(metric.Limit(native))
	}
	refuted := &fit.Result{Status: "feasible", Solver: &fit.Solver{Status: "optimal"}}
	if metric.Proved(nil) || metric.Proved(native) || metric.Proved(refuted) {
		t.Error("proved without a proof")
	}
}
