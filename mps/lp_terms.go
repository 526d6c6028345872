package mps

import (
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

// The methods here put together one statement of an LP file: begin, terms, end.

// zero appends a term of value 0.
func (e *lpEncoder) zero() {
	if e.m.NumCols() > 0 {
		e.term(0, 0)
	} else {
		e.term(0, offsetColumn)
	}
}

// begin starts a statement.
func (e *lpEncoder) begin(s string) {
	e.start()
	e.buf = append(e.buf, s...)
	e.first = true
}

// term appends v times a column.
func (e *lpEncoder) term(v float64, j int32) {
	p := len(e.buf)
	e.coefficient(v)
	if j == offsetColumn {
		e.buf = append(e.buf, e.mp.OffsetColumn...)
	} else {
		e.colName(j)
	}
	e.wrap(p)
}

// openQuadratic begins a bracket of quadratic terms.
func (e *lpEncoder) openQuadratic() {
	if e.first {
		e.token(" [")
	} else {
		e.token(" + [")
	}
	e.first = true
}

// quadraticTerm appends v times the two columns of t.
func (e *lpEncoder) quadraticTerm(v float64, t mio.QuadTerm) {
	p := len(e.buf)
	e.coefficient(v)
	e.colName(t.I)
	if t.I == t.J {
		e.buf = append(e.buf, "^2"...)
	} else {
		e.buf = append(e.buf, " * "...)
		e.colName(t.J)
	}
	e.wrap(p)
}

// coefficient appends a sign, where one is needed, and a magnitude other than 1.
func (e *lpEncoder) coefficient(v float64) {
	switch {
	case v < 0:
		e.buf = append(e.buf, " - "...)
	case e.first:
		e.buf = append(e.buf, ' ')
	default:
		e.buf = append(e.buf, " + "...)
	}
	e.first = false
	if a := math.Abs(v); a != 1 {
		e.value(a)
		e.buf = append(e.buf, ' ')
	}
}

// value appends a number, an infinite one as -inf or inf.
func (e *lpEncoder) value(v float64) {
	switch {
	case math.IsInf(v, -1):
		e.buf = append(e.buf, "-inf"...)
	case math.IsInf(v, 1):
		e.buf = append(e.buf, "inf"...)
	default:
		n := len(e.buf)
		b := slices.Grow(e.buf, numberRoom)[:n+numberRoom]
		e.buf = b[:n+e.num.put(b[n:], v)]
	}
}

func (e *lpEncoder) token(s string) {
	p := len(e.buf)
	e.buf = append(e.buf, s...)
	e.wrap(p)
}

// wrap moves what was appended from p on, which begins with a blank, to a new
// line if the line got too long.
func (e *lpEncoder) wrap(p int) {
	if len(e.buf)-e.line <= lpWidth {
		return
	}
	e.buf = slices.Insert(e.buf, p, e.indent...)
	e.line = p + 1
	if len(e.buf) > cap(e.buf)-maxOutLine {
		e.flush()
	}
}
