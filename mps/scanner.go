package mps

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

const (
	maxLine    = 1 << 16
	maxFields  = 7  // of our own comments; data lines have 6
	maxDigits  = 15 // integers of so many digits are exact float64s
	maxPow10   = 22 // and so are powers of ten up to here
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

var pow10 = [maxPow10 + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseNumber returns the float64 nearest to a decimal. Short decimals are one
// exact integer divided by an exact power of ten, rounded once.
func parseNumber(s []byte) (float64, error) {
	var mantissa int64
	digits, fraction, point := 0, 0, false
	k := 0
	negative := len(s) > 0 && s[0] == '-'
	if negative || len(s) > 0 && s[0] == '+' {
		k++
	}
	for ; k < len(s); k++ {
		switch c := s[k]; {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + int64(c-'0')
			digits++
			if point {
				fraction++
			}
		case c == '.' && !point:
			point = true
		default:
			return parseSlow(s)
		}
		if digits > maxDigits {
			return parseSlow(s)
		}
	}
	if digits == 0 {
		return parseSlow(s)
	}
	v := float64(mantissa) / pow10[fraction]
	if negative {
		v = -v
	}
	return v, nil
}

// parseSlow parses any decimal, with a Fortran exponent (1.5D3) too. Unlike
// strconv it knows no infinity, no hexadecimals and no underscores.
func parseSlow(s []byte) (float64, error) {
	buf := make([]byte, 0, 32)
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
			buf = append(buf, c)
		case c == 'd' || c == 'D':
			buf = append(buf, 'e')
		default:
			return 0, fmt.Errorf("expected a number, found %q", clip(s))
		}
	}
	v, err := strconv.ParseFloat(string(buf), 64)
	switch {
	case err != nil && math.IsInf(v, 0):
		return 0, fmt.Errorf("number %q is beyond the range of a float64", clip(s))
	case err != nil:
		return 0, fmt.Errorf("expected a number, found %q", clip(s))
	}
	return v, nil
}

// parseBound is parseNumber that knows infinite bounds by name too.
func parseBound(s []byte) (float64, error) {
	if len(s) > 0 {
		sign, t := 1, s
		if s[0] == '-' || s[0] == '+' {
			if s[0] == '-' {
				sign = -1
			}
			t = s[1:]
		}
		if equalFold(t, "INF") || equalFold(t, "INFINITY") {
			return math.Inf(sign), nil
		}
	}
	return parseNumber(s)
}

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
