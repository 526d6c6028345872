package mps

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/octgen/octgen/mio"
)

var quadForms = map[string]quadForm{
	"QUADOBJ":     {false, 0.5, 1}, // (1/2) x'Qx
	"QSECTION":    {false, 0.5, 1}, // (1/2) x'Qx, in rows too (Maros & Meszaros; MOSEK)
	"QMATRIX":     {true, 0.5, 1},  // (1/2) x'Qx
	"QCMATRIX":    {true, 1, 2},    // x'Qx
	quadDirective: {false, 1, 1},   // the coefficients themselves
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

func (d *decoder) indicatorsLine() error {
	if d.n != 4 || string(d.field[0]) != "IF" {
		return fmt.Errorf("expected IF, a row, a column and 0 or 1, found %d fields that begin %q", d.n, clip(d.field[0]))
	}
	k := d.rowNames.find(d.field[1])
	switch {
	case k < 0:
		return fmt.Errorf("row %q is not in the ROWS section (%s)", clip(d.field[1]), noSpaces)
	case d.rowIndex[k] == objectiveRow:
		return fmt.Errorf("%s is the objective, which cannot have an indicator", clip(d.field[1]))
	}
	return d.indicator(d.rowIndex[k], d.field[2], d.field[3])
}

// indicatorDirective reads `indicator ROW COLUMN value`, for a row that solvers
// drop.
func (d *decoder) indicatorDirective() error {
	if d.n != 6 {
		return errors.New("expected a row, a column and 0 or 1")
	}
	row, err := d.directiveRow(d.field[3])
	if err != nil {
		return err
	}
	return d.indicator(row, d.field[4], d.field[5])
}

func (d *decoder) indicator(row int32, column, number []byte) error {
	col, err := d.columnName(column)
	if err != nil {
		return err
	}
	v, err := parseNumber(number)
	switch {
	case err != nil || v != 0 && v != 1:
		return fmt.Errorf("row %s: expected 0 or 1, found %q", d.rowName(int(row)), clip(number))
	case d.hasIndicator[row]:
		return fmt.Errorf("row %s has two indicators", d.rowName(int(row)))
	}
	if _, ok := d.matrixOf[row]; ok {
		return fmt.Errorf("row %s has quadratic terms, and so cannot have an indicator", d.rowName(int(row)))
	}
	d.hasIndicator[row] = true
	d.indicators = append(d.indicators, indicator{row, col, v == 1, d.src.number})
	return nil
}

// addIndicators gives the builder all indicators. The columns' types and
// bounds are known; an integer one within [0, 1] becomes binary.
func (d *decoder) addIndicators() error {
	for _, in := range d.indicators {
		j := d.colIndex[in.col]
		c := &d.cols[j]
		if c.kind == mio.Integer && c.lower >= 0 && c.upper <= 1 {
			c.kind = mio.Binary
			d.b.SetColType(mio.Col(j), mio.Binary)
		}
		if c.kind != mio.Binary {
			return &lineError{in.line, fmt.Errorf("section INDICATORS: row %s: expected an integer column within [0, 1], found %s, which is %s with bounds [%v, %v]",
				d.rowName(int(in.row)), d.colNames.name(int(in.col)), c.kind, c.lower, c.upper)}
		}
		d.b.AddIndicator(mio.Row(in.row), mio.Col(j), in.on)
	}
	return nil
}

// sosLine reads the head of a set or a member. In the sections SOS1 and SOS2 a
// member may come with its set's name instead of after a head.
func (d *decoder) sosLine() error {
	f := &d.field
	for k, word := range sosTypes {
		if string(f[0]) == word {
			if d.couldBeMember() {
				return fmt.Errorf("%s begins a set, but is a column, too: rename the column", word)
			}
			return d.sosHead(k + 1)
		}
	}
	typed := 0
	switch d.section.word {
	case "SOS1":
		typed = 1
	case "SOS2":
		typed = 2
	}
	switch {
	case typed > 0 && d.n == 3 && (len(d.sets) == 0 || d.sets[len(d.sets)-1].name != string(f[0])):
		if err := d.beginSet(typed, f[0]); err != nil {
			return err
		}
	case len(d.sets) == 0:
		return fmt.Errorf("expected S1 or S2 and the name of a set, found %q", clip(f[0]))
	}
	set := &d.sets[len(d.sets)-1]
	switch {
	case d.n == 1: // CPLEX: the weights may be left out
		return d.member(f[0], float64(len(set.cols)+1))
	case d.n == 2:
		return d.weightedMember(f[0], f[1])
	case d.n == 3 && string(f[0]) == set.name:
		return d.weightedMember(f[1], f[2])
	}
	return fmt.Errorf("expected a column and its weight, found %d fields (%s)", d.n, d.fieldsHint())
}

// couldBeMember reports whether the line is a column, and maybe its weight.
func (d *decoder) couldBeMember() bool {
	if d.n > 2 || d.colNames.find(d.field[0]) < 0 {
		return false
	}
	if d.n == 1 {
		return true
	}
	_, err := parseNumber(d.field[1])
	return err == nil
}

// sosHead begins a set: its type and then nothing, a name, a name and a
// priority, a vector's and its own name, or these and a priority.
func (d *decoder) sosHead(kind int) error {
	if s := d.section.word; s == "SOS1" && kind != 1 || s == "SOS2" && kind != 2 {
		return fmt.Errorf("expected sets of type %c only, found %s", s[3], sosTypes[kind-1])
	}
	switch d.n {
	case 1:
		return d.beginSet(kind, strconv.AppendInt([]byte{'s'}, int64(len(d.sets))+1, 10))
	case 2:
		return d.beginSet(kind, d.field[1])
	case 3:
		if _, err := parseNumber(d.field[2]); err == nil {
			return d.beginSet(kind, d.field[1])
		}
		return d.beginSet(kind, d.field[2])
	case 4:
		if _, err := parseNumber(d.field[3]); err == nil {
			return d.beginSet(kind, d.field[2])
		}
	}
	return fmt.Errorf("expected %s and the name of a set, found %d fields (%s)", sosTypes[kind-1], d.n, d.fieldsHint())
}

func (d *decoder) beginSet(kind int, name []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if d.setNames[string(name)] {
		return fmt.Errorf("set %q appears twice", clip(name))
	}
	d.setNames[string(name)] = true
	if d.lastSet == nil {
		d.lastSet = make([]int32, d.colNames.len())
	}
	if len(d.weightSet) > 100 { // clearing takes time for all it ever held
		d.weightSet = map[float64]bool{}
	}
	clear(d.weightSet)
	d.sets = append(d.sets, sosSet{kind: kind, name: string(name), model: d.modelName(name, 's', len(d.sets)), line: d.src.number})
	return nil
}

func (d *decoder) weightedMember(column, number []byte) error {
	w, err := parseNumber(number)
	if err != nil {
		return fmt.Errorf("the weight of column %s: %w", clip(column), err)
	}
	return d.member(column, w)
}

func (d *decoder) member(column []byte, weight float64) error {
	set := &d.sets[len(d.sets)-1]
	k, err := d.columnName(column)
	switch {
	case err != nil:
		return err
	case d.lastSet[k] == int32(len(d.sets)):
		return fmt.Errorf("set %s has column %s twice", set.name, clip(column))
	case d.weightSet[weight]:
		return fmt.Errorf("set %s has two columns of weight %v", set.name, weight)
	}
	d.lastSet[k], d.weightSet[weight] = int32(len(d.sets)), true
	set.cols = append(set.cols, mio.Col(d.colIndex[k]))
	set.weights = append(set.weights, weight)
	return nil
}

// addSets gives the builder all sets.
func (d *decoder) addSets() error {
	for _, s := range d.sets {
		if len(s.cols) == 0 {
			return &lineError{s.line, fmt.Errorf("set %s has no columns", s.name)}
		}
		d.b.AddSOS(s.kind, s.model, s.cols, s.weights)
	}
	return nil
}
