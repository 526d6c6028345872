package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/method"
)

// verdict says which method has the least test error.
func (s *Summary) verdict() []string {
	best, level, incomplete := s.leading()
	var said []string
	if best == nil {
		said = append(said, "No task has given a test error.")
	} else {
		said = append(said, s.praise(best, level))
	}
	if len(incomplete) > 0 {
		said = append(said, fmt.Sprintf("Not compared, for want of figures on all data and splits that others have them on: %s.", strings.Join(incomplete, ", ")))
	}
	if kept := s.keptVerdict(); kept != "" {
		said = append(said, kept)
	}
	switch {
	case s.Done < s.Tasks:
		said = append(said, fmt.Sprintf("Unfinished: %d of %d tasks are done, %d of them failed.", s.Done, s.Tasks, len(s.Failed)))
	case len(s.Failed) > 0:
		said = append(said, fmt.Sprintf("%d of %d tasks failed.", len(s.Failed), s.Tasks))
	}
	return said
}

// leading returns the row of least test error among the methods with the most
// figures, the names of those of them that have the same error, and the names of the
// methods with fewer figures.
func (s *Summary) leading() (best *Row, level, incomplete []string) {
	var rows []*Row
	for _, m := range s.Spec.MethodNames() {
		rows = append(rows, s.find(s.pooled(), m, metric.TestError))
	}
	fullest := slices.MinFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Failed, b.Failed))
	})
	if fullest.N == 0 {
		return nil, nil, nil
	}
	asFull := func(r *Row) bool { return r.N == fullest.N && r.Failed == fullest.Failed }
	for _, r := range rows {
		switch {
		case !asFull(r):
			incomplete = append(incomplete, r.Method)
		case best == nil || r.Mean < best.Mean-tie:
			best = r
		}
	}
	for _, r := range rows {
		if asFull(r) && r.Mean <= best.Mean+tie {
			level = append(level, r.Method)
		}
	}
	return best, level, incomplete
}

// praise says how far the best method is ahead of its baseline.
func (s *Summary) praise(best *Row, level []string) string {
	over := "splits: "
	if best.Data == spec.AllData {
		over = "data: "
	}
	over += strconv.Itoa(best.N)
	if len(level) > 1 {
		return fmt.Sprintf("%s have the least test error, %s %% (mean; %s).", method.Listed(level), number(best.Mean, 2), over)
	}
	text := fmt.Sprintf("%s has the least test error, %s %% (mean; %s)", best.Method, number(best.Mean, 2), over)
	c := best.Versus
	switch {
	case len(s.Spec.Methods) == 1:
		return fmt.Sprintf("%s has a test error of %s %% (mean; %s).", best.Method, number(best.Mean, 2), over)
	case c == nil:
		return text + "; it is the baseline."
	case c.Pairs == 0:
		return text + "."
	}
	text += fmt.Sprintf("; the mean difference with %s is %s percentage points", c.Baseline, number(c.Difference, 2))
	if !finite(c.Low) {
		return text + "."
	}
	doubt := ""
	if c.Low <= 0 && c.High >= 0 {
		doubt = ": it may well be 0"
	}
	return text + fmt.Sprintf(" (%v %% interval %s to %s%s).", 100*Confidence, number(c.Low, 2), number(c.High, 2), doubt)
}

// pooled is the data name of the rows that sum an experiment up.
func (s *Summary) pooled() string {
	if len(s.Spec.Data) > 1 {
		return spec.AllData
	}
	return s.Spec.Data[0].Name
}
