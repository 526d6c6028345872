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
	"unicode"
	"unicode/utf8"
)

// records reads the lines of a CSV file: header first, then one record at a time
// with as many fields as the header. It hashes the stored bytes on the way.
type records struct {
	file     string
	header   []string     // trimmed, not empty, different from each other
	first    []string     // record that was read in place of a header
	top      string       // what the first line is called
	alone    []string     // columns of which one may be the only one
	rows     int          // records returned so far
	only     map[int]bool // lines of the records to return; nil: all
	notation *notation    // of the fields
	csv      *fieldReader // nil for a record that is in no file
	sum      hash.Hash
	stored   *bufio.Reader
}

// layout says how records lie in a file.
type layout struct {
	delimiter rune // 0: that of the file's name
	noHeader  bool
	alone     []string // columns of which one may be all that the table has
}

// delimiterOf is the character between fields in files of that name.
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

// newRecords starts reading r and returns with its header read.
func newRecords(r io.Reader, file string, l layout, n *notation) (*records, error) {
	t := &records{file: file, alone: l.alone, notation: n, sum: sha256.New()}
	t.stored = bufio.NewReaderSize(io.TeeReader(r, t.sum), 1<<16)
	plain, err := t.plainText()
	if err != nil {
		return nil, err
	}
	if err := t.checkBeginning(plain); err != nil {
		return nil, err
	}
	comma := l.delimiter
	if comma == 0 {
		comma = delimiterOf(file)
	}
	// Trimming lets a quoted field follow a blank; it would swallow empty fields between tabs.
	t.csv = newFieldReader(plain, comma, comma != '\t' && comma != ' ')
	if l.noHeader {
		return t, t.numberColumns()
	}
	return t, t.readHeader()
}

// plainText unpacks gzip data, which the file's name must announce.
func (t *records) plainText() (*bufio.Reader, error) {
	magic, _ := t.stored.Peek(2) // an error shows again at the first read
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

// checkBeginning refuses what is no CSV file by its first bytes, and passes over a byte
// order mark.
func (t *records) checkBeginning(r *bufio.Reader) error {
	head, _ := r.Peek(512) // an error shows again at the first read
	if msg := foreignFormat(head); msg != "" {
		return t.errorf("%s", msg)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, err := r.Discard(3)
		return err
	}
	return nil
}

// numberColumns names the columns of a file without a header.
func (t *records) numberColumns() error {
	record, err := t.csv.Read()
	if err == io.EOF {
		return t.errorf("the file is empty; want data lines")
	}
	if err != nil {
		return t.readError(err)
	}
	t.first, t.top = record, "first line"
	t.header = make([]string, len(record))
	for i := range record {
		t.header[i] = fmt.Sprintf("c%d", i+1)
	}
	return t.checkWidth(record[0])
}

func (t *records) readHeader() error {
	record, err := t.csv.Read()
	if err == io.EOF {
		return t.errorf("the file is empty; want a header line and data lines")
	}
	if err != nil {
		return t.readError(err)
	}
	t.header, t.top = make([]string, len(record)), "header"
	if isComment(record) && len(record) < 3 {
		return t.headerError(0, "the first line begins with #; %s", noComments)
	}
	first := make(map[string]int, len(record))
	for i, field := range record {
		name := strings.Clone(strings.TrimSpace(field))
		t.header[i] = name
		earlier, repeated := first[name]
		switch {
		case name == "":
			return t.headerError(i, "column %d of %d has no name; %s", i+1, len(record), nameless(i, len(record)))
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
	return t.checkHeader()
}

// nameless says what may be the matter with column i of p, which has no name.
func nameless(i, p int) string {
	switch i {
	case 0:
		return "give it one in the file, or write the table without row names (pandas: index=False, R: row.names=FALSE)"
	case p - 1:
		return "does every line end with a delimiter too many?"
	}
	return "the first line must be a header that names the columns, with no title above it"
}

// checkWidth refuses a table of one column, whose first line is given, unless the column
// is one that may be alone.
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

// checkHeader refuses a first line that is no header of a usable table.
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
		return t.headerError(0, "the first line holds numbers; it must be a header that names the columns, or say that there is none (--no-header)")
	}
	return nil
}

// next returns the next record, valid until the following call, or io.EOF.
// Blank lines are passed over.
func (t *records) next() ([]string, error) {
	for {
		record, err := t.read()
		if err == io.EOF {
			return nil, io.EOF
		}
		if err != nil {
			return nil, t.readError(err)
		}
		if len(record) != len(t.header) {
			if len(record) == 1 && strings.TrimSpace(record[0]) == "" {
				continue
			}
			advice := quoteFields
			if isComment(record) {
				advice = noComments
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

// read returns the record that was read in place of a header, then those that follow.
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

// finish reads what is left of the stored bytes and describes the source.
func (t *records) finish() (Source, error) {
	if _, err := io.Copy(io.Discard, t.stored); err != nil {
		return Source{}, t.readError(err)
	}
	return Source{File: t.file, SHA256: hex.EncodeToString(t.sum.Sum(nil)), Rows: t.rows}, nil
}

// index returns the place of the named column, or -1.
func (t *records) index(name string) int {
	for i, h := range t.header {
		if h == name {
			return i
		}
	}
	return -1
}

// indices returns the places of the named columns, which differ.
func (t *records) indices(names []string) ([]int, error) {
	if name, ok := firstRepeated(names); ok {
		return nil, t.errorf("the column %q is asked for twice", name)
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

// cellError blames field i of the last record.
func (t *records) cellError(i int, format string, args ...any) *Error {
	e := t.headerError(i, format, args...)
	e.Name = t.header[i]
	return e
}

// readError puts a failure of the readers below into our words.
func (t *records) readError(err error) *Error {
	e := &Error{File: t.file, Msg: err.Error(), Err: err}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		e.Msg = "cannot be read: " + path.Err.Error() // without the name, which File has
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

// allRows begins a sentence about what all of n rows have.
func allRows(n int) string {
	if n == 1 {
		return "the only row has"
	}
	return fmt.Sprintf("all %d rows have", n)
}

// fieldReader reads records as a csv.Reader does that takes any number of fields in
// each. As long as no line has a quote it divides lines itself, in a third of the time;
// from the first quote on there is such a reader.
type fieldReader struct {
	in      *bufio.Reader
	comma   rune
	trim    bool        // leading space of fields
	quoted  *csv.Reader // nil until there is a quote
	lines   int         // read so far; by quoted, not counted
	long    []byte      // a line that does not fit in's buffer
	record  []string
	columns []int // where the fields begin, from 1
}

func newFieldReader(in *bufio.Reader, comma rune, trim bool) *fieldReader {
	r := &fieldReader{in: in, comma: comma, trim: trim}
	if comma >= utf8.RuneSelf || comma < ' ' && comma != '\t' || comma == '"' {
		r.quote(nil) // which knows what to say of it
	}
	return r
}

// quote leaves the rest to a csv.Reader, beginning with a line that was read.
func (r *fieldReader) quote(line []byte) {
	r.quoted = csv.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(line)), r.in))
	r.quoted.Comma, r.quoted.TrimLeadingSpace = r.comma, r.trim
	r.quoted.FieldsPerRecord, r.quoted.ReuseRecord = -1, true
}

// Read returns the next record, valid until the following call, or io.EOF. Empty lines
// are passed over. Errors are those of a csv.Reader.
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

// line returns the next line with its \n, where it has one; \r\n is \n.
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

// divide sets the record to the fields of a line.
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

// foreignFormat says what a file is that begins so and is no CSV file, and what to do,
// "" for what may be one.
func foreignFormat(head []byte) string {
	begins := func(with string) bool { return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte(with)) }
	switch {
	case begins("\xff\xfe"), begins("\xfe\xff"):
		return "the file is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"
	case begins("PK\x03\x04"):
		return "the file is a zip archive or a spreadsheet; save the sheet as CSV (UTF-8)"
	case begins("\xd0\xcf\x11\xe0"):
		return "the file is an old spreadsheet or document; save the sheet as CSV (UTF-8)"
	case begins("PAR1"):
		return "the file is Parquet data; write it as CSV"
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

// Advice on what does not fit into a table.
const (
	notUTF8     = "is not UTF-8 text; save the file as UTF-8 (from Windows and Latin-1: iconv -f CP1252 -t UTF-8)"
	noComments  = "there are no comments in CSV files: leave out lines that begin with #"
	quoteFields = "a field that holds the delimiter or a line end stands in quotes"
)

// isComment reports whether the first field of a line begins a comment.
func isComment(record []string) bool { return strings.HasPrefix(record[0], "#") }

// Error is a mistake in a data file, or between a data file and the options or
// the encoder it is read with. Its text is
// "file:line:column: column "name": message", as far as the parts are known.
type Error struct {
	File   string
	Line   int    // 1-based line of the file; 0 where no line is to blame
	Column int    // 1-based byte in that line where the field begins; 0 where no field is to blame
	Name   string // name of the column of the table; empty where no column is to blame
	Msg    string // what is wrong and what would be right
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
