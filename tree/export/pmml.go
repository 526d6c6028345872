package export

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/octgen/octgen/dataset"
)

// writePMML writes a TreeModel of PMML 4.4. Sums of hyperplanes are derived fields, since
// a predicate compares one field with one value.
func writePMML(out *bufio.Writer, p *plan, _ Options) error {
	if err := p.onlyNumbers(); err != nil {
		return err
	}
	if where, ok := p.firstWith(func(s string) bool { return strings.IndexFunc(s, notXML) >= 0 }); ok {
		return fmt.Errorf("%s has a character that XML does not allow", where)
	}
	w := &pmmlWriter{out: out, plan: p, asked: p.asked(), names: newNames(append(p.inputNames(), p.target))}
	w.open("PMML", "xmlns", "http://www.dmg.org/PMML-4_4", "version", "4.4")
	w.open("Header", "description", strings.Join(append([]string{"Decision tree"}, p.about...), ". "))
	w.leafElement("Application", "name", "octgen")
	w.close("Header")
	w.dictionary()
	function := "classification"
	if p.numbers {
		function = "regression"
	}
	w.open("TreeModel", "functionName", function, "missingValueStrategy", "nullPrediction",
		"noTrueChildStrategy", "returnNullPrediction", "splitCharacteristic", "binarySplit")
	w.schema()
	w.output()
	w.transformations()
	w.node(0, func() { w.leafElement("True") })
	w.close("TreeModel")
	w.close("PMML")
	return nil
}

// notXML reports whether XML 1.0 has no such character.
func notXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
}

type pmmlWriter struct {
	out   *bufio.Writer
	plan  *plan
	asked []reads
	names *names
	depth int
	// Names of derived fields: of filled numbers by input, of sums by node.
	filled map[int]string
	sums   map[int]string
}

// open writes the beginning of an element with attributes, names and values in turn.
func (w *pmmlWriter) open(element string, attributes ...string) {
	w.begin(element, attributes)
	w.out.WriteString(">\n")
	w.depth++
}

// leafElement writes an element without content.
func (w *pmmlWriter) leafElement(element string, attributes ...string) {
	w.begin(element, attributes)
	w.out.WriteString("/>\n")
}

// textElement writes an element whose content is text.
func (w *pmmlWriter) textElement(element, text string, attributes ...string) {
	w.begin(element, attributes)
	w.out.WriteByte('>')
	w.escape(text)
	fmt.Fprintf(w.out, "</%s>\n", element)
}

func (w *pmmlWriter) begin(element string, attributes []string) {
	fmt.Fprintf(w.out, "%s<%s", w.margin(), element)
	for i := 0; i < len(attributes); i += 2 {
		fmt.Fprintf(w.out, ` %s="`, attributes[i])
		w.escape(attributes[i+1])
		w.out.WriteByte('"')
	}
}

// escape writes text so that blanks of all kinds stay as they are.
func (w *pmmlWriter) escape(text string) {
	xml.EscapeText(w.out, []byte(text)) // Write reports the errors of its writer
}

func (w *pmmlWriter) close(element string) {
	w.depth--
	fmt.Fprintf(w.out, "%s</%s>\n", w.margin(), element)
}

// margin is the indentation of a line.
func (w *pmmlWriter) margin() string { return strings.Repeat(" ", min(w.depth, deepest)) }

func (w *pmmlWriter) dictionary() {
	w.open("DataDictionary", "numberOfFields", fmt.Sprint(len(w.plan.inputs)+1))
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		if !in.text {
			w.open("DataField", "name", in.name, "optype", "continuous", "dataType", "double")
			most := shortest(dataset.MaxAbs)
			w.leafElement("Interval", "closure", "closedClosed", "leftMargin", "-"+most, "rightMargin", most)
			for _, v := range in.gaps {
				w.leafElement("Value", "value", literal(v), "property", "missing")
			}
			w.close("DataField")
			continue
		}
		w.open("DataField", "name", in.name, "optype", "categorical", "dataType", "string")
		for _, text := range w.valid(in) {
			w.leafElement("Value", "value", text)
		}
		for _, text := range in.missingTexts() {
			if !slices.Contains(w.valid(in), text) {
				w.leafElement("Value", "value", text, "property", "missing")
			}
		}
		w.close("DataField")
	}
	if w.plan.numbers {
		w.leafElement("DataField", "name", w.plan.target, "optype", "continuous", "dataType", "double")
		w.close("DataDictionary")
		return
	}
	w.open("DataField", "name", w.plan.target, "optype", "categorical", "dataType", "string")
	for _, class := range w.plan.classes {
		w.leafElement("Value", "value", class)
	}
	w.close("DataField")
	w.close("DataDictionary")
}

// valid are the texts of categories, the name of that of missing fields among them.
func (w *pmmlWriter) valid(in *input) []string {
	texts := in.known()
	if k := in.fillCategory; k >= 0 && in.categories[k] == missingText {
		texts = append(texts, missingText)
	}
	return texts
}

func (w *pmmlWriter) schema() {
	w.open("MiningSchema")
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		attributes := []string{"name", in.name}
		if in.text && in.admits {
			attributes = append(attributes, "invalidValueTreatment", "asIs")
		} else {
			attributes = append(attributes, "invalidValueTreatment", "returnInvalid")
		}
		switch {
		case !in.fills():
			attributes = append(attributes, "missingValueTreatment", "returnInvalid")
		case in.text:
			attributes = append(attributes, "missingValueTreatment", "asValue", "missingValueReplacement", w.replacement(in))
		case !w.asked[i].gap:
			attributes = append(attributes, "missingValueTreatment", "asValue", "missingValueReplacement", literal(*in.fill))
		}
		w.leafElement("MiningField", attributes...)
	}
	w.leafElement("MiningField", "name", w.plan.target, "usageType", "target")
	w.close("MiningSchema")
}

// replacement is the text in place of a missing one: that of its category, or one that
// no category has.
func (w *pmmlWriter) replacement(in *input) string {
	if in.fillCategory >= 0 {
		texts := w.texts(in, []int{in.fillCategory})
		return texts[len(texts)-1]
	}
	none := missingText
	for slices.Contains(w.valid(in), none) {
		none += missingText
	}
	return none
}

// texts are those of the categories in set; that of missing fields has its name.
func (w *pmmlWriter) texts(in *input, set []int) []string {
	texts := in.texts(set)
	if k := in.fillCategory; k >= 0 && slices.Contains(set, k) && (in.categories[k] == missingText || len(texts) == 0) {
		texts = append(texts, in.categories[k])
	}
	return texts
}

func (w *pmmlWriter) output() {
	w.open("Output")
	if w.plan.numbers {
		w.leafElement("OutputField", "name", w.names.free("octgen_value"), "optype", "continuous", "dataType", "double", "feature", "predictedValue")
		w.close("Output")
		return
	}
	w.leafElement("OutputField", "name", w.names.free(w.plan.say("octgen_class")), "optype", "categorical", "dataType", "string", "feature", "predictedValue")
	for _, class := range w.plan.classes {
		if w.plan.policy { // rewards are no probabilities, and PMML has no other place for them
			break
		}
		w.leafElement("OutputField", "name", w.names.free("octgen_share_"+class), "optype", "continuous", "dataType", "double",
			"feature", "probability", "value", class)
	}
	w.close("Output")
}

func (w *pmmlWriter) transformations() {
	w.filled, w.sums = make(map[int]string), make(map[int]string)
	if !w.plan.hasSum() && !w.hasFilled() {
		return
	}
	w.open("LocalTransformations")
	for i := range w.plan.inputs {
		in := &w.plan.inputs[i]
		if in.text || in.fill == nil || !w.asked[i].gap {
			continue
		}
		w.filled[i] = w.names.free("octgen_filled_" + in.name)
		w.derived(w.filled[i], func() {
			w.leafElement("FieldRef", "field", in.name, "mapMissingTo", literal(*in.fill))
		})
	}
	for i := range w.plan.nodes {
		if q := w.plan.nodes[i].test; q != nil && q.kind == isSumLess {
			w.sums[i] = w.names.free(fmt.Sprintf("octgen_sum_%d", w.plan.nodes[i].source))
			w.derived(w.sums[i], func() { w.sum(q.terms) })
		}
	}
	w.close("LocalTransformations")
}

func (w *pmmlWriter) hasFilled() bool {
	for i := range w.plan.inputs {
		if in := &w.plan.inputs[i]; !in.text && in.fill != nil && w.asked[i].gap {
			return true
		}
	}
	return false
}

func (w *pmmlWriter) derived(name string, expression func()) {
	w.open("DerivedField", "name", name, "optype", "continuous", "dataType", "double")
	expression()
	w.close("DerivedField")
}

// apply writes a function of what the arguments write.
func (w *pmmlWriter) apply(function string, arguments ...func()) {
	w.open("Apply", "function", function)
	for _, argument := range arguments {
		argument()
	}
	w.close("Apply")
}

func (w *pmmlWriter) constant(v float64) func() {
	return func() { w.textElement("Constant", literal(v), "dataType", "double") }
}

// sum adds the terms from the left.
func (w *pmmlWriter) sum(terms []term) {
	last := terms[len(terms)-1]
	product := func() { w.apply("*", w.constant(last.weight), func() { w.value(last) }) }
	if len(terms) == 1 {
		product()
		return
	}
	w.apply("+", func() { w.sum(terms[:len(terms)-1]) }, product)
}

func (w *pmmlWriter) value(t term) {
	in := &w.plan.inputs[t.input]
	field := func() { w.leafElement("FieldRef", "field", in.name) }
	isIn := func(category int) func() {
		return func() {
			arguments := []func(){field}
			for _, text := range w.texts(in, []int{category}) {
				arguments = append(arguments, func() { w.textElement("Constant", text, "dataType", "string") })
			}
			w.apply("isIn", arguments...)
		}
	}
	switch t.value {
	case aGap:
		w.apply("if", func() { w.apply("isMissing", field) }, w.constant(1), w.constant(0))
	case aMark:
		w.apply("if", isIn(t.category), w.constant(1), w.constant(0))
	case anIndex:
		otherwise := w.constant(noCategory)
		for k := range in.categories {
			if len(w.texts(in, []int{k})) > 0 {
				after := otherwise
				otherwise = func() { w.apply("if", isIn(k), w.constant(float64(k)), after) }
			}
		}
		otherwise()
	default:
		w.leafElement("FieldRef", "field", w.number(t.input))
	}
}

// number is the field that holds the number of an input.
func (w *pmmlWriter) number(i int) string {
	if name, ok := w.filled[i]; ok {
		return name
	}
	return w.plan.inputs[i].name
}

// node writes the node at with what is below; predicate writes when a row is there.
func (w *pmmlWriter) node(at int, predicate func()) {
	n := &w.plan.nodes[at]
	score := w.plan.classes[n.class]
	if w.plan.numbers {
		score = literal(n.value)
	}
	w.open("Node", "id", fmt.Sprint(n.source), "score", score, "recordCount", shortest(n.rows))
	predicate()
	if n.test != nil {
		w.node(n.left, func() { w.predicate(at, true) })
		w.node(n.right, func() { w.predicate(at, false) })
	} else if !w.plan.policy && !w.plan.numbers {
		for k, share := range n.shares {
			w.leafElement("ScoreDistribution", "value", w.plan.classes[k], "recordCount", shortest(n.counts[k]), "probability", literal(share))
		}
	}
	w.close("Node")
}

// predicate is that the test of the node at holds, or does not.
func (w *pmmlWriter) predicate(at int, holds bool) {
	q := w.plan.nodes[at].test
	positive := holds != q.except
	in := ""
	if q.kind != isSumLess {
		in = w.plan.inputs[q.input].name
	}
	switch q.kind {
	case isBelow:
		if q.last {
			w.routed(in, q, holds)
			return
		}
		w.compare(w.number(q.input), holds, q.threshold)
	case isSumLess:
		w.compare(w.sums[at], holds, q.threshold)
	case isMissing:
		w.leafElement("SimplePredicate", "field", in, "operator", choose(positive, "isMissing", "isNotMissing"))
	case isAmong:
		w.among(in, w.texts(&w.plan.inputs[q.input], q.set), positive)
	}
}

// routed is that a number is less and there is one, or the opposite.
func (w *pmmlWriter) routed(field string, q *test, holds bool) {
	w.open("CompoundPredicate", "booleanOperator", choose(holds, "and", "or"))
	w.leafElement("SimplePredicate", "field", field, "operator", choose(holds, "isNotMissing", "isMissing"))
	w.compare(w.number(q.input), holds, q.threshold)
	w.close("CompoundPredicate")
}

func choose(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

func (w *pmmlWriter) compare(field string, less bool, threshold float64) {
	w.leafElement("SimplePredicate", "field", field, "operator", choose(less, "lessThan", "greaterOrEqual"), "value", literal(threshold))
}

// among is that the field is one of the texts, or none: a comparison for each, since
// readers of arrays differ in quotes and backslashes.
func (w *pmmlWriter) among(field string, texts []string, is bool) {
	operator := choose(is, "equal", "notEqual")
	switch len(texts) {
	case 0:
		w.leafElement(choose(is, "False", "True"))
		return
	case 1:
		w.leafElement("SimplePredicate", "field", field, "operator", operator, "value", texts[0])
		return
	}
	w.open("CompoundPredicate", "booleanOperator", choose(is, "or", "and"))
	for _, text := range texts {
		w.leafElement("SimplePredicate", "field", field, "operator", operator, "value", text)
	}
	w.close("CompoundPredicate")
}
