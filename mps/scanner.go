package mps

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

const (
	maxLine    = 1 << 16
	maxFields  = 7 // of our own comments; data lines have 6
	gzipMagic0 = 0x1f
	gzipMagic1 = 0x8b
)

var errTooLarge = errors.New("too large")

// lines gives the lines of a plain or gzip file.
type lines struct {
	r      *bufio.Reader
	number int   // of the last line, from 1
	left   int64 // bytes still allowed
}

func newLines(r io.Reader, maxBytes int64) (*lines, error) {
	b := bufio.NewReaderSize(r, maxLine)
	if magic, err := b.Peek(2); err == nil && magic[0] == gzipMagic0 && magic[1] == gzipMagic1 {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReaderSize(z, maxLine)
	}
	return &lines{r: b, left: maxBytes}, nil
}

// next returns the next line without its line feed, valid until the next call.
// The error is io.EOF after the last.
func (l *lines) next() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if len(line) > 0 {
		l.number++
	}
	if l.left -= int64(len(line)); l.left < 0 {
		return nil, errTooLarge
	}
	switch {
	case err == nil:
		return line[:len(line)-1], nil
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("the line has more than %d characters", maxLine)
	case err == io.EOF && len(line) > 0:
		return line, nil
	}
	return nil, err
}

// split cuts a line into its fields and returns how many there are; only the
// first maxFields are kept. A field after the first that begins with $ starts a
// comment.
func split(line []byte, field *[maxFields][]byte) int {
	n := 0
	for k := 0; ; {
		for k < len(line) && isBlank(line[k]) {
			k++
		}
		if k == len(line) || n > 0 && line[k] == '$' {
			return n
		}
		start := k
		for k < len(line) && !isBlank(line[k]) {
			k++
		}
		if n < maxFields {
			field[n] = line[start:k]
		}
		n++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// equalFold compares s with an upper-case ASCII word.
func equalFold(s []byte, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i, c := range s {
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// clip shortens text for a message.
func clip(s []byte) string {
	if len(s) > 60 {
		return string(s[:60]) + "..."
	}
	return string(s)
}
