package treepage

import (
	"cmp"
	_ "embed" // of the template
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/octgen/octgen/tree"
)

//go:embed page.gohtml
var pageMarkup string

var page = template.Must(template.New("page").Parse(pageMarkup))

// WriteHTML writes a page that shows t: one file that needs no other, the same bytes for
// the same tree and options. A tree that breaks the contract of tree.Tree is an error,
// before anything is written.
func WriteHTML(w io.Writer, t *tree.Tree, o Options) error {
	shown, err := Component(t, o)
	if err != nil {
		return err
	}
	var notes []string
	for _, note := range o.Notes {
		notes = append(notes, Clean(note))
	}
	return page.Execute(w, map[string]any{
		"Title": Clean(cmp.Or(o.Title, titleOf(t))), "Facts": facts(t), "Notes": notes, "Histograms": len(o.Histograms) > 0, "Policy": t.IsPolicy(),
		"Tree": shown, "Style": Style(), "Script": Script(),
	})
}

func titleOf(t *tree.Tree) string {
	if t.IsPolicy() {
		return "Policy tree"
	}
	return "Decision tree"
}

// facts says how large a tree is and how often it is right on its training rows.
func facts(t *tree.Tree) string {
	what := "class"
	if t.IsPolicy() {
		what = "action"
	}
	said := []string{counted(float64(t.Splits()), "split"), fmt.Sprintf("depth %d", t.Depth()), counted(float64(len(t.Classes)), what)}
	if t.Nodes[0].Count != nil {
		all, wrong := sum(t.Nodes[0].Count), 0.0
		for i := range t.Nodes {
			if n := &t.Nodes[i]; n.Leaf() {
				wrong += sum(n.Count) - n.Count[n.Class]
			}
		}
		if t.IsPolicy() {
			said = append(said, counted(all, "training row"))
		} else {
			said = append(said, counted(all, "training row")+", "+number(wrong)+" of them wrong")
		}
	}
	text := strings.Join(said, ", ") + "."
	switch {
	case t.IsPolicy():
		text = "Chooses an action. " + text
	case t.Encoder != nil:
		text = "Predicts " + Clean(t.Encoder.Target) + ". " + text
	}
	return text
}
