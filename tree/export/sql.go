package export

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// writeSQL writes one expression, the class of a row, or with Table a statement.
func writeSQL(out *bufio.Writer, p *plan, o Options) error {
	d, err := dialectOf(o.Dialect)
	if err != nil {
		return err
	}
	w := &sqlWriter{out: out, plan: p, dialect: d}
	w.nesting, w.deep = p.nesting()
	if err := w.check(o.Table); err != nil {
		return err
	}
	p.blockComment(out)
	if o.Table == "" {
		w.expression(0, func(n *node, _ int) string {
			if p.numbers {
				return d.real(n.value)
			}
			return d.text(p.classes[n.class])
		})
		out.WriteByte('\n')
		return nil
	}
	w.statement(o.Table)
	return nil
}

type sqlWriter struct {
	out     *bufio.Writer
	plan    *plan
	dialect *dialect
	source  string // before the name of a column: its table and a point, or nothing
	nesting []branches
	deep    bool
}

func (w *sqlWriter) printf(format string, args ...any) {
	fmt.Fprintf(w.out, w.plan.say(format), args...)
}

// check refuses what the dialect cannot write, and columns that no table has beside
// each other.
func (w *sqlWriter) check(table string) error {
	if err := w.plan.noDates(); err != nil && w.dialect.days == nil {
		return fmt.Errorf("the standard %w; other dialects do", err)
	}
	if w.dialect.readable == nil && len(w.plan.inputs) > 0 && w.plan.inputs[0].comma {
		return errors.New("the standard has no way to read the decimal commas of the tree's data; other dialects do")
	}
	var problem error
	where, ok := w.plan.firstWith(func(s string) bool { problem = w.dialect.refuses(s); return problem != nil })
	if ok {
		return fmt.Errorf("%s has %w", where, problem)
	}
	if problem := w.dialect.refuses(table); problem != nil {
		return fmt.Errorf("the table name %q has %w", table, problem)
	}
	if leaves, _ := w.plan.leaves(); table != "" && len(leaves) > mostUnited*mostUnited {
		return fmt.Errorf("the tree has %d leaves, and a statement holds no more than %d; an expression has no such limit", len(leaves), mostUnited*mostUnited)
	}
	if table != "" && slices.Contains(strings.Split(table, "."), "") {
		return fmt.Errorf("the table name %q has an empty part", table)
	}
	names := w.plan.inputNames()
	for i, name := range names {
		for _, other := range names[:i] {
			if w.dialect.sameColumn(name, other) {
				return fmt.Errorf("%s takes the columns %q and %q for one", w.dialect.title, other, name)
			}
		}
	}
	return nil
}

// statement selects the columns of the table and what the tree says of each row. The
// class and shares are looked up by the leaf. Columns are named with their table, as
// the table may have some of any name, those of an earlier answer too.
func (w *sqlWriter) statement(table string) {
	d := w.dialect
	w.source = "source_table."
	parts := strings.Split(table, ".")
	for i := range parts {
		parts[i] = d.quoted(parts[i])
	}
	w.printf("SELECT source_table.*, leaf_class.octgen_leaf, leaf_class.octgen_class")
	var share []string
	if !w.plan.numbers {
		share = d.shareColumns(w.plan.say("octgen_share_"), w.plan.classes)
	}
	for k := range share {
		share[k] = d.quoted(share[k])
		w.printf(", leaf_class.%s", share[k])
	}
	w.printf("\nFROM %s source_table\nLEFT JOIN (\n", strings.Join(parts, "."))
	w.leafTable(share)
	w.printf(") leaf_class ON leaf_class.octgen_leaf =\n  ")
	w.expression(1, func(n *node, _ int) string { return fmt.Sprint(n.source) })
	w.printf("\n")
}

// leafTable writes the class and shares of each leaf, in groups where there are many.
func (w *sqlWriter) leafTable(share []string) {
	leaves, _ := w.plan.leaves()
	groups := (len(leaves) + mostUnited - 1) / mostUnited
	for i, n := range leaves {
		switch {
		case i > 0 && i%mostUnited == 0:
			w.printf("  ) leaf_group_%d\n  UNION ALL\n  SELECT * FROM (\n", i/mostUnited)
		case i > 0:
			w.printf("  UNION ALL\n")
		case groups > 1:
			w.printf("  SELECT * FROM (\n")
		}
		answer, shares := w.dialect.text(w.plan.classes[n.class]), n.shares
		if w.plan.numbers {
			answer, shares = w.dialect.real(n.value), nil
		}
		w.printf("  SELECT %d AS octgen_leaf, %s AS octgen_class", n.source, answer)
		for k, v := range shares {
			w.printf(", %s AS %s", w.dialect.real(v), share[k])
		}
		w.printf("\n")
	}
	if groups > 1 {
		w.printf("  ) leaf_group_%d\n", groups)
	}
}

// mostUnited is how many parts SQLite unites: leaves of a group, and groups.
const mostUnited = 500

// column is the column of an input.
func (w *sqlWriter) column(in *input) string { return w.source + w.dialect.quoted(in.name) }

// expression writes the tree as one expression, with the given depth of indentation.
func (w *sqlWriter) expression(depth int, leaf func(n *node, place int) string) {
	guards := w.guards()
	if len(guards) == 0 {
		w.node(0, depth, leaf)
		return
	}
	margin := strings.Repeat("  ", depth)
	w.printf("CASE WHEN %s\n%sTHEN ", strings.Join(guards, "\n"+margin+"  AND "), margin)
	w.node(0, depth+1, leaf)
	w.printf("\n%sEND", margin)
}

// guards are the conditions under which a row has a class.
func (w *sqlWriter) guards() []string {
	var guards []string
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		if guard := w.guard(in); guard != "" {
			guards = append(guards, guard)
		}
	}
	return guards
}

func (w *sqlWriter) guard(in *input) string {
	column := w.column(in)
	known := ""
	switch {
	case in.text && !in.admits:
		known = w.among(column, in.known())
	case in.date != nil && w.dialect.dated != nil:
		known = w.dialect.dated(column)
	case in.text || in.date != nil:
	case w.dialect.readable != nil:
		known = w.dialect.readable(column, in.comma)
		if len(in.codes) > 0 {
			known = "(" + known + " OR " + w.among(column, in.codeTexts()) + ")"
		}
	}
	switch {
	case !in.fills() && known == "":
		return "NOT " + w.missing(in)
	case in.fills() && known != "":
		return "(" + w.missing(in) + " OR " + known + ")"
	}
	return known
}

// codeTexts returns the texts that stand for numbers.
func (in *input) codeTexts() []string {
	texts := make([]string, len(in.codes))
	for i, c := range in.codes {
		texts[i] = c.text
	}
	return texts
}

// missing is the condition that the field of in is missing.
func (w *sqlWriter) missing(in *input) string {
	column := w.column(in)
	texts := in.missingTexts()
	if w.dialect.whole != nil {
		for _, v := range in.gaps {
			if v == math.Trunc(v) {
				texts = append(texts, w.dialect.whole(shortest(v)))
			}
		}
	}
	return "(" + column + " IS NULL OR " + w.among(column, texts) + ")"
}

// among is the condition that the column is one of the texts.
func (w *sqlWriter) among(column string, texts []string) string {
	if len(texts) == 0 {
		return "1 = 0"
	}
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = w.dialect.text(text)
	}
	return w.dialect.trimmed(column) + w.dialect.collate + " IN (" + strings.Join(quoted, ", ") + ")"
}

// node writes the node at with all that is below.
func (w *sqlWriter) node(at, depth int, leaf func(n *node, place int) string) {
	n := &w.plan.nodes[at]
	if n.test == nil {
		w.printf("%s", leaf(n, at))
		return
	}
	margin := strings.Repeat("  ", depth)
	if w.deep {
		w.ladder(at, depth, leaf)
		return
	}
	w.printf("CASE WHEN %s\n%s  THEN ", w.condition(n.test), margin)
	w.node(n.left, depth+2, leaf)
	w.printf("\n%s  ELSE ", margin)
	w.node(n.right, depth+2, leaf)
	w.printf("\n%sEND", margin)
}

// ladder writes the node at, and the larger of the subtrees below it all the way down, as
// one CASE of many conditions.
func (w *sqlWriter) ladder(at, depth int, leaf func(n *node, place int) string) {
	margin := strings.Repeat("  ", depth)
	w.printf("CASE")
	for w.plan.nodes[at].test != nil {
		b := &w.nesting[at]
		condition := w.condition(w.plan.nodes[at].test)
		if b.negated { // NOT would keep NULL, which is to go where FALSE does
			condition = "CASE WHEN " + condition + " THEN 0 ELSE 1 END = 1"
		}
		w.printf("\n%s  WHEN %s\n%s  THEN ", margin, condition, margin)
		w.node(b.inner, depth+2, leaf)
		at = b.next
	}
	w.printf("\n%s  ELSE ", margin)
	w.node(at, depth+2, leaf)
	w.printf("\n%sEND", margin)
}

func (w *sqlWriter) condition(q *test) string {
	switch q.kind {
	case isBelow:
		if in := &w.plan.inputs[q.input]; in.route {
			return w.routed(in, q)
		}
		if before := w.before(&w.plan.inputs[q.input], q.threshold); before != "" {
			return before
		}
		return w.number(q.input) + " < " + w.dialect.real(q.threshold)
	case isMissing:
		if q.except {
			return "NOT " + w.missing(&w.plan.inputs[q.input])
		}
		return w.missing(&w.plan.inputs[q.input])
	case isAmong:
		if q.except {
			return w.notAmong(q.input, q.set)
		}
		return w.category(q.input, q.set)
	}
	parts := make([]string, len(q.terms))
	for i, t := range q.terms {
		parts[i] = w.dialect.real(t.weight) + " * " + w.value(t)
	}
	return strings.Join(parts, " + ") + " < " + w.dialect.real(q.threshold)
}

// routed is the condition that a number is less, and on which side a missing field is.
func (w *sqlWriter) routed(in *input, q *test) string {
	less := w.given(in) + " < " + w.dialect.real(q.threshold)
	if len(in.codes) > 0 {
		less = w.number(q.input) + " < " + w.dialect.real(q.threshold)
	}
	if q.last {
		return "(NOT " + w.missing(in) + " AND " + less + ")"
	}
	return "(" + w.missing(in) + " OR " + less + ")"
}

// before is the condition that a date is below the threshold, compared as dates are; "" for other inputs and where a number
// stands for missing dates.
func (w *sqlWriter) before(in *input, threshold float64) string {
	if in.date == nil || in.fills() || len(in.codes) > 0 {
		return ""
	}
	format := "YYYY-MM-DD"
	if strings.Contains(in.date.Format, "hh") {
		format += " hh:mm:ss"
	}
	date, through := (&dataset.Date{Format: format, First: in.date.First}).Cut(threshold)
	if date == "" {
		return ""
	}
	compare := " < "
	if through {
		compare = " <= "
	}
	return w.dialect.moment(w.column(in)) + compare + w.dialect.moment(w.dialect.text(date))
}

// category is the condition that the category of input i is in the set. Of a missing
// field that is in none it is NULL, which sends a row where FALSE does.
func (w *sqlWriter) category(i int, set []int) string {
	in := &w.plan.inputs[i]
	known := w.among(w.column(in), in.texts(set))
	if slices.Contains(set, in.fillCategory) {
		return "(" + w.missing(in) + " OR " + known + ")"
	}
	return known
}

// notAmong is the condition that the category of input i is not in the set.
func (w *sqlWriter) notAmong(i int, set []int) string {
	in := &w.plan.inputs[i]
	if in.fills() && !slices.Contains(set, in.fillCategory) {
		return "(" + w.missing(in) + " OR NOT " + w.among(w.column(in), in.texts(set)) + ")"
	}
	return "NOT " + w.category(i, set)
}

// given is the number that a field holds.
func (w *sqlWriter) given(in *input) string {
	if in.date != nil {
		return w.dialect.days(w.column(in), in.date.First)
	}
	return w.dialect.double(w.column(in), in.comma)
}

// number is the value of input i.
func (w *sqlWriter) number(i int) string {
	in := &w.plan.inputs[i]
	column, value := w.column(in), w.given(in)
	if in.fill == nil && len(in.codes) == 0 {
		return value
	}
	var b strings.Builder
	b.WriteString("CASE ")
	if in.fill != nil {
		fmt.Fprintf(&b, "WHEN %s THEN %s ", w.missing(in), w.dialect.real(*in.fill))
	}
	for _, c := range in.codes {
		fmt.Fprintf(&b, "WHEN %s THEN %s ", w.among(column, []string{c.text}), w.dialect.real(c.value))
	}
	fmt.Fprintf(&b, "ELSE %s END", value)
	return b.String()
}

// value is what a term multiplies its weight with.
func (w *sqlWriter) value(t term) string {
	choose := func(condition string) string {
		return "CASE WHEN " + condition + " THEN " + w.dialect.real(1) + " ELSE " + w.dialect.real(0) + " END"
	}
	switch t.value {
	case aGap:
		return choose(w.missing(&w.plan.inputs[t.input]))
	case aMark:
		return choose(w.category(t.input, []int{t.category}))
	case anIndex:
		var b strings.Builder
		b.WriteString("CASE ")
		for k := range w.plan.inputs[t.input].categories {
			fmt.Fprintf(&b, "WHEN %s THEN %s ", w.category(t.input, []int{k}), w.dialect.real(float64(k)))
		}
		fmt.Fprintf(&b, "ELSE %s END", w.dialect.real(noCategory))
		return b.String()
	}
	return w.number(t.input)
}
