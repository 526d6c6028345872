package experiments

import (
	"math"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
)

// TestError is the metric of tables: wrong test rows, in percent.
const TestError = "test_error"

// metric is a figure of a record, NaN where it does not apply.
type metric struct {
	resultMetric
	recovery func(*generate.Recovery) float64 // in place of that of the result
}

// value is the figure of a record without an error.
func (x *metric) value(r *Record) float64 {
	switch {
	case x.recovery == nil:
		return x.of(r.Result)
	case r.Recovery == nil:
		return math.NaN()
	}
	return x.recovery(r.Recovery)
}

// metrics are those of results, then those that generated data have.
func metrics() []metric {
	var all []metric
	for _, m := range resultMetrics() {
		all = append(all, metric{resultMetric: m})
	}
	return append(all,
		metric{resultMetric{name: "true_discovery", doc: "splits of the true tree that the tree has, %"}, func(r *generate.Recovery) float64 { return r.TrueDiscovery }},
		metric{resultMetric{name: "false_discovery", doc: "splits of the tree that the true tree lacks, %", compared: true}, func(r *generate.Recovery) float64 { return r.FalseDiscovery }},
	)
}

// resultMetric is a figure of a result. Of all that are compared, less is better.
type resultMetric struct {
	name     string
	doc      string
	compared bool
	of       func(*fit.Result) float64
}

func resultMetrics() []resultMetric {
	return []resultMetric{
		{TestError, "wrong test rows, %", true, func(r *fit.Result) float64 { return errorPercent(r.Test) }},
		{"train_error", "wrong training rows, %", true, func(r *fit.Result) float64 { return errorPercent(r.Train) }},
		{"splits", "splits of the tree", true, func(r *fit.Result) float64 {
			return scored(r, func(s *fit.Scores) float64 { return float64(s.Splits) })
		}},
		{"depth", "depth of the tree", false, func(r *fit.Result) float64 { return scored(r, func(s *fit.Scores) float64 { return float64(s.Depth) }) }},
		{"features", "features used", false, func(r *fit.Result) float64 {
			return scored(r, func(s *fit.Scores) float64 { return float64(s.FeaturesUsed) })
		}},
		{"objective", "training objective", false, func(r *fit.Result) float64 {
			return scored(r, func(s *fit.Scores) float64 { return value(s.Objective) })
		}},
		{"proved", "fits with a proof of optimality, %", false, func(r *fit.Result) float64 { return percentIf(r.Solver != nil, proved(r)) }},
		{"gap", "relative gap, %", false, func(r *fit.Result) float64 {
			if r.Solver == nil {
				return math.NaN()
			}
			return 100 * value(r.Solver.Gap)
		}},
		{"time_limited", "fits that the time limit ended, %", false, func(r *fit.Result) float64 { return percentIf(true, limitOf(r) == "time") }},
	}
}

// MetricNames lists the metrics that a reference value may name.
func MetricNames() []string {
	var names []string
	for _, m := range metrics() {
		names = append(names, m.name)
	}
	return names
}

func errorPercent(s *fit.Scores) float64 {
	if s == nil || s.Rows == 0 {
		return math.NaN()
	}
	return 100 * s.Errors / s.Rows
}

func scored(r *fit.Result, of func(*fit.Scores) float64) float64 {
	if r.Train == nil {
		return math.NaN()
	}
	return of(r.Train)
}

func value(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// percentIf is 100 or 0 where it applies.
func percentIf(applies, yes bool) float64 {
	switch {
	case !applies:
		return math.NaN()
	case yes:
		return 100
	}
	return 0
}

// secondsOf is the wall-clock time of a fit.
func secondsOf(r *fit.Result) float64 { return r.Seconds }
