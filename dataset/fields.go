package dataset

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldReader reads records like a csv.Reader that allows any number of fields per
// record. As long as no line contains a quote, it splits lines itself, in a third of the
// time. It switches to a csv.Reader at the first quote.
type fieldReader struct {
	in      *bufio.Reader
	comma   rune
	trim    bool        // trim the leading space of fields
	quoted  *csv.Reader // nil until the first quote
	lines   int         // lines read so far, without those read by quoted
	long    []byte      // a line that exceeds in's buffer
	record  []string
	columns []int // byte where each field begins, from 1
}

func newFieldReader(in *bufio.Reader, comma rune, trim bool) *fieldReader {
	r := &fieldReader{in: in, comma: comma, trim: trim}
	if comma >= utf8.RuneSelf || comma < ' ' && comma != '\t' || comma == '"' {
		r.quote(nil) // csv.Reader reports the error
	}
	return r
}

// quote passes the rest of the file to a csv.Reader, starting with a line that was
// already read.
func (r *fieldReader) quote(line []byte) {
	r.quoted = csv.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(line)), r.in))
	r.quoted.Comma, r.quoted.TrimLeadingSpace = r.comma, r.trim
	r.quoted.FieldsPerRecord, r.quoted.ReuseRecord = -1, true
}

// Read returns the next record, valid until the following call, or io.EOF. It skips empty
// lines. Its errors are those of a csv.Reader.
func (r *fieldReader) Read() ([]string, error) {
	for r.quoted == nil {
		line, err := r.line()
		switch {
		case err != nil:
			return nil, err
		case bytes.IndexByte(line, '"') >= 0:
			r.quote(line)
			continue
		}
		r.lines++
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 {
			r.divide(string(line))
			return r.record, nil
		}
	}
	record, err := r.quoted.Read()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		parse.Line, parse.StartLine = parse.Line+r.lines, parse.StartLine+r.lines
	}
	return record, err
}

// FieldPos returns where a field of the last record begins, line and column from 1.
func (r *fieldReader) FieldPos(field int) (line, column int) {
	if r.quoted == nil {
		return r.lines, r.columns[field]
	}
	line, column = r.quoted.FieldPos(field)
	return line + r.lines, column
}

// line returns the next line with its \n, if it has one; \r\n becomes \n.
func (r *fieldReader) line() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		r.long = r.long[:0]
		for err == bufio.ErrBufferFull {
			r.long = append(r.long, line...)
			line, err = r.in.ReadSlice('\n')
		}
		r.long = append(r.long, line...)
		line = r.long
	}
	switch {
	case err == io.EOF && len(line) > 0:
		return bytes.TrimSuffix(line, []byte("\r")), nil
	case err != nil:
		return nil, err
	}
	if n := len(line); n >= 2 && line[n-2] == '\r' {
		line[n-2] = '\n'
		line = line[:n-1]
	}
	return line, nil
}

// divide splits a line into the fields of the record.
func (r *fieldReader) divide(line string) {
	r.record, r.columns = r.record[:0], r.columns[:0]
	comma := byte(r.comma)
	for at := 0; ; {
		if r.trim && at < len(line) && (line[at] <= ' ' || line[at] >= utf8.RuneSelf) {
			at = len(line) - len(strings.TrimLeftFunc(line[at:], unicode.IsSpace))
		}
		end := at
		for end < len(line) && line[end] != comma {
			end++
		}
		r.record, r.columns = append(r.record, line[at:end]), append(r.columns, at+1)
		if end == len(line) {
			return
		}
		at = end + 1
	}
}
