package export

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/octgen/octgen/dataset"
)

func javaScriptLanguage() *language {
	return &language{
		and: "&&", or: "||", not: "!", equal: "===", other: "!==",
		truth:   func(c string) string { return "Number(" + c + ")" },
		real:    func(i string) string { return i },
		product: func(w, v string) string { return w + " * " + v },
		open:    func(c string) string { return "if (" + c + ") {" },
		close:   "}",
		leaf:    func(k int) string { return fmt.Sprintf("return %d;", k) },
		indent:  "  ",
	}
}

// javaScriptReserved are the words of JavaScript that a constant cannot be named, and
// what the script itself asks for by name.
var javaScriptReserved = strings.Fields(`arguments await break case catch class const continue debugger default delete
	do else enum eval export extends false finally for function if implements import in instanceof interface let new
	null package private protected public return static super switch this throw true try typeof var void while with
	yield undefined NaN Infinity Array Date Error JSON Map Math Number Object RegExp String
	exports module require __dirname __filename`)

// writeJavaScript writes a file for browsers, where it defines the name, and for Node,
// where it is a module of predict and predict_proba.
func writeJavaScript(out *bufio.Writer, p *plan, o Options) error {
	if !isIdentifier(o.Name, javaScriptReserved) {
		return fmt.Errorf("the name %q is not a free JavaScript identifier", o.Name)
	}
	if err := p.dateFormats(); err != nil {
		return err
	}
	w := &scriptWriter{out: out, plan: p, quote: quoteJavaScript}
	p.comment(out, "// ")
	w.printf(javaScriptHead, o.Name)
	if !p.numbers {
		w.printf("const CLASSES = [%s];\n", w.list(p.classes))
	}
	w.printf("const COLUMNS = [%s];\n", w.list(p.inputNames()))
	if p.numbers {
		w.printf("const LEAVES = [%s];\n\n", p.numbersOf(literal))
	} else {
		leaves, _ := p.leaves()
		w.printf("const LEAVES = [\n")
		for _, n := range leaves {
			w.printf("  [%d, [%s]],\n", n.class, w.shares(n, false))
		}
		w.printf("];\n\n")
	}
	w.lookups("const TEXTS%d = new Map([", "[%s, %s]", "]);", "null")
	out.WriteString(javaScriptReaders)
	if p.hasDates() {
		out.WriteString(javaScriptDates)
	}
	w.printf("function leaf(row) {\n")
	asked := p.asked()
	for i := range p.inputs {
		in := &p.inputs[i]
		field := fmt.Sprintf("field(row, %s)", w.quote(in.name))
		if in.text {
			w.printf("  const c%d = category(%s, TEXTS%[1]d, %[3]d);\n  if (c%[1]d === %[4]d) return -1;\n", i, field, in.unknown(), unfilled)
			continue
		}
		if in.date != nil {
			w.printf("  let x%d = date(%s, TEXTS%[1]d, %[3]s, %[4]s, %[5]d);\n", i, field, w.quote("^"+datePattern(in.date)+"$"), w.quote(dateGroups(in.date)), firstSecond(in.date))
		} else {
			w.printf("  let x%d = number(%s, TEXTS%[1]d%[3]s);\n", i, field, commaArgument(in, "true"))
		}
		if asked[i].gap {
			w.printf("  const m%d = x%[1]d === null;\n", i)
		}
		if in.fill != nil {
			w.printf("  if (x%d === null) x%[1]d = %s;\n", i, literal(*in.fill))
		}
		w.printf("  if (x%d === null || !(Math.abs(x%[1]d) <= %s)) return -1;\n", i, shortest(dataset.MaxAbs))
	}
	javaScriptLanguage().writeTests(out, p, 1)
	answers := javaScriptAnswers
	if p.numbers {
		answers = javaScriptNumberAnswers
	}
	w.printf(answers, o.Name)
	return nil
}

const javaScriptHead = `// A decision tree, written by octgen. Any browser or Node; nothing else is needed.
//
// predict(row) returns the class of a row, predict_proba(row) the share of each of
// CLASSES in the training weight of its leaf. A row is an object with the keys of
// COLUMNS; others are passed over, and one that is not there is an error. Numbers may
// be texts. null, undefined, NaN and "" are missing. A row without a class has null: a
// field is missing and nothing stands for it, a number is none, or a text is unknown.
// In a browser the functions are those of the global %[1]s.
"use strict";
const %[1]s = (function () {
`

const javaScriptReaders = `const DECIMAL = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const BLANKS = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

function field(row, name) {
  if (!Object.prototype.hasOwnProperty.call(row, name)) throw new Error("the row has no column " + JSON.stringify(name));
  const value = row[name];
  return value === null || value === undefined || Number.isNaN(value) ? "" : value;
}

// The number, null where it is missing, NaN where it is none.
function number(value, texts, comma = false) {
  const isText = typeof value === "string";
  if (isText) value = value.replace(BLANKS, "");
  if (texts.has(value)) return texts.get(value);
  if (!isText) return Number(value);
  if (comma) value = value.replaceAll(".", "_").replace(",", ".");
  return DECIMAL.test(value) ? Number(value) : NaN;
}

function category(value, texts, unknown) {
  const text = String(value).replace(BLANKS, "");
  return texts.has(text) ? texts.get(text) : unknown;
}

`

const javaScriptDates = `// The days since the first date, null where it is missing, NaN where it is none.
function date(value, texts, pattern, groups, first) {
  const text = String(value).replace(BLANKS, "");
  if (texts.has(text)) return texts.get(text);
  const match = text.match(new RegExp(pattern));
  if (match === null) return NaN;
  const part = { D: "1", h: "0", m: "0", s: "0", Z: "Z" };
  Array.from(groups).forEach((name, i) => { part[name] = match[i + 1]; });
  let year = Number(part.Y);
  if (part.Y.length === 2) year += year >= 69 ? 1900 : 2000;
  const month = Number(part.M), day = Number(part.D);
  const hour = Number(part.h), minute = Number(part.m), second = Number(part.s.slice(0, 2));
  const nanoseconds = Number(part.s.slice(3, 12).padEnd(9, "0"));
  let offset = 0;
  if (part.Z !== "Z") {
    offset = Number(part.Z.slice(1, 3)) * 3600 + Number(part.Z.slice(4)) * 60;
    if (part.Z[0] === "-") offset = -offset;
  }
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  const exists = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return NaN;
  const seconds = midnight.getTime() / 1000 + (hour * 60 + minute) * 60 + second - offset;
  return (seconds + nanoseconds / 1e9 - first) / 86400;
}

`

const javaScriptAnswers = `}

function predict(row) {
  const at = leaf(row);
  return at < 0 ? null : CLASSES[LEAVES[at][0]];
}

function predict_proba(row) {
  const at = leaf(row);
  return at < 0 ? null : LEAVES[at][1].slice();
}

return { CLASSES, COLUMNS, predict, predict_proba };
})();
if (typeof module !== "undefined") module.exports = %s;
`
