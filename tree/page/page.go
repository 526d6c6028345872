package page

import (
	"bytes"
	"cmp"
	_ "embed" // of the template, the style and the script
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

//go:embed page.gohtml
var markup string

//go:embed page.css
var style string

//go:embed page.js
var script string

var templates = Templates(nil)

// Templates returns those of page.gohtml, with more texts that use them. They are parsed when
// they are first asked for.
func Templates(funcs template.FuncMap, texts ...string) func() *template.Template {
	return sync.OnceValue(func() *template.Template {
		t := template.Must(template.New("").Funcs(funcs).Parse(markup))
		for _, text := range texts {
			template.Must(t.Parse(text))
		}
		return t
	})
}

// mostLevels is how many levels of splits a page shows. Browsers nest 512 elements and put
// deeper ones elsewhere; a level takes two, page and node a dozen.
const mostLevels = 240

// CheckDepth returns an error if t has more levels than a page can show.
func CheckDepth(t *tree.Tree) error {
	if d := t.Depth(); d > mostLevels {
		return fmt.Errorf("the tree has %d levels, and a page shows no more than %d, since browsers limit how deep elements nest; text, dot and svg have no such limit", d, mostLevels)
	}
	return nil
}

// WriteHTML writes a page that shows t: one file that needs no other, the same bytes for
// the same tree and options. A tree that breaks the contract of tree.Tree, or that is too
// deep (CheckDepth), is an error, before anything is written.
func WriteHTML(w io.Writer, t *tree.Tree, o Options) error {
	o.Format.Isolate = true
	if err := t.Validate(); err != nil {
		return err
	}
	if err := CheckDepth(t); err != nil {
		return err
	}
	shown, err := Component(t, o)
	if err != nil {
		return err
	}
	var notes []string
	for _, note := range o.Notes {
		notes = append(notes, Clean(note))
	}
	return templates().ExecuteTemplate(w, "page", map[string]any{
		"Title": Clean(cmp.Or(o.Title, titleOf(t))), "Facts": facts(t), "Notes": notes, "Histograms": len(o.Histograms) > 0, "Policy": t.IsPolicy(), "Numbers": t.IsRegression(),
		"Summary": summarize(t, o.Format),
		"Tree":    shown, "Style": Style(), "Script": Script(),
	})
}

func titleOf(t *tree.Tree) string {
	switch {
	case t.IsPolicy():
		return "Policy tree"
	case t.IsRegression():
		return "Regression tree for " + t.Classes[0]
	case t.Encoder != nil && t.Encoder.Target != "":
		return "Decision tree for " + t.Encoder.Target
	}
	return "Decision tree"
}

// facts says how large a tree is and where it comes from.
func facts(t *tree.Tree) string {
	what := "class"
	if t.IsPolicy() {
		what = "action"
	}
	said := []string{counted(float64(t.Splits()), "split"), fmt.Sprintf("depth %d", t.Depth()), counted(float64(len(t.Classes)), what)}
	if t.IsRegression() {
		said = said[:2]
	}
	if t.Nodes[0].Count != nil {
		said = append(said, counted(sum(t.Nodes[0].Count), "training row"))
	}
	text := strings.Join(said, ", ") + "."
	if t.IsPolicy() {
		text = "Chooses an action. " + text
	}
	if e := t.Encoder; e != nil {
		text += fmt.Sprintf(" Uses %d of %s. %s", columnsUsed(t), counted(float64(len(e.Columns)), "column"), gaps(e))
	}
	if f := t.Fit; f != nil && f.Data != "" {
		text += " Fitted to " + Clean(f.Data) + " by the method " + Clean(f.Method) + "."
	}
	return text
}

// columnsUsed is how many columns of the data the splits ask for.
func columnsUsed(t *tree.Tree) int {
	used, meanings := make(map[string]bool), t.Encoder.Meanings()
	for _, j := range t.FeaturesUsed() {
		used[meanings[j].Column.Name] = true
	}
	return len(used)
}

// gaps says what becomes of rows with a missing value.
func gaps(e *dataset.Encoder) string {
	switch e.Missing {
	case dataset.MissingMean:
		return "A missing number counts as the mean, a missing category as the most frequent one."
	case dataset.MissingCategory:
		return "Missing values are a category of their own."
	case dataset.MissingRoute:
		return "The conditions say where missing values go; in a column that had none in training they count as the mean or the most frequent category."
	}
	return "Rows with a missing value in these have no prediction."
}

// wrongRows returns the number of misclassified training rows; false if a leaf lacks its
// counts, which are optional, or if the rows have no classes.
func wrongRows(t *tree.Tree) (wrong float64, known bool) {
	if t.IsPolicy() {
		return 0, false
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case !n.Leaf():
		case n.Count == nil:
			return 0, false
		default:
			wrong += sum(n.Count) - n.Count[n.Class]
		}
	}
	return wrong, true
}

// Style is the style sheet of all pages: the palette (custom properties for ink, paper and
// classes, in light and dark), what pages share, and the component.
func Style() template.CSS { return template.CSS(style) } //nolint:gosec // ours

// Script is the script of the component. It is to come after the trees.
func Script() template.JS { return template.JS(script) } //nolint:gosec // ours

// Component returns the element that shows t. A tree that breaks the contract of
// tree.Tree is an error.
func Component(t *tree.Tree, o Options) (template.HTML, error) {
	o.Format.Isolate = true
	if err := t.Validate(); err != nil {
		return "", err
	}
	data, err := json.Marshal(scriptData(t, o)) // escapes <, >, & and U+2028
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = templates().ExecuteTemplate(&out, "component", struct {
		*view
		Data template.JS
	}{newView(t, o), template.JS(data)}) //nolint:gosec // JSON without what HTML reads
	return template.HTML(out.String()), err //nolint:gosec // the template escapes
}
