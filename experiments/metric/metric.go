// Package metric defines the figures by which an experiment compares methods, one line each. Specs
// name them, tables show them.
package metric

import (
	"math"
	"slices"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/score"
)

// TestError is the default metric of tables: the error rate on the test set, in percent.
const TestError = "test_error"

// All lists the metrics that any results have, in the order of tables: those of results, then those
// of generated data. [Of] adds those of constraints and groups.
func All() []Metric {
	return slices.Concat(errors(), numbers(), rewards(), figures(), trees(), recoveries())
}

// Of lists the metrics of these results in the order of tables: [All], those of numbers if there are any, and for trees under
// constraints and data with groups those that measure how well these are satisfied.
func Of(results []*fit.Result) []Metric {
	return slices.Concat(errors(), numbersIn(results), rewards(), figures(), fairness(results), constraints(results), trees(), recoveries())
}

// errors returns the error rates.
func errors() []Metric {
	return []Metric{
		{Name: TestError, Doc: "error rate on the test set, %", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return ErrorPercent(r.Test) }},
		{Name: "train_error", Doc: "error rate on the training set, %", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return ErrorPercent(r.Train) }},
	}
}

// numbersIn returns numbers if any of the results has them.
func numbersIn(results []*fit.Result) []Metric {
	if slices.ContainsFunc(results, func(r *fit.Result) bool { return r != nil && r.Train != nil && r.Train.Numbers != nil }) {
		return numbers()
	}
	return nil
}

// TestRMSE is what methods that predict numbers are compared by.
const TestRMSE = "test_rmse"

// numbers returns the errors of trees that predict numbers, in units of the target.
func numbers() []Metric {
	of := func(figure func(*score.Numbers) float64) func(*fit.Scores) float64 {
		return func(s *fit.Scores) float64 {
			if s.Numbers == nil {
				return math.NaN()
			}
			return figure(s.Numbers)
		}
	}
	rmse := of(func(n *score.Numbers) float64 { return n.RMSE })
	return []Metric{
		{Name: TestRMSE, Doc: "root mean squared error on the test set", Compared: true, Shown: IfAny, Digits: 4, result: tested(rmse)},
		{Name: "train_rmse", Doc: "root mean squared error on the training set", Compared: true, Shown: IfAny, Digits: 4, result: trained(rmse)},
		{Name: "test_mean_rmse", Doc: "root mean squared error of the training rows' mean on the test set", Shown: IfAny, Digits: 4, result: tested(of(func(n *score.Numbers) float64 { return n.Mean }))},
		{Name: "test_mae", Doc: "mean absolute error on the test set", Compared: true, Shown: IfAny, Digits: 4, result: tested(of(func(n *score.Numbers) float64 { return n.MAE }))},
		{Name: "test_r2", Doc: "share of the test rows' squared error from their mean that is explained (R2)", Compared: true, More: true, Shown: IfAny, Digits: 4, result: tested(of(func(n *score.Numbers) float64 { return known(n.R2) }))},
	}
}

// rewards returns the rewards of policies.
func rewards() []Metric {
	return []Metric{
		{Name: "test_reward", Doc: "mean reward of a test row", Compared: true, More: true, Shown: IfAny, result: tested(meanReward)},
		{Name: "train_reward", Doc: "mean reward of a training row", Compared: true, More: true, Shown: IfAny, result: trained(meanReward)},
	}
}

// meanReward returns the reward of a policy per row, NaN for classification trees.
func meanReward(s *fit.Scores) float64 {
	if s.Reward == nil {
		return math.NaN()
	}
	return s.Reward.Mean
}

// figures returns the metrics of predictions other than the error rate.
func figures() []Metric {
	return []Metric{
		{Name: "test_balanced_error", Doc: "balanced error on the test set (mean error rate over the classes), %", Compared: true, result: tested(func(s *fit.Scores) float64 { return 100 * known(s.BalancedError) })},
		{Name: "test_f1", Doc: "mean F1 of the classes on test rows, %", Compared: true, More: true, result: tested(func(s *fit.Scores) float64 { return 100 * meanF1(s.PerClass) })},
		{Name: "test_least_recall", Doc: "minimum recall of a class on the test set, %", Compared: true, More: true, result: tested(func(s *fit.Scores) float64 { return 100 * leastRecall(s.PerClass) })},
		{Name: "test_auc", Doc: "area under the ROC curve on the test set, %; one-vs-rest mean for more than two classes", Compared: true, More: true, result: tested(func(s *fit.Scores) float64 { return 100 * known(s.AUC) })},
		{Name: "test_cost", Doc: "cost of the predictions per row of the test set", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return costPerRow(r.Test) }},
		{Name: "train_cost", Doc: "cost of the predictions per row of the training set", Compared: true, Shown: IfAny, result: func(r *fit.Result) float64 { return costPerRow(r.Train) }},
		{Name: "test_log_loss", Doc: "log loss of the leaves' class proportions on the test set", Compared: true, result: tested(func(s *fit.Scores) float64 { return known(s.LogLoss) })},
	}
}

// trees returns the metrics of the tree and its proof.
func trees() []Metric {
	return []Metric{
		{Name: "splits", Doc: "splits of the tree", Compared: true, Shown: IfAny, result: trained(func(s *fit.Scores) float64 { return float64(s.Splits) })},
		{Name: "depth", Doc: "depth of the tree", result: trained(func(s *fit.Scores) float64 { return float64(s.Depth) })},
		{Name: "features", Doc: "features used", result: trained(func(s *fit.Scores) float64 { return float64(s.FeaturesUsed) })},
		{Name: "objective", Doc: "training objective", result: trained(func(s *fit.Scores) float64 { return known(s.Objective) })},
		{Name: "proved", Doc: "fits with a proof of optimality, %", Shown: IfAny, result: func(r *fit.Result) float64 { return percentIf(r.Solver != nil && !Infeasible(r), Proved(r)) }},
		{Name: "gap", Doc: "relative optimality gap, %", result: gap},
		{Name: "time_limited", Doc: "fits that reached the time limit, %", Shown: IfNonzero, result: func(r *fit.Result) float64 { return percentIf(true, Limit(r) == "time") }},
	}
}

// recoveries returns the metrics of generated data.
func recoveries() []Metric {
	return []Metric{
		{Name: "true_discovery", Doc: "splits of the true tree that are recovered, %", Shown: IfAny, recovery: func(r *generate.Recovery) float64 { return r.TrueDiscovery }},
		{Name: "false_discovery", Doc: "splits of the tree that are not in the true tree, %", Compared: true, Shown: IfAny, recovery: func(r *generate.Recovery) float64 { return r.FalseDiscovery }},
	}
}

// Names lists the names that a spec may use: those of metrics, and of families, whose members have
// the family's name, a colon and a suffix.
func Names() []string {
	return append(Figures(), families...)
}

// Figures lists the names of metrics other than families.
func Figures() []string {
	var names []string
	for _, m := range slices.Concat(All(), fairnessMetrics(), heldMetrics()) {
		names = append(names, m.Name)
	}
	return names
}

// Seconds is the time of a fit. It is not a metric of tables, since it is not reproducible.
func Seconds() Metric {
	return Metric{Name: "seconds", result: func(r *fit.Result) float64 { return r.Seconds }}
}

// costPerRow returns the cost of the predictions per row, NaN for none.
func costPerRow(s *fit.Scores) float64 {
	if s == nil || s.Cost == nil || s.Rows == 0 {
		return math.NaN()
	}
	return *s.Cost / s.Rows
}

// ErrorPercent returns the error rate in percent, NaN for none and for policies and numbers, whose rows have no
// class.
func ErrorPercent(s *fit.Scores) float64 {
	if s == nil || s.Rows == 0 || s.Reward != nil || s.Numbers != nil {
		return math.NaN()
	}
	return 100 * s.Errors / s.Rows
}

// Limit returns the limit that ended a fit, "" for none.
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

// meanF1 returns the mean F1 of the classes that have one, like scikit-learn's macro average.
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

// leastRecall returns the minimum recall of a class with rows.
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
