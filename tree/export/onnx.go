package export

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/octgen/octgen/dataset"
	"google.golang.org/protobuf/encoding/protowire"
)

// Versions of what a model is written in: onnx.proto, its operators, those of ai.onnx.ml
// (5 is the first with trees of doubles and "less than").
const (
	onnxIR        = 10
	onnxOperators = 21
	onnxML        = 5
	onnxMLDomain  = "ai.onnx.ml"
)

// writeONNX writes a model with an input of each column, N by 1, and the outputs
// octgen_class (N) and octgen_shares (N by K): a class of "" and shares of NaN where a
// row has none.
//
// What tests ask for becomes a matrix of doubles: the numbers, 0 or 1 for tests of
// categories, the sums of hyperplanes. A TreeEnsemble finds the leaf in it. Sums are
// products and additions, one after the other, since the operators of matrices are free
// to round in another order.
func writeONNX(out *bufio.Writer, p *plan, _ Options) error {
	if err := p.onlyNumbers(); err != nil {
		return err
	}
	if len(p.columns) == 0 {
		return errors.New("a model needs a column for its number of rows, and the tree has none")
	}
	if len(p.inputs) == 0 {
		p.inputs = p.columns[:1]
	}
	g := &onnxGraph{plan: p, asked: p.asked(), names: newNames(p.inputNames()), marks: make(map[string]string)}
	g.class, g.shares = g.names.free(g.plan.say("octgen_class")), g.names.free(g.plan.say("octgen_shares"))
	for i := range p.inputs {
		g.readInput(i)
	}
	g.answers(g.leaf(), g.admitted())
	var model message
	model = model.number(1, onnxIR).text(2, "octgen")
	if p.about != nil {
		model = model.text(6, strings.Join(p.about, " "))
	}
	model = model.bytes(7, g.encoded())
	for _, set := range []struct {
		domain  string
		version int64
	}{{"", onnxOperators}, {onnxMLDomain, onnxML}} {
		model = model.bytes(8, message(nil).text(1, set.domain).number(2, set.version))
	}
	out.Write(model)
	return nil
}

// onnxGraph is the graph of a model under construction. Values are known by their names.
type onnxGraph struct {
	plan    *plan
	asked   []reads
	names   *names
	class   string // outputs
	shares  string
	nodes   []message
	tensors []message
	marks   map[string]string // values that are made once

	number   []string // by input: its double, filled; "" of texts
	gap      []string // by input: whether its number is missing
	category []string // by input: its index, N by 1; "" of numbers
	fine     []string // whether rows have a class, by input
}

func (g *onnxGraph) fresh(what string) string { return g.names.free("octgen_" + what) }

// operator adds a node and returns its output.
func (g *onnxGraph) operator(operator string, inputs []string, attributes ...message) string {
	return g.node("", operator, inputs, g.fresh(operator), attributes...)
}

func (g *onnxGraph) node(domain, operator string, inputs []string, output string, attributes ...message) string {
	g.nodes = append(g.nodes, operatorNode(domain, operator, inputs, output, attributes...))
	return output
}

// double returns a constant.
func (g *onnxGraph) double(v float64) string { return g.doubles([]float64{v}) }

func (g *onnxGraph) doubles(v []float64, dims ...int64) string {
	if dims == nil {
		dims = []int64{int64(len(v))}
	}
	name := g.fresh("constant")
	g.tensors = append(g.tensors, doubleTensor(name, v, dims...))
	return name
}

func (g *onnxGraph) int64s(v ...int64) string {
	name := g.fresh("constant")
	g.tensors = append(g.tensors, int64Tensor(name, v, int64(len(v))))
	return name
}

func (g *onnxGraph) cast(value string, kind int64) string {
	return g.operator("Cast", []string{value}, intAttribute("to", kind))
}

// readInput adds what reads input i.
func (g *onnxGraph) readInput(i int) {
	in := &g.plan.inputs[i]
	number, gap, category := "", "", ""
	asked := g.asked[i] != reads{}
	switch {
	case in.text:
		var keys []string
		var indices []int64
		for _, l := range in.lookups() {
			keys, indices = append(keys, l.text), append(indices, int64(l.category))
		}
		category = g.node(onnxMLDomain, "LabelEncoder", []string{in.name}, g.fresh("category"),
			stringsAttribute("keys_strings", keys), intsAttribute("values_int64s", indices), intAttribute("default_int64", int64(in.unknown())))
		if asked {
			g.fine = append(g.fine, g.operator("Greater", []string{category, g.int64s(unfilled)}))
		}
	default:
		gap = g.operator("IsNaN", []string{in.name})
		for _, v := range in.gaps {
			gap = g.operator("Or", []string{gap, g.operator("Equal", []string{in.name, g.double(v)})})
		}
		fill := math.NaN()
		if in.fill != nil {
			fill = *in.fill
		}
		number = g.operator("Where", []string{gap, g.double(fill), in.name})
		if asked {
			size := g.operator("Abs", []string{number})
			g.fine = append(g.fine, g.operator("LessOrEqual", []string{size, g.double(dataset.MaxAbs)}))
		}
	}
	g.number, g.gap, g.category = append(g.number, number), append(g.gap, gap), append(g.category, category)
}

// admitted returns whether rows have a class, N by 1; "" where all have.
func (g *onnxGraph) admitted() string {
	if len(g.fine) == 0 {
		return ""
	}
	all := g.fine[0]
	for _, fine := range g.fine[1:] {
		all = g.operator("And", []string{all, fine})
	}
	return all
}

// lookup returns the entry of a table for the category of input i: table has those of
// unfilled and noCategory first.
func (g *onnxGraph) lookup(i int, table []float64) string {
	at := g.operator("Sub", []string{g.category[i], g.int64s(unfilled)})
	return g.operator("Gather", []string{g.doubles(table), at})
}

// mark returns 1 for rows whose category of input i is among set, else 0; with except
// the other way round.
func (g *onnxGraph) mark(i int, set []int, except bool) string {
	table := make([]float64, len(g.plan.inputs[i].categories)-unfilled)
	for _, k := range set {
		table[k-unfilled] = 1
	}
	if except {
		for k := range table {
			table[k] = 1 - table[k]
		}
	}
	return g.lookup(i, table)
}

// value returns what a term multiplies its weight with.
func (g *onnxGraph) value(t term) string {
	key := fmt.Sprint(t.input, t.value, t.category)
	if name, ok := g.marks[key]; ok {
		return name
	}
	var name string
	switch t.value {
	case aGap:
		name = g.cast(g.gap[t.input], onnxDouble)
	case aMark:
		name = g.mark(t.input, []int{t.category}, false)
	case anIndex:
		name = g.cast(g.category[t.input], onnxDouble)
	default:
		name = g.number[t.input]
	}
	g.marks[key] = name
	return name
}

// last returns the number of an input whose missing fields are above all others.
func (g *onnxGraph) last(i int) string {
	key := fmt.Sprint("last", i)
	if g.marks[key] == "" {
		g.marks[key] = g.operator("Where", []string{g.gap[i], g.double(dataset.MaxAbs), g.number[i]})
	}
	return g.marks[key]
}

func (g *onnxGraph) sum(terms []term) string {
	total := ""
	for _, t := range terms {
		product := g.operator("Mul", []string{g.double(t.weight), g.value(t)})
		if total == "" {
			total = product
		} else {
			total = g.operator("Add", []string{total, product})
		}
	}
	return total
}

// tested returns what a test compares, N by 1, and the value it must be less than.
func (g *onnxGraph) tested(q *test) (value string, threshold float64) {
	const half = 0.5 // between the marks 0 and 1: of those rows that the test does not hold for
	switch q.kind {
	case isBelow:
		if q.last {
			return g.last(q.input), q.threshold
		}
		return g.number[q.input], q.threshold
	case isSumLess:
		return g.sum(q.terms), q.threshold
	case isMissing:
		gap := g.gap[q.input]
		if !q.except {
			gap = g.operator("Not", []string{gap})
		}
		return g.cast(gap, onnxDouble), half
	}
	return g.mark(q.input, q.set, !q.except), half
}

// leaf returns the leaf of each row, by its place among the leaves, N by 1.
func (g *onnxGraph) leaf() string {
	p := g.plan
	leaves, place := p.leaves()
	if p.nodes[0].test == nil { // the tree of the operator has a test at least
		zero := g.operator("Shape", []string{p.inputs[0].name})
		return g.operator("Expand", []string{g.int64s(0), zero})
	}
	branch := make([]int64, len(p.nodes)) // the place of each among the branch nodes
	var columns []string
	var features, yes, no, yesLeaf, noLeaf []int64
	var thresholds []float64
	column := make(map[string]int64)
	for i := range p.nodes {
		if q := p.nodes[i].test; q != nil {
			branch[i] = int64(len(features))
			value, threshold := g.tested(q)
			if _, ok := column[value]; !ok {
				column[value] = int64(len(columns))
				columns = append(columns, value)
			}
			features, thresholds = append(features, column[value]), append(thresholds, threshold)
		}
	}
	child := func(at int) (index, isLeaf int64) {
		if p.nodes[at].test == nil {
			return int64(place[at]), 1
		}
		return branch[at], 0
	}
	for i := range p.nodes {
		if n := &p.nodes[i]; n.test != nil {
			l, lLeaf := child(n.left)
			r, rLeaf := child(n.right)
			yes, yesLeaf, no, noLeaf = append(yes, l), append(yesLeaf, lLeaf), append(no, r), append(noLeaf, rLeaf)
		}
	}
	numbers := make([]float64, len(leaves))
	for i := range numbers {
		numbers[i] = float64(i)
	}
	const lessThan = 1 // BRANCH_LT
	matrix := g.operator("Concat", columns, intAttribute("axis", 1))
	leaf := g.node(onnxMLDomain, "TreeEnsemble", []string{matrix}, g.fresh("leaf"),
		intAttribute("n_targets", 1), intsAttribute("tree_roots", []int64{0}), intAttribute("aggregate_function", 1), intAttribute("post_transform", 0),
		intsAttribute("nodes_featureids", features), tensorAttribute("nodes_splits", doubleTensor("", thresholds, int64(len(thresholds)))),
		tensorAttribute("nodes_modes", uint8Tensor("", bytes.Repeat([]byte{lessThan}, len(features)), int64(len(features)))),
		intsAttribute("nodes_truenodeids", yes), intsAttribute("nodes_trueleafs", yesLeaf),
		intsAttribute("nodes_falsenodeids", no), intsAttribute("nodes_falseleafs", noLeaf),
		intsAttribute("leaf_targetids", make([]int64, len(leaves))), tensorAttribute("leaf_weights", doubleTensor("", numbers, int64(len(leaves)))))
	return g.cast(leaf, onnxInt64)
}

// answers adds the outputs: rows of tables, of which the first is for rows without a
// class.
func (g *onnxGraph) answers(leaf, admitted string) {
	leaves, _ := g.plan.leaves()
	classes := []string{""}
	shares := make([]float64, len(g.plan.classes))
	for k := range shares {
		shares[k] = math.NaN()
	}
	for _, n := range leaves {
		classes, shares = append(classes, g.plan.classes[n.class]), append(shares, n.shares...)
	}
	at := g.operator("Add", []string{leaf, g.int64s(1)})
	if admitted != "" {
		at = g.operator("Where", []string{admitted, at, g.int64s(0)})
	}
	at = g.operator("Reshape", []string{at, g.int64s(-1)})
	if g.plan.numbers {
		values := []float64{math.NaN()}
		for _, n := range leaves {
			values = append(values, n.value)
		}
		g.node("", "Gather", []string{g.doubles(values), at}, g.class)
		return
	}
	names := g.fresh("classes")
	g.tensors = append(g.tensors, stringTensor(names, classes, int64(len(classes))))
	g.node("", "Gather", []string{names, at}, g.class)
	table := g.doubles(shares, int64(len(classes)), int64(len(g.plan.classes)))
	g.node("", "Gather", []string{table, at}, g.shares)
}

// encoded is the GraphProto.
func (g *onnxGraph) encoded() message {
	var m message
	for _, n := range g.nodes {
		m = m.bytes(1, n)
	}
	m = m.text(2, "tree")
	for _, t := range g.tensors {
		m = m.bytes(5, t)
	}
	for i := range g.plan.inputs {
		kind := int64(onnxDouble)
		if g.plan.inputs[i].text {
			kind = onnxString
		}
		m = m.bytes(11, valueInfo(g.plan.inputs[i].name, kind, 1))
	}
	if g.plan.numbers {
		return m.bytes(12, valueInfo(g.class, onnxDouble, 0))
	}
	m = m.bytes(12, valueInfo(g.class, onnxString, 0))
	return m.bytes(12, valueInfo(g.shares, onnxDouble, int64(len(g.plan.classes))))
}

// The messages of onnx.proto that a model here has, each as its encoding. A field is
// appended with its number in that file.

// message is an encoded message under construction.
type message []byte

func (m message) bytes(field protowire.Number, v []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
}

func (m message) text(field protowire.Number, v string) message { return m.bytes(field, []byte(v)) }

func (m message) number(field protowire.Number, v int64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(v))
}

// Types of elements: TensorProto.DataType.
const (
	onnxUint8  = 2
	onnxInt64  = 7
	onnxString = 8
	onnxDouble = 11
)

// tensorHead is a TensorProto without its data.
func tensorHead(name string, kind int64, dims []int64) message {
	var m message
	for _, d := range dims {
		m = m.number(1, d)
	}
	return m.number(2, kind).text(8, name)
}

func doubleTensor(name string, v []float64, dims ...int64) message {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	return tensorHead(name, onnxDouble, dims).bytes(9, raw)
}

func int64Tensor(name string, v []int64, dims ...int64) message {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return tensorHead(name, onnxInt64, dims).bytes(9, raw)
}

func uint8Tensor(name string, v []byte, dims ...int64) message {
	return tensorHead(name, onnxUint8, dims).bytes(9, v)
}

func stringTensor(name string, v []string, dims ...int64) message {
	m := tensorHead(name, onnxString, dims)
	for _, s := range v {
		m = m.text(6, s)
	}
	return m
}

// Attributes: AttributeProto, with its type.

func intAttribute(name string, v int64) message {
	return message(nil).text(1, name).number(3, v).number(20, 2)
}

func tensorAttribute(name string, t message) message {
	return message(nil).text(1, name).bytes(5, t).number(20, 4)
}

func intsAttribute(name string, v []int64) message {
	m := message(nil).text(1, name)
	for _, x := range v {
		m = m.number(8, x)
	}
	return m.number(20, 7)
}

func stringsAttribute(name string, v []string) message {
	m := message(nil).text(1, name)
	for _, s := range v {
		m = m.text(9, s)
	}
	return m.number(20, 8)
}

// operatorNode is a NodeProto; domain "" is that of ONNX itself.
func operatorNode(domain, operator string, inputs []string, output string, attributes ...message) message {
	var m message
	for _, in := range inputs {
		m = m.text(1, in)
	}
	m = m.text(2, output).text(3, output).text(4, operator)
	for _, a := range attributes {
		m = m.bytes(5, a)
	}
	return m.text(7, domain)
}

// valueInfo is a ValueInfoProto of a tensor of N rows and, where it is not 0, so many
// columns.
func valueInfo(name string, kind, columns int64) message {
	shape := message(nil).bytes(1, message(nil).text(2, "N"))
	if columns > 0 {
		shape = shape.bytes(1, message(nil).number(1, columns))
	}
	tensor := message(nil).number(1, kind).bytes(2, shape)
	return message(nil).text(1, name).bytes(2, message(nil).bytes(1, tensor))
}
