package export

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/octgen/octgen/dataset"
)

func pythonLanguage() *language {
	return &language{
		and: "and", or: "or", not: "not ", equal: "==", other: "!=",
		truth:   func(c string) string { return "float(" + c + ")" },
		real:    func(i string) string { return "float(" + i + ")" },
		product: func(w, v string) string { return w + " * " + v },
		open:    func(c string) string { return "if " + c + ":" },
		leaf:    func(k int) string { return fmt.Sprintf("return %d", k) },
		indent:  "    ",
	}
}

// writePython writes a module of the standard library alone, with predict and
// predict_proba.
func writePython(out *bufio.Writer, p *plan, _ Options) error {
	if err := p.dateFormats(); err != nil {
		return err
	}
	w := &scriptWriter{out: out, plan: p, quote: quotePython}
	p.comment(out, "# ") // before the docstring, which stays the first statement
	out.WriteString(p.say(pythonHead))
	if !p.numbers {
		w.printf("CLASSES = (%s)\n", w.tuple(p.classes))
	}
	w.printf("COLUMNS = (%s)\n", w.tuple(p.inputNames()))
	if p.numbers {
		w.printf("_LEAVES = (%s,)\n\n", p.numbersOf(literal))
	} else {
		leaves, _ := p.leaves()
		w.printf("_LEAVES = (\n")
		for _, n := range leaves {
			w.printf("    (%d, (%s)),\n", n.class, w.shares(n, true))
		}
		w.printf(")\n\n")
	}
	w.lookups("_TEXTS%d = {", "%s: %s", "}", "None")
	out.WriteString(pythonReaders)
	if p.hasDates() {
		out.WriteString(pythonDates)
	}
	w.printf("def _leaf(row):\n")
	asked := p.asked()
	for i := range p.inputs {
		in := &p.inputs[i]
		field := fmt.Sprintf("row[%s]", w.quote(in.name))
		if in.text {
			w.printf("    c%d = _category(%s, _TEXTS%[1]d, %[3]d)\n    if c%[1]d == %[4]d:\n        return None\n", i, field, in.unknown(), unfilled)
			continue
		}
		if in.date != nil {
			w.printf("    x%d = _date(%s, _TEXTS%[1]d, %[3]s, %[4]s, %[5]d)\n", i, field, w.quote(datePattern(in.date)), w.quote(dateGroups(in.date)), firstSecond(in.date))
		} else {
			w.printf("    x%d = _number(%s, _TEXTS%[1]d%[3]s)\n", i, field, commaArgument(in, "True"))
		}
		if asked[i].gap {
			w.printf("    m%d = x%[1]d is None\n", i)
		}
		if in.fill != nil {
			w.printf("    if x%d is None:\n        x%[1]d = %s\n", i, literal(*in.fill))
		}
		w.printf("    if x%d is None or not -%s <= x%[1]d <= %[2]s:\n        return None\n", i, shortest(dataset.MaxAbs))
	}
	pythonLanguage().writeTests(out, p, 1)
	if p.numbers {
		out.WriteString(pythonNumberAnswers)
		return nil
	}
	out.WriteString(p.say(pythonAnswers))
	return nil
}

// commaArgument is the last argument of number where texts have a decimal comma.
func commaArgument(in *input, yes string) string {
	if in.comma {
		return ", " + yes
	}
	return ""
}

const pythonHead = `"""A decision tree, written by octgen. Python 3.6 or newer; standard library only.

predict(row) returns the class of a row, predict_proba(row) the share of each of
CLASSES in the training weight of its leaf. A row is a mapping with the keys of
COLUMNS; others are passed over, and one that is not there is a KeyError. Numbers may
be texts. None, NaN and "" are missing. A row without a class has None: a field is
missing and nothing stands for it, a number is none, or a text is unknown.
"""
import re

`

const pythonReaders = `_BLANKS = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _is_missing(value):
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _number(value, texts, comma=False):
    """The number, None where it is missing, infinity where it is none."""
    if _is_missing(value):
        value = ""
    is_text = isinstance(value, str)
    if is_text:
        value = value.strip(_BLANKS)
    if value in texts:
        return texts[value]
    if is_text:
        if comma:
            value = value.replace(".", "_").replace(",", ".", 1)
        if not _DECIMAL.fullmatch(value):
            return float("inf")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return float("inf")


def _category(value, texts, unknown):
    text = "" if _is_missing(value) else str(value).strip(_BLANKS)
    return texts.get(text, unknown)


`

const pythonDates = `import datetime


def _date(value, texts, pattern, groups, first):
    """The days since the first date, None where it is missing, infinity where it is none."""
    text = "" if _is_missing(value) else str(value).strip(_BLANKS)
    if text in texts:
        return texts[text]
    match = re.fullmatch(pattern, text)
    if not match:
        return float("inf")
    part = dict(zip(groups, match.groups()))
    year = int(part["Y"])
    if len(part["Y"]) == 2:
        year += 1900 if year >= 69 else 2000
    hour, minute, second = int(part.get("h", 0)), int(part.get("m", 0)), int(part.get("s", "0")[:2])
    nanoseconds = int(part.get("s", "0")[3:12].ljust(9, "0"))
    offset = 0
    if part.get("Z", "Z") != "Z":
        offset = int(part["Z"][1:3]) * 3600 + int(part["Z"][4:]) * 60
        offset = -offset if part["Z"][0] == "-" else offset
    try:
        day = datetime.date(year, int(part["M"]), int(part.get("D", 1))).toordinal() - 719163
    except ValueError:
        return float("inf")
    if hour > 23 or minute > 59 or second > 59:
        return float("inf")
    seconds = ((day * 24 + hour) * 60 + minute) * 60 + second - offset
    return (seconds + nanoseconds / 1e9 - first) / 86400


`

const pythonAnswers = `

def predict(row):
    leaf = _leaf(row)
    return None if leaf is None else CLASSES[_LEAVES[leaf][0]]


def predict_proba(row):
    leaf = _leaf(row)
    return None if leaf is None else list(_LEAVES[leaf][1])
`

// quotePython is s as a string of Python, in ASCII.
func quotePython(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			fmt.Fprintf(&b, "\\U%08x", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quoteJavaScript is s as a string of JavaScript, in ASCII and without a less-than sign,
// so that it can stand in a page.
func quoteJavaScript(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range utf16.Encode([]rune(s)) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(c))
		case c >= ' ' && c <= '~' && c != '<':
			b.WriteByte(byte(c))
		default:
			fmt.Fprintf(&b, "\\u%04x", c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// scriptWriter writes what Python and JavaScript have in common.
type scriptWriter struct {
	out   *bufio.Writer
	plan  *plan
	quote func(s string) string
}

func (w *scriptWriter) printf(format string, args ...any) {
	fmt.Fprintf(w.out, w.plan.say(format), args...)
}

// list returns the texts, quoted, with commas between them.
func (w *scriptWriter) list(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = w.quote(text)
	}
	return strings.Join(quoted, ", ")
}

// tuple is list for the tuples of Python, of which one alone needs a comma.
func (w *scriptWriter) tuple(texts []string) string {
	if len(texts) == 1 {
		return w.quote(texts[0]) + ","
	}
	return w.list(texts)
}

// shares returns the shares of a leaf.
func (w *scriptWriter) shares(n *node, tuple bool) string {
	texts := make([]string, len(n.shares))
	for k, share := range n.shares {
		texts[k] = literal(share)
	}
	if tuple && len(texts) == 1 {
		return texts[0] + ","
	}
	return strings.Join(texts, ", ")
}

// lookups writes for each input the texts that stand for categories or numbers, those
// of missing fields among them, whose number is none.
func (w *scriptWriter) lookups(open, entry, end, none string) {
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		w.printf("%s\n", fmt.Sprintf(open, i))
		line := func(text, value string) { w.printf("    %s,\n", fmt.Sprintf(entry, w.quote(text), value)) }
		if in.text {
			for _, l := range in.lookups() {
				line(l.text, fmt.Sprint(l.category))
			}
		} else {
			for _, c := range in.codes {
				line(c.text, literal(c.value))
			}
			for _, text := range in.missingTexts() {
				line(text, none)
			}
			for _, v := range in.gaps {
				w.printf("    %s,\n", fmt.Sprintf(entry, literal(v), none))
			}
		}
		w.printf("%s\n\n", end)
	}
}
