package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/treepage"
)

// baselineText names what methods are compared with.
func baselineText(s *spec.Spec) string {
	if s.OneBaseline() {
		return s.Baseline
	}
	return "each method's baseline"
}

// lessBaseline heads differences with the baseline.
func lessBaseline(s *spec.Spec) string {
	if s.OneBaseline() {
		return "less " + s.Baseline
	}
	return "difference"
}

// number writes a figure for people and tables, "" for none.
func number(v float64, digits int) string {
	if !finite(v) {
		return ""
	}
	return strconv.FormatFloat(v+0, 'f', digits, 64)
}

// clean keeps of a text what a page can show on a line.
func clean(text string) string { return treepage.Clean(text) }

// escape keeps Markdown from reading a text as anything but text.
func escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "\n", " ").Replace(text)
}

// fenced is a code block that its text cannot close.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "yaml\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// failure is a failed task in one line.
func failure(r *run.Record) string {
	return fmt.Sprintf("%s/%s/%s: %s", r.Data, r.Method, r.Split, strings.ReplaceAll(r.Error, "\n", " "))
}

// dash stands for a figure that is not there.
const dash = "–"

// secondsText writes a time, "" for none.
func secondsText(v float64) string {
	switch {
	case !finite(v):
		return ""
	case v >= 100:
		return number(v, 0)
	case v >= 1:
		return number(v, 1)
	case v >= 0.001:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
	return number(v, 4)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// division names a split of a data as people speak of it: fold 3, repeat 2, fold 3.
func (s *Summary) division(data, split string) string {
	parts := strings.Split(split, ".")
	names := []string{"replicate", "repeat", "fold"}
	switch e := s.Spec.Evaluate; {
	case s.Spec.Data[slices.Index(s.Spec.DataNames(), data)].HasTest():
		names = names[:1]
	case e.Folds == 0:
		names = []string{"replicate", "division"}
	case e.Repeats <= 1 && len(parts) > 1: // the one repeat goes without saying
		parts = slices.Delete(parts, len(parts)-2, len(parts)-1)
		names = []string{"replicate", "fold"}
	}
	if len(parts) > len(names) {
		return split
	}
	names = names[len(names)-len(parts):]
	for i := range parts {
		parts[i] = names[i] + " " + parts[i]
	}
	return strings.Join(parts, ", ")
}

// divisions names what a data is divided into.
func (s *Summary) divisions() string {
	switch {
	case s.ownTests():
		return "replicates"
	case s.Spec.Evaluate.Folds > 0:
		return "folds"
	}
	return "divisions"
}
