package tree

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format says how a tree is written for people (WriteText, WriteDOT,
// WriteSVG). The zero value is the default.
type Format struct {
	// Decimals is the number of decimals of thresholds, coefficients and
	// fractional weights. 0: as many as it takes for 12 significant digits, which
	// hides the rounding of midpoints (0.795, not 0.7949999999999999; tree.json
	// keeps every bit); negative: none.
	Decimals int
}

func (f Format) number(v float64) string {
	if f.Decimals == 0 {
		if short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64); err == nil {
			v = short
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', max(0, f.Decimals), 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-") // rounded to zero
	}
	return s
}

// amount writes a count or weight: integers always without decimals.
func (f Format) amount(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return f.number(v)
}

func (f Format) amounts(v []float64) string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = f.amount(v[i])
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// sum writes the left-hand side of s with the names of the features:
// "petal_length", or "0.5*a - 1.2*b" for a hyperplane.
func (f Format) sum(s *Split, features []string) string {
	var b strings.Builder
	for i, t := range s.Terms {
		w := t.Weight
		switch {
		case i == 0 && w < 0:
			b.WriteString("-")
			w = -w
		case i > 0 && w < 0:
			b.WriteString(" - ")
			w = -w
		case i > 0:
			b.WriteString(" + ")
		}
		if w != 1 {
			b.WriteString(f.number(w) + "*")
		}
		b.WriteString(oneLine(features[t.Feature]))
	}
	return b.String()
}

// oneLine quotes a name that would break a line or a terminal.
func oneLine(name string) string {
	if !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return strconv.Quote(name)
		}
	}
	return name
}

// WriteText writes t in the manner of scikit-learn's export_text, with the
// number of source rows and their counts per class at each leaf (and the
// weights where they differ):
//
//	|--- petal_length < 2.45
//	|   |--- class: Iris-setosa (n=50, counts=[50, 0, 0])
//	|--- petal_length >= 2.45
//	|   |--- class: Iris-versicolor (n=100, counts=[0, 50, 50])
func (t *Tree) WriteText(w io.Writer, f Format) error {
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
			out.WriteString("class: " + oneLine(t.Classes[n.Class]) + f.leafNote(n) + "\n")
			continue
		}
		sum, b := f.sum(n.Split, t.Features), f.number(n.Split.Threshold)
		stack = append(stack,
			line{n.Right, at.depth + 1, sum + " >= " + b},
			line{n.Left, at.depth + 1, sum + " < " + b})
	}
	return out.Flush()
}

func indent(out *bufio.Writer, depth int) {
	for range depth {
		out.WriteString("|   ")
	}
	out.WriteString("|--- ")
}

func (f Format) leafNote(n *Node) string {
	if n.Count == nil {
		return ""
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
