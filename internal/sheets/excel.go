package sheets

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/thedatashed/xlsxreader"
)

// workbook reads a sheet. Its first row of more than one cell is the header.
func workbook(file []byte, name string) (*Table, error) {
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, fmt.Errorf("the workbook is damaged: %v", err)
	}
	since1904, err := checkParts(z)
	if err != nil {
		return nil, err
	}
	f, err := xlsxreader.NewReaderZip(z)
	if err != nil {
		return nil, fmt.Errorf("the file is a zip archive, but no Excel workbook (%v); want .xlsx, or the sheet as CSV (UTF-8)", err)
	}
	t := &Table{}
	switch {
	case len(f.Sheets) == 0:
		return nil, errors.New("the workbook has no sheets")
	case name == "":
		if name = f.Sheets[0]; len(f.Sheets) > 1 {
			t.Said = append(t.Said, fmt.Sprintf("the sheet %q, the first of %d (--sheet)", name, len(f.Sheets)))
		}
	case !slices.Contains(f.Sheets, name):
		return nil, fmt.Errorf("no sheet %q; the sheets are %q", name, f.Sheets)
	}
	s := &sheet{clock: make(map[int]bool)}
	if since1904 {
		s.shift = days1904
	}
	for row := range f.ReadRows(name) { // to its end, since it has no other
		if err == nil {
			err = row.Error
		}
		if err == nil {
			s.add(&row)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the sheet %q cannot be read: %v", name, err)
	}
	if len(s.rows) == 0 {
		return nil, fmt.Errorf("the sheet %q is empty", name)
	}
	t.Rows, t.Line = s.table(), s.first
	t.leaveTitle()
	return t, nil
}

// leaveTitle leaves out rows of one cell above the first row of more.
func (t *Table) leaveTitle() {
	filled := func(row []string) (n int) {
		for _, s := range row {
			if s != "" {
				n++
			}
		}
		return n
	}
	header := slices.IndexFunc(t.Rows, func(row []string) bool { return filled(row) > 1 })
	if header <= 0 {
		return
	}
	t.Said = append(t.Said, fmt.Sprintf("the header in row %d, below a title", t.Line+header))
	t.Rows, t.Line = t.Rows[header:], t.Line+header
}

// days1904 are the days from the first day of most workbooks to that of old ones of the Macintosh.
const days1904 = 1462

var date1904 = regexp.MustCompile(`<workbookPr[^>]*\bdate1904="(1|true)"`)

// checkParts reads all parts of the archive, whose sums tell whether it is damaged, and reports whether the workbook
// counts days from 1904.
func checkParts(z *zip.Reader) (since1904 bool, err error) {
	for _, f := range z.File {
		r, err := f.Open()
		if err == nil {
			var part bytes.Buffer
			var to io.Writer = io.Discard
			if f.Name == "xl/workbook.xml" {
				to = &part
			}
			_, err = io.Copy(to, r)
			since1904 = since1904 || date1904.Match(part.Bytes())
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return false, fmt.Errorf("the workbook is damaged: %s: %v", f.Name, err)
		}
	}
	return since1904, nil
}

// sheet collects the rows of a sheet.
type sheet struct {
	rows  [][]cell
	first int // number of the first row that is not empty
	width int
	clock map[int]bool // columns with times of day
	shift int          // days to add to dates
}

// cell is the text of a cell, or its date.
type cell struct {
	text string
	date time.Time
}

// add adds a row, and the empty ones before it.
func (s *sheet) add(row *xlsxreader.Row) {
	var cells []cell
	for i := range row.Cells {
		c := &row.Cells[i]
		at := c.ColumnIndex()
		if at < 0 || at > 1<<14 {
			continue
		}
		for len(cells) <= at {
			cells = append(cells, cell{})
		}
		cells[at] = s.read(c, at)
	}
	if !slices.ContainsFunc(cells, func(c cell) bool { return c.text != "" || !c.date.IsZero() }) {
		return
	}
	if s.rows == nil {
		s.first = row.Index
	}
	for s.first+len(s.rows) < row.Index {
		s.rows = append(s.rows, nil)
	}
	s.rows, s.width = append(s.rows, cells), max(s.width, len(cells))
}

// excelErrors are what a formula without a value shows.
var excelErrors = []string{"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"}

// read returns a cell of column j.
func (s *sheet) read(c *xlsxreader.Cell, j int) cell {
	switch {
	case slices.Contains(excelErrors, c.Value):
		return cell{}
	case c.Type == xlsxreader.TypeBoolean && c.Value == "0":
		return cell{text: "FALSE"}
	case c.Type == xlsxreader.TypeBoolean && c.Value == "1":
		return cell{text: "TRUE"}
	case c.Type == xlsxreader.TypeDateTime:
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if at, err := time.Parse(layout, c.Value); err == nil {
				s.clock[j] = s.clock[j] || layout != time.DateOnly
				return cell{date: at.AddDate(0, 0, s.shift)}
			}
		}
	}
	if v, err := strconv.ParseFloat(c.Value, 64); err == nil && c.Type == xlsxreader.TypeNumerical {
		return cell{text: strconv.FormatFloat(v, 'g', 15, 64)} // what Excel shows of it
	}
	return cell{text: strings.TrimSpace(c.Value)}
}

// table returns the rows as texts, of the width of the widest.
func (s *sheet) table() [][]string {
	all := make([][]string, len(s.rows))
	for i, row := range s.rows {
		line := make([]string, s.width)
		for j, c := range row {
			switch {
			case c.date.IsZero():
				line[j] = c.text
			case s.clock[j]:
				line[j] = c.date.Format(time.DateTime)
			default:
				line[j] = c.date.Format(time.DateOnly)
			}
		}
		all[i] = line
	}
	return all
}
