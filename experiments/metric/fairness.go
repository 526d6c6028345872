package metric

import (
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/constraint"
)

// part is training or test rows.
type part struct {
	prefix string // of names
	rows   string
	of     func(*fit.Result) *fit.Scores
}

var parts = []part{
	{"test_", "test rows", func(r *fit.Result) *fit.Scores { return r.Test }},
	{"train_", "training rows", func(r *fit.Result) *fit.Scores { return r.Train }},
}

// notions are the metrics of fairness with what they compare.
var notions = []struct {
	constraint.Metric
	doc string
}{
	{constraint.StatisticalParity, "rates of being predicted the positive class"},
	{constraint.EqualOpportunity, "true-positive rates"},
	{constraint.PredictiveEquality, "false-positive rates"},
	{constraint.EqualizedOdds, "true-positive or false-positive rates, the greater"},
}

// compared is a group and a class whose rates are compared.
type compared struct{ column, positive string }

// fairness are the metrics of data with groups: the greatest difference of two levels and,
// where results compare several columns or classes, that of each.
func fairness(results []*fit.Result) []Metric {
	all := comparedIn(results)
	if len(all) == 0 {
		return nil
	}
	metrics := fairnessMetrics()
	if len(all) == 1 {
		return metrics
	}
	for _, c := range all {
		for _, p := range parts {
			for _, n := range notions {
				m := fairnessMetric(p, n.Metric, n.doc, &c)
				m.Name += ":" + c.column + "=" + c.positive
				m.Shown = IfCited
				metrics = append(metrics, m)
			}
		}
	}
	return metrics
}

// fairnessMetrics are those over all groups.
func fairnessMetrics() []Metric {
	var metrics []Metric
	for _, p := range parts {
		for _, n := range notions {
			metrics = append(metrics, fairnessMetric(p, n.Metric, n.doc, nil))
		}
	}
	return metrics
}

// fairnessMetric is a metric of fairness between the levels of a column, nil for all.
func fairnessMetric(p part, notion constraint.Metric, doc string, of *compared) Metric {
	m := Metric{
		Name: p.prefix + strings.ReplaceAll(string(notion), "-", "_"), Compared: true,
		Doc:    "greatest difference of two groups in " + doc + ", on " + p.rows + ", percentage points",
		result: func(r *fit.Result) float64 { return difference(p.of(r), notion, of) },
	}
	if of != nil {
		m.Doc += "; of " + of.column + ", class " + of.positive
	}
	if p.prefix == "test_" {
		m.Shown = IfAny
	}
	return m
}

// comparedIn are the groups of results, in their order.
func comparedIn(results []*fit.Result) []compared {
	var all []compared
	for _, r := range results {
		if r.Train == nil {
			continue
		}
		for _, f := range r.Train.Fairness {
			if c := (compared{f.Column, f.Positive}); !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// difference is the greatest difference of two levels in percentage points, NaN for none.
func difference(s *fit.Scores, notion constraint.Metric, of *compared) float64 {
	greatest := math.NaN()
	if s == nil {
		return greatest
	}
	for _, f := range s.Fairness {
		if of != nil && *of != (compared{f.Column, f.Positive}) {
			continue
		}
		for _, m := range f.Metrics {
			if m.Metric == notion && m.Value != nil && !(100**m.Value <= greatest) {
				greatest = 100 * *m.Value
			}
		}
	}
	return greatest
}
