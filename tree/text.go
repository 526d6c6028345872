package tree

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteText writes t in the manner of scikit-learn's export_text, with the
// number of source rows and their counts per class at each leaf (and the
// weights where they differ), splits as Conditions words them:
//
//	|--- petal_length < 2.45
//	|   |--- class: Iris-setosa (n=50, counts=[50, 0, 0])
//	|--- petal_length >= 2.45
//	|   |--- class: Iris-versicolor (n=100, counts=[0, 50, 50])
//
// A policy has actions in place of classes, and the mean reward of its rows:
//
//	|   |--- action: treat (n=120, reward=0.534)
//
// Indentation stops at 40 levels; deeper lines say their level: "|--- (level 57) x < 3".
func (t *Tree) WriteText(w io.Writer, f Format) error {
	conditions := t.Conditions(f)
	answer := "class"
	if t.IsPolicy() {
		answer = "action"
	}
	out := bufio.NewWriter(w)
	type line struct {
		node, depth int
		split       string // to be written before the node
	}
	for stack := []line{{0, 0, ""}}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.depth > 0 {
			indent(out, at.depth-1)
			out.WriteString(at.split + "\n")
		}
		n := &t.Nodes[at.node]
		if n.Split == nil {
			indent(out, at.depth)
			out.WriteString(answer + ": " + OneLine(t.Classes[n.Class]) + f.leafNote(n, t.IsPolicy()) + "\n")
			continue
		}
		c := conditions[at.node]
		stack = append(stack, line{c.No, at.depth + 1, c.Else}, line{c.Yes, at.depth + 1, c.Text})
	}
	return out.Flush()
}

// deepestIndent is how many levels the text form indents: with one indentation for each
// level, the text of a long chain would grow with the square of its length.
const deepestIndent = 40

func indent(out *bufio.Writer, depth int) {
	for range min(depth, deepestIndent) {
		out.WriteString("|   ")
	}
	out.WriteString("|--- ")
	if depth > deepestIndent {
		fmt.Fprintf(out, "(level %d) ", depth)
	}
}

func (f Format) leafNote(n *Node, policy bool) string {
	if n.Count == nil {
		return ""
	}
	if policy { // rows have no class
		note := " (n=" + f.amount(sum(n.Count))
		if mean := n.MeanRewards(); mean != nil {
			note += ", reward=" + f.Rough(mean[n.Class])
		}
		return note + ")"
	}
	note := fmt.Sprintf(" (n=%s, counts=%s", f.amount(sum(n.Count)), f.amounts(n.Count))
	if n.weighted() {
		note += ", weights=" + f.amounts(n.Weight)
	}
	return note + ")"
}

// weighted reports whether the weights say more than the counts.
func (n *Node) weighted() bool {
	for k, w := range n.Weight {
		if w != n.Count[k] {
			return true
		}
	}
	return false
}

// String returns the text form.
func (t *Tree) String() string {
	var b strings.Builder
	if err := t.WriteText(&b, Format{}); err != nil {
		return err.Error() // a Builder does not fail
	}
	return b.String()
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}
