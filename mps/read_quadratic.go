package mps

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

// quadForm is how a section states the quadratic terms of one function.
type quadForm struct {
	full      bool    // both triangles, which must agree; else one of them
	diag, off float64 // a term's coefficient per entry on and off the diagonal
}

var quadForms = map[string]quadForm{
	"QUADOBJ":     {false, 0.5, 1}, // (1/2) x'Qx
	"QSECTION":    {false, 0.5, 1}, // (1/2) x'Qx, in rows too (Maros & Meszaros; MOSEK)
	"QMATRIX":     {true, 0.5, 1},  // (1/2) x'Qx
	"QCMATRIX":    {true, 1, 2},    // x'Qx
	quadDirective: {false, 1, 1},   // the coefficients themselves
}

// quadMatrix holds the quadratic terms of the objective or a row as in the file.
type quadMatrix struct {
	form    quadForm
	word    string // section, or quadDirective
	row     int32  // in the model, or objectiveRow
	entries []quadEntry
}

type quadEntry struct {
	i, j  int32 // indices of names
	line  int
	value float64
}

// quadHeader begins a section of quadratic terms, whose row may be named.
func (d *decoder) quadHeader([]byte) error {
	word, row := d.section.word, int32(objectiveRow)
	switch {
	case d.n == 2:
		k := d.rowNames.find(d.field[1])
		if k < 0 {
			return fmt.Errorf("section %s: row %q is not in the ROWS section (%s)", word, clip(d.field[1]), noSpaces)
		}
		row = d.rowIndex[k]
	case word == "QCMATRIX":
		return errors.New("section QCMATRIX: expected the name of a row after it")
	}
	switch {
	case row == objectiveRow && word == "QCMATRIX":
		return fmt.Errorf("section QCMATRIX: %s is the objective; its terms belong in QUADOBJ or QMATRIX", clip(d.field[1]))
	case row != objectiveRow && word != "QCMATRIX" && word != "QSECTION":
		return fmt.Errorf("section %s: %s is not the objective; the terms of a row belong in QCMATRIX", word, clip(d.field[1]))
	}
	if err := d.beginMatrix(row, word); err != nil {
		return fmt.Errorf("section %s: %w", word, err)
	}
	return nil
}

func (d *decoder) beginMatrix(row int32, word string) error {
	if k, ok := d.matrixOf[row]; ok {
		if row == objectiveRow {
			return fmt.Errorf("the objective has quadratic terms already, in %s", d.matrices[k].word)
		}
		return fmt.Errorf("row %s has quadratic terms already, in %s", d.rowName(int(row)), d.matrices[k].word)
	}
	if d.hasIndicator[row] {
		return fmt.Errorf("row %s has an indicator, and so cannot have quadratic terms", d.rowName(int(row)))
	}
	d.matrixOf[row] = len(d.matrices)
	d.matrices = append(d.matrices, quadMatrix{form: quadForms[word], word: word, row: row})
	return nil
}

// quadLine takes one or two entries of the matrix that the section began.
func (d *decoder) quadLine() error {
	if d.n != 3 && d.n != 5 {
		return fmt.Errorf("expected two columns and a number, found %d fields (%s)", d.n, d.fieldsHint())
	}
	f := &d.field
	if err := d.quadEntry(f[0], f[1], f[2]); err != nil || d.n == 3 {
		return err
	}
	return d.quadEntry(f[0], f[3], f[4])
}

// quadEntry adds an entry to the last matrix.
func (d *decoder) quadEntry(first, second, number []byte) error {
	i, err := d.columnName(first)
	if err != nil {
		return err
	}
	j, err := d.columnName(second)
	if err != nil {
		return err
	}
	v, err := parseNumber(number)
	if err != nil {
		return fmt.Errorf("columns %s and %s: %w", clip(first), clip(second), err)
	}
	q := &d.matrices[len(d.matrices)-1]
	q.entries = append(q.entries, quadEntry{i, j, d.src.number, v})
	return nil
}

// columnName returns the index of a column's name.
func (d *decoder) columnName(name []byte) (int32, error) {
	k := d.colNames.find(name)
	switch {
	case k < 0:
		return 0, fmt.Errorf("column %q is not in the COLUMNS section (%s)", clip(name), noSpaces)
	case d.colIndex[k] == offsetColumn:
		return 0, fmt.Errorf("column %s stands for the objective's constant: it can be in the objective and in BOUNDS only", name)
	}
	return int32(k), nil
}

// quadDirective is the word for the terms of a row that solvers drop.
const quadDirective = "octgen quadratic"

// quadraticDirective reads `quadratic ROW COLUMN COLUMN coefficient`.
func (d *decoder) quadraticDirective() error {
	if d.n != 7 {
		return errors.New("expected a row, two columns and a coefficient")
	}
	row, err := d.directiveRow(d.field[3])
	if err != nil {
		return err
	}
	if last := len(d.matrices) - 1; last < 0 || d.matrices[last].row != row || d.matrices[last].word != quadDirective {
		if err := d.beginMatrix(row, quadDirective); err != nil {
			return err
		}
	}
	return d.quadEntry(d.field[4], d.field[5], d.field[6])
}

func (d *decoder) directiveRow(name []byte) (int32, error) {
	k := d.rowNames.find(name)
	if k < 0 || d.rowIndex[k] == objectiveRow {
		return 0, fmt.Errorf("no row %q", clip(name))
	}
	return d.rowIndex[k], nil
}

// addQuadratic gives the builder all quadratic terms.
func (d *decoder) addQuadratic() error {
	for k := range d.matrices {
		q := &d.matrices[k]
		slices.SortFunc(q.entries, func(a, b quadEntry) int {
			return cmp.Or(cmp.Compare(min(a.i, a.j), min(b.i, b.j)), cmp.Compare(max(a.i, a.j), max(b.i, b.j)),
				cmp.Compare(a.i, b.i), cmp.Compare(a.line, b.line))
		})
		for e := q.entries; len(e) > 0; {
			n := 1
			for n < len(e) && min(e[n].i, e[n].j) == min(e[0].i, e[0].j) && max(e[n].i, e[n].j) == max(e[0].i, e[0].j) {
				n++
			}
			if err := d.addTerm(q, e[:n]); err != nil {
				return fmt.Errorf("section %s: %w", q.word, err)
			}
			e = e[n:]
		}
	}
	return nil
}

// addTerm adds the term of the entries of one pair of columns, sorted by the
// first column and the line.
func (d *decoder) addTerm(q *quadMatrix, e []quadEntry) error {
	first, last := e[0], e[len(e)-1]
	x, y := d.colNames.name(int(first.i)), d.colNames.name(int(first.j))
	for k := 1; k < len(e); k++ {
		if !q.form.full || e[k].i == e[k-1].i {
			return &lineError{max(e[k-1].line, e[k].line), fmt.Errorf("columns %s and %s have two entries", x, y)}
		}
	}
	diagonal := first.i == first.j
	switch {
	case !q.form.full || diagonal:
	case len(e) == 1 && first.value != 0:
		return &lineError{first.line, fmt.Errorf("columns %s and %s have the entry %v, but none in the other order; the matrix must be symmetric", x, y, first.value)}
	case first.value != last.value:
		return &lineError{last.line, fmt.Errorf("columns %s and %s have the entry %v, but %v in the other order; the matrix must be symmetric", x, y, first.value, last.value)}
	}
	v := q.form.off * first.value
	if diagonal {
		v = q.form.diag * first.value
	}
	if math.IsInf(v, 0) {
		return &lineError{first.line, fmt.Errorf("columns %s and %s: twice the entry %v is beyond the range of a float64", x, y, first.value)}
	}
	i, j := mio.Col(d.colIndex[first.i]), mio.Col(d.colIndex[first.j])
	if q.row == objectiveRow {
		d.b.AddQuadCost(i, j, d.sign*v)
	} else {
		d.b.AddQuad(mio.Row(q.row), i, j, v)
	}
	return nil
}
