package mps

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/octgen/octgen/internal/atomicfile"
	"github.com/octgen/octgen/mio"
)

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

// WriteFile writes m to the named file, compressed if the name ends in .gz. It
// writes to a temporary file in the same folder and renames it, so that the
// file is either as before or complete. What is not a regular file, such as
// /dev/stdout or a pipe, is written to directly.
func WriteFile(path string, m *mio.Model, opts Options) (*Map, error) {
	return toFile(path, func(w io.Writer) (*Map, error) { return write(w, m, opts) })
}

// toFile runs put on the named file.
func toFile(path string, put func(io.Writer) (*Map, error)) (mp *Map, err error) {
	err = atomicfile.Write(path, func(w io.Writer) (err error) {
		mp, err = put(w)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("mps: cannot write %s: %w", path, err)
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
