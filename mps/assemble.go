package mps

import (
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
)

// model puts together what the sections said.
func (d *decoder) model() (*mio.Model, error) {
	b := d.b
	if d.hasOffset && !d.offsetFixed {
		return nil, fmt.Errorf("column %s stands for the objective's constant, but is not fixed at 1", offsetFree)
	}
	b.SetSense(d.sense)
	b.AddOffset(d.sign * d.offset)
	for i := range d.rows {
		lower, upper := d.rows[i].bounds()
		if v, ok := d.exactRows[int32(i)]; ok {
			lower, upper = v.lower, v.upper
		} else if d.rows[i].hasRange && (math.IsInf(lower, 0) || math.IsInf(upper, 0)) {
			return nil, fmt.Errorf("row %s: right-hand side %v and range %v are beyond the range of a float64", d.rowName(i), d.rows[i].rhs, d.rows[i].width)
		}
		b.SetRowBounds(mio.Row(i), lower, upper)
	}
	for j := range d.cols {
		c := &d.cols[j]
		c.complete()
		if v, ok := d.exactCols[int32(j)]; ok {
			c.lower, c.upper = v.lower, v.upper
		}
		if c.kind == mio.Binary && (c.lower < 0 || c.upper > 1) {
			c.kind = mio.Integer
		}
		b.SetColBounds(mio.Col(j), c.lower, c.upper)
		b.SetColType(mio.Col(j), c.kind)
	}
	for _, add := range []func() error{d.addQuadratic, d.addIndicators, d.addSets} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	m, err := b.Model()
	if err == nil && d.lazyRows >= 0 && m.NumLazy() != d.lazyRows {
		return nil, fmt.Errorf("%d lazy rows, expected the %d of the comment \"octgen lazy\"", m.NumLazy(), d.lazyRows)
	}
	return m, err
}

// rowName returns the name in the file of model row i.
func (d *decoder) rowName(i int) []byte {
	for k, index := range d.rowIndex {
		if int(index) == i {
			return d.rowNames.name(k)
		}
	}
	return nil
}

// colName returns the name in the file of model column j.
func (d *decoder) colName(j int) []byte {
	for k, index := range d.colIndex {
		if int(index) == j {
			return d.colNames.name(k)
		}
	}
	return nil
}

// bounds applies the meaning of a range to the row's type.
func (r *rowData) bounds() (lower, upper float64) {
	lower, upper = math.Inf(-1), math.Inf(1)
	w := math.Abs(r.width)
	switch {
	case r.kind == 'E' && r.width < 0, r.kind == 'L' && r.hasRange:
		return r.rhs - w, r.rhs
	case r.kind == 'E', r.kind == 'G' && r.hasRange:
		return r.rhs, r.rhs + w
	case r.kind == 'L':
		upper = r.rhs
	case r.kind == 'G':
		lower = r.rhs
	}
	return lower, upper
}

// complete fills in the bounds that were not stated.
func (c *colData) complete() {
	switch {
	case c.kind != mio.Continuous && !c.hasLower && !c.hasUpper:
		c.lower, c.upper = 0, 1
	case c.negativeUp && !c.hasLower:
		c.lower = math.Inf(-1)
	}
}
