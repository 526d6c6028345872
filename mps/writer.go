package mps

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/octgen/octgen/mio"
)

// Start positions of the six fields in fixed format, from 0.
const (
	field1 = 1
	field2 = 4
	field3 = 14
	field4 = 24
	field5 = 39
	field6 = 49
)

const (
	bufferSize = 1 << 16
	maxOutLine = 4096 // no line is longer
	commentLen = 240  // CBC reads lines of at most 1000 characters
)

// FormatError says what a file of the format and dialect asked for cannot hold.
type FormatError struct{ Err error }

func (e *FormatError) Error() string { return e.Err.Error() }
func (e *FormatError) Unwrap() error { return e.Err }

// Write writes m to w and returns how the file corresponds to m. The same
// model and options give the same bytes. Large models are rendered by up to eight
// cores (GOMAXPROCS); w is called by one at a time. Beyond the model it needs
// constant memory, 0.4 MB per core, and 4 bytes per 32 rows where row names had
// to be replaced. The error is w's, or says what the format or the dialect cannot
// hold.
func Write(w io.Writer, m *mio.Model, opts Options) (*Map, error) {
	mp, err := write(w, m, opts)
	if err != nil {
		return nil, fmt.Errorf("mps: writing model %q: %w", m.Name(), err)
	}
	return mp, nil
}

func write(w io.Writer, m *mio.Model, opts Options) (*Map, error) {
	if opts.Format > Fixed || opts.Dialect >= numDialects {
		panic("mps: invalid Options")
	}
	if err := checkNonlinear(m, opts.Dialect); err != nil {
		return nil, &FormatError{err}
	}
	comments, err := commentLines(opts.Comments)
	if err != nil {
		return nil, &FormatError{err}
	}
	mp, err := newMap(m, opts)
	if err != nil {
		return nil, &FormatError{err}
	}
	e := newEncoder(w, m, mp)
	e.opts = opts
	e.num.fixed = opts.Format == Fixed
	e.startWorkers()
	e.comments(comments)
	e.nameSection()
	e.rowsSection()
	e.columnsSection()
	e.rhsSection()
	e.rangesSection()
	e.boundsSection()
	e.nonlinearSections()
	e.raw("ENDATA\n")
	e.flush()
	if e.err != nil {
		return nil, e.err
	}
	return mp, nil
}

// commentLines splits the comments into lines. What would be read as a
// directive is an error.
func commentLines(comments []string) ([]string, error) {
	var lines []string
	for _, s := range comments {
		for l := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if f := strings.Fields(l); len(f) > 1 && f[0] == "octgen" && isDirective(f[1]) {
				return nil, fmt.Errorf("comment %q would be read as a directive", l)
			}
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// encoder appends lines to a buffer. Each section has one method.
type encoder struct {
	w          io.Writer
	m          *mio.Model
	mp         *Map
	opts       Options
	buf        []byte
	line       int // where the current line starts in buf
	renamedRow []uint32
	num        *numberCache
	err        error // first error; the rest of the work is harmless

	workers []*encoder // for the sections' blocks; none: e does them itself
	queue   *queue     // of a worker
	block   int        // the number of a worker's block
}

func newEncoder(w io.Writer, m *mio.Model, mp *Map) *encoder {
	e := &encoder{w: w, m: m, mp: mp, buf: make([]byte, 0, bufferSize), num: new(numberCache)}
	if len(mp.RenamedRows) > 0 {
		e.renamedRow = make([]uint32, (m.NumRows()+31)/32)
		for _, r := range mp.RenamedRows {
			e.renamedRow[r.Index/32] |= 1 << (r.Index % 32)
		}
	}
	return e
}

func (e *encoder) comments(lines []string) {
	e.raw("* octgen dialect " + e.opts.Dialect.String() + ", " + e.opts.Format.String() + " format\n")
	if e.m.Sense() == mio.Maximize {
		e.raw("* octgen sense max\n")
	}
	for _, s := range lines {
		e.comment(s)
	}
	if name := e.m.Name(); !legalName([]byte(name)) || e.opts.Format == Fixed && len(name) > maxFixedName {
		e.nameDirective("model", name)
	}
	for _, r := range e.mp.RenamedCols {
		e.nameDirective(r.Name, e.m.ColName(r.Index))
	}
	for _, r := range e.mp.RenamedRows {
		e.nameDirective(r.Name, e.m.RowName(r.Index))
	}
	for _, r := range e.mp.RenamedSOS {
		e.nameDirective(r.Name, e.m.SOS()[r.Index].Name)
	}
}

// comment writes text as comment lines; only the first can be a directive's
// look-alike, and that was checked.
func (e *encoder) comment(text string) {
	e.commentAfter("* ", text)
}

// commentAfter writes text in lines of bounded length that begin with prefix.
func (e *encoder) commentAfter(prefix, text string) {
	for {
		n := min(len(text), commentLen)
		e.raw(prefix + text[:n] + "\n")
		if text = text[n:]; text == "" {
			return
		}
		text = "  " + text
	}
}

// nameDirective writes which name stands for another, in pieces if it is long.
func (e *encoder) nameDirective(short, name string) {
	for first := true; first || name != ""; first = false {
		n := min(len(name), commentLen/4) // a byte takes at most 4 when quoted
		e.raw("* octgen name " + short + " " + strconv.QuoteToASCII(name[:n]) + "\n")
		name = name[n:]
	}
}

func (e *encoder) nameSection() {
	name := e.m.Name()
	if !legalName([]byte(name)) || e.opts.Format == Fixed && len(name) > maxFixedName {
		name = fallbackModel
	}
	e.start()
	if e.opts.Format == Fixed {
		e.raw("NAME          " + name)
	} else {
		e.raw("NAME " + name + " FREE") // without FREE, CBC takes short names for fixed format
	}
	e.end()
}

func (e *encoder) rowsSection() {
	e.raw("ROWS\n")
	e.start()
	e.text(field1, "N")
	e.text(field2, objectiveName)
	e.end()
	n, lazy := e.m.NumRows(), e.m.NumLazy()
	e.rowBlocks(0, n-lazy)
	if lazy == 0 {
		return
	}
	if e.lazySection() {
		e.raw("LAZYCONS\n")
	} else {
		e.raw("* octgen lazy " + strconv.Itoa(lazy) + "\n")
	}
	e.rowBlocks(n-lazy, n)
}

// lazySection reports whether the lazy rows stand in a section of their own: CPLEX and
// Gurobi have one, of rows with one right-hand side.
func (e *encoder) lazySection() bool {
	if e.opts.Dialect != CPLEX && e.opts.Dialect != Gurobi {
		return false
	}
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := e.m.NumRows() - e.m.NumLazy(); i < e.m.NumRows(); i++ {
		if isFree(lower[i], upper[i]) || isRange(lower[i], upper[i]) {
			return false
		}
	}
	return true
}

// rowBlocks writes the rows lo..hi-1.
func (e *encoder) rowBlocks(lo, hi int) {
	n := hi - lo
	e.blocks(n, even(n), func(e *encoder, b block) {
		b.lo, b.hi = b.lo+lo, b.hi+lo
		e.rows(b)
	})
}

func (e *encoder) rows(b block) {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := b.lo; i < b.hi; i++ {
		e.start()
		e.text(field1, rowKind(lower[i], upper[i]))
		e.gap(field2)
		e.rowName(i)
		e.end()
	}
}

// rowKind returns the type of a row. That of a range is the side it is
// anchored at: the larger in magnitude, which loses least to rounding.
func rowKind(lower, upper float64) string {
	switch {
	case isFree(lower, upper):
		return "N"
	case lower == upper:
		return "E"
	case math.IsInf(lower, -1):
		return "L"
	case math.IsInf(upper, 1) || math.Abs(upper) >= math.Abs(lower):
		return "G"
	}
	return "L"
}

func (e *encoder) rhsSection() {
	e.raw("RHS\n")
	n := e.m.NumRows()
	e.blocks(n, even(n), (*encoder).rightSides)
}

func (e *encoder) rightSides(b block) {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := b.lo; i < b.hi; i++ {
		rhs := upper[i]
		switch rowKind(lower[i], upper[i]) {
		case "N":
			continue
		case "G":
			rhs = lower[i]
		}
		if rhs != 0 {
			e.rowEntry(rhsSet, i, rhs)
		}
	}
}

func (e *encoder) rangesSection() {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	n := len(lower)
	for i := range n {
		if isRange(lower[i], upper[i]) {
			e.raw("RANGES\n")
			e.blocks(n, even(n), (*encoder).ranges)
			return
		}
	}
}

func (e *encoder) ranges(b block) {
	lower, upper := e.m.RowLower(), e.m.RowUpper()
	for i := b.lo; i < b.hi; i++ {
		l, u := lower[i], upper[i]
		if !isRange(l, u) {
			continue
		}
		r, exact := rangeOf(l, u)
		if !exact {
			e.start()
			e.raw("* octgen range ")
			e.rowName(i)
			e.interval(l, u)
			e.end()
		}
		e.rowEntry(rangeSet, i, r)
	}
}

func isRange(l, u float64) bool { return l != u && !math.IsInf(l, 0) && !math.IsInf(u, 0) }

// rangeOf returns the range of a row with finite bounds l < u, and whether a
// reader gets exactly the other bound from it.
func rangeOf(l, u float64) (r float64, exact bool) {
	r = math.Min(u-l, math.MaxFloat64)
	for _, r := range [...]float64{r, math.Nextafter(r, 0), math.Nextafter(r, math.MaxFloat64)} {
		if rowKind(l, u) == "G" && l+r == u || rowKind(l, u) == "L" && u-r == l {
			return r, r > 0
		}
	}
	return r, false
}

// rowEntry writes a row's entry of RHS or RANGES.
func (e *encoder) rowEntry(set string, i int, v float64) {
	e.start()
	e.text(field2, set)
	e.gap(field3)
	e.rowName(i)
	e.number(field4, v)
	e.end()
}
