package dataset_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/octgen/octgen/dataset"
)

func inUTF16(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func windows1252(text string) string {
	out, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return out
}

// TestRecognise: the same table in other forms, and what the reading says of them.
func TestRecognise(t *testing.T) {
	const table = "größe;b;class\n1;2;yes\n3;4;no\n"
	commas := strings.ReplaceAll(table, ";", ",")
	want := read(t, commas, dataset.LoadOptions{})
	for _, c := range []struct {
		what, text string
		opts       dataset.LoadOptions
		said       string // what the reading says, "" for nothing
	}{
		{"commas", commas, dataset.LoadOptions{}, ""},
		{"semicolons", table, dataset.LoadOptions{}, `fields separated by ";" (--delimiter)`},
		{"tabs", strings.ReplaceAll(table, ";", "\t"), dataset.LoadOptions{}, `fields separated by "\t" (--delimiter)`},
		{"pipes", strings.ReplaceAll(table, ";", "|"), dataset.LoadOptions{}, `fields separated by "|" (--delimiter)`},
		{"Windows line ends", strings.ReplaceAll(table, "\n", "\r\n"), dataset.LoadOptions{}, `fields separated by ";" (--delimiter)`},
		{"a given delimiter", table, dataset.LoadOptions{Delimiter: ';'}, ""},
		{"Excel's first line, and the delimiter", "sep=;\r\n" + table, dataset.LoadOptions{Delimiter: ';'}, ""},
		{"Excel's first line", "sep=;\r\n" + table, dataset.LoadOptions{}, ""},
		{"UTF-16, little end", inUTF16(binary.LittleEndian, commas), dataset.LoadOptions{}, "UTF-16 text"},
		{"UTF-16, big end", inUTF16(binary.BigEndian, commas), dataset.LoadOptions{}, "UTF-16 text"},
		{"UTF-16, semicolons", inUTF16(binary.LittleEndian, table), dataset.LoadOptions{}, `UTF-16 text; fields separated by ";" (--delimiter)`},
		{"Windows-1252", windows1252(commas), dataset.LoadOptions{}, "Windows-1252 (Latin-1) text"},
		{"Windows-1252, semicolons", windows1252(table), dataset.LoadOptions{}, `Windows-1252 (Latin-1) text; fields separated by ";" (--delimiter)`},
		{"an empty last column", strings.ReplaceAll(commas, "\n", ",\n"), dataset.LoadOptions{}, "an empty last column"},
		{"empty last columns", strings.ReplaceAll(commas, "\n", ", ,\n"), dataset.LoadOptions{}, "2 empty last columns"},
		{"a comma in fields", strings.Replace(table, "\n1;2;", "\n\"1\";\"2\";", 1), dataset.LoadOptions{}, `fields separated by ";" (--delimiter)`},
	} {
		got := read(t, c.text, c.opts)
		if !slices.Equal(got.X, want.X) || !slices.Equal(got.Features, want.Features) {
			t.Errorf("%s: %v of %v, want %v of %v", c.what, got.X, got.Features, want.X, want.Features)
		}
		if said := strings.Join(got.Reading.Recognised, "; "); said != c.said {
			t.Errorf("%s: says %q, want %q", c.what, said, c.said)
		}
	}
	for _, c := range []struct{ what, text, want string }{
		{"one column", "class\nyes\nno\n", "the header has one column"},
		{"decimal commas of two columns", "a;class\n1,5;yes\n2,5;no\n", ""},
		{"a last column without a name that is not empty", "a,b,class,\n1,2,yes,\n1,2,no,3\n", "x.csv:3: 4 fields; the header has 3; name the last column in the header, or leave it empty"},
		{"UTF-8 and bytes that are not", "gr\u00f6\xdfe,b,class\n1,2,yes\n1,2,no\n", "is not UTF-8 text"},
		{"a record too short, after Excel's line", "sep=;\na;b;class\n1;2;yes\n1;no\n", "x.csv:4: 2 fields; the header has 3"},
	} {
		_, err := dataset.Read(strings.NewReader(c.text), "x.csv", dataset.LoadOptions{})
		if got := errorText(err); !strings.Contains(got, c.want) || (c.want == "") != (err == nil) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestUnlabelled: rows without a class are an error that counts them, or are left out.
func TestUnlabelled(t *testing.T) {
	const table = "a,b,class\n1,2,yes\n3,4,\n5,6,NA\n7,8,no\n,9,yes\n1,1,\n2,2,?\n3,3,\n4,4,\n"
	_, err := dataset.Read(strings.NewReader(table), "x.csv", dataset.LoadOptions{})
	const want = `x.csv:3:5: column "class": the class is missing in 6 rows (lines 3, 4, 7, 8, 9, ...); --drop-unlabelled leaves out such rows`
	if got := errorText(err); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	d := read(t, table, dataset.LoadOptions{DropUnlabelled: true})
	if d.N() != 2 || d.Source.Rows != 9 || d.Reading.Unlabelled != 6 || d.Reading.Dropped != 7 || !slices.Equal(d.Line, []int{2, 5}) {
		t.Errorf("%d rows of %d, %d without a class, lines %v", d.N(), d.Source.Rows, d.Reading.Unlabelled, d.Line)
	}
	_, err = dataset.Read(strings.NewReader("a,class\n1,\n2,\n"), "x.csv", dataset.LoadOptions{DropUnlabelled: true})
	if got := errorText(err); got != "x.csv: all 2 rows have no class" {
		t.Error(got)
	}
}

// TestSuspects: what is pointed out of a column, by its values in 30 rows.
func TestSuspects(t *testing.T) {
	const rows = 30
	for _, c := range []struct {
		what  string
		value func(i int) string // of the column s; a is i % 7, the class "no" and "yes" in turn
		want  string             // "" for no warning
	}{
		{"distinct numbers", func(i int) string { return strconv.Itoa(i * i % 31) }, ""},
		{"a copy", func(i int) string { return strconv.Itoa(i % 7) }, `the columns "a" and "s" are the same in all rows; leave one out (--ignore "s")`},
		{"a copy but for the last row", func(i int) string { return strconv.Itoa(i%7 + i/(rows-1)) }, ""},
		{"the class in other words", func(i int) string { return []string{"N", "Y"}[i%2] }, `the column "s" gives the class away`},
		{"the class but for one row", func(i int) string { return []string{"N", "Y"}[(i+i/(rows-1))%2] }, ""},
		{"a finer division", func(i int) string { return []string{"N", "Y", "N", "Z"}[i%4] }, ""},
		{"-999", func(i int) string { return []string{"-999", strconv.Itoa(i*i%31 + 1)}[min(i%5, 1)] }, `the column "s" is -999 in 6 rows, far from its other values (2 to 29)`},
		{"-999 once", func(i int) string { return []string{"-999", strconv.Itoa(i*i%31 + 1)}[min(i, 1)] }, ""},
		{"zero far below", func(i int) string { return []string{"0", strconv.Itoa(i*i%31 + 50)}[min(i%5, 1)] }, `the column "s" is 0 in 6 rows`},
		{"zero not far below", func(i int) string { return []string{"0", strconv.Itoa(i*i%31 + 10)}[min(i%5, 1)] }, ""},
		{"9999 among thousands", func(i int) string { return []string{"9999", strconv.Itoa(i*i%31*300 + 1000)}[min(i%5, 1)] }, ""},
	} {
		text := "a,s,class\n"
		for i := range rows {
			text += fmt.Sprintf("%d,%s,%s\n", i%7, c.value(i), []string{"no", "yes"}[i%2])
		}
		warnings := read(t, text, dataset.LoadOptions{}).Reading.Warnings
		if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestRecogniseDecimalCommas: numbers with decimal commas are read as such only if nothing contradicts.
func TestRecogniseDecimalCommas(t *testing.T) {
	const said = `fields separated by ";" (--delimiter); decimal commas (--decimal)`
	for _, c := range []struct {
		what, text string
		opts       dataset.LoadOptions
		comma      bool
	}{
		{"commas", "a;b;class\n1,5;2;x\n3;4;y\n", dataset.LoadOptions{}, true},
		{"commas, with a missing value", "a;b;class\n1,5;NA;x\n;-4,25;y\n3;3;x\n", dataset.LoadOptions{Missing: "mean"}, true},
		{"a point elsewhere", "a;b;class\n1,5;2.5;x\n3,5;4;y\n", dataset.LoadOptions{}, false},
		{"texts beside", "a;b;class\n1,5;2;x\nfew;4;y\n", dataset.LoadOptions{}, false},
		{"points, as given", "a;b;class\n1,5;2;x\n2,5;4;y\n", dataset.LoadOptions{Decimal: "."}, false},
	} {
		d := read(t, c.text, c.opts)
		if got := strings.Join(d.Reading.Recognised, "; ") == said; got != c.comma || (d.Encoder.Decimal == ",") != c.comma || c.comma && d.X[0] != 1.5 {
			t.Errorf("%s: %q, %v, decimal %q", c.what, d.Reading.Recognised, d.X, d.Encoder.Decimal)
		}
		new, err := d.Encoder.Read(strings.NewReader(c.text), "new.csv", dataset.EncodeOptions{Delimiter: ';'})
		if err != nil || !slices.Equal(new.X, d.X) {
			t.Errorf("%s: read again: %v, %v; want %v", c.what, new, err, d.X)
		}
	}
}
