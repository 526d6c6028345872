package export

import (
	"fmt"
	"io"
	"strings"
)

// language is how programs in a language with conditions, numbers x0, categories c1
// (indices) and marks of missing fields m2 are written, by the place of the input.
type language struct {
	and, or, not string
	equal, other string                            // between two whole numbers
	truth        func(condition string) string     // 1 where the condition holds, else 0
	real         func(index string) string         // a whole number as a double
	product      func(weight, value string) string // rounded to a double
	open         func(condition string) string     // begins a block
	close        string                            // ends one; "": its indentation does
	leaf         func(leaf int) string             // returns the leaf's place among the leaves
	indent       string
}

// writeTests writes the tests of p as nested blocks, of which the innermost return a
// leaf, with the given indentation.
func (l *language) writeTests(out io.Writer, p *plan, depth int) {
	_, place := p.leaves()
	of, _ := p.nesting()
	var write func(at, depth int)
	write = func(at, depth int) {
		margin := strings.Repeat(l.indent, depth)
		for p.nodes[at].test != nil {
			b := &of[at]
			condition := l.condition(p.nodes[at].test)
			if b.negated {
				condition = l.not + "(" + condition + ")"
			}
			fmt.Fprintf(out, "%s%s\n", margin, l.open(condition))
			write(b.inner, depth+1)
			if l.close != "" {
				fmt.Fprintf(out, "%s%s\n", margin, l.close)
			}
			at = b.next
		}
		fmt.Fprintf(out, "%s%s\n", margin, l.leaf(place[at]))
	}
	write(0, depth)
}

func (l *language) condition(q *test) string {
	switch q.kind {
	case isBelow:
		return fmt.Sprintf("x%d < %s", q.input, literal(q.threshold))
	case isMissing:
		if q.except {
			return fmt.Sprintf("%sm%d", l.not, q.input)
		}
		return fmt.Sprintf("m%d", q.input)
	case isAmong:
		return l.among(q)
	}
	return l.sum(q.terms) + " < " + literal(q.threshold)
}

func (l *language) among(q *test) string {
	operator, join := l.equal, l.or
	if q.except {
		operator, join = l.other, l.and
	}
	parts := make([]string, len(q.set))
	for i, k := range q.set {
		parts[i] = fmt.Sprintf("c%d %s %d", q.input, operator, k)
	}
	return strings.Join(parts, " "+join+" ")
}

// sum is the weighted sum, which the languages here add from the left.
func (l *language) sum(terms []term) string {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = l.product(literal(t.weight), l.value(t))
	}
	return strings.Join(parts, " + ")
}

func (l *language) value(t term) string {
	switch t.value {
	case aGap:
		return l.truth(fmt.Sprintf("m%d", t.input))
	case aMark:
		return l.truth(fmt.Sprintf("c%d %s %d", t.input, l.equal, t.category))
	case anIndex:
		return l.real(fmt.Sprintf("c%d", t.input))
	}
	return fmt.Sprintf("x%d", t.input)
}

// reads says what the tests ask of each input.
type reads struct {
	number, gap, category bool
}

// asked returns for every input what the tests ask of it.
func (p *plan) asked() []reads {
	asked := make([]reads, len(p.inputs))
	for i := range p.nodes {
		q := p.nodes[i].test
		if q == nil {
			continue
		}
		switch q.kind {
		case isBelow:
			asked[q.input].number = true
		case isAmong:
			asked[q.input].category = true
		case isMissing:
			asked[q.input].gap = true
		case isSumLess:
			for _, t := range q.terms {
				asked[t.input].number = asked[t.input].number || t.value == aNumber
				asked[t.input].gap = asked[t.input].gap || t.value == aGap
				asked[t.input].category = asked[t.input].category || t.value == aMark || t.value == anIndex
			}
		}
	}
	return asked
}

// lookups returns what a text of the column in stands for: its own texts and those of
// missing fields, "" among them, in this order.
func (in *input) lookups() []label {
	all := append([]label(nil), in.labels...)
	for _, text := range in.missingTexts() {
		all = append(all, label{text, in.fillCategory})
	}
	return all
}

// missingTexts returns the texts of a missing field.
func (in *input) missingTexts() []string { return append([]string{""}, in.missing...) }

// unknown is the category of a text that is not among the lookups.
func (in *input) unknown() int {
	if in.admits {
		return noCategory
	}
	return unfilled
}
