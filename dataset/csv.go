package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octgen/octgen/internal/sheets"
)

// records reads the records of a CSV file: the header first, then one record at a time,
// each with as many fields as the header. It also hashes the stored bytes.
type records struct {
	file        string
	header      []string     // trimmed, nonempty, distinct
	first       []string     // first record of a file without a header
	top         string       // name of the first line in messages
	alone       []string     // columns that may be the only one
	rows        int          // records returned so far
	only        map[int]bool // lines of the records to return; nil: all
	notation    *notation    // of the fields
	csv         *fieldReader // nil for a record without a file
	sum         hash.Hash
	stored      *bufio.Reader
	noHeader    bool
	rowNames    bool     // the first column has no name
	unnamedLast int      // last columns without a name, left out
	recognised  []string // what the file says of its own form
	size        int64    // stored bytes of plain text; 0: unknown
	got         byteCount
}

// byteCount counts the bytes written to it.
type byteCount int64

func (c *byteCount) Write(p []byte) (int, error) {
	*c += byteCount(len(p))
	return len(p), nil
}

// layout describes the structure of a file.
type layout struct {
	delimiter rune // 0: derived from the file name
	noHeader  bool
	sure      bool     // the first line is a header, whatever it looks like
	sheet     string   // of a workbook; "" for the first one
	headless  bool     // whether a missing header is recognised
	known     []string // columns that the header names if there is one
	decimal   bool     // whether decimal commas are recognised
	alone     []string // columns that may be the only one of the table
}

// delimiterOf returns the default delimiter for the file name.
func delimiterOf(file string) rune {
	switch name := strings.TrimSuffix(strings.ToLower(file), ".gz"); filepath.Ext(name) {
	case ".tsv", ".tab":
		return '\t'
	}
	return ','
}

// withFile calls read with the named file, or with standard input for "-".
func withFile[T any](path string, read func(r io.Reader) (T, error)) (T, error) {
	if path == "-" {
		return read(os.Stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close() // read-only: closing has nothing to report
	return read(f)
}

// newRecords starts reading r and reads the header.
func newRecords(r io.Reader, file string, l layout, n *notation) (*records, error) {
	t := &records{file: file, alone: l.alone, notation: n, sum: sha256.New()}
	t.stored = bufio.NewReaderSize(io.TeeReader(r, io.MultiWriter(t.sum, &t.got)), 1<<16)
	plain, err := t.plainText()
	if err != nil {
		return nil, err
	}
	head, _ := plain.Peek(4) // an error recurs at the first read
	if sheets.Is(head) {
		return t, t.readSheet(plain, l)
	}
	if l.sheet != "" {
		return nil, t.errorf("the file has no sheets, such as %q; it is text", l.sheet)
	}
	plain = t.fromUTF16(plain)
	if err := t.checkBeginning(plain); err != nil {
		return nil, err
	}
	plain = t.fromWindows(plain)
	if f, ok := r.(*os.File); ok && plain == t.stored {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			t.size = info.Size()
		}
	}
	comma, lines := t.delimiter(plain, l.delimiter)
	if l.decimal {
		if head, err := plain.Peek(sniffed); t.decimalCommas(head, comma, err == io.EOF) {
			t.notation.comma, t.notation.mark = true, ","
			t.recognised = append(t.recognised, "decimal commas (--decimal)")
		}
	}
	// Trimming allows a blank before a quoted field, but would swallow empty fields
	// between tabs.
	t.csv = newFieldReader(plain, comma, comma != '\t' && comma != ' ')
	t.csv.lines = lines
	head, err = plain.Peek(sniffed)
	whole := err == io.EOF
	if l.headless {
		if l.noHeader, err = t.isHeadless(head, comma, whole, l.known); err != nil {
			return nil, err
		}
	}
	if l.noHeader {
		t.leaveLast(emptyLast(head, comma, whole))
	}
	return t, t.begin(l)
}

// begin reads the header, or numbers the columns.
func (t *records) begin(l layout) error {
	if t.noHeader = l.noHeader; l.noHeader {
		return t.numberColumns()
	}
	return t.readHeader(l.sure)
}

// readSheet starts reading a file that is not text.
func (t *records) readSheet(r io.Reader, l layout) error {
	file, err := io.ReadAll(r)
	if err != nil {
		return t.readError(err)
	}
	table, err := sheets.Read(file, l.sheet)
	if err != nil {
		return t.errorf("%v", err)
	}
	text, err := table.CSV()
	if err != nil {
		return t.errorf("%v", err)
	}
	t.recognised = append(t.recognised, table.Said...)
	t.csv = newFieldReader(bufio.NewReader(bytes.NewReader(text)), ',', false)
	t.csv.lines = table.Line - 1
	t.notation.cells = true
	return t.begin(l)
}

// plainText unpacks gzip data, which the file name must announce.
func (t *records) plainText() (*bufio.Reader, error) {
	magic, _ := t.stored.Peek(2) // an error recurs at the first read
	packed := bytes.Equal(magic, []byte{0x1f, 0x8b})
	named := strings.HasSuffix(strings.ToLower(t.file), ".gz")
	switch {
	case !packed && (!named || len(magic) == 0):
		return t.stored, nil
	case !packed:
		return nil, t.errorf("the name ends in .gz, but the file holds no gzip data")
	case !named && t.file != "-":
		return nil, t.errorf("the file holds gzip data; its name must end in .gz to be read as such")
	}
	z, err := gzip.NewReader(t.stored)
	if err != nil {
		return nil, t.readError(err)
	}
	return bufio.NewReaderSize(z, 1<<16), nil
}

// checkBeginning recognizes other file formats by their first bytes and skips a byte
// order mark.
func (t *records) checkBeginning(r *bufio.Reader) error {
	head, _ := r.Peek(512) // an error recurs at the first read
	if msg := foreignFormat(head); msg != "" {
		return t.errorf("%s", msg)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, err := r.Discard(3)
		return err
	}
	return nil
}

// numberColumns numbers the columns of a file without a header.
func (t *records) numberColumns() error {
	record, err := t.csv.Read()
	if err == io.EOF {
		return t.errorf("the file is empty; want data lines")
	}
	if err != nil {
		return t.readError(err)
	}
	t.first, t.top = record, "first line"
	t.header = make([]string, max(1, len(record)-t.unnamedLast))
	for i := range t.header {
		t.header[i] = fmt.Sprintf("c%d", i+1)
	}
	return t.checkWidth(record[0])
}

func (t *records) readHeader(sure bool) error {
	record, err := t.csv.Read()
	if err == io.EOF {
		return t.errorf("the file is empty; want a header line and data lines")
	}
	if err != nil {
		return t.readError(err)
	}
	record, t.top = t.unnamed(record), "header"
	t.header = make([]string, len(record))
	if isComment(record) && len(record) < 3 {
		return t.headerError(0, "the first line begins with #; %s", noComments)
	}
	first := make(map[string]int, len(record))
	for i, field := range record {
		name := strings.Clone(strings.TrimSpace(field))
		t.header[i] = name
		earlier, repeated := first[name]
		switch {
		case name == "" && i == 0 && len(record) > 2:
			t.header[0], t.rowNames = rowNames, true
			t.recognised = append(t.recognised, "a first column without a name, of row names, left out")
			first[rowNames] = 0
			continue
		case name == "":
			return t.headerError(i, "column %d of %d has no name; %s", i+1, len(record)+t.unnamedLast, nameless(i))
		case !utf8.ValidString(name):
			return t.headerError(i, "the column name %q %s", name, notUTF8)
		case strings.ContainsRune(name, '\r'):
			return t.headerError(i, "a carriage return inside the header line; lines must end in \\n or \\r\\n")
		case repeated:
			return t.headerError(i, "columns %d and %d are both named %q; names must differ (--no-header if the first line holds data)",
				earlier+1, i+1, name)
		}
		first[name] = i
	}
	if sure {
		return t.checkWidth(t.header[0])
	}
	return t.checkHeader()
}

// rowNames is the name of a first column without one, as spreadsheets, pandas and R write row names.
const rowNames = "(row)"

// nameless suggests why column i, which is not the last, has no name.
func nameless(i int) string {
	if i == 0 {
		return "give it one in the file, or write the table without row names (pandas: index=False, R: row.names=FALSE)"
	}
	return "the first line must be a header that names the columns, with no title above it"
}

// checkWidth rejects a table of one column, given its first line, unless that column may
// be the only one.
func (t *records) checkWidth(line string) error {
	if len(t.header) > 1 || slices.Contains(t.alone, t.header[0]) {
		return nil
	}
	msg := "the " + t.top + " has one column; want at least one feature and the class"
	for _, other := range []rune{';', '\t', '|', ',', ' '} {
		if other != t.csv.comma && strings.ContainsRune(line, other) {
			msg += fmt.Sprintf("; try --delimiter %q", string(other))
			break
		}
	}
	return t.headerError(0, "%s", msg)
}

// checkHeader rejects a first line that is not the header of a usable table.
func (t *records) checkHeader() error {
	if err := t.checkWidth(t.header[0]); err != nil {
		return err
	}
	numbers, fractions := 0, 0
	for _, name := range t.header {
		if _, kind := plain.classify(name); kind == number {
			numbers++
			if strings.ContainsRune(name, '.') {
				fractions++
			}
		}
	}
	if numbers >= len(t.header)-1 && fractions > 0 {
		return t.headerError(0, "the first line holds numbers; it must be a header that names the columns (--no-header if the file has none)")
	}
	return nil
}

// next returns the next record, valid until the following call, or io.EOF. It skips blank
// lines.
func (t *records) next() ([]string, error) {
	for {
		record, err := t.read()
		if err == io.EOF {
			return nil, io.EOF
		}
		if err != nil {
			return nil, t.readError(err)
		}
		if record = t.fits(record); len(record) != len(t.header) {
			if len(record) == 1 && strings.TrimSpace(record[0]) == "" {
				continue
			}
			advice := quoteFields
			switch {
			case isComment(record):
				advice = noComments
			case len(record) == len(t.header)+t.unnamedLast:
				advice = "name the last column in the header, or leave it empty"
			}
			e := t.errorf("%s; the %s has %d; %s", plural(len(record), "field"), t.top, len(t.header), advice)
			e.Line = t.line()
			return nil, e
		}
		if t.only != nil && !t.only[t.line()] {
			continue
		}
		t.rows++
		return record, nil
	}
}

// expected estimates the number of records of the file from those so far; 0 if its size is unknown.
func (t *records) expected() int {
	read := int64(t.got) - int64(t.stored.Buffered())
	if t.size == 0 || read <= 0 {
		return 0
	}
	const more = 1.01 // than the lines so far tell
	return int(more * float64(t.rows) * float64(t.size) / float64(read))
}

// read returns the first record of a file without a header, then the following records.
func (t *records) read() ([]string, error) {
	if record := t.first; record != nil {
		t.first = nil
		return record, nil
	}
	return t.csv.Read()
}

// line returns the line where the last record began.
func (t *records) line() int {
	line, _ := t.csv.FieldPos(0)
	return line
}

// finish reads the remaining stored bytes and describes the source.
func (t *records) finish() (Source, error) {
	if _, err := io.Copy(io.Discard, t.stored); err != nil {
		return Source{}, t.readError(err)
	}
	return Source{File: t.file, SHA256: hex.EncodeToString(t.sum.Sum(nil)), Rows: t.rows}, nil
}

// index returns the index of the named column, or -1.
func (t *records) index(name string) int {
	for i, h := range t.header {
		if h == name {
			return i
		}
	}
	return -1
}

// indices returns the indices of the named columns, which must be distinct.
func (t *records) indices(names []string) ([]int, error) {
	if name, ok := firstRepeated(names); ok {
		return nil, t.errorf("the column %q is listed twice", name)
	}
	var at []int
	for _, name := range names {
		i := t.index(name)
		if i < 0 {
			return nil, t.errorf("no column %q; %s", name, suggest("the columns are", name, t.header))
		}
		at = append(at, i)
	}
	return at, nil
}

func (t *records) errorf(format string, args ...any) *Error {
	return &Error{File: t.file, Msg: fmt.Sprintf(format, args...)}
}

func (t *records) headerError(i int, format string, args ...any) *Error {
	e := t.errorf(format, args...)
	if t.csv != nil {
		e.Line, e.Column = t.csv.FieldPos(i)
	}
	return e
}

// cellError reports an error in field i of the last record.
func (t *records) cellError(i int, format string, args ...any) *Error {
	e := t.headerError(i, format, args...)
	e.Name = t.header[i]
	return e
}

// readError rephrases an error of the underlying readers.
func (t *records) readError(err error) *Error {
	e := &Error{File: t.file, Msg: err.Error(), Err: err}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		e.Msg = "cannot be read: " + path.Err.Error() // without the name, which is in File
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Msg = "the gzip data is cut off"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		e.Msg = "the gzip data is damaged"
	}
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return e
	}
	e.Line, e.Column = parse.Line, parse.Column
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		e.Msg = `a quote (") inside an unquoted field; quote the whole field and double the quotes in it`
	case errors.Is(err, csv.ErrQuote):
		e.Line, e.Column = parse.StartLine, 0
		e.Msg = `a quoted field in the record that begins here is not closed, or text follows its closing quote`
	}
	return e
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// allRows begins a sentence about a property of all n rows.
func allRows(n int) string {
	if n == 1 {
		return "the only row has"
	}
	return fmt.Sprintf("all %d rows have", n)
}

// foreignFormat recognizes other file formats by their first bytes and returns a message
// with a remedy, or "" if the file may be CSV.
func foreignFormat(head []byte) string {
	begins := func(with string) bool { return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte(with)) }
	switch {
	case begins("\xd0\xcf\x11\xe0"):
		return "the file is an old spreadsheet or document; save the sheet as .xlsx or as CSV (UTF-8)"
	case begins("%PDF"):
		return "the file is a PDF document; want a CSV file"
	case begins("<"):
		return "the file is an HTML or XML page; want a CSV file (was the download an error page?)"
	case begins("{"), begins("["):
		return "the file looks like JSON; write it as CSV"
	case begins("@relation"), begins("@RELATION"):
		return "the file is ARFF data; write it as CSV"
	case bytes.IndexByte(head, 0) >= 0:
		return "the file holds binary data, or UTF-16 text; want a CSV file in UTF-8"
	}
	return ""
}

// Advice for malformed tables.
const (
	notUTF8     = "is not UTF-8 text; save the file as UTF-8 (from Windows and Latin-1: iconv -f CP1252 -t UTF-8)"
	noComments  = "CSV files have no comments: remove lines that begin with #"
	quoteFields = "quote fields that contain the delimiter or a line end"
)

// isComment reports whether the first field of a line begins a comment.
func isComment(record []string) bool { return strings.HasPrefix(record[0], "#") }

// Error reports a mistake in a data file, or a mismatch between a data file and the
// options or the encoder. Its text is "file:line:column: column "name": message", with
// the known parts only.
type Error struct {
	File   string
	Line   int    // line of the file, from 1; 0 if unknown
	Column int    // byte in that line where the field begins, from 1; 0 if unknown
	Name   string // name of the table's column; empty if unknown
	Msg    string // the mistake and its remedy
	Err    error  // the cause, for errors.Is and errors.As; may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		file := e.File
		if file == "-" {
			file = "standard input"
		}
		b.WriteString(file)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
			if e.Column > 0 {
				fmt.Fprintf(&b, ":%d", e.Column)
			}
		}
		b.WriteString(": ")
	}
	if e.Name != "" {
		fmt.Fprintf(&b, "column %q: ", e.Name)
	}
	b.WriteString(e.Msg)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }
