package mps

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// WriteProto writes a linear model as MPModelProto of OR-Tools, in the text format of protocol
// buffers, all names as they are. The error is a [*FormatError] for a model with quadratic terms,
// indicators or SOS sets.
func WriteProto(w io.Writer, m *mio.Model, opts LPOptions) (*Map, error) {
	comments, err := commentLines(opts.Comments)
	if err == nil && !m.IsLinear() {
		err = fmt.Errorf("the format is written for linear constraints and objectives only; .mof.json holds this model")
	}
	if err != nil {
		return nil, fmt.Errorf("mps: writing model %q as MPModelProto: %w", m.Name(), &FormatError{err})
	}
	out := bufio.NewWriterSize(w, bufferSize)
	for _, c := range comments {
		fmt.Fprintf(out, "# %s\n", strconv.QuoteToASCII(c))
	}
	fmt.Fprintf(out, "name: %s\nmaximize: %v\nobjective_offset: %s\n", protoString(m.Name()), m.Sense() == mio.Maximize, protoNumber(m.Offset()))
	for j, c := range m.Costs() {
		fmt.Fprintf(out, "variable { lower_bound: %s upper_bound: %s objective_coefficient: %s is_integer: %v name: %s }\n",
			protoNumber(m.ColLower()[j]), protoNumber(m.ColUpper()[j]), protoNumber(c), m.ColTypes()[j] != mio.Continuous, protoString(m.ColName(j)))
	}
	view, colOf := m.RowView(), columnsOf(m)
	_, _, value := m.Matrix()
	for i, lo := range m.RowLower() {
		fmt.Fprintf(out, "constraint { lower_bound: %s upper_bound: %s name: %s is_lazy: %v", protoNumber(lo), protoNumber(m.RowUpper()[i]),
			protoString(m.RowName(i)), i >= m.NumRows()-m.NumLazy())
		for _, p := range view.Pos[view.Start[i]:view.Start[i+1]] {
			fmt.Fprintf(out, " var_index: %d coefficient: %s", colOf[p], protoNumber(value[p]))
		}
		_, _ = out.WriteString(" }\n") // Flush has the error
	}
	if err := out.Flush(); err != nil {
		return nil, fmt.Errorf("mps: writing model %q as MPModelProto: %w", m.Name(), err)
	}
	return countRows(&Map{Sign: 1, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}, m), nil
}

func protoNumber(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// protoString quotes s; bytes that are not printable ASCII become octal escapes, which the format
// reads as bytes of UTF-8.
func protoString(s string) string {
	b := []byte{'"'}
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c >= 0x7f:
			b = fmt.Appendf(b, `\%03o`, c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}
