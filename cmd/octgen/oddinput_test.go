package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	gocmp "github.com/google/go-cmp/cmp"
)

const plainRows = "a,b,class\n1,2,p\n2,3,q\n3,2,p\n4,1,q\n"

// fortyRows is a table of that header.
func fortyRows(header string, row func(i int) string) string {
	lines := []string{header}
	for i := range 40 {
		lines = append(lines, row(i))
	}
	return strings.Join(lines, "\n") + "\n"
}

// rowsOf is a table whose column b has the texts in turn.
func rowsOf(texts ...string) string {
	return fortyRows("a;b;class", func(i int) string {
		return fmt.Sprintf("%d;%s;%c", i*7%5, texts[i%len(texts)], "pq"[i/2%2])
	})
}

func manyTexts(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf("case %d", i))
	}
	return texts
}

// utf16Text is a text as UTF-16 with a byte order mark.
func utf16Text(text string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// oddInputs are bad and odd inputs, in the order of the page; the file is odd.csv, the
// flags those that a user would have tried.
var oddInputs = []struct {
	what, text, flags string
	file              string // in place of odd.csv
}{
	{what: "UTF-16 text (\"Unicode\" of some spreadsheets)", text: utf16Text(plainRows)},
	{what: "Latin-1 text, in the header", text: "gr\xf6\xdfe,b,class\n1,2,p\n"},
	{what: "Latin-1 text, in a field", text: "a,b,class\n1,gr\xfcn,p\n2,rot,q\n"},
	{what: "a byte order mark, CRLF, blanks around fields", text: "\xef\xbb\xbfa, b ,class\r\n 1 ,2,p\r\n2, 3,q\r\n"},
	{what: "lines that end in CR alone", text: strings.ReplaceAll(plainRows, "\n", "\r")},
	{what: "a spreadsheet", text: "PK\x03\x04\x14\x00\x06\x00", file: "odd.xlsx"},
	{what: "gzip data without .gz", text: "\x1f\x8b\x08\x00"},
	{what: "binary data", text: "a\x00\x01\x02\x03"},
	{what: "an HTML page", text: "<!DOCTYPE html>\n<html></html>\n"},
	{what: "JSON", text: "{\"a\": 1}\n"},
	{what: "a directory", file: "folder"},
	{what: "no such file", file: "none.csv"},
	{what: "an empty file", text: ""},
	{what: "a header and no rows", text: "a,b,class\n"},
	{what: "no header, fractions", text: "5.1,3.5,p\n4.9,3.0,q\n"},
	{what: "no header, repeated values", text: "1,1,p\n2,1,q\n"},
	{what: "no header, and the flag", text: "5.1,3.5,p\n4.9,3.0,q\n", flags: "--no-header"},
	{what: "a title above the header", text: "Results,,\n" + plainRows},
	{what: "comment lines above", text: "# made by hand\n" + plainRows},
	{what: "comment lines within", text: "a,b,class\n1,2,p\n# checked\n2,3,q\n"},
	{what: "semicolons", text: strings.ReplaceAll(plainRows, ",", ";")},
	{what: "tabs", text: strings.ReplaceAll(plainRows, ",", "\t")},
	{what: "tabs in a .tsv file", text: strings.ReplaceAll(plainRows, ",", "\t"), file: "odd.tsv"},
	{what: "a column of row numbers without a name", text: ",a,class\n0,1,p\n1,2,q\n"},
	{what: "a delimiter at the end of each line", text: "a,b,class,\n1,2,p,\n2,3,q,\n"},
	{what: "two columns of one name", text: "a,a,class\n1,2,p\n"},
	{what: "a line with too few fields", text: "a,b,class\n1,2,p\n2,q\n"},
	{what: "a line with too many fields", text: "a,b,class\n1,2,p\n2,3,4,q\n"},
	{what: "a quote that is not closed", text: "a,b,class\n1,\"2,p\n2,3,q\n"},
	{what: "a quote within a field", text: "a,b,class\n1,2\" pipe,p\n2,3,q\n"},
	{what: "a class that is missing", text: "a,b,class\n1,2,p\n2,3,\n"},
	{what: "NA as a class", text: "a,b,class\n1,2,p\n2,3,NA\n"},
	{what: "a wrong name for the class", text: plainRows, flags: "--target klass"},
	{what: "one column", text: "class\np\nq\n"},
	{what: "one class", text: "a,class\n1,p\n2,p\n"},
	{what: "classes that differ in case", text: "a,class\n1,yes\n2,Yes\n3,no\n"},
	{what: "one row", text: "a,b,class\n1,2,p\n"},
	{what: "a target of many numbers", text: fortyRows("a,class", func(i int) string { return fmt.Sprintf("%d,%d.5", i%3, i*7%40) })},
	{what: "an identifier of texts", text: rowsOf(manyTexts(40)...)},
	{what: "an identifier of numbers", text: fortyRows("a,number,class", func(i int) string { return fmt.Sprintf("%d,%d,%c", i%3, 100+i, "pq"[i/2%2]) })},
	{what: "many categories", text: rowsOf(manyTexts(21)...) + strings.TrimPrefix(rowsOf(manyTexts(21)...), "a;b;class\n")},
	{what: "dates", text: rowsOf("2020-01-31", "2020-02-03")},
	{what: "dates, and the flag", text: rowsOf("2020-01-31", "2020-02-03"), flags: "--dates b"},
	{what: "dates of two readings", text: rowsOf("01/02/2020", "03/04/2020"), flags: "--dates b"},
	{what: "decimal commas", text: rowsOf("1,5", "2,25")},
	{what: "decimal commas among whole numbers", text: rowsOf("1,5", "2", "3", "4", "5")},
	{what: "decimal commas, and the flag", text: rowsOf("1,5", "2,25"), flags: "--decimal ,"},
	{what: "thousands separators", text: rowsOf("1,500", "22,250.5")},
	{what: "points between thousands", text: rowsOf("5.433,86", "1.234,50", "1.000", "2,00")},
	{what: "points between thousands, and the flag", text: rowsOf("5.433,86", "1.234,50", "1.000", "2,00"), flags: "--decimal ,"},
	{what: "a point between thousands among plain numbers, and the flag", text: rowsOf("1,5", "2,25", "3", "1.000", "4", "5"), flags: "--decimal ,"},
	{what: "a point between thousands once, and the flag", text: rowsOf("1,5", "2") + "3;1.000;q\n", flags: "--decimal ,"},
	{what: "amounts with points between thousands, each another", text: fortyRows("a;b;class", func(i int) string {
		return fmt.Sprintf("%d;%d.433,86;%c", i*7%5, i+1, "pq"[i/2%2])
	})},
	{what: "blanks between thousands", text: rowsOf("5 433,86", "1 234,50", "2,00")},
	{what: "percentages", text: rowsOf("15%", "3 %")},
	{what: "amounts of money", text: rowsOf("$15", "$2.50")},
	{what: "a missing value by another word", text: rowsOf("1", "2", "3", "unknown", "5")},
	{what: "the same, and the flag", text: rowsOf("1", "2", "3", "unknown", "5"), flags: "--na-values unknown"},
	{what: "NA among the codes of countries", text: rowsOf("DE", "NA", "FR")},
	{what: "infinity", text: rowsOf("1", "2", "inf", "4")},
	{what: "a number beyond 1e300", text: rowsOf("1", "2", "1e400", "4")},
	{what: "a typing error in a column of numbers", text: rowsOf("1", "2", "3", "4") + "1;l3;q\n"},
	{what: "texts among few numbers", text: rowsOf("1", "2", "3", "4 or more")},
	{what: "a column without a value", text: rowsOf("", "?", "NA")},
	{what: "a value missing in every row", text: "a,b,class\n,2,p\n2,,q\n"},
	{what: "a column of one value", text: rowsOf("7")},
	{what: "weights that are not positive", text: rowsOf("1", "0"), flags: "--weight b"},
}

// TestOddInputs: the table in docs/tables/odd-inputs.md is what octgen says of bad and odd input:
// one line, and exit code 2 where nothing can be read.
func TestOddInputs(t *testing.T) {
	page, err := filepath.Abs(filepath.Join("..", "..", "docs", "tables", "odd-inputs.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| input | what octgen says |\n|---|---|\n")
	for _, c := range oddInputs {
		file := cmp.Or(c.file, "odd.csv")
		if c.file != "folder" && c.file != "none.csv" {
			write(t, file, c.text)
		}
		args := append([]string{"fit", file, "--method", "cart", "--depth", "1"}, strings.Fields(c.flags)...)
		if strings.HasPrefix(c.text, "a;b;") && c.what != "semicolons" {
			args = append(args, "--delimiter", ";")
		}
		what := c.what
		if c.flags != "" {
			what += " (`" + c.flags + "`)"
		}
		fmt.Fprintf(&table, "| %s | %s |\n", cell(what), cell(said(t, args)))
	}
	if n := len(oddInputs); n < 40 {
		t.Errorf("%d inputs, want 40 or more", n)
	}
	goldenBlock(t, page, "odd inputs", table.String())
}

// said is what octgen says of an input: the mistake, or the warnings, or that all is well.
func said(t *testing.T, args []string) string {
	t.Helper()
	var out, log bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(""), &out, &log)
	switch {
	case code == exitUsage && out.Len() == 0:
		text, found := strings.CutPrefix(log.String(), "octgen: ")
		if text = strings.TrimSuffix(text, "\n"); !found || strings.Contains(text, "\n") {
			t.Errorf("%v: %q is not one line", args, log.String())
		}
		return text
	case code != exitDone || log.Len() > 0:
		t.Errorf("%v: exit code %d, %q, %q", args, code, out.String(), log.String())
	}
	var warnings, read []string
	for line := range strings.Lines(out.String()) {
		if line == "\n" {
			break // after what was read
		}
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if text = strings.TrimSpace(text); name == "warning" {
			warnings = append(warnings, "warning: "+text)
		} else {
			read = append(read, name+": "+text)
		}
	}
	if warnings != nil {
		return strings.Join(warnings, "; ")
	}
	return "read: " + strings.Join(read[1:], "; ")
}

// cell is a text in a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", ">", "&gt;", "*", "\\*", "_", "\\_", "\r", "", "\n", " ").Replace(text)
}

// goldenBlock compares the part of a page between two comments with what it is to be,
// or writes it.
func goldenBlock(t *testing.T, page, name, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	got, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no part %q", page, name)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("make golden writes %s again (-said +page):\n%s", filepath.Base(page), d)
	}
}
