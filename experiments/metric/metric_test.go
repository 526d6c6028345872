package metric_test

import (
	"math"
	"slices"
	"testing"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/score"
)

func number(v float64) *float64 { return &v }

// TestOf: each figure computed by hand, and none if it does not apply.
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
	half := 0.5
	numbered := &fit.Result{Train: &fit.Scores{Numbers: &score.Numbers{RMSE: 1, MAE: 0.5, R2: &half, Mean: 2}}, Test: &fit.Scores{Rows: 3, Numbers: &score.Numbers{RMSE: 3, MAE: 2.5, R2: &half, Mean: 4}}}
	numbers := map[string]float64{"train_rmse": 1, "test_rmse": 3, "test_mean_rmse": 4, "test_mae": 2.5, "test_r2": 0.5}
	seen := 0
	for _, m := range metric.All() {
		if v, has := numbers[m.Name]; has {
			if got := m.Of(numbered, nil); got != v || !math.IsNaN(m.Of(full, recovery)) || m.More != (m.Name == "test_r2") {
				t.Errorf("%s: %v, of classes %v", m.Name, got, m.Of(full, recovery))
			}
			continue
		}
		if got := m.Of(numbered, nil); m.Name == metric.TestError && !math.IsNaN(got) {
			t.Errorf("%s of numbers: %v", m.Name, got)
		}
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
	if seen != len(want) || len(metric.All()) != len(want)+len(rewards)+len(numbers) {
		t.Errorf("%d metrics of %d", seen, len(want))
	}
}

// TestLimit: native methods have their own limits.
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

// scores returns scores with a group race of two levels, compared for two classes.
func scores(parity float64, recall float64) *fit.Scores {
	s := &fit.Scores{Rows: 10}
	s.PerClass = []score.Class{{Class: "no"}, {Class: "yes", Recall: &recall}}
	low, high := 0.25, 0.25+parity
	s.Fairness = []constraint.Fairness{{
		Column: "race", Positive: "yes",
		Metrics: []constraint.MetricValue{{Metric: constraint.StatisticalParity, Value: &parity}, {Metric: constraint.EqualOpportunity}},
		Rates:   []constraint.GroupRate{{Level: "a", Rate: "predicted", Value: &low}, {Level: "b", Rate: "predicted", Value: &high}},
	}}
	return s
}

// TestConstraints: values of constraints, for trees with and without them, whether they are
// satisfied, and infeasibility.
func TestConstraints(t *testing.T) {
	yes, no := true, false
	free := &fit.Result{Train: scores(0.5, 0.75), Test: scores(0.25, 0.5), Status: "optimal", Solver: new(fit.Solver)}
	fair := &fit.Result{Train: scores(0.125, 0.5), Test: scores(0.375, 0.5), Constraints: []fit.Constraint{
		{Text: "statistical-parity:race@a,b<=0.2", Train: number(0.125), Test: number(0.375), Held: true, TestHeld: &no},
		{Text: "max-features<=3", Train: number(2), Test: number(2), Validation: number(1), Held: true, TestHeld: &yes},
	}}
	never := &fit.Result{Status: "infeasible", Solver: &fit.Solver{Status: "infeasible"}, Constraints: []fit.Constraint{{Text: "recall:yes>=0.9"}}}
	all := metric.Of([]*fit.Result{free, fair, never})
	nan := math.NaN()
	for name, want := range map[string][3]float64{
		"train_constraint:statistical-parity:race@a,b": {0.5, 0.125, nan},
		"test_constraint:statistical-parity:race@a,b":  {0.25, 0.375, nan},
		"train_constraint:max-features":                {nan, 2, nan},
		"validation_constraint:max-features":           {nan, 1, nan},
		"validation_constraint:recall:yes":             {nan, nan, nan},
		"train_constraint:recall:yes":                  {0.75, 0.5, nan},
		"test_constraint:recall:yes":                   {0.5, 0.5, nan},
		"train_statistical_parity":                     {50, 12.5, nan},
		"test_statistical_parity":                      {25, 37.5, nan},
		"test_equal_opportunity":                       {nan, nan, nan},
		"infeasible":                                   {nan, 0, 100},
		"train_held":                                   {nan, 100, nan},
		"test_held":                                    {nan, 0, nan},
		"proved":                                       {100, nan, nan},
	} {
		i := slices.IndexFunc(all, func(m metric.Metric) bool { return m.Name == name })
		if i < 0 {
			t.Errorf("no metric %s", name)
			continue
		}
		if family := all[i].IsOf("train_constraint"); family != (len(name) > 16 && name[:16] == "train_constraint") || !all[i].IsOf(name) {
			t.Errorf("%s in its family: %v", name, family)
		}
		for j, r := range []*fit.Result{free, fair, never} {
			if got := all[i].Of(r, nil); got != want[j] && !(math.IsNaN(got) && math.IsNaN(want[j])) {
				t.Errorf("%s of result %d: %v, want %v", name, j, got, want[j])
			}
		}
	}
	if metric.Settled(free) != true || !metric.Settled(never) || metric.Settled(fair) || metric.Infeasible(fair) {
		t.Error("what is settled")
	}
	if metric.WithoutTree(never) || !metric.WithoutTree(&fit.Result{Status: "no solution", Constraints: never.Constraints}) || metric.WithoutTree(&fit.Result{Status: "no solution"}) {
		t.Error("what is without a tree")
	}
	if n := len(metric.Of(nil)); n != len(metric.All())-5 { // those of numbers
		t.Errorf("%d metrics of nothing", n)
	}
	for _, m := range all { // each can be requested
		if !slices.ContainsFunc(metric.Names(), m.IsOf) {
			t.Errorf("%s cannot be named", m.Name)
		}
	}
}

// TestSeveralGroups: each column and class has its own metrics in addition to the maximum over all.
func TestSeveralGroups(t *testing.T) {
	r := &fit.Result{Train: scores(0.5, 1), Test: scores(0.25, 1)}
	less := scores(0.125, 1).Fairness[0]
	less.Column = "sex"
	r.Train.Fairness = append(r.Train.Fairness, less)
	all := metric.Of([]*fit.Result{r})
	for name, want := range map[string]float64{"train_statistical_parity": 50, "train_statistical_parity:race=yes": 50, "train_statistical_parity:sex=yes": 12.5, "test_statistical_parity": 25} {
		i := slices.IndexFunc(all, func(m metric.Metric) bool { return m.Name == name })
		if i < 0 || all[i].Of(r, nil) != want {
			t.Errorf("%s at %d, want %v", name, i, want)
		}
	}
}
