package tree

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
)

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
	w := wording{f: f, names: t.Features, meanings: make([]dataset.Meaning, len(t.Features))}
	if t.Encoder != nil {
		w.meanings = t.Encoder.Meanings()
	}
	c := make([]Condition, len(t.Nodes))
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Split != nil {
			c[i] = w.condition(n)
		}
	}
	return c
}

// wording is what conditions are made with.
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
	case m.Missing || m.Category >= 0:
		if c, ok := w.mark(n, term.Feature, b, above); ok {
			return c
		}
	case m.Column.Kind == dataset.Ordinal:
		if c, ok := w.ordinal(n, m.Column, b, above); ok {
			return c
		}
	}
	if m.Column != nil && m.Column.Date != nil && !m.Missing {
		if c, ok := w.date(n, m.Column, b, above); ok {
			return c
		}
	}
	name, at := OneLine(w.names[term.Feature]), w.f.number(b)
	if above {
		return Condition{name + " > " + at, name + " <= " + at, n.Left, n.Right}
	}
	return Condition{name + " < " + at, name + " >= " + at, n.Left, n.Right}
}

// mark is the condition on a feature that is 1 for a category and 0 for the others; false
// where the split does not part the two.
func (w *wording) mark(n *Node, feature int, b float64, above bool) (Condition, bool) {
	m := w.meanings[feature]
	is, isNot := w.is(m), OneLine(m.Column.Name)+" is not "+category(m)
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
	return OneLine(m.Column.Name) + " is " + category(m)
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
	name, text := OneLine(c.Name), category(dataset.Meaning{Column: c, Category: k, Missing: c.IsMissing(k)})
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
	before, from := OneLine(c.Name)+" < "+date, OneLine(c.Name)+" >= "+date
	if through {
		before, from = OneLine(c.Name)+" <= "+date, OneLine(c.Name)+" > "+date
	}
	if above {
		return Condition{from, before, high, low}, true
	}
	return Condition{before, from, low, high}, true
}

// category is the text of m's category, or that it is missing.
func category(m dataset.Meaning) string {
	if m.Missing {
		return missingWord
	}
	text := OneLine(m.Column.Categories[m.Category])
	if text == "" || text != strings.TrimSpace(text) || text == missingWord || strings.HasPrefix(text, "not ") {
		return strconv.Quote(text)
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
		if m := w.meanings[t.Feature]; m.Column != nil && (m.Missing || m.Category >= 0) {
			b.WriteString("(" + w.is(m) + ")")
		} else {
			b.WriteString(OneLine(w.names[t.Feature]))
		}
	}
	return b.String()
}
