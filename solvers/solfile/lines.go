package solfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

const maxLine = 1 << 16

// byteOrderMark is what editors on Windows put before UTF-8.
const byteOrderMark = "\ufeff"

var (
	errTooLarge = errors.New("too large")
	errCut      = errors.New("the file ends in the middle of a line: it seems cut")
)

// lines gives the lines of a plain or gzip file.
type lines struct {
	r      *bufio.Reader
	number int   // of the last line, from 1
	left   int64 // bytes still allowed
	cut    bool  // the last line has no end
	again  bool  // give the last line once more
	line   []byte
}

func newLines(r io.Reader, maxBytes int64) (*lines, error) {
	b := bufio.NewReaderSize(r, maxLine)
	if magic, err := b.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReaderSize(z, maxLine)
	}
	if mark, err := b.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = b.Discard(len(byteOrderMark)) // was peeked
	}
	return &lines{r: b, left: maxBytes}, nil
}

// Read and the line methods are not used on the same file.
func (l *lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// next returns the next line that is not blank, without the blanks around it,
// valid until the next call. The error is io.EOF after the last.
func (l *lines) next() ([]byte, error) {
	if l.again {
		l.again = false
		return l.line, nil
	}
	for {
		line, err := l.r.ReadSlice('\n')
		if len(line) > 0 {
			l.number++
		}
		if l.left -= int64(len(line)); l.left < 0 {
			return nil, errTooLarge
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("the line has more than %d characters", maxLine)
		}
		last := err == io.EOF && len(line) > 0
		l.cut = l.cut || last
		l.line = bytes.TrimSpace(line)
		switch {
		case err != nil && !last:
			return nil, err
		case len(l.line) > 0:
			return l.line, nil
		}
	}
}

// back makes next return the last line once more.
func (l *lines) back() { l.again = true }

// need is next where the file must go on.
func (l *lines) need(what string) ([]byte, error) {
	line, err := l.next()
	if err == io.EOF {
		return nil, fmt.Errorf("the file ends too early, expected %s", what)
	}
	return line, err
}

// field cuts the first field off a line.
func field(line []byte) (first, rest []byte) {
	line = bytes.TrimLeft(line, " \t")
	k := bytes.IndexAny(line, " \t")
	if k < 0 {
		return line, nil
	}
	return line[:k], bytes.TrimLeft(line[k:], " \t")
}

// clip shortens text for a message.
func clip(s []byte) string {
	if len(s) > 60 {
		return string(s[:60]) + "..."
	}
	return string(s)
}

// parseValue reads a finite decimal. Unlike strconv it knows no infinity, no
// hexadecimals and no underscores.
func parseValue(s []byte) (float64, error) {
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
		default:
			return 0, fmt.Errorf("expected a finite number, found %q", clip(s))
		}
	}
	v, err := strconv.ParseFloat(string(s), 64)
	switch {
	case err != nil && math.IsInf(v, 0):
		return 0, fmt.Errorf("number %q is beyond the range of a float64", clip(s))
	case err != nil:
		return 0, fmt.Errorf("expected a finite number, found %q", clip(s))
	}
	return v + 0, nil // -0 becomes 0
}

// parseObjective reads a stated objective, NaN where it is infinite or no number:
// a file without a solution may say anything.
func parseObjective(s []byte) float64 {
	v, err := parseValue(s)
	if err != nil {
		return math.NaN()
	}
	return v
}

// parseCount reads a whole number of at least 0.
func parseCount(s []byte) (int, error) {
	n, err := parseInteger(s)
	if err == nil && n < 0 {
		return 0, fmt.Errorf("expected a whole number of at least 0, found %q", clip(s))
	}
	return n, err
}

// parseInteger reads an integer.
func parseInteger(s []byte) (int, error) {
	n, err := strconv.Atoi(string(s))
	if err != nil {
		return 0, fmt.Errorf("expected an integer, found %q", clip(s))
	}
	return n, nil
}

var (
	// ErrOtherModel is wrapped by errors that a solution of another model causes:
	// names or counts that differ, columns without a value.
	ErrOtherModel = errors.New("the file is not of this model")
	// ErrNoStart is wrapped by WriteStart for solvers that read no starts.
	ErrNoStart = errors.New("the solver reads no starts")
)

// FormatError says what is wrong with a file, and where.
type FormatError struct {
	File string
	Line int // from 1; 0 where no line is to blame
	Err  error
}

func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("solfile: %s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("solfile: %s:%d: %v", e.File, e.Line, e.Err)
}

func (e *FormatError) Unwrap() error { return e.Err }

// otherModel is an error that wraps ErrOtherModel.
func otherModel(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrOtherModel, fmt.Sprintf(format, args...))
}
