// Package metric holds the figures that an experiment compares methods by, one line
// each. Specs name them, tables show them.
package metric

import (
	"math"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
)

// TestError is the metric of tables: wrong test rows, in percent.
const TestError = "test_error"

// Metric is a figure of a fit.
type Metric struct {
	Name     string // as specs and tables have it
	Doc      string // what it counts, and its unit
	Compared bool   // methods are compared by it; less is better
	Shown    Shown  // in tables for people

	result   func(*fit.Result) float64
	recovery func(*generate.Recovery) float64 // in place of that of the result
}

// Shown says when a metric has a table for people; files hold all of them.
type Shown int

// When a metric is shown.
const (
	IfCited   Shown = iota // where a paper has figures of it
	IfAny                  // where there is a figure
	IfNonzero              // where a figure is above 0
)

// All lists the metrics in the order of tables: those of results, then those that
// generated data have.
func All() []Metric {
	return []Metric{
		{TestError, "wrong test rows, %", true, IfAny, func(r *fit.Result) float64 { return ErrorPercent(r.Test) }, nil},
		{"train_error", "wrong training rows, %", true, IfAny, func(r *fit.Result) float64 { return ErrorPercent(r.Train) }, nil},
		{"splits", "splits of the tree", true, IfAny, scored(func(s *fit.Scores) float64 { return float64(s.Splits) }), nil},
		{"depth", "depth of the tree", false, IfCited, scored(func(s *fit.Scores) float64 { return float64(s.Depth) }), nil},
		{"features", "features used", false, IfCited, scored(func(s *fit.Scores) float64 { return float64(s.FeaturesUsed) }), nil},
		{"objective", "training objective", false, IfCited, scored(func(s *fit.Scores) float64 { return fit.ValueOr(s.Objective, math.NaN()) }), nil},
		{"proved", "fits with a proof of optimality, %", false, IfAny, func(r *fit.Result) float64 { return percentIf(r.Solver != nil, Proved(r)) }, nil},
		{"gap", "relative gap, %", false, IfCited, gap, nil},
		{"time_limited", "fits that the time limit ended, %", false, IfNonzero, func(r *fit.Result) float64 { return percentIf(true, Limit(r) == "time") }, nil},
		{"true_discovery", "splits of the true tree that the tree has, %", false, IfAny, nil, func(r *generate.Recovery) float64 { return r.TrueDiscovery }},
		{"false_discovery", "splits of the tree that the true tree lacks, %", true, IfAny, nil, func(r *generate.Recovery) float64 { return r.FalseDiscovery }},
	}
}

// Names lists the names of the metrics.
func Names() []string {
	var names []string
	for _, m := range All() {
		names = append(names, m.Name)
	}
	return names
}

// Seconds is the time of a fit, which no two runs agree in: no metric of tables.
func Seconds() Metric {
	return Metric{Name: "seconds", result: func(r *fit.Result) float64 { return r.Seconds }}
}

// Of is the figure of a fit without an error, NaN where it does not apply. recovery
// is nil for data whose tree is not known.
func (m *Metric) Of(r *fit.Result, recovery *generate.Recovery) float64 {
	switch {
	case m.recovery == nil:
		return m.result(r)
	case recovery == nil:
		return math.NaN()
	}
	return m.recovery(recovery)
}

// ErrorPercent is the share of wrong rows in percent, NaN for none.
func ErrorPercent(s *fit.Scores) float64 {
	if s == nil || s.Rows == 0 {
		return math.NaN()
	}
	return 100 * s.Errors / s.Rows
}

// Proved says whether a fit ended with a proof of optimality.
func Proved(r *fit.Result) bool {
	return r != nil && r.Solver != nil && r.Solver.Status == mio.Optimal.String()
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

// scored is a figure of the training scores.
func scored(of func(*fit.Scores) float64) func(*fit.Result) float64 {
	return func(r *fit.Result) float64 {
		if r.Train == nil {
			return math.NaN()
		}
		return of(r.Train)
	}
}

func gap(r *fit.Result) float64 {
	if r.Solver == nil {
		return math.NaN()
	}
	return 100 * fit.ValueOr(r.Solver.Gap, math.NaN())
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
