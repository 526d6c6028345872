package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/experiments/metric"
	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/experiments/spec"
)

// overview compares the methods, a row each.
func (s *Summary) overview() *htmlTable {
	t := &htmlTable{Label: "methods compared", Head: heads("method", s.judge().axis)}
	several := len(s.Spec.Methods) > 1
	if several {
		t.Head = append(t.Head, heads(lessBaseline(s.Spec), "certainty", "wins/ties/losses")...)
	}
	t.Head = append(t.Head, heads(s.judge().train[1], "splits", "proved, %")...)
	t.Head = append(t.Head, htmlCell{Text: "seconds", Times: true})
	_, level, _ := s.leading()
	for _, m := range s.Spec.MethodNames() {
		r := s.find(s.pooled(), m, s.judge().metric)
		test := figureCell(r)
		if several && slices.Contains(level, m) {
			test.Class = "best"
		}
		row := htmlRow{Head: m, Cells: []htmlCell{test}}
		if several {
			row.Cells = append(row.Cells, s.differenceCell(m, r.Versus), htmlCell{Text: certainty(r.Versus)}, htmlCell{Text: outcomes(r.Versus)})
		}
		for _, x := range []string{s.judge().train[0], "splits", "proved"} {
			c := figureCell(s.find(s.pooled(), m, x))
			c.Failed, c.Error = 0, ""
			row.Cells = append(row.Cells, c)
		}
		seconds := s.meanSeconds(m)
		row.Cells = append(row.Cells, htmlCell{Text: cmp.Or(secondsText(seconds), dash), Value: digits(seconds), Times: true})
		t.Rows = append(t.Rows, row)
	}
	for column := range t.Head[1:] {
		t.addBars(column)
	}
	return t
}

// certainty describes the result of a comparison.
func certainty(c *Comparison) string {
	switch {
	case c == nil || c.Pairs == 0 || !finite(c.Low):
		return ""
	case c.High < 0:
		return "better than " + c.Baseline
	case c.Low > 0:
		return "worse than " + c.Baseline
	}
	return "not significant against " + c.Baseline
}

// addBars adds bars to the figures of some columns, from 0 to the largest figure.
func (t *htmlTable) addBars(columns ...int) {
	most := 0.0
	each := func(do func(c *htmlCell, v float64)) {
		for i := range t.Rows {
			for _, j := range columns {
				c := &t.Rows[i].Cells[j]
				if v, err := strconv.ParseFloat(c.Value, 64); err == nil && !c.Times {
					do(c, v)
				}
			}
		}
	}
	each(func(_ *htmlCell, v float64) { most = max(most, v) })
	if most > 0 {
		each(func(c *htmlCell, v float64) { c.Bar = number(100*max(0, v)/most, 0) })
	}
}

// meanSeconds returns the mean over data of a method's mean time.
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

// differenceCell shows a method's difference from its baseline.
func (s *Summary) differenceCell(method string, c *Comparison) htmlCell {
	if s.Spec.BaselineOf(method) == "" {
		return htmlCell{Text: "baseline"}
	}
	return htmlCell{Text: difference(c)}
}

// figureCell shows a row's mean with its standard error.
func figureCell(r *Row) htmlCell {
	shown := cmp.Or(r.digits, 2)
	c := htmlCell{Text: cmp.Or(number(r.Mean, shown), dash), Error: number(r.StdError, shown), Value: digits(r.Mean), Spread: digits(r.StdError), Failed: r.Failed}
	if c.Text == dash && r.Failed > 0 {
		c.Text, c.Failed, c.Class = "failed", 0, "failed"
	}
	if r.Paper != nil {
		c.Paper = fmt.Sprintf("%g", *r.Paper)
		if finite(r.Mean) {
			c.Difference = fmt.Sprintf("%+.2f", r.Mean-*r.Paper)
		}
	}
	return c
}

// metricSection returns the table of one metric with its explanation.
func (s *Summary) metricSection(x metric.Metric) section {
	sec := section{ID: "metric-" + idOf(x.Name), Title: titleOf(x.Name)}
	note := x.Doc + "; mean ± standard error over the " + s.divisions() + "."
	if x.Compared && len(s.Spec.Methods) > 1 {
		note += " Bold: the " + bestWord(x) + " in a row."
	}
	sec.Notes = append(sec.Notes, strings.ToUpper(note[:1])+note[1:])
	if s.Spec.Reference.Has(x.Name) {
		sec.Notes = append(sec.Notes, fmt.Sprintf("Below octgen's figures, on yellow: the figure of %s, and octgen's minus it.", cmp.Or(s.Spec.Reference.Paper, "the reference")))
	}
	sec.Table = s.metricTable(x)
	sec.Table.Label = sec.Title
	columns := make([]int, len(sec.Table.Head)-1)
	for i := range columns {
		columns[i] = i
	}
	sec.Table.addBars(columns...)
	return sec
}

// titleOf returns the name of a metric as a heading.
func titleOf(name string) string {
	family, of, member := strings.Cut(name, ":")
	title := strings.ToUpper(family[:1]) + strings.ReplaceAll(family[1:], "_", " ")
	if member {
		title += ": " + clean(of)
	}
	return title
}

// idOf returns a name as the id of an element: letters, digits, - and _ remain.
func idOf(name string) string {
	var id strings.Builder
	for _, r := range name {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			id.WriteRune(r)
		} else {
			fmt.Fprintf(&id, ".%x", r)
		}
	}
	return id.String()
}

// metricTable returns the table of one metric: data by methods, the comparison with the baseline
// below.
func (s *Summary) metricTable(x metric.Metric) *htmlTable {
	methods := s.Spec.MethodNames()
	t := &htmlTable{Head: heads(append([]string{"data"}, methods...)...)}
	data := s.Spec.DataNames()
	if len(data) > 1 {
		data = append(data, spec.AllData)
	}
	for _, d := range data {
		row := htmlRow{Head: d}
		if d == spec.AllData {
			row.Class = "foot first-foot"
		}
		best := s.best(d, x)
		for _, m := range methods {
			r := s.find(d, m, x.Name)
			c := figureCell(r)
			if x.Compared && len(methods) > 1 && r.N > 0 && math.Abs(r.Mean-best) <= tie {
				c.Class = "best"
			}
			row.Cells = append(row.Cells, c)
		}
		t.Rows = append(t.Rows, row)
	}
	if x.Compared && len(methods) > 1 {
		t.Rows = append(t.Rows, s.versusRows(data[len(data)-1], x.Name)...)
	}
	return t
}

// best returns the best mean of a method on some data.
func (s *Summary) best(data string, x metric.Metric) float64 {
	best := math.NaN()
	for _, m := range s.Spec.MethodNames() {
		r := s.find(data, m, x.Name)
		if r.N > 0 && (math.IsNaN(best) || r.Mean > best == x.More) {
			best = r.Mean
		}
	}
	return best
}

// bestWord describes the best figure.
func bestWord(x metric.Metric) string {
	if x.More {
		return "highest"
	}
	return "lowest"
}

// versusRows returns the comparisons with the baseline below a metric's table.
func (s *Summary) versusRows(data, metric string) []htmlRow {
	less := htmlRow{Head: lessBaseline(s.Spec), Class: "foot"}
	if data != spec.AllData {
		less.Class = "foot first-foot"
	}
	counts := htmlRow{Head: "wins/ties/losses", Class: "foot"}
	against := htmlRow{Head: "baseline", Class: "foot"}
	for _, m := range s.Spec.MethodNames() {
		r := s.find(data, m, metric)
		less.Cells = append(less.Cells, htmlCell{Text: difference(r.Versus)})
		counts.Cells = append(counts.Cells, htmlCell{Text: outcomes(r.Versus)})
		against.Cells = append(against.Cells, htmlCell{Text: s.Spec.BaselineOf(m)})
	}
	if s.Spec.OneBaseline() {
		return []htmlRow{less, counts}
	}
	return []htmlRow{less, counts, against}
}

// timeSection returns the table of the times of fits.
func (s *Summary) timeSection() *section {
	if !slices.ContainsFunc(s.Times, func(r Row) bool { return r.N > 0 }) {
		return nil
	}
	methods := s.Spec.MethodNames()
	t := &htmlTable{Label: "Seconds per fit", Head: heads(append([]string{"data"}, methods...)...)}
	at := 0
	for _, d := range s.Spec.DataNames() { // Times is ordered by data, method
		row := htmlRow{Head: d}
		for range methods {
			r := &s.Times[at]
			c := figureCell(r)
			c.Text, c.Error, c.Failed = cmp.Or(secondsText(r.Mean), dash), secondsText(r.StdError), 0
			row.Cells = append(row.Cells, c)
			at++
		}
		t.Rows = append(t.Rows, row)
	}
	notes := []string{"Wall-clock seconds per fit, including warm starts and checks; mean ± standard error. They depend on the machine and its load."}
	return &section{Table: t, Notes: append(notes, machines(s.records)...)}
}

// errorSection lists the tasks that failed.
func (s *Summary) errorSection() *section {
	if len(s.Failed) == 0 {
		return nil
	}
	t := &htmlTable{Label: "Failed tasks", Head: heads("task", "error")}
	for _, r := range s.Failed[:min(mostErrors, len(s.Failed))] {
		t.Rows = append(t.Rows, htmlRow{Head: r.Data + "/" + r.Method + "/" + r.Split, Cells: []htmlCell{{Text: clean(r.Error), Class: "text"}}})
	}
	sec := &section{Table: t}
	if len(s.Failed) > mostErrors {
		sec.Notes = append(sec.Notes, fmt.Sprintf("The first %d of %d; all are in %s.", mostErrors, len(s.Failed), run.ResultsFile))
	}
	sec.Notes = append(sec.Notes, "octgen run --retry repeats them.")
	return sec
}

// mostErrors is the maximum number of failed tasks listed on a page.
const mostErrors = 300

// machines returns remarks on the machines of the results, none if one kind of machine and one
// program made them all. Only times, and results of fits that reached a time limit, depend on the
// machine.
func machines(records []run.Record) []string {
	var notes []string
	for _, of := range []struct {
		what string
		text func(p *run.Provenance) string
	}{
		{"processors", func(p *run.Provenance) string { return p.Processor }},
		{"numbers of cores", func(p *run.Provenance) string { return fmt.Sprint(p.Cores) }},
		{"systems", func(p *run.Provenance) string { return p.System }},
		{"builds of octgen", func(p *run.Provenance) string { return p.Version + " " + p.Binary[:min(8, len(p.Binary))] }},
	} {
		if n := fitsBy(records, of.text); len(n) > 1 {
			notes = append(notes, fmt.Sprintf("The fits were made by different %s: %s.", of.what, countsText(n)))
		}
	}
	if limited := unlikeLimited(records); limited > 0 {
		notes = append(notes, fmt.Sprintf("Warning: %d of the fits reached a time limit on machines of different kinds: the faster ones got further.", limited))
	}
	return notes
}

// fitsBy counts the fits by a text of their machine.
func fitsBy(records []run.Record, text func(p *run.Provenance) string) map[string]int {
	n := make(map[string]int)
	for i := range records {
		if p := records[i].Provenance; p != nil && records[i].Result != nil {
			n[text(p)]++
		}
	}
	return n
}

// unlikeLimited returns the number of fits that reached a time limit, 0 unless machines of
// different kinds made them.
func unlikeLimited(records []run.Record) int {
	var limited []run.Record
	for i := range records {
		if r := &records[i]; r.Result != nil && (metric.Limit(r.Result) == "time" || r.CutShort) {
			limited = append(limited, *r)
		}
	}
	kinds := fitsBy(limited, func(p *run.Provenance) string { return fmt.Sprint(p.Processor, p.Cores, p.System) })
	if len(kinds) < 2 {
		return 0
	}
	return len(limited)
}

// mostMachines is the maximum number of kinds of machines named in a remark.
const mostMachines = 6

// countsText lists counts by name.
func countsText(n map[string]int) string {
	names := slices.Sorted(maps.Keys(n))
	var parts []string
	for _, name := range names[:min(mostMachines, len(names))] {
		parts = append(parts, fmt.Sprintf("%s (%d)", clean(name), n[name]))
	}
	text := strings.Join(parts, ", ")
	if more := len(names) - mostMachines; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// grid returns the table of one metric as text.
func (s *Summary) grid(x metric.Metric) [][]string {
	lines := s.metricTable(x).lines()
	if n := len(lines); x.Compared && !s.Spec.OneBaseline() {
		// In text, the baselines come before the methods compared with them.
		lines = slices.Concat(lines[:n-3], lines[n-1:], lines[n-3:n-1])
	}
	return lines
}

// lines returns the cells of a table as text, the heading first.
func (t *htmlTable) lines() [][]string {
	var head []string
	for _, h := range t.Head {
		head = append(head, h.Text)
	}
	lines := [][]string{head}
	for _, row := range t.Rows {
		line := []string{row.Head}
		for _, c := range row.Cells {
			line = append(line, c.text())
		}
		lines = append(lines, line)
	}
	return lines
}

// text returns the cell as one line.
func (c *htmlCell) text() string {
	text := c.Text
	if text == dash {
		text = "-"
	}
	if c.Error != "" {
		text += " ± " + c.Error
	}
	if c.Paper != "" {
		text += " [" + c.Paper + "]"
	}
	return text
}

// proofs says how many trees have a proof file, "" where none was asked for.
func (s *Summary) proofs() string {
	files, trees, least, most := 0, 0, math.MaxInt, 0
	for i := range s.records {
		if r := s.records[i].Result; metric.Proved(r) {
			trees++
			if p := r.Proof; p != nil {
				files, least, most = files+1, min(least, p.Bytes), max(most, p.Bytes)
			}
		}
	}
	switch {
	case !s.Spec.Proof:
		return ""
	case files == 0:
		return fmt.Sprintf("Proofs: none of %d trees that are proved optimal has a file.", trees)
	}
	return fmt.Sprintf("Proofs: %d of %d trees that are proved optimal have a file of %d to %d bytes, checked (octgen proof check proofs/ID.proof DATA.csv).", files, trees, least, most)
}
