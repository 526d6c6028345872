package page

import (
	"bytes"
	_ "embed" // of the template, the style and the script
	"encoding/json"
	"html/template"
	"strings"
	"unicode"

	"github.com/octgen/octgen/tree"
)

//go:embed tree.css
var style string

//go:embed tree.js
var script string

//go:embed tree.gohtml
var markup string

var component = template.Must(template.New("tree").Parse(markup))

// Style is the style sheet of the component, and the palette that a page around it
// shares: custom properties for ink, paper and classes, in light and dark.
func Style() template.CSS { return template.CSS(style) } //nolint:gosec // ours

// Script is the script of the component. It is to come after the trees.
func Script() template.JS { return template.JS(script) } //nolint:gosec // ours

// Options say how a tree is shown. The zero value is the default.
type Options struct {
	// Title heads the page; default "Decision tree". Only WriteHTML has it.
	Title string
	// Notes are paragraphs below the title, such as where the histograms' rows come
	// from. Only WriteHTML has them.
	Notes []string
	// Histograms are shown at their nodes ([tree.Tree.Histograms]); nodes without one
	// have none.
	Histograms []tree.Histogram
	// Format is how numbers are written.
	Format tree.Format
}

// Component returns the element that shows t. A tree that breaks the contract of
// tree.Tree is an error.
func Component(t *tree.Tree, o Options) (template.HTML, error) {
	if err := t.Validate(); err != nil {
		return "", err
	}
	data, err := json.Marshal(scriptData(t, o.Format)) // escapes <, >, & and U+2028
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = component.Execute(&out, struct {
		*view
		Data template.JS
	}{newView(t, o), template.JS(data)}) //nolint:gosec // JSON without what HTML reads
	return template.HTML(out.String()), err //nolint:gosec // the template escapes
}

// Clean is a name as a page can show it on a line: what is not printable is U+FFFD.
func Clean(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(name, string(unicode.ReplacementChar)))
}
