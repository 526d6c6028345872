package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit/problem"
)

// verdict says which method has the best figure of what methods are judged by.
func (s *Summary) verdict() []string {
	best, level, incomplete := s.leading()
	var said []string
	if best == nil {
		said = append(said, fmt.Sprintf("No task has given a %s.", s.judge().name))
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

// leading returns the row of the best figure among the methods with the most
// figures, the names of those of them that have the same, and the names of the
// methods with fewer figures.
func (s *Summary) leading() (best *Row, level, incomplete []string) {
	var rows []*Row
	j := s.judge()
	for _, m := range s.Spec.MethodNames() {
		rows = append(rows, s.find(s.pooled(), m, j.metric))
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
		case best == nil || j.better(r.Mean) < j.better(best.Mean)-tie:
			best = r
		}
	}
	for _, r := range rows {
		if asFull(r) && j.better(r.Mean) <= j.better(best.Mean)+tie {
			level = append(level, r.Method)
		}
	}
	return best, level, incomplete
}

// praise says how far the best method is ahead of its baseline.
func (s *Summary) praise(best *Row, level []string) string {
	j, over := s.judge(), "splits: "
	if best.Data == spec.AllData {
		over = "data: "
	}
	over += strconv.Itoa(best.N)
	if len(level) > 1 {
		return fmt.Sprintf("%s have %s %s, %s (mean; %s).", problem.Listed(level), j.most(), j.name, j.value(best.Mean), over)
	}
	text := fmt.Sprintf("%s has %s %s, %s (mean; %s)", best.Method, j.most(), j.name, j.value(best.Mean), over)
	c := best.Versus
	switch {
	case len(s.Spec.Methods) == 1:
		return fmt.Sprintf("%s has a %s of %s (mean; %s).", best.Method, j.name, j.value(best.Mean), over)
	case c == nil:
		return text + "; it is the baseline."
	case c.Pairs == 0:
		return text + "."
	}
	text += fmt.Sprintf("; the mean difference with %s is %s%s", c.Baseline, number(c.Difference, j.digits), j.points)
	if !finite(c.Low) {
		return text + "."
	}
	doubt := ""
	if c.Low <= 0 && c.High >= 0 {
		doubt = ": it may well be 0"
	}
	return text + fmt.Sprintf(" (%v %% interval %s to %s%s).", 100*Confidence, number(c.Low, j.digits), number(c.High, j.digits), doubt)
}

// pooled is the data name of the rows that sum an experiment up.
func (s *Summary) pooled() string {
	if len(s.Spec.Data) > 1 {
		return spec.AllData
	}
	return s.Spec.Data[0].Name
}
