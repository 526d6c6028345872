package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
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

// fromWindows returns r as UTF-8 if its head has bytes of Windows-1252, of which Latin-1 is a part, and no
// character of UTF-8 beyond ASCII. A head that has both is broken, which is an error where it is read.
func (t *records) fromWindows(r *bufio.Reader) *bufio.Reader {
	head, _ := r.Peek(sniffed) // an error recurs at the first read
	single := false
	for len(head) > 0 {
		c, size := utf8.DecodeRune(head)
		switch {
		case c == 0 || size > 1:
			return r
		case c == utf8.RuneError && !utf8.FullRune(head): // cut off
			head = nil
			continue
		case c == utf8.RuneError:
			single = true
		}
		head = head[size:]
	}
	if !single {
		return r
	}
	t.recognised = append(t.recognised, "Windows-1252 (Latin-1) text")
	return bufio.NewReaderSize(transform.NewReader(r, charmap.Windows1252.NewDecoder()), sniffed)
}

// unnamed drops the last fields of a header that have no name. The columns below must be empty (fits).
// A table has two columns; less is a title above it.
func (t *records) unnamed(header []string) []string {
	last := len(header)
	for last > 0 && strings.TrimSpace(header[last-1]) == "" {
		last--
	}
	if last < 2 {
		return header
	}
	t.leaveLast(len(header) - last)
	return header[:last]
}

// leaveLast leaves out the last n columns.
func (t *records) leaveLast(n int) {
	switch t.unnamedLast = n; n {
	case 0:
	case 1:
		t.recognised = append(t.recognised, "an empty last column")
	default:
		t.recognised = append(t.recognised, fmt.Sprintf("%d empty last columns", n))
	}
}

// emptyLast returns how many last fields are empty in all records of a head, at most all but two.
func emptyLast(head []byte, comma rune, whole bool) int {
	r := csv.NewReader(bytes.NewReader(lines(head, whole)))
	r.Comma, r.LazyQuotes, r.ReuseRecord = comma, true, true
	least := -1
	for range sniffedRows {
		record, err := r.Read()
		if err != nil {
			break
		}
		n := 0
		for n < len(record)-2 && strings.TrimSpace(record[len(record)-1-n]) == "" {
			n++
		}
		if least < 0 || n < least {
			least = n
		}
	}
	return max(0, least)
}

// fits returns a record without the empty fields of the unnamed last columns; it is not of the header's length if
// these are not empty.
func (t *records) fits(record []string) []string {
	if n := len(t.header); len(record) == n+t.unnamedLast {
		for _, field := range record[n:] {
			if strings.TrimSpace(field) != "" {
				return record
			}
		}
		return record[:n]
	}
	return record
}

const (
	sniffed     = 1 << 16 // bytes that are looked at
	sniffedRows = 50      // records
)

// delimiters are those that are recognised, the first of equally good ones.
var delimiters = []rune{',', ';', '\t', '|'}

// delimiter returns the delimiter, given or 0, and the number of lines that only name it ("sep=;", as Excel
// writes). One that is not given is that of the file's name, unless another divides all records into equally many fields,
// and into more of them, or into numbers where there are commas.
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
	best, most := usual, max(1, fieldsOf(head, usual, err == io.EOF))
	for _, other := range delimiters {
		fields := fieldsOf(head, other, err == io.EOF)
		if fields > most {
			best, most = other, fields
		}
		if other != usual && usual == ',' && fields > 1 && commasInNumbers(head, other, err == io.EOF) {
			best = other
			break
		}
	}
	if best != usual {
		t.recognised = append(t.recognised, fmt.Sprintf("fields separated by %q (--delimiter)", string(best)))
	}
	return best, 0
}

// commasInNumbers reports whether all fields with commas in the head of a file are numbers, and there are such.
func commasInNumbers(head []byte, comma rune, whole bool) bool {
	r := csv.NewReader(bytes.NewReader(lines(head, whole)))
	r.Comma, r.LazyQuotes, r.ReuseRecord = comma, true, true
	found := false
	for range sniffedRows {
		record, err := r.Read()
		if err != nil {
			break
		}
		for _, field := range record {
			if !strings.ContainsRune(field, ',') {
				continue
			}
			_, _, _, point := parseAmount(strings.TrimSpace(field), false)
			_, _, _, decimal := parseAmount(strings.TrimSpace(field), true)
			if !point && !decimal {
				return false
			}
			found = true
		}
	}
	return found
}

// decimalCommas reports whether the head of a file has numbers with decimal commas: in some column all fields are
// numbers or missing, and one has a comma with more or less than three digits after it, which would be a group of
// digits; and no number has a point.
func (t *records) decimalCommas(head []byte, comma rune, whole bool) bool {
	r := csv.NewReader(bytes.NewReader(lines(head, whole)))
	r.Comma, r.LazyQuotes, r.ReuseRecord = comma, true, true
	var sure, other []bool // by column
	for k := range sniffedRows {
		record, err := r.Read()
		if err != nil {
			break
		}
		if k == 0 {
			sure, other = make([]bool, len(record)), make([]bool, len(record))
			continue
		}
		for j, field := range record {
			switch field = strings.TrimSpace(field); {
			case t.notation.isMissing(field):
			case isDecimal(field):
				if strings.ContainsRune(field, '.') {
					return false
				}
			case isDecimalComma(field):
				sure[j] = sure[j] || len(field)-strings.IndexByte(field, ',') != len(",000")
			default:
				other[j] = true
			}
		}
	}
	for j := range sure {
		if sure[j] && !other[j] {
			return true
		}
	}
	return false
}

// lines returns the whole lines of a head.
func lines(head []byte, whole bool) []byte {
	if whole {
		return head
	}
	return head[:bytes.LastIndexByte(head, '\n')+1]
}

// fieldsOf returns the number of fields of every record in the head of a file, or 0 if they differ.
func fieldsOf(head []byte, comma rune, whole bool) int {
	r := csv.NewReader(bytes.NewReader(lines(head, whole)))
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

// firstLine is what tells whether the first line of a file is a header, by its fields and the columns below.
type firstLine struct {
	fields   []string
	end      int  // index of the last field that is not left out
	numbers  int  // fields that are numbers or dates
	odd      int  // those of them that name no columns: not years or positions
	texts    int  // other fields
	values   int  // those of them that are values of their columns further down
	empty    int  // empty fields
	heads    bool // a text has only numbers below
	known    bool // a field names a column of the options
	repeated bool // the whole line is found again
	last     bool // the field at the end is a value of its column
}

// isHeadless reports whether the first line of a file holds data. It does if it has numbers, or no text that is not a
// value of its column further down, unless it names one of the known columns. One with few numbers and with texts of
// which only some are values is not decided.
func (t *records) isHeadless(head []byte, comma rune, whole bool, known []string) (bool, error) {
	f, ok := t.lookAtFirst(head, comma, whole, known)
	if !ok || f.known || f.heads && f.odd == 0 {
		return false, nil
	}
	asks := f.heads
	switch {
	case f.heads:
	case f.numbers == 0 && f.values == f.texts && f.empty == len(f.fields)-1-f.end:
	case f.numbers == 0 && f.values == 0 && !f.repeated:
		return false, nil
	case f.numbers == 0:
		asks = true
	case f.texts == 0:
		if _, twice := firstRepeated(f.fields); f.odd == 0 && !twice && !f.last {
			return false, nil
		}
	case f.values == 0 && f.odd == 0 && f.numbers > 1:
		return false, nil
	default:
		asks = f.values < f.texts && (2*f.numbers < f.end+1 || f.values == 0 && (f.numbers < f.end || f.odd == 0))
	}
	if asks {
		return false, t.errorf("the first line, %s, may be a header or data: some of its fields are numbers or values of their columns, others are not; say which (--header or --no-header)", listNames(f.fields))
	}
	t.recognised = append(t.recognised, "no header: the columns are c1, c2, ... (--header if the first line names them)")
	return true, nil
}

// lookAtFirst looks at the first line; ok is false if readHeader refuses it.
func (t *records) lookAtFirst(head []byte, comma rune, whole bool, known []string) (f firstLine, ok bool) {
	r := csv.NewReader(bytes.NewReader(lines(head, whole)))
	r.Comma, r.LazyQuotes, r.TrimLeadingSpace = comma, true, comma != '\t' && comma != ' '
	first, err := r.Read()
	if err != nil || len(first) < 2 || isComment(first) || strings.ContainsRune(strings.Join(first, ""), '\r') {
		return f, false
	}
	f.fields, f.end = first, len(first)-1-emptyLast(head, comma, whole)
	again, below := make([]bool, len(first)), make([]int, len(first)) // below: numbers, if nothing else
	for range sniffedRows {
		record, err := r.Read()
		if err != nil {
			break
		}
		if slices.Equal(record, first) {
			f.repeated = true // as a header is, by joining files
			continue
		}
		for j := range record {
			field := strings.TrimSpace(record[j])
			again[j] = again[j] || field == strings.TrimSpace(first[j])
			if _, kind := t.notation.classify(field); kind == number {
				below[j]++
			} else if kind != missing {
				below[j] -= sniffedRows
			}
		}
	}
	f.last = again[f.end]
	before := -1.
	for j, field := range first {
		field = strings.TrimSpace(field)
		v, kind := t.notation.classify(field)
		switch {
		case field == "":
			f.empty++
		case slices.Contains(known, field):
			f.known = true
		case kind == number || isMeasured(field):
			if f.numbers++; kind != number || v != math.Trunc(v) || v <= before || strings.ContainsAny(field, ".,") {
				f.odd++
			}
			before = v
		default:
			if f.texts++; again[j] {
				f.values++
			}
			f.heads = f.heads || below[j] > 0
		}
	}
	return f, true
}

// isMeasured reports whether a field is a date, or a number that is not a plain decimal.
func isMeasured(s string) bool {
	_, _, _, point := parseAmount(s, false)
	_, _, _, comma := parseAmount(s, true)
	if point || comma {
		return true
	}
	date, _ := dateFormatOf([]string{s})
	return date != nil && date.plausible([]string{s})
}
