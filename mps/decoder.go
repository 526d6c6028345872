package mps

import (
	"math"

	"github.com/octgen/octgen/mio"
)

const (
	markerWord    = "'MARKER'"
	integerMarker = "INT" // any name that does not begin with BIN
	binaryMarker  = "BIN"

	// offsetColumn stands for the reserved column in the table of columns.
	objectiveRow = -1
	offsetColumn = -2
)

// section is one section of the format: how to read its lines, or why not.
type section struct {
	word   string
	words  int                                         // how many may follow it on its line; -1: any number
	header func(d *decoder, rest []byte) error         // begins the section
	fast   func(d *decoder, line []byte) (bool, error) // one data line of the usual kind, not split; false: not taken
	line   func(d *decoder) error                      // one data line, split into d.field[:d.n]
	after  string                                      // the section that must come first
	before string                                      // the section that must not come first
	many   bool                                        // it may appear again, for another row
	refuse string                                      // why octgen does not read it
}

// decoder is the state of reading one file. Each section has one method.
type decoder struct {
	src     *lines
	b       *mio.Builder
	field   [maxFields][]byte
	n       int // fields of the line; more than maxFields are counted only
	section *section
	seen    map[string]bool // sections so far

	name     string
	sense    mio.Sense
	hasSense bool
	sign     float64 // of costs: -1 for a negated maximization
	offset   float64 // of the objective as in the file

	rowNames *symbols // marked with 1 + the column that last had an entry there
	rowIndex []int32  // of a name: model row, or objectiveRow
	rows     []rowData

	colNames *symbols
	colIndex []int32 // of a name: model column, or offsetColumn
	cols     []colData

	current     []byte // name of the column being read
	currentCol  int32
	currentSeen bool  // any column yet
	columnsAt   int64 // src.left at the first column
	reserved    bool  // room for all coefficients
	group       mio.VarType
	offsetFixed bool // the offset column is stated to be 1
	hasOffset   bool
	objRHS      bool

	set map[string]string // name of the vector used, per section

	nonlinear
	directives
}

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

// quadMatrix holds the quadratic terms of the objective or a row as in the file.
type quadMatrix struct {
	form    quadForm
	word    string // section, or quadDirective
	row     int32  // in the model, or objectiveRow
	entries []quadEntry
}

// quadForm is how a section states the quadratic terms of one function.
type quadForm struct {
	full      bool    // both triangles, which must agree; else one of them
	diag, off float64 // a term's coefficient per entry on and off the diagonal
}

type quadEntry struct {
	i, j  int32 // indices of names
	line  int
	value float64
}

type indicator struct {
	row  int32 // in the model
	col  int32 // index of its name
	on   bool
	line int
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

// directives is what comments of octgen's own say beyond MPS.
type directives struct {
	maximize   bool
	lazyRows   int               // the last rows that are lazy; -1: not said
	renamed    map[string][]byte // name in the file -> in the model
	modelNamed bool
	modelText  []byte
	exactRows  map[int32]interval
	exactCols  map[int32]interval
}

type interval struct{ lower, upper float64 }

type rowData struct {
	kind       byte
	hasRHS     bool
	hasRange   bool
	rhs, width float64
}

// colData is what BOUNDS and markers say of a column.
type colData struct {
	lower, upper       float64
	hasLower, hasUpper bool
	negativeUp         bool // UP or UI below zero
	kind               mio.VarType
}

func newDecoder(src *lines) *decoder {
	return &decoder{
		src: src, sign: 1,
		seen: map[string]bool{}, set: map[string]string{},
		rowNames: newSymbols(), colNames: newSymbols(),
		nonlinear:  newNonlinear(),
		directives: newDirectives(),
	}
}

func newNonlinear() nonlinear {
	return nonlinear{matrixOf: map[int32]int{}, hasIndicator: map[int32]bool{},
		setNames: map[string]bool{}, weightSet: map[float64]bool{}}
}

func newDirectives() directives {
	return directives{lazyRows: -1, renamed: map[string][]byte{}, exactRows: map[int32]interval{}, exactCols: map[int32]interval{}}
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

// lineError is a mistake found after the line it stands in.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }

func (e *lineError) Unwrap() error { return e.err }
