package proof

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Limits of a file.
const (
	mostToken = 1 << 16 // bytes of a token, and of a text in quotes
	mostDepth = 64      // levels of a tree
)

// scanner reads tokens: parts between blanks and ends of lines, and texts in quotes.
type scanner struct {
	r     *bufio.Reader
	bytes int64
	line  int
}

// newScanner unpacks gzip data.
func newScanner(r io.Reader) (*scanner, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := in.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("the gzip data is damaged: %w", err)
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	return &scanner{r: in, line: 1}, nil
}

func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", s.line, fmt.Sprintf(format, args...))
}

func (s *scanner) byte() (byte, error) {
	b, err := s.r.ReadByte()
	if err == nil {
		if s.bytes++; b == '\n' {
			s.line++
		}
	}
	return b, err
}

// next returns the next token; io.EOF at the end.
func (s *scanner) next() (string, error) {
	b, err := s.byte()
	for err == nil && (b == ' ' || b == '\n' || b == '\r') {
		b, err = s.byte()
	}
	if err != nil {
		return "", err
	}
	token := []byte{b}
	quoted := b == '"'
	for {
		b, err := s.byte()
		switch {
		case err == io.EOF && !quoted:
			return string(token), nil
		case err != nil:
			return "", io.ErrUnexpectedEOF
		case !quoted && (b == ' ' || b == '\n' || b == '\r'):
			return string(token), nil
		}
		if token = append(token, b); len(token) > mostToken {
			return "", s.errorf("a token of more than %d bytes", mostToken)
		}
		if quoted && b == '"' && !escaped(token) {
			return string(token), nil
		}
	}
}

// escaped reports whether the last quote of the token follows an odd number of backslashes.
func escaped(token []byte) bool {
	n := 0
	for i := len(token) - 2; i > 0 && token[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// must returns the next token, which there has to be.
func (s *scanner) must() (string, error) {
	token, err := s.next()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "", s.errorf("the file ends too early")
	}
	return token, err
}

// word reads a token that has to be as given.
func (s *scanner) word(want string) error {
	token, err := s.must()
	if err == nil && token != want {
		err = s.errorf("%.40q, expected %q", token, want)
	}
	return err
}

// text reads a text in quotes.
func (s *scanner) text() (string, error) {
	token, err := s.must()
	if err != nil {
		return "", err
	}
	text, err := strconv.Unquote(token)
	if err != nil || token[0] != '"' {
		return "", s.errorf("%.40q, expected a text in quotes", token)
	}
	return text, nil
}

// number reads a whole number of at most most, in plain digits.
func (s *scanner) number() (int64, error) {
	token, err := s.must()
	if err != nil {
		return 0, err
	}
	return s.parse(token)
}

func (s *scanner) parse(token string) (int64, error) {
	for _, b := range []byte(token) {
		if b < '0' || b > '9' {
			return 0, s.errorf("%.40q, expected a whole number", token)
		}
	}
	v, err := strconv.ParseInt(token, 10, 64)
	if err != nil || v > most || len(token) > 1 && token[0] == '0' {
		return 0, s.errorf("%.40q, expected a whole number up to 2^60, without zeros before it", token)
	}
	return v, nil
}

// small reads a number below a limit.
func (s *scanner) small(limit int) (int, error) {
	v, err := s.number()
	if err == nil && v >= int64(limit) {
		err = s.errorf("%d, expected a number below %d", v, limit)
	}
	return int(v), err
}
