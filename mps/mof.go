package mps

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/octgen/octgen/mio"
)

// WriteMOF writes a model in MathOptFormat 1.2, the JSON format of JuMP and MathOptInterface (Legat,
// Dowson, Garcia & Lubin 2022), with quadratic terms, indicators and SOS sets, all names as they are.
// Rows without bounds are left out; lazy rows are rows like others.
func WriteMOF(w io.Writer, m *mio.Model, opts LPOptions) (*Map, error) {
	comments, err := commentLines(opts.Comments)
	quadRows := make(map[int32][]mio.QuadTerm)
	for _, t := range m.QuadRows() {
		quadRows[t.Row] = append(quadRows[t.Row], t.QuadTerm)
		err = cmp.Or(err, doubled(m, t.QuadTerm))
	}
	for _, t := range m.QuadCost() {
		err = cmp.Or(err, doubled(m, t))
	}
	if err = cmp.Or(err, textNames(m)); err != nil {
		return nil, fmt.Errorf("mps: writing model %q in MathOptFormat: %w", m.Name(), &FormatError{err})
	}
	e := &mofEncoder{w: bufio.NewWriterSize(w, bufferSize), m: m, colOf: columnsOf(m), quadRows: quadRows}
	for j := range m.NumCols() {
		e.columnNames = append(e.columnNames, quoted(m.ColName(j)))
	}
	e.head(comments)
	e.objective()
	e.text(",\n\"constraints\":[")
	e.rows()
	e.columns()
	e.sets()
	e.text("\n]}\n")
	if err := e.w.Flush(); err != nil {
		return nil, fmt.Errorf("mps: writing model %q in MathOptFormat: %w", m.Name(), err)
	}
	return countRows(&Map{Sign: 1, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}, m), nil
}

// textNames returns an error for a name that is not UTF-8.
func textNames(m *mio.Model) error {
	check := func(name string) error {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %q is not UTF-8, as JSON wants it", name)
		}
		return nil
	}
	err := check(m.Name())
	for j := range m.NumCols() {
		err = cmp.Or(err, check(m.ColName(j)))
	}
	for i := range m.NumRows() {
		err = cmp.Or(err, check(m.RowName(i)))
	}
	for _, s := range m.SOS() {
		err = cmp.Or(err, check(s.Name))
	}
	return err
}

// doubled returns an error for a square whose coefficient has no double.
func doubled(m *mio.Model, t mio.QuadTerm) error {
	if t.I == t.J && math.IsInf(2*t.Value, 0) {
		return fmt.Errorf("the coefficient %v of %s * %s cannot be doubled, as the format wants it", t.Value, m.ColName(int(t.I)), m.ColName(int(t.J)))
	}
	return nil
}

// mofEncoder writes values of JSON one after the other; Flush has the error.
type mofEncoder struct {
	w        *bufio.Writer
	m        *mio.Model
	colOf    []int32 // column of each nonzero
	quadRows map[int32][]mio.QuadTerm
	more     bool // a constraint stands already
	buf      []byte

	columnNames []string // quoted
}

func (e *mofEncoder) text(s string) { _, _ = e.w.WriteString(s) }

func (e *mofEncoder) number(v float64) {
	e.buf = strconv.AppendFloat(e.buf[:0], v, 'g', -1, 64)
	_, _ = e.w.Write(e.buf)
}

func (e *mofEncoder) string(s string) { e.text(quoted(s)) }

func (e *mofEncoder) column(j int32) { e.text(e.columnNames[j]) }

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string is never refused
	return string(b)
}

func (e *mofEncoder) head(comments []string) {
	e.text(`{"version":{"major":1,"minor":2},"name":`)
	e.string(e.m.Name())
	if len(comments) > 0 {
		all := ""
		for _, c := range comments {
			all += c + "\n"
		}
		e.text(",\n\"description\":")
		e.string(all)
	}
	e.text(",\n\"variables\":[")
	for j := range e.m.NumCols() {
		if j > 0 {
			e.text(",\n")
		}
		e.text(`{"name":`)
		e.column(int32(j))
		e.text("}")
	}
	e.text("]")
}

func (e *mofEncoder) objective() {
	sense := "min"
	if e.m.Sense() == mio.Maximize {
		sense = "max"
	}
	e.text(",\n\"objective\":{\"sense\":\"" + sense + "\",\"function\":")
	var terms []mofTerm
	for j, c := range e.m.Costs() {
		if c != 0 {
			terms = append(terms, mofTerm{int32(j), c})
		}
	}
	e.function(terms, e.m.QuadCost(), e.m.Offset())
	e.text("}")
}

type mofTerm struct {
	col   int32
	value float64
}

// function writes a scalar function; without quadratic terms it is affine.
func (e *mofEncoder) function(terms []mofTerm, quadratic []mio.QuadTerm, constant float64) {
	kind, linear := "ScalarAffineFunction", "terms"
	if len(quadratic) > 0 {
		kind, linear = "ScalarQuadraticFunction", "affine_terms"
	}
	e.text(`{"type":"` + kind + `","` + linear + `":[`)
	for k, t := range terms {
		if k > 0 {
			e.text(",")
		}
		e.term(t)
	}
	e.text("]")
	if len(quadratic) > 0 {
		e.text(`,"quadratic_terms":[`)
		for k, q := range quadratic {
			if k > 0 {
				e.text(",")
			}
			v := q.Value
			if q.I == q.J { // the format has x'Qx / 2
				v *= 2
			}
			e.text(`{"coefficient":`)
			e.number(v)
			e.text(`,"variable_1":`)
			e.column(q.I)
			e.text(`,"variable_2":`)
			e.column(q.J)
			e.text("}")
		}
		e.text("]")
	}
	e.text(`,"constant":`)
	e.number(constant)
	e.text("}")
}

func (e *mofEncoder) term(t mofTerm) {
	e.text(`{"coefficient":`)
	e.number(t.value)
	e.text(`,"variable":`)
	e.column(t.col)
	e.text("}")
}

// begin opens a constraint, named where name is not "".
func (e *mofEncoder) begin(name string) {
	if e.more {
		e.text(",")
	}
	e.more = true
	e.text("\n{")
	if name != "" {
		e.text(`"name":`)
		e.string(name)
		e.text(",")
	}
	e.text(`"function":`)
}

// interval writes the set of values from lo to hi, one of which is finite.
func (e *mofEncoder) interval(lo, hi float64) {
	switch {
	case lo == hi:
		e.text(`{"type":"EqualTo","value":`)
		e.number(lo)
	case math.IsInf(hi, 1):
		e.text(`{"type":"GreaterThan","lower":`)
		e.number(lo)
	case math.IsInf(lo, -1):
		e.text(`{"type":"LessThan","upper":`)
		e.number(hi)
	default:
		e.text(`{"type":"Interval","lower":`)
		e.number(lo)
		e.text(`,"upper":`)
		e.number(hi)
	}
	e.text("}")
}

func (e *mofEncoder) rows() {
	indicators := make(map[int32]mio.Indicator)
	for _, d := range e.m.Indicators() {
		indicators[d.Row] = d
	}
	view := e.m.RowView()
	_, _, value := e.m.Matrix()
	for i, lo := range e.m.RowLower() {
		hi := e.m.RowUpper()[i]
		if isFree(lo, hi) {
			continue
		}
		var terms []mofTerm
		for _, p := range view.Pos[view.Start[i]:view.Start[i+1]] {
			terms = append(terms, mofTerm{e.colOf[p], value[p]})
		}
		e.begin(e.m.RowName(i))
		if d, ok := indicators[int32(i)]; ok {
			e.indicator(d, terms, lo, hi)
			continue
		}
		e.function(terms, e.quadRows[int32(i)], 0)
		e.text(`,"set":`)
		e.interval(lo, hi)
		e.text("}")
	}
}

// indicator writes the vector of a binary column and of a linear row, and its set.
func (e *mofEncoder) indicator(d mio.Indicator, terms []mofTerm, lo, hi float64) {
	e.text(`{"type":"VectorAffineFunction","terms":[{"output_index":1,"scalar_term":`)
	e.term(mofTerm{d.Col, 1})
	e.text("}")
	for _, t := range terms {
		e.text(`,{"output_index":2,"scalar_term":`)
		e.term(t)
		e.text("}")
	}
	on := "zero"
	if d.On {
		on = "one"
	}
	e.text(`],"constants":[0,0]},"set":{"type":"Indicator","set":`)
	e.interval(lo, hi)
	e.text(`,"activate_on":"` + on + `"}}`)
}

// columns writes types and bounds. ZeroOne has the bounds 0 and 1 in it.
func (e *mofEncoder) columns() {
	for j, t := range e.m.ColTypes() {
		lo, hi := e.m.ColLower()[j], e.m.ColUpper()[j]
		on := func(set func()) {
			e.begin("")
			e.text(`{"type":"Variable","name":`)
			e.column(int32(j))
			e.text(`},"set":`)
			set()
			e.text("}")
		}
		switch t {
		case mio.Binary:
			on(func() { e.text(`{"type":"ZeroOne"}`) })
		case mio.Integer:
			on(func() { e.text(`{"type":"Integer"}`) })
		}
		if !isFree(lo, hi) && !(t == mio.Binary && lo == 0 && hi == 1) {
			on(func() { e.interval(lo, hi) })
		}
	}
}

func (e *mofEncoder) sets() {
	for _, s := range e.m.SOS() {
		e.begin(s.Name)
		e.text(`{"type":"VectorOfVariables","variables":[`)
		for k, j := range s.Cols {
			if k > 0 {
				e.text(",")
			}
			e.column(j)
		}
		e.text(`]},"set":{"type":"SOS` + strconv.Itoa(s.Type) + `","weights":[`)
		for k, v := range s.Weights {
			if k > 0 {
				e.text(",")
			}
			e.number(v)
		}
		e.text("]}}")
	}
}
