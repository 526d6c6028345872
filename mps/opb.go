package mps

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// WriteOPB writes a linear model of 0/1 variables in the OPB format of the pseudo-Boolean
// competitions (Roussel & Manquinho 2012), for solvers such as clasp and minisat+. Column j is x<j+1>;
// comments have the names. All coefficients of rows must be whole numbers; those of the objective are
// multiplied by a common factor, which a comment states. Rows with two bounds become two constraints,
// fixed columns equations.
//
// The error is a [*FormatError] if the format cannot hold the model.
func WriteOPB(w io.Writer, m *mio.Model, opts LPOptions) (*Map, error) {
	mp, err := writeOPB(w, m, opts)
	if err != nil {
		return nil, fmt.Errorf("mps: writing model %q in OPB format: %w", m.Name(), err)
	}
	return mp, nil
}

func writeOPB(w io.Writer, m *mio.Model, opts LPOptions) (*Map, error) {
	comments, err := commentLines(opts.Comments)
	if err != nil {
		return nil, &FormatError{err}
	}
	if err := checkOPB(m); err != nil {
		return nil, &FormatError{err}
	}
	factor, err := wholeFactor(m.Costs())
	if err != nil {
		return nil, &FormatError{err}
	}
	mp := countRows(&Map{Sign: 1, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}, m)
	if m.Sense() == mio.Maximize {
		mp.Sign = -1
	}
	e := &opbEncoder{w: bufio.NewWriterSize(w, bufferSize), m: m, factor: factor * mp.Sign, colOf: columnsOf(m)}
	e.head(comments)
	e.objective()
	e.rows(e.constraint)
	e.fixed(e.equation)
	return mp, e.w.Flush()
}

// checkOPB refuses what the format does not have.
func checkOPB(m *mio.Model) error {
	if !m.IsLinear() {
		return fmt.Errorf("the format holds linear constraints only, no quadratic terms, indicators or SOS sets")
	}
	for j, t := range m.ColTypes() {
		if lo, hi := m.ColLower()[j], m.ColUpper()[j]; t == mio.Continuous || lo < 0 || hi > 1 {
			return fmt.Errorf("the format holds 0/1 variables only, and column %s is %s within [%v, %v]", m.ColName(j), t, lo, hi)
		}
	}
	start, index, value := m.Matrix()
	for j := range m.NumCols() {
		for p := start[j]; p < start[j+1]; p++ {
			if v := value[p]; v != math.Trunc(v) || math.Abs(v) > maxWhole {
				return fmt.Errorf("the format holds whole numbers up to 2^53, and row %s has the coefficient %v of %s", m.RowName(int(index[p])), v, m.ColName(j))
			}
		}
	}
	return nil
}

const (
	maxWhole = 1 << 53
)

// columnsOf lists the column of each nonzero.
func columnsOf(m *mio.Model) []int32 {
	of := make([]int32, 0, m.NumNonzeros())
	start, _, _ := m.Matrix()
	for j := range m.NumCols() {
		for range start[j+1] - start[j] {
			of = append(of, int32(j))
		}
	}
	return of
}

// opbEncoder writes one statement after the other.
type opbEncoder struct {
	w      *bufio.Writer
	m      *mio.Model
	factor float64 // of the objective, negative for a maximum
	colOf  []int32 // column of each nonzero
	buf    []byte
}

func (e *opbEncoder) head(comments []string) {
	constraints := 0
	count := func(int, float64, string, float64) { constraints++ }
	e.rows(count)
	e.fixed(func(int, float64) { constraints++ })
	fmt.Fprintf(e.w, "* #variable= %d #constraint= %d\n* octgen OPB format, model %s\n", e.m.NumCols(), constraints, strconv.QuoteToASCII(e.m.Name()))
	for _, s := range comments {
		fmt.Fprintf(e.w, "* %s\n", strconv.QuoteToASCII(s))
	}
	fmt.Fprintf(e.w, "* the model's objective is that below times %v, plus %v\n", 1/e.factor, e.m.Offset())
	for j := range e.m.NumCols() {
		fmt.Fprintf(e.w, "* x%d is %s\n", j+1, strconv.QuoteToASCII(e.m.ColName(j)))
	}
}

func (e *opbEncoder) objective() {
	e.buf = append(e.buf[:0], "min:"...)
	for j, c := range e.m.Costs() {
		if v := math.Round(c * e.factor); v != 0 {
			e.term(v, j)
		}
	}
	e.end()
}

// rows calls put for each constraint: a row, its coefficients times sign, >= or =, and the right side.
func (e *opbEncoder) rows(put func(i int, sign float64, sense string, rhs float64)) {
	for i, lo := range e.m.RowLower() {
		hi := e.m.RowUpper()[i]
		switch lo, hi = math.Ceil(lo), math.Floor(hi); {
		case lo == hi:
			put(i, 1, "=", lo)
			continue
		case !math.IsInf(lo, -1):
			put(i, 1, ">=", lo)
		}
		if !math.IsInf(hi, 1) && lo != hi {
			put(i, -1, ">=", -hi)
		}
	}
}

// constraint writes a row. One without terms is 0 times the first variable.
func (e *opbEncoder) constraint(i int, sign float64, sense string, rhs float64) {
	e.buf = e.buf[:0]
	view := e.m.RowView()
	_, _, value := e.m.Matrix()
	for _, p := range view.Pos[view.Start[i]:view.Start[i+1]] {
		e.term(sign*value[p], int(e.colOf[p]))
	}
	if len(e.buf) == 0 {
		e.term(0, 0)
	}
	e.side(sense, rhs)
}

// fixed calls put for each column that can have one value only.
func (e *opbEncoder) fixed(put func(j int, v float64)) {
	for j, lo := range e.m.ColLower() {
		lo, hi := math.Ceil(lo), math.Floor(e.m.ColUpper()[j])
		if lo > 0 || hi < 1 {
			put(j, lo)
		}
		if lo > hi { // no value at all
			put(j, hi)
		}
	}
}

func (e *opbEncoder) equation(j int, v float64) {
	e.buf = e.buf[:0]
	e.term(1, j)
	e.side("=", v)
}

func (e *opbEncoder) term(v float64, j int) {
	if len(e.buf) > 0 {
		e.buf = append(e.buf, ' ')
	}
	if v >= 0 {
		e.buf = append(e.buf, '+')
	}
	e.buf = append(strconv.AppendInt(e.buf, int64(v), 10), " x"...)
	e.buf = strconv.AppendInt(e.buf, int64(j)+1, 10)
}

func (e *opbEncoder) side(sense string, rhs float64) {
	e.buf = append(append(append(e.buf, ' '), sense...), ' ')
	e.buf = strconv.AppendInt(e.buf, int64(rhs), 10)
	e.end()
}

func (e *opbEncoder) end() {
	e.buf = append(e.buf, " ;\n"...)
	_, _ = e.w.Write(e.buf) // Flush has the error
}
