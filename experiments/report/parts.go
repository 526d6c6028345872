package report

import (
	"html/template"
	"slices"
	"strings"

	"github.com/octgen/octgen/experiments/run"
	"github.com/octgen/octgen/tree"
)

// document is the input of the template of report.html. The template escapes all text; HTML, CSS
// and scripts come from this package.
type document struct {
	*Summary
	Title, How, Text string // Text is the text of the spec
	Style            template.CSS
	Script           template.JS
	Verdict          []string
	Data, Methods    string
	Trees            *treeSection
	Overview         *htmlTable
	Frontiers        []section
	FrontierNotes    []string
	FrontierKey      []legendEntry
	Families         []section // for several frontiers each
	Kept             *section
	Forest           *figure
	Metrics          []section
	Legend           []legendEntry
	Plots            []section
	Seconds          *section
	Proofs           string
	Errors           *section
}

// section is a part of the page with a heading.
type section struct {
	ID, Title string
	Notes     []string
	Table     *htmlTable
	Key       []legendEntry // explanation of the marks in Figures
	Figures   []*figure
	Times     bool // shows times, which are not reproducible
}

// legendEntry is a method with its mark.
type legendEntry struct {
	Method int
	Glyph  template.HTML
	Name   string
}

// htmlTable is a table of the page; its first column contains headings.
type htmlTable struct {
	Label string // description
	Head  []htmlCell
	Rows  []htmlRow
}

type htmlRow struct {
	Head, Class string
	Cells       []htmlCell
}

// Body and Foot return the sortable rows and the summary rows.
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

// htmlCell is a heading, or a figure with its standard error and the paper's figure. Value and
// Spread are the figure and the error with all significant digits, for sorting and CSV; Bar is the
// length of the cell's bar in percent.
type htmlCell struct {
	Text, Error        string
	Value, Spread, Bar string
	Failed             int
	Paper, Difference  string
	Class              string
	Times              bool
	Link               string // of the text
}

func heads(texts ...string) []htmlCell {
	var h []htmlCell
	for _, t := range texts {
		h = append(h, htmlCell{Text: t})
	}
	return h
}

// treeSection holds the trees of the page.
type treeSection struct {
	Lost         string
	Drawn, Total int // trees drawn, and all trees
	Data         []dataTrees
	bytes        int
}

// dataTrees holds the trees of one data: those shown first, and the others.
type dataTrees struct {
	Name   string
	Says   string
	First  []treeFigure
	Others []treeFigure
	Stable []stability

	Caption string     // of Table
	Table   *htmlTable // a line for each division, with links to the pages of its trees
	pages   []treePage // to be written
}

// treePage is a tree with a page of its own.
type treePage struct {
	record *run.Record
	tree   *tree.Tree
}

// treeFigure is a tree with its position among those of its data: the numbers of its method and of
// its split.
type treeFigure struct {
	*run.Record
	Division          string
	MethodAt, SplitAt int
	Width             int // best display width, in rem
	HTML              template.HTML
}

// stability describes how the splits of a method's trees agree over the folds of a data.
type stability struct {
	Method, Says string
	Table        *htmlTable
}
