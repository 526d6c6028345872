package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/octgen/octgen/dataset"
	"github.com/octgen/octgen/tree"
)

// Options say how a tree is shown. The zero value is the default.
type Options struct {
	// Title heads the page; default "Decision tree for" its target. Only WriteHTML has it.
	Title string
	// Notes are paragraphs below the title, such as where the histograms' rows come
	// from. Only WriteHTML has them.
	Notes []string
	// Histograms are shown at their nodes ([tree.Tree.Histograms]); nodes without one
	// have none.
	Histograms []tree.Histogram
	// Rows can be chosen and led through the tree, the first 500 of them: rows of the tree's encoder, nil
	// for none.
	Rows *dataset.Dataset
	// Format is how numbers are written.
	Format tree.Format
}

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
		if t.IsRegression() {
			break
		}
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
		switch v.What = "class"; {
		case w.tree.IsPolicy():
			v.What = "action"
		case w.tree.IsRegression():
			v.What = Clean(w.tree.Classes[0])
		}
		v.Text = Clean(w.tree.Answer(n, w.format))
	} else {
		v.Text = w.conditions[i].Text
		if len(n.Split.Terms) > 1 {
			v.Text = "weighted sum < " + w.format.Rough(n.Split.Threshold)
			v.Terms = w.terms(n.Split)
			fit := min(mostTerms, len(v.Terms))
			v.Terms, v.More = v.Terms[:fit], v.Terms[fit:]
		}
	}
	if h := w.histograms[i]; h != nil {
		v.Histogram = w.draw(h)
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
	} else if v.Leaf && !w.tree.IsPolicy() && !w.tree.IsRegression() {
		v.Rows = number(n.Count[n.Class]) + " of " + v.Rows
	}
	if !(all > 0) {
		return
	}
	if root > 0 { // counts are optional, at the root too
		v.Edge = strconv.FormatFloat(1+widestEdge*min(1, all/root), 'f', 1, 64)
	}
	var words []string
	if w.tree.IsRegression() {
		return
	}
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

func number(v float64) string { return tree.Plain(v, 6) }

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

// drawing is a histogram as paths of one class each, stacked, in a box as wide as it has
// bins.
type drawing struct {
	Bins, Below int
	Paths       []classPath
	Min, Max    string // at the ends
	Label       string // for those who do not see it
}

type classPath struct {
	Color int
	D     string
}

// histogramHeight is the height of the box.
const histogramHeight = 30

// draw draws a histogram; nil for one without rows.
func (w *viewer) draw(h *tree.Histogram) *drawing {
	bins := len(h.Rows[0])
	stack := make([]float64, bins)
	below, most, all := 0.0, 0.0, 0.0
	for i := range stack {
		height := 0.0
		for k := range h.Rows {
			height += h.Rows[k][i]
		}
		if i < h.Below {
			below += height
		}
		all += height
		most = max(most, height)
	}
	if all == 0 {
		return nil
	}
	d := &drawing{Bins: bins, Below: h.Below}
	if w.tree.Nodes[h.Node].Leaf() {
		d.Min, d.Max = short(h.Min), short(h.Max)
		d.Label = fmt.Sprintf("Histogram of %s from %s to %s: %s", Clean(w.tree.Classes[0]), d.Min, d.Max, rows(all))
	} else {
		d.Min, d.Max = w.ends(h)
		d.Label = fmt.Sprintf("Histogram from %s to %s: %s left of the threshold, %s right", d.Min, d.Max, rows(below), number(all-below))
	}
	for k, counts := range h.Rows {
		var path strings.Builder
		for i, c := range counts {
			if c > 0 {
				fmt.Fprintf(&path, "M%d %sv-%sh1v%[3]sz", i, height(most-stack[i], most), height(c, most))
				stack[i] += c
			}
		}
		if path.Len() > 0 {
			d.Paths = append(d.Paths, classPath{k % colors, path.String()})
		}
	}
	return d
}

// height is a part of the box's height.
func height(part, whole float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(histogramHeight*part/whole, 'f', 1, 64), ".0")
}

// ends are the words at the ends: of the mark of a category whether the condition holds,
// of an ordinal column its categories, of dates the dates.
func (w *viewer) ends(h *tree.Histogram) (low, high string) {
	c, n := w.conditions[h.Node], &w.tree.Nodes[h.Node]
	if w.meanings == nil || len(n.Split.Terms) > 1 {
		return short(h.Min), short(h.Max)
	}
	switch m := w.meanings[n.Split.Terms[0].Feature]; {
	case m.Column.Date != nil && !m.Missing && n.Split.Terms[0].Weight == 1:
		low, _ = m.Column.Date.Cut(h.Min)
		high, _ = m.Column.Date.Cut(h.Max)
		return cmp.Or(low, short(h.Min)), cmp.Or(high, short(h.Max))
	case m.Category < 0 && !m.Missing && m.Set == nil && m.Column.Kind != dataset.Ordinal:
	case m.Column.Kind == dataset.Ordinal && h.Min >= 0 && h.Max < float64(len(m.Column.Categories)):
		return Clean(m.Column.Categories[int(h.Min)]), Clean(m.Column.Categories[int(h.Max)])
	case h.Min == h.Max:
	case c.Yes == n.Left:
		return "yes", "no"
	default:
		return "no", "yes"
	}
	return short(h.Min), short(h.Max)
}

// short is a number at the end of an axis.
func short(v float64) string { return tree.Plain(v+0, 4) }

// pageData is what the script knows of a tree: only the columns that its splits use.
type pageData struct {
	Columns []pageColumn       `json:"columns"`
	Codes   map[string]float64 `json:"codes,omitempty"`   // numbers in place of texts
	Decimal string             `json:"decimal,omitempty"` // decimal mark, where it is no point
	Nodes   []pageNode         `json:"nodes"`
	Rows    []pageRow          `json:"rows,omitempty"`    // to choose from
	Classes []string           `json:"classes,omitempty"` // of the rows
}

// pageRow is a row of the data: of each column a number or the index of a category, null where it is missing.
type pageRow struct {
	Line   int        `json:"line,omitempty"` // of the file
	Class  int        `json:"class"`
	Values []*float64 `json:"values"`
}

// pageColumn is a source column.
type pageColumn struct {
	Name       string   `json:"name"`
	Categories []string `json:"categories,omitempty"` // nil: a number
	// Missing is what stands for a missing field: a number or the index of a category;
	// nil where rows with such a field have no prediction.
	Missing *float64 `json:"missing,omitempty"`
	First   string   `json:"first,omitempty"` // of a date, whose number is the days since: YYYY-MM-DD
}

// pageNode is a branch node, or {} for a leaf.
type pageNode struct {
	Terms     [][]float64 `json:"terms,omitempty"`
	Threshold *float64    `json:"threshold,omitempty"`
	To        []int       `json:"to,omitempty"`   // left child, right child
	Says      []string    `json:"says,omitempty"` // the condition of either
	Rule      string      `json:"rule,omitempty"` // of a leaf
}

// A term is [column, weight] of a number or of a category's index,
// [column, weight, category] of what is 1 for that category,
// [column, weight, whereMissing] of what is 1 where the field is missing.
const whereMissing = -1

// scriptData lists the columns in the order in which splits use them.
func scriptData(t *tree.Tree, o Options) *pageData {
	f := o.Format
	d := &pageData{Columns: []pageColumn{}}
	var meanings []dataset.Meaning
	if t.Encoder != nil {
		meanings, d.Codes, d.Decimal = t.Encoder.Meanings(), t.Encoder.Codes, t.Encoder.Decimal
	}
	at := make(map[string]int) // columns by name
	column := func(c pageColumn) float64 {
		i, ok := at[c.Name]
		if !ok {
			i = len(d.Columns)
			at[c.Name] = i
			d.Columns = append(d.Columns, c)
		}
		return float64(i)
	}
	term := func(t *tree.Tree, x tree.Term) []float64 {
		if meanings == nil {
			return []float64{column(pageColumn{Name: t.Features[x.Feature]}), x.Weight}
		}
		m := meanings[x.Feature]
		term := []float64{column(columnOf(m.Column, d.Codes)), x.Weight}
		switch {
		case m.Category >= 0:
			return append(term, float64(m.Category))
		case m.Missing:
			return append(term, whereMissing)
		}
		return term
	}
	rules := make(map[int]tree.Rule)
	for _, r := range t.Rules(f) {
		rules[r.Leaf] = r
	}
	sum := func(t *tree.Tree, x tree.Term) [][]float64 { // of a set a term for each category
		if meanings != nil && meanings[x.Feature].Last { // which the column's number of a missing field is below
			own := term(t, x)
			return [][]float64{own, {own[0], 2 * dataset.MaxAbs * x.Weight, whereMissing}}
		}
		if meanings == nil || meanings[x.Feature].Set == nil {
			return [][]float64{term(t, x)}
		}
		var all [][]float64
		m := meanings[x.Feature]
		for _, k := range m.Set {
			all = append(all, []float64{column(columnOf(m.Column, d.Codes)), x.Weight, float64(k)})
		}
		return all
	}
	for i, c := range t.Conditions(f) {
		n := &t.Nodes[i]
		if n.Leaf() {
			r := ruleOf(t, rules[i], f)
			text := r.If + ": " + f.Isolated(r.Then)
			if r.Of != "" {
				text += " (" + r.Of + ")"
			}
			d.Nodes = append(d.Nodes, pageNode{Rule: text})
			continue
		}
		p := pageNode{Threshold: &n.Split.Threshold, To: []int{n.Left, n.Right}, Says: []string{c.Text, c.Else}}
		if c.Yes != n.Left {
			p.Says = []string{c.Else, c.Text}
		}
		for _, x := range n.Split.Terms {
			p.Terms = append(p.Terms, sum(t, x)...)
		}
		d.Nodes = append(d.Nodes, p)
	}
	if o.Rows != nil {
		if !t.IsPolicy() && !t.IsRegression() {
			d.Classes = t.Classes
		}
		d.Rows = pageRows(o.Rows, t.Features, meanings, d.Columns)
	}
	return d
}

// mostChoices is how many rows can be chosen from.
const mostChoices = 500

// pageRows are the first rows of the data, as the fields of the columns.
func pageRows(ds *dataset.Dataset, features []string, meanings []dataset.Meaning, columns []pageColumn) []pageRow {
	of := make([][]int, len(columns)) // features of each column
	for j, name := range features {
		if meanings != nil {
			name = meanings[j].Column.Name
		}
		if c := slices.IndexFunc(columns, func(c pageColumn) bool { return c.Name == name }); c >= 0 {
			of[c] = append(of[c], j)
		}
	}
	all := make([]pageRow, min(ds.N(), mostChoices))
	for i := range all {
		r := &all[i]
		r.Class, r.Values = ds.Y[i], make([]*float64, len(columns))
		if ds.Line != nil {
			r.Line = ds.Line[i]
		}
		for c := range columns {
			r.Values[c] = fieldOf(ds.Row(i), of[c], meanings)
		}
	}
	return all
}

// fieldOf is the field that the features of a column stand for; nil for a missing one.
func fieldOf(x []float64, features []int, meanings []dataset.Meaning) *float64 {
	if meanings == nil {
		return &x[features[0]]
	}
	if m := meanings[features[0]]; m.Set != nil {
		return categoryOf(x, features, meanings)
	}
	value := -1.0 // no category
	for _, j := range features {
		switch m := meanings[j]; {
		case m.Missing:
			if x[j] == 1 {
				return nil
			}
		case m.Column.Route && math.Abs(x[j]) > dataset.MostRouted:
			return nil
		case m.Category < 0:
			value = x[j]
		case x[j] == 1:
			value = float64(m.Category)
		}
	}
	return &value
}

// categoryOf is the category of which the sets are those that the features say.
func categoryOf(x []float64, features []int, meanings []dataset.Meaning) *float64 {
	c := meanings[features[0]].Column
	for k := range c.Categories {
		if !slices.ContainsFunc(features, func(j int) bool { return slices.Contains(meanings[j].Set, k) != (x[j] == 1) }) {
			if c.ImputeCategory == nil && c.IsMissing(k) {
				return nil
			}
			value := float64(k)
			return &value
		}
	}
	none := -1.0
	return &none
}

// columnOf says what a field of a column may be.
func columnOf(c *dataset.SourceColumn, codes map[string]float64) pageColumn {
	p := pageColumn{Name: c.Name, Categories: c.Categories, Missing: c.Impute}
	if v, ok := codes["?"]; ok && c.Kind == dataset.Numeric {
		p.Missing = &v
	}
	if c.Date != nil {
		p.First = c.Date.First
	}
	for i, name := range c.Categories {
		if c.ImputeCategory != nil && *c.ImputeCategory == name || c.ImputeCategory == nil && c.IsMissing(i) {
			index := float64(i)
			p.Missing = &index
		}
	}
	return p
}
