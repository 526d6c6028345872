package mps

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// LPOptions says how to write a model in CPLEX-LP format.
type LPOptions struct {
	// Comments are lines written at the top, after "\ ".
	Comments []string
}

// lpWidth is where lines are broken.
const lpWidth = 80

// WriteLP writes m to w in CPLEX-LP format, which is made for reading: by
// people, and by the solvers that know the constructs used. It returns how the
// file corresponds to m. The same model gives the same bytes. The error is w's,
// or says what the format cannot hold.
//
//   - The sense is the model's own: Sign is 1. The objective's constant is the
//     column octgen_one as in MPS files. Columns that are in neither the
//     objective nor a row are in the objective with coefficient 0.
//   - A row with two different finite bounds is two rows, the second named
//     octgen_u<i+1>: HiGHS, GLPK and CBC do not read l <= a x <= u.
//   - A row without bounds is a comment. Where there is no other, the row
//     octgen_r0 says 0 <= 0: GLPK does not read files without rows.
//   - The quadratic objective stands in [ ... ] / 2, so its coefficients are
//     doubled there; those of quadratic rows, in [ ... ], are the model's.
//   - Bounds other than [0, inf) are stated, those of integer columns rounded
//     inwards to integers.
//   - Names are letters, digits, underscores and points, begin with a letter or
//     an underscore, and are no word of the format and nothing like a number's
//     exponent (e5); others are replaced as in MPS files, which a comment says.
//
// Beyond the model and its [mio.RowView] it needs 4 bytes per nonzero.
func WriteLP(w io.Writer, m *mio.Model, opts LPOptions) (*Map, error) {
	mp, err := writeLP(w, m, opts)
	if err != nil {
		return nil, fmt.Errorf("mps: writing model %q in LP format: %w", m.Name(), err)
	}
	return mp, nil
}

func writeLP(w io.Writer, m *mio.Model, opts LPOptions) (*Map, error) {
	for _, t := range m.QuadCost() {
		if math.IsInf(2*t.Value, 0) {
			return nil, fmt.Errorf("the objective: the coefficient %v of %s * %s cannot be doubled, as the format wants it",
				t.Value, m.ColName(int(t.I)), m.ColName(int(t.J)))
		}
	}
	comments, err := commentLines(opts.Comments)
	if err != nil {
		return nil, err
	}
	e := &lpEncoder{encoder: newEncoder(w, m, newLPMap(m)), indent: []byte("\n   ")}
	e.colOf = columnsOf(m)
	e.head(comments)
	e.objective()
	e.rows()
	e.bounds()
	e.types("Generals", func(j int) bool { return isGeneral(m, j) })
	e.types("Binaries", func(j int) bool { return m.ColTypes()[j] != mio.Continuous && !isGeneral(m, j) })
	e.sets()
	e.raw("End\n")
	e.flush()
	if e.err != nil {
		return nil, e.err
	}
	return e.mp, nil
}

// newLPMap returns the correspondence that WriteLP uses.
func newLPMap(m *mio.Model) *Map {
	mp := countRows(&Map{Sign: 1, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}, m)
	if mp.Offset != 0 || mp.Cols == 0 { // no row is without a column
		mp.OffsetColumn = offsetFree
	}
	mp.RenamedCols, _ = renames(m.NumCols(), 'c', m.AppendColName, legalLPName, Free)
	mp.RenamedRows, _ = renames(m.NumRows(), 'r', m.AppendRowName, legalLPName, Free)
	mp.RenamedSOS, _ = renames(len(m.SOS()), 's', sosNames(m), legalLPName, Free)
	return mp
}

// lpEncoder writes lines of terms, broken between terms.
type lpEncoder struct {
	*encoder
	colOf  []int32 // column of each nonzero
	indent []byte  // between the lines of a statement
	first  bool    // the next term is the first of its expression
}

func (e *lpEncoder) head(comments []string) {
	const prefix = "\\ "
	e.commentAfter(prefix, "octgen LP format, model "+strconv.QuoteToASCII(e.m.Name()))
	for _, s := range comments {
		e.commentAfter(prefix, s)
	}
	for _, list := range []struct {
		kind    string
		renamed []Rename
		name    func([]byte, int) []byte
	}{
		{"column", e.mp.RenamedCols, e.m.AppendColName},
		{"row", e.mp.RenamedRows, e.m.AppendRowName},
		{"set", e.mp.RenamedSOS, sosNames(e.m)},
	} {
		for _, r := range list.renamed {
			e.commentAfter(prefix, r.Name+" is "+list.kind+" "+strconv.QuoteToASCII(string(list.name(nil, r.Index))))
		}
	}
}

func (e *lpEncoder) objective() {
	if e.m.Sense() == mio.Maximize {
		e.raw("Maximize\n")
	} else {
		e.raw("Minimize\n")
	}
	e.begin(" " + objectiveName + ":")
	mentioned := e.inRows()
	for j, c := range e.m.Costs() {
		if c != 0 || !mentioned[j] {
			e.term(c, int32(j))
		}
	}
	if e.mp.OffsetColumn != "" {
		e.term(e.mp.Offset, offsetColumn)
	}
	if terms := e.m.QuadCost(); len(terms) > 0 {
		e.openQuadratic()
		for _, t := range terms {
			e.quadraticTerm(2*t.Value, t)
		}
		e.token(" ] / 2")
	}
	if e.first { // every column is in some row
		e.zero()
	}
	e.end()
}

// inRows says which columns have a nonzero in a row that is written.
func (e *lpEncoder) inRows() []bool {
	mentioned := make([]bool, e.m.NumCols())
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	_, index, _ := e.m.Matrix()
	for p, i := range index {
		if !isFree(lower[i], upper[i]) {
			mentioned[e.colOf[p]] = true
		}
	}
	return mentioned
}

func (e *lpEncoder) rows() {
	e.raw("Subject To\n")
	if e.mp.FreeRows == e.mp.Rows {
		e.begin(" ")
		e.buf = append(appendReplacement(e.buf, 'r', -1), ':')
		e.zero()
		e.buf = append(e.buf, " <= 0"...)
		e.end()
	}
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	quadratic, conditions := e.m.QuadRows(), e.m.Indicators()
	for i := range lower {
		n := 0
		for n < len(quadratic) && int(quadratic[n].Row) == i {
			n++
		}
		var condition *mio.Indicator
		if len(conditions) > 0 && int(conditions[0].Row) == i {
			condition, conditions = &conditions[0], conditions[1:]
		}
		l, u := lower[i], upper[i]
		switch {
		case isFree(l, u):
			e.freeRow(i, condition, quadratic[:n])
		case l == u:
			e.row(i, false, condition, quadratic[:n], " = ", l)
		case math.IsInf(l, -1):
			e.row(i, false, condition, quadratic[:n], " <= ", u)
		default:
			e.row(i, false, condition, quadratic[:n], " >= ", l)
			if !math.IsInf(u, 1) {
				e.row(i, true, condition, quadratic[:n], " <= ", u)
			}
		}
		quadratic = quadratic[n:]
	}
}

// row writes a row, or the second row of one with two bounds.
func (e *lpEncoder) row(i int, second bool, condition *mio.Indicator, quadratic []mio.QuadRowTerm, sense string, rhs float64) {
	e.begin(" ")
	if second {
		e.buf = appendReplacement(e.buf, 'u', i)
	} else {
		e.rowName(i)
	}
	e.buf = append(e.buf, ':')
	e.expression(i, condition, quadratic)
	p := len(e.buf)
	e.buf = append(e.buf, sense...)
	e.value(rhs)
	e.wrap(p)
	e.end()
}

// freeRow writes a row without bounds as a comment.
func (e *lpEncoder) freeRow(i int, condition *mio.Indicator, quadratic []mio.QuadRowTerm) {
	indent := e.indent
	e.indent = []byte("\n\\   ")
	e.begin("\\ ")
	e.rowName(i)
	e.buf = append(e.buf, " (without bounds):"...)
	e.expression(i, condition, quadratic)
	e.end()
	e.indent = indent
}

// expression writes a row's condition and terms, 0 times a column if there are
// none.
func (e *lpEncoder) expression(i int, condition *mio.Indicator, quadratic []mio.QuadRowTerm) {
	if condition != nil {
		p := len(e.buf)
		e.buf = append(e.buf, ' ')
		e.colName(condition.Col)
		if condition.On {
			e.buf = append(e.buf, " = 1 ->"...)
		} else {
			e.buf = append(e.buf, " = 0 ->"...)
		}
		e.wrap(p)
	}
	view := e.m.RowView()
	_, _, value := e.m.Matrix()
	for _, p := range view.Pos[view.Start[i]:view.Start[i+1]] {
		e.term(value[p], e.colOf[p])
	}
	if len(quadratic) > 0 {
		e.openQuadratic()
		for _, t := range quadratic {
			e.quadraticTerm(t.Value, t.QuadTerm)
		}
		e.token(" ]")
		return
	}
	if e.first {
		e.zero()
	}
}

// types lists the columns of a kind.
func (e *lpEncoder) types(section string, of func(j int) bool) {
	found := false
	for j := range e.m.NumCols() {
		if !of(j) {
			continue
		}
		if !found {
			e.raw(section + "\n")
			e.begin("")
			found = true
		}
		p := len(e.buf)
		e.buf = append(e.buf, ' ')
		e.colName(int32(j))
		e.wrap(p)
	}
	if found {
		e.end()
	}
}

// isGeneral reports whether column j is discrete, but not as in Binaries, which
// sets the bounds too.
func isGeneral(m *mio.Model, j int) bool {
	t := m.ColTypes()[j]
	return t == mio.Integer || t == mio.Binary && (m.ColLower()[j] != 0 || m.ColUpper()[j] != 1)
}

// bounds states what differs from [0, inf) and is not said by Binaries.
func (e *lpEncoder) bounds() {
	e.raw("Bounds\n")
	lower, upper, types := e.m.ColLower(), e.m.ColUpper(), e.m.ColTypes()
	for j := range lower {
		l, u := lower[j], upper[j]
		if types[j] != mio.Continuous {
			if !isGeneral(e.m, j) {
				continue
			}
			if rl, ru := math.Ceil(l), math.Floor(u); rl <= ru {
				l, u = rl, ru
			}
		}
		e.bound(int32(j), l, u)
	}
	if e.mp.OffsetColumn != "" {
		e.raw(" " + e.mp.OffsetColumn + " = 1\n")
	}
}

func (e *lpEncoder) bound(j int32, l, u float64) {
	if l == 0 && math.IsInf(u, 1) {
		return
	}
	e.begin(" ")
	switch {
	case isFree(l, u):
		e.colName(j)
		e.buf = append(e.buf, " free"...)
	case l == u:
		e.colName(j)
		e.buf = append(e.buf, " = "...)
		e.value(l)
	default:
		if l != 0 {
			e.value(l)
			e.buf = append(e.buf, " <= "...)
		}
		e.colName(j)
		if !math.IsInf(u, 1) {
			e.buf = append(e.buf, " <= "...)
			e.value(u)
		}
	}
	e.end()
}

// sets writes the special ordered sets.
func (e *lpEncoder) sets() {
	for k, s := range e.m.SOS() {
		if k == 0 {
			e.raw("SOS\n")
		}
		e.begin(" ")
		e.buf = e.mp.appendSOSName(e.buf, e.m, k)
		e.buf = append(e.buf, ": "...)
		e.buf = append(e.buf, sosTypes[s.Type-1]...)
		e.buf = append(e.buf, "::"...)
		for i, c := range s.Cols {
			p := len(e.buf)
			e.buf = append(e.buf, ' ')
			e.colName(c)
			e.buf = append(e.buf, ':')
			e.value(s.Weights[i])
			e.wrap(p)
		}
		e.end()
	}
}

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
