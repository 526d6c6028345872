package report

import (
	"cmp"
	_ "embed" // of the page's template and style
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/fit/problem"
	"github.com/octgen/octgen/tree/page"
)

//go:embed page/report.css
var pageStyle string

//go:embed page/report.js
var pageScript string

//go:embed page/report.gohtml
var pageText string

var templates = page.Templates(template.FuncMap{
	"clean":  clean,
	"limit":  metric.Limit,
	"proved": metric.Proved,
	"wrong":  func(s *fit.Scores) string { return number(metric.ErrorPercent(s), 2) },
}, pageText)

// html writes report.html: a single self-contained file. Parts that show times, which are not
// reproducible, are in elements with the attribute data-times; the rest is the same for the same
// results. Trees are read from dir.
func (s *Summary) html(w io.Writer, dir string) error {
	p := document{
		Summary: s, Title: clean(s.Spec.Name), How: s.howTested(), Text: string(s.Spec.Text),
		Style:  page.Style() + template.CSS(pageStyle),  //nolint:gosec // ours
		Script: page.Script() + template.JS(pageScript), //nolint:gosec // ours
		Data:   listed(s.Spec.DataNames(), 12), Methods: listed(s.Spec.MethodNames(), 12),
		Verdict: s.verdict(), Overview: s.overview(), Forest: s.forest(),
		Plots: s.plots(), Seconds: s.timeSection(), Errors: s.errorSection(), Proofs: strings.TrimPrefix(s.proofs(), "Proofs: "),
	}
	if t := s.keptTable(); t != nil {
		p.Kept = &section{Notes: []string{guarantee}, Table: t}
	}
	if p.Frontiers = s.frontierSections(); p.Frontiers != nil {
		p.FrontierNotes, p.FrontierKey, p.Families = frontierNotes, frontierKey(), s.familySections()
	}
	if len(p.Plots) > 0 {
		p.Legend = s.legend()
	}
	for _, x := range s.tables() {
		p.Metrics = append(p.Metrics, s.metricSection(x))
	}
	trees, err := s.treeSection(dir)
	if err != nil {
		return err
	}
	p.Trees = trees
	if trees != nil {
		if err := trees.writePages(dir); err != nil {
			return err
		}
	}
	return templates().ExecuteTemplate(w, "report", &p)
}

// listed lists up to most names.
func listed(names []string, most int) string {
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	if len(names) > 1 {
		return fmt.Sprintf("%d: %s", len(names), text)
	}
	return text
}

// forest draws the differences from the baseline, a row per method: the summary's plot, nil if
// there is nothing to compare.
func (s *Summary) forest() *figure {
	var of []mark
	j := s.judge()
	for i, m := range s.Spec.MethodNames() {
		r := s.find(s.pooled(), m, j.metric)
		if c := r.Versus; c != nil && c.Pairs > 0 {
			label := m
			if !s.Spec.OneBaseline() {
				label += " less " + c.Baseline
			}
			of = append(of, mark{label, c.Difference, c.Low, c.High, i})
		}
	}
	if len(of) == 0 {
		return nil
	}
	title := fmt.Sprintf("%s minus that of %s: mean difference, %v %% interval (%s of 0 is better)", j.title, clean(baselineText(s.Spec)), 100*Confidence, j.side())
	f := marks(title, "difference"+j.per, of, 22)
	f.Wide = true
	return f
}

// plots returns the nonempty sections of plots.
func (s *Summary) plots() []section {
	var all []section
	for _, make := range []func() section{s.errorPlots, s.complexityPlots, s.gapPlots, s.profilePlots} {
		if sec := make(); len(sec.Figures) > 0 {
			all = append(all, sec)
		}
	}
	return all
}

// errorPlots shows the test errors: a box per method for each data or, with many data, for each
// method its differences from the baseline, a row per data.
func (s *Summary) errorPlots() section {
	j := s.judge()
	sec := section{ID: "errors", Title: j.title + "s"}
	if j != &byError {
		sec.Title = j.title
	}
	if len(s.Spec.Data) >= manyData && len(s.Spec.Methods) > 1 {
		sec.Notes = []string{fmt.Sprintf("%s on each data minus that of %s: mean difference%s with its %v %% interval, sorted; %s of 0 is better.", j.title, baselineText(s.Spec), strings.Replace(j.per, ", ", " in ", 1), 100*Confidence, j.side())}
		for i, m := range s.Spec.MethodNames() {
			if of := s.differences(m, i); len(of) > 0 {
				sec.Figures = append(sec.Figures, marks(fmt.Sprintf("%s minus %s", m, s.Spec.BaselineOf(m)), "difference"+j.per, of, 13))
			}
		}
		return sec
	}
	sec.Notes = []string{fmt.Sprintf("Points are %s (at most %d); boxes show the quartiles and the median, whiskers the last value within 1.5 box lengths.", s.divisions(), fewValues)}
	methods := s.Spec.MethodNames()
	for _, d := range s.Spec.DataNames() {
		values, n := make([][]float64, len(methods)), 0
		for i, m := range methods {
			r := s.find(d, m, j.metric)
			for _, key := range slices.Sorted(maps.Keys(r.values)) {
				values[i] = append(values[i], r.values[key])
			}
			n += r.N
		}
		if n > 0 {
			sec.Figures = append(sec.Figures, boxes(d, j.axis, methods, values))
		}
	}
	return sec
}

// differences returns a method's differences from the baseline in ascending order.
func (s *Summary) differences(method string, index int) []mark {
	var of []mark
	for _, d := range s.Spec.DataNames() {
		if c := s.find(d, method, s.judge().metric).Versus; c != nil && c.Pairs > 0 {
			of = append(of, mark{d, c.Difference, c.Low, c.High, index})
		}
	}
	slices.SortStableFunc(of, func(a, b mark) int { return cmp.Compare(a.value, b.value) })
	return of
}

// complexityPlots shows test error against splits, per data unless there are many, and over all
// data.
func (s *Summary) complexityPlots() section {
	j := s.judge()
	title, corner := "Accuracy and complexity", "lower"
	if j != &byError {
		title = j.title + " and complexity"
	}
	if j.more {
		corner = "upper"
	}
	sec := section{ID: "complexity", Title: title, Notes: []string{fmt.Sprintf("Mean splits and mean %s of each method, with their standard errors: the %s left is better.", j.name, corner)}}
	data := s.Spec.DataNames()
	if len(data) >= manyData {
		data = nil
	}
	if len(s.Spec.Data) > 1 {
		data = append([]string{spec.AllData}, data...)
	}
	for _, d := range data {
		var of []crossMark
		for i, m := range s.Spec.MethodNames() {
			e, c := s.find(d, m, j.metric), s.find(d, m, "splits")
			if e.N > 0 && c.N > 0 {
				of = append(of, crossMark{m, i, c.Mean, c.StdError, e.Mean, e.StdError})
			}
		}
		title := d
		if d == spec.AllData {
			title = "All data: mean of their means"
		}
		if len(of) > 0 {
			sec.Figures = append(sec.Figures, against(title, "splits", j.axis, of))
		}
	}
	return sec
}

// gapPlots shows the gaps of solves over time, per data or, with many data, per method.
func (s *Summary) gapPlots() section {
	sec := section{ID: "gaps", Title: "Gap over time", Times: true, Notes: []string{
		"Relative gap between the incumbent and the proven bound, a line per solve, with a mark at its end; 100 % also means no incumbent or bound. Methods that solve many problems, such as oct-tuned, have no gap and no line. Time is on a logarithmic scale from 1 ms on."}}
	methods := s.Spec.MethodNames()
	titles := s.Spec.DataNames()
	many := len(titles) >= manyData
	if many {
		titles = methods
	}
	by := make(map[string][]curve) // their titles
	for _, d := range s.Spec.DataNames() {
		for i, m := range methods {
			title := d
			if many {
				title = m
			}
			by[title] = append(by[title], s.curves(d, m, i)...)
		}
	}
	for _, title := range titles {
		curves := by[title]
		if all := len(curves); all > manyCurves {
			curves = slices.DeleteFunc(curves, func(c curve) bool { return !c.first })
			title += fmt.Sprintf(" (first %s: %d of %d solves)", s.divisions(), len(curves), all)
		}
		if len(curves) > 0 {
			sec.Figures = append(sec.Figures, gaps(title, methods, curves))
		}
	}
	return sec
}

// curves returns the solves of a method on one data.
func (s *Summary) curves(data, method string, index int) []curve {
	var all []curve
	for _, r := range s.of(data, method) {
		if hasGap(r) {
			all = append(all, curve{index, metric.Proved(r.Result), len(all) == 0, r.Trace})
		}
	}
	return all
}

// hasGap reports whether a trace belongs to one problem. A fit without objective and bound does,
// unless it is reported as proved: a solver that found nothing. Tuned methods solve many problems
// and have no gap.
func hasGap(r *run.Record) bool {
	if len(r.Trace) == 0 {
		return false
	}
	last := r.Trace[len(r.Trace)-1]
	if finite(last.Objective) || finite(last.Bound) {
		return true
	}
	return r.Result == nil || !problem.IsTuned(r.Result.Method) && !metric.Proved(r.Result)
}

// legend returns the marks of the methods.
func (s *Summary) legend() []legendEntry {
	var l []legendEntry
	for i, name := range s.Spec.MethodNames() {
		l = append(l, legendEntry{i, glyphSVG(glyph(i)), clean(name)})
	}
	return l
}
