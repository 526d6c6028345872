package mps

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// maxCount bounds rows and columns, so that indices fit an int32.
const maxCount = math.MaxInt32 - 1

const noSpaces = "names with spaces are not supported"

func (d *decoder) rowsLine() error {
	if d.n != 2 {
		return fmt.Errorf("expected a row type and a name, found %d fields (%s)", d.n, d.fieldsHint())
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

// lazyHeader begins the rows that a solver may leave out at first; Gurobi's number
// after the word, how it may, is of no matter here.
func (d *decoder) lazyHeader([]byte) error {
	if d.lazyRows >= 0 {
		return errors.New("lazy rows are given twice, here and by the comment \"octgen lazy\"")
	}
	d.b.BeginLazy()
	return nil
}

func (d *decoder) lazyLine() error {
	if d.n == 2 && len(d.field[0]) == 1 && d.field[0][0] == 'N' {
		return fmt.Errorf("lazy row %s has type N, expected L, G or E", clip(d.field[1]))
	}
	return d.rowsLine()
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

// vector returns the pairs of an RHS or RANGES line, whose vector's name may be
// left out.
func (d *decoder) vector() (pairs [][]byte, err error) {
	if d.n < 2 || d.n > 5 {
		return nil, fmt.Errorf("expected a vector's name and one or two pairs of row and number, found %d fields (%s)", d.n, d.fieldsHint())
	}
	named := d.n % 2
	if named == 1 {
		if err := d.useVector(d.field[0]); err != nil {
			return nil, err
		}
	}
	return d.field[named:d.n], nil
}

// useVector refuses a second vector in a section: HiGHS takes all of them, CBC
// the first, GLPK none. Lines without a name belong to the one there is.
func (d *decoder) useVector(name []byte) error {
	first, ok := d.set[d.section.word]
	switch {
	case !ok:
		d.set[d.section.word] = string(name)
	case first != string(name):
		return fmt.Errorf("it has two vectors, %q and %q, and solvers disagree which of them count: keep one", clip([]byte(first)), clip(name))
	}
	return nil
}

// fieldsHint says what may have made too many fields of a line.
func (d *decoder) fieldsHint() string {
	for _, f := range d.field[1:min(d.n, maxFields)] {
		if f[0] == '*' {
			return "a comment at the end of a line begins with $"
		}
	}
	return noSpaces
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
