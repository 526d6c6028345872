package export

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octgen/octgen/dataset"
)

// Options says how a tree is written. The zero value is the default. An option that is
// not for the target is an error.
type Options struct {
	// Unknown says what becomes of categories that training did not have. By default
	// (UnknownError) the row has no class; UnknownOther takes them as none of the
	// categories, as octgen predict --unknown other does.
	Unknown dataset.UnknownPolicy
	// Name is the package of Go, what the names of C begin with, and the global of
	// JavaScript in browsers; default octgen.
	Name string
	// Dialect is that of SQL: sqlite (default), postgres or ansi.
	Dialect string
	// Table makes of SQL a statement over this table, instead of an expression: its
	// columns, then octgen_leaf, octgen_class and an octgen_share_CLASS of every class,
	// with a number at its end where an earlier one differs in no more than case or,
	// for PostgreSQL, beyond 63 bytes. A point stands between a schema and a table.
	Table string
}

// defaultName is the Name of Options that name none.
const defaultName = "octgen"

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
		below := fmt.Sprintf("x%d < %s", q.input, literal(q.threshold))
		if q.last {
			return fmt.Sprintf("%sm%d %s %s", l.not, q.input, l.and, below)
		}
		return below
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
			asked[q.input].gap = asked[q.input].gap || q.last
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

// dateFormats refuses columns of dates whose format has names of months, which scripts
// do not read.
func (p *plan) dateFormats() error {
	for i := range p.inputs {
		if in := &p.inputs[i]; in.date != nil && strings.Contains(in.date.Format, "Mon") {
			return fmt.Errorf("does not read dates of the form %s, which the column %q holds", in.date.Format, in.name)
		}
	}
	return nil
}

// datePattern is the regular expression, of Python and of JavaScript, of dates in a
// format. Its groups are those that dateGroups lists.
func datePattern(d *dataset.Date) string {
	short := "{1,2}"
	if strings.HasPrefix(d.Format, "YYYYMMDD") {
		short = "{2}"
	}
	return strings.NewReplacer(
		"YYYY", "([0-9]{4})", "YY", "([0-9]{2})", "MM", "([0-9]"+short+")", "DD", "([0-9]"+short+")",
		"hh", "([0-9]{1,2})", "mm", "([0-9]{2})", "ss", "([0-9]{2}(?:[.,][0-9]+)?)", "Z", "(Z|[+-][0-9]{2}:[0-9]{2})",
		".", "[.]",
	).Replace(d.Format)
}

// dateGroups are the parts of a date in the order of the format: Y a year of four digits
// or two, M, D, h, m, s, and Z an offset.
func dateGroups(d *dataset.Date) string {
	return strings.NewReplacer("YYYY", "Y", "YY", "Y", "MM", "M", "DD", "D", "hh", "h", "mm", "m", "ss", "s",
		"-", "", "/", "", ".", "", ":", "", " ", "", "T", "").Replace(d.Format)
}

// firstSecond is the seconds from 1970 to the day that counts as 0.
func firstSecond(d *dataset.Date) int64 {
	first, err := time.Parse(time.DateOnly, d.First)
	if err != nil {
		panic(err) // which Validate has tried
	}
	return first.Unix()
}

// hasDates reports whether a column holds dates.
func (p *plan) hasDates() bool {
	return slices.ContainsFunc(p.inputs, func(in input) bool { return in.date != nil })
}

// identifiers turns names into identifiers that differ from each other: join makes one
// of the words of a name (runs of ASCII letters and digits), and where that is taken, or
// among reserved, a number is added.
func identifiers(names []string, join func(words []string) string, reserved []string) []string {
	taken := make(map[string]bool)
	for _, name := range reserved {
		taken[name] = true
	}
	last := make(map[string]int) // number by identifier
	ids := make([]string, len(names))
	for i, name := range names {
		words := strings.FieldsFunc(name, func(r rune) bool {
			return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		id := join(words)
		if taken[id] {
			k := max(2, last[id])
			for ; taken[fmt.Sprintf("%s_%d", id, k)]; k++ {
			}
			last[id] = k
			id = fmt.Sprintf("%s_%d", id, k)
		}
		taken[id] = true
		ids[i] = id
	}
	return ids
}

// isIdentifier reports whether name is an ASCII identifier that is not reserved.
func isIdentifier(name string, reserved []string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && !slices.Contains(reserved, name)
}

// inputNames returns the names of the inputs.
func (p *plan) inputNames() []string {
	names := make([]string, len(p.inputs))
	for i := range p.inputs {
		names[i] = p.inputs[i].name
	}
	return names
}

// firstWith returns the first name of a column or class, or text of a category, in which
// bad finds something, as words of an error.
func (p *plan) firstWith(bad func(s string) bool) (string, bool) {
	for k := range p.classes {
		if bad(p.classes[k]) {
			return fmt.Sprintf("the class %q", p.classes[k]), true
		}
	}
	for i := range p.inputs {
		in := &p.inputs[i]
		if bad(in.name) {
			return fmt.Sprintf("the column name %q", in.name), true
		}
		for _, l := range in.lookups() {
			if bad(l.text) {
				return fmt.Sprintf("the text %q of column %q", l.text, in.name), true
			}
		}
		for _, c := range in.codes {
			if bad(c.text) {
				return fmt.Sprintf("the text %q of column %q", c.text, in.name), true
			}
		}
	}
	return "", false
}

// onlyNumbers refuses, for targets whose numbers are no texts, columns of numbers that
// are written as something else.
func (p *plan) onlyNumbers() error {
	for i := range p.inputs {
		switch in := &p.inputs[i]; {
		case in.text:
		case in.date != nil:
			return in.noNumber("holds dates (--dates)")
		case len(in.codes) > 0:
			return in.noNumber(fmt.Sprintf("has the text %q that stands for a number (--code)", in.codes[0].text))
		}
	}
	return nil
}

func (in *input) noNumber(why string) error {
	return fmt.Errorf("takes numbers only, and the column %q %s; other targets can read it", in.name, why)
}

// noDates refuses columns of dates.
func (p *plan) noDates() error {
	for i := range p.inputs {
		if in := &p.inputs[i]; in.date != nil {
			return fmt.Errorf("does not read dates, which the column %q holds (--dates)", in.name)
		}
	}
	return nil
}

// names gives names that differ from those that are there.
type names struct {
	taken map[string]bool
	tried map[string]int // underscores, or the number, that a name was last given with
}

func newNames(taken []string) *names {
	n := &names{make(map[string]bool), make(map[string]int)}
	for _, name := range taken {
		n.taken[name] = true
	}
	return n
}

// mostUnderscores is how many underscores stand behind a name before numbers do, which
// keep thousands of names of one kind short.
const mostUnderscores = 40

// free returns name, with underscores or a number behind it as long as it is taken, and
// takes it.
func (n *names) free(name string) string {
	free := name
	for k := n.tried[name]; ; k++ {
		if free = name + strings.Repeat("_", min(k, mostUnderscores)); k > mostUnderscores {
			free = name + "_" + strconv.Itoa(k)
		}
		if !n.taken[free] {
			n.tried[name], n.taken[free] = k, true
			return free
		}
	}
}
