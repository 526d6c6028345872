package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// What a file says of its own form: its encoding and its delimiter. Options override it.

// fromUTF16 returns r as UTF-8 if it begins with a byte order mark of UTF-16.
func (t *records) fromUTF16(r *bufio.Reader) *bufio.Reader {
	mark, _ := r.Peek(2) // an error recurs at the first read
	if !bytes.Equal(mark, []byte("\xff\xfe")) && !bytes.Equal(mark, []byte("\xfe\xff")) {
		return r
	}
	t.recognised = append(t.recognised, "UTF-16 text")
	decoder := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	return bufio.NewReaderSize(transform.NewReader(r, decoder), sniffed)
}

const (
	sniffed     = 1 << 16 // bytes that are looked at
	sniffedRows = 50      // records
)

// delimiters are those that are recognised, the first of equally good ones.
var delimiters = []rune{',', ';', '\t', '|'}

// delimiter returns the delimiter, given or 0, and the number of lines that only name it ("sep=;", as Excel
// writes). One that is not given is that of the file's name, unless that leaves records of one field, or of
// different lengths, where another divides all records into equally many fields.
func (t *records) delimiter(r *bufio.Reader, given rune) (comma rune, lines int) {
	head, err := r.Peek(sniffed)
	if line, _, ok := bytes.Cut(head, []byte("\n")); ok {
		if text := strings.TrimSuffix(string(line), "\r"); len(text) == 5 && strings.HasPrefix(strings.ToLower(text), "sep=") {
			_, _ = r.Discard(len(line) + 1) // which were peeked
			return cmp.Or(given, rune(text[4])), 1
		}
	}
	if given != 0 {
		return given, 0
	}
	usual := delimiterOf(t.file)
	if fieldsOf(head, usual, err == io.EOF) > 1 {
		return usual, 0
	}
	best, most := usual, 1
	for _, other := range delimiters {
		if fields := fieldsOf(head, other, err == io.EOF); fields > most {
			best, most = other, fields
		}
	}
	if best != usual {
		t.recognised = append(t.recognised, fmt.Sprintf("fields separated by %q (--delimiter)", string(best)))
	}
	return best, 0
}

// fieldsOf returns the number of fields of every record in the head of a file, or 0 if they differ.
func fieldsOf(head []byte, comma rune, whole bool) int {
	if !whole {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	r := csv.NewReader(bytes.NewReader(head))
	r.Comma, r.LazyQuotes, r.ReuseRecord = comma, true, true // all records like the first
	fields, last := 0, 0
	for range sniffedRows {
		record, err := r.Read()
		if err == io.EOF {
			return fields
		}
		if err != nil {
			return 0
		}
		fields, last = len(record), fields
		if last != 0 && last != fields {
			return 0
		}
	}
	return fields
}
