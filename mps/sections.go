package mps

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// maxCount bounds rows and columns, so that indices fit an int32.
const maxCount = math.MaxInt32 - 1

const noSpaces = "names with spaces are not supported"

func (d *decoder) rowsLine() error {
	if d.n != 2 {
		return fmt.Errorf("expected a row type and a name, found %d fields (%s)", d.n, noSpaces)
	}
	kind, name := d.field[0], d.field[1]
	if len(kind) != 1 || !bytes.Contains([]byte("NLGE"), kind) {
		return fmt.Errorf("expected a row type N, L, G or E, found %q", clip(kind))
	}
	if err := checkName(name); err != nil {
		return err
	}
	if d.rowNames.len() == maxCount {
		return fmt.Errorf("more than %d rows", maxCount)
	}
	if d.rowNames.insert(name) < 0 {
		return fmt.Errorf("row %q appears twice", clip(name))
	}
	d.lastCol = append(d.lastCol, 0)
	if kind[0] == 'N' && !d.hasObjective() {
		d.rowIndex = append(d.rowIndex, objectiveRow)
		return nil
	}
	i := len(d.rows)
	d.rowIndex = append(d.rowIndex, int32(i))
	d.rows = append(d.rows, rowData{kind: kind[0]})
	d.b.AddRow(math.Inf(-1), math.Inf(1), d.modelName(name, 'r', i))
	return nil
}

// hasObjective reports whether an N row came already: the objective has a name
// but no model row.
func (d *decoder) hasObjective() bool { return len(d.rowIndex) > len(d.rows) }

// modelName returns the name that the model has for name: the replaced one, or
// none where the default is the same.
func (d *decoder) modelName(name []byte, prefix byte, i int) string {
	if original, ok := d.renamed[string(name)]; ok {
		return string(original)
	}
	var buf [24]byte
	if prefix == 'c' {
		prefix = 'x' // the default name of column 0 is x1
	}
	buf[0] = prefix
	if string(strconv.AppendInt(buf[:1], int64(i)+1, 10)) == string(name) {
		return ""
	}
	return string(name)
}

// checkName refuses what a mio.Model does not allow.
func checkName(name []byte) error {
	for _, c := range name {
		if c <= ' ' || c == 0x7f {
			return fmt.Errorf("name %q has a control character", clip(name))
		}
	}
	return nil
}

func (d *decoder) columnsLine() error {
	f := &d.field
	if d.n == 3 && string(f[1]) == markerWord {
		return d.markerLine()
	}
	if d.n != 3 && d.n != 5 {
		return fmt.Errorf("expected a column and one or two pairs of row and number, found %d fields (%s)", d.n, noSpaces)
	}
	if !d.currentSeen || !bytes.Equal(f[0], d.current) {
		if err := d.beginColumn(f[0]); err != nil {
			return err
		}
	}
	for k := 1; k < d.n; k += 2 {
		if err := d.entry(f[k], f[k+1]); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) markerLine() error {
	switch string(d.field[2]) {
	case "'INTORG'":
		if d.group != mio.Continuous {
			return errors.New("'INTORG' follows 'INTORG' without 'INTEND'")
		}
		d.group = mio.Integer
		if bytes.HasPrefix(d.field[0], []byte(binaryMarker)) {
			d.group = mio.Binary
		}
	case "'INTEND'":
		if d.group == mio.Continuous {
			return errors.New("'INTEND' without 'INTORG'")
		}
		d.group = mio.Continuous
	default:
		return fmt.Errorf("expected a marker 'INTORG' or 'INTEND', found %q", clip(d.field[2]))
	}
	return nil
}

func (d *decoder) beginColumn(name []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if d.colNames.len() == maxCount {
		return fmt.Errorf("more than %d columns", maxCount)
	}
	if d.colNames.insert(name) < 0 {
		return fmt.Errorf("column %q appears again; all entries of a column must stand together", clip(name))
	}
	d.current = append(d.current[:0], name...)
	d.currentSeen = true
	if s := string(name); s == offsetFree || s == offsetFixed {
		if d.hasOffset || d.group != mio.Continuous {
			return fmt.Errorf("column %s stands for the objective's constant: one continuous column at most", name)
		}
		d.hasOffset = true
		d.currentCol = offsetColumn
		d.colIndex = append(d.colIndex, offsetColumn)
		return nil
	}
	if !d.reserved && d.b.NumCoefs() >= reserveFrom {
		d.reserve()
	}
	j := len(d.cols)
	d.currentCol = int32(j)
	d.colIndex = append(d.colIndex, int32(j))
	d.cols = append(d.cols, colData{upper: math.Inf(1), kind: d.group})
	d.b.AddCol(0, 0, math.Inf(1), d.group, d.modelName(name, 'c', j))
	return nil
}

// reserveFrom is how many coefficients tell how many there will be.
const reserveFrom = 1 << 16

// reserve makes room for the columns and coefficients of the whole file if its
// size is known and the rest is like the part read.
func (d *decoder) reserve() {
	d.reserved = true
	more := d.src.more()
	grow := func(n int) int { return int(min(float64(n)*more, maxCount)) }
	cols := grow(d.b.NumCols())
	d.b.Reserve(cols, d.b.NumRows(), grow(d.b.NumCoefs()))
	d.cols = slices.Grow(d.cols, max(0, cols-len(d.cols)))
	d.colIndex = slices.Grow(d.colIndex, max(0, cols-len(d.colIndex)))
}

// entry takes one coefficient of the current column.
func (d *decoder) entry(row, number []byte) error {
	r := d.rowNames.find(row)
	if r < 0 {
		return fmt.Errorf("row %q is not in the ROWS section (%s)", clip(row), noSpaces)
	}
	v, err := parseNumber(number)
	if err != nil {
		return fmt.Errorf("column %s, row %s: %w", clip(d.current), clip(row), err)
	}
	mark := int32(d.colNames.len())
	if d.lastCol[r] == mark {
		return fmt.Errorf("column %s has two entries in row %s", clip(d.current), clip(row))
	}
	d.lastCol[r] = mark
	i := d.rowIndex[r]
	switch {
	case d.currentCol == offsetColumn && i != objectiveRow:
		return fmt.Errorf("column %s stands for the objective's constant: it cannot have an entry in row %s", d.current, clip(row))
	case d.currentCol == offsetColumn:
		d.offset += v
	case i == objectiveRow:
		d.b.AddCost(mio.Col(d.currentCol), d.sign*v)
	case v != 0:
		d.b.Add(mio.Row(i), mio.Col(d.currentCol), v)
	}
	return nil
}

// vector returns the pairs of an RHS or RANGES line, whose vector's name may be
// left out, or none if the line belongs to another than the section's first
// vector.
func (d *decoder) vector() (pairs [][]byte, err error) {
	if d.n < 2 || d.n > 5 {
		return nil, fmt.Errorf("expected a vector's name and one or two pairs of row and number, found %d fields (%s)", d.n, noSpaces)
	}
	named := d.n % 2
	if !d.useVector(named == 1, d.field[0]) {
		return nil, nil
	}
	return d.field[named:d.n], nil
}

// useVector reports whether a line's vector is the section's first.
func (d *decoder) useVector(named bool, name []byte) bool {
	if !named {
		name = nil
	}
	first, ok := d.set[d.section.word]
	if !ok {
		d.set[d.section.word] = string(name)
		return true
	}
	return first == string(name)
}

func (d *decoder) rhsLine() error {
	pairs, err := d.vector()
	for k := 0; k < len(pairs) && err == nil; k += 2 {
		err = d.rhs(pairs[k], pairs[k+1])
	}
	return err
}

func (d *decoder) rhs(row, number []byte) error {
	i, v, err := d.rowNumber(row, number)
	if err != nil {
		return err
	}
	if i == objectiveRow {
		if d.objRHS {
			return fmt.Errorf("row %s has two right-hand sides", clip(row))
		}
		d.objRHS = true
		d.offset -= v
		return nil
	}
	r := &d.rows[i]
	if r.hasRHS {
		return fmt.Errorf("row %s has two right-hand sides", clip(row))
	}
	r.hasRHS, r.rhs = true, v // without effect on a free row
	return nil
}

func (d *decoder) rangesLine() error {
	pairs, err := d.vector()
	for k := 0; k < len(pairs) && err == nil; k += 2 {
		err = d.rowRange(pairs[k], pairs[k+1])
	}
	return err
}

func (d *decoder) rowRange(row, number []byte) error {
	i, v, err := d.rowNumber(row, number)
	if err != nil {
		return err
	}
	if i == objectiveRow || d.rows[i].kind == 'N' {
		return fmt.Errorf("row %s has type N and can have no range", clip(row))
	}
	r := &d.rows[i]
	if r.hasRange {
		return fmt.Errorf("row %s has two ranges", clip(row))
	}
	r.hasRange, r.width = true, v
	return nil
}

func (d *decoder) rowNumber(row, number []byte) (i int32, v float64, err error) {
	r := d.rowNames.find(row)
	if r < 0 {
		return 0, 0, fmt.Errorf("row %q is not in the ROWS section (%s)", clip(row), noSpaces)
	}
	if v, err = parseNumber(number); err != nil {
		return 0, 0, fmt.Errorf("row %s: %w", clip(row), err)
	}
	return d.rowIndex[r], v, nil
}
