package tree

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteDOT writes t as a Graphviz digraph: `dot -Tpdf tree.dot`. The
// child of the rows that a condition holds of is drawn at the left.
func (t *Tree) WriteDOT(w io.Writer, f Format) error {
	conditions := t.Conditions(f)
	out := bufio.NewWriter(w)
	out.WriteString("digraph tree {\n" +
		"\tgraph [ordering=out];\n" +
		"\tnode [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\"];\n" +
		"\tedge [fontname=\"Helvetica\"];\n")
	for i := range t.Nodes {
		n := &t.Nodes[i]
		var lines []string
		fill := ""
		if n.Split != nil {
			lines = append(lines, conditions[i].Text)
		} else {
			lines = append(lines, OneLine(t.Classes[n.Class]))
			fill = fmt.Sprintf(", fillcolor=\"%s\"", classColor(n.Class).light)
		}
		if n.Count != nil {
			lines = append(lines, "n = "+f.amount(sum(n.Count)))
		}
		if mean := n.MeanRewards(); mean != nil {
			lines = append(lines, "reward = "+f.Rough(mean[n.Class]))
		} else if n.Count != nil && !t.IsPolicy() { // rows of policies have no class
			lines = append(lines, f.amounts(n.Count))
		}
		fmt.Fprintf(out, "\tn%d [label=\"%s\"%s];\n", i, dotLines(lines), fill)
	}
	for i := range t.Nodes {
		if c := conditions[i]; !t.Nodes[i].Leaf() {
			fmt.Fprintf(out, "\tn%d -> n%d [label=\"yes\"];\n\tn%d -> n%d [label=\"no\"];\n", i, c.Yes, i, c.No)
		}
	}
	out.WriteString("}\n")
	return out.Flush()
}

// dotEscaper escapes text for a quoted DOT string: a backslash would start an
// escape of Graphviz's own (\N is the node's name), and Graphviz reads HTML
// entities in labels.
var dotEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

func dotLines(lines []string) string {
	for i := range lines {
		lines[i] = dotEscaper.Replace(lines[i])
	}
	return strings.Join(lines, `\n`)
}
