package experiments

import (
	_ "embed" // of the page's template and style
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// HTMLFile is the name of the report for browsers.
const HTMLFile = "report.html"

//go:embed page/report.css
var pageStyle string

//go:embed page/report.gohtml
var pageText string

var pageTemplate = template.Must(template.New("report").Parse(pageText))

// page is what the template of report.html shows. All text in it is the user's or
// ours and is escaped by the template; HTML and CSS are drawn or written here.
type page struct {
	Title, Version, How, Spec string
	CSS                       template.CSS
	Contents                  []section
	Failed                    int
	Verdict                   []string
	Facts                     []fact
	Overview                  *htmlTable
	Forest                    *figure
	Metrics                   []section
	Plots                     []section
	Times                     *section
	Trees                     *treeSection
	Errors                    *section
}

type fact struct{ Name, Value string }

// section is a part of the page with a heading.
type section struct {
	ID, Title string
	Notes     []string
	Table     *htmlTable
	Legend    []legendEntry
	Figures   []*figure
	Times     bool // shows times, which no two runs agree in
}

type legendEntry struct {
	Glyph template.HTML
	Name  string
}

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

// list makes the table of contents.
func (p *page) list() {
	p.Contents = []section{{ID: "summary", Title: "Summary"}}
	p.Contents = append(append(p.Contents, p.Metrics...), p.Plots...)
	if p.Times != nil {
		p.Contents = append(p.Contents, section{ID: "times", Title: "Times"})
	}
	if p.Trees != nil {
		p.Contents = append(p.Contents, section{ID: "trees", Title: "Trees"})
	}
	if p.Errors != nil {
		p.Contents = append(p.Contents, section{ID: "failed", Title: "Failed tasks"})
	}
	p.Contents = append(p.Contents, section{ID: "spec", Title: "Spec"})
}

// pooled is the data name of the rows that sum an experiment up.
func (s *Summary) pooled() string {
	if len(s.Spec.Data) > 1 {
		return allData
	}
	return s.Spec.Data[0].Name
}

// verdict says which method has the least test error.
func (s *Summary) verdict() []string {
	best, incomplete := s.leading()
	var said []string
	if best == nil {
		said = append(said, "No task has given a test error.")
	} else {
		said = append(said, s.praise(best, s.level(best)))
	}
	if len(incomplete) > 0 {
		said = append(said, fmt.Sprintf("Not compared, for want of figures on all data and splits that others have them on: %s.", strings.Join(incomplete, ", ")))
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
// figures, and the names of the methods with fewer.
func (s *Summary) leading() (best *Row, incomplete []string) {
	var rows []*Row
	most, least := 0, 0
	for _, m := range s.Spec.methodNames() {
		r := s.find(s.pooled(), m, TestError)
		rows = append(rows, r)
		if r.N > most || r.N == most && r.Failed < least {
			most, least = r.N, r.Failed
		}
	}
	for _, r := range rows {
		switch {
		case most == 0:
		case r.N < most || r.Failed > least:
			incomplete = append(incomplete, r.Method)
		case best == nil || r.Mean < best.Mean-tie:
			best = r
		}
	}
	return best, incomplete
}

// level are the methods with the same test error on as many data or splits.
func (s *Summary) level(best *Row) []string {
	var names []string
	for _, m := range s.Spec.methodNames() {
		if r := s.find(best.Data, m, TestError); r.N == best.N && r.Failed == best.Failed && math.Abs(r.Mean-best.Mean) <= tie {
			names = append(names, m)
		}
	}
	return names
}

// praise says how far the best method is ahead of its baseline.
func (s *Summary) praise(best *Row, level []string) string {
	over := "splits: "
	if best.Data == allData {
		over = "data: "
	}
	over += strconv.Itoa(best.N)
	if n := len(level); n > 1 {
		names := strings.Join(level[:n-1], ", ") + " and " + level[n-1]
		return fmt.Sprintf("%s have the least test error, %s %% (mean; %s).", names, number(best.Mean, 2), over)
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
	text += fmt.Sprintf("; the mean difference with %s is %s", c.Baseline, number(c.Difference, 2))
	switch {
	case finite(c.Low) == nil:
		return text + "."
	case c.Low <= 0 && c.High >= 0:
		return text + fmt.Sprintf(" (%v %% interval %s to %s: it may well be 0).", 100*Confidence, number(c.Low, 2), number(c.High, 2))
	}
	return text + fmt.Sprintf(" (%v %% interval %s to %s).", 100*Confidence, number(c.Low, 2), number(c.High, 2))
}

// facts says what was tested.
func (s *Summary) facts() []fact {
	facts := []fact{
		{"Data", listed(s.Spec.dataNames(), 12)},
		{"Methods", listed(s.Spec.methodNames(), 12)},
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

// legend is the methods' marks, of those that are asked for.
func (s *Summary) legend(of func(method int) bool) []legendEntry {
	var l []legendEntry
	for i, name := range s.Spec.methodNames() {
		if !of(i) {
			continue
		}
		c := vgsvg.New(16, 16)
		g := glyph(i)
		g.Radius = 4
		canvas := draw.New(c)
		canvas.DrawGlyph(g, canvas.Center())
		var out strings.Builder
		if _, err := c.WriteTo(&out); err != nil {
			panic(err) // a builder takes all
		}
		svg := svgOpening.ReplaceAllString(out.String(), "")
		l = append(l, legendEntry{template.HTML(`<svg viewBox="0 0 16 16" aria-hidden="true">` + svg), name}) //nolint:gosec // a glyph
	}
	return l
}
