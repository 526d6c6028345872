package mps

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/octgen/octgen/mio"
)

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
