package metric

import (
	"math"
	"strings"

	"github.com/octgen/octgen/experiments/generate"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/mio"
)

// Metric is a figure of a fit.
type Metric struct {
	Name     string // as specs and tables have it
	Doc      string // what it counts, and its unit
	Compared bool   // methods are compared by it
	More     bool   // more of it is better, not less
	Shown    Shown  // in tables for people, where the spec does not say
	Digits   int    // after the decimal point, for people; 0: two

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

// IsOf reports whether the metric is the one of that name, or of the family of that name.
func (m *Metric) IsOf(name string) bool {
	family, _, _ := strings.Cut(m.Name, ":")
	return name == m.Name || name == family
}

// trained is a figure of the training scores.
func trained(of func(*fit.Scores) float64) func(*fit.Result) float64 {
	return func(r *fit.Result) float64 { return ofScores(r.Train, of) }
}

// tested is a figure of the test scores.
func tested(of func(*fit.Scores) float64) func(*fit.Result) float64 {
	return func(r *fit.Result) float64 { return ofScores(r.Test, of) }
}

// ofScores is a figure of scores, NaN where there are none.
func ofScores(s *fit.Scores, of func(*fit.Scores) float64) float64 {
	if s == nil {
		return math.NaN()
	}
	return of(s)
}

// known is a figure that may be missing, as it is in the results of older runs.
func known(v *float64) float64 { return fit.ValueOr(v, math.NaN()) }

// Proved says whether a fit of a program ended with a proof of optimality, whoever made it:
// the solver, the search or both together. What a solver alone says of its program counts
// for nothing where the check refuted it.
func Proved(r *fit.Result) bool {
	return r != nil && r.Solver != nil && r.Status == mio.Optimal.String()
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
