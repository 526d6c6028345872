package page

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// colors is how many class colours the style has; they repeat.
const colors = 8

// view is what the template shows.
type view struct {
	Levels  int
	Part    string // of a level's width that a tree without hyperplanes would need
	Classes []legendEntry
	Answers string // what they are
	Root    *node
}

type legendEntry struct {
	Color int
	Name  string
}

// node is a node in words.
type node struct {
	Index     int
	Arm       string // "yes", "no", "" at the root
	Edge      string // width of the edge to it, pixels
	What      string // a leaf answers: class or action
	Text      string // the condition, or the class
	Leaf      bool
	Color     int    // of the class
	Rows      string // how many training rows came, and at a leaf how many are right
	Terms     []term // of a hyperplane, the largest first
	More      []term // those that do not fit
	Bar       []share
	BarLabel  string
	Histogram *drawing
	Yes, No   *node
}

// term is a coefficient of a hyperplane with the length of its bar, in percent.
type term struct {
	Feature, Weight, Length string
	Negative                bool
}

// share is the part of a class in the rows of a node, in percent.
type share struct {
	Color   int
	Percent string
}

// newView puts a valid tree in words.
func newView(t *tree.Tree, o Options) *view {
	w := &viewer{tree: t, format: o.Format, conditions: t.Conditions(o.Format), histograms: make(map[int]*tree.Histogram)}
	if t.Encoder != nil {
		w.meanings = t.Encoder.Meanings()
	}
	for i := range o.Histograms {
		w.histograms[o.Histograms[i].Node] = &o.Histograms[i]
	}
	v := &view{Levels: 1 + t.Depth(), Part: "1", Answers: "Classes"}
	if t.IsPolicy() {
		v.Answers = "Actions"
	}
	if t.Terms() > t.Splits() {
		v.Part = "0.65"
	}
	for k, name := range t.Classes {
		v.Classes = append(v.Classes, legendEntry{k % colors, Clean(name)})
	}
	nodes := make([]*node, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children come after their parent
		nodes[i] = w.node(i)
		if c := w.conditions[i]; !t.Nodes[i].Leaf() {
			nodes[i].Yes, nodes[i].No = nodes[c.Yes], nodes[c.No]
			nodes[c.Yes].Arm, nodes[c.No].Arm = "yes", "no"
		}
	}
	v.Root = nodes[0]
	return v
}

type viewer struct {
	tree       *tree.Tree
	format     tree.Format
	conditions []tree.Condition
	meanings   []dataset.Meaning       // of the features; nil without an encoder
	histograms map[int]*tree.Histogram // by node
}

func (w *viewer) node(i int) *node {
	n := &w.tree.Nodes[i]
	v := &node{Index: i, Leaf: n.Leaf(), Color: n.Class % colors, Edge: "2"}
	if v.Leaf {
		if v.What = "class"; w.tree.IsPolicy() {
			v.What = "action"
		}
		v.Text = Clean(w.tree.Classes[n.Class])
	} else {
		v.Text = w.conditions[i].Text
		if len(n.Split.Terms) > 1 {
			v.Text = "weighted sum < " + w.format.Rough(n.Split.Threshold)
			v.Terms = w.terms(n.Split)
			fit := min(mostTerms, len(v.Terms))
			v.Terms, v.More = v.Terms[:fit], v.Terms[fit:]
		}
		if h := w.histograms[i]; h != nil {
			v.Histogram = w.draw(h)
		}
	}
	if n.Count != nil {
		w.count(v, n)
	}
	return v
}

// mostTerms is how many coefficients of a hyperplane are shown at once.
const mostTerms = 8

// terms are the coefficients of a hyperplane.
func (w *viewer) terms(s *tree.Split) []term {
	sorted := slices.Clone(s.Terms)
	slices.SortStableFunc(sorted, func(a, b tree.Term) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	all := make([]term, len(sorted))
	for i, t := range sorted {
		all[i] = term{
			Feature: Clean(w.tree.Features[t.Feature]), Weight: w.format.Rough(t.Weight),
			Length: percent(math.Abs(t.Weight), math.Abs(sorted[0].Weight)), Negative: t.Weight < 0,
		}
	}
	return all
}

// count adds what the training rows of a node say.
func (w *viewer) count(v *node, n *tree.Node) {
	all, root := sum(n.Count), sum(w.tree.Nodes[0].Count)
	v.Rows = rows(all)
	if mean := n.MeanRewards(); mean != nil {
		v.Rows += ", reward " + w.format.Rough(mean[n.Class])
	} else if v.Leaf && !w.tree.IsPolicy() {
		v.Rows = number(n.Count[n.Class]) + " of " + v.Rows
	}
	if !(all > 0) {
		return
	}
	if root > 0 { // counts are optional, at the root too
		v.Edge = strconv.FormatFloat(1+widestEdge*min(1, all/root), 'f', 1, 64)
	}
	var words []string
	if w.tree.IsPolicy() { // rows have no class that a bar could show
		return
	}
	for k, c := range n.Count {
		if c > 0 {
			v.Bar = append(v.Bar, share{k % colors, percent(c, all)})
			words = append(words, number(c)+" "+Clean(w.tree.Classes[k]))
		}
	}
	v.BarLabel = strings.Join(words, ", ")
}

// widestEdge is the width of an edge that all rows take, in pixels.
const widestEdge = 11

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

func percent(part, all float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(100*part/all, 'f', 1, 64), ".0")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func rows(n float64) string { return counted(n, "row") }

// counted is a number of things.
func counted(n float64, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		return number(n) + " " + what + "es"
	}
	return number(n) + " " + what + "s"
}
