package tree

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
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
	switch {
	case t.IsPolicy():
		answer = "action"
	case t.IsRegression():
		answer = OneLine(t.Classes[0])
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
			out.WriteString(answer + ": " + t.Answer(n, f) + f.leafNote(n, t) + "\n")
			continue
		}
		c := conditions[at.node]
		stack = append(stack, line{c.No, at.depth + 1, c.Else}, line{c.Yes, at.depth + 1, c.Text})
	}
	return out.Flush()
}

// Answer is what node n answers: the name of its class, or its number with six significant digits.
func (t *Tree) Answer(n *Node, f Format) string {
	if n.Value == nil {
		return OneLine(t.Classes[n.Class])
	}
	if f.Decimals != 0 {
		return f.number(*n.Value)
	}
	return Plain(*n.Value, 6)
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

func (f Format) leafNote(n *Node, t *Tree) string {
	if n.Count == nil {
		return ""
	}
	if t.IsRegression() {
		return " (n=" + f.amount(sum(n.Count)) + ")"
	}
	if t.IsPolicy() { // rows have no class
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

// Condition is the split of a node in words.
type Condition struct {
	Text    string // what holds of the rows that go to Yes: "age < 42.5", "colour is red"
	Else    string // what holds of the others: "age >= 42.5", "colour is not red"
	Yes, No int    // the children; Yes is the right one where that reads better
}

// Conditions returns the split of every node in words, by node, the zero Condition at
// leaves. What the features stand for it has from t.Encoder:
//
//   - a 0/1 feature of a category is "colour is red", and Yes is the child of the rows
//     that have it, the right one (such a split sends the others to the left);
//   - a 0/1 feature of missing fields is "age is missing" likewise;
//   - an ordinal feature is compared with the first category to the right, "size <
//     large", in the order of the encoder's categories, or "size is large" where that
//     is the last one;
//   - a date is "start < 2021-12-14", in the form of its column: the first date that goes
//     right (dataset.Date.Cut), whatever the Format's decimals;
//   - a number is "age < 42.5", and a split of one negative weight "age > 42.5";
//   - a hyperplane has its terms by the size of their weights, the largest first, with
//     three significant digits: "2.5*a - 1.33*b < 0.5".
//
// Names that would break a line, or be taken for words of these forms, are quoted.
func (t *Tree) Conditions(f Format) []Condition {
	w := t.wording(f)
	c := make([]Condition, len(t.Nodes))
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Split != nil {
			c[i] = w.condition(n)
		}
	}
	return c
}

// wording is what conditions are made with.
func (t *Tree) wording(f Format) *wording {
	f.exact = f.exact || t.alike(f)
	w := &wording{f: f, names: t.Features, meanings: make([]dataset.Meaning, len(t.Features))}
	if t.Encoder != nil {
		w.meanings = t.Encoder.Meanings()
	}
	return w
}

type wording struct {
	f        Format
	names    []string          // of the features
	meanings []dataset.Meaning // of the features, without a Column where nothing is known
}

func (w *wording) condition(n *Node) Condition {
	s := n.Split
	// x < b, or x > b where the weight is negative, goes left.
	term := s.Terms[0]
	b, above := s.Threshold/term.Weight, term.Weight < 0
	if len(s.Terms) > 1 || !finite(b) {
		sum, b := w.sum(s.Terms), w.f.Rough(s.Threshold)
		return Condition{sum + " < " + b, sum + " >= " + b, n.Left, n.Right}
	}
	m := w.meanings[term.Feature]
	switch {
	case m.Column == nil:
	case m.Missing || m.Category >= 0 || m.Set != nil:
		if c, ok := w.mark(n, term.Feature, b, above); ok {
			return c
		}
	case m.Column.Kind == dataset.Ordinal:
		if c, ok := w.ordinal(n, m.Column, b, above); ok {
			return c
		}
	}
	if m.Column != nil && m.Column.Date != nil && !m.Missing && !m.Column.Route {
		if c, ok := w.date(n, m.Column, b, above); ok {
			return c
		}
	}
	if m.Column != nil && m.Column.Route {
		return w.routed(n, m, b, above)
	}
	name, at := w.name(w.names[term.Feature]), w.f.number(b)
	if above {
		return Condition{name + " > " + at, name + " <= " + at, n.Left, n.Right}
	}
	return Condition{name + " < " + at, name + " >= " + at, n.Left, n.Right}
}

// routed is the condition on a number with the side of rows whose field is missing, which are below all numbers or above them.
func (w *wording) routed(n *Node, m dataset.Meaning, b float64, above bool) Condition {
	name, low, high := w.name(m.Column.Name), n.Left, n.Right
	if above {
		low, high = high, low
	}
	is, isNot := name+" is "+missingWord, name+" is not "+missingWord
	if math.Abs(b) > dataset.MostRouted {
		if m.Last {
			low, high = high, low
		}
		return Condition{is, isNot, low, high}
	}
	below, from := name+" < "+w.f.number(b), name+" >= "+w.f.number(b)
	if above {
		below, from = name+" <= "+w.f.number(b), name+" > "+w.f.number(b)
	}
	if m.Column.Date != nil {
		if c, ok := w.date(n, m.Column, b, above); ok {
			below, from = c.Text, c.Else
			if c.Yes != low {
				below, from = from, below
			}
		}
	}
	if m.Last {
		from += " or " + missingWord
	} else {
		below += " or " + missingWord
	}
	return Condition{below, from, low, high}
}

// mark is the condition on a feature that is 1 for a category and 0 for the others; false
// where the split does not part the two.
func (w *wording) mark(n *Node, feature int, b float64, above bool) (Condition, bool) {
	m := w.meanings[feature]
	is, isNot := w.is(m), w.isNot(m)
	switch {
	case above && b >= 0 && b < 1:
		return Condition{is, isNot, n.Left, n.Right}, true
	case !above && b > 0 && b <= 1:
		return Condition{is, isNot, n.Right, n.Left}, true
	}
	return Condition{}, false
}

// is says of a 0/1 feature what holds where it is 1.
func (w *wording) is(m dataset.Meaning) string {
	if one, ok := single(m); ok {
		return w.is(one)
	} else if m.Set != nil {
		return w.name(m.Column.Name) + " in " + w.set(m)
	}
	return w.name(m.Column.Name) + " is " + w.category(m)
}

// isNot says what holds where it is 0.
func (w *wording) isNot(m dataset.Meaning) string {
	if one, ok := single(m); ok {
		return w.isNot(one)
	} else if m.Set != nil {
		return w.name(m.Column.Name) + " not in " + w.set(m)
	}
	return w.name(m.Column.Name) + " is not " + w.category(m)
}

// single is the category of a set that has one.
func single(m dataset.Meaning) (one dataset.Meaning, ok bool) {
	if len(m.Set) != 1 {
		return m, false
	}
	return dataset.Meaning{Column: m.Column, Category: m.Set[0], Missing: m.Column.IsMissing(m.Set[0])}, true
}

// set is a set of categories.
func (w *wording) set(m dataset.Meaning) string {
	var texts []string
	for _, k := range m.Set {
		text := w.category(dataset.Meaning{Column: m.Column, Category: k, Missing: m.Column.IsMissing(k)})
		if strings.ContainsAny(text, ",{}") {
			text = strconv.Quote(text)
		}
		texts = append(texts, text)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// ordinal is the condition on the index of a category; false where the categories are
// all on one side. Categories that training did not have come before the first.
func (w *wording) ordinal(n *Node, c *dataset.SourceColumn, b float64, above bool) (Condition, bool) {
	first, low, high := math.Ceil(b), n.Left, n.Right // the first category that is not below
	if above {
		first, low, high = math.Floor(b)+1, n.Right, n.Left
	}
	if !(first >= 0 && first < float64(len(c.Categories))) {
		return Condition{}, false
	}
	k := int(first)
	name, text := w.name(c.Name), w.category(dataset.Meaning{Column: c, Category: k, Missing: c.IsMissing(k)})
	if k == len(c.Categories)-1 {
		return Condition{name + " is " + text, name + " is not " + text, high, low}, true
	}
	return Condition{name + " < " + text, name + " >= " + text, low, high}, true
}

// date is the condition on a date; false where no date is at the threshold.
func (w *wording) date(n *Node, c *dataset.SourceColumn, b float64, above bool) (Condition, bool) {
	low, high := n.Left, n.Right
	if above { // b itself does not go left
		b, low, high = math.Nextafter(b, math.Inf(1)), n.Right, n.Left
	}
	date, through := c.Date.Cut(b)
	if date == "" {
		return Condition{}, false
	}
	before, from := w.name(c.Name)+" < "+date, w.name(c.Name)+" >= "+date
	if through {
		before, from = w.name(c.Name)+" <= "+date, w.name(c.Name)+" > "+date
	}
	if above {
		return Condition{from, before, high, low}, true
	}
	return Condition{before, from, low, high}, true
}

// category is the text of m's category, or that it is missing.
func (w *wording) category(m dataset.Meaning) string {
	if m.Missing {
		return missingWord
	}
	text := OneLine(m.Column.Categories[m.Category])
	if text == "" || text != strings.TrimSpace(text) || text == missingWord || strings.HasPrefix(text, "not ") {
		return strconv.Quote(text)
	}
	return w.f.Isolated(text)
}

// name is a name within a condition.
func (w *wording) name(name string) string { return w.f.Isolated(OneLine(name)) }

// Isolated is a text that is to stand within another: where it is of a script that is written from right to left and
// Isolate is set, between U+2068 and U+2069.
func (f Format) Isolated(text string) string {
	if f.Isolate && strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}) {
		return "\u2068" + text + "\u2069"
	}
	return text
}

const missingWord = "missing"

// sum is the left-hand side of a hyperplane.
func (w *wording) sum(terms []Term) string {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(a, b Term) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	var b strings.Builder
	for i, t := range terms {
		switch {
		case i == 0 && t.Weight < 0:
			b.WriteString("-")
		case i > 0 && t.Weight < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		if v := math.Abs(t.Weight); v != 1 {
			b.WriteString(w.f.Rough(v) + "*")
		}
		if m := w.meanings[t.Feature]; m.Column != nil && (m.Missing || m.Category >= 0 || m.Set != nil) {
			b.WriteString("(" + w.is(m) + ")")
		} else {
			b.WriteString(w.name(w.names[t.Feature]))
		}
	}
	return b.String()
}

// Format says how a tree is written for people (Conditions, WriteText, WriteDOT,
// WriteSVG). The zero value is the default.
type Format struct {
	// Decimals is the number of decimals of thresholds, coefficients and fractional
	// weights; negative: none. 0: thresholds and weights as many as it takes for 12
	// significant digits, which hides the rounding of midpoints (0.795, not
	// 0.7949999999999999), hyperplanes three significant digits. tree.json keeps
	// every bit.
	Decimals int

	// Isolate keeps names that are written from right to left from turning the words around them, on pages.
	Isolate bool

	exact bool // all digits, without which two thresholds of a feature are alike
}

// alike reports whether different thresholds of one feature are written alike.
func (t *Tree) alike(f Format) bool {
	type written struct {
		feature   int
		threshold string
	}
	seen := make(map[written]float64)
	for i := range t.Nodes {
		s := t.Nodes[i].Split
		if s == nil || !s.IsUnivariate() {
			continue
		}
		key := written{s.Terms[0].Feature, f.number(s.Threshold)}
		if b, ok := seen[key]; ok && b != s.Threshold {
			return f.Decimals == 0
		}
		seen[key] = s.Threshold
	}
	return false
}

// number writes a threshold, with commas between thousands from 10,000 on.
func (f Format) number(v float64) string { return thousands(f.digits(v)) }

// digits is number without commas.
func (f Format) digits(v float64) string {
	if v == 0 {
		v = 0 // not -0
	}
	if f.exact {
		return decimal(v, 17)
	}
	if f.Decimals == 0 {
		return decimal(v, 12)
	}
	s := strconv.FormatFloat(v, 'f', max(0, f.Decimals), 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-") // rounded to zero
	}
	return s
}

// Plain writes a number for people, with a number of significant digits: without an exponent unless it is tiny or huge,
// and with commas between thousands from 10,000 on.
func Plain(v float64, digits int) string { return thousands(decimal(v, digits)) }

// decimal is Plain without commas.
func decimal(v float64, digits int) string {
	if digits < 17 {
		v = significant(v, digits)
	}
	if a := math.Abs(v); a != 0 && (a < 1e-5 || a >= 1e15) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// thousands writes commas into a decimal number of at least five digits before its point.
func thousands(s string) string {
	if strings.ContainsAny(s, "eIN") { // an exponent, or no finite number
		return s
	}
	sign, whole := "", s
	if strings.HasPrefix(s, "-") {
		sign, whole = "-", s[1:]
	}
	whole, fraction, found := strings.Cut(whole, ".")
	if len(whole) < 5 {
		return s
	}
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if found {
		whole += "." + fraction
	}
	return sign + whole
}

// Rough writes a number of a hyperplane, which nobody can compute in the head: three
// significant digits unless decimals are asked for.
func (f Format) Rough(v float64) string {
	if f.Decimals != 0 {
		return f.number(v)
	}
	return Plain(v, 3)
}

// significant rounds v to a number of significant digits.
func significant(v float64, digits int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil { // rounded beyond the largest float64
		return v
	}
	return rounded
}

// amount writes a count or weight: integers always without decimals.
func (f Format) amount(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return f.digits(v)
}

func (f Format) amounts(v []float64) string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = f.amount(v[i])
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// OneLine quotes a name that would break a line or a terminal.
func OneLine(name string) string {
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
