// Package metric holds the figures that an experiment compares methods by, one line
// each. Specs name them, tables show them.
package metric

import (
	"math"
	"slices"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/score"
)

// TestError is the metric of tables: wrong test rows, in percent.
const TestError = "test_error"

// All lists the metrics that any results have, in the order of tables: those of results,
// then those that generated data have. [Of] has more, of constraints and groups.
func All() []Metric {
	return slices.Concat(errors(), rewards(), figures(), trees(), recoveries())
}

// Of lists the metrics of these results in the order of tables: [All], and of trees under
// constraints and of data with groups those that say how well they are kept.
func Of(results []*fit.Result) []Metric {
	return slices.Concat(errors(), rewards(), figures(), fairness(results), constraints(results), trees(), recoveries())
}

// errors are the shares of wrong rows.
func errors() []Metric {
	return []Metric{
		{Name: TestError, Doc: "wrong test rows, %", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return ErrorPercent(r.Test) }},
		{Name: "train_error", Doc: "wrong training rows, %", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return ErrorPercent(r.Train) }},
	}
}

// rewards are what policies earn.
func rewards() []Metric {
	return []Metric{
		{Name: "test_reward", Doc: "mean reward of a test row", Compared: true, More: true, Shown: IfAny, result: tested(meanReward)},
		{Name: "train_reward", Doc: "mean reward of a training row", Compared: true, More: true, Shown: IfAny, result: trained(meanReward)},
	}
}

// meanReward is what a policy earns per row, NaN for trees of classes.
func meanReward(s *fit.Scores) float64 {
	if s.Reward == nil {
		return math.NaN()
	}
	return s.Reward.Mean
}

// figures are those of predictions beside the share of wrong rows.
func figures() []Metric {
	return []Metric{
		{Name: "test_balanced_error", Doc: "mean over the classes of the share of their test rows that are wrong, %", Compared: true, result: tested(func(s *fit.Scores) float64 { return 100 * known(s.BalancedError) })},
		{Name: "test_f1", Doc: "mean F1 of the classes on test rows, %", Compared: true, More: true, result: tested(func(s *fit.Scores) float64 { return 100 * meanF1(s.PerClass) })},
		{Name: "test_least_recall", Doc: "recall on test rows of the class that has the least, %", Compared: true, More: true, result: tested(func(s *fit.Scores) float64 { return 100 * leastRecall(s.PerClass) })},
		{Name: "test_auc", Doc: "area under the ROC curve on test rows, %, of more than two classes the mean of each against the rest", Compared: true, More: true, result: tested(func(s *fit.Scores) float64 { return 100 * known(s.AUC) })},
		{Name: "test_cost", Doc: "what the answers cost on test rows, per row", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return costPerRow(r.Test) }},
		{Name: "train_cost", Doc: "what the answers cost on training rows, per row", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return costPerRow(r.Train) }},
		{Name: "test_log_loss", Doc: "log loss of the leaves' shares on test rows", Compared: true, result: tested(func(s *fit.Scores) float64 { return known(s.LogLoss) })},
	}
}

// trees are the figures of the tree and of its proof.
func trees() []Metric {
	return []Metric{
		{Name: "splits", Doc: "splits of the tree", Compared: true, Shown: IfAny, result: trained(func(s *fit.Scores) float64 { return float64(s.Splits) })},
		{Name: "depth", Doc: "depth of the tree", result: trained(func(s *fit.Scores) float64 { return float64(s.Depth) })},
		{Name: "features", Doc: "features used", result: trained(func(s *fit.Scores) float64 { return float64(s.FeaturesUsed) })},
		{Name: "objective", Doc: "training objective", result: trained(func(s *fit.Scores) float64 { return known(s.Objective) })},
		{Name: "proved", Doc: "fits with a proof of optimality, %", Shown: IfAny, result: func(r *fit.Result) float64 { return percentIf(r.Solver != nil && !Infeasible(r), Proved(r)) }},
		{Name: "gap", Doc: "relative gap, %", result: gap},
		{Name: "time_limited", Doc: "fits that the time limit ended, %", Shown: IfNonzero, result: func(r *fit.Result) float64 { return percentIf(true, Limit(r) == "time") }},
	}
}

// recoveries are the figures that generated data have.
func recoveries() []Metric {
	return []Metric{
		{Name: "true_discovery", Doc: "splits of the true tree that the tree has, %", Shown: IfAny, recovery: func(r *generate.Recovery) float64 { return r.TrueDiscovery }},
		{Name: "false_discovery", Doc: "splits of the tree that the true tree lacks, %", Compared: true, Shown: IfAny, recovery: func(r *generate.Recovery) float64 { return r.FalseDiscovery }},
	}
}

// Names lists the names that a spec may ask for: those of metrics, and of families of
// them, of which each has the family's name, a colon and what tells it from the others.
func Names() []string {
	return append(Figures(), families...)
}

// Figures lists the names of metrics that are no families.
func Figures() []string {
	var names []string
	for _, m := range slices.Concat(All(), fairnessMetrics(), heldMetrics()) {
		names = append(names, m.Name)
	}
	return names
}

// Seconds is the time of a fit, which no two runs agree in: no metric of tables.
func Seconds() Metric {
	return Metric{Name: "seconds", result: func(r *fit.Result) float64 { return r.Seconds }}
}

// costPerRow is what the answers cost, NaN for none.
func costPerRow(s *fit.Scores) float64 {
	if s == nil || s.Cost == nil || s.Rows == 0 {
		return math.NaN()
	}
	return *s.Cost / s.Rows
}

// ErrorPercent is the share of wrong rows in percent, NaN for none and for policies, whose
// rows have no class.
func ErrorPercent(s *fit.Scores) float64 {
	if s == nil || s.Rows == 0 || s.Reward != nil {
		return math.NaN()
	}
	return 100 * s.Errors / s.Rows
}

// Limit is the limit that ended a fit, "" where none did.
func Limit(r *fit.Result) string {
	switch {
	case r == nil:
		return ""
	case r.Solver != nil:
		return r.Solver.Limit
	case r.Heuristic != nil:
		return r.Heuristic.Limit
	}
	return ""
}

// meanF1 is the mean F1 of the classes that have one, as scikit-learn's macro average.
func meanF1(classes []score.Class) float64 {
	sum, n := 0.0, 0.0
	for _, c := range classes {
		if c.F1 != nil {
			sum += *c.F1
			n++
		}
	}
	return sum / n // NaN for none
}

// leastRecall is the least recall of a class that has rows.
func leastRecall(classes []score.Class) float64 {
	least := math.NaN()
	for _, c := range classes {
		if c.Recall != nil && !(*c.Recall >= least) {
			least = *c.Recall
		}
	}
	return least
}

func gap(r *fit.Result) float64 {
	if r.Solver == nil {
		return math.NaN()
	}
	return 100 * known(r.Gap)
}
