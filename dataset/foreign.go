package dataset

import (
	"bytes"
	"strings"
)

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
