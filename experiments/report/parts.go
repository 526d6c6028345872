package report

import (
	"html/template"

	"github.com/octgen/octgen/experiments/run"
)

// page is what the template of report.html shows. All text in it is the user's or
// ours and is escaped by the template; HTML and CSS are drawn or written here.
type page struct {
	*Summary
	Title, How, Text string // Text is that of the spec
	CSS              template.CSS
	Verdict          []string
	Data, Methods    string
	Overview         *htmlTable
	Forest           *figure
	Metrics          []section
	Plots            []section
	Seconds          *section
	Trees            *treeSection
	Errors           *section
}

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

// htmlCell is a heading, or a figure with its standard error, and the paper's beside
// it.
type htmlCell struct {
	Text, Error       string
	Failed            int
	Paper, Difference string
	Class             string
	Times             bool
}

func heads(texts ...string) []htmlCell {
	var h []htmlCell
	for _, t := range texts {
		h = append(h, htmlCell{Text: t})
	}
	return h
}

type treeSection struct {
	Lost         string
	Drawn, Total int // trees, of those that there are
	Groups       []treeGroup
	bytes        int
}

// treeGroup is the trees of one data.
type treeGroup struct {
	Name    string
	Drawn   int
	Methods []treeMethod
}

type treeMethod struct {
	Name  string
	Trees []treeFigure
}

type treeFigure struct {
	*run.Record
	SVG template.HTML
}
