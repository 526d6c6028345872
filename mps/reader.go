package mps

import (
	"errors"
	"fmt"
	"io"
	"strings"

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

// ReadOptions says how a model is read. The zero value is the default.
type ReadOptions struct {
	// Notes receives what the file was taken to mean where solvers disagree, a
	// line of text for each kind of place; nil for nobody.
	Notes func(text string)

	// MaxBytes is the most that is read, after decompression; memory is at
	// most a small multiple. 0 means 16 GiB.
	MaxBytes int64
}

const defaultMaxBytes = 16 << 30

// Read reads a model in free or fixed format, plain or gzip (found by its first
// bytes). Errors say what is wrong at which line of name, which is not opened.
// The package documentation lists the conventions.
func Read(r io.Reader, name string) (*mio.Model, error) {
	return ReadOptions{}.Read(r, name)
}

// Read is the package's Read with o's options.
func (o ReadOptions) Read(r io.Reader, name string) (*mio.Model, error) {
	m, _, err := o.ReadMapped(r, name)
	return m, err
}

// ReadMapped is Read that returns, too, how the file corresponds to the model:
// by it the solutions of the file that was read, whoever wrote it, are read. Sets
// have no names in solutions and are left out.
func (o ReadOptions) ReadMapped(r io.Reader, name string) (*mio.Model, *Map, error) {
	d, err := o.decode(r, name)
	if err != nil {
		return nil, nil, err
	}
	d.notes(o.Notes)
	m, err := d.model()
	var at *lineError
	if errors.As(err, &at) {
		return nil, nil, fmt.Errorf("mps: %s:%d: %w", name, at.line, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("mps: %s: %w", name, err)
	}
	return m, d.fileMap(m), nil
}

// decode reads the sections.
func (o ReadOptions) decode(r io.Reader, name string) (*decoder, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	src, err := newLines(r, o.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("mps: %s: %w", name, err)
	}
	d := newDecoder(src)
	if err := d.run(); err != nil {
		if errors.Is(err, errTooLarge) {
			err = fmt.Errorf("more than %d bytes (ReadOptions.MaxBytes)", o.MaxBytes)
		}
		return nil, fmt.Errorf("mps: %s:%d: %w", name, src.number, err)
	}
	return d, nil
}

// lineError is a mistake found after the line it stands in.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

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

// sections is the format. What a mio.Model cannot hold has its place here too.
var sections = []section{
	{word: "NAME", words: -1, header: (*decoder).nameHeader, before: "ROWS"},
	{word: "OBJSENSE", words: 1, header: (*decoder).senseHeader, line: (*decoder).senseLine, before: "COLUMNS"},
	{word: "ROWS", header: (*decoder).rowsHeader, line: (*decoder).rowsLine},
	{word: "LAZYCONS", words: 1, header: (*decoder).lazyHeader, line: (*decoder).lazyLine, after: "ROWS", before: "COLUMNS"}, // CPLEX, Gurobi
	{word: "COLUMNS", fast: (*decoder).columnsFast, line: (*decoder).columnsLine, after: "ROWS"},
	{word: "RHS", line: (*decoder).rhsLine, after: "COLUMNS"},
	{word: "RANGES", line: (*decoder).rangesLine, after: "COLUMNS"},
	{word: "BOUNDS", line: (*decoder).boundsLine, after: "COLUMNS"},
	{word: "QUADOBJ", words: 1, header: (*decoder).quadHeader, line: (*decoder).quadLine, after: "COLUMNS"},
	{word: "QMATRIX", words: 1, header: (*decoder).quadHeader, line: (*decoder).quadLine, after: "COLUMNS"},
	{word: "QSECTION", words: 1, header: (*decoder).quadHeader, line: (*decoder).quadLine, after: "COLUMNS", many: true},
	{word: "QCMATRIX", words: 1, header: (*decoder).quadHeader, line: (*decoder).quadLine, after: "COLUMNS", many: true},
	{word: "INDICATORS", line: (*decoder).indicatorsLine, after: "COLUMNS"},
	{word: "SOS", line: (*decoder).sosLine, after: "COLUMNS"},
	{word: "SOS1", line: (*decoder).sosLine, after: "COLUMNS"},
	{word: "SOS2", line: (*decoder).sosLine, after: "COLUMNS"},
	{word: "SETS", line: (*decoder).sosLine, after: "COLUMNS"}, // Xpress
	{word: "CSECTION", refuse: "cones"},
	{word: "GENCONS", refuse: "general constraints"},
	{word: "PWLOBJ", refuse: "piecewise-linear objectives"},
	{word: "USERCUTS", refuse: "user cuts"},
	{word: "OBJNAME", refuse: "a choice among objectives"},
	{word: "ENDATA", after: "COLUMNS"},
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

// run reads all lines up to ENDATA.
func (d *decoder) run() error {
	for {
		line, err := d.src.next()
		switch {
		case err == io.EOF && d.section == nil:
			return errors.New("no MPS data: expected NAME or ROWS")
		case err == io.EOF:
			return errors.New("the file ends without ENDATA")
		case err != nil:
			return err
		}
		if done, err := d.anyLine(line); done || err != nil {
			return err
		}
	}
}

func (d *decoder) anyLine(line []byte) (done bool, err error) {
	if d.section != nil && d.section.fast != nil {
		if taken, err := d.section.fast(d, line); err != nil {
			return false, fmt.Errorf("section %s: %w", d.section.word, err)
		} else if taken {
			return false, nil
		}
	}
	d.n = split(line, &d.field)
	switch {
	case d.n == 0:
		return false, nil
	case line[0] == '*': // further right it begins a name
		return false, d.comment(line)
	case !isBlank(line[0]):
		return d.sectionLine(line)
	case d.section == nil || d.section.line == nil:
		return false, fmt.Errorf("expected a section such as ROWS at the start of the line, found %q", clip(line))
	}
	if err := d.section.line(d); err != nil {
		return false, fmt.Errorf("section %s: %w", d.section.word, err)
	}
	return false, nil
}

// sectionLine begins a section.
func (d *decoder) sectionLine(line []byte) (done bool, err error) {
	word := d.field[0]
	for k := range sections {
		s := &sections[k]
		if string(word) != s.word {
			continue
		}
		switch {
		case s.refuse != "":
			return false, fmt.Errorf("section %s: octgen's models do not have %s yet", s.word, s.refuse)
		case d.seen[s.word] && !s.many:
			return false, fmt.Errorf("section %s appears twice", s.word)
		case s.after != "" && !d.seen[s.after]:
			return false, fmt.Errorf("section %s comes before %s", s.word, s.after)
		case s.before != "" && d.seen[s.before]:
			return false, fmt.Errorf("section %s comes after %s", s.word, s.before)
		case s.words == 0 && d.n > 1:
			return false, fmt.Errorf("section %s: expected nothing after it on its line, found %q (data lines begin with a blank)", s.word, clip(d.field[1]))
		case s.words == 1 && d.n > 2:
			return false, fmt.Errorf("section %s: expected at most one name after it, found %d fields (%s)", s.word, d.n, d.fieldsHint())
		}
		d.seen[s.word] = true
		d.section = s
		if s.header != nil {
			return false, s.header(d, line[len(word):])
		}
		return s.word == "ENDATA", nil
	}
	return false, fmt.Errorf("unknown section %q; expected NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, QUADOBJ, QMATRIX, QCMATRIX, SOS, INDICATORS or ENDATA (data lines begin with a blank)", clip(word))
}

// nameHeader takes the rest of the line, without the word FREE that says that
// the format is free.
func (d *decoder) nameHeader(rest []byte) error {
	s := strings.TrimSpace(string(rest))
	if t, ok := strings.CutSuffix(s, "FREE"); ok && t != "" && isBlank(t[len(t)-1]) {
		s = strings.TrimSpace(t)
	}
	d.name = s
	return nil
}

// rowsHeader makes the builder: the model's name is known now.
func (d *decoder) rowsHeader([]byte) error {
	if d.modelNamed {
		d.name = string(d.modelText)
	}
	d.b = mio.NewBuilder(d.name)
	return nil
}

func (d *decoder) senseHeader([]byte) error {
	if d.n > 1 {
		return d.setSense(d.field[1])
	}
	return nil
}

func (d *decoder) senseLine() error {
	if d.n > 1 {
		return fmt.Errorf("expected MAX or MIN alone, found %d fields", d.n)
	}
	return d.setSense(d.field[0])
}

func (d *decoder) setSense(word []byte) error {
	switch {
	case d.maximize:
		return errors.New("the sense is given twice, by OBJSENSE and by the comment \"octgen sense max\"")
	case d.hasSense:
		return errors.New("the sense is given twice")
	}
	d.hasSense = true
	switch strings.ToUpper(string(word)) {
	case "MAX", "MAXIMIZE", "MAXIMISE", "MAXIMUM":
		d.sense = mio.Maximize
	case "MIN", "MINIMIZE", "MINIMISE", "MINIMUM":
		d.sense = mio.Minimize
	default:
		return fmt.Errorf("expected MAX or MIN, found %q", clip(word))
	}
	return nil
}
