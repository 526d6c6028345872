package dataset_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/octgen/octgen/dataset"
)

func inUTF16(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
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
