package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// htmlTable is a table of the page; its first column is headings.
type htmlTable struct {
	Label string // what it shows
	Head  []htmlHead
	Rows  []htmlRow
}

type htmlHead struct {
	Text  string
	Times bool
}

type htmlRow struct {
	Head, Class string
	Cells       []htmlCell
}

// htmlCell is a figure with its standard error, and the paper's beside it.
type htmlCell struct {
	Text, Error               string
	Failed                    int
	Source, Paper, Difference string
	Class                     string
	Times                     bool
}

func heads(texts ...string) []htmlHead {
	var h []htmlHead
	for _, t := range texts {
		h = append(h, htmlHead{Text: t})
	}
	return h
}

// overview compares the methods, a row each.
func (s *Summary) overview() *htmlTable {
	t := &htmlTable{Label: "The methods compared", Head: heads("method", "test error, %")}
	several := len(s.Spec.Methods) > 1
	if several {
		t.Head = append(t.Head, heads(s.Spec.lessBaseline(), "wins/ties/losses")...)
	}
	t.Head = append(append(t.Head, heads("training error, %", "splits", "proved, %")...), htmlHead{"seconds", true})
	best, _ := s.leading()
	for _, m := range s.Spec.methodNames() {
		r := s.find(s.pooled(), m, TestError)
		test := figureCell(r)
		if several && best != nil && r.N == best.N && r.Failed == best.Failed && r.Mean <= best.Mean+tie {
			test.Class = "best"
		}
		row := htmlRow{Head: m, Cells: []htmlCell{test}}
		if several {
			row.Cells = append(row.Cells, s.differenceCell(m, r.Versus), htmlCell{Text: outcomes(r.Versus)})
		}
		for _, x := range []string{"train_error", "splits", "proved"} {
			c := figureCell(s.find(s.pooled(), m, x))
			c.Failed, c.Error = 0, ""
			row.Cells = append(row.Cells, c)
		}
		row.Cells = append(row.Cells, htmlCell{Text: orDash(secondsText(s.meanSeconds(m))), Times: true})
		t.Rows = append(t.Rows, row)
	}
	return t
}

// meanSeconds is the mean over data of a method's mean time.
func (s *Summary) meanSeconds(method string) float64 {
	sum, n := 0.0, 0.0
	for i := range s.Times {
		if r := &s.Times[i]; r.Method == method && r.N > 0 {
			sum += r.Mean
			n++
		}
	}
	return sum / n // NaN for none
}

// differenceCell is a method's difference with its baseline, which it names where
// there are several.
func (s *Summary) differenceCell(method string, c *Comparison) htmlCell {
	switch {
	case s.Spec.baselineOf(method) == "":
		return htmlCell{Text: "baseline"}
	case c != nil && c.Pairs > 0 && !s.Spec.oneBaseline():
		return htmlCell{Text: difference(c) + " against " + c.Baseline}
	}
	return htmlCell{Text: difference(c)}
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// figureCell is a row's mean with its standard error.
func figureCell(r *Row) htmlCell {
	c := htmlCell{Text: orDash(number(r.Mean, 2)), Error: number(r.StdError, 2), Failed: r.Failed}
	if c.Text == "–" && r.Failed > 0 {
		c.Text, c.Failed, c.Class = "failed", 0, "failed"
	}
	if r.Paper != nil {
		c.Source, c.Paper = "paper", fmt.Sprintf("%g", *r.Paper)
		if d := number(r.Mean-*r.Paper, 2); d != "" {
			c.Difference = signed(d)
		}
	}
	return c
}

func signed(text string) string {
	if strings.HasPrefix(text, "-") {
		return text
	}
	return "+" + text
}

// metricSection is the table of one metric: data by methods, as in report.md.
func (s *Summary) metricSection(x metric) section {
	sec := section{ID: "metric-" + x.name, Title: strings.ToUpper(x.name[:1]) + strings.ReplaceAll(x.name[1:], "_", " ")}
	note := x.doc + "; mean ± standard error over the splits."
	if x.compared && len(s.Spec.Methods) > 1 {
		note += " Bold: the least in a row."
	}
	sec.Notes = append(sec.Notes, strings.ToUpper(note[:1])+note[1:])
	if slices.ContainsFunc(s.Spec.Reference.Values, func(v ReferenceValue) bool { return v.Metric == x.name }) {
		sec.Notes = append(sec.Notes, fmt.Sprintf("Below ours, on yellow: the figure of %s, and ours less it.", orPaper(s.Spec.Reference.Paper)))
	}
	methods := s.Spec.methodNames()
	t := &htmlTable{Label: sec.Title, Head: heads(append([]string{"data"}, methods...)...)}
	data := s.Spec.dataNames()
	if len(data) > 1 {
		data = append(data, allData)
	}
	for _, d := range data {
		row := htmlRow{Head: d}
		if d == allData {
			row.Class = "foot first-foot"
		}
		least := math.Inf(1)
		for _, m := range methods {
			if r := s.find(d, m, x.name); r.N > 0 {
				least = min(least, r.Mean)
			}
		}
		for _, m := range methods {
			r := s.find(d, m, x.name)
			c := figureCell(r)
			if x.compared && len(methods) > 1 && r.N > 0 && r.Mean <= least+tie {
				c.Class = "best"
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	if x.compared && len(methods) > 1 {
		t.Rows = append(t.Rows, s.versusRows(data[len(data)-1], x.name)...)
	}
	sec.Table = t
	return sec
}

func orPaper(paper string) string {
	if paper == "" {
		return "the reference"
	}
	return paper
}

// versusRows are the comparisons with the baseline below a metric's table.
func (s *Summary) versusRows(data, metric string) []htmlRow {
	less := htmlRow{Head: s.Spec.lessBaseline(), Class: "foot"}
	if data != allData {
		less.Class = "foot first-foot"
	}
	counts := htmlRow{Head: "wins/ties/losses", Class: "foot"}
	against := htmlRow{Head: "baseline", Class: "foot"}
	for _, m := range s.Spec.methodNames() {
		r := s.find(data, m, metric)
		less.Cells = append(less.Cells, htmlCell{Text: difference(r.Versus)})
		counts.Cells = append(counts.Cells, htmlCell{Text: outcomes(r.Versus)})
		against.Cells = append(against.Cells, htmlCell{Text: s.Spec.baselineOf(m)})
	}
	if s.Spec.oneBaseline() {
		return []htmlRow{less, counts}
	}
	return []htmlRow{less, counts, against}
}

// timeSection is the table of the times of fits.
func (s *Summary) timeSection() *section {
	if !slices.ContainsFunc(s.Times, func(r Row) bool { return r.N > 0 }) {
		return nil
	}
	methods := s.Spec.methodNames()
	t := &htmlTable{Label: "Seconds per fit", Head: heads(append([]string{"data"}, methods...)...)}
	at := 0
	for _, d := range s.Spec.dataNames() { // Times is by data, method
		row := htmlRow{Head: d}
		for range methods {
			r := &s.Times[at]
			c := figureCell(r)
			c.Text, c.Error, c.Failed = orDash(secondsText(r.Mean)), secondsText(r.StdError), 0
			row.Cells = append(row.Cells, c)
			at++
		}
		t.Rows = append(t.Rows, row)
	}
	return &section{Table: t, Notes: []string{"Seconds of wall-clock time per fit, starts and checks included; mean ± standard error. They are those of this machine as busy as it was."}}
}

// secondsText writes a time, "" for none.
func secondsText(v float64) string {
	switch {
	case finite(v) == nil:
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

// errorSection lists the tasks that failed.
func (s *Summary) errorSection() *section {
	if len(s.Failed) == 0 {
		return nil
	}
	t := &htmlTable{Label: "Failed tasks", Head: heads("task", "error")}
	for i, r := range s.Failed {
		if i == mostErrors {
			break
		}
		t.Rows = append(t.Rows, htmlRow{Head: r.Data + "/" + r.Method + "/" + r.Split, Cells: []htmlCell{{Text: clean(r.Error), Class: "text"}}})
	}
	sec := &section{Table: t}
	if len(s.Failed) > mostErrors {
		sec.Notes = append(sec.Notes, fmt.Sprintf("The first %d of %d; all are in %s.", mostErrors, len(s.Failed), resultsFile))
	}
	sec.Notes = append(sec.Notes, "octgen run --retry runs them again.")
	return sec
}

// mostErrors is how many failed tasks a page lists.
const mostErrors = 300
