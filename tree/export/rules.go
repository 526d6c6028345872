package export

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// writeRules writes a line for each leaf, of which exactly one holds for a row that has
// a class:
//
//	if "petal length" < 2.45 then "setosa" (rows 50, shares 1.0 0.0 0.0)
//
// Names and texts stand in quotes, as in Go, C or JSON. Lines that begin with # say how
// missing fields and unknown texts are read. Dates are in the form of their column. In
// trees of more than deepest levels, a rule has only the tightest bounds of each column.
func writeRules(out *bufio.Writer, p *plan, _ Options) error {
	if err := p.checkRules(); err != nil {
		return err
	}
	w := &rulesWriter{out: out, plan: p}
	out.WriteString(p.say("# classes:"))
	for _, class := range p.classes {
		fmt.Fprintf(out, " %s", strconv.QuoteToASCII(class))
	}
	out.WriteByte('\n')
	for i := range p.inputs {
		w.note(&p.inputs[i])
	}
	p.eachRule(w.condition, w.rule)
	return nil
}

type rulesWriter struct {
	out  *bufio.Writer
	plan *plan
}

// note says what becomes of fields that are missing, unknown or codes.
func (w *rulesWriter) note(in *input) {
	name := strconv.QuoteToASCII(in.name)
	if in.date != nil {
		fmt.Fprintf(w.out, "# %s: dates, %s; as numbers the days since %s\n", name, in.date.Format, in.date.First)
	}
	switch {
	case !in.fills():
		fmt.Fprintf(w.out, w.plan.say("# %s missing: no class\n"), name)
	case !in.text:
		fmt.Fprintf(w.out, "# %s missing: counts as %s\n", name, literal(*in.fill))
	case in.fillCategory == noCategory:
		fmt.Fprintf(w.out, "# %s missing: none of the texts\n", name)
	default:
		fmt.Fprintf(w.out, "# %s missing: counts as %s\n", name, strconv.QuoteToASCII(in.categories[in.fillCategory]))
	}
	for _, c := range in.codes {
		fmt.Fprintf(w.out, "# %s %s: counts as %s\n", name, strconv.QuoteToASCII(c.text), literal(c.value))
	}
	if in.text && !in.admits {
		fmt.Fprintf(w.out, w.plan.say("# %s unknown: no class\n"), name)
	}
}

// rule writes the line of a leaf.
func (w *rulesWriter) rule(n *node, path *rulePath) {
	condition := "true"
	if conditions := path.conditions(); len(conditions) > 0 {
		condition = strings.Join(conditions, " and ")
	}
	fmt.Fprintf(w.out, w.plan.say("if %s then %s (rows %s, shares"), condition, strconv.QuoteToASCII(w.plan.classes[n.class]), shortest(n.rows))
	for _, share := range n.shares {
		fmt.Fprintf(w.out, " %s", literal(share))
	}
	w.out.WriteString(")\n")
}

// condition is that the test holds, or does not.
func (w *rulesWriter) condition(q *test, holds bool) string {
	compare := " >= "
	if holds {
		compare = " < "
	}
	switch q.kind {
	case isBelow:
		if date, through := w.date(q); date != "" {
			if through {
				compare = map[bool]string{true: " <= ", false: " > "}[holds]
			}
			return w.name(q.input) + compare + date
		}
		return w.name(q.input) + compare + literal(q.threshold)
	case isMissing:
		if q.except == holds {
			return w.name(q.input) + " is not missing"
		}
		return w.name(q.input) + " is missing"
	case isAmong:
		texts := make([]string, len(q.set))
		for i, k := range q.set {
			texts[i] = strconv.QuoteToASCII(w.plan.inputs[q.input].categories[k])
		}
		if q.except == holds {
			return w.name(q.input) + " not in {" + strings.Join(texts, ", ") + "}"
		}
		return w.name(q.input) + " in {" + strings.Join(texts, ", ") + "}"
	}
	terms := make([]string, len(q.terms))
	for i, t := range q.terms {
		terms[i] = literal(t.weight) + "*" + w.value(t)
	}
	return strings.Join(terms, " + ") + compare + literal(q.threshold)
}

// date is the threshold of a column of dates in words (dataset.Date.Cut). It is "" where
// a number stands for missing dates, which may lie between the threshold and the date.
func (w *rulesWriter) date(q *test) (date string, through bool) {
	in := &w.plan.inputs[q.input]
	if in.date == nil || in.fills() {
		return "", false
	}
	return in.date.Cut(q.threshold)
}

func (w *rulesWriter) name(i int) string { return strconv.QuoteToASCII(w.plan.inputs[i].name) }

func (w *rulesWriter) value(t term) string {
	switch t.value {
	case aGap:
		return "[" + w.name(t.input) + " is missing]"
	case aMark:
		return "[" + w.name(t.input) + " in {" + strconv.QuoteToASCII(w.plan.inputs[t.input].categories[t.category]) + "}]"
	case anIndex:
		return "place(" + w.name(t.input) + ")"
	}
	return w.name(t.input)
}
