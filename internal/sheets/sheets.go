// Package sheets reads tables from files that are not text: sheets of Excel workbooks and Parquet files.
package sheets

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// Table is a table as texts, the header first.
type Table struct {
	Rows [][]string // of equal lengths
	Line int        // of the header in its sheet, from 1
	Said []string   // what was chosen or left out
}

// Is reports whether a file with this beginning is one that Read reads.
func Is(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PAR1"))
}

// Read reads a whole file: the named sheet of a workbook, "" for the first one, or the rows of a Parquet file, which
// has no sheets. Empty cells are empty texts, dates are YYYY-MM-DD, with hh:mm:ss where one of the column has a time.
func Read(file []byte, sheet string) (*Table, error) {
	if bytes.HasPrefix(file, []byte("PAR1")) {
		if sheet != "" {
			return nil, fmt.Errorf("a Parquet file has no sheets, such as %q", sheet)
		}
		return parquetTable(file)
	}
	return workbook(file, sheet)
}

// CSV returns the table as CSV text, a line for each row, blank where all cells are.
func (t *Table) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	oneLine := strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")
	for _, row := range t.Rows {
		if !slices.ContainsFunc(row, func(s string) bool { return s != "" }) {
			w.Flush()
			b.WriteByte('\n')
			continue
		}
		line := make([]string, len(row))
		for i, s := range row {
			line[i] = oneLine.Replace(s)
		}
		if err := w.Write(line); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}
