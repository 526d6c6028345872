package report

import (
	_ "embed" // of the page's template and style
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/fit"
	"github.com/octgen/octgen/tree/page"
)

//go:embed page/report.css
var pageStyle string

//go:embed page/report.js
var pageScript string

//go:embed page/report.gohtml
var pageText string

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"clean":  clean,
	"limit":  metric.Limit,
	"proved": metric.Proved,
	"wrong":  func(s *fit.Scores) string { return number(metric.ErrorPercent(s), 2) },
}).Parse(pageText))

// html writes report.html: one file that needs no other. Parts that show times,
// which no two runs agree in, are in elements with the attribute data-times; the
// rest is the same for the same results. Trees are read from dir.
func (s *Summary) html(w io.Writer, dir string) error {
	p := document{
		Summary: s, Title: clean(s.Spec.Name), How: s.howTested(), Text: string(s.Spec.Text),
		CSS:    page.Style() + template.CSS(pageStyle),  //nolint:gosec // ours
		Script: page.Script() + template.JS(pageScript), //nolint:gosec // ours
		Data:   listed(s.Spec.DataNames(), 12), Methods: listed(s.Spec.MethodNames(), 12),
		Verdict: s.verdict(), Overview: s.overview(), Forest: s.forest(),
		Plots: s.plots(), Seconds: s.timeSection(), Errors: s.errorSection(),
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
	return pageTemplate.Execute(w, &p)
}

// listed names things, as many as can be read.
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
