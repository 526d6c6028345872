package report

import (
	_ "embed" // of the page's template and style
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed page/report.css
var pageStyle string

//go:embed page/report.gohtml
var pageText string

var pageTemplate = template.Must(template.New("report").Parse(pageText))

// html writes report.html: one file that needs no other. Parts that show times,
// which no two runs agree in, are in elements with the attribute data-times; the
// rest is the same for the same results. Trees are read from dir.
func (s *Summary) html(w io.Writer, dir string) error {
	p := page{
		Title: clean(s.Spec.Name), Version: s.Version, How: s.howTested(), Spec: string(s.Spec.Text),
		CSS: template.CSS(pageStyle), Failed: len(s.Failed), //nolint:gosec // ours
		Verdict: s.verdict(), Facts: s.facts(), Overview: s.overview(), Forest: s.forest(),
		Plots: s.plots(), Times: s.timeSection(), Errors: s.errorSection(),
	}
	for _, x := range s.tables() {
		p.Metrics = append(p.Metrics, s.metricSection(x))
	}
	trees, err := s.treeSection(dir)
	if err != nil {
		return err
	}
	p.Trees = trees
	p.list()
	return pageTemplate.Execute(w, &p)
}

// facts says what was tested.
func (s *Summary) facts() []fact {
	facts := []fact{
		{"Data", listed(s.Spec.DataNames(), 12)},
		{"Methods", listed(s.Spec.MethodNames(), 12)},
		{"Tasks", fmt.Sprintf("%d of %d done, %d failed", s.Done, s.Tasks, len(s.Failed))},
	}
	if s.Spec.Reference.Paper != "" {
		facts = append(facts, fact{"Compared with", s.Spec.Reference.Paper})
	}
	if s.Spec.Reference.Note != "" {
		facts = append(facts, fact{"Note", s.Spec.Reference.Note})
	}
	return facts
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
