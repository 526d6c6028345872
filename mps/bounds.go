package mps

import (
	"errors"
	"fmt"
	"math"

	"github.com/octgen/octgen/mio"
)

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
