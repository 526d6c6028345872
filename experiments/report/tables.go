package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
)

// grid is the table of one metric: data by methods, the comparison with the
// baseline below.
func (s *Summary) grid(metric string) [][]string {
	methods := s.Spec.MethodNames()
	lines := [][]string{append([]string{"data"}, methods...)}
	data := s.Spec.DataNames()
	if len(data) > 1 {
		data = append(data, spec.AllData)
	}
	for _, d := range data {
		line := []string{d}
		for _, m := range methods {
			line = append(line, cell(s.find(d, m, metric)))
		}
		lines = append(lines, line)
	}
	if len(methods) == 1 || !isCompared(metric) {
		return lines
	}
	baselines, differences, counts := []string{"baseline"}, []string{lessBaseline(s.Spec)}, []string{"wins/ties/losses"}
	for _, m := range methods {
		r := s.find(data[len(data)-1], m, metric)
		baselines = append(baselines, s.Spec.BaselineOf(m))
		differences = append(differences, difference(r.Versus))
		counts = append(counts, outcomes(r.Versus))
	}
	if !s.Spec.OneBaseline() {
		lines = append(lines, baselines)
	}
	return append(lines, differences, counts)
}

// cell is a figure with its standard error and the paper's figure.
func cell(r *Row) string {
	text := number(r.Mean, 2)
	switch {
	case text == "" && r.Failed > 0:
		text = "failed"
	case text == "":
		text = "-"
	}
	if e := number(r.StdError, 2); e != "" {
		text += " ± " + e
	}
	if r.Paper != nil {
		text += " [" + strconv.FormatFloat(*r.Paper, 'g', -1, 64) + "]"
	}
	return text
}

// difference is a comparison's mean difference with its interval.
func difference(c *Comparison) string {
	switch {
	case c == nil || c.Pairs == 0:
		return ""
	case math.IsNaN(c.Low):
		return number(c.Difference, 2)
	}
	return fmt.Sprintf("%s (%s to %s)", number(c.Difference, 2), number(c.Low, 2), number(c.High, 2))
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
		paper := s.Spec.Reference.Paper
		if paper == "" {
			paper = "reference"
		}
		text += ", [" + paper + "]"
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
	case !slices.ContainsFunc(s.Spec.Data, func(d spec.Data) bool { return !d.HasTest() }):
		how = "Tested on the generated data's own test points. "
	case e.Folds > 0:
		how = fmt.Sprintf("%d-fold cross-validation, repeats: %d, seed %d. ", e.Folds, e.Repeats, e.Seed)
	case e.Holdout > 0:
		how = fmt.Sprintf("Holdout of %v, repeats: %d, seed %d. ", e.Holdout, e.Repeats, e.Seed)
	}
	return how + fmt.Sprintf("Differences are with %s; intervals have %v %% confidence.", baselineText(s.Spec), 100*Confidence)
}
