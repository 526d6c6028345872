package report

import (
	"html/template"
	"slices"
	"strings"

	"github.com/octgen/octgen/experiments/run"
)

// document is what the template of report.html shows. All text in it is the user's or
// ours and is escaped by the template; HTML, CSS and scripts are drawn or written here.
type document struct {
	*Summary
	Title, How, Text string // Text is that of the spec
	Style            template.CSS
	Script           template.JS
	Verdict          []string
	Data, Methods    string
	Trees            *treeSection
	Overview         *htmlTable
	Frontiers        []section
	FrontierNotes    []string
	FrontierKey      []legendEntry
	Families         []section // of several frontiers each
	Kept             *section
	Forest           *figure
	Metrics          []section
	Legend           []legendEntry
	Plots            []section
	Seconds          *section
	Errors           *section
}

// section is a part of the page with a heading.
type section struct {
	ID, Title string
	Notes     []string
	Table     *htmlTable
	Key       []legendEntry // what the marks of Figures are
	Figures   []*figure
	Times     bool // shows times, which no two runs agree in
}

// legendEntry is a method with its mark.
type legendEntry struct {
	Method int
	Glyph  template.HTML
	Name   string
}

// htmlTable is a table of the page; its first column is headings.
type htmlTable struct {
	Label string // what it shows
	Head  []htmlCell
	Rows  []htmlRow
}

type htmlRow struct {
	Head, Class string
	Cells       []htmlCell
}

// Body and Foot are the rows that are sorted and those that sum them up.
func (t *htmlTable) Body() []htmlRow { return t.Rows[:t.body()] }

// Foot returns the rows below the body.
func (t *htmlTable) Foot() []htmlRow { return t.Rows[t.body():] }

func (t *htmlTable) body() int {
	n := slices.IndexFunc(t.Rows, func(r htmlRow) bool { return strings.HasPrefix(r.Class, "foot") })
	if n < 0 {
		return len(t.Rows)
	}
	return n
}

// htmlCell is a heading, or a figure with its standard error, and the paper's beside
// it. Value and Spread are the figure and the error with all digits that are worth it,
// for sorting and CSV; Bar is the length of the cell's bar in percent.
type htmlCell struct {
	Text, Error        string
	Value, Spread, Bar string
	Failed             int
	Paper, Difference  string
	Class              string
	Times              bool
}

func heads(texts ...string) []htmlCell {
	var h []htmlCell
	for _, t := range texts {
		h = append(h, htmlCell{Text: t})
	}
	return h
}

// treeSection is the trees of the page.
type treeSection struct {
	Lost         string
	Drawn, Total int // trees, of those that there are
	Data         []dataTrees
	bytes        int
}

// dataTrees is the trees of one data: those that are shown first, and the others.
type dataTrees struct {
	Name   string
	Says   string
	First  []treeFigure
	Others []treeFigure
	Stable []stability
}

// treeFigure is a tree with its place among those of its data: the number of its method
// and of its split.
type treeFigure struct {
	*run.Record
	Division          string
	MethodAt, SplitAt int
	Width             int // that it is best shown in, rem
	HTML              template.HTML
}

// stability is how the splits of a method's trees agree over the folds of a data.
type stability struct {
	Method, Says string
	Table        *htmlTable
}
