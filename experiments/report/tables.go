package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
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

// tables are the metrics that people are shown.
func (s *Summary) tables() []metric.Metric {
	var shown []metric.Metric
	for _, x := range metric.All() {
		counted, nonzero := false, false
		for i := range s.Rows {
			if r := &s.Rows[i]; r.Metric == x.Name {
				counted = counted || r.N > 0
				nonzero = nonzero || r.Max > 0
			}
		}
		switch x.Shown {
		case metric.IfNonzero:
			counted = nonzero
		case metric.IfCited:
			counted = counted && s.Spec.Reference.Has(x.Name)
		}
		if counted {
			shown = append(shown, x)
		}
	}
	return shown
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

// ownTests says whether all data have test points of their own.
func (s *Summary) ownTests() bool {
	return !slices.ContainsFunc(s.Spec.Data, func(d spec.Data) bool { return !d.HasTest() })
}
