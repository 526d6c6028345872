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

// pair is a row and its coefficient.
type pair struct {
	row   int // of its name
	value float64
}

// columnsFast takes a line that continues the current column in the way nearly
// all lines do: known rows, short numbers, no comment. Of another line it takes
// nothing and returns false.
func (d *decoder) columnsFast(line []byte) (bool, error) {
	k := skipBlanks(line, 0)
	n := len(d.current)
	if k == 0 || n == 0 || len(line)-k <= n || string(line[k:k+n]) != string(d.current) || !isBlank(line[k+n]) {
		return false, nil
	}
	var pairs [2]pair
	k = skipBlanks(line, k+n)
	count := 0
	for ; k < len(line); count++ {
		if count == len(pairs) {
			return false, nil
		}
		var ok bool
		if k, ok = d.pairAt(line, k, &pairs[count]); !ok {
			return false, nil
		}
	}
	for _, p := range pairs[:count] {
		if err := d.coefficient(p.row, p.value); err != nil {
			return true, err
		}
	}
	return count > 0, nil
}

// pairAt reads the row and the number that begin at line[k] and returns where
// the field behind them begins.
func (d *decoder) pairAt(line []byte, k int, p *pair) (next int, ok bool) {
	if line[k] == '$' || line[k] == markerWord[0] {
		return 0, false
	}
	b := line[:len(line)+padding]
	name := line[k:min(fieldEnd(b, k, len(line)), len(line))]
	var id key
	if len(name) <= maxShort {
		id = shortKey(b[k:k+16], len(name))
	} else {
		id = d.rowNames.keyOf(name)
	}
	p.row = d.rowNames.findNext(name, id)
	k = skipBlanks(line, k+len(name))
	if p.row < 0 || k == len(line) {
		return 0, false
	}
	v, n, ok := parseFast(line[k:])
	p.value = v
	k += n
	if !ok || k < len(line) && !isBlank(line[k]) {
		return 0, false
	}
	return skipBlanks(line, k), true
}

func skipBlanks(line []byte, k int) int {
	for k < len(line) && isBlank(line[k]) {
		k++
	}
	return k
}

func (d *decoder) columnsLine() error {
	f := &d.field
	if d.n == 3 && string(f[1]) == markerWord {
		return d.markerLine()
	}
	if d.n != 3 && d.n != 5 {
		return fmt.Errorf("expected a column and one or two pairs of row and number, found %d fields (%s)", d.n, d.fieldsHint())
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
	if name[0] == '$' {
		return fmt.Errorf("column %q: a name that begins with $ would begin a comment in other sections", clip(name))
	}
	if d.colNames.len() == maxCount {
		return fmt.Errorf("more than %d columns", maxCount)
	}
	if !d.currentSeen {
		d.columnsAt = d.src.left
	}
	if d.hasOffset {
		return fmt.Errorf("column %q comes after %s, which stands for the objective's constant and must be the last", clip(name), d.current)
	}
	if d.colNames.insert(name) < 0 {
		return fmt.Errorf("column %q appears again; all entries of a column must stand together", clip(name))
	}
	d.current = append(d.current[:0], name...)
	d.currentSeen = true
	if s := string(name); s == offsetFree || s == offsetFixed {
		if d.group != mio.Continuous {
			return fmt.Errorf("column %s stands for the objective's constant: it must be continuous", name)
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
// size is known and the rest is like the columns read.
func (d *decoder) reserve() {
	d.reserved = true
	more := d.src.rest(d.columnsAt)
	grow := func(n int) int { return int(min(float64(n)*(1+more)*1.01, maxCount)) }
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
	return d.coefficient(r, v)
}

// coefficient adds the current column's coefficient in the row of name r.
func (d *decoder) coefficient(r int, v float64) error {
	mark := int32(d.colNames.len())
	if d.rowNames.syms[r].mark == mark {
		return fmt.Errorf("column %s has two entries in row %s", clip(d.current), clip(d.rowNames.name(r)))
	}
	d.rowNames.syms[r].mark = mark
	i := d.rowIndex[r]
	switch {
	case d.currentCol == offsetColumn && i != objectiveRow:
		return fmt.Errorf("column %s stands for the objective's constant: it cannot have an entry in row %s", d.current, clip(d.rowNames.name(r)))
	case d.currentCol == offsetColumn:
		d.offset += v
	case i == objectiveRow:
		d.b.AddCost(mio.Col(d.currentCol), d.sign*v)
	case v != 0:
		d.b.Add(mio.Row(i), mio.Col(d.currentCol), v)
	}
	return nil
}

// boundType is what one type of BOUNDS line does.
type boundType struct {
	word         string
	number       bool // takes a number
	lower, upper bool // sets that bound
	integer      bool // makes the column integer
	refuse       string
}

var boundTypes = []boundType{
	{word: "LO", number: true, lower: true},
	{word: "UP", number: true, upper: true},
	{word: "FX", number: true, lower: true, upper: true},
	{word: "BV", lower: true, upper: true, integer: true},
	{word: "FR", lower: true, upper: true},
	{word: "MI", lower: true},
	{word: "PL", upper: true},
	{word: "LI", number: true, lower: true, integer: true},
	{word: "UI", number: true, upper: true, integer: true},
	{word: "SC", refuse: "semi-continuous columns"},
	{word: "SI", refuse: "semi-integer columns"},
	{word: "SN", refuse: "semi-continuous columns"},
}

func (d *decoder) boundsLine() error {
	t, err := findBoundType(d.field[0])
	if err != nil {
		return err
	}
	column, number, err := d.boundFields(t)
	if err != nil {
		return err
	}
	c := d.colNames.find(column)
	if c < 0 {
		return fmt.Errorf("column %q is not in the COLUMNS section (%s)", clip(column), noSpaces)
	}
	v := 0.0
	if number != nil { // of types that need none it says nothing
		if v, err = parseBound(number); err != nil {
			return fmt.Errorf("column %s: %w", clip(column), err)
		}
	}
	j := d.colIndex[c]
	if j == offsetColumn {
		if t.word != "FX" || v != 1 {
			return fmt.Errorf("column %s stands for the objective's constant: its one bound is FX 1", column)
		}
		d.offsetFixed = true
		return nil
	}
	if err := d.cols[j].apply(t, v); err != nil {
		return fmt.Errorf("column %s: %w", clip(column), err)
	}
	return nil
}

func findBoundType(word []byte) (*boundType, error) {
	for k := range boundTypes {
		t := &boundTypes[k]
		if t.word != string(word) {
			continue
		}
		if t.refuse != "" {
			return nil, fmt.Errorf("bound type %s: octgen's models do not have %s yet", t.word, t.refuse)
		}
		return t, nil
	}
	return nil, fmt.Errorf("expected a bound type LO, UP, FX, FR, MI, PL, BV, LI or UI, found %q", clip(word))
}

// boundFields returns the column and the number of a line whose vector's name,
// and whose number where the type needs none, may be left out.
func (d *decoder) boundFields(t *boundType) (column, number []byte, err error) {
	f := &d.field
	switch {
	case d.n == 4: // type, vector, column, number
		return f[2], f[3], d.useVector(f[1])
	case t.number && d.n == 3: // type, column, number
		return f[1], f[2], nil
	case t.number:
		return nil, nil, fmt.Errorf("expected %s, a vector's name, a column and a number, found %d fields (%s)", t.word, d.n, d.fieldsHint())
	case d.n == 2: // type, column
		return f[1], nil, nil
	case d.n != 3:
		return nil, nil, fmt.Errorf("expected %s, a vector's name and a column, found %d fields (%s)", t.word, d.n, d.fieldsHint())
	case d.colNames.find(f[2]) < 0 && d.colNames.find(f[1]) >= 0: // type, column, number
		return f[1], f[2], nil
	}
	return f[2], nil, d.useVector(f[1]) // type, vector, column
}

func (c *colData) apply(t *boundType, v float64) error {
	switch {
	case t.lower && c.hasLower:
		return errors.New("the lower bound is given twice")
	case t.upper && c.hasUpper:
		return errors.New("the upper bound is given twice")
	}
	lower, upper := v, v
	switch t.word {
	case "BV":
		lower, upper = 0, 1
	case "FR", "MI", "PL":
		lower, upper = math.Inf(-1), math.Inf(1)
	}
	if t.lower {
		c.lower, c.hasLower = lower, true
	}
	if t.upper {
		c.upper, c.hasUpper = upper, true
		c.negativeUp = upper < 0
	}
	switch {
	case t.word == "BV":
		c.kind = mio.Binary
	case t.integer && c.kind == mio.Continuous:
		c.kind = mio.Integer
	}
	return nil
}
