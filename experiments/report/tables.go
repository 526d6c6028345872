package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
)

// difference is a comparison's mean difference with its interval.
func difference(c *Comparison) string {
	if c == nil || c.Pairs == 0 {
		return ""
	}
	return interval(c.Difference, c.Low, c.High)
}

// outcomes counts a comparison's wins, ties and losses.
func outcomes(c *Comparison) string {
	if c == nil || c.Pairs == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d/%d", c.Wins, c.Ties, c.Losses)
}

// caption explains the table of a metric.
func (s *Summary) caption(x metric.Metric) string {
	text := fmt.Sprintf("%s: %s; mean ± standard error", x.Name, x.Doc)
	if s.Spec.Reference.Has(x.Name) {
		text += ", [" + cmp.Or(s.Spec.Reference.Paper, "reference") + "]"
	}
	return text
}

// tables are the metrics that people are shown: those that the spec names, or else
// those that are for all, where there is a figure.
func (s *Summary) tables() []metric.Metric {
	var asked, shown []metric.Metric
	for _, name := range s.Spec.Metrics {
		for _, x := range s.metrics {
			if x.IsOf(name) {
				asked = append(asked, x)
			}
		}
	}
	if s.Spec.Metrics == nil {
		asked = slices.DeleteFunc(slices.Clone(s.metrics), func(x metric.Metric) bool { return !s.usual(x) })
	}
	for _, x := range asked {
		if s.has(x.Name, func(r *Row) bool { return r.N > 0 }) {
			shown = append(shown, x)
		}
	}
	return shown
}

// usual says whether people are shown a metric without asking for it.
func (s *Summary) usual(x metric.Metric) bool {
	switch x.Shown {
	case metric.IfNonzero:
		return s.has(x.Name, func(r *Row) bool { return r.Max > 0 })
	case metric.IfCited:
		return s.Spec.Reference.Has(x.Name)
	}
	return true
}

// has says whether a row of a metric is such.
func (s *Summary) has(metric string, such func(*Row) bool) bool {
	return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Metric == metric && such(&r) })
}

// state says how much of the experiment the figures are of.
func (s *Summary) state() string {
	text := fmt.Sprintf("%d of %d tasks done, %d failed\n", s.Done, s.Tasks, len(s.Failed))
	for i, r := range s.Failed {
		if i == 10 {
			return text + fmt.Sprintf("  and %d more, see %s\n", len(s.Failed)-i, run.ResultsFile)
		}
		text += "  " + failure(&r) + "\n"
	}
	return text
}

func (s *Summary) howTested() string {
	e := s.Spec.Evaluate
	how := ""
	switch {
	case s.ownTests():
		how = "Tested on the generated data's own test points. "
	case e.Folds > 0:
		how = fmt.Sprintf("%d-fold cross-validation, repeats: %d, seed %d. ", e.Folds, e.Repeats, e.Seed)
	case e.Holdout > 0:
		how = fmt.Sprintf("Holdout of %v, repeats: %d, seed %d. ", e.Holdout, e.Repeats, e.Seed)
	}
	return how + fmt.Sprintf("Differences are with %s; intervals have %v %% confidence.", baselineText(s.Spec), 100*Confidence)
}
