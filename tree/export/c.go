package export

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// cLanguage: a product passes through a volatile variable, so that no compiler fuses it
// with the sum that it is a part of, whatever its flags. The function's name begins with prefix.
func cLanguage(prefix string) *language {
	return &language{
		and: "&&", or: "||", not: "!", equal: "==", other: "!=",
		truth:   func(c string) string { return "(double)(" + c + ")" },
		real:    func(i string) string { return "(double)" + i },
		product: func(w, v string) string { return prefix + "_product(" + w + ", " + v + ")" },
		open:    func(c string) string { return "if (" + c + ") {" },
		close:   "}",
		leaf:    func(k int) string { return fmt.Sprintf("return %d;", k) },
		indent:  "    ",
	}
}

// writeC writes one file of C99, without a header: the struct of a row, the names of the
// classes, NAME_predict and NAME_shares.
func writeC(out *bufio.Writer, p *plan, o Options) error {
	if !isIdentifier(o.Name, cReserved) {
		return fmt.Errorf("the name %q is not a valid C identifier", o.Name)
	}
	if where, ok := p.firstWith(func(s string) bool { return strings.ContainsRune(s, 0) }); ok {
		return fmt.Errorf("texts of C end at a null character, and %s has one", where)
	}
	if err := p.onlyNumbers(); err != nil {
		return err
	}
	w := &cWriter{out: out, plan: p, prefix: o.Name, fields: identifiers(p.inputNames(), cField, cReserved)}
	w.head()
	w.row()
	w.tables()
	w.lookup()
	w.leaf()
	w.answers()
	return nil
}

// cReserved are the words of C and C++ that a member cannot be named, and names that
// compilers or common headers define as macros.
var cReserved = strings.Fields(`alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl
	complex const const_cast constexpr continue decltype default delete do double dynamic_cast else enum explicit export
	extern false float for friend goto if imaginary inline int long mutable namespace new noexcept not not_eq nullptr
	operator or or_eq private protected public register reinterpret_cast restrict return short signed sizeof static
	static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof
	typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq
	linux unix i386 arm mips sparc vax sun near far interface small errno stdin stdout stderr assert I NULL EOF NAN
	INFINITY TRUE FALSE BUFSIZ RAND_MAX`)

// cField is the member of a column.
func cField(words []string) string {
	name := strings.Join(words, "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "column_" + name
	}
	return name
}

type cWriter struct {
	out    *bufio.Writer
	plan   *plan
	prefix string
	fields []string // members, by input
}

func (w *cWriter) printf(format string, args ...any) { fmt.Fprintf(w.out, w.plan.say(format), args...) }

func (w *cWriter) head() {
	w.plan.blockComment(w.out)
	w.printf(`/* A decision tree, written by octgen. C99 or C++; standard library only.
 *
 * %[1]s_predict returns the class of a row as an index of %[1]s_classes, or -1 where
 * the row has none: a number or text is missing and nothing stands for it, a number
 * is not finite, or a text is unknown. Texts are compared byte by byte, without
 * blanks around them. */
#include <float.h>
#include <string.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "sums must be rounded to double: compile with -msse2 -mfpmath=sse"
#endif
#ifdef __FAST_MATH__
#error "missing numbers are NaN, which -ffast-math does away with: compile without it"
#endif

`, w.prefix)
}

func (w *cWriter) row() {
	w.printf("struct %s_row {\n", w.prefix)
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		kind, what := "double ", "number, NaN where missing"
		if in.text {
			kind, what = "const char *", `text, NULL or "" where missing`
		}
		w.printf("    %s%s; /* %s: %s */\n", kind, w.fields[i], cComment(in.name), what)
	}
	if len(w.plan.inputs) == 0 {
		w.printf("    char none; /* the tree asks for no column */\n")
	}
	w.printf("};\n\n")
}

func (w *cWriter) tables() {
	if w.plan.numbers {
		w.printf("static const double %s_leaf_value[] = {%s};\n\n", w.prefix, w.plan.numbersOf(literal))
		return
	}
	leaves, _ := w.plan.leaves()
	w.printf("const int %s_class_count = %d;\nconst char *const %[1]s_classes[] = {", w.prefix, len(w.plan.classes))
	for k, name := range w.plan.classes {
		w.separate(k)
		w.printf("%s", cString(name))
	}
	w.printf("};\n\nstatic const int %s_leaf_class[] = {", w.prefix)
	for i, n := range leaves {
		w.separate(i)
		w.printf("%d", n.class)
	}
	w.printf("};\nstatic const double %s_leaf_share[][%d] = {\n", w.prefix, len(w.plan.classes))
	for _, n := range leaves {
		w.printf("    {")
		for k, share := range n.shares {
			w.separate(k)
			w.printf("%s", literal(share))
		}
		w.printf("},\n")
	}
	w.printf("};\n\n")
}

func (w *cWriter) separate(i int) {
	if i > 0 {
		w.out.WriteString(", ")
	}
}

// lookup writes the tables of texts and the function that looks into them.
func (w *cWriter) lookup() {
	some := false
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		if !in.text {
			continue
		}
		if !some {
			w.printf("struct %s_text {\n    const char *text;\n    int category;\n};\n\n", w.prefix)
			some = true
		}
		w.printf("static const struct %s_text %[1]s_texts%[2]d[] = {\n", w.prefix, i)
		for _, l := range in.lookups() {
			w.printf("    {%s, %d},\n", cString(l.text), l.category)
		}
		w.printf("};\n\n")
	}
	if some {
		w.printf(`static int %[1]s_category(const char *text, const struct %[1]s_text *texts, int n, int unknown) {
    int i;
    if (text == NULL) text = "";
    for (i = 0; i < n; i++) {
        if (strcmp(text, texts[i].text) == 0) return texts[i].category;
    }
    return unknown;
}

`, w.prefix)
	}
}

func (w *cWriter) leaf() {
	if w.plan.hasSum() {
		w.printf(`/* Rounded to double before it is added: no compiler may fuse it with the sum. */
static double %s_product(double weight, double value) {
    volatile double rounded = weight * value;
    return rounded;
}

`, w.prefix)
	}
	w.printf("static int %[1]s_leaf(const struct %[1]s_row *row) {\n", w.prefix)
	asked := w.plan.asked()
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		if in.text {
			w.printf("    const int c%d = %s_category(row->%s, %[2]s_texts%[1]d, %[4]d, %[5]d);\n", i, w.prefix, w.fields[i], len(in.lookups()), in.unknown())
			continue
		}
		w.printf("    double x%d = row->%s;\n", i, w.fields[i])
		if asked[i].gap {
			w.printf("    const int m%d = %s;\n", i, isGap(in, i))
		}
	}
	if len(w.plan.inputs) == 0 {
		w.printf("    (void)row;\n")
	}
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		if in.text {
			w.printf("    if (c%d == %d) return -1;\n", i, unfilled)
			continue
		}
		if in.fill != nil {
			w.printf("    if (%s) x%d = %s;\n", isGap(in, i), i, literal(*in.fill))
		} else if len(in.gaps) > 0 {
			w.printf("    if (%s) return -1;\n", isGap(in, i))
		}
		w.printf("    if (!(x%d >= -%s && x%[1]d <= %[2]s)) return -1;\n", i, shortest(dataset.MaxAbs))
	}
	cLanguage(w.prefix).writeTests(w.out, w.plan, 1)
	w.printf("}\n\n")
}

// isGap is the condition, of C and of Go, that the number of input i is missing.
func isGap(in *input, i int) string {
	condition := fmt.Sprintf("x%d != x%[1]d", i)
	for _, v := range in.gaps {
		condition += fmt.Sprintf(" || x%d == %s", i, literal(v))
	}
	return condition
}

func (w *cWriter) answers() {
	if w.plan.numbers {
		w.printf(cNumberAnswers, w.prefix)
		return
	}
	w.printf(`int %[1]s_predict(const struct %[1]s_row *row) {
    const int at = %[1]s_leaf(row);
    return at < 0 ? -1 : %[1]s_leaf_class[at];
}

/* The share of each class in the training weight of the row's leaf; NULL where the row
 * has no class. */
const double *%[1]s_shares(const struct %[1]s_row *row) {
    const int at = %[1]s_leaf(row);
    return at < 0 ? NULL : %[1]s_leaf_share[at];
}
`, w.prefix)
}

// cString is s as a string of C: bytes beyond ASCII in octal, which takes three digits
// and no more; no question mark that could begin a trigraph.
func cString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// cComment is a name for a comment, which it can neither end nor begin anew.
func cComment(name string) string {
	return strings.NewReplacer("*/", `*\/`, "/*", `/\*`).Replace(strconv.QuoteToASCII(name))
}
