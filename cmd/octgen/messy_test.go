package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// messy are tables with one trait each, as people have them (dataset/testdata/messy), and what octgen said of them
// before it recognised tables.
var messy = []struct{ file, trait, before string }{
	{`bars.csv`, `bars between fields`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter "|"`},
	{`blank-lines.csv`, `blank lines, lines that end in CRLF`, `read`},
	{`byte-order-mark.csv`, `a byte order mark`, `read`},
	{`classes-in-two-cases.csv`, `classes "Yes", "yes " and "YES"`, `read; the classes "YES" and "Yes" differ only in case; spell them alike if they are the same class`},
	{`dates-american.csv`, `dates M/D/YYYY`, `read; as categories: visit (35); the column "visit" looks like dates of the form MM/DD/YYYY and was read as 35 categories; read them as days (--dates "visit")`},
	{`dates-either.csv`, `dates of which no day is above 12`, `read; as categories: visit (31); the column "visit" looks like dates of the form MM/DD/YYYY and was read as 31 categories; read them as days (--dates "visit")`},
	{`dates-german.csv`, `dates DD.MM.YYYY`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter ";"`},
	{`dates-with-zone.csv`, `times with time zones`, `read; as categories: measured (40); the column "measured" looks like dates of the form YYYY-MM-DDThh:mm:ssZ and was read as 40 categories; read them as days (--dates "measured")`},
	{`dollars.csv`, `dollars, parentheses for negative amounts`, `read; as categories: balance (40); the column "balance" looks like an identifier: 40 different texts in 40 rows; leave it out (--ignore "balance")`},
	{`euros.csv`, `euros with decimal commas`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter ";"`},
	{`excel-sep.csv`, `Excel's first line sep=;`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter ";"`},
	{`free-text.csv`, `free text`, `read; as categories: answer (40); the column "answer" looks like an identifier: 40 different texts in 40 rows; leave it out (--ignore "answer")`},
	{`gives-the-class-away.csv`, `a code that is the class`, `read; as categories: code (2)`},
	{`identifier.csv`, `a name for every row`, `read; as categories: patient (40); the column "patient" looks like an identifier: 40 different texts in 40 rows; leave it out (--ignore "patient")`},
	{`latin1.csv`, `Latin-1`, `exit 2: column "station": "S\xfcd" is not UTF-8 text; save the file as UTF-8 (from Windows and Latin-1: iconv -f CP1252 -t UTF-8)`},
	{`no-header.csv`, `no header`, `exit 2: the first line holds numbers; it must be a header that names the columns (--no-header if the file has none)`},
	{`one-field-too-many.csv`, `a line with one field too many`, `exit 2: 4 fields; the header has 3; quote fields that contain the delimiter or a line end`},
	{`percent.csv`, `percent signs`, `read; as categories: region (3), agree (37); the column "agree" looks like percentages and was read as 37 categories; remove the percent signs from the file`},
	{`prices.csv`, `a target of prices`, `read; "price", with 40 different numbers, looks like a regression target; name the class column with --target`},
	{`quoted-newlines.csv`, `line ends and quotes in quoted fields`, `read; as categories: comment (3)`},
	{`ratings.csv`, `a target of five stars`, `read`},
	{`same-and-constant.csv`, `the same column twice, and a constant one`, `read; as categories: site (1); the column "site" is constant: no tree splits on it`},
	{`semicolons-decimal-commas.csv`, `semicolons and decimal commas`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter ";"`},
	{`sensor.parquet`, `a Parquet file`, `exit 2: the file is Parquet data; write it as CSV`},
	{`sentinel-999.csv`, `-999 for a missing value`, `read`},
	{`tabs.csv`, `tabs in a .csv`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter "\t"`},
	{`thousands-apostrophes.csv`, `apostrophes between thousands`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter ";"`},
	{`thousands-blanks.csv`, `blanks between thousands`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter ";"`},
	{`thousands-commas.csv`, `commas between thousands`, `read; as categories: income (40); the column "income" looks like numbers with commas between their digits and was read as 40 categories; remove these commas from the file, or read them as decimal commas (--decimal ,)`},
	{`thousands-or-decimals.csv`, `commas between thousands, or decimal commas`, `read; as categories: income (40); the column "income" looks like numbers with commas between their digits and was read as 40 categories; remove these commas from the file, or read them as decimal commas (--decimal ,)`},
	{`thousands-points.csv`, `points between thousands`, `exit 2: the header has one column; want at least one feature and the class; try --delimiter ";"`},
	{`trailing-commas.csv`, `empty last columns`, `exit 2: column 4 of 5 has no name; the first line must be a header that names the columns, with no title above it`},
	{`unlabelled-rows.csv`, `rows without a class`, `exit 2: column "finding": the class is missing; remove such rows from the file`},
	{`utf16.csv`, `Excel's "Unicode text"`, `exit 2: the file is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)`},
	{`words-for-missing.csv`, `"unknown" among numbers`, `exit 2: column "pressure": "unknown" is not a number, as 36 of the column's 40 values are; name what stands for a missing value (--na-values "?,NA,unknown"), correct it, or declare the column categorical (--categorical-columns)`},
	{`workbook.xlsx`, `an Excel workbook`, `exit 2: the file is a zip archive or a spreadsheet; save the sheet as CSV (UTF-8)`},
	{`zero-for-missing.csv`, `0 for a missing pressure`, `read`},
}

// TestMessy: what octgen says of the tables, and how good its tree is, is the table of docs/tables/messy.md.
func TestMessy(t *testing.T) {
	page, err := filepath.Abs(filepath.Join("..", "..", "docs", "tables", "messy.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join("..", "..", "dataset", "testdata", "messy"))
	files, err := os.ReadDir(".")
	if err != nil || len(files) != len(messy) {
		t.Fatalf("%v, %d files, %d in the table", err, len(files), len(messy))
	}
	var table strings.Builder
	table.WriteString("| file | trait | before | now |\n|---|---|---|---|\n")
	for _, c := range messy {
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", cell(c.file), cell(c.trait), cell(c.before), cell(fitted(t, c.file)))
	}
	goldenBlock(t, page, "messy tables", table.String())
}

// fitted is what a fit of depth 2 says of a file: what it recognised, and how many rows its tree gets wrong.
func fitted(t *testing.T, file string) string {
	t.Helper()
	var out, log bytes.Buffer
	code := run(context.Background(), []string{"fit", file, "--depth", "2"}, strings.NewReader(""), &out, &log)
	if code == exitUsage && out.Len() == 0 {
		return "asks: " + strings.TrimSuffix(strings.TrimPrefix(log.String(), "octgen: "+file+":"), "\n")
	}
	if code != exitDone {
		t.Errorf("%s: exit code %d, %q", file, code, log.String())
	}
	var said []string
	for line := range strings.Lines(out.String()) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch text = strings.TrimSpace(text); name {
		case "train":
			wrong, _, _ := strings.Cut(text, " (")
			said = append(said, "tree: "+wrong)
		case "recognised", "dates", "ignored", "warning":
			said = append(said, name+": "+text)
		case "numbers":
			if strings.Contains(text, "(") {
				said = append(said, name+": "+text)
			}
		}
	}
	return strings.Join(said, "; ")
}
