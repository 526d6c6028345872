package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/tree/page"
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
func clean(text string) string { return page.Clean(text) }

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

// digits writes a figure for those who compute with it, "" for none.
func digits(v float64) string {
	if !finite(v) {
		return ""
	}
	return strconv.FormatFloat(v+0, 'g', 8, 64)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
