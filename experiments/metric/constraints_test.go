package metric_test

import (
	"math"
	"slices"
	"testing"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/constraint"
	"github.com/octgen/octgen/tree/score"
)

// scores have a group race with two levels, in two classes' eyes.
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

// TestConstraints: values of constraints, of trees that have them and of others, whether
// they are held, and what is infeasible.
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
	if n := len(metric.Of(nil)); n != len(metric.All()) {
		t.Errorf("%d metrics of nothing", n)
	}
	for _, m := range all { // each can be asked for
		if !slices.ContainsFunc(metric.Names(), m.IsOf) {
			t.Errorf("%s cannot be named", m.Name)
		}
	}
}

// TestSeveralGroups: each column and class has metrics of its own beside the greatest of
// all.
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
