package mps

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/octgen/octgen/mio"
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

// ReadFile reads the named file, plain or gzip. See [Read].
func ReadFile(path string) (*mio.Model, error) {
	m, _, err := ReadOptions{}.ReadFile(path)
	return m, err
}

// ReadFile reads the named file, plain or gzip. See [ReadOptions.ReadMapped].
func (o ReadOptions) ReadFile(path string) (*mio.Model, *Map, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("mps: %w", err)
	}
	defer f.Close() // read-only: closing has nothing to report
	return o.ReadMapped(f, path)
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

const directivePrefix = "* octgen "

// isDirective reports whether "* octgen <word>" means something to the reader.
func isDirective(word string) bool {
	switch word {
	case "sense", "name", "range", "bounds", "quadratic", "indicator", "lazy":
		return true
	}
	return false
}

// comment reads a comment line: a directive or nothing.
func (d *decoder) comment(line []byte) error {
	if !bytes.HasPrefix(line, []byte(directivePrefix)) || d.n < 3 || !isDirective(string(d.field[2])) {
		return nil
	}
	var err error
	switch string(d.field[2]) {
	case "sense":
		err = d.senseDirective()
	case "name":
		err = d.nameDirective(line)
	case "range":
		err = d.exactDirective(d.rowNames, d.rowIndex, d.exactRows)
	case "bounds":
		err = d.exactDirective(d.colNames, d.colIndex, d.exactCols)
	case "quadratic":
		err = d.quadraticDirective()
	case "indicator":
		err = d.indicatorDirective()
	case "lazy":
		err = d.lazyDirective()
	}
	if err != nil {
		return fmt.Errorf("comment %q: %w", clip(line), err)
	}
	return nil
}

func (d *decoder) senseDirective() error {
	switch {
	case d.n != 4 || string(d.field[3]) != "max":
		return errors.New("expected \"octgen sense max\"")
	case d.seen["ROWS"] || d.seen["OBJSENSE"] || d.maximize:
		return errors.New("it must come once, before all sections, and without OBJSENSE")
	}
	d.maximize, d.sense, d.sign = true, mio.Maximize, -1
	return nil
}

// lazyDirective reads `lazy N`: the last N rows of the section ROWS, which ends here.
func (d *decoder) lazyDirective() error {
	if d.n != 4 || d.section == nil || d.section.word != "ROWS" || d.lazyRows >= 0 {
		return errors.New("expected the number of lazy rows, once, within the section ROWS before them")
	}
	n, err := strconv.Atoi(string(d.field[3]))
	if err != nil || n < 1 {
		return fmt.Errorf("expected a number of rows, found %q", clip(d.field[3]))
	}
	d.lazyRows = n
	d.b.BeginLazy()
	return nil
}

// nameDirective reads `name SHORT "piece"`; pieces of one name are
// put together, in linear time however many there are.
func (d *decoder) nameDirective(line []byte) error {
	if d.n < 5 || d.seen["ROWS"] {
		return errors.New("expected a name in the file and the model's name in quotes, before all sections")
	}
	_, quoted, ok := strings.Cut(string(line), string(d.field[3])+" ")
	if !ok {
		return errors.New("expected a blank after the name in the file")
	}
	piece, err := strconv.Unquote(strings.TrimSpace(quoted))
	if err != nil {
		return errors.New("expected a name in double quotes")
	}
	if short := string(d.field[3]); short == "model" {
		d.modelNamed = true
		d.modelText = append(d.modelText, piece...)
	} else {
		d.renamed[short] = append(d.renamed[short], piece...)
	}
	return nil
}

// exactDirective reads `range ROW lower upper` or `bounds COLUMN lower upper`.
func (d *decoder) exactDirective(names *symbols, index []int32, exact map[int32]interval) error {
	if d.n != 6 {
		return errors.New("expected a name and two bounds")
	}
	k := names.find(d.field[3])
	if k < 0 || index[k] < 0 {
		return fmt.Errorf("no row or column %q", clip(d.field[3]))
	}
	lower, err := parseBound(d.field[4])
	if err != nil {
		return err
	}
	upper, err := parseBound(d.field[5])
	if err != nil {
		return err
	}
	exact[index[k]] = interval{lower, upper}
	return nil
}

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

// fileMap returns the correspondence of the file that was read to its model m.
func (d *decoder) fileMap(m *mio.Model) *Map {
	mp := countRows(&Map{Sign: d.sign, Offset: m.Offset(), Cols: m.NumCols(), Rows: m.NumRows()}, m)
	if len(d.renamed) > 0 {
		mp.RenamedCols = d.replaced(d.colNames, d.colIndex)
		mp.RenamedRows = d.replaced(d.rowNames, d.rowIndex)
	}
	if d.hasOffset {
		mp.OffsetColumn = string(d.colNames.name(d.colNames.len() - 1))
	}
	return mp
}

// replaced lists the names that stand for others of the model's.
func (d *decoder) replaced(names *symbols, index []int32) (list []Rename) {
	for k, i := range index {
		if name := names.name(k); i >= 0 && d.renamed[string(name)] != nil {
			list = append(list, Rename{int(i), string(name)})
		}
	}
	return list
}

// notes tells o.Notes where the file left room and what it was taken to mean.
func (d *decoder) notes(tell func(string)) {
	if tell == nil {
		return
	}
	if d.sense == mio.Maximize && !d.maximize {
		tell("OBJSENSE says to maximize: CBC minimizes all the same, GLPK does not read it")
	}
	if !d.hasObjective() {
		tell("no row has type N: the objective is constant")
	}
	if d.objRHS && d.offset != 0 {
		tell(fmt.Sprintf("the right-hand side of the objective is the negative of its constant, %v, as in HiGHS and CBC; GLPK takes it with the other sign", d.sign*d.offset))
	}
	free := first{}
	for i := range d.rows {
		if d.rows[i].kind == 'N' {
			free.add(i)
		}
	}
	free.tell(tell, "row %s has type N, but is not the first such: it has no bounds", "%d rows, %s the first, have type N, but are not the first such: they have no bounds", d.rowName)
	unbounded, negative := first{}, first{}
	for j := range d.cols {
		c := &d.cols[j]
		switch {
		case d.group01(c):
			unbounded.add(j)
		case c.negativeUp && !c.hasLower:
			negative.add(j)
		}
	}
	unbounded.tell(tell, "integer column %s has no bounds: [0, 1] is taken, as by HiGHS, CBC and GLPK; others take [0, inf)",
		"%d integer columns, %s the first, have no bounds: [0, 1] is taken, as by HiGHS, CBC and GLPK; others take [0, inf)", d.colName)
	negative.tell(tell, "column %s has a negative upper bound and no lower one: it has none, as in CBC, GLPK, Gurobi and CPLEX; HiGHS takes 0 and finds no solution",
		"%d columns, %s the first, have a negative upper bound and no lower one: they have none, as in CBC, GLPK, Gurobi and CPLEX; HiGHS takes 0 and finds no solution", d.colName)
}

// group01 reports whether c is an integer column of which BOUNDS says nothing.
// Columns between octgen's own markers of binaries are no matter of taste.
func (d *decoder) group01(c *colData) bool {
	return c.kind == mio.Integer && !c.hasLower && !c.hasUpper
}

// first counts things and keeps the first of them.
type first struct{ n, index int }

func (f *first) add(i int) {
	if f.n == 0 {
		f.index = i
	}
	f.n++
}

// tell says one of two texts, of one thing or of many; name gives the first's.
func (f *first) tell(tell func(string), one, many string, name func(int) []byte) {
	switch {
	case f.n == 1:
		tell(fmt.Sprintf(one, clip(name(f.index))))
	case f.n > 1:
		tell(fmt.Sprintf(many, f.n, clip(name(f.index))))
	}
}
