package mps

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/octgen/octgen/mio"
)

// nonlinear is what the file says beyond linear rows and integrality.
type nonlinear struct {
	matrices []quadMatrix
	matrixOf map[int32]int // by row

	indicators   []indicator
	hasIndicator map[int32]bool // by row

	sets      []sosSet
	setNames  map[string]bool
	lastSet   []int32          // per column name: 1 + the set that last had it
	weightSet map[float64]bool // weights of the last set
}

func newNonlinear() nonlinear {
	return nonlinear{matrixOf: map[int32]int{}, hasIndicator: map[int32]bool{},
		setNames: map[string]bool{}, weightSet: map[float64]bool{}}
}

type indicator struct {
	row  int32 // in the model
	col  int32 // index of its name
	on   bool
	line int
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

// sosSet is one special ordered set.
type sosSet struct {
	kind    int
	name    string // in the file, or the default
	model   string // in the model
	cols    []mio.Col
	weights []float64
	line    int
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
